"""Undoes one run, as far as nothing has touched since what it changed."""

import json

from engine.database import Database, Row, Transaction
from engine.errors import Conflict, NotFound
from engine.exploration.model import Kept, Undone
from engine.exploration.settled import unpacked

TOUCHED = "something changed it since"
GONE = "it is no longer there"


async def undo(database: Database, run_id: str) -> Undone:
    """Restore what a run changed, all of it in one transaction."""

    async def work(tx: Transaction) -> Undone:
        run = await tx.row("exploration/run", run_id=run_id)
        if run is None:
            raise NotFound("run", run_id, "exploration.runs() lists them")
        if run["undone_at"] is not None:
            raise Conflict(f"run {run_id!r} was undone already, at {run['undone_at']}")
        changes = json.loads(run["changes"])
        await tx.rows("exploration/gate")
        nodes, links, narratives = (
            _in_order(changes[part]) for part in ("nodes", "links", "narratives")
        )
        for link in links:
            link["embedding_before"] = unpacked(link["embedding_before"])
        removed = await tx.rows("exploration/uncreate", rows=narratives)
        cooled = await tx.rows("exploration/cool", rows=nodes)
        faded = await tx.rows("exploration/fade", rows=links)
        await tx.rows("exploration/mark_undone", run_id=run_id)
        kept = [
            *_kept("node", nodes, cooled, "restored"),
            *_kept("link", links, faded, "restored"),
            *_kept("narrative", narratives, removed, "removed"),
        ]
        return Undone(
            run_id=run_id,
            nodes=_count(cooled, "restored"),
            links=_count(faded, "restored"),
            narratives=_count(removed, "removed"),
            kept=kept,
        )

    return await database.transaction(work, name="exploration/undo")


def _in_order(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: str(row["id"]))


def _kept(what: str, asked: list[Row], answered: list[Row], done: str) -> list[Kept]:
    told = {row["id"]: row[done] for row in answered}
    return [
        Kept(what=what, id=row["id"], reason=GONE if row["id"] not in told else TOUCHED)
        for row in asked
        if not told.get(row["id"], False)
    ]


def _count(rows: list[Row], done: str) -> int:
    return sum(bool(row[done]) for row in rows)
