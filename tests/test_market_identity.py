"""Whose an event is: sources, changed content, graphs of an earlier version, growing files."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asterism.database import Row
from asterism.graph import Graph
from asterism.memories import MarketLevel, Receipt
from asterism.memories.market.exchange_capture import Capture
from asterism.memories.market.formats import Items, feed_name, reader
from asterism.memories.market.trade_table import Trades
from asterism.settings import MemoriesSettings
from tests.conftest import OpenGraph
from tests.support.captures import Recording, milliseconds
from tests.support.market_world import LITERAL, Market, at, close_to
from tests.support.raw import run_cypher


@pytest.mark.slow
async def test_two_venues_with_the_same_numbers_are_both_counted(market: Market) -> None:
    item = market.item(0, "execution", 1000, event_id="1")
    for source in ("binance", "kraken"):
        assert (await market.memories.observe([item], source=source)).accepted == 1
        assert (await market.memories.observe([item], source=source)).duplicate == 1
    assert (await market.one(0)).execution_count == 2


async def test_no_source_and_id_read_as_another_source_and_id(market: Market) -> None:
    pairs = [("a|b", "c"), ("a", "b|c"), ("a%7Cb", "c"), ("a|", "|c"), ("a", "||c")]
    for source, event_id in pairs:
        item = market.item(0, "execution", 1000, event_id=event_id)
        assert (await market.memories.observe([item], source=source)).accepted == 1
    assert (await market.one(0)).execution_count == len(pairs)


async def test_a_recorded_id_with_other_content_is_reported(market: Market) -> None:
    item = market.item(0, "execution", 1000)
    await market.memories.observe([item], source="desk")
    before = await market.one(0)
    for change, reason in (
        ({"quantity": 2000}, "quantity: 2000.0, where 1000.0 is recorded"),
        ({"kind": "persistence"}, "kind: persistence"),
        ({"ts": at(1)}, "ts: "),
        ({"side": "ask"}, "symbol, price, side or amounts"),
        ({"symbol": "Y"}, "symbol, price, side or amounts"),
        ({"price": "100.01"}, "symbol, price, side or amounts"),
    ):
        receipt = await market.memories.observe([item | change], source="desk")
        assert (receipt.accepted, receipt.duplicate, receipt.received) == (0, 0, 1)
        [changed] = receipt.changed
        assert changed.event_id == item["event_id"]
        assert reason in changed.reason
    both = [item | {"event_id": "new"}, item | {"event_id": "new", "quantity": 5}]
    receipt = await market.memories.observe(both, source="desk")
    assert (receipt.accepted, len(receipt.changed)) == (1, 1)
    assert (await market.one(0)).volume_usd == before.volume_usd + 1000


def written(path: Path, items: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(item, default=str) + "\n" for item in items))
    return path


async def observed(graph: Graph, path: Path, source: str | None = None, **more: Any) -> Receipt:
    read = reader(path, **more)
    return await graph.memories.observe(read, source=feed_name(source, path, read))


async def test_files_of_one_name_never_hide_each_other(market: Market, tmp_path: Path) -> None:
    first = [market.item(n, "execution", 1000, event_id=f"{n}", sequence=n) for n in (1, 2)]
    second = [item | {"symbol": "Y"} for item in first]
    one = written(tmp_path / "d1" / "day.jsonl", first)
    two = written(tmp_path / "d2" / "day.jsonl", second)
    for path in (one, two):
        assert (await observed(market.graph, path)).accepted == 2
    moved = one.rename(tmp_path / "other name.jsonl")
    assert (await observed(market.graph, moved)).duplicate == 2
    written(moved, [*first, market.item(3, "execution", 1000, event_id="3", sequence=3)])
    grown = await observed(market.graph, moved)
    assert (grown.accepted, grown.duplicate) == (1, 2)


async def test_one_symbol_of_a_capture_does_not_hide_another(graph: Graph, tmp_path: Path) -> None:
    whole = Recording("A")
    other = Recording("B")
    other.lines = whole.lines
    for t in (0, 30, 60):
        whole.trade(t, "100", "20")
        other.trade(t, "200", "20")
    path = whole.write(tmp_path / "x.gz")
    for symbol in ("A", "B"):
        assert (await observed(graph, path, symbol=symbol)).accepted == 3
    assert (await observed(graph, path)).duplicate == 6


async def as_earlier_version(graph: Graph, rows: list[Row]) -> None:
    """Give evidence the ids that an earlier version gave it, and nothing that it did not write."""
    await run_cypher(
        graph,
        "UNWIND $rows AS row MATCH (e:Evidence {realm: $realm, event_id: row.event_id}) "
        "SET e.id = 'memory:' + row.former, e.event_id = row.former, e.source = row.source, "
        "e.content = null, e.taker_buy_usd = null",
        rows=rows,
    )


async def test_evidence_of_an_earlier_version_is_recognised(market: Market) -> None:
    items = [market.item(n, "execution", 1000, event_id=f"{n}") for n in range(3)]
    await market.memories.observe(items, source="desk")
    rows = [{"event_id": f"{n}", "former": f"{n}", "source": "desk"} for n in range(3)]
    await as_earlier_version(market.graph, rows)
    for source in ("desk", "file:0123"):
        assert (await market.memories.observe(items, source=source)).duplicate == 3
    other = [item | {"symbol": "Y", "quantity": 5} for item in items]
    assert len((await market.memories.observe(other, source="desk")).changed) == 3
    assert (await market.memories.observe(other, source="kraken")).accepted == 3


async def test_a_table_that_an_earlier_version_read_goes_on_growing(
    graph: Graph, tmp_path: Path
) -> None:
    rows = [f"{milliseconds(t)},100,{size},buy" for t, size in ((0, 5), (30, 5))]
    path = table(tmp_path / "grow.csv", rows)
    items = list(Trades(path, symbol="X"))
    await observed(graph, path, symbol="X")
    former = [
        {"event_id": item.event_id, "former": item.former_id, "source": "grow:1"} for item in items
    ]
    await as_earlier_version(graph, former)
    assert (await observed(graph, path, symbol="X")).duplicate == 2
    table(path, [*rows, f"{milliseconds(35)},100,5,sell"])
    receipt = await observed(graph, path, symbol="X")
    assert (receipt.accepted, receipt.duplicate) == (1, 1)
    level = await graph.memories.level("X@100", at=at(35))
    assert (level.volume_usd, level.execution_count) == (1500, 2)
    assert (await observed(graph, path, symbol="X")).duplicate == 2


def table(path: Path, rows: list[str]) -> Path:
    path.write_text("\n".join(["time,price,quantity,side", *rows, ""]))
    return path


async def test_a_growing_table_loses_nothing_and_doubles_nothing(
    graph: Graph, tmp_path: Path
) -> None:
    path = table(tmp_path / "grow.csv", [f"{milliseconds(0)},100,5,buy"])
    assert (await observed(graph, path, symbol="X")).accepted == 1
    assert (await graph.memories.level("X@100", at=at(0))).state == "pending"
    table(path, [f"{milliseconds(0)},100,5,buy", f"{milliseconds(5)},100,10,sell"])
    for accepted in (1, 0):
        receipt = await observed(graph, path, symbol="X")
        assert (receipt.accepted, receipt.duplicate) == (accepted, 1 - accepted)
        level = await graph.memories.level("X@100", at=at(5))
        assert (level.volume_usd, level.strength) == (1500, close_to(0.475))
        assert (level.taker_buy_usd, level.taker_sell_usd) == (500, 1000)
        assert (level.execution_count, level.interaction_count) == (1, 1)
        assert level.largest_event_usd == 1500
    [entry] = await graph.memories.history("X@100")
    assert (entry.quantity, entry.effect, entry.strength) == (1500, "created", close_to(0.475))


async def test_an_older_copy_of_a_grown_file_changes_nothing(graph: Graph, tmp_path: Path) -> None:
    rows = [f"{milliseconds(t)},100,20,buy" for t in (0, 4)]
    path = table(tmp_path / "grow.csv", rows)
    await observed(graph, path, symbol="X")
    before = await graph.memories.level("X@100", at=at(9))
    receipt = await observed(graph, table(path, rows[:1]), symbol="X")
    assert (receipt.duplicate, receipt.received) == (1, 1)
    assert await graph.memories.level("X@100", at=at(9)) == before


def counters(level: MarketLevel) -> tuple[Any, ...]:
    """Return the counters of a level, sums of floats without their last digit."""
    sums = (level.volume_usd, level.taker_buy_usd, level.largest_event_usd)
    counts = (level.id, level.execution_count, level.interaction_count, level.last_interaction)
    return counts, tuple(round(value, 6) for value in sums)


@pytest.mark.slow
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 10**6))
async def test_a_table_read_in_any_pieces_is_the_table_read_at_once(
    open_graph: OpenGraph, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    t, rows = 0.0, []
    for _ in range(30):
        t += chance.choice([0, 0.5, 2, 6, 15])
        price = chance.choice(["100", "100.02", "101", "102"])
        side = chance.choice(["buy", "sell"])
        rows.append(f"{milliseconds(t)},{price},{chance.randint(1, 20)},{side}")
    cuts = sorted(chance.sample(range(1, 30), 4))
    levels_by_graph = []
    for pieces in ([30], [*cuts, 30, 30]):
        graph = await open_graph(settings=LITERAL)
        for end in pieces:
            await observed(graph, table(tmp_path / "t.csv", rows[:end]), symbol="X")
        ids = [f"X@{price}" for price in ("100", "100.02", "101", "102")]
        there = [level for level in [await maybe(graph, id, t) for id in ids] if level]
        levels_by_graph.append([counters(level) for level in there])
    assert levels_by_graph[0] == levels_by_graph[1]


async def maybe(graph: Graph, id: str, t: float) -> MarketLevel | None:
    from asterism.errors import NotFound

    try:
        return await graph.memories.level(id, at=at(t))
    except NotFound:
        return None


def test_the_identity_of_a_file_stays_while_it_grows(tmp_path: Path) -> None:
    recording = Recording("X")
    for t in range(4):
        recording.trade(t, "100")
    whole = [line.encode() + b"\n" for line in recording.lines]
    path = tmp_path / "x"
    identities = set()
    for count in range(1, 5):
        path.write_bytes(b"".join(whole[:count]))
        identities.add(Capture(path).identity)
    assert len(identities) == 1
    identities = set()
    for count in range(1, 4):
        lines = [{"time": milliseconds(n), "price": "1", "quantity": "1"} for n in range(count)]
        identities.add(Trades(written(tmp_path / "t.jsonl", lines), symbol="X").identity)
        items = [{"event_id": f"{n}", "ts": f"{n}"} for n in range(count)]
        identities.add(Items(written(tmp_path / "e.jsonl", items)).identity)
    assert len(identities) == 2


@pytest.mark.slow
async def test_verification_accepts_ids_of_an_earlier_version_too(market: Market) -> None:
    items = [market.item(n, "execution", 1000, event_id=f"{n}") for n in range(2)]
    await market.memories.observe(items, source="a|b%")
    [report] = await market.graph.maintenance.run("verify")
    assert report.offenders == []
    await as_earlier_version(market.graph, [{"event_id": "1", "former": "1", "source": "earlier"}])
    [report] = await market.graph.maintenance.run("verify")
    assert report.offenders == []


async def test_a_capture_that_an_earlier_version_read_is_recognised(
    graph: Graph, tmp_path: Path
) -> None:
    recording = Recording("X")
    for t in range(0, 40, 4):
        bids = [[f"{100 + n}", "5000" if (t + n) % 3 else "0"] for n in (3, 1, 2)]
        recording.depth(t, bids=bids)
        recording.trade(t, f"{100 + t % 7}", "20")
    path = recording.write(tmp_path / "x.gz")
    walls = MemoriesSettings(book_minimum_usd=250_000)
    assert (await observed(graph, path, settings=walls)).duplicate == 0
    items = list(Capture(path, settings=walls))
    former = [
        {"event_id": item.event_id, "former": item.former_id, "source": "x:1"} for item in items
    ]
    await as_earlier_version(graph, former)
    before = await graph.memories.levels("X", at=at(60))
    receipt = await observed(graph, path, settings=walls)
    assert (receipt.duplicate, receipt.received) == (len(items), len(items))
    assert await graph.memories.levels("X", at=at(60)) == before
