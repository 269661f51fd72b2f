"""Days that are closed: how many at once, what a wrong clock did, and how it is undone."""

from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.errors import Conflict
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.command_line import CommandLine
from tests.support.raw import run_cypher

pytestmark = pytest.mark.verify_stars

MONDAY = date(2026, 3, 2)


async def _live(graph: Graph, clock: FixedClock, days: int = 20) -> None:
    """Two connected stars with a history of brightness, a third that is blocked."""
    for id, brightness in (("sea", 0.4), ("sail", 0.7), ("calm", 0.5)):
        await graph.stars.add(id.title(), id=id, domain="health", brightness=brightness)
    await graph.stars.connect("sea", "sail")
    await graph.stars.connect("sail", "calm", "BLOCKS")
    for day in range(days):
        await graph.stars.engage("sea", gains=[0.02 * (day % 4)])
        await graph.stars.evidence("sea", "sail", "user_confirms", source=f"journal {day}")
        clock.advance(days=1)
        await graph.stars.close_day(clock.now().date() - timedelta(days=1))


async def _state(graph: Graph) -> set[str]:
    """All that closes write, as an export has it."""
    query = """
        MATCH (n) WHERE n.realm = $realm AND NOT n:Realm AND NOT n:KeptStar AND NOT n:KeptConnection
          AND NOT coalesce(n.id, '') IN ['stars/kept', 'stars/close/started']
          AND NOT (n:Cursor AND n.id STARTS WITH 'sweep ')
        OPTIONAL MATCH (n)-[r]->(other)
        RETURN labels(n) AS labels, n {.*, id: CASE WHEN n:ConnectionChange THEN '' ELSE n.id END,
          locked_at: null} AS node,
          collect(CASE WHEN r IS NOT NULL THEN [type(r), other.id, r {.*}] END) AS out"""
    answer = await run_cypher(graph, query)
    rows = answer
    return {str(_sorted([row["labels"], row["node"], row["out"]])) for row in rows}


def _sorted(value: Any) -> Any:
    """Maps as sorted pairs and lists of lists in an order of their own."""
    if isinstance(value, dict):
        return sorted((key, str(_sorted(each))) for key, each in value.items())
    inner = isinstance(value, list) and any(isinstance(each, (list, dict)) for each in value)
    return sorted(map(str, map(_sorted, value))) if inner else value


@pytest.mark.slow
async def test_many_open_days_are_closed_only_if_allowed(graph: Graph, clock: FixedClock) -> None:
    await _live(graph, clock, days=1)
    clock.advance(days=41)
    yesterday = clock.now().date() - timedelta(days=1)
    with pytest.raises(Conflict, match=r"41 days are open, 2026-03-03 to .*max_days=41"):
        await graph.stars.close_day(yesterday)
    with pytest.raises(Conflict, match="41 days are open"):
        await graph.stars.engage("sea")
    assert (await graph.stars.close_day(yesterday, max_days=41)).days == 41


@pytest.mark.slow
async def test_forty_open_days_are_closed_without_asking(graph: Graph, clock: FixedClock) -> None:
    await _live(graph, clock, days=1)
    clock.advance(days=40)
    assert (await graph.stars.close_day(clock.now().date() - timedelta(days=1))).days == 40


@pytest.mark.slow
async def test_a_clock_behind_the_closed_days_is_reported(graph: Graph, clock: FixedClock) -> None:
    await _live(graph, clock, days=1)
    clock.advance(days=30)
    await graph.stars.close_day(clock.now().date())
    clock.advance(days=-30)
    report = await graph.stars.close_day(clock.now().date())
    assert report.days == 0
    assert "days are closed through 2026-04-02, and today is 2026-03-03" in report.warning
    [job] = await graph.maintenance.run("stars-close-day")
    assert "closed through 2026-04-02" in job.message
    broken = await graph.stars.verify()
    assert "no closed day lies ahead of the clock" in {offence.rule for offence in broken}
    clock.advance(days=30)


@pytest.mark.slow
async def test_reopening_undoes_what_a_wrong_clock_closed(graph: Graph, clock: FixedClock) -> None:
    """After it the graph is what it was, to the last property."""
    await _live(graph, clock)
    today, before = clock.now(), await _state(graph)
    clock.advance(days=700)
    await graph.stars.close_day(clock.now().date(), max_days=1000)
    assert (await graph.stars.get("sea")).state == "DORMANT"
    clock.set(today)
    report = await graph.stars.reopen(today.date())
    assert report.closed_through == today.date() - timedelta(days=1)
    assert report.warning == ""
    assert await _state(graph) == before
    await graph.stars.engage("sea", gains=[0.03])


@pytest.mark.slow
async def test_reopening_a_later_day_closes_the_days_before_it_again(
    graph: Graph, clock: FixedClock
) -> None:
    await _live(graph, clock)
    wrong = clock.now() + timedelta(days=60)
    right = clock.now() + timedelta(days=3)
    clock.set(wrong)
    await graph.stars.close_day(wrong.date(), max_days=100)
    clock.set(right)
    report = await graph.stars.reopen(right.date())
    assert (report.days, report.closed_through) == (3, right.date() - timedelta(days=1))
    with pytest.raises(Conflict, match=r"2026-03-12 can't be reopened"):
        await graph.stars.reopen(date(2026, 3, 22) - timedelta(days=10))


@pytest.mark.slow
async def test_reopening_is_refused_without_a_snapshot(graph: Graph, clock: FixedClock) -> None:
    await _live(graph, clock, days=3)
    with pytest.raises(Conflict, match=r"can't be reopened: values are kept .* backup"):
        await graph.stars.reopen(MONDAY)


@pytest.mark.slow
@pytest.mark.parametrize("act", ["engage", "evidence", "add", "remove", "retire"])
async def test_reopening_is_refused_after_an_act(graph: Graph, clock: FixedClock, act: str) -> None:
    """Acts of a user since then can't be separated from those of the closes."""
    acts: dict[str, Callable[[], Awaitable[object]]] = {
        "engage": lambda: graph.stars.engage("calm"),
        "evidence": lambda: graph.stars.connect("sea", "sail"),
        "add": lambda: graph.stars.add("Wind", id="wind", domain="health"),
        "remove": lambda: graph.stars.remove("calm"),
        "retire": lambda: graph.stars.retire("sea", "sail"),
    }
    await _live(graph, clock, days=2)
    first = clock.now().date()
    clock.advance(days=9)
    await graph.stars.close_day(clock.now().date() - timedelta(days=1))
    await acts[act]()
    with pytest.raises(Conflict, match=r"since then there were [1-9]"):
        await graph.stars.reopen(first)


@pytest.mark.slow
async def test_only_the_latest_long_catch_up_has_a_snapshot(
    graph: Graph, clock: FixedClock
) -> None:
    await _live(graph, clock, days=2)
    for _ in range(2):
        clock.advance(days=9)
        await graph.stars.close_day(clock.now().date() - timedelta(days=1))
    with pytest.raises(Conflict, match="the last one closed 2026-03-13 to 2026-03-21"):
        await graph.stars.reopen(date(2026, 3, 5))
    report = await graph.stars.reopen(date(2026, 3, 13))
    assert report.closed_through == date(2026, 3, 12)


@pytest.mark.slow
async def test_commands_ask_before_many_closes_and_reopen_them(
    open_graph: OpenGraph, command_line: CommandLine
) -> None:
    """The command works with the real clock: the star's last open day lies far behind."""
    graph = await open_graph(clock=FixedClock((await _now()) - timedelta(days=50)))
    await graph.stars.add("Sea", id="sea", domain="health")
    where = ("--realm", graph.realm)
    with pytest.raises(AssertionError, match="days are open"):
        command_line.output("star", "close-day", *where)
    assert "Closed" in command_line.output("star", "close-day", "--yes", *where)
    first = (graph.clock.now() + timedelta(days=1)).date().isoformat()
    assert "closed through" in command_line.output("star", "reopen", first, *where)


async def _now() -> Any:
    from asterism.clock import SystemClock

    return SystemClock().now()
