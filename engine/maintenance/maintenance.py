"""`graph.maintenance`: the work that has to be done from time to time, and what came of it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.clock import Moment, aware
from engine.consolidation import Consolidation
from engine.database import Database
from engine.errors import AsterismError, InvalidInput
from engine.maintenance.jobs import WORK, Done
from engine.maintenance.lease import Lease
from engine.maintenance.model import Job, JobReport, Offender
from engine.memories import Memories
from engine.realms import Realms

ELSEWHERE = "running elsewhere"


@dataclass(frozen=True)
class Parts:
    """What the jobs work with."""

    database: Database
    memories: Memories
    consolidation: Consolidation
    realms: Realms


class Maintenance:
    """Runs jobs: twice, from two places at once or never, the graph stays right."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._database = parts.database

    async def run(self, job: str | None = None, *, at: Moment | None = None) -> list[JobReport]:
        """Run one job, or all in their order; a job that fails keeps no other from running."""
        return [report async for report in self.each(job, at=at)]

    async def each(
        self, job: str | None = None, *, at: Moment | None = None
    ) -> AsyncIterator[JobReport]:
        """The same, each report as soon as its job has ended."""
        chosen = list(Job) if job is None else [job_named(job)]
        given = None if at is None else aware(at)
        for one in chosen:
            yield await self._one(one, given)

    async def history(self, limit: int = 20) -> list[JobReport]:
        """The latest jobs, newest first; what a killed process left is told as broken off."""
        if limit < 1:
            raise InvalidInput("limit", limit, "give how many jobs to return, 1 or more")
        rows = await self._database.rows("maintenance/history", limit=limit)
        return [_told(row) for row in rows]

    async def _one(self, job: Job, at: datetime | None) -> JobReport:
        clock = self._database.clock
        started = clock.now() if at is None else at
        lease = Lease(self._database, job)
        try:
            if not await lease.claim(started):
                return JobReport(job=job, started_at=started, message=ELSEWHERE)
            async with lease.kept():
                done, ok = await self._attempt(job, started)
                finished = clock.now() if at is None else at
                await lease.finish(done, finished, ok=ok)
        except asyncio.CancelledError:
            with suppress(AsterismError):
                told = lease.finish(Done(message="interrupted"), clock.now(), ok=False)
                await asyncio.shield(told)
            raise
        except AsterismError as error:  # the graph itself is out of reach
            done, ok, finished = Done(message=_said(error)), False, clock.now()
        return JobReport(
            job=job,
            run=lease.run,
            started_at=started,
            finished_at=finished,
            changed=done.changed,
            counts=done.counts,
            offenders=done.offenders,
            ok=ok,
            message=done.message,
        )

    async def _attempt(self, job: Job, at: datetime) -> tuple[Done, bool]:
        """Whatever goes wrong, a broken model or a full disk, is this job's matter alone."""
        try:
            done = await WORK[job](self._parts, at)
        except Exception as error:
            return Done(message=_said(error)), False
        return done, not done.offenders


def job_named(name: str) -> Job:
    """The job of this name, or a refusal that names them all."""
    if name not in set(Job):
        raise InvalidInput("job", name, f"give one of {', '.join(Job)}, or none for all of them")
    return Job(name)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _told(row: dict[str, Any]) -> JobReport:
    status = row.pop("status")
    offenders = [Offender(**each) for each in json.loads(row.pop("offenders") or "[]")]
    parsed = {name: json.loads(row.pop(name) or "{}") for name in ("changed", "counts")}
    message = row.pop("message") or (status if status not in ("done", "failed") else "")
    ok = status in ("done", "running")
    return JobReport(**row, **parsed, offenders=offenders, ok=ok, message=message)
