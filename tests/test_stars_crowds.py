"""Many writers, two closes at once, and a close that is killed."""

import asyncio
import subprocess
import sys
from datetime import timedelta
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.graph import Graph
from tests.support.stars_world import add, days, established, read_pair, run, set_star
from tests.test_stars_streams import everything

pytestmark = [pytest.mark.slow, pytest.mark.verify_stars]

CLOSE = """
import asyncio, sys
from datetime import date, datetime
from asterism.clock import FixedClock
from asterism.graph import Graph

async def main(realm, now, day):
    clock = FixedClock(datetime.fromisoformat(now))
    async with Graph.open(realm=realm, clock=clock) as graph:
        print("open", flush=True)
        await graph.stars.close_day(date.fromisoformat(day))

asyncio.run(main(*sys.argv[1:]))
"""


async def test_fifty_writers_lose_nothing_and_break_no_cap(graph: Graph, clock: FixedClock) -> None:
    ids = [f"s{number:02}" for number in range(11)]
    await add(graph, *ids)
    pairs = [(ids[0], id) for id in ids[1:]]

    async def writer(number: int) -> None:
        for a, b in pairs[number % 10 :] + pairs[: number % 10]:
            await graph.stars.evidence(a, b, "causation_detected", source=f"writer {number}")

    await asyncio.gather(*(writer(number) for number in range(50)))
    for a, b in pairs:
        connection = await read_pair(graph, a, b)
        assert connection.evidence_count == 50
        assert connection.strength == pytest.approx(0.15, abs=1e-9)
    rows = await run(
        graph,
        "MATCH (e:Evidence {realm: $realm}) "
        "RETURN e.pair_key AS pair, sum(e.applied_gain) AS gained, count(*) AS n",
    )
    assert [row["n"] for row in rows] == [50] * 10
    assert all(row["gained"] == pytest.approx(0.15, abs=1e-9) for row in rows)
    assert await graph.stars.verify() == []


async def busy_world(graph: Graph, size: int = 12) -> None:
    """A ring of stars with every kind of connection, all of them moving."""
    kinds = ["RESONANCE", "TENSION", "BLOCKS", "GROWTH_EDGE", "CAUSATION", "SHADOW_MIRROR"]
    ids = [f"s{number:03}" for number in range(size)]
    await add(graph, *ids, domain="health", brightness=0.9)
    await set_star(graph, ids[0], is_anti_pattern=True)
    for number in range(size - 1):
        a, b = ids[number], ids[number + 1]
        await established(graph, a, b, kinds[number % 6], 0.7, 8, "MODERATE")
    for id in ids[::2]:
        await graph.stars.engage(id, gains=[0.06], losses=0.01)


async def test_two_closes_at_once_equal_one(open_graph: Any, clock: FixedClock) -> None:
    one, other = await open_graph(), await open_graph()
    for graph in (one, other):
        await busy_world(graph)
    clock.advance(days=5)
    day = clock.now().date()
    await one.stars.close_day(day)
    reports = await asyncio.gather(*(other.stars.close_day(day) for _ in range(2)))
    assert sum(report.days for report in reports) == 6
    assert await everything(one) == await everything(other)


async def test_closing_twice_changes_nothing(graph: Graph, clock: FixedClock) -> None:
    await busy_world(graph)
    await days(graph, clock, 2)
    before = await everything(graph)
    again = await graph.stars.close_day(clock.now().date())
    assert (again.days, again.stars) == (0, 0)
    assert await everything(graph) == before


async def test_a_killed_close_resumes_where_it_broke_off(
    open_graph: Any, clock: FixedClock, environment: dict[str, str]
) -> None:
    start = clock.now()
    calm, killed = await open_graph(), await open_graph()
    for graph in (calm, killed):
        clock.set(start)
        await busy_world(graph, 30)
    clock.set(start + timedelta(days=39))
    day = clock.now().date()
    await calm.stars.close_day(day)
    # each child is killed a little later than the one before: at another step of the close
    for delay in (0.02, 0.09, 0.16, 0.23, 0.3):
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", CLOSE, killed.realm, clock.now().isoformat(), day.isoformat()),
            stdout=subprocess.PIPE,
            env=environment,
        )
        assert child.stdout is not None
        assert await child.stdout.readline() == b"open\n"
        await asyncio.sleep(delay)
        child.kill()
        await child.communicate()
    await killed.stars.close_day(day)
    assert await everything(killed) == await everything(calm)
    assert await killed.stars.verify() == []
