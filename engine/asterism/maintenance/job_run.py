"""One run of one job, claimed by a lease that a killed process leaves to run out."""

import json
import uuid
from contextlib import AbstractAsyncContextManager
from datetime import datetime

from asterism.clock import wall
from asterism.database import Database
from asterism.lease import lease_end, renewing
from asterism.maintenance.models import Job, JobResult


class JobRun:
    """The right of this process to run a job, and the entry of the run in the history."""

    def __init__(self, database: Database, job: Job) -> None:
        self._database = database
        self._seconds = database.settings.maintenance.lease_s
        self._job = job
        self.id = uuid.uuid4().hex

    async def claim(self, at: datetime) -> bool:
        """Take the job, unless another process has it."""
        times = {"now": at, "moment": wall(), "until": lease_end(self._seconds)}
        row = await self._database.one("maintenance/claim", job=self._job, run=self.id, **times)
        return bool(row["claimed"])

    def renewing(self) -> AbstractAsyncContextManager[None]:
        """Renew the lease for as long as this process works on the job."""
        return renewing(self._seconds, self._renew)

    async def finish(self, result: JobResult, at: datetime, *, ok: bool) -> None:
        """Store the result, and release the job."""
        status = "done" if ok else "failed"
        properties = {
            "status": status,
            "message": result.message,
            "changed": json.dumps(result.changed),
            "counts": json.dumps(result.counts),
            "offenders": json.dumps([offender.model_dump() for offender in result.offenders]),
            "caption": f"{self._job}: {status}",
        }
        await self._database.rows(
            "maintenance/finish", job=self._job, run=self.id, now=at, properties=properties
        )

    async def _renew(self) -> None:
        until = lease_end(self._seconds)
        await self._database.rows("maintenance/renew", job=self._job, run=self.id, until=until)
