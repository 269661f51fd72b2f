"""Asks every part for what breaks its rules."""

from engine.database import Database, Row
from engine.maintenance.model import Offender


async def verify(database: Database) -> list[Offender]:
    """Whatever breaks a rule in any part; nothing, if all is well.

    Others may be writing between two readings of one look. What a first look finds is told only if
    a second one finds exactly the same.
    """
    found = await _look(database)
    if not found:
        return []
    again = set(await _look(database))
    return [offender for offender in found if offender in again]


async def _look(database: Database) -> list[Offender]:
    run, settings = database.rows, database.settings
    most = settings.maintenance.offenders
    rules = [_rule(row) for row in await run("stars/verify")]
    looks = {
        "stars": rules[:most],
        "memories": await run("maintenance/verify/memories"),
        "consolidation": await run(
            "maintenance/verify/consolidation",
            ceiling=settings.consolidation.max_similar_degree,
        ),
        "causality": await run("maintenance/verify/causality"),
        "exploration": await run("maintenance/verify/exploration"),
        "recall": await run("maintenance/verify/recall", exact_counts=settings.recall.exact_counts),
        "realms": await run("maintenance/verify/realms"),
    }
    return [Offender(part=part, **row) for part, rows in looks.items() for row in rows]


def _rule(row: Row) -> Row:
    """The stars' own statement tells a rule, and the value that breaks it."""
    value = row["value"]
    found = None if value is None else str(value)
    return {"invariant": row["rule"], "id": row["id"], "found": found, "expected": None}
