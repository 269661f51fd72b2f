"""Price levels as time passes: decay, returns, late evidence, passes, the archive."""

import math

import pytest

from tests.conftest import OpenGraph
from tests.support.market_world import LITERAL, Market, at, close_to


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seconds", "amount", "idle", "expected"),
    [(20, 0.5, 1000, 0.45), (20, 0.5, 3600, 0.32), (30, 0.6, 70, 0.5958), (70, 1.0, 10_000, 0.0)],
)
async def test_decay_is_read_from_the_anchor(
    market: Market, seconds: float, amount: float, idle: float, expected: float
) -> None:
    await market.tell(0, "persistence", seconds)
    assert await market.strength(0) == close_to(amount)
    assert await market.strength(idle) == close_to(expected)
    assert await market.strength(idle) == close_to(expected)


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("revisit", "expected", "resurrections"),
    [(1000, 0.64, 0), (9833, 0.112, 0), (9834, 0.20996, 1), (9900, 0.206, 1), (20_000, 0.200, 1)],
)
async def test_an_archived_level_comes_back_with_evidence(
    open_graph: OpenGraph, revisit: float, expected: float, resurrections: int
) -> None:
    market = Market(await open_graph())
    await market.tell(0, "persistence", 30)
    await market.tell(revisit, "execution", 1)
    level = await market.one(revisit)
    assert level.strength == close_to(expected)
    assert (level.resurrection_count, level.confidence) == (resurrections, 0.6)
    assert (level.id, level.interaction_count) == ("X@100", 2)


async def test_the_rest_of_a_bundle_adds_to_a_return(market: Market) -> None:
    await market.tell(0, "persistence", 10)
    items = [market.item(20_000, "execution", 1), market.item(20_000, "liquidation", 3)]
    await market.memories.observe(items, source="test")
    assert await market.strength(20_000) == close_to(0.2 + 0.1 + 0.05 + 0.05)
    await market.tell(40_000, "liquidation", 3)
    assert await market.strength(40_000) == close_to(0.2 + 0.05 + 0.05)


async def test_late_evidence_adds_what_would_be_left_of_it(market: Market) -> None:
    await market.tell(1000, "persistence", 30)
    receipt = await market.tell(500, "execution", 1)
    assert (receipt.accepted, receipt.late) == (1, 1)
    level = await market.one(1000)
    assert level.strength == close_to(0.695)
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
    assert await market.strength(600) == await other.strength(600) == close_to(0.6 * 0.95 + 0.1)


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
