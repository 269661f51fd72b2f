"""Jobs: what they do, what they tell, and that they get in nobody's way."""

import asyncio
import sys
from datetime import datetime, timedelta

import pytest

from asterism.clock import FixedClock
from asterism.errors import Conflict, InvalidInput
from asterism.graph import Graph
from asterism.maintenance import Job, JobReport, parse_interval, run_repeatedly
from asterism.maintenance.job_run import JobRun
from tests.conftest import OpenGraph
from tests.support.maintenance_world import Words, begin, live
from tests.support.raw import run_cypher
from tests.support.stars_world import run

NAMES = [job.value for job in Job]
LEASE_SECONDS = 6  # renewed each 2 s: a runner that gets no turn for 4 s still holds it
HOLD = """
import asyncio, sys
from asterism.graph import Graph
from asterism.maintenance import Job
from asterism.maintenance.job_run import JobRun

async def main(realm, seconds):
    settings = {"maintenance": {"lease_s": float(seconds)}}
    async with Graph.open(realm=realm, settings=settings) as graph:
        run = JobRun(graph.database, Job.ARCHIVE)
        await run.claim(graph.clock.now())
        async with run.renewing():
            print(run.id, flush=True)
            await asyncio.sleep(600)

asyncio.run(main(*sys.argv[1:]))
"""


class Other(Words):
    """Another model: its vectors are refused where those of Words are."""

    name = "other words"


def changed(reports: list[JobReport]) -> dict[Job, int]:
    """Return the number of changes of each job that changed anything."""
    totals = {report.job: sum(report.changed.values()) for report in reports}
    return {job: total for job, total in totals.items() if total}


@pytest.mark.slow
async def test_each_report_comes_as_soon_as_its_job_has_ended(graph: Graph) -> None:
    reports = graph.maintenance.each()
    assert (await anext(reports)).job == NAMES[0]
    assert [entry.job for entry in await graph.maintenance.history()] == NAMES[:1]
    assert [report.job async for report in reports] == NAMES[1:]


@pytest.mark.slow
async def test_all_jobs_run_in_their_order_and_find_nothing_wrong(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    graph = await open_graph(embedder=Words())
    await begin(graph)
    for day in range(3):
        await live(graph, day)
        clock.advance(days=1)
        reports = {report.job: report for report in await graph.maintenance.run()}
        assert list(reports) == NAMES
        assert [report.message for report in reports.values() if not report.ok] == []
        assert reports[Job.CLOSE_DAY].changed["days"] == 1
    assert reports[Job.VERIFY].offenders == []
    assert reports[Job.ARCHIVE].changed["archived"] > 0
    assert reports[Job.CONSOLIDATE].changed["promoted"] == 3
    assert reports[Job.CONSOLIDATE].changed["duplicates"] == 1
    assert reports[Job.CONSOLIDATE].changed["edges_created"] > 0
    counts = await graph.realms.stats()
    assert reports[Job.STATS].counts["Star"] == counts.nodes["Star"] == 4
    assert reports[Job.STATS].counts["SIMILAR"] == counts.relationships["SIMILAR"]
    assert changed(await graph.maintenance.run()) == {}


@pytest.mark.slow
async def test_jobs_of_an_empty_realm_succeed(graph: Graph) -> None:
    reports = await graph.maintenance.run()
    assert all(report.ok for report in reports)
    assert changed(reports) == {}


async def test_one_job_runs_alone_and_an_unknown_one_is_refused(graph: Graph) -> None:
    [report] = await graph.maintenance.run("stats")
    assert (report.job, report.ok) == (Job.STATS, True)
    with pytest.raises(InvalidInput, match=r"job='tidy': give one of stars-close-day, .*, stats"):
        await graph.maintenance.run("tidy")
    with pytest.raises(InvalidInput, match="aware datetime"):
        await graph.maintenance.run("stats", at=datetime(2026, 3, 2))
    with pytest.raises(InvalidInput, match="limit=0"):
        await graph.maintenance.history(0)


@pytest.mark.slow
async def test_the_argument_at_sets_the_time_of_the_jobs(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    settings = {"memories": {"text_clock": "active"}, "consolidation": {"signal": "cosine"}}
    graph = await open_graph(embedder=Words(), settings=settings)
    await begin(graph)
    await live(graph, 0)
    await graph.maintenance.run("consolidate")
    later = clock.now() + timedelta(days=3)
    [closed] = await graph.maintenance.run("stars-close-day", at=later)
    assert closed.changed["days"] == 3
    assert (closed.started_at, closed.finished_at) == (later, later)
    [archived] = await graph.maintenance.run("memories-archive", at=later)
    assert archived.changed["archived"] >= 4
    edges = (await graph.realms.stats()).relationships["SIMILAR"]
    assert edges > 0
    [now] = await graph.maintenance.run("prune")
    assert now.changed["edges"] == 0
    [pruned] = await graph.maintenance.run("prune", at=clock.now() + timedelta(days=200))
    assert pruned.changed["edges"] == edges
    [newest] = await graph.maintenance.history(1)
    assert newest.run == pruned.run


@pytest.mark.slow
async def test_a_job_that_fails_keeps_no_other_from_running(open_graph: OpenGraph) -> None:
    before = await open_graph(embedder=Words())
    await begin(before)
    graph = await open_graph(realm=before.realm, embedder=Other())
    await graph.memories.remember("Lyra keeps the lighthouse key.")
    reports = {report.job: report for report in await graph.maintenance.run()}
    assert [job for job, report in reports.items() if not report.ok] == [Job.CONSOLIDATE]
    assert "other words" in reports[Job.CONSOLIDATE].message
    assert {report.job: report for report in await graph.maintenance.history()} == reports


@pytest.mark.slow
async def test_the_history_returns_the_reports_of_the_jobs(graph: Graph, clock: FixedClock) -> None:
    reports = []
    for _ in range(3):
        reports += await graph.maintenance.run()
        clock.advance(hours=1)
    assert await graph.maintenance.history(100) == reports[::-1]
    assert await graph.maintenance.history(4) == reports[:-5:-1]
    clock.advance(days=graph.settings.maintenance.history_days)
    [pruned] = await graph.maintenance.run("prune")
    assert pruned.changed["runs"] == len(reports)
    assert await graph.maintenance.history() == [pruned]


@pytest.mark.slow
async def test_of_two_runners_at_once_one_works_and_the_other_says_so(
    open_graph: OpenGraph,
) -> None:
    one = await open_graph(embedder=Words())
    other = await open_graph(realm=one.realm, embedder=Words())
    run = JobRun(one.database, Job.ARCHIVE)
    assert await run.claim(one.clock.now())
    [report] = await other.maintenance.run("memories-archive")
    assert (report.ok, report.message, report.run) == (True, "running elsewhere", None)
    assert [each.message for each in await other.maintenance.history()] == ["running"]
    await begin(one)
    await live(one, 0)
    both = await asyncio.gather(*(graph.maintenance.run() for graph in (one, other)))
    for reports in both:
        assert all(report.ok for report in reports)
    jobs_run = [report.job for reports in both for report in reports if report.run]
    assert set(jobs_run) == set(Job) - {Job.ARCHIVE}
    assert sum(changed(reports).get(Job.CONSOLIDATE, 0) > 0 for reports in both) == 1


async def lease_end(graph: Graph) -> int:
    """Return the end of the lease of the archive job, in microseconds."""
    answer = await run_cypher(
        graph,
        "MATCH (c:Cursor {realm: $realm, id: 'maintenance/memories-archive'}) "
        "RETURN c.lease_until AS until",
    )
    return int(answer[0]["until"])


@pytest.mark.slow
async def test_the_lease_of_a_killed_runner_runs_out(
    graph: Graph, environment: dict[str, str]
) -> None:
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", HOLD, graph.realm, str(LEASE_SECONDS)),
        stdout=asyncio.subprocess.PIPE,
        env=environment,
    )
    assert child.stdout is not None
    killed_run = (await child.stdout.readline()).decode().strip()
    first = await lease_end(graph)
    while await lease_end(graph) == first:
        pass
    [elsewhere] = await graph.maintenance.run("memories-archive")
    assert elsewhere.message == "running elsewhere"
    child.kill()
    await child.communicate()
    report = elsewhere
    while report.run is None:
        await asyncio.sleep(0.1)
        [report] = await graph.maintenance.run("memories-archive")
    assert report.ok
    reports = {each.run: each for each in await graph.maintenance.history()}
    assert reports[report.run] == report
    broken = reports[killed_run]
    assert (broken.message, broken.finished_at, broken.ok) == ("broken off", None, False)


@pytest.mark.slow
async def test_a_realm_maintains_itself_alone(open_graph: OpenGraph, clock: FixedClock) -> None:
    one, other = await open_graph(embedder=Words()), await open_graph(embedder=Words())
    for graph in (one, other):
        await begin(graph)
        await live(graph, 0)
    clock.advance(days=2)
    before = await other.realms.stats()
    await one.maintenance.run()
    assert await other.maintenance.history() == []
    assert await other.realms.stats() == before
    assert (await other.consolidation.consolidate()).waiting_before == 4
    await run(other, "MATCH (m:Memory {realm: $realm}) SET m.strength = 2.0")
    [fine] = await one.maintenance.run("verify")
    [wrong] = await other.maintenance.run("verify")
    assert (fine.offenders, wrong.ok) == ([], False)
    assert wrong.message.startswith("memories: strength is in range, but ")


@pytest.mark.parametrize(
    ("text", "value"), [("30s", 30), ("15m", 900), ("1h", 3600), ("1.5 H", 5400), (" 1d ", 86400)]
)
def test_lengths_of_time_are_read_as_typed(text: str, value: float) -> None:
    assert parse_interval(text) == value


@pytest.mark.parametrize("text", ["", "1", "h", "0s", "0.5s", "-1h", "1w", "1h30", "nan h"])
def test_a_bad_length_of_time_is_refused_kindly(text: str) -> None:
    with pytest.raises(InvalidInput, match="30s, 15m, 1h or 1d"):
        parse_interval(text)


async def test_the_scheduler_goes_on_after_errors_that_pass(graph: Graph) -> None:
    stop, opened = asyncio.Event(), iter([Conflict("still being filled")])
    troubles: list[Exception] = []

    def opening() -> Graph:
        for error in opened:
            raise error
        stop.set()
        raise Conflict("and again")

    await run_repeatedly(
        opening, 0.01, stop=stop, on_report=lambda reports: None, on_trouble=troubles.append
    )
    assert [str(error) for error in troubles] == ["still being filled", "and again"]

    def misspelt() -> Graph:
        raise InvalidInput("realm", "", "name it")

    with pytest.raises(InvalidInput):
        await run_repeatedly(misspelt, 1, stop=asyncio.Event(), on_report=print, on_trouble=print)
