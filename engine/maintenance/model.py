"""What maintenance reports."""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Job(StrEnum):
    """What there is to do, in the order in which it is done."""

    CLOSE_DAY = "stars-close-day"
    ARCHIVE = "memories-archive"
    CONSOLIDATE = "consolidate"
    PRUNE = "prune"
    VERIFY = "verify"
    STATS = "stats"


class Frozen(BaseModel):
    """Base of what comes out."""

    model_config = ConfigDict(frozen=True)


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
    changed: dict[str, int] = {}
    counts: dict[str, int] = {}
    offenders: list[Offender] = []
    ok: bool = True
    message: str = ""
    run: str | None = None
