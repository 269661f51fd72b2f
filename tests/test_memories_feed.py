"""Feeds of evidence: items that are accepted, rejected or recorded already."""

import math
from datetime import datetime

from asterism.clock import FixedClock
from asterism.memories import Evidence
from tests.conftest import OpenGraph
from tests.support.market_world import START, Market


async def test_bad_items_are_rejected_with_a_reason_and_the_rest_goes_on(market: Market) -> None:
    good = market.item(0, "execution", 1000)
    bad = [
        (market.item(0, "execution", math.nan), "quantity: a finite number"),
        (market.item(0, "execution", -1), "quantity: a finite number from 0, not -1"),
        (market.item(0, "execution", math.inf), "quantity"),
        (market.item(0, "execution", 1, "0"), "price: a number above 0, not 0"),
        (market.item(0, "execution", 1, "-5"), "price: a number above 0"),
        (market.item(0, "execution", 1, "NaN"), "price: a number above 0"),
        (market.item(0, "execution", 1, "a lot"), "price: a decimal number, not 'a lot'"),
        (market.item(0, "execution", 1, "1e-11"), "price: at most 10 decimals"),
        (market.item(0, "rumour", 1), "kind: one of persistence, execution"),
        (market.item(0, "execution", 1, side="both"), "side: bid or ask, not 'both'"),
        (market.item(0, "liquidation", 1.5), "quantity: a whole count"),
        (market.item(10**9, "execution", 1), "ahead of everything seen"),
        (market.item(0, "execution", 1, ts=datetime(2026, 3, 1)), "ts: give an aware datetime"),
        ({"event_id": "x"}, "ts: Field required"),
        (market.item(0, "execution", 1, symbol=""), "must not be empty"),
        ("nonsense", "valid dictionary"),
    ]
    receipt = await market.memories.observe([good, *(item for item, _ in bad)], source="test")
    assert (receipt.accepted, receipt.duplicate) == (1, 0)
    assert receipt.received == len(bad) + 1
    for rejected, (_, reason) in zip(receipt.rejected, bad, strict=True):
        assert reason in rejected.reason
    assert [rejected.index for rejected in receipt.rejected] == list(range(1, len(bad) + 1))


async def test_items_may_be_models_too(market: Market) -> None:
    items = [Evidence(**market.item(0, "execution", 1000)), Evidence(**market.item(0, "?", 1))]
    receipt = await market.memories.observe(items, source="test")
    assert (receipt.accepted, len(receipt.rejected)) == (1, 1)


async def test_the_watermark_moves_with_what_is_accepted(open_graph: OpenGraph) -> None:
    market = Market(await open_graph(clock=FixedClock(START)))
    items = [market.item(t, "execution", 1000) for t in (0, 59, 119, 180, 178)]
    receipt = await market.memories.observe(items, source="test")
    assert [rejected.index for rejected in receipt.rejected] == [3]
    again = await market.memories.observe([market.item(230, "execution", 1)], source="test")
    assert again.accepted == 1


async def test_a_recorded_item_changes_nothing(market: Market) -> None:
    item = market.item(0, "execution", 1000)
    first = await market.memories.observe([item, item], source="a")
    assert (first.accepted, first.duplicate) == (1, 1)
    before = await market.one(0)
    assert (await market.memories.observe([item], source="a")).duplicate == 1
    assert await market.one(0) == before
    assert (await market.memories.observe([item], source="b")).accepted == 1


async def test_a_sources_own_numbers_show_which_items_are_recorded(market: Market) -> None:
    items = [market.item(n, "execution", 1000, sequence=n) for n in range(5)]
    assert (await market.memories.observe(items, source="feed")).accepted == 5
    assert (await market.memories.observe(items, source="feed")).duplicate == 5
    renamed = [item | {"event_id": f"other-{item['event_id']}"} for item in items]
    assert (await market.memories.observe(renamed, source="feed")).duplicate == 5
    assert (await market.memories.observe(renamed, source="elsewhere")).accepted == 5


async def test_numbers_may_come_out_of_order_within_a_call(open_graph: OpenGraph) -> None:
    market = Market(await open_graph(settings={"memories": {"batch": 2}}))
    items = [market.item(n, "execution", 1000, sequence=9 - n) for n in range(9)]
    assert (await market.memories.observe(items, source="feed")).accepted == 9
    assert (await market.memories.observe(items, source="feed")).duplicate == 9
