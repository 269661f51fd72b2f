"""Types of maintenance: jobs, their reports, and what breaks a rule."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from asterism.base_model import Frozen


class Job(StrEnum):
    """Jobs, in the order in which they run."""

    CLOSE_DAY = "stars-close-day"
    ARCHIVE = "memories-archive"
    CONSOLIDATE = "consolidate"
    PRUNE = "prune"
    VERIFY = "verify"
    STATS = "stats"


class Offender(Frozen):
    """Something that breaks a rule which must always hold."""

    part: str
    invariant: str
    id: str
    found: str | None = None
    expected: str | None = None


class JobResult(Frozen):
    """Changes, counts and offenders of a job, before they become a report."""

    changed: dict[str, int] = Field(default_factory=dict)
    counts: dict[str, int] = Field(default_factory=dict)
    offenders: list[Offender] = Field(default_factory=list)
    message: str = ""


class JobReport(Frozen):
    """Report of one job: its changes, counts, offenders, success."""

    job: Job
    started_at: datetime
    finished_at: datetime | None = None
    changed: dict[str, int] = Field(default_factory=dict)
    counts: dict[str, int] = Field(default_factory=dict)
    offenders: list[Offender] = Field(default_factory=list)
    ok: bool = True
    message: str = ""
    run: str | None = None
