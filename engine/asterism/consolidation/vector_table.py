"""Vectors of all consolidated memories in memory, checked against the database before use."""

import asyncio
from dataclasses import dataclass

import numpy as np

from asterism.consolidation.arrays import (
    NO_HOURS,
    Floats32,
    MemoryArrays,
    Vocabulary,
    arrays_from_rows,
    empty_arrays,
)
from asterism.consolidation.cache_erasure import purge
from asterism.consolidation.realm_progress import Progress, list_consolidated, read_progress
from asterism.consolidation.vector_cache import WRITE_ERRORS, VectorCache, Watermark
from asterism.database import Database
from asterism.realm_names import realm_key

FETCH = 2000
GROWTH = 1.5


@dataclass(frozen=True)
class Snapshot:
    """All consolidated memories as of one run, and where their vectors came from."""

    watermark: Watermark
    arrays: MemoryArrays
    source: str
    hours_missing: int = 0


class VectorTable:
    """Loads once, then reads what other processes added and drops what was forgotten."""

    def __init__(self, database: Database, dimensions: int) -> None:
        self._database = database
        self.dimensions = dimensions
        self.vocabulary = Vocabulary()
        self._watermark: Watermark | None = None
        self._arrays = empty_arrays(dimensions)
        self._buffer: Floats32 = np.zeros((0, dimensions), np.float32)
        self._cache_outdated = False  # it must be written again as a whole
        self._forgotten_count = 0  # as of the last comparison with the database
        self._lock = asyncio.Lock()

    async def snapshot(self) -> Snapshot:
        """Return all memories as they are now, with the hours of their last use."""
        async with self._lock:
            return await self._snapshot()

    async def append(self, before: Watermark, after: Watermark, arrays: MemoryArrays) -> str:
        """Add the memories of a run, and return what went wrong with caching them.

        If another run came in between, the next snapshot reads what is missing here.
        """
        async with self._lock:
            if self._watermark != before:
                return ""
            self._extend(arrays)
            self._watermark = after
            warning = await asyncio.to_thread(self._save, before, after, arrays)
            await purge(self._database)
            return warning

    async def _snapshot(self) -> Snapshot:
        state = await self._state()
        if state is None or state.promoted_seq == 0:
            watermark = self._reset(state.token if state else "")
            return Snapshot(watermark, self._arrays, "none yet")
        source = "in memory"
        if self._watermark is None or self._watermark.token != state.token:
            source = await self._read_cache(state.token)
            state = await self._state() or state
        if self._watermark is None or not self._is_current(state):
            missing = self._watermark is None
            source = f"read from the database: {source}" if missing else "rebuilt: outdated"
            self._reset(state.token)
            self._forgotten_count = state.forgotten_count
        await self._load_new(state)
        hours_missing = await self._refresh(state.promoted_seq)
        if hours_missing is None:
            source = "rebuilt: other memories than the database's"
            self._reset(state.token)
            await self._load_new(state)
            hours_missing = await self._refresh(state.promoted_seq) or 0
        self._forgotten_count = state.forgotten_count
        await purge(self._database)
        assert self._watermark is not None
        return Snapshot(self._watermark, self._arrays, source, hours_missing)

    async def _state(self) -> Progress | None:
        return await read_progress(self._database, self._watermark.run if self._watermark else None)

    def _is_current(self, state: Progress) -> bool:
        """Return True if the last run known here took place in this database, and ended so."""
        mark = self._watermark
        if mark is None or mark.token != state.token or mark.dimensions != self.dimensions:
            return False
        return mark.last_seq == 0 or state.promoted_to == mark.last_seq

    async def _read_cache(self, token: str) -> str:
        """Take over the cache, and return where the vectors came from or why they did not."""
        vocabulary = Vocabulary()
        cache = VectorCache(realm_key(self._database.realm), token)
        cached = await asyncio.to_thread(cache.read, vocabulary)
        self._watermark = None
        if isinstance(cached, str):
            return cached
        if cached.watermark.token != token or cached.watermark.dimensions != self.dimensions:
            return "kept for another model"
        self.vocabulary, self._watermark, self._arrays = vocabulary, cached.watermark, cached.arrays
        self._buffer, self._cache_outdated = cached.arrays.vectors, False
        self._forgotten_count = cached.forgotten_count
        return "kept beside the store"

    def _reset(self, token: str) -> Watermark:
        self.vocabulary, self._arrays = Vocabulary(), empty_arrays(self.dimensions)
        self._buffer, self._cache_outdated = self._arrays.vectors, True
        self._watermark = Watermark(token, None, 0, self.dimensions)
        return self._watermark

    async def _load_new(self, state: Progress) -> None:
        """Read memories that were consolidated since the watermark."""
        assert self._watermark is not None
        before, after, last_seq = self._watermark, self._watermark.last_seq, state.promoted_seq
        if after == last_seq:
            return
        count = len(self._arrays)
        while after < last_seq:
            rows = await self._database.rows(
                "consolidation/read_consolidated", after=after, last_seq=last_seq, limit=FETCH
            )
            if not rows:
                break
            self._extend(arrays_from_rows(rows, self.dimensions, self.vocabulary))
            after = rows[-1]["number"]
        self._watermark = Watermark(state.token, state.run, last_seq, self.dimensions)
        new = self._arrays.select(np.arange(count, len(self._arrays)))
        await asyncio.to_thread(self._save, before, self._watermark, new)

    async def _refresh(self, last_seq: int) -> int | None:
        """Take over hours and tags, drop what was forgotten, and return how many have no hours.

        Returns None if something is missing here.
        """
        row = await list_consolidated(self._database, last_seq)
        numbers = np.array(row.numbers, np.int64)
        hours = np.array(row.hours, np.float64)
        if not np.array_equal(numbers, self._arrays.numbers):
            present = np.isin(self._arrays.numbers, numbers)
            self._arrays = self._arrays.select(np.nonzero(present)[0])
            self._buffer = self._arrays.vectors
            if not np.array_equal(numbers, self._arrays.numbers):
                return None
        deviations = np.array(row.deviations, np.float64)
        measured = deviations > 0
        self._arrays = self._arrays.with_hours(np.maximum(0.0, hours)).with_scales(
            np.where(measured, np.array(row.means, np.float64), np.nan),
            np.where(measured, deviations, np.nan),
        )
        if row.retagged:
            places = np.searchsorted(numbers, [each["number"] for each in row.retagged])
            tags = [each["tags"] for each in row.retagged]
            by_row = dict(zip(places.tolist(), tags, strict=True))
            self._arrays = self._arrays.with_tags(by_row, self.vocabulary)
        return int((hours == NO_HOURS).sum())

    def _extend(self, arrays: MemoryArrays) -> None:
        count, total = len(self._arrays), len(self._arrays) + len(arrays)
        if total > len(self._buffer) or not self._buffer.flags.writeable:
            larger = np.empty((max(total, int(count * GROWTH)), self.dimensions), np.float32)
            larger[:count] = self._arrays.vectors
            self._buffer = larger
        self._buffer[count:total] = arrays.vectors
        self._arrays = self._arrays.extended(arrays, self._buffer[:total])

    def _save(self, before: Watermark, after: Watermark, arrays: MemoryArrays) -> str:
        """Write to the cache: a folder that can't be written costs time, not correctness."""
        cache = VectorCache(realm_key(self._database.realm), after.token)
        vocabulary, count = self.vocabulary, self._forgotten_count
        try:
            if self._cache_outdated or not cache.append(before, after, arrays, vocabulary, count):
                cache.replace(after, self._arrays, vocabulary, count)
                self._cache_outdated = False
        except WRITE_ERRORS as error:
            self._cache_outdated = True
            return f"the vectors could not be kept in {cache.folder} ({error}): make it writable"
        return ""
