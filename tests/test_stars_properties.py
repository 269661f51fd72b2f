"""Any short life of stars, by hypothesis: ranges hold, repeats and order change nothing."""

import itertools
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asterism.clock import FixedClock
from asterism.graph import Graph
from tests.support.stars_world import add, run

pytestmark = [pytest.mark.slow, pytest.mark.verify_stars]

FEW = settings(
    max_examples=4,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
STARS = "abcd"
PAIRS = list(itertools.combinations(STARS, 2))
KINDS = ["user_confirms", "tars_confirmed", "co_mention_session", "user_creates"]
EVIDENCE = st.tuples(st.sampled_from(PAIRS), st.sampled_from(KINDS))
DAYS = st.lists(st.lists(EVIDENCE, max_size=4), min_size=1, max_size=4)


async def world(open_graph: Any, clock: FixedClock, start: datetime) -> Graph:
    clock.set(start)
    graph: Graph = await open_graph()
    await add(graph, *STARS, brightness=0.6, state="FLICKERING")
    for a, b in PAIRS:
        await graph.stars.connect(a, b)
    return graph


async def give(graph: Graph, day: int, evidence: list[Any]) -> None:
    for number, ((a, b), kind) in enumerate(evidence):
        await graph.stars.evidence(a, b, kind, source=f"{day}/{number}", id=f"{day}-{a}{b}-{kind}")


async def strengths(graph: Graph) -> dict[str, float]:
    rows = await run(
        graph, "MATCH (:Star {realm: $realm})-[r]->() RETURN r.pair_key AS k, r.strength AS s"
    )
    return {row["k"]: row["s"] for row in rows}


@FEW
@given(days=DAYS)
async def test_numbers_stay_in_their_ranges(
    open_graph: Any, clock: FixedClock, days: list[Any]
) -> None:
    graph = await world(open_graph, clock, clock.now())
    for day, evidence in enumerate(days):
        await give(graph, day, evidence)
        await graph.stars.engage("a", gains=[0.05] * len(evidence), losses=0.02)
        await graph.stars.close_day(clock.now().date())
        clock.advance(days=1)
    assert all(0 <= value <= 1 for value in (await strengths(graph)).values())
    for star in [await graph.stars.get(id) for id in STARS]:
        assert 0.05 <= star.brightness <= star.effective_max <= 1
        assert 0 <= star.variance <= 1
    assert await graph.stars.verify() == []


@FEW
@given(days=DAYS)
async def test_evidence_given_twice_counts_once(
    open_graph: Any, clock: FixedClock, days: list[Any]
) -> None:
    start, results = clock.now(), []
    for times in (1, 2):
        graph = await world(open_graph, clock, start)
        for day, evidence in enumerate(days):
            for _ in range(times):
                await give(graph, day, evidence)
                await graph.stars.close_day((clock.now() - timedelta(days=1)).date())
            clock.advance(days=1)
        for _ in range(times):
            await graph.stars.close_day((clock.now() - timedelta(days=1)).date())
        results.append(await strengths(graph))
    assert results[0] == results[1]


@FEW
@given(evidence=st.lists(EVIDENCE, min_size=2, max_size=5, unique=True), data=st.data())
async def test_evidence_of_several_pairs_may_come_in_any_order(
    open_graph: Any, clock: FixedClock, evidence: list[Any], data: st.DataObject
) -> None:
    """Of one pair the same kind, so that no piece's freshness depends on another's."""
    evidence = list({pair: (pair, kind) for pair, kind in evidence}.values())
    start, results = clock.now(), []
    for order in (evidence, data.draw(st.permutations(evidence))):
        graph = await world(open_graph, clock, start)
        await give(graph, 0, list(order))
        await graph.stars.close_day(clock.now().date())
        results.append(await strengths(graph))
    assert results[0] == pytest.approx(results[1], abs=1e-12)


@FEW
@given(days=DAYS, silence=st.integers(1, 40))
async def test_days_closed_one_by_one_equal_one_catch_up(
    open_graph: Any, clock: FixedClock, days: list[Any], silence: int
) -> None:
    start, results = clock.now(), []
    for step in (1, silence):
        graph = await world(open_graph, clock, start)
        for day, evidence in enumerate(days):
            await give(graph, day, evidence)
            clock.advance(days=1)
        for _ in range(0, silence, step):
            clock.advance(days=step)
            await graph.stars.close_day((clock.now() - timedelta(days=1)).date())
        results.append(await strengths(graph))
    assert results[0] == results[1]
