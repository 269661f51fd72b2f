"""Ten weeks of a town that maintains itself, while its processes and its server are killed."""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
import pytest

from asterism.errors import DatabaseUnavailable
from asterism.graph import Graph
from asterism.local import server
from asterism.local.home import Home
from asterism.maintenance import Job
from tests.conftest import SMALL
from tests.support.maintenance_weeks import LEASES, Hands, Keeper
from tests.support.maintenance_world import Words, begin, live
from tests.support.prepared_home import copied

pytestmark = pytest.mark.slow

START = datetime(2026, 3, 2, 12, tzinfo=UTC)
ROUNDS = 35
STEP = timedelta(days=2)
KEEPER_KILLED = {5: 0.0, 12: 0.1, 19: 0.2, 27: 0.3}  # in which rounds, how long after dawn
SERVER_KILLED = 15
SERVER_STOPPED = 23


@pytest.fixture
def here(quick_folder: Path, pattern: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """A data directory of this test's own, with a server that may be killed."""
    own = copied(pattern, quick_folder / "home")
    monkeypatch.setenv("ASTERISM_HOME", str(own.root))
    for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_USER", "NEO4J_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    yield own
    server.stop(own)


def opened(clock: Hands) -> Graph:
    """The town, wherever its server is by now: taken down and started again, it may have moved."""
    return Graph.open(clock=clock, embedder=Words(), settings={"local": SMALL, **LEASES})


async def lived(clock: Hands, number: int) -> None:
    """A day, however often the server goes away in the course of it."""
    while True:
        try:
            async with opened(clock) as graph:
                return await live(graph, number)
        except DatabaseUnavailable:
            await asyncio.sleep(0.5)


async def strike(keeper: Keeper, here: Home, number: int) -> None:
    """Kill the keeper or the server of a round that has a fault."""
    if number in KEEPER_KILLED:
        await asyncio.sleep(KEEPER_KILLED[number])
        await keeper.kill()
        await keeper.start()
    if number == SERVER_KILLED:
        state = here.read_state()
        assert state is not None
        process = psutil.Process(state.pid)
        process.kill()
        await asyncio.to_thread(process.wait)
    if number == SERVER_STOPPED:
        await asyncio.to_thread(server.stop, here)
        await asyncio.to_thread(server.start, here, SMALL)


@pytest.mark.timeout(7200)
async def test_ten_weeks_with_faults_leave_no_offender(here: Home) -> None:
    hands = here.root.with_name("hands")
    clock, last = Hands(hands), START + (ROUNDS - 1) * STEP
    clock.set(START)
    keeper = Keeper(hands, last, dict(os.environ))
    async with opened(clock) as graph:
        await begin(graph)
    async with AsyncExitStack() as aside:
        await keeper.start()
        aside.push_async_callback(keeper.kill)
        for number in range(ROUNDS):
            clock.set(START + number * STEP)
            await asyncio.gather(lived(clock, number), strike(keeper, here, number))
            await keeper.wait_for_jobs(clock.now())
        assert await keeper.ended() == 0
    assert [report.message for report in keeper.reports if report.offenders] == []
    async with opened(clock) as graph:
        reports = await graph.maintenance.run()
        assert [report.message for report in reports if not report.ok] == []
        await history_is_whole(graph, keeper)
        counts = await graph.realms.stats()
        assert counts.nodes["Text"] > 100
        assert counts.relationships["SIMILAR"] > 50


async def history_is_whole(graph: Graph, keeper: Keeper) -> None:
    """Require an entry for every job of every round, finished or broken off, and none running."""
    history = await graph.maintenance.history(100_000)
    days = Counter((entry.started_at.date(), entry.job) for entry in history if entry.ok)
    expected = {((START + n * STEP).date(), job) for n in range(ROUNDS) for job in Job}
    assert expected <= set(days)
    messages = {entry.message for entry in history if entry.finished_at is None}
    assert messages <= {"broken off"}
    reports = {report.run: report for report in keeper.reports if report.ok and report.run}
    entries = {entry.run: entry for entry in history}
    assert {run: entries.get(run) for run in reports} == reports
