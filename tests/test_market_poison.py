"""Items that no store can take: each is refused alone, and its neighbours are taken."""

import json
import math
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.memories.market.exchange_capture import Capture
from asterism.memories.market.formats import Items
from asterism.memories.market.trade_table import Trades
from tests.support.captures import Recording, milliseconds
from tests.support.market_world import START, Market, at

LONG = "x" * 1001
HALF = "\ud800"
POISON: dict[str, dict[str, Any]] = {
    "half a character in the symbol": {"symbol": HALF},
    "half a character in the event id": {"event_id": HALF},
    "half a character in the run": {"run_id": HALF},
    "half a character in the kind": {"kind": HALF},
    "half a character in the side": {"side": HALF},
    "half a character in the price": {"price": HALF},
    "a long symbol": {"symbol": LONG},
    "a long event id": {"event_id": LONG},
    "a symbol of many bytes": {"symbol": "é" * 501},
    "a long run": {"run_id": LONG},
    "an empty symbol": {"symbol": " "},
    "a count beyond 2^53": {"kind": "liquidation", "quantity": 2.0**54},
    "visits beyond 2^53": {"kind": "rejection", "quantity": 2**70},
    "a quantity of 5,000 digits": {"quantity": 10**5000},
    "a price of 5,000 digits": {"price": 10**5000},
    "a sequence of 5,000 digits": {"sequence": 10**5000},
    "a sequence beyond 2^53": {"sequence": 2**63},
    "a sequence below 0": {"sequence": -1},
    "a sequence as text": {"sequence": "7"},
    "the year 1": {"ts": datetime(1, 1, 1, tzinfo=UTC)},
    "the year 1969": {"ts": datetime(1969, 12, 31, 23, 59, tzinfo=UTC)},
    "beyond the year 9999": {"ts": datetime.max.replace(tzinfo=timezone(-timedelta(hours=9)))},
    "a time as a number": {"ts": 5},
    "a time as a number in text": {"ts": "1772323200"},
    "an infinite quantity": {"quantity": math.inf},
    "no number": {"quantity": math.nan},
    "an infinite worth": {"kind": "liquidation", "quantity": 1, "usd": math.inf},
    "more USD than there are": {"quantity": 1e308},
    "true as a quantity": {"quantity": True},
    "text as a quantity": {"quantity": "2000"},
    "a list as a quantity": {"quantity": [1]},
    "text as what was bought": {"taker_buy_usd": "1"},
    "a price of 1e400": {"price": "1e400"},
    "an infinite price": {"price": float("1e400")},
    "a price with a huge exponent": {"price": "1e999999"},
    "a price with a tiny exponent": {"price": Decimal("1e-999999")},
    "a price of 30 decimals": {"price": "1." + "0" * 29 + "1"},
    "true as a price": {"price": True},
    "text as the end of a run": {"run_ended": "yes"},
    "a number as the symbol": {"symbol": 5},
}


async def test_every_poison_item_is_refused_alone_and_the_rest_is_taken(market: Market) -> None:
    items: list[Any] = [market.item(0, "execution", 100)]
    for poison in POISON.values():
        items += [market.item(0, "execution", 1) | poison, market.item(0, "execution", 100)]
    items += [None, 5, "text", [], market.item(0, "execution", 100)]
    receipt = await market.memories.observe(items, source="desk")
    good = len(POISON) + 2
    assert (receipt.accepted, len(receipt.rejected)) == (good, len(POISON) + 4)
    assert receipt.received == len(items)
    for rejected, name in zip(receipt.rejected, POISON, strict=False):
        assert rejected.reason, name
        assert len(rejected.reason) < 200, name
        assert "sys." not in rejected.reason
    receipt.model_dump_json()  # every reason and id can be written down
    level = await market.one(0)
    assert level.volume_usd == 100 * good
    again = await market.memories.observe(items, source="desk")
    assert (again.accepted, again.duplicate) == (0, good)
    assert [item.reason for item in again.rejected] == [item.reason for item in receipt.rejected]
    assert await market.one(0) == level


@pytest.mark.slow
@pytest.mark.parametrize("source", [HALF, LONG, " ", None, 5])
async def test_a_source_that_no_index_takes_is_refused_before_anything(
    market: Market, source: Any
) -> None:
    with pytest.raises(InvalidInput, match="source="):
        await market.memories.observe([market.item(0, "execution", 1)], source=source)


@pytest.mark.parametrize("items", [None, 5, "text", {"event_id": "a"}])
async def test_items_that_are_no_list_are_refused(market: Market, items: Any) -> None:
    with pytest.raises(InvalidInput, match="items="):
        await market.memories.observe(items, source="desk")


async def test_counters_hold_where_whole_numbers_end(market: Market) -> None:
    items = [market.item(0, "liquidation", 2**53) for _ in range(3)]
    assert (await market.memories.observe(items, source="desk")).accepted == 3
    level = await market.one(0)
    assert level.liquidation_count == level.interaction_count == 2**53


def good(number: int) -> dict[str, Any]:
    item = {"event_id": f"g{number}", "ts": at(number).isoformat(), "symbol": "X", "price": "100"}
    return item | {"kind": "execution", "side": "bid", "quantity": 100}


async def test_a_file_of_evidence_with_poison_lines(graph: Graph, tmp_path: Path) -> None:
    lines = [json.dumps(good(0))]
    for number, poison in enumerate(POISON.values(), 1):
        try:
            bad = json.dumps(good(number) | {"event_id": f"b{number}"} | poison, default=str)
        except ValueError:  # Python writes no number of 5,000 digits; a file may hold one
            bad = json.dumps(good(number))[:-4] + "1" * 5000 + "}"
        lines += [bad, json.dumps(good(number))]
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(lines))
    items = Items(path)
    receipt = await graph.memories.observe(items, source="desk")
    assert receipt.accepted == len(POISON) + 1
    assert len(receipt.rejected) + items.lines.bad_count == len(POISON)
    assert all("sys." not in bad.reason for bad in items.lines.bad)


async def test_a_table_of_trades_with_poison_rows(graph: Graph, tmp_path: Path) -> None:
    when = milliseconds(0)
    bad = [
        f"{when},1e400,1,buy,X",
        f"{when},1e999999,1,buy,X",
        f"{when},1e-999999,1,buy,X",
        f"{when},100.{'0' * 29}1,1,buy,X",
        f"{when},100,1e400,buy,X",
        f"{when},100,1e14,buy,X",
        f"{when},100,1,buy,{LONG}",
        f"{when},100,1,buy, ",
        "1e999999,100,1,buy,X",
        f"{'9' * 5000},100,1,buy,X",
    ]
    row = f"{when},100,1,buy,X"
    rows = ["time,price,quantity,side,symbol", row]
    for line in bad:
        rows += [line, row]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(rows))
    trades = Trades(path)
    assert (await graph.memories.observe(trades, source="desk")).rejected == []
    assert [line.line for line in trades.lines.bad] == list(range(3, 3 + 2 * len(bad), 2))
    level = await graph.memories.level("X@100", at=START)
    assert level.volume_usd == 100.0 * (len(bad) + 1)


async def test_a_capture_with_poison_messages(graph: Graph, tmp_path: Path) -> None:
    recording = Recording("X")
    bad = 0
    for fields in (
        {"p": "1e400"},
        {"p": "1e999999"},
        {"p": "1." + "0" * 29 + "1"},
        {"q": "1e14"},
        {"q": "Infinity"},
        {"s": HALF},
        {"s": LONG},
    ):
        recording.trade(1, "100")
        recording.stream(1, "trade", {"p": "100", "q": "1", "m": False} | fields)
        bad += 1
    recording.trade(1, "100")
    recording.depth(1, bids=[["1e400", "5"], ["100", "5000"], ["100", "x"]])
    recording.depth(13, bids=[["100", "0"]])
    recording.stream(13, "depthUpdate", {"u": 2**70, "pu": "x", "b": [], "a": []})
    recording.stream(13, HALF, {})
    capture = Capture(recording.write(tmp_path / "x.gz"), symbol="X")
    receipt = await graph.memories.observe(capture, source="desk")
    assert receipt.rejected == []
    assert capture.lines.bad_count == bad + 1
    assert "2 levels of this line" in capture.lines.bad[-1].reason
    level = await graph.memories.level("X@100", at=at(13))
    assert (level.volume_usd, level.persistence_seconds) == (100.0 * (bad + 1), 12.0)
    json.dumps(capture.ignored).encode()
