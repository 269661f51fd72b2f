"""Removal of forgotten memories from the vector cache, at once or at the next look.

The turn of a realm's texts counts forgotten memories, and so does the cache: where the two counts
differ, somebody forgot a memory and died before its vector was removed.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from asterism.consolidation.realm_progress import Progress, list_consolidated, read_progress
from asterism.consolidation.vector_cache import WRITE_ERRORS, VectorCache, cache_exists
from asterism.database import Database
from asterism.realm_names import realm_key


class CacheErasure:
    """Removes vectors from the cache, those that many ask for at once together."""

    def __init__(self, database: Database) -> None:
        self._key = realm_key(database.realm)
        self._lock = asyncio.Lock()
        self._ids: set[str] = set()
        self._counts: set[int] = set()
        self._erased: set[str] = set()

    async def erase(self, ids: Sequence[str], token: str, counts: range) -> int:
        """Remove the vectors of memories that were forgotten as these numbers, and count them.

        The token names the database, as in `VectorCache`.
        """
        if not cache_exists(self._key):
            return 0
        own = set(ids)
        self._ids |= own
        self._counts |= set(counts)
        async with self._lock:
            if own & self._ids:
                waiting, numbers, self._ids, self._counts = self._ids, self._counts, set(), set()
                cache = VectorCache(self._key, token)
                with suppress(*WRITE_ERRORS):  # `count` reports it, the next look tries again
                    self._erased |= await asyncio.to_thread(cache.erase, waiting, numbers)
            erased = own & self._erased
            self._erased -= erased
        return len(erased)

    async def count(self, ids: Sequence[str], token: str) -> int:
        """Return how many memories are still in the cache."""
        if not cache_exists(self._key):
            return 0
        numbers = await asyncio.to_thread(VectorCache(self._key, token).numbers)
        return sum(id in numbers for id in ids)


async def purge(database: Database) -> int:
    """Remove forgotten memories that are still in the cache, and return how many."""
    cache, state = await _cache_and_state(database)
    if cache is None or state is None:
        return 0
    if await asyncio.to_thread(cache.forgotten_count) in (None, state.forgotten_count):
        return 0
    last_seq = state.promoted_seq
    numbers = set((await list_consolidated(database, last_seq)).numbers)
    try:
        return await asyncio.to_thread(cache.keep_only, numbers, last_seq, state.forgotten_count)
    except WRITE_ERRORS:
        return 0


async def remove_remains(database: Database) -> int:
    """Remove what still names forgotten texts, in database and cache, and return how much."""
    row = await database.row("maintenance/prune_remains")
    return (row["removed"] if row else 0) + await purge(database)


async def forgotten_in_cache(database: Database) -> list[str]:
    """Return the ids of memories in the cache that the database does not have."""
    cache, state = await _cache_and_state(database)
    if cache is None or state is None:
        return []
    last_seq = state.promoted_seq
    numbers = await asyncio.to_thread(cache.numbers)
    present = set((await list_consolidated(database, last_seq)).numbers)
    return [id for id, number in numbers.items() if number <= last_seq and number not in present]


async def _cache_and_state(database: Database) -> tuple[VectorCache | None, Progress | None]:
    key = realm_key(database.realm)
    state = await read_progress(database) if cache_exists(key) else None
    return (VectorCache(key, state.token), state) if state else (None, None)
