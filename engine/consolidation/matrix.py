"""The vectors of everything consolidated, in memory and beside the store, verified before use."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.consolidation.blocks import (
    UNREAD,
    Blocks,
    Facts,
    Floats32,
    Vocabulary,
    from_rows,
    nothing,
)
from engine.consolidation.erasure import purge
from engine.consolidation.kept import Kept, Mark
from engine.database import Database
from engine.realms import realm_key

FETCH = 2000
GROWTH = 1.5


@dataclass(frozen=True)
class Snapshot:
    """Everything consolidated as of one run: what a batch is compared with."""

    mark: Mark
    blocks: Blocks
    how: str  # where the vectors came from
    hours_missing: int = 0


class Matrix:
    """Loads once, then follows: reads what other processes added, drops what was forgotten."""

    def __init__(self, database: Database, dimensions: int) -> None:
        self._database = database
        self.dimensions = dimensions
        self.vocabulary = Vocabulary()
        self._mark: Mark | None = None
        self._blocks = nothing(dimensions)
        self._facts: list[Facts] = []
        self._buffer: Floats32 = np.zeros((0, dimensions), np.float32)
        self._whole = False  # whether the files must be written anew
        self._forgotten = 0  # how many had been forgotten when these were last compared
        self._turn = asyncio.Lock()

    async def snapshot(self) -> Snapshot:
        """Everything as it is now, with the hours of its last use."""
        async with self._turn:
            return await self._snapshot()

    async def grow(self, before: Mark, mark: Mark, more: Blocks) -> str:
        """What a run has promoted belongs to it; returns what went wrong with keeping it.

        If another run came in between, the next snapshot reads what is missing here.
        """
        async with self._turn:
            if self._mark != before:
                return ""
            facts = self._append(more)
            self._mark = mark
            warning = await asyncio.to_thread(self._keep, before, mark, more, facts)
            await purge(self._database)
            return warning

    async def _snapshot(self) -> Snapshot:
        state = await self._state()
        if state is None or state["promoted_seq"] == 0:
            mark = Mark(state["token"] if state else "", None, 0, self.dimensions)
            self._reset(mark)
            return Snapshot(mark, self._blocks, "none yet")
        how = "in memory"
        if self._mark is None or self._mark.token != state["token"]:
            how = await self._read_kept(state["token"])
            state = await self._state()
            assert state is not None
        if self._mark is None or not self._agrees(state):
            how = f"read from the database: {how}" if self._mark is None else "rebuilt: outdated"
            self._reset(Mark(state["token"], None, 0, self.dimensions))
            self._forgotten = state["forgotten"]
        await self._follow(state)
        missing = await self._verify(state["promoted_seq"])
        if missing is None:
            how = "rebuilt: other memories than the database's"
            self._reset(Mark(state["token"], None, 0, self.dimensions))
            await self._follow(state)
            missing = await self._verify(state["promoted_seq"]) or 0
        self._forgotten = state["forgotten"]
        await purge(self._database)
        assert self._mark is not None
        return Snapshot(self._mark, self._blocks, how, missing)

    async def _state(self) -> dict[str, Any] | None:
        run = self._mark.run if self._mark else None
        return await self._database.row("consolidation/state", run=run)

    def _agrees(self, state: dict[str, Any]) -> bool:
        """Whether the last run that is known took place in this database, and ended as known."""
        mark = self._mark
        if mark is None or mark.token != state["token"] or mark.dimensions != self.dimensions:
            return False
        return mark.upto == 0 or state["reached"] == mark.upto

    async def _read_kept(self, token: str) -> str:
        vocabulary = Vocabulary()
        kept = Kept(realm_key(self._database.realm), token)
        forgotten = await asyncio.to_thread(kept.forgotten) or 0  # before the rows: never too many
        found = await asyncio.to_thread(kept.read, vocabulary)
        if isinstance(found, str):
            self._mark = None
            return found
        mark, read = found
        if mark.token != token or mark.dimensions != self.dimensions:
            self._mark = None
            return "kept for another model"
        self.vocabulary, self._mark, self._blocks = vocabulary, mark, read
        self._buffer, self._whole = read.vectors, False
        self._forgotten = forgotten
        self._facts = []
        return "kept beside the store"

    def _reset(self, mark: Mark) -> None:
        self.vocabulary, self._mark, self._blocks = Vocabulary(), mark, nothing(self.dimensions)
        self._buffer, self._whole = self._blocks.vectors, True
        self._facts = []

    async def _follow(self, state: dict[str, Any]) -> None:
        """Read what has been promoted since."""
        assert self._mark is not None
        before, after, upto = self._mark, self._mark.upto, state["promoted_seq"]
        if after == upto:
            return
        added: list[Blocks] = []
        facts: list[Facts] = []
        while after < upto:
            rows = await self._database.rows(
                "consolidation/blocks", after=after, upto=upto, limit=FETCH
            )
            if not rows:
                break
            more, _ = from_rows(rows, self.dimensions, self.vocabulary)
            facts += self._append(more)
            added.append(more)
            after = rows[-1]["number"]
        self._mark = Mark(state["token"], state["run"], upto, self.dimensions)
        whole = added[0] if added else nothing(self.dimensions)
        for more in added[1:]:
            whole = whole.joined(more)
        await asyncio.to_thread(self._keep, before, self._mark, whole, facts)

    async def _verify(self, upto: int) -> int | None:
        """Take over the hours, drop what was forgotten; None if something is missing here."""
        row = await self._database.row("consolidation/active", upto=upto)
        assert row is not None
        numbers = np.array(row["numbers"], np.int64)
        hours = np.array(row["hours"], np.float64)
        if not np.array_equal(numbers, self._blocks.numbers):
            there = np.isin(self._blocks.numbers, numbers)
            self._blocks = self._blocks.take(np.nonzero(there)[0])
            self._buffer = self._blocks.vectors
            if not np.array_equal(numbers, self._blocks.numbers):
                return None
        self._blocks = self._blocks.at(np.maximum(0.0, hours))
        if row["retagged"]:
            places = np.searchsorted(numbers, [each["number"] for each in row["retagged"]])
            tags = [each["tags"] for each in row["retagged"]]
            by_row = dict(zip(places.tolist(), tags, strict=True))
            self._blocks = self._blocks.with_tags(by_row, self.vocabulary)
        return int((hours == UNREAD).sum())

    def _append(self, more: Blocks) -> list[Facts]:
        count, total = len(self._blocks), len(self._blocks) + len(more)
        if total > len(self._buffer) or not self._buffer.flags.writeable:
            grown = np.empty((max(total, int(count * GROWTH)), self.dimensions), np.float32)
            grown[:count] = self._blocks.vectors
            self._buffer = grown
        self._buffer[count:total] = more.vectors
        self._blocks = self._blocks.joined(more, self._buffer[:total])
        return facts_of(more, self.vocabulary)

    def _keep(self, before: Mark | None, mark: Mark, more: Blocks, facts: list[Facts]) -> str:
        """Write to the files; a folder that can't be written costs time, not correctness."""
        kept = Kept(realm_key(self._database.realm), mark.token)
        try:
            if (
                self._whole
                or before is None
                or not kept.append(before, mark, more, facts, self._forgotten)
            ):
                whole = facts_of(self._blocks, self.vocabulary)
                kept.replace(mark, self._blocks, whole, self._forgotten)
                self._whole = False
        except (OSError, TimeoutError) as error:
            self._whole = True
            return f"the vectors could not be kept in {kept.folder} ({error}): make it writable"
        return ""


def facts_of(some: Blocks, vocabulary: Vocabulary) -> list[Facts]:
    """What is known of memories in words again."""
    tags, categories = list(vocabulary.tags), list(vocabulary.categories)
    starts = some.tag_starts.tolist()
    codes = some.tag_codes.tolist()
    return [
        Facts(id, [tags[code] for code in codes[a:b]], categories[kind], number)
        for id, kind, number, a, b in zip(
            some.ids,
            some.categories.tolist(),
            some.numbers.tolist(),
            starts[:-1],
            starts[1:],
            strict=True,
        )
    ]


def numbered(some: Blocks, first: int, hours: float) -> Blocks:
    """Fresh memories once they are consolidated."""
    numbers = np.arange(first, first + len(some), dtype=np.int64)
    return replace(some, numbers=numbers, hours=np.full(len(some), hours))
