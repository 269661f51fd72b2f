"""Jobs: what they do, what they tell, and that they get in nobody's way."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest

from engine.clock import FixedClock
from engine.errors import InvalidInput
from engine.graph import Graph
from engine.maintenance import Job, JobReport
from tests.conftest import OpenGraph
from tests.maintenance_world import begin, live
from tests.stars_world import run

NAMES = [job.value for job in Job]


async def town(graph: Graph, clock: FixedClock, days: int) -> None:
    """Some days in the life of a town, maintained every evening but the last."""
    await begin(graph)
    for day in range(days):
        await live(graph, day)
        clock.advance(days=1)
        if day < days - 1:
            assert [report.job for report in await graph.maintenance.run()] == NAMES


async def test_all_jobs_run_in_their_order_and_find_nothing_wrong(
    graph: Graph, clock: FixedClock
) -> None:
    await town(graph, clock, 8)
    reports = {report.job: report for report in await graph.maintenance.run()}
    assert list(reports) == NAMES
    assert [report.message for report in reports.values() if not report.ok] == []
    assert reports[Job.VERIFY].offenders == []
    assert reports[Job.CLOSE_DAY].changed["days"] == 1
    assert reports[Job.CONSOLIDATE].changed["promoted"] > 0
    assert reports[Job.CONSOLIDATE].changed["duplicates"] == 1
    counts = (await graph.realms.stats()).nodes
    assert reports[Job.STATS].counts["Star"] == counts["Star"] == 4
    again = {report.job: report for report in await graph.maintenance.run()}
    assert not any(amount for report in again.values() for amount in report.changed.values())


async def test_nothing_to_do_is_done_too(graph: Graph) -> None:
    reports = await graph.maintenance.run()
    assert all(report.ok for report in reports)
    assert not any(amount for report in reports for amount in report.changed.values())
