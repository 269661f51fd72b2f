"""Removal of all that a realm holds."""

from collections.abc import Callable

from asterism.database import Database


async def delete_contents(
    database: Database, on_progress: Callable[[int], None] | None = None
) -> tuple[int, int]:
    """Delete all of a realm but its name and return the numbers of nodes and relationships."""
    report = on_progress or (lambda count: None)
    relationships = await _run_batches(database, "realms/delete_relationships", report)
    return await _run_batches(database, "realms/delete_nodes", report), relationships


async def _run_batches(database: Database, statement: str, report: Callable[[int], None]) -> int:
    count = 0
    async for row in database.stream(statement):
        count += row["deleted"]
        report(row["deleted"])
    return count
