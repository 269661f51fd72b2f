"""Restoring of duplicates that say something of their own, and of vectors duplicates lack."""

from collections.abc import AsyncIterator
from functools import partial
from typing import NamedTuple

from asterism import memory_vectors, search_index
from asterism.consolidation.repetitions import Repetitions
from asterism.database import Database, Transaction
from asterism.embedding import Embedding
from asterism.realm_names import realm_key
from asterism.row_types import row_of
from asterism.text.wording import wording

READ = 500
WRITTEN = 500


@row_of("consolidation/list_duplicates")
class Duplicate(NamedTuple):
    """Row of consolidation/list_duplicates."""

    id: str
    passage: str
    embedded: bool
    original: str | None
    original_embedded: bool

    @property
    def same(self) -> bool:
        """True if it says the same as its original."""
        return wording(self.passage).same(wording(str(self.original)))


async def read_duplicates(database: Database) -> AsyncIterator[Duplicate]:
    """Yield every duplicate that has its original."""
    after = ""
    while rows := await database.rows("consolidation/list_duplicates", after=after, limit=READ):
        after = rows[-1]["id"]
        for row in rows:
            if row["original"] is not None:
                yield Duplicate(**row)


async def restore_duplicates(database: Database, embedding: Embedding, active: int) -> list[str]:
    """Let duplicates in other words wait again, as strong as new, and return their ids.

    Duplicates without a vector get one, so that they are found among archived memories.
    """
    ids: list[str] = []
    unembedded: dict[str, str] = {}
    async for row in read_duplicates(database):
        if not row.same:
            ids.append(row.id)
        elif row.original_embedded and not row.embedded:
            unembedded[row.id] = row.passage
    for first in range(0, len(ids), WRITTEN):
        chunk = ids[first : first + WRITTEN]
        work = partial(_restore, database=database, active=active, ids=chunk)
        await database.transaction(work, name="consolidation/restore_duplicates")
    await memory_vectors.embed_texts(database, embedding, unembedded)
    return ids


async def _restore(tx: Transaction, database: Database, active: int, ids: list[str]) -> None:
    """Run one transaction, locked as a run and as evidence are before anything is written."""
    await tx.rows("consolidation/lock")
    await tx.rows("memories/lock_texts", ids=sorted(ids), leaving=[], arriving=sorted(ids))
    key = realm_key(database.realm)
    rows = await tx.rows("consolidation/restore_duplicates", ids=ids, realm_key=key)
    if rows:
        await search_index.add(tx, rows)
        restored = {f"restored:{row['id']}": row["id"] for row in rows}
        await Repetitions(database, active).reinforce(tx, restored)
