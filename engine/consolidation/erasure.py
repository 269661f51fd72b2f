"""What is forgotten leaves the vectors kept beside the store, at once or at the next look.

The turn of a realm's texts counts what was forgotten, and so does the description of the files:
where they differ, somebody forgot a memory and died before its vector went.
"""

import asyncio
from contextlib import suppress

from engine.consolidation.kept import Kept, any_kept
from engine.database import Database
from engine.realms import realm_key


class Erasure:
    """Takes vectors out of the files; what many ask for at once goes in one rewrite."""

    def __init__(self, database: Database) -> None:
        self._key = realm_key(database.realm)
        self._turn = asyncio.Lock()
        self._waiting: dict[str, int] = {}
        self._found: set[str] = set()

    async def erase(self, id: str, token: str, count: int) -> int:
        """Remove the vector of the memory that was forgotten as number `count`: 1 if it was there.

        The token names the database, as in `Kept`.
        """
        if not any_kept(self._key):
            return 0
        self._waiting[id] = count
        async with self._turn:
            if id in self._waiting:
                ids, self._waiting = self._waiting, {}
                kept = Kept(self._key, token)
                with suppress(OSError, TimeoutError):  # `holds` tells, the next look tries again
                    self._found |= await asyncio.to_thread(kept.erase, set(ids), {*ids.values()})
            found = id in self._found
            self._found.discard(id)
        return int(found)

    async def holds(self, id: str, token: str) -> bool:
        """Whether a memory's id is still in the files."""
        return any_kept(self._key) and await asyncio.to_thread(Kept(self._key, token).holds, id)


async def purge(database: Database) -> int:
    """Take out of the files what was forgotten and is still there; returns how many rows went."""
    if not any_kept(realm_key(database.realm)):
        return 0
    state = await database.row("consolidation/state", run=None)
    if state is None:
        return 0
    kept = Kept(realm_key(database.realm), state["token"])
    if await asyncio.to_thread(kept.forgotten) in (None, state["forgotten"]):
        return 0
    upto = state["promoted_seq"]
    row = await database.row("consolidation/active", upto=upto)
    numbers = set(row["numbers"]) if row else set()
    try:
        return await asyncio.to_thread(kept.keep_only, numbers, upto, state["forgotten"])
    except (OSError, TimeoutError):
        return 0


async def remove_remains(database: Database) -> int:
    """Remove what still names forgotten texts, in the database and beside it; returns how much."""
    row = await database.row("maintenance/prune_remains")
    return (row["removed"] if row else 0) + await purge(database)


async def stale(database: Database) -> list[str]:
    """The ids of memories in the files that the database does not have."""
    if not any_kept(realm_key(database.realm)):
        return []
    state = await database.row("consolidation/state", run=None)
    if state is None:
        return []
    numbered = await asyncio.to_thread(Kept(realm_key(database.realm), state["token"]).numbers)
    row = await database.row("consolidation/active", upto=state["promoted_seq"])
    there = set(row["numbers"]) if row else set()
    upto = state["promoted_seq"]
    return [id for id, number in numbered.items() if number <= upto and number not in there]
