"""Raw captures: each rule of the adapter with what it gives, worked out by hand."""

import gzip
import json
import random
import tracemalloc
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.memories import Evidence, HistoryEntry, Kind, MarketLevel, Side
from asterism.memories.market.exchange_capture import Capture
from asterism.memories.market.price_levels import ORDER
from asterism.memories.market.sequencer import REORDER_SPAN, Sequencer
from asterism.settings import MemoriesSettings
from tests.support.captures import START, Recording, at
from tests.support.raw import run_cypher

LARGE = ["100.00", "2500"]  # 250,000 USD
REMOVED = ["100.00", "0"]


@pytest.fixture
def recording() -> Recording:
    return Recording()


WALLS = MemoriesSettings(book_minimum_usd=250_000)


def read(recording: Recording, folder: Path, **options: Any) -> list[Evidence]:
    options = {"settings": WALLS} | options
    return list(Capture(recording.write(folder / "x.gz"), **options))


def of(kind: Kind, items: list[Evidence]) -> list[Evidence]:
    return [item for item in items if item.kind == kind]


def seconds(item: Evidence) -> float:
    return (item.ts - START).total_seconds()


def test_trades_of_one_visit_are_one_execution(recording: Recording, tmp_path: Path) -> None:
    recording.trade(0, "100.00", "2")
    recording.trade(3, "100.05", "1", buy=False)  # exactly 5 bps: still there
    recording.trade(10, "99.95", "1")  # exactly 10 s: still there
    [visit] = read(recording, tmp_path)
    assert (visit.kind, visit.price, visit.side) == (Kind.EXECUTION, Decimal("100.00"), Side.ASK)
    assert visit.quantity == pytest.approx(400.0, abs=1e-9)  # 200 + 100.05 + 99.95
    assert visit.taker_buy_usd == pytest.approx(299.95, abs=1e-9)
    assert visit.ts == at(10)
    assert visit.symbol == "XUSDT"


def test_a_visit_ends_beyond_five_basis_points_and_beyond_ten_seconds(
    recording: Recording, tmp_path: Path
) -> None:
    recording.trade(0, "100.00")
    recording.trade(1, "100.051", buy=False)
    recording.trade(11, "100.06")
    recording.trade(11.001, "100.07")
    visits = read(recording, tmp_path)
    assert [(seconds(visit), str(visit.price)) for visit in visits] == [
        (0, "100.00"),
        (11, "100.051"),
        (11.001, "100.07"),
    ]
    assert [visit.quantity for visit in visits] == pytest.approx([100, 200.111, 100.07], abs=1e-9)


def test_a_visits_side_is_that_of_most_of_it(recording: Recording, tmp_path: Path) -> None:
    recording.trade(0, "100", "1", buy=True)
    recording.trade(1, "100", "3", buy=False)
    recording.trade(20, "100", "1", buy=False)
    recording.trade(21, "100", "1", buy=True)  # a tie: that of the first
    assert [item.side for item in read(recording, tmp_path)] == [Side.BID, Side.BID]


def test_trades_of_nothing_are_no_trades(recording: Recording, tmp_path: Path) -> None:
    recording.trade(0, "0", "0")
    assert read(recording, tmp_path) == []


def test_a_price_that_turns_back_is_a_rejection(recording: Recording, tmp_path: Path) -> None:
    path = ["100.00", "100.10", "100.04995", "100.02", "100.06", "100.08", "100.02996"]
    for t, price in enumerate(path):
        recording.trade(t, price)
    high, low, again = of(Kind.REJECTION, read(recording, tmp_path))
    assert (str(high.price), high.side, seconds(high)) == ("100.10", Side.ASK, 2)  # by 5 bps
    assert (str(low.price), low.side, seconds(low)) == ("100.02", Side.BID, 5)  # 100.06: not yet
    assert (str(again.price), again.side, seconds(again)) == ("100.08", Side.ASK, 6)
    assert [item.quantity for item in (high, low, again)] == [1, 1, 1]


def test_a_break_through_and_the_first_move_are_no_rejections(
    recording: Recording, tmp_path: Path
) -> None:
    for t, price in enumerate(["100", "99.90", "99.80", "99.70", "99.71"]):
        recording.trade(t, price)
    assert of(Kind.REJECTION, read(recording, tmp_path)) == []


def test_a_large_level_that_rests_is_reported_every_ten_seconds_and_at_its_end(
    recording: Recording, tmp_path: Path
) -> None:
    recording.depth(0, bids=[LARGE])
    recording.depth(12, bids=[["100.00", "9999"]])  # larger still: the same run
    recording.depth(25, bids=[["100.00", "2499.99"]])
    items = read(recording, tmp_path)
    assert [(seconds(item), item.quantity, item.run_ended) for item in items] == [
        (10, 10, False),
        (20, 20, False),
        (25, 25, True),
    ]
    assert {(item.kind, str(item.price), item.side) for item in items} == {
        (Kind.PERSISTENCE, "100.00", Side.BID)
    }
    assert len({item.run_id for item in items}) == 1


def test_a_run_that_ends_when_a_report_is_due_is_reported_once(
    recording: Recording, tmp_path: Path
) -> None:
    recording.depth(0, asks=[LARGE])
    recording.depth(10, asks=[REMOVED])
    [item] = read(recording, tmp_path)
    assert (item.quantity, item.run_ended, item.side) == (10, True, Side.ASK)


@pytest.mark.parametrize(
    ("price", "quantity", "large"),
    [
        ("100.00", "2500.000", True),
        ("100.00", "2499.999", False),
        ("0.1", "2500000", True),
        ("2.3", "108695.65217391305", True),  # 250,000.00000000002
        ("2.3", "108695.65217391304", False),  # 249,999.99999999999
        ("62500", "4", True),
    ],
)
def test_250_000_usd_is_exact(
    price: str, quantity: str, large: bool, recording: Recording, tmp_path: Path
) -> None:
    recording.depth(0, bids=[[price, quantity]])
    recording.tick(5)
    assert bool(read(recording, tmp_path)) is large


def test_a_level_that_rests_for_no_time_is_no_run(recording: Recording, tmp_path: Path) -> None:
    recording.depth(1, bids=[LARGE])
    recording.depth(1, bids=[REMOVED])
    recording.depth(2, bids=[["100.00", "1"]])
    assert read(recording, tmp_path) == []


def test_levels_that_rest_at_the_end_of_a_file_are_reported_then(
    recording: Recording, tmp_path: Path
) -> None:
    recording.depth(0, bids=[LARGE])
    recording.depth(4, asks=[["101", "5000"]])
    recording.tick(7)
    items = read(recording, tmp_path)
    assert sorted((item.quantity, item.run_ended) for item in items) == [(3, True), (7, True)]


def test_another_run_at_a_level_is_another_run(recording: Recording, tmp_path: Path) -> None:
    for t in (0, 5):
        recording.depth(t, bids=[LARGE])
        recording.depth(t + 2, bids=[["100.0", "0"]])  # the same price, written otherwise
    items = read(recording, tmp_path)
    assert [item.quantity for item in items] == [2, 2]
    assert len({item.run_id for item in items}) == 2


def test_quantities_may_count_contracts(recording: Recording, tmp_path: Path) -> None:
    recording.depth(0, bids=[LARGE, ["50", "2499"]])
    recording.trade(1, "50", "3")
    recording.tick(2)
    run, visit = read(recording, tmp_path, contract_usd=Decimal(100))[::-1]
    assert str(run.price) == "100.00"
    assert visit.quantity == 300


def test_a_snapshot_stands_for_the_book_near_its_best_prices(
    recording: Recording, tmp_path: Path
) -> None:
    deep, covered, later = ["90", "9000"], ["98", "9000"], ["99", "9000"]
    recording.depth(0, bids=[deep, covered, LARGE])  # change 1
    recording.depth(1, bids=[later])  # change 2, after the snapshot was taken
    recording.snapshot(2, 1, bids=[LARGE, ["97.5", "3000"]])
    recording.tick(5)
    ends = {str(item.price): (seconds(item), item.quantity) for item in read(recording, tmp_path)}
    assert ends == {
        "98": (2, 2),  # in reach, and not there
        "90": (5, 5),  # out of reach
        "100.00": (5, 5),
        "97.5": (5, 3),
        "99": (5, 3),  # was not in it yet: its run is another
    }


def test_changes_that_are_in_a_snapshot_are_not_made_again(
    recording: Recording, tmp_path: Path
) -> None:
    recording.depth(0, bids=[["1", "1"]])
    recording.snapshot(1, 2, bids=[LARGE])
    recording.depth(2, bids=[REMOVED])  # change 2: older than the snapshot
    recording.depth(4, bids=[REMOVED])
    [item] = read(recording, tmp_path)
    assert (item.quantity, seconds(item)) == (3, 4)


def test_a_snapshot_that_may_be_of_any_symbol_is_refused(tmp_path: Path) -> None:
    recording, other = Recording("AUSDT"), Recording("BUSDT")
    recording.trade(0, "5")
    other.trade(0, "7")
    recording.lines += other.lines
    recording.snapshot(1, 1, bids=[LARGE])
    recording.tick(3)
    capture = Capture(recording.write(tmp_path / "x"))
    assert of(Kind.PERSISTENCE, list(capture)) == []
    assert [bad.line for bad in capture.lines.bad] == [3]
    chosen = Capture(recording.write(tmp_path / "x"), symbol="AUSDT")
    assert [(item.kind, item.symbol) for item in chosen] == [
        (Kind.EXECUTION, "AUSDT"),
        (Kind.PERSISTENCE, "AUSDT"),
    ]


def test_missing_changes_end_all_runs(recording: Recording, tmp_path: Path) -> None:
    recording.depth(0, bids=[LARGE])
    recording.depth(3, asks=[["200", "1"]])
    recording.depth(8, asks=[["200", "2"]], missing=5)
    recording.tick(9)
    [item] = read(recording, tmp_path)
    assert (seconds(item), item.quantity, item.run_ended) == (3, 3, True)


def test_liquidations(recording: Recording, tmp_path: Path) -> None:
    recording.liquidation(1, "SELL", "99.5", "20")  # a long was closed
    recording.liquidation(2, "BUY", "101.5", "4")
    long, short = read(recording, tmp_path)
    assert (long.kind, long.side, long.price) == (Kind.LIQUIDATION, Side.BID, Decimal("99.5"))
    assert (long.quantity, long.usd, long.ts) == (1, 1990, at(1))
    assert (short.side, short.usd) == (Side.ASK, 406)


def test_prices_stay_as_written_and_times_are_the_exchanges(
    recording: Recording, tmp_path: Path
) -> None:
    recording.trade(1.234, "0.0000012345", "900000000000")
    [item] = read(recording, tmp_path)
    assert item.price == Decimal("0.0000012345")
    assert item.ts == at(1.234)
    assert item.ts.tzinfo is not None


def test_lines_without_a_message_are_counted_and_the_rest_is_read(
    recording: Recording, tmp_path: Path
) -> None:
    recording.trade(0, "100")
    recording.lines += [
        "nonsense",
        "12 {broken",
        "12 [1]",
        "",
        '12 {"e": "trade"}',
        "12 " + "[" * 100_000,
    ]
    for price in ("-1", "NaN", "inf", "x", 5, None):
        recording.stream(1, "trade", {"p": price, "q": "1", "m": True})
        recording.stream(1, "depthUpdate", {"u": 1, "b": [[price, "1"], LARGE], "a": []})
    recording.stream(1, "trade", {"p": "1", "q": "1", "m": "yes"})
    recording.stream(1, "trade", {"p": "1", "q": "1", "m": True, "E": "soon"})
    recording.stream(1, "trade", {"p": "1", "q": "1", "m": True, "E": 5})
    recording.stream(1, "markPriceUpdate", {"p": "1"})
    recording.trade(1, "100")
    capture = Capture(recording.write(tmp_path / "x.gz"))
    [item] = list(capture)
    assert item.quantity == 200
    good = {1, 5, len(recording.lines) - 1, len(recording.lines)}
    # a number as the price of a level is as good as a text
    numbers = {line for line, text in enumerate(recording.lines, 1) if '"b": [[5,' in text}
    refused = {bad.line for bad in capture.lines.bad}
    assert refused == set(range(1, len(recording.lines) + 1)) - good - numbers
    assert capture.lines.bad_count == len(refused)
    assert all(bad.reason for bad in capture.lines.bad)
    assert capture.ignored == {"markPriceUpdate": 1}
    assert capture.lines.count == len(recording.lines) - 1


def test_a_line_from_long_before_is_refused(recording: Recording, tmp_path: Path) -> None:
    recording.trade(100, "100")
    recording.trade(95, "100")  # a little late: as of then
    recording.trade(89, "100")
    capture = Capture(recording.write(tmp_path / "x"))
    [item] = list(capture)
    assert (item.quantity, item.ts) == (200, at(100))
    assert [bad.line for bad in capture.lines.bad] == [3]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"time,price\n1,2\n", "line 1"),
        (b"\n\nhello\n", "line 3"),
        (b"{}\n" * 500, "line 1"),
        (b"", "empty"),
        (b"\x00\xff" * 100, "line 1"),
    ],
)
def test_a_file_that_is_no_capture_is_refused(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=reason):
        list(Capture(path))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="can't be read: No such file"):
        list(Capture(tmp_path / "nowhere.gz"))
    with pytest.raises(InvalidInput, match="can't be read"):
        list(Capture(tmp_path))


def test_a_broken_file_gives_the_items_before(recording: Recording, tmp_path: Path) -> None:
    for t in range(2000):
        recording.trade(t, str(100 + t % 7))
    whole = recording.write(tmp_path / "x.gz").read_bytes()
    (tmp_path / "cut.gz").write_bytes(whole[: len(whole) // 2])
    capture = Capture(tmp_path / "cut.gz")
    assert len(list(capture)) > 100
    assert capture.lines.bad_count >= 1
    assert "broken off" in capture.lines.bad[-1].reason


def _busy(count: int, seed: int = 5, symbols: int = 2, cents: int = 100) -> Recording:
    """Every kind of message, at random."""
    chance = random.Random(seed)
    parts = [Recording(f"S{index}") for index in range(symbols)]
    whole = Recording()
    t = 0.0
    for _ in range(count):
        t += chance.choice([0, 0.05, 0.4, 3])
        part = chance.choice(parts)
        part.lines = whole.lines
        price = f"{chance.randint(10_000 - cents, 10_000 + cents) / 100:.2f}"
        kind = chance.random()
        if kind < 0.45:
            quantity = f"{chance.uniform(0.01, 40):.3f}"
            part.trade(t - chance.choice([0, 0.3]), price, quantity, buy=chance.random() < 0.5)
        elif kind < 0.95:
            size = chance.choice(["0", "10", "2600", "9000"])
            bid = chance.random() < 0.5
            level = [[price, size]]
            part.depth(t, bids=level if bid else [], asks=[] if bid else level)
        else:
            part.liquidation(t, chance.choice(["BUY", "SELL"]), price, "3")
    return whole


@pytest.mark.slow
def test_a_file_gives_the_same_items_packed_or_not_and_again(tmp_path: Path) -> None:
    recording = _busy(3000)
    packed = list(Capture(recording.write(tmp_path / "x.gz")))
    moved = list(Capture(recording.write(tmp_path / "elsewhere.txt")))
    assert packed == moved
    assert {item.kind for item in packed} == set(Kind)


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6))
def test_items_are_numbered_in_the_order_they_are_applied_in(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    recording = _busy(150, seed)
    items = list(Capture(recording.write(tmp_path_factory.mktemp("busy") / "x")))
    order = [(item.ts, ORDER[Kind(item.kind)], item.event_id) for item in items]
    assert order == sorted(order)
    assert [item.sequence for item in items] == list(range(1, len(items) + 1))
    assert len({item.event_id for item in items}) == len(items)


@pytest.mark.slow
def test_nothing_is_lost_between_messages_and_items(tmp_path: Path) -> None:
    recording = _busy(4000)
    capture = Capture(recording.write(tmp_path / "x.gz"), settings=WALLS)
    items = list(capture)
    traded = liquidated = Decimal(0)
    for line in recording.lines:
        message = _parsed(line)
        if message["e"] == "trade":
            traded += Decimal(message["p"]) * Decimal(message["q"])
        elif message["e"] == "forceOrder":
            liquidated += Decimal(message["o"]["p"]) * Decimal(message["o"]["q"])
    assert sum(i.quantity for i in of(Kind.EXECUTION, items)) == pytest.approx(float(traded))
    assert sum(i.usd for i in of(Kind.LIQUIDATION, items)) == pytest.approx(float(liquidated))
    assert capture.events == len(recording.lines)
    runs: dict[str | None, list[Evidence]] = {}
    for item in of(Kind.PERSISTENCE, items):
        runs.setdefault(item.run_id, []).append(item)
    assert all(
        [i.run_ended for i in run] == [False] * (len(run) - 1) + [True] for run in runs.values()
    )
    assert all(
        item.quantity == 10 * n for run in runs.values() for n, item in enumerate(run[:-1], 1)
    )


def _parsed(line: str) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(line.partition(" ")[2])
    result: dict[str, Any] = message.get("data", message)
    return result


def _peak(path: Path) -> int:
    tracemalloc.start()
    for _ in Capture(path):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    small = _busy(1500, cents=8).write(tmp_path / "small.gz")
    large = _busy(6000, cents=8).write(tmp_path / "large.gz")
    _peak(small)  # what is made once is made now
    assert _peak(large) < 1.5 * _peak(small)


def test_the_sequencer_releases_items_that_nothing_can_come_before() -> None:
    outbox = Sequencer("x")
    fields = {"symbol": "X", "price": "1", "side": "bid", "quantity": 1.0}
    base = 10**15
    for t in (3, 1, 2):
        outbox.put(base + t, Kind.LIQUIDATION, **fields)
    outbox.put(base + 2, Kind.PERSISTENCE, **fields)
    assert [item.sequence for item in outbox.release(base + 2)] == [1]
    assert [item.kind for item in outbox.release(base + 3)] == [Kind.PERSISTENCE, Kind.LIQUIDATION]
    assert [item.event_id for item in outbox.release(base + REORDER_SPAN)] == [
        f"x:liquidation:X:{base + 3}"
    ]


@pytest.mark.slow
async def test_a_capture_becomes_levels_and_a_replay_changes_nothing(
    graph: Graph, tmp_path: Path
) -> None:
    recording = Recording()
    recording.depth(0, bids=[LARGE])
    recording.trade(1, "101.00", "30")  # 3,030 USD: 0.4 + 0.1515
    recording.liquidation(2, "SELL", "99.00", "20")
    recording.depth(20, bids=[REMOVED])
    path = recording.write(tmp_path / "x.gz")
    receipt = await graph.memories.observe(Capture(path), source="x")
    assert (receipt.accepted, receipt.duplicate, receipt.rejected) == (4, 0, [])
    result = await graph.memories.levels("XUSDT", at=at(20))
    strengths = {str(level.center): level.strength for level in result}
    assert strengths == {
        "100": pytest.approx(0.5, abs=1e-9),  # 10 s made it at 0.4; 10 s more of the same run
        "101": pytest.approx(0.5515 * (1 - 0.0019), abs=1e-9),
        "99": pytest.approx(0.35 * (1 - 0.0018), abs=1e-9),
    }
    again = await graph.memories.observe(Capture(path), source="x")
    assert (again.accepted, again.duplicate) == (0, 4)
    assert await graph.memories.levels("XUSDT", at=at(20)) == result


@pytest.mark.slow
async def test_a_visits_two_sides_are_counted_apart(graph: Graph, tmp_path: Path) -> None:
    recording = Recording()
    recording.trade(0, "100", "30", buy=True)
    recording.trade(1, "100", "12", buy=False)
    await graph.memories.observe(Capture(recording.write(tmp_path / "x")), source="x")
    level = await graph.memories.level("XUSDT@100", at=at(1))
    assert (level.execution_count, level.volume_usd) == (1, 4200)
    assert (level.taker_buy_usd, level.taker_sell_usd) == (3000, 1200)
    trade = {"event_id": "t", "ts": at(2), "symbol": "XUSDT", "price": "100", "side": "ask"}
    await graph.memories.observe([trade | {"kind": "execution", "quantity": 1}], source="y")
    result = await run_cypher(graph, "MATCH (m:Memory {realm: $realm}) RETURN m.caption AS caption")
    assert [record["caption"] for record in result] == ["XUSDT 100 0.71"]
    wrong = {"event_id": "w", "ts": at(2), "symbol": "XUSDT", "price": "100", "side": "ask"}
    wrong |= {"kind": "execution", "quantity": 5, "taker_buy_usd": 6}
    receipt = await graph.memories.observe([wrong], source="y")
    assert "taker_buy_usd" in receipt.rejected[0].reason


@pytest.mark.slow
async def test_the_counters_of_all_levels_are_those_of_all_items(
    graph: Graph, tmp_path: Path
) -> None:
    path = _busy(1200, symbols=1).write(tmp_path / "x.gz")
    items = list(Capture(path))
    receipt = await graph.memories.observe(Capture(path), source="x")
    assert receipt.accepted == len(items)
    result = await run_cypher(
        graph,
        "MATCH (m:MarketLevel {realm: $realm}) RETURN sum(m.volume_usd) AS usd, "
        "sum(m.liquidation_count) AS liquidations, sum(m.visit_count) AS visits",
    )
    [sums] = result
    assert sums["usd"] == pytest.approx(sum(i.quantity for i in of(Kind.EXECUTION, items)))
    assert sums["liquidations"] == len(of(Kind.LIQUIDATION, items))
    assert sums["visits"] == len(of(Kind.REJECTION, items))


def test_plain_and_packed_are_told_by_content(recording: Recording, tmp_path: Path) -> None:
    recording.trade(0, "100")
    path = recording.write(tmp_path / "plain")
    (tmp_path / "packed.txt").write_bytes(gzip.compress(path.read_bytes()))
    assert list(Capture(path)) == list(Capture(tmp_path / "packed.txt"))


def test_no_name_promises_anything() -> None:
    names = {*MarketLevel.model_fields, *HistoryEntry.model_fields, *Evidence.model_fields}
    sources = [
        *Path("cypher/memories").glob("*.cypher"),
        *Path("engine/asterism/memories").glob("*.py"),
    ]
    sources += [Path("engine/asterism/cli/memory.py"), Path("engine/asterism/cli/observe.py")]
    text = " ".join([*names, *(path.read_text() for path in sources)]).lower()
    for word in ("signal", "direction", "forecast", "recommend", "predict"):
        assert word not in text
