"""Asks every part for what breaks its rules."""

from typing import Any

from engine.consolidation.erasure import stale
from engine.consolidation.restore import read_duplicates
from engine.database import Database, Row
from engine.maintenance.model import Offender
from engine.settings import Settings

SAME = "a duplicate says the same as its original"
SHOWN = 60  # characters of a text
LOOKS = {
    "stars": "stars/verify",
    "memories": "maintenance/verify/memories",
    "consolidation": "maintenance/verify/consolidation",
    "causality": "maintenance/verify/causality",
    "exploration": "maintenance/verify/exploration",
    "recall": "maintenance/verify/recall",
    "realms": "maintenance/verify/realms",
}


async def verify(database: Database) -> list[Offender]:
    """Whatever breaks a rule in any part; nothing, if all is well.

    Others may be writing between two readings of one look. What a first look finds is told only if
    a second one finds exactly the same.
    """
    found = [offender for part in LOOKS for offender in await _look(database, part)]
    if not found:
        return []
    parts = dict.fromkeys(offender.part for offender in found)
    again = {offender for part in parts for offender in await _look(database, part)}
    return [offender for offender in found if offender in again]


def arguments(statement: str, settings: Settings) -> dict[str, Any]:
    """What a statement needs from the settings of the part that it looks into."""
    if statement.endswith("/consolidation"):
        return {"ceiling": settings.consolidation.max_similar_degree}
    if statement.endswith("/recall"):
        return {"exact_counts": settings.recall.exact_counts}
    return {}


async def _look(database: Database, part: str) -> list[Offender]:
    rows = await database.rows(LOOKS[part], **arguments(LOOKS[part], database.settings))
    if part == "consolidation":
        rows += await _other_words(database)
        rows += await _kept_vectors(database)
    most = database.settings.maintenance.offenders
    return [Offender(part=part, **_rule(row)) for row in rows[:most]]


async def _other_words(database: Database) -> list[Row]:
    """Return the duplicates that do not say what their originals say."""
    rule = {"invariant": SAME, "expected": "what its original says, after a rebuild"}
    return [
        rule | {"id": row["id"], "found": row["passage"][:SHOWN]}
        async for row in read_duplicates(database)
        if not row["same"]
    ]


async def _kept_vectors(database: Database) -> list[Row]:
    """The vectors that are kept beside the store on this machine, of memories that are gone."""
    rule = {"invariant": "a kept vector belongs to a memory", "found": "a vector"}
    return [
        rule | {"id": id, "expected": "none, after `asterism consolidate`"}
        for id in await stale(database)
    ]


def _rule(row: Row) -> Row:
    """The stars' own statement tells a rule, and the value that breaks it."""
    if "rule" not in row:
        return row
    found = None if row["value"] is None else str(row["value"])
    return {"invariant": row["rule"], "id": row["id"], "found": found}
