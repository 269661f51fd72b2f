"""Active hours: the time in which a realm was used, by however many, counted once."""

import asyncio
import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asterism.active_hours import ActiveHours
from asterism.clock import FixedClock
from asterism.errors import AsterismError
from asterism.graph import Graph
from asterism.intervals import intervals, length
from asterism.maintenance.verify import verify
from asterism.realm_names import realm_key
from tests.conftest import OpenGraph
from tests.support.hours_world import spend
from tests.support.raw import run_cypher

MINUTE = 60 * 1_000_000
HOUR = 60 * MINUTE
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
WEEK = """
import asyncio, json, sys
from datetime import datetime, timedelta
from asterism.clock import FixedClock
from asterism.graph import Graph
from tests.test_memories_hours import working_week

async def main():
    clock = FixedClock(datetime.fromisoformat(sys.argv[2]))
    async with Graph.open(realm=sys.argv[1], clock=clock) as graph:
        await working_week(graph, clock, offset=timedelta(minutes=int(sys.argv[3])))
        print(json.dumps(await graph.memories.hours.reading()))

asyncio.run(main())
"""

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture
def open_graph(open_graph: OpenGraph) -> OpenGraph:
    """Opens graphs in realms that are there: an absent one has no hours to count."""

    async def in_realm(*names: str, **options: Any) -> Graph:
        graph: Graph = await open_graph(*names, **options)
        unused = replace(graph.database, on_use=None)
        await unused.rows("realms/open", realm_key=realm_key(graph.realm))
        return graph

    return in_realm


async def working_week(graph: Graph, clock: FixedClock, *, offset: timedelta) -> None:
    """Make a call every nine minutes, three hours a day, for a week."""
    began = clock.now()
    for day in range(7):
        for call in range(20):
            clock.set(began + timedelta(days=day, minutes=9 * call) + offset)
            await graph.database.rows("memories/active_hours")


async def stored(graph: Graph) -> dict[str, Any]:
    row = await graph.database.row("memories/active_hours")
    assert row is not None
    return row


async def test_a_pause_counts_ten_minutes_at_most(graph: Graph, clock: FixedClock) -> None:
    assert await graph.memories.hours.reading() == 0
    for minutes in (3, 9, 10):
        clock.advance(minutes=minutes)
        await graph.memories.hours.reading()
    assert await graph.memories.hours.reading() == 22 * MINUTE
    clock.advance(days=1)
    assert await graph.memories.hours.reading() == 32 * MINUTE
    clock.advance(minutes=4)
    assert await graph.memories.hours.reading() == 36 * MINUTE


@pytest.mark.slow
async def test_every_part_counts_as_use(graph: Graph, clock: FixedClock) -> None:
    for call in (
        graph.stars.list(),
        graph.realms.stats(),
        graph.recall.find("Where is the key?"),
        graph.consolidation.edges("nobody"),
        graph.memories.levels("X"),
        graph.memories.remember("The key hangs on the nail."),
    ):
        before = await graph.memories.hours.reading()
        clock.advance(minutes=7)
        await call
        clock.advance(days=2)  # counts as ten minutes, and only if the call before was noted
        assert await graph.memories.hours.reading() == before + 17 * MINUTE


async def test_times_of_a_realm_that_is_not_there_yet_are_kept(
    graph: Graph, clock: FixedClock
) -> None:
    await graph.realms.delete(graph.realm)
    await graph.memories.hours.reading()
    for pauses in range(1, 4):
        clock.advance(days=2)
        assert await graph.memories.hours.reading() == pauses * 10 * MINUTE
        await graph.memories.hours.add()
    await graph.memories.remember("The key hangs on the nail.")
    await graph.memories.hours.add()
    assert (await stored(graph))["active"] == 30 * MINUTE


async def test_a_read_writes_nothing_when_it_is_called(graph: Graph, clock: FixedClock) -> None:
    await graph.memories.hours.reading()
    clock.advance(minutes=5)
    await graph.memories.hours.reading()
    assert (await stored(graph))["active"] == 0
    await graph.memories.hours.add()
    assert (await stored(graph))["active"] == 5 * MINUTE


async def test_times_of_use_are_written_every_ten_minutes(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    one, other = await open_graph(realm="hours-beside"), await open_graph(realm="hours-beside")
    for _ in range(12):
        clock.advance(minutes=1)
        await one.memories.hours.reading()
    if one.memories.hours._task is not None:
        await one.memories.hours._task
    assert (await stored(other))["active"] == 9 * MINUTE


async def test_closing_writes_the_rest(
    open_graph: OpenGraph, clock: FixedClock, embedder: Any
) -> None:
    keeper = await open_graph(realm="hours-closing")
    async with Graph.open(
        keeper.uri,
        auth=keeper._request["auth"],
        realm="hours-closing",
        clock=clock,
        embedder=embedder,
    ) as short:
        await short.stars.list()
        clock.advance(minutes=4)
    assert await keeper.memories.hours.reading() == 4 * MINUTE


@pytest.mark.slow
async def test_four_graphs_in_one_process_count_an_hour_once(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    graphs = [await open_graph(realm="hours-four") for _ in range(4)]
    memory = await graphs[0].memories.remember("I am allergic to peanuts.", lasts="standard")
    for _ in range(40):
        clock.advance(minutes=9)
        await asyncio.gather(*(graph.memories.get(memory.id) for graph in graphs))
    for graph in graphs:
        await graph.memories.hours.add()
    assert (await stored(graphs[0]))["active"] == 6 * HOUR
    left = {(await graph.memories.get(memory.id)).strength for graph in graphs}
    assert len(left) == 1
    assert left.pop() == pytest.approx(0.5 ** (6 / 69), abs=1e-9)


@pytest.mark.slow
async def test_four_processes_open_for_a_week_count_as_one(
    graph: Graph, environment: dict[str, str]
) -> None:
    words = [sys.executable, "-c", WEEK, graph.realm, NOON.isoformat()]
    ran = [
        await asyncio.create_subprocess_exec(
            *words, str(2 * number), env=environment, stdout=subprocess.PIPE
        )
        for number in range(4)
    ]
    for process in ran:
        output, _ = await process.communicate()
        assert process.returncode == 0
        assert json.loads(output) > 0
    row = await stored(graph)
    # From the first one's first call of a day to ten minutes after the last one's last.
    day = 19 * 9 * MINUTE + 6 * MINUTE
    assert row["active"] == 7 * day + 6 * 10 * MINUTE
    assert len(intervals(row["covered"])) == 7
    assert await verify(graph.database) == []


async def test_a_clock_that_goes_back_counts_nothing_twice(graph: Graph, clock: FixedClock) -> None:
    await spend(graph, clock, hours=2)
    clock.advance(hours=-1)
    await spend(graph, clock, hours=2)
    assert await graph.memories.hours.reading() == 3 * HOUR
    clock.advance(days=-30)  # a day that nobody has counted yet
    await spend(graph, clock, hours=1)
    assert await graph.memories.hours.reading() == 4 * HOUR


async def test_a_clock_that_was_ahead_stops_nothing(graph: Graph, clock: FixedClock) -> None:
    now = clock.now()
    clock.advance(days=3650)
    await spend(graph, clock, minutes=20)
    clock.set(now)
    await spend(graph, clock, hours=1)
    assert await graph.memories.hours.reading() == 80 * MINUTE


async def test_a_past_time_has_the_reading_of_then(graph: Graph, clock: FixedClock) -> None:
    memory = await graph.memories.remember("The key hangs on the nail.", lasts="standard")
    await spend(graph, clock, hours=8)
    evening = clock.now()
    clock.advance(days=6)
    await spend(graph, clock, hours=8)
    hours = graph.memories.hours
    assert await hours.reading(evening) == 8 * HOUR
    assert await hours.reading(evening - timedelta(hours=2)) == 6 * HOUR
    assert await hours.reading(clock.now() + timedelta(hours=5)) == 21 * HOUR + 10 * MINUTE
    then = await graph.memories.get(memory.id, at=evening)
    assert then.strength == pytest.approx(0.5 ** (8 / 69), abs=1e-9)


@pytest.mark.slow
async def test_times_that_can_not_be_written_are_written_later(
    graph: Graph, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The realm's entry is held by somebody for longer than the writing waits."""
    hours = ActiveHours(graph.database.limited(0.2))
    driver, clocked = graph.database.driver, {"realm": graph.realm}
    hours.note()
    clock.advance(minutes=8)
    hours.note()
    async with driver.session() as session, await session.begin_transaction() as lock:
        await lock.run("MATCH (r:Realm {realm: $realm}) SET r.locked_at = 1", clocked)
        with pytest.raises(AsterismError):
            await hours.add()
    await hours.add()
    await hours.add()
    assert (await stored(graph))["active"] == 8 * MINUTE


async def test_writers_beside_each_other_lose_nothing(graph: Graph) -> None:
    rows = [[[n * MINUTE, (n + 2) * MINUTE]] for n in range(0, 60, 3)] * 2
    await asyncio.gather(
        *(graph.database.rows("memories/add_active_hours", intervals=parts) for parts in rows)
    )
    assert (await stored(graph))["active"] == 40 * MINUTE


@pytest.mark.slow
async def test_hours_of_an_older_realm_go_on(graph: Graph, clock: FixedClock) -> None:
    """A realm that has hours, and no intervals that they came from."""
    await run_cypher(
        graph, "MATCH (r:Realm {realm: $realm}) SET r.active_micros = $old", old=1000 * HOUR
    )
    await spend(graph, clock, hours=1)
    assert await graph.memories.hours.reading() == 1001 * HOUR
    assert await verify(graph.database) == []


async def test_hours_that_were_counted_twice_are_found(graph: Graph, clock: FixedClock) -> None:
    await spend(graph, clock, hours=3)
    assert await verify(graph.database) == []
    await run_cypher(
        graph, "MATCH (r:Realm {realm: $realm}) SET r.active_micros = r.active_micros * 4"
    )
    [offender] = await verify(graph.database)
    assert offender.invariant == "an active hour is counted once"
    assert (offender.found, offender.expected) == ("12.0 hours", "at most 3.0 hours")


parts = st.lists(
    st.tuples(st.integers(-50, 50), st.integers(1, 30)).map(lambda p: [p[0], p[0] + p[1]]),
    min_size=1,
    max_size=5,
)


@pytest.mark.slow
@settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(reports=st.lists(parts, min_size=1, max_size=12))
async def test_the_union_is_that_of_the_single_moments(
    graph: Graph, reports: list[list[list[int]]]
) -> None:
    """Any intervals in any order: what is counted is the number of moments that they cover."""
    await run_cypher(
        graph,
        "MATCH (r:Realm {realm: $realm}) SET r.active_micros = null, r.active_intervals = null",
    )
    moments: set[int] = set()
    for report in reports:
        interval = set().union(*(range(start, end) for start, end in report))
        moments |= interval
        row = await graph.database.row("memories/add_active_hours", intervals=report)
        assert row is not None
        covered = intervals(row["covered"])
        assert row["active"] == len(moments) == length(covered)
        assert covered == sorted(covered)
        assert moments == set().union(*(range(start, end) for start, end in covered))


@pytest.mark.slow
async def test_more_than_sixty_four_intervals_are_never_counted_twice(graph: Graph) -> None:
    apart = [[n * HOUR, n * HOUR + MINUTE] for n in range(200)]
    for part in apart:
        await graph.database.rows("memories/add_active_hours", intervals=[part])
    for part in apart[::7]:
        await graph.database.rows("memories/add_active_hours", intervals=[part])
    row = await stored(graph)
    assert row["active"] == 200 * MINUTE
    assert len(intervals(row["covered"])) == 64
    assert await verify(graph.database) == []
