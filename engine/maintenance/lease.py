"""One runner at a time: a job's lease in the graph, which a killed runner leaves to run out."""

import json
import uuid
from contextlib import AbstractAsyncContextManager
from datetime import datetime

from engine.clock import wall
from engine.database import Database
from engine.maintenance.jobs import Done
from engine.maintenance.model import Job
from engine.renewal import renewing


class Lease:
    """The right to run one job, and the place where it is written down how that went."""

    def __init__(self, database: Database, job: Job) -> None:
        self._database = database
        self._seconds = database.settings.maintenance.lease_s
        self._job = job
        self.run = uuid.uuid4().hex

    async def claim(self, at: datetime) -> bool:
        """Take the job; no, if somebody else is at it."""
        lasts = {"moment": wall(), "until": self._end()}
        row = await self._database.row(
            "maintenance/claim", job=self._job, run=self.run, now=at, **lasts
        )
        return bool(row and row["claimed"])

    def kept(self) -> AbstractAsyncContextManager[None]:
        """Keep the job for as long as this process is at work on it."""
        return renewing(self._seconds, self._renew)

    async def finish(self, done: Done, at: datetime, *, ok: bool) -> None:
        """Write down how it went, and let go of the job."""
        status = "done" if ok else "failed"
        properties = {
            "status": status,
            "message": done.message,
            "changed": json.dumps(done.changed),
            "counts": json.dumps(done.counts),
            "offenders": json.dumps([offender.model_dump() for offender in done.offenders]),
            "caption": f"{self._job}: {status}",
        }
        await self._database.rows(
            "maintenance/finish", job=self._job, run=self.run, now=at, properties=properties
        )

    async def _renew(self) -> None:
        await self._database.rows(
            "maintenance/renew", job=self._job, run=self.run, until=self._end()
        )

    def _end(self) -> int:
        return wall() + round(self._seconds * 1e6)
