"""Price levels: every rule with its vectors, through the database."""

from typing import Any

import pytest

from asterism.memories.market.price_grid import CELL, cell, matches
from tests.conftest import OpenGraph
from tests.support.market_world import Market, at, close_to


async def test_the_worked_example(market: Market) -> None:
    await market.tell(0, "persistence", 10)
    assert await market.strength(0) == close_to(0.4)
    await market.tell(15, "execution", 3000)
    assert await market.strength(15) == close_to(0.5)
    await market.tell(30, "liquidation", 1)
    assert await market.strength(30) == close_to(0.6)
    await market.memories.decay_pass(at(100))
    assert await market.strength(100) == close_to(0.5958)
    await market.tell(120, "execution", 2000)
    level = await market.one(120)
    assert level.strength == close_to(0.6958)
    assert level.confidence == close_to(0.6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"auto_pass_s": 0, "continuous": True}, 0.6932630),
        ({"auto_pass_s": 100}, 0.6958),
        ({"auto_pass_s": 0}, 0.7),
    ],
)
async def test_the_worked_example_on_other_clocks(
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


@pytest.mark.slow
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
async def test_a_level_is_created_with_the_strength_of_its_kind(
    market: Market, kind: str, amount: float, strength: float, confidence: float
) -> None:
    await market.tell(0, kind, amount)
    level = await market.one(0)
    assert (level.strength, level.confidence) == (close_to(strength), close_to(confidence))
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


async def test_amounts_below_the_minimum_add_up(market: Market) -> None:
    await market.tell(0, "execution", 600)
    waiting = await market.one(0)
    assert (waiting.state, waiting.strength, waiting.volume_usd) == ("pending", 0.0, 600.0)
    assert await market.memories.levels("X", at=at(0)) == []
    await market.tell(1, "execution", 500, "100.04")
    made = await market.one(1)
    assert (made.strength, made.confidence, made.volume_usd) == (close_to(0.455), 0.7, 1100.0)


async def test_a_pending_level_that_idles_starts_its_sums_again(market: Market) -> None:
    await market.tell(0, "execution", 900)
    await market.tell(10_000, "execution", 900)
    assert (await market.one(10_000)).state == "pending"
    await market.tell(10_001, "execution", 100)
    made = await market.one(10_001)
    assert (made.strength, made.volume_usd) == (close_to(0.45), 1900.0)


async def test_other_kinds_that_wait_help_a_creation(market: Market, open_graph: OpenGraph) -> None:
    alone = Market(
        await open_graph(settings={"memories": {"auto_pass_s": 0, "carry_pending": False}})
    )
    for place, expected in ((market, 0.455 + 0.07 + 0.1 * 2 / 3), (alone, 0.455)):
        await place.tell(0, "persistence", 7)
        await place.tell(1, "rejection", 2)
        await place.tell(2, "execution", 1100)
        made = await place.one(2)
        assert (made.strength, made.confidence) == (close_to(expected), 0.7)


async def test_liquidations_add_less_after_the_first(market: Market) -> None:
    await market.tell(0, "liquidation", 4, usd=10.0)
    assert await market.strength(0) == close_to(0.50)
    await market.tell(0, "liquidation", 1)
    assert await market.strength(0) == close_to(0.55)
    await market.tell(0, "liquidation", 3)
    level = await market.one(0)
    assert (level.strength, level.liquidation_count) == (close_to(0.70), 8)
    assert (level.interaction_count, level.liquidation_usd) == (8, 10.0)
    await market.tell(0, "execution", 5000, "200")
    await market.tell(0, "liquidation", 3, "200")
    assert await market.strength(0, "X@200") == close_to(0.85)


async def test_a_further_liquidation_may_add_as_much_as_the_first(open_graph: OpenGraph) -> None:
    market = Market(await open_graph(settings={"memories": {"liq_extra": 0.1, "auto_pass_s": 0}}))
    await market.tell(0, "liquidation", 4)
    await market.tell(0, "liquidation", 3)
    assert await market.strength(0) == close_to(0.80)


async def test_a_boost_gap_counts_but_adds_nothing(open_graph: OpenGraph) -> None:
    market = Market(await open_graph(settings={"memories": {"boost_gap_s": 10, "auto_pass_s": 0}}))
    await market.tell(0, "execution", 1000)
    await market.tell(5, "execution", 1000)
    await market.tell(5, "persistence", 1)
    level = await market.one(5)
    assert (level.strength, level.interaction_count) == (close_to(0.55), 3)
    await market.tell(10, "execution", 1000)
    assert await market.strength(10) == close_to(0.65)


async def test_a_run_is_one_interaction_however_often_it_is_reported(market: Market) -> None:
    strengths = []
    for t, run, seconds in ((10, "r1", 10), (30, "r1", 30), (31, "r2", 12), (41, "r2", 22)):
        await market.tell(t, "persistence", seconds, run_id=run)
        strengths.append(await market.strength(t))
    assert strengths == [close_to(0.4), close_to(0.6), close_to(0.7), close_to(0.7)]
    level = await market.one(41)
    assert (level.persistence_count, level.persistence_seconds) == (2, 52.0)
    assert level.interaction_count == 2


async def test_a_run_that_goes_on_does_not_decay_meanwhile(market: Market) -> None:
    await market.tell(10, "persistence", 10, run_id="r1")
    await market.memories.decay_pass(at(500))
    await market.tell(510, "persistence", 20, run_id="r1")
    assert await market.strength(510) == close_to(0.5)


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
    assert (await market.one(1)).confidence == close_to(0.7)
    await market.tell(2, "rejection", 6)
    assert (await market.one(2)).confidence == close_to(0.8)


async def test_strength_is_capped_and_boosts_are_additive(market: Market) -> None:
    await market.tell(0, "execution", 5000)
    await market.tell(0, "execution", 1)
    assert await market.strength(0) == close_to(0.75)
    for _ in range(4):
        await market.tell(0, "execution", 1)
    assert await market.strength(0) == 1.0


async def test_many_boosts_at_once_equal_one_by_one(market: Market) -> None:
    """Three boosts are min(1, x + 0.3), and decay 0.99 with a boost, twice, 0.9801 x + 0.199."""
    await market.tell(0, "persistence", 10)
    await market.memories.observe([market.item(1, "execution", 1) for _ in range(3)], source="test")
    assert await market.strength(1) == close_to(0.7)
    await market.tell(0, "persistence", 10, "300")
    for t in (100, 200):
        await market.memories.decay_pass(at(t))
        await market.tell(t, "execution", 1, "300")
    assert await market.strength(200, "X@300") == close_to(0.9801 * 0.4 + 0.199)
