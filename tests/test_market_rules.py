"""Bundles and their parts, formulas that follow the settings, and reads that refuse nonsense."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asterism import statements
from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.memories.market.exchange_capture import Capture
from asterism.memories.market.models import Kind
from asterism.memories.market.trade_table import Trades
from asterism.tabular import first_lines
from tests.conftest import OpenGraph
from tests.support.captures import Recording, milliseconds
from tests.support.market_world import LITERAL, Market, at, close_to
from tests.support.raw import run_cypher

COUNTED = st.sampled_from(["liquidation", "rejection"])
FOLDED = {"locked_at", "realm"}


async def state(graph: Graph) -> list[dict[str, Any]]:
    result = await run_cypher(
        graph, "MATCH (m:Memory {realm: $realm}) RETURN properties(m) AS m ORDER BY m.id"
    )
    return [
        {name: value for name, value in record["m"].items() if name not in FOLDED}
        for record in result
    ]


@pytest.mark.slow
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    before=st.lists(
        st.tuples(
            st.sampled_from([0, 1, 2, 60, 9850, 12_000]),
            st.sampled_from(["persistence", "execution", "liquidation", "rejection"]),
            st.integers(1, 4),
        ),
        max_size=4,
    ),
    kind=COUNTED,
    count=st.integers(1, 9),
    wait=st.sampled_from([-5, 0, 3, 9900, 20_000]),
    gap=st.sampled_from([0.0, 5.0]),
)
async def test_a_bundle_leaves_the_node_that_its_parts_leave(
    open_graph: OpenGraph, before: list[Any], kind: str, count: int, wait: float, gap: float
) -> None:
    ends = []
    for whole in (True, False):
        options = {"memories": {"auto_pass_s": 100, "boost_gap_s": gap}}
        market = Market(await open_graph(settings=options))
        t = 100.0
        for step, earlier, amount in before:
            t += step
            size = amount * {"persistence": 5, "execution": 500}.get(earlier, 1)
            await market.tell(t, earlier, size)
        quantities = [count] if whole else [1] * count
        items = [market.item(max(0, t + wait), kind, quantity) for quantity in quantities]
        receipt = await market.memories.observe(items, source="test")
        assert receipt.accepted == len(items)
        ends.append(await state(market.graph))
    [bundle], [parts] = ends
    assert bundle.keys() == parts.keys()
    for name, value in bundle.items():
        expected = close_to(parts[name]) if isinstance(value, float) else parts[name]
        assert value == expected, name


async def test_rejections_of_a_live_level_add_a_tenth_each(market: Market) -> None:
    await market.tell(0, "execution", 1000)
    await market.tell(1, "rejection", 3)
    level = await market.one(1)
    assert (level.strength, level.interaction_count, level.visit_count) == (close_to(0.75), 4, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "kind", "amount", "strength", "confidence"),
    [
        ({"persistence_strength_base": 0.1}, "persistence", 20, 0.3, 0.6),
        ({"persistence_strength_per_sec": 0.02}, "persistence", 10, 0.5, 0.6),
        ({"persistence_minimum_s": 5}, "persistence", 5, 0.35, 0.6),
        ({"persistence_confidence": 0.9}, "persistence", 10, 0.4, 0.9),
        ({"execution_strength_base": 0.2}, "execution", 1000, 0.25, 0.7),
        ({"execution_strength_per_1k": 0.1}, "execution", 2000, 0.6, 0.7),
        ({"execution_minimum_usd": 10}, "execution", 100, 0.405, 0.7),
        ({"execution_confidence": 0.2}, "execution", 1000, 0.45, 0.2),
        ({"liquidation_strength_base": 0.5}, "liquidation", 2, 0.6, 0.5),
        ({"liquidation_strength_per_event": 0.1}, "liquidation", 3, 0.6, 0.5),
        ({"liquidation_minimum": 2}, "liquidation", 2, 0.4, 0.5),
        ({"liquidation_confidence": 0.4}, "liquidation", 1, 0.35, 0.4),
        ({"rejection_strength": 0.8}, "rejection", 3, 0.8, 0.65),
        ({"rejection_minimum_visits": 1}, "rejection", 1, 0.4, 0.55),
        ({"rejection_confidence_base": 0.1}, "rejection", 4, 0.4, 0.3),
        ({"rejection_confidence_per_visit": 0.1}, "rejection", 4, 0.4, 0.9),
    ],
)
async def test_each_constant_of_the_formulas_is_a_setting(
    open_graph: OpenGraph,
    options: dict[str, Any],
    kind: str,
    amount: float,
    strength: float,
    confidence: float,
) -> None:
    market = Market(await open_graph(settings={"memories": LITERAL["memories"] | options}))
    await market.tell(0, kind, amount)
    level = await market.one(0)
    assert (level.strength, level.confidence) == (close_to(strength), close_to(confidence))


async def test_the_band_and_the_carry_are_settings(open_graph: OpenGraph) -> None:
    options = {"band_bps": 40, "carry": 0.5}
    market = Market(await open_graph(settings={"memories": LITERAL["memories"] | options}))
    await market.tell(0, "rejection", 3, "100.40")
    await market.tell(0, "execution", 500, "100.80")
    await market.tell(0, "execution", 500, "100.0")
    levels = await market.memories.levels("X", at=at(0))
    assert [level.interaction_count for level in levels] == [5]
    await market.tell(0, "execution", 500, "200")
    await market.tell(0, "liquidation", 1, "200.7")
    assert await market.strength(0, "X@200") == close_to(0.35 + 0.5 * 0.5)


READS: list[tuple[str, dict[str, Any], str]] = [
    ("levels", {"near": "1e400"}, "near="),
    ("levels", {"near": "1e999999"}, "near="),
    ("levels", {"near": 1e30}, "near="),
    ("levels", {"near": "cheap"}, "near="),
    ("levels", {"near": "1", "bps": "x"}, "bps="),
    ("levels", {"near": "1", "bps": float("nan")}, "bps="),
    ("levels", {"at": "x"}, "at="),
    ("levels", {"at": 5}, "at="),
    ("levels", {"side": ["bid"]}, "side="),
    ("levels", {"limit": -1}, "limit="),
    ("levels", {"limit": "x"}, "limit="),
    ("levels", {"limit": 10**30}, "limit="),
    ("levels", {"minimum": "x"}, "minimum="),
    ("levels", {"symbol": None}, "symbol="),
    ("levels", {"symbol": "\ud800"}, "symbol="),
    ("history", {"id": "X@1", "limit": -1}, "limit="),
    ("history", {"id": None}, "id="),
    ("level", {"id": None}, "id="),
    ("decay_pass", {"at": "x"}, "at="),
    ("archive", {"at": "x"}, "at="),
    ("forget", {"id": None}, "id="),
    ("forget", {"id": "\ud800"}, "id="),
]


@pytest.mark.slow
@pytest.mark.parametrize(("method", "arguments", "name"), READS)
async def test_a_read_refuses_nonsense_by_its_name(
    graph: Graph, method: str, arguments: dict[str, Any], name: str
) -> None:
    if method == "levels":
        arguments = {"symbol": "X"} | arguments
    with pytest.raises(InvalidInput, match=name) as refused:
        await getattr(graph.memories, method)(**arguments)
    assert "give" in str(refused.value)


async def test_browser_shows_the_strength_of_its_time(market: Market) -> None:
    await market.tell(0, "persistence", 30)
    await market.tell(1000, "execution", 1000)
    await market.tell(0, "persistence", 10, "101")
    for t in (0, 500, 999.5, 1000, 4000, 10_900):
        statement = statements.load("inspect/price_levels")
        values = {"symbol": "X", "price": 100.0, "bps": 500, "at": at(t)}
        result = await market.graph.database.driver.execute_query(
            statement.text, values | {"realm": market.graph.realm}
        )
        strengths = {record["price"]: record["strength"] for record in result.records}
        levels = await market.memories.levels("X", near="100", bps=500, at=at(t))
        assert strengths == {f"{level.center}": round(level.strength, 4) for level in levels}, t


def small_book(folder: Path) -> Path:
    """A book of small levels: one that stays, two that take turns, one that flickers."""
    recording = Recording("X")
    recording.depth(0, bids=[["99", "2000"], ["50.00", "1"], ["20", "1"]])
    recording.depth(4, bids=[["20", "0"], ["50.01", "1"]])
    recording.depth(20, bids=[["50.00", "0"]])
    recording.depth(30, bids=[["99", "0"], ["50.01", "0"]])
    recording.tick(40)
    return recording.write(folder / "x.gz")


async def test_small_levels_count_by_zones_and_by_how_long_they_rest(
    graph: Graph, tmp_path: Path
) -> None:
    items = list(Capture(small_book(tmp_path)))
    assert {(str(item.price), item.quantity) for item in items} == {
        ("99", 30.0),  # 198,000 USD
        ("50.00", 30.0),  # of two levels, one zone
        ("20", 4.0),
    }
    await graph.memories.observe(Capture(small_book(tmp_path)), source="book")
    assert (await graph.memories.level("X@99", at=at(30))).strength == close_to(0.6)
    assert (await graph.memories.level("X@20", at=at(30))).state == "pending"


def test_a_zone_is_reported_each_minute(tmp_path: Path) -> None:
    recording = Recording("X")
    recording.depth(0, bids=[["50.00", "1"]])
    recording.tick(130)
    items = list(Capture(recording.write(tmp_path / "x.gz")))
    assert [item.quantity for item in items] == [60, 120, 130]
    assert len({item.run_id for item in items}) == 1


def test_a_level_that_grows_large_is_followed_by_its_price(tmp_path: Path) -> None:
    recording = Recording("X")
    recording.depth(0, bids=[["50.00", "1"]])
    recording.depth(20, bids=[["50.00", "6000"]])
    recording.depth(40, bids=[["50.00", "1"]])
    recording.depth(45, bids=[["50.00", "0"]])
    result = [(item.kind, item.quantity) for item in Capture(recording.write(tmp_path / "x.gz"))]
    assert result == [(Kind.PERSISTENCE, q) for q in (20, 10, 20, 5)]


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl"])
def test_a_file_in_another_encoding_is_refused_with_a_remedy(name: str, tmp_path: Path) -> None:
    from asterism.memories.market.formats import reader

    path = tmp_path / name
    path.write_text("time,price,quantity,side\n", encoding="utf-16")
    with pytest.raises(InvalidInput, match="UTF-16: save it as UTF-8"):
        reader(path)


def test_a_packed_file_that_breaks_off_at_once_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    path.write_bytes(b"\x1f\x8b\x08\x00\x00\x00")
    with pytest.raises(InvalidInput, match="broken off or damaged"):
        first_lines(path, 1)


def test_tables_without_rows_or_from_new_to_old_are_refused(tmp_path: Path) -> None:
    heading = "time,price,quantity,side"
    path = tmp_path / "t.csv"
    path.write_text(heading + "\n")
    with pytest.raises(InvalidInput, match="a heading and no trade"):
        list(Trades(path, symbol="X"))
    rows = [f"{milliseconds(-60 * n)},100,1,buy" for n in range(60)]
    path.write_text("\n".join([heading, *rows]))
    with pytest.raises(InvalidInput, match="oldest first"):
        list(Trades(path, symbol="X"))
    path.write_text("time;price;quantity;side\n1;1;1;buy\n")
    from asterism.memories.market.formats import guess

    with pytest.raises(InvalidInput, match="semicolons"):
        guess(path)


def test_random_books_keep_every_second(tmp_path: Path) -> None:
    """The seconds of all runs are those in which anything rested, cell by cell."""
    chance = random.Random(7)
    recording, expected = Recording("X"), 0.0
    resting: set[str] = set()
    for t in range(200):
        expected += bool(resting)
        price = chance.choice(["50.00", "50.005", "50.01"])
        resting ^= {price}
        recording.depth(t, bids=[[price, "1" if price in resting else "0"]])
    items = list(Capture(recording.write(tmp_path / "x.gz")))
    longest: dict[str | None, float] = {}
    for item in items:
        longest[item.run_id] = max(longest.get(item.run_id, 0.0), item.quantity)
    assert sum(longest.values()) == pytest.approx(expected)
    assert json.dumps([item.event_id for item in items])
