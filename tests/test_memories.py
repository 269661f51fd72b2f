"""Price levels: every rule with its vectors, through the database."""

import math
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine.clock import FixedClock
from engine.errors import InvalidInput, NotFound
from engine.graph import Graph
from engine.memories import Evidence, MarketLevel, Receipt
from engine.memories.market import CELL, cell, initial, matches, rejection_confidence
from engine.memories.model import Kind
from tests.conftest import OpenGraph
from tests.memories_oracle import Level, Oracle

START = datetime(2026, 3, 1, tzinfo=UTC)
LITERAL = {"memories": {"auto_pass_s": 0}}


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


class Market:
    """One symbol of a graph, told things at seconds from its start."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.memories = graph.memories
        self.count = 0

    def item(
        self, t: float, kind: str, quantity: float, price: str = "100.00", **more: Any
    ) -> dict[str, Any]:
        self.count += 1
        base = {"event_id": f"e{self.count:05}", "ts": at(t), "symbol": "X", "side": "bid"}
        return base | {"kind": kind, "quantity": quantity, "price": price} | more

    async def tell(
        self, t: float, kind: str, quantity: float, price: str = "100.00", **more: Any
    ) -> Receipt:
        item = self.item(t, kind, quantity, price, **more)
        return await self.memories.observe([item], source="test")

    async def one(self, t: float, id: str = "X@100") -> MarketLevel:
        return await self.memories.level(id, at=at(t))

    async def strength(self, t: float, id: str = "X@100") -> float:
        return (await self.one(t, id)).strength


@pytest.fixture
async def market(open_graph: OpenGraph, clock: FixedClock) -> Market:
    """A market without passes of its own, so that vectors hold to the letter."""
    return Market(await open_graph(settings=LITERAL))


def near(value: float) -> Any:
    return pytest.approx(value, abs=1e-9)


async def test_the_seeds_example(market: Market) -> None:
    await market.tell(0, "persistence", 10)
    assert await market.strength(0) == near(0.4)
    await market.tell(15, "execution", 3000)
    assert await market.strength(15) == near(0.5)
    await market.tell(30, "liquidation", 1)
    assert await market.strength(30) == near(0.6)
    await market.memories.decay_pass(at(100))
    assert await market.strength(100) == near(0.5958)
    await market.tell(120, "execution", 2000)
    level = await market.one(120)
    assert level.strength == near(0.6958)
    assert level.confidence == near(0.6)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"auto_pass_s": 0, "continuous": True}, 0.6932630),
        ({"auto_pass_s": 100}, 0.6958),
        ({"auto_pass_s": 0}, 0.7),
    ],
)
async def test_the_seeds_example_on_other_clocks(
    open_graph: OpenGraph, settings: dict[str, Any], expected: float
) -> None:
    market = Market(await open_graph(settings={"memories": settings}))
    for t, kind, quantity in (
        (0, "persistence", 10),
        (15, "execution", 3000),
        (30, "liquidation", 1),
        (120, "execution", 2000),
    ):
        await market.tell(t, kind, quantity)
    assert await market.strength(120) == pytest.approx(expected, abs=5e-8)


@pytest.mark.parametrize(
    ("center", "price", "expected"),
    [
        (100_0000000000, 100_0500000000, True),
        (100_0000000000, 100_0510000000, False),
        (100_0000000000, 99_9500000000, True),
        (100_0000000000, 99_9490000000, False),
        (60000_0, 60030_0, True),
        (60000_0, 60030_1, False),
    ],
)
def test_matching_is_exact_at_the_edge(center: int, price: int, expected: bool) -> None:
    assert matches(price, center) is expected


@pytest.mark.parametrize(
    ("price", "expected"),
    [
        ("2.05", 1435),
        ("100.00", 9208),
        ("100.05", 9209),
        ("99.95", 9207),
        ("60000.0", 21998),
        ("60030.0", 21999),
    ],
)
def test_a_price_has_its_cell(price: str, expected: int) -> None:
    from decimal import Decimal

    assert cell(Decimal(price)) == expected
    assert pytest.approx(0.00050012504, abs=1e-11) == CELL


@pytest.mark.parametrize(
    ("kind", "amount", "strength", "confidence"),
    [
        ("persistence", 10, 0.40, 0.6),
        ("persistence", 30, 0.60, 0.6),
        ("persistence", 45, 0.75, 0.6),
        ("persistence", 70, 1.0, 0.6),
        ("persistence", 99, 1.0, 0.6),
        ("execution", 1000, 0.45, 0.7),
        ("execution", 1100, 0.455, 0.7),
        ("execution", 3000, 0.55, 0.7),
        ("execution", 5000, 0.65, 0.7),
        ("execution", 12000, 1.0, 0.7),
        ("liquidation", 1, 0.35, 0.5),
        ("liquidation", 2, 0.40, 0.5),
        ("liquidation", 4, 0.50, 0.5),
        ("liquidation", 14, 1.0, 0.5),
        ("rejection", 3, 0.4, 0.65),
        ("rejection", 6, 0.4, 0.80),
        ("rejection", 10, 0.4, 1.0),
        ("rejection", 12, 0.4, 1.0),
    ],
)
async def test_creation(
    market: Market, kind: str, amount: float, strength: float, confidence: float
) -> None:
    assert initial(Kind(kind), amount) == (near(strength), near(confidence))
    await market.tell(0, kind, amount)
    level = await market.one(0)
    assert (level.strength, level.confidence) == (near(strength), near(confidence))
    assert (level.creation_reason, level.state) == (kind, "active")


async def test_an_item_goes_to_the_nearest_centre_by_its_own_basis_points(market: Market) -> None:
    await market.tell(0, "execution", 1000, "100.00")
    await market.tell(0, "execution", 1000, "100.06")
    for price in ("100.02", "100.03", "100.04", "100.05"):
        await market.tell(1, "execution", 1, price)
    counts = {
        level.id: level.interaction_count for level in await market.memories.levels("X", at=at(1))
    }
    assert counts == {"X@100": 2, "X@100.06": 4}


async def test_what_waits_below_a_threshold_is_kept_and_counts(market: Market) -> None:
    await market.tell(0, "execution", 600)
    waiting = await market.one(0)
    assert (waiting.state, waiting.strength, waiting.volume_usd) == ("pending", 0.0, 600.0)
    assert await market.memories.levels("X", at=at(0)) == []
    await market.tell(1, "execution", 500, "100.04")
    made = await market.one(1)
    assert (made.strength, made.confidence, made.volume_usd) == (near(0.455), 0.7, 1100.0)


async def test_a_pending_level_that_idles_starts_its_window_anew(market: Market) -> None:
    await market.tell(0, "execution", 900)
    await market.tell(10_000, "execution", 900)
    assert (await market.one(10_000)).state == "pending"
    await market.tell(10_001, "execution", 100)
    made = await market.one(10_001)
    assert (made.strength, made.volume_usd) == (near(0.45), 1900.0)


async def test_other_kinds_that_wait_help_a_creation(market: Market, open_graph: OpenGraph) -> None:
    alone = Market(
        await open_graph(settings={"memories": {"auto_pass_s": 0, "carry_pending": False}})
    )
    for place, expected in ((market, 0.455 + 0.07 + 0.1 * 2 / 3), (alone, 0.455)):
        await place.tell(0, "persistence", 7)
        await place.tell(1, "rejection", 2)
        await place.tell(2, "execution", 1100)
        made = await place.one(2)
        assert (made.strength, made.confidence) == (near(expected), 0.7)


async def test_liquidations_add_less_after_the_first(market: Market) -> None:
    await market.tell(0, "liquidation", 4, usd=10.0)
    assert await market.strength(0) == near(0.50)
    await market.tell(0, "liquidation", 1)
    assert await market.strength(0) == near(0.55)
    await market.tell(0, "liquidation", 3)
    level = await market.one(0)
    assert (level.strength, level.liquidation_count) == (near(0.70), 8)
    assert (level.interaction_count, level.liquidation_usd) == (8, 10.0)
    await market.tell(0, "execution", 5000, "200")
    await market.tell(0, "liquidation", 3, "200")
    assert await market.strength(0, "X@200") == near(0.85)


async def test_the_tables_reading_of_liquidations_is_a_setting(open_graph: OpenGraph) -> None:
    market = Market(await open_graph(settings={"memories": {"liq_extra": 0.1, "auto_pass_s": 0}}))
    await market.tell(0, "liquidation", 4)
    await market.tell(0, "liquidation", 3)
    assert await market.strength(0) == near(0.80)


async def test_a_boost_gap_counts_but_adds_nothing(open_graph: OpenGraph) -> None:
    market = Market(await open_graph(settings={"memories": {"boost_gap_s": 10, "auto_pass_s": 0}}))
    await market.tell(0, "execution", 1000)
    await market.tell(5, "execution", 1000)
    await market.tell(5, "persistence", 1)
    level = await market.one(5)
    assert (level.strength, level.interaction_count) == (near(0.55), 3)
    await market.tell(10, "execution", 1000)
    assert await market.strength(10) == near(0.65)


async def test_a_run_is_one_interaction_however_often_it_is_reported(market: Market) -> None:
    seen = []
    for t, run, seconds in ((10, "r1", 10), (30, "r1", 30), (31, "r2", 12), (41, "r2", 22)):
        await market.tell(t, "persistence", seconds, run_id=run)
        seen.append(await market.strength(t))
    assert seen == [near(0.4), near(0.6), near(0.7), near(0.7)]
    level = await market.one(41)
    assert (level.persistence_count, level.persistence_seconds) == (2, 52.0)
    assert level.interaction_count == 2


async def test_a_run_that_goes_on_does_not_decay_meanwhile(market: Market) -> None:
    await market.tell(10, "persistence", 10, run_id="r1")
    await market.memories.decay_pass(at(500))
    await market.tell(510, "persistence", 20, run_id="r1")
    assert await market.strength(510) == near(0.5)


async def test_ended_runs_are_remembered_for_a_while(market: Market) -> None:
    await market.tell(10, "persistence", 10, run_id="first", run_ended=True)
    for number in range(8):
        await market.tell(11, "persistence", 1, run_id=f"r{number}", run_ended=number % 2 == 0)
    await market.tell(12, "persistence", 10, run_id="first", run_ended=True)
    level = await market.one(12)
    assert (level.persistence_count, level.persistence_seconds) == (9, 18.0)


async def test_rejections_raise_confidence_and_nothing_else_does(market: Market) -> None:
    await market.tell(0, "execution", 1000)
    await market.tell(1, "persistence", 60)
    assert (await market.one(1)).confidence == near(0.7)
    await market.tell(2, "rejection", 6)
    assert (await market.one(2)).confidence == near(0.8)
    assert rejection_confidence(6) == near(0.8)


async def test_strength_is_capped_and_boosts_are_additive(market: Market) -> None:
    await market.tell(0, "execution", 5000)
    await market.tell(0, "execution", 1)
    assert await market.strength(0) == near(0.75)
    for _ in range(4):
        await market.tell(0, "execution", 1)
    assert await market.strength(0) == 1.0


async def test_folding_many_boosts_is_one_by_one(market: Market) -> None:
    """Three boosts are x -> min(1, x + 0.3); decay 0.99 and a boost, twice, 0.9801 x + 0.199."""
    await market.tell(0, "persistence", 10)
    await market.memories.observe([market.item(1, "execution", 1) for _ in range(3)], source="test")
    assert await market.strength(1) == near(0.7)
    await market.tell(0, "persistence", 10, "300")
    for t in (100, 200):
        await market.memories.decay_pass(at(t))
        await market.tell(t, "execution", 1, "300")
    assert await market.strength(200, "X@300") == near(0.9801 * 0.4 + 0.199)


@pytest.mark.parametrize(
    ("seconds", "amount", "idle", "expected"),
    [(20, 0.5, 1000, 0.45), (20, 0.5, 3600, 0.32), (30, 0.6, 70, 0.5958), (70, 1.0, 10_000, 0.0)],
)
async def test_decay_is_read_from_the_anchor(
    market: Market, seconds: float, amount: float, idle: float, expected: float
) -> None:
    await market.tell(0, "persistence", seconds)
    assert await market.strength(0) == near(amount)
    assert await market.strength(idle) == near(expected)
    assert await market.strength(idle) == near(expected)


@pytest.mark.parametrize(
    ("seconds", "lasts"), [(70, 9900), (30, 9833.333333), (20, 9800), (10, 9750)]
)
async def test_a_level_is_active_up_to_its_closed_form_end(
    market: Market, seconds: float, lasts: float
) -> None:
    await market.tell(0, "persistence", seconds)
    level = await market.one(0)
    assert level.archive_at is not None
    assert (level.archive_at - at(0)).total_seconds() == pytest.approx(lasts, abs=1e-5)
    assert (await market.one(math.floor(lasts))).state == "active"
    assert (await market.one(math.floor(lasts) + 1)).state == "archived"
    assert await market.memories.levels("X", at=at(lasts + 1)) == []


@pytest.mark.parametrize(
    ("revisit", "expected", "resurrections"),
    [(1000, 0.64, 0), (9833, 0.112, 0), (9834, 0.20996, 1), (9900, 0.206, 1), (20_000, 0.200, 1)],
)
async def test_coming_back(
    open_graph: OpenGraph, revisit: float, expected: float, resurrections: int
) -> None:
    market = Market(await open_graph())
    await market.tell(0, "persistence", 30)
    await market.tell(revisit, "execution", 1)
    level = await market.one(revisit)
    assert level.strength == near(expected)
    assert (level.resurrection_count, level.confidence) == (resurrections, 0.6)
    assert (level.id, level.interaction_count) == ("X@100", 2)


async def test_the_rest_of_a_bundle_adds_to_a_return(market: Market) -> None:
    await market.tell(0, "persistence", 10)
    items = [market.item(20_000, "execution", 1), market.item(20_000, "liquidation", 3)]
    await market.memories.observe(items, source="test")
    assert await market.strength(20_000) == near(0.2 + 0.1 + 0.05 + 0.05)
    await market.tell(40_000, "liquidation", 3)
    assert await market.strength(40_000) == near(0.2 + 0.05 + 0.05)


async def test_late_evidence_adds_what_would_be_left_of_it(market: Market) -> None:
    await market.tell(1000, "persistence", 30)
    receipt = await market.tell(500, "execution", 1)
    assert (receipt.accepted, receipt.late) == (1, 1)
    level = await market.one(1000)
    assert level.strength == near(0.695)
    assert (level.late_count, level.last_interaction) == (1, at(1000))


async def test_passes_compose_and_reads_and_the_job_change_nothing(
    market: Market, open_graph: OpenGraph
) -> None:
    other = Market(await open_graph(settings=LITERAL))
    for place in (market, other):
        await place.tell(0, "persistence", 30)
    for t in (100, 500, 500, 300):
        await market.memories.decay_pass(at(t))
        await market.memories.archive(at(t))
        await market.memories.levels("X", at=at(5000))
    await other.memories.decay_pass(at(500))
    for place in (market, other):
        await place.tell(600, "execution", 1)
    assert await market.strength(600) == await other.strength(600) == near(0.6 * 0.95 + 0.1)


async def test_the_archive_job_marks_what_is_due_and_only_that(market: Market) -> None:
    await market.tell(0, "persistence", 10)
    await market.tell(0, "persistence", 70, "200")
    before = [await market.one(9800), await market.one(9800, "X@200")]
    assert await market.memories.archive(at(9000)) == 0
    assert await market.memories.archive(at(9860)) == 1
    assert await market.memories.archive(at(9860)) == 0
    assert [await market.one(9800), await market.one(9800, "X@200")] == before
    stats = await market.graph.realms.stats()
    assert stats.nodes["Archived"] == 1
    await market.tell(9861, "execution", 1)
    assert "Archived" not in (await market.graph.realms.stats()).nodes


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


async def test_a_known_item_changes_nothing(market: Market) -> None:
    item = market.item(0, "execution", 1000)
    first = await market.memories.observe([item, item], source="a")
    assert (first.accepted, first.duplicate) == (1, 1)
    before = await market.one(0)
    for source in ("a", "b"):
        assert (await market.memories.observe([item], source=source)).duplicate == 1
    assert await market.one(0) == before


async def test_a_sources_own_numbers_show_what_is_known(market: Market) -> None:
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


async def test_levels_are_found_by_price_side_and_minimum(market: Market) -> None:
    await market.tell(0, "execution", 1000, "100", side="bid")
    await market.tell(0, "execution", 3000, "100.2", side="ask")
    await market.tell(0, "execution", 5000, "101", side="bid")
    await market.tell(0, "execution", 1, "101", side="ask")
    now = at(0)

    async def ids(**asked: Any) -> list[str]:
        return [level.id for level in await market.memories.levels("X", at=now, **asked)]

    assert await ids() == ["X@101", "X@100.2", "X@100"]
    assert await ids(near="100", bps=20) == ["X@100.2", "X@100"]
    assert await ids(near="100", bps=19.9) == ["X@100"]
    assert await ids(side="bid") == ["X@101", "X@100"]
    assert await ids(side="ask") == ["X@101", "X@100.2"]
    assert await ids(side="both") == ["X@101", "X@100.2", "X@100"]
    assert await ids(minimum=0.5) == ["X@101", "X@100.2"]
    assert await ids(limit=1) == ["X@101"]
    assert await market.memories.levels("Y", at=now) == []
    [strongest, *_] = await market.memories.levels("X", at=now)
    assert strongest.importance == near(strongest.strength * strongest.confidence)
    assert strongest.side == "both"


async def test_a_level_can_be_read_as_it_was(market: Market) -> None:
    await market.tell(0, "execution", 1000)
    await market.tell(1000, "execution", 1)
    assert await market.strength(500) == near(0.45 * 0.95)
    [then] = await market.memories.levels("X", at=at(500))
    assert then.strength == near(0.45 * 0.95)
    assert await market.memories.levels("X", at=at(-1)) == []


async def test_history_tells_what_each_item_did(market: Market) -> None:
    await market.tell(0, "execution", 600)
    await market.tell(1, "execution", 400)
    await market.tell(2, "rejection", 3)
    history = await market.memories.history("X@100")
    assert [(entry.effect, entry.strength) for entry in history] == [
        ("boosted", near(0.55)),
        ("created", near(0.45)),
        ("waiting", 0.0),
    ]
    assert [entry.at for entry in history] == [at(2), at(1), at(0)]
    assert len(await market.memories.history("X@100", limit=1)) == 1


async def test_unknown_and_wrong_requests_are_named(market: Market) -> None:
    with pytest.raises(NotFound, match="no memory 'X@1'"):
        await market.memories.level("X@1")
    with pytest.raises(NotFound, match="no memory 'X@1'"):
        await market.memories.history("X@1")
    with pytest.raises(InvalidInput, match="side='up': give bid, ask"):
        await market.memories.levels("X", side="up")
    with pytest.raises(InvalidInput, match="near='cheap'"):
        await market.memories.levels("X", near="cheap")
    with pytest.raises(InvalidInput, match="near='0'"):
        await market.memories.levels("X", near="0")
    with pytest.raises(InvalidInput, match="bps=-1"):
        await market.memories.levels("X", near="1", bps=-1)
    with pytest.raises(InvalidInput, match="source=' '"):
        await market.memories.observe([], source=" ")


async def test_reads_write_nothing(market: Market) -> None:
    await market.tell(0, "execution", 1000)
    for name, arguments in (
        ("memories/get", {"id": "X@100", "wall": 0, "active": 0}),
        ("memories/history", {"id": "X@100", "limit": 10}),
    ):
        from engine import statements

        statement = statements.load(name)
        offered = market.graph.database._offer(statement, arguments)
        result = await market.graph.database.driver.execute_query(statement.text, offered)
        assert not result.summary.counters.contains_updates


def stream(random_: random.Random, length: int) -> list[dict[str, Any]]:
    """A market's life: runs, trades, liquidations, rejections; some bad, some twice, some late."""
    items: list[dict[str, Any]] = []
    t, runs = 0.0, [f"run{n}" for n in range(6)]
    for number in range(length):
        t += random_.choice([0, 0.5, 1, 3, 20, 55])
        kind = random_.choice(["persistence", "execution", "liquidation", "rejection"])
        quantity = {
            "persistence": round(random_.uniform(0, 40), 1),
            "execution": round(random_.uniform(0, 4000), 2),
            "liquidation": float(random_.randint(1, 4)),
            "rejection": float(random_.randint(1, 4)),
        }[kind]
        price = f"{100 + random_.randint(-8, 8) * 0.03:.2f}"
        item = {"event_id": f"e{number:04}", "t": t, "symbol": "X", "price": price, "kind": kind}
        item |= {"side": random_.choice(["bid", "ask"]), "quantity": quantity, "usd": quantity}
        if kind == "persistence" and random_.random() < 0.7:
            item["run_id"] = random_.choice(runs)
        if random_.random() < 0.04:
            item |= random_.choice(
                [{"quantity": math.nan}, {"price": "0"}, {"kind": "?"}, {"t": t + 500}]
            )
        elif random_.random() < 0.04:
            item["t"] = max(0.0, t - random_.choice([7, 60, 400, 11_000]))
        items.append(item)
        if random_.random() < 0.05:
            items.append(dict(random_.choice(items)))
        if random_.random() < 0.004:
            t += random_.choice([3000, 9850, 12_000])
    return items


def shuffled(random_: random.Random, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As a network would deliver: everything up to five seconds late."""
    return sorted(items, key=lambda item: item["t"] + random_.uniform(0, 4.9))


async def test_shuffled_within_the_buffer_and_repeated_it_ends_bit_for_bit_the_same(
    open_graph: OpenGraph,
) -> None:
    random_ = random.Random(5)
    items = [item for item in stream(random_, 200) if math.isfinite(item["quantity"])]
    in_order = sorted(items, key=lambda item: item["t"])
    ends = []
    for order in (in_order, shuffled(random_, in_order), shuffled(random_, in_order * 2)):
        market = Market(await open_graph(settings=LITERAL))
        await market.memories.observe([dated(item) for item in order], source="test")
        ends.append(await market.memories.levels("X", at=at(in_order[-1]["t"])))
    assert ends[0]
    assert ends[0] == ends[1] == ends[2]


def dated(item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name != "t"} | {"ts": at(item["t"])}


def told(level: MarketLevel) -> tuple[Any, ...]:
    return (
        f"{level.center.normalize():f}",
        level.state != "pending",
        level.side,
        round((level.last_interaction - START).total_seconds(), 6),
        level.interaction_count,
        level.persistence_count,
        level.execution_count,
        level.liquidation_count,
        level.visit_count,
        level.resurrection_count,
        level.late_count,
    )


def expected(level: Level) -> tuple[Any, ...]:
    return (
        f"{float(level.center):g}",
        level.live,
        "both" if len(level.sides) == 2 else next(iter(level.sides)),
        round(level.last, 6),
        level.interactions,
        level.persistences,
        level.executions,
        level.liquidations,
        level.visits,
        level.resurrections,
        level.late,
    )


def amounts(level: MarketLevel) -> list[float]:
    return [
        level.strength,
        level.confidence,
        level.persistence_seconds,
        level.volume_usd,
        level.taker_buy_usd,
        level.taker_sell_usd,
        level.largest_event_usd,
        level.liquidation_usd,
    ]


def expected_amounts(level: Level) -> list[float]:
    return [
        level.strength,
        level.confidence,
        level.seconds,
        level.volume,
        level.bought,
        level.sold,
        level.largest,
        level.liquidation_usd,
    ]


OPTIONS: list[dict[str, Any]] = [
    {"auto_pass_s": 0},
    {"auto_pass_s": 100},
    {"auto_pass_s": 0, "continuous": True},
    {"auto_pass_s": 0, "boost_gap_s": 30, "liq_extra": 0.1},
    {"auto_pass_s": 0, "carry_pending": False},
]


@pytest.mark.parametrize("seed", range(25))
async def test_random_streams_end_as_an_independent_calculation_says(
    open_graph: OpenGraph, seed: int
) -> None:
    random_ = random.Random(seed)
    options = OPTIONS[seed % len(OPTIONS)]
    settings = {"memories": options | {"batch": random_.choice([7, 64, 1000])}}
    market = Market(await open_graph(settings=settings, clock=FixedClock(START)))
    oracle = Oracle(**options)
    offset = START.timestamp() if options["auto_pass_s"] else 0.0
    assert offset % 100 == 0
    items = shuffled(random_, stream(random_, 300))
    received = accepted = 0
    while items:
        size = random_.choice([1, 20, 120])
        call, items = items[:size], items[size:]
        oracle.call(call)
        receipt = await market.memories.observe([dated(item) for item in call], source="test")
        received, accepted = received + receipt.received, accepted + receipt.accepted
        if random_.random() < 0.5:
            when = call[-1]["t"] - random_.choice([0, 0, 30])
            oracle.decay_pass(when)
            await market.memories.decay_pass(at(when))
    assert (received, accepted) == (
        oracle.accepted + oracle.duplicates + oracle.rejected,
        oracle.accepted,
    )
    ids = [f"X@{float(level.center):g}" for level in oracle.levels]
    found = {}
    for id, level in zip(ids, oracle.levels, strict=True):
        found[id] = await market.one(level.last, id)
    for id, level in zip(ids, oracle.levels, strict=True):
        assert told(found[id]) == expected(level)
        assert amounts(found[id]) == pytest.approx(expected_amounts(level), abs=1e-9)
    nodes = (await market.graph.realms.stats()).nodes
    assert nodes["MarketLevel"] == len(ids)
