"""Reads how far a realm is consolidated, and the list of its consolidated memories."""

from typing import Any, NamedTuple

from asterism.database import Database
from asterism.row_types import row_of


@row_of("consolidation/read_progress")
class Progress(NamedTuple):
    """Row of consolidation/read_progress."""

    token: str
    promoted_seq: int
    run: str | None
    promoted_to: int | None
    forgotten_count: int


@row_of("consolidation/list_consolidated")
class ConsolidatedList(NamedTuple):
    """Row of consolidation/list_consolidated."""

    numbers: list[int]
    hours: list[float]
    means: list[float]
    deviations: list[float]
    retagged: list[dict[str, Any]]


async def read_progress(database: Database, run: str | None = None) -> Progress | None:
    """Return how far a realm is consolidated, or None before its first text."""
    row = await database.row("consolidation/read_progress", run=run)
    return Progress(**row) if row else None


async def list_consolidated(database: Database, last_seq: int) -> ConsolidatedList:
    """Return the consolidated memories up to a number, with what may change of them."""
    row = await database.one("consolidation/list_consolidated", last_seq=last_seq)
    return ConsolidatedList(**row)
