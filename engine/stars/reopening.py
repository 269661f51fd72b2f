"""Undoes a long catch-up of daily closes, which a wrong clock may have caused."""

from datetime import timedelta

from engine.database import Database, Transaction
from engine.errors import Conflict
from engine.stars import days

ACTS = {
    "stars": "stars engaged, added or removed",
    "evidence": "pieces of evidence",
    "changes": "other acts on connections",
}


async def keep(database: Database, closed: int, last: int) -> None:
    """Keep stars and connections as they are, closed through one day, before a catch-up."""
    await database.rows("stars/drop_kept")
    await database.rows("stars/keep_stars")
    await database.rows("stars/keep_connections")
    await database.rows("stars/mark_kept", day=closed, last=last)


async def reopen(database: Database, day: int) -> int:
    """Restore what was kept before a catch-up that closed this day; return its last closed day.

    Refused, with the reason, where nothing is kept or somebody has acted on stars since.
    """

    async def work(tx: Transaction) -> int:
        await tx.rows("stars/begin_close", day=day)
        row = await tx.row("stars/kept")
        closed = _require_kept(row, day)
        start = days.end(closed + 1) - timedelta(microseconds=1)
        await tx.rows("stars/restore_stars")
        await tx.rows("stars/restore_connections")
        await tx.rows("stars/undo_closes", day=closed, **{"from": start})
        return closed

    return await database.transaction(work, name="stars/reopen")


def _require_kept(row: dict[str, int] | None, day: int) -> int:
    if row is None or not row["day"] < day <= row["last"]:
        reach = f": the last one closed {_span(row)}" if row else ""
        raise Conflict(
            f"{days.of(day)} can't be reopened: values are kept before a catch-up of many days "
            f"only{reach}. Restore a backup or an export of before instead"
        )
    acts = [f"{row[name]} {what}" for name, what in ACTS.items() if row[name]]
    if acts:
        raise Conflict(
            f"{days.of(day)} can't be reopened: since then there were {', '.join(acts)}, and what "
            "they changed can't be told apart from the closes. Restore a backup or an export"
        )
    return row["day"]


def _span(row: dict[str, int]) -> str:
    return f"{days.of(row['day'] + 1)} to {days.of(row['last'])}"
