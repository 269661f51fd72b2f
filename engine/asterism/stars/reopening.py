"""Reopening of closed days: the snapshot before a long catch-up, and the way back to it."""

from datetime import timedelta
from typing import NamedTuple

from asterism.database import Database, Transaction
from asterism.errors import Conflict
from asterism.row_types import row_of
from asterism.timestamps import date_of_day, day_end

ACTS = {
    "stars": "stars engaged, added or removed",
    "evidence": "pieces of evidence",
    "changes": "other acts on connections",
}


@row_of("stars/snapshot_status")
class SnapshotStatus(NamedTuple):
    """Row of stars/snapshot_status."""

    day: int
    last: int
    stars: int
    evidence: int
    changes: int


async def snapshot_status(source: Database | Transaction) -> SnapshotStatus | None:
    """Return the days of the snapshot, and the acts since, if there is a snapshot."""
    row = await source.row("stars/snapshot_status")
    return SnapshotStatus(**row) if row else None


async def snapshot(database: Database, closed: int, last: int) -> None:
    """Store stars and connections as they are, closed through one day, before a catch-up."""
    await database.rows("stars/delete_snapshot")
    await database.rows("stars/snapshot_stars")
    await database.rows("stars/snapshot_connections")
    await database.rows("stars/mark_snapshot", day=closed, last=last)


async def reopen(database: Database, day: int) -> int:
    """Restore the snapshot of the catch-up that closed this day, and return its last closed day.

    Refused, with the reason, where there is none or somebody has acted on stars since.
    """

    async def work(tx: Transaction) -> int:
        await tx.rows("stars/lock_close")
        closed = _require_snapshot(await snapshot_status(tx), day)
        since = day_end(closed + 1) - timedelta(microseconds=1)
        await tx.rows("stars/restore_stars")
        await tx.rows("stars/restore_connections")
        await tx.rows("stars/undo_closes", day=closed, since=since)
        return closed

    return await database.transaction(work, name="stars/reopen")


def _require_snapshot(row: SnapshotStatus | None, day: int) -> int:
    if row is None or not row.day < day <= row.last:
        reach = f": the last one closed {_span(row)}" if row else ""
        raise Conflict(
            f"{date_of_day(day)} can't be reopened: values are kept before a catch-up of many days "
            f"only{reach}. Restore a backup or an export of before instead"
        )
    acts = [f"{number} {what}" for name, what in ACTS.items() if (number := getattr(row, name))]
    if acts:
        raise Conflict(
            f"{date_of_day(day)} can't be reopened: since then there were {', '.join(acts)}, and "
            "what they changed can't be told apart from the closes. Restore a backup or an export"
        )
    return row.day


def _span(row: SnapshotStatus) -> str:
    return f"{date_of_day(row.day + 1)} to {date_of_day(row.last)}"
