"""Maintenance of a graph: jobs run under a lease, and the history of their runs."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from asterism.clock import Moment, aware
from asterism.errors import AsterismError, InvalidInput
from asterism.maintenance.job_run import JobRun
from asterism.maintenance.jobs import WORK, Parts
from asterism.maintenance.models import Job, JobReport, JobResult
from asterism.row_types import row_of

ELSEWHERE = "running elsewhere"


@row_of("maintenance/history")
class HistoryRow(NamedTuple):
    """Row of maintenance/history."""

    run: str
    job: str
    started_at: datetime
    finished_at: datetime | None
    status: str
    message: str
    changed: str | None
    counts: str | None
    offenders: str | None


class Maintenance:
    """Runs jobs: twice, from two places at once or never, the graph stays right."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._database = parts.database

    async def run(self, job: str | None = None, *, at: Moment | None = None) -> list[JobReport]:
        """Run one job, or all in their order, even if one of them fails."""
        return [report async for report in self.each(job, at=at)]

    async def each(
        self, job: str | None = None, *, at: Moment | None = None
    ) -> AsyncIterator[JobReport]:
        """Run jobs, and yield each report as soon as its job has ended."""
        jobs = list(Job) if job is None else [job_named(job)]
        time = None if at is None else aware(at)
        for each in jobs:
            yield await self._run(each, time)

    async def history(self, limit: int = 20) -> list[JobReport]:
        """Return the latest runs, newest first, those of killed processes as broken off."""
        if limit < 1:
            raise InvalidInput("limit", limit, "give how many jobs to return, 1 or more")
        rows = await self._database.rows("maintenance/history", limit=limit)
        return [_report(HistoryRow(**row)) for row in rows]

    async def _run(self, job: Job, at: datetime | None) -> JobReport:
        clock = self._database.clock
        started = clock.now() if at is None else at
        run = JobRun(self._database, job)
        try:
            if not await run.claim(started):
                return JobReport(job=job, started_at=started, message=ELSEWHERE)
            async with run.renewing():
                result, ok = await self._attempt(job, started)
                finished = clock.now() if at is None else at
                await run.finish(result, finished, ok=ok)
        except asyncio.CancelledError:
            with suppress(AsterismError):
                interrupted = JobResult(message="interrupted")
                await asyncio.shield(run.finish(interrupted, clock.now(), ok=False))
            raise
        except AsterismError as error:  # the graph itself is out of reach
            result, ok, finished = _failure(error), False, clock.now()
        return JobReport(
            job=job,
            run=run.id,
            started_at=started,
            finished_at=finished,
            ok=ok,
            **dict(result),
        )

    async def _attempt(self, job: Job, at: datetime) -> tuple[JobResult, bool]:
        """Do the work of a job, whose failure for any reason concerns this job alone."""
        try:
            result = await WORK[job](self._parts, at)
        except Exception as error:
            return _failure(error), False
        return result, not result.offenders


def job_named(name: str) -> Job:
    """Return the job of this name, or refuse with the names of all."""
    if name not in set(Job):
        raise InvalidInput("job", name, f"give one of {', '.join(Job)}, or none for all of them")
    return Job(name)


def _failure(error: Exception) -> JobResult:
    return JobResult(message=f"{type(error).__name__}: {error}")


def _report(row: HistoryRow) -> JobReport:
    return JobReport(
        run=row.run,
        job=Job(row.job),
        started_at=row.started_at,
        finished_at=row.finished_at,
        changed=json.loads(row.changed or "{}"),
        counts=json.loads(row.counts or "{}"),
        offenders=json.loads(row.offenders or "[]"),
        ok=row.status in ("done", "running"),
        message=row.message or (row.status if row.status not in ("done", "failed") else ""),
    )
