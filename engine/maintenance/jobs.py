"""What each job does: every one of them is a part's own method, none is written a second time."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engine.clock import FixedClock
from engine.consolidation.erasure import remove_remains
from engine.maintenance.model import Job, Offender
from engine.maintenance.verify import verify
from engine.stars import Stars

if TYPE_CHECKING:
    from engine.maintenance.maintenance import Parts

CLOSED = (
    "days",
    "went_dormant",
    "dissolved",
    "detected",
    "predictions_issued",
    "predictions_verified",
    "predictions_expired",
)


@dataclass(frozen=True)
class Done:
    """What came of a job."""

    changed: dict[str, int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    offenders: list[Offender] = field(default_factory=list)
    message: str = ""


async def close_day(parts: "Parts", at: datetime) -> Done:
    """Close the day before, and any day before that which is still open."""
    moved = replace(parts.database, clock=FixedClock(at))
    report = await Stars(moved).close_day((at - timedelta(days=1)).date())
    changed = report.model_dump(include=set(CLOSED))
    return Done(changed | {"type_changes": len(report.type_changes)}, message=report.warning)


async def archive(parts: "Parts", at: datetime) -> Done:
    """Mark the memories that have faded below their end."""
    return Done({"archived": await parts.memories.archive(at)})


async def consolidate(parts: "Parts", at: datetime) -> Done:
    """Connect the texts that wait.

    They are learned when that happens, by the graph's own clock.
    """
    report = await parts.consolidation.consolidate()
    changed = report.model_dump(
        include={"promoted", "embedded", "edges_created", "displaced"},
    )
    lost = {"duplicates": len(report.duplicates), "set_aside": len(report.set_aside)}
    return Done(changed | lost, message="; ".join(report.warnings))


async def prune(parts: "Parts", at: datetime) -> Done:
    """Remove faded edges, connections that slept too long, old bookkeeping, and remains of texts
    that were forgotten."""
    moved = replace(parts.database, clock=FixedClock(at))
    edges = await parts.consolidation.prune(at)
    connections = await Stars(moved).archive()
    runs = len(await moved.rows("maintenance/prune_history"))
    remains = await remove_remains(moved)
    return Done({"edges": edges, "connections": connections, "runs": runs, "remains": remains})


async def check(parts: "Parts", at: datetime) -> Done:
    """Look for whatever breaks a rule which must always hold, in all parts."""
    offenders = await verify(parts.database)
    return Done(offenders=offenders, message=_told(offenders))


async def count(parts: "Parts", at: datetime) -> Done:
    """Count what there is, so that the history tells how it grows."""
    found = await parts.realms.stats()
    return Done(counts=found.nodes | found.relationships)


WORK: dict[Job, Callable[["Parts", datetime], Awaitable[Done]]] = {
    Job.CLOSE_DAY: close_day,
    Job.ARCHIVE: archive,
    Job.CONSOLIDATE: consolidate,
    Job.PRUNE: prune,
    Job.VERIFY: check,
    Job.STATS: count,
}


def about() -> dict[Job, str]:
    """What each job does, in one line."""
    return {job: (work.__doc__ or "").splitlines()[0] for job, work in WORK.items()}


def _told(offenders: list[Offender]) -> str:
    if not offenders:
        return "every rule holds"
    first = offenders[0]
    more = f", and {len(offenders) - 1} more" if len(offenders) > 1 else ""
    told = f"{first.part}: {first.invariant}, but {first.id} has {first.found}"
    return f"{told}, not {first.expected}{more}"
