"""The printed traces T-1 to T-5, day by day through the graph."""

from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.graph import Graph
from tests.support.stars_oracle import decayed
from tests.support.stars_world import add, close, days, established, read_pair

pytestmark = pytest.mark.verify_stars

PRINTED: Any = {"abs": 5e-10, "rel": 0}


@pytest.mark.slow
async def test_trace_of_evidence_and_silence(graph: Graph, clock: FixedClock) -> None:
    expected = {
        0: (0.15, "NASCENT"),
        1: (0.16792, "NASCENT"),
        2: (0.167681969, "NASCENT"),
        8: (0.166037613, "DORMANT"),
        9: (0.219187613, "FORMING"),
        10: (0.369187613, "FORMING"),
        17: (0.358163860, "FORMING"),
        20: (0.350329058, "FORMING"),
    }
    evidence: dict[int, list[str]] = {
        1: ["co_mention_session"],
        9: ["correlation_detected", "co_mention_response"],
        10: ["user_confirms"],
    }
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    for day in range(21):
        for type in evidence.get(day, []):
            await graph.stars.evidence("a", "b", type, source=f"{type} {day}")
        await close(graph)
        connection = await read_pair(graph, "a", "b")
        if day in expected:
            assert connection.strength == pytest.approx(expected[day][0], **PRINTED), day
            assert connection.state == expected[day][1], day
        if day == 9:
            assert connection.evidence_eff == 4.0
        clock.advance(days=1)


async def bands(graph: Graph, clock: FixedClock, count: int) -> dict[int, tuple[str, float]]:
    """The days on which a connection changes its state."""
    changes: dict[int, tuple[str, float]] = {}
    state = str((await read_pair(graph, "a", "b")).state)
    for day in range(count + 1):
        await close(graph)
        connection = await read_pair(graph, "a", "b")
        if connection.state != state:
            state = str(connection.state)
            changes[day] = (state, round(connection.strength, 4))
        clock.advance(days=1)
    return changes


@pytest.mark.slow
async def test_trace_of_a_tension_that_fades_and_sleeps(graph: Graph, clock: FixedClock) -> None:
    await add(graph, "a", "b", created_at=clock.now())
    await established(graph, "a", "b", "TENSION", 0.75, 6, "MODERATE")
    # the constellation began long ago, or its first week would decay at half speed
    await add(graph, "c")
    assert await bands(graph, clock, 46) == {
        14: ("WEAK", 0.5926),
        41: ("FORMING", 0.3959),
        45: ("DORMANT", 0.3778),
    }


@pytest.mark.slow
async def test_trace_of_a_tension_whose_current_state_counts(
    open_graph: Any, clock: FixedClock
) -> None:
    graph = await open_graph(settings={"stars": {"dormancy_anchor": "current"}})
    await add(graph, "a", "b", created_at=clock.now())
    await established(graph, "a", "b", "TENSION", 0.75, 6, "MODERATE")
    await add(graph, "c")
    assert (await bands(graph, clock, 31))[30] == ("DORMANT", 0.4566)


@pytest.mark.slow
async def test_trace_of_a_resonance_that_fades_and_sleeps(graph: Graph, clock: FixedClock) -> None:
    await add(graph, "a", "b", created_at=clock.now())
    await established(graph, "a", "b", "RESONANCE", 0.90, 8, "STRONG")
    await add(graph, "c")
    assert await bands(graph, clock, 60) == {
        10: ("MODERATE", 0.7863),
        28: ("WEAK", 0.5955),
        60: ("DORMANT", 0.4205),
    }


@pytest.mark.slow
async def test_engagement_halves_decay_for_a_week(graph: Graph, clock: FixedClock) -> None:
    expected = {1: 0.792787358, 6: 0.758658684, 7: 0.745732908, 10: 0.709575320}
    await add(graph, "a", "b", created_at=clock.now())
    await established(graph, "a", "b", "RESONANCE", 0.8, 8, "STRONG")
    await add(graph, "c")
    passed = 0
    for day, strength in expected.items():
        await days(graph, clock, day - passed)
        passed = day
        assert (await read_pair(graph, "a", "b")).strength == pytest.approx(strength, **PRINTED)


def test_trace_of_the_full_decay_of_a_tension() -> None:
    expected = {1: 0.7321, 21: 0.4989, 45: 0.3653, 60: 0.3146}
    s = 0.75
    for day in range(1, 61):
        s = decayed(s, "TENSION", 99)
        if day in expected:
            assert s == pytest.approx(expected[day], abs=5e-5)
