"""Brings back duplicates that say something of their own, and the vectors duplicates lack."""

from collections.abc import AsyncIterator
from functools import partial

from engine.consolidation.wording import wording
from engine.database import Database, Row, Transaction
from engine.embedding import Embedding
from engine.memories import vectors
from engine.memories.feed import Feed
from engine.memories.text import TextRule, Use
from engine.realms import realm_key
from engine.recall import notes

READ = 500
WRITTEN = 500
SOURCE = "consolidation"


async def read_duplicates(database: Database) -> AsyncIterator[Row]:
    """Yield every duplicate whose original is there, with `same`: whether both say the same."""
    after = ""
    while rows := await database.rows("consolidation/duplicates", after=after, limit=READ):
        after = rows[-1]["id"]
        for row in rows:
            if row["original"] is not None:
                same = wording(row["passage"]).same(wording(row["original"]))
                yield row | {"same": same}


async def restore(database: Database, embedding: Embedding, active: int) -> list[str]:
    """Let duplicates in other words wait again, as strong as new, and return their ids.

    Duplicates without a vector get one, so that they are found among archived memories.
    """
    ids: list[str] = []
    bare: dict[str, str] = {}
    async for row in read_duplicates(database):
        if not row["same"]:
            ids.append(row["id"])
        elif row["original_embedded"] and not row["embedded"]:
            bare[row["id"]] = row["passage"]
    for first in range(0, len(ids), WRITTEN):
        some = ids[first : first + WRITTEN]
        work = partial(_restore, database=database, active=active, ids=some)
        await database.transaction(work, name="consolidation/restore")
    await vectors.embed_texts(database, embedding, bare)
    return ids


async def _restore(tx: Transaction, database: Database, active: int, ids: list[str]) -> None:
    """One transaction, locked as a run and as evidence are before anything is written."""
    await tx.rows("consolidation/lock")
    await tx.rows("memories/hold", ids=sorted(ids), leaving=[], arriving=sorted(ids))
    here = realm_key(database.realm)
    rows = await tx.rows("consolidation/restore", ids=ids, realm_key=here)
    if not rows:
        return
    if sessions := notes.sessions(rows):
        await tx.rows("recall/arrive", sessions=sessions)
    await tx.rows("recall/note", realm_key=here, count=len(rows), **notes.noted(rows))
    feed = Feed(database, TextRule(database.settings.memories, active), SOURCE)
    now = database.clock.now()
    uses = [
        Use(event_id=f"restored:{row['id']}", ts=now, memory=row["id"], kind="repetition")
        for row in rows
    ]
    await feed.apply(tx, uses)
