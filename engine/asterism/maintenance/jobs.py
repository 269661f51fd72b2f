"""Work of each job: close a day, archive, consolidate, prune, verify, count."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from asterism.answer_changes import AnswerChange, AnswerWatch, NoWatch
from asterism.causality.causality import Causality
from asterism.clock import FixedClock
from asterism.consolidation import Consolidation
from asterism.consolidation.cache_erasure import remove_remains
from asterism.database import Database
from asterism.maintenance.models import Job, JobResult, Offender
from asterism.maintenance.verify import corrected_note, verify
from asterism.memories import Memories
from asterism.realms import Realms
from asterism.stars import Stars

DAY_COUNTS = {
    "days",
    "went_dormant",
    "dissolved",
    "detected",
    "predictions_issued",
    "predictions_verified",
    "predictions_expired",
}
CONSOLIDATION_COUNTS = {"promoted", "embedded", "edges_created", "displaced"}


@dataclass(frozen=True)
class Parts:
    """The parts that the jobs work with."""

    database: Database
    memories: Memories
    consolidation: Consolidation
    realms: Realms
    causality: Causality
    answers: AnswerWatch = field(default_factory=NoWatch)


async def close_day(parts: Parts, at: datetime) -> JobResult:
    """Close the day before, and any day before that which is still open.

    With the setting `stars.reflect` it also gives the evidence that texts show.
    """
    stars = Stars(replace(parts.database, clock=FixedClock(at)))
    report = await stars.close_day((at - timedelta(days=1)).date())
    changed = report.model_dump(include=DAY_COUNTS) | {"type_changes": len(report.type_changes)}
    if parts.database.settings.stars.reflect:
        changed["reflected"] = (await stars.reflect(apply=True)).counted
    return JobResult(changed=changed, message=report.warning)


async def archive(parts: Parts, at: datetime) -> JobResult:
    """Mark the memories that have faded below their end."""
    return JobResult(changed={"archived": await parts.memories.archive(at)})


async def consolidate(parts: Parts, at: datetime) -> JobResult:
    """Connect the texts that wait, and embed recorded lines that have no vector yet.

    They are learned when that happens, by the graph's own clock.
    """
    report = await parts.consolidation.consolidate()
    changed = report.model_dump(include=CONSOLIDATION_COUNTS)
    changed |= {"lines_embedded": count} if (count := await parts.causality.embed()) else {}
    changed |= {"duplicates": len(report.duplicates), "set_aside": len(report.set_aside)}
    changed |= _count_answers(report.answers_changed)
    lines = [*report.warnings, *map(str, report.answers_changed)]
    return JobResult(changed=changed, message="; ".join(lines))


async def prune(parts: Parts, at: datetime) -> JobResult:
    """Remove faded edges, connections that slept too long, old bookkeeping, and remains of texts
    that were forgotten."""
    database = replace(parts.database, clock=FixedClock(at))
    changed = {
        "edges": await parts.consolidation.prune(at),
        "connections": await Stars(database).archive(),
        "runs": len(await database.rows("maintenance/prune_history")),
        "remains": await remove_remains(database),
    }
    answers = await parts.answers.changes()
    message = "; ".join(map(str, answers))
    return JobResult(changed=changed | _count_answers(answers), message=message)


async def check(parts: Parts, at: datetime) -> JobResult:
    """Look for whatever breaks a rule which must always hold, in all parts."""
    offenders = await verify(parts.database)
    notes = [_verdict(offenders), await corrected_note(parts.database)]
    return JobResult(offenders=offenders, message="; ".join(filter(None, notes)))


async def count(parts: Parts, at: datetime) -> JobResult:
    """Count what there is, so that the history tells how it grows."""
    stats = await parts.realms.stats()
    return JobResult(counts=stats.nodes | stats.relationships)


WORK: dict[Job, Callable[[Parts, datetime], Awaitable[JobResult]]] = {
    Job.CLOSE_DAY: close_day,
    Job.ARCHIVE: archive,
    Job.CONSOLIDATE: consolidate,
    Job.PRUNE: prune,
    Job.VERIFY: check,
    Job.STATS: count,
}


def _count_answers(changes: Sequence[AnswerChange]) -> dict[str, int]:
    """Return how many answers to pinned questions changed, if any."""
    return {"answers": len(changes)} if changes else {}


def job_descriptions() -> dict[Job, str]:
    """Return one line about each job."""
    return {job: (work.__doc__ or "").splitlines()[0] for job, work in WORK.items()}


def _verdict(offenders: list[Offender]) -> str:
    if not offenders:
        return "every rule holds"
    first = offenders[0]
    more = f", and {len(offenders) - 1} more" if len(offenders) > 1 else ""
    verdict = f"{first.part}: {first.invariant}, but {first.id} has {first.found}"
    return f"{verdict}, not {first.expected}{more}"
