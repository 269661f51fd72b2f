"""What maintenance reports."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from engine.frozen import Frozen


class Job(StrEnum):
    """What there is to do, in the order in which it is done."""

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


class JobReport(Frozen):
    """How one job went: what it changed, or what it found."""

    job: Job
    started_at: datetime
    finished_at: datetime | None = None
    changed: dict[str, int] = Field(default_factory=dict)
    counts: dict[str, int] = Field(default_factory=dict)
    offenders: list[Offender] = Field(default_factory=list)
    ok: bool = True
    message: str = ""
    run: str | None = None
