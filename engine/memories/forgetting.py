"""Forgetting: a memory goes with all that names it, in the database and beside it."""

from functools import partial

from engine.database import Database, Row, Transaction
from engine.memories import event_ids
from engine.memories.model import Forgotten
from engine.memories.queue import writers
from engine.realms import realm_key
from engine.recall import notes


class Forgetting:
    """Removes memories one by one and checks afterwards that nothing of them is left."""

    def __init__(self, database: Database) -> None:
        from engine.consolidation.erasure import Erasure  # that package builds on this one

        self._database = database
        self._vectors = Erasure(database)

    async def forget(self, id: str) -> Forgotten:
        """Remove a memory; the receipt counts what went, and what a second look still saw."""
        if await self._database.row("transfer/standing") is None:  # an absent realm stays absent
            return Forgotten(id=id, memories=0, evidence=0, relationships={}, checked=True)
        work = partial(_forget, id=id)
        async with writers(self._database):
            row = await self._database.transaction(work, name="memories/forget")
        token, count, vectors = row.pop("token"), row.pop("forgotten"), 0
        if token is not None and row["memories"]:
            vectors = await self._vectors.erase(id, token, count)
        repetition = _repetition(id)
        traces = await self._database.row("memories/traces", id=id, repetition=repetition) or {}
        if token is not None:
            traces["vectors"] = int(await self._vectors.holds(id, token))
        left = {name: count for name, count in traces.items() if count}
        return Forgotten(id=id, **row, vectors=vectors, checked=True, left=left)


async def _forget(tx: Transaction, id: str) -> Row:
    """One transaction: take the turn, lock, withdraw, remove, let repeats stand for it."""
    before = await tx.row("memories/turn", id=id)
    assert before is not None
    repeats: list[str] = before["repeats"]
    await tx.rows("memories/hold", ids=sorted([id, *repeats]), leaving=[id], arriving=repeats)
    withdrawn = await notes.withdraw_texts(tx, [before["text"]] if before["text"] else [])
    row = await tx.row("memories/forget", id=id, repetition=_repetition(id))
    assert row is not None
    if repeats:
        await _wake(tx, repeats)
    relationships = _by_type(row["relationships"])
    ties = {
        name: count
        for name, count in _by_type(before["relationships"]).items()
        if name not in relationships
    }
    counts = {name: withdrawn[name] for name in ("names", "terms")}
    rest = {"ties": ties, "repeats": repeats, "token": before["token"]}
    return row | counts | {"relationships": relationships} | rest


async def _wake(tx: Transaction, ids: list[str]) -> None:
    key = realm_key(tx.database.realm)
    rows = await tx.rows("memories/wake", realm_key=key, ids=ids)
    if sessions := notes.sessions(rows):
        await tx.rows("recall/arrive", sessions=sessions)
    await tx.rows("recall/note", realm_key=key, count=len(rows), **notes.noted(rows))


def _by_type(rows: list[Row]) -> dict[str, int]:
    return {row["type"]: row["count"] for row in rows}


def _repetition(id: str) -> str:
    """The id of the evidence that a memory was for another one, as a repetition of it."""
    return event_ids.key("consolidation", f"duplicate:{id}")
