"""Search of all parts for whatever breaks a rule that must always hold."""

from collections import Counter
from typing import Any, NamedTuple

from asterism.consolidation.cache_erasure import forgotten_in_cache
from asterism.consolidation.duplicate_restore import read_duplicates
from asterism.database import Database
from asterism.maintenance.models import Offender
from asterism.memories.corrected_ground import CorrectedGrounds
from asterism.row_types import row_of
from asterism.settings import Settings

LONGEST_PASSAGE = 60
STATEMENTS = {
    "stars": "stars/verify",
    "memories": "maintenance/verify/memories",
    "consolidation": "maintenance/verify/consolidation",
    "causality": "maintenance/verify/causality",
    "exploration": "maintenance/verify/exploration",
    "recall": "maintenance/verify/recall",
    "realms": "maintenance/verify/realms",
}


@row_of(*(name for part, name in STATEMENTS.items() if part != "stars"))
class BrokenRule(NamedTuple):
    """Row of the statements above, where stars/verify expects nothing."""

    rule: str
    id: str
    value: object
    expected: str | None = None


async def verify(database: Database) -> list[Offender]:
    """Return whatever breaks a rule in any part, an empty list if all is well.

    Others may be writing between two statements of one search, so an offender counts only if a
    second search returns exactly the same.
    """
    first = [offender for part in STATEMENTS for offender in await _search(database, part)]
    parts = dict.fromkeys(offender.part for offender in first)
    second = {offender for part in parts for offender in await _search(database, part)}
    return [offender for offender in first if offender in second]


async def corrected_note(database: Database) -> str:
    """Return what stands on corrected memories in words, which breaks no rule, or nothing."""
    most = database.settings.maintenance.offenders
    grounds = await CorrectedGrounds(database).find(None, most)
    if not grounds:
        return ""
    counts = ", ".join(f"{kind} {n}" for kind, n in Counter(one.kind for one in grounds).items())
    more = "at least " if len(grounds) == most else ""
    return (
        f"{more}{len(grounds)} stand on corrected memories ({counts}): "
        f"`asterism memory corrected` lists them"
    )


def arguments(part: str, settings: Settings) -> dict[str, Any]:
    """Return the arguments of a part's statement, from the settings of that part."""
    if part == "consolidation":
        return {"ceiling": settings.consolidation.max_similar_degree}
    if part == "recall":
        return {"exact_counts": settings.recall.exact_counts}
    return {}


async def _search(database: Database, part: str) -> list[Offender]:
    rows = await database.rows(STATEMENTS[part], **arguments(part, database.settings))
    offenders = [_offender(part, BrokenRule(**row)) for row in rows]
    if part == "consolidation":
        offenders += await _changed_duplicates(database)
        offenders += await _orphaned_vectors(database)
    return offenders[: database.settings.maintenance.offenders]


async def _changed_duplicates(database: Database) -> list[Offender]:
    """Return the duplicates that do not say what their originals say."""
    rule = "a duplicate says the same as its original"
    expected = "what its original says, after a rebuild"
    return [
        _offender(
            "consolidation", BrokenRule(rule, row.id, row.passage[:LONGEST_PASSAGE], expected)
        )
        async for row in read_duplicates(database)
        if not row.same
    ]


async def _orphaned_vectors(database: Database) -> list[Offender]:
    """Return the vectors that this machine stores of memories that no longer exist."""
    rule, expected = "a kept vector belongs to a memory", "none, after `asterism consolidate`"
    ids = await forgotten_in_cache(database)
    return [_offender("consolidation", BrokenRule(rule, id, "a vector", expected)) for id in ids]


def _offender(part: str, row: BrokenRule) -> Offender:
    found = None if row.value is None else str(row.value)
    return Offender(part=part, invariant=row.rule, id=row.id, found=found, expected=row.expected)
