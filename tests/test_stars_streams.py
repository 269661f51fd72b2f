"""Random lives agree with the oracle, and single closes with a catch-up."""

from datetime import timedelta
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.graph import Graph
from tests.support.stars_stream import Life
from tests.support.stars_world import add, run

pytestmark = [pytest.mark.slow, pytest.mark.verify_stars]


@pytest.mark.parametrize(("seed", "excavated"), [(11, True), (12, False)])
async def test_forty_random_days_agree_with_the_oracle(
    graph: Graph, clock: FixedClock, seed: int, excavated: bool
) -> None:
    await Life(graph, clock, seed, excavated=excavated).live(40)
    assert await graph.stars.verify() == []


async def everything(graph: Graph) -> tuple[list[Any], list[Any]]:
    """Stars and connections without what only says when they were touched."""
    stars = await run(graph, "MATCH (s:Star {realm: $realm}) RETURN s{.*, realm: 0} AS s")
    links = await run(
        graph,
        "MATCH (:Star {realm: $realm})-[r]->() RETURN type(r) AS t, r{.*, realm: 0, id: 0} AS r",
    )
    return (
        sorted((row["s"] for row in stars), key=lambda s: str(s["id"])),
        sorted((row for row in links), key=lambda row: str(row["r"]["pair_key"])),
    )


async def settled_world(graph: Graph) -> None:
    await add(graph, "a", "b", "c", domain="health")
    await add(graph, "d", domain="soul", brightness=0.2, state="DARK")
    await graph.stars.connect("a", "b")
    await graph.stars.connect("b", "c", "BLOCKS")
    await graph.stars.connect("d", "a", "SHADOW_MIRROR")
    for source in ("x", "y"):
        await graph.stars.evidence("a", "b", "user_confirms", source=source)


async def test_single_closes_equal_one_catch_up(open_graph: Any, clock: FixedClock) -> None:
    start = clock.now()
    one, other = await open_graph(), await open_graph()
    for graph in (one, other):
        clock.set(start)
        await settled_world(graph)
    clock.set(start)
    for _ in range(70):
        await one.stars.close_day(clock.now().date())
        clock.advance(days=1)
    await other.stars.close_day((start + timedelta(days=69)).date(), max_days=70)
    assert await everything(one) == await everything(other)


async def test_a_year_of_silence_leaves_everything_asleep(graph: Graph, clock: FixedClock) -> None:
    await settled_world(graph)
    await graph.stars.close_day(clock.now().date())
    clock.advance(days=365)
    report = await graph.stars.close_day(clock.now().date(), max_days=365)
    assert report.days == 365
    states = await run(
        graph, "MATCH (:Star {realm: $realm})-[r]->() RETURN r.state AS s, type(r) AS t"
    )
    assert {row["s"] for row in states} == {"DORMANT"}
    assert sorted(row["t"] for row in states) == ["BLOCKS", "RESONANCE", "SHADOW_MIRROR"]
    assert await graph.stars.verify() == []


async def test_open_days_are_closed_before_new_evidence_counts(
    open_graph: Any, clock: FixedClock
) -> None:
    """Missed days are settled before new evidence, so nothing has to be closed by hand."""
    start = clock.now()
    one, other = await open_graph(), await open_graph()
    for graph, closes in ((one, True), (other, False)):
        clock.set(start)
        await settled_world(graph)
        for day in range(1, 20):
            clock.set(start + timedelta(days=day))
            if closes:
                await graph.stars.close_day((clock.now() - timedelta(days=1)).date())
            if day % 6 == 0:
                await graph.stars.evidence("a", "b", "tars_confirmed", source="x")
                await graph.stars.engage("c", gains=[0.05])
        await graph.stars.close_day(clock.now().date())
    assert await everything(one) == await everything(other)
