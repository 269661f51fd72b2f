"""Comparison of a batch with everything consolidated, exactly or by the vector index."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from asterism.consolidation.arrays import (
    Floats32,
    MemoryArrays,
    MemoryFacts,
    Vocabulary,
    build_arrays,
)
from asterism.consolidation.decision import EXEMPT, Batch, ComparedGroup, compare
from asterism.consolidation.exact_search import Rules
from asterism.consolidation.index_search import IndexSearch
from asterism.consolidation.kin_index_search import KinIndexSearch
from asterism.consolidation.realm_progress import read_progress
from asterism.consolidation.vector_cache import Watermark
from asterism.consolidation.vector_table import Snapshot, VectorTable
from asterism.database import Database
from asterism.embedding import Embedding

MB = 1 << 20
FLOAT = 4


@dataclass(frozen=True)
class PendingBatch:
    """Waiting memories with their vectors, first come first."""

    facts: Sequence[MemoryFacts]
    vectors: Floats32
    hours: float

    def __len__(self) -> int:
        return len(self.facts)

    def batch(self, vocabulary: Vocabulary) -> Batch:
        exempt = [fact.category in EXEMPT for fact in self.facts]
        return Batch(build_arrays(self.facts, self.vectors, vocabulary), exempt, self.hours)


@dataclass(frozen=True)
class Comparison:
    """A batch, the consolidated memories it was compared with, and how they were reached."""

    batch: Batch
    group: ComparedGroup
    watermark: Watermark
    vocabulary: Vocabulary
    active: int
    path: str
    source: str
    hours_missing: int = 0
    certified: float | None = None
    audit_recall: float | None = None
    warnings: list[str] = field(default_factory=list)


class Comparer:
    """Compares batches with all consolidated memories of a realm."""

    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._embedding = embedding
        self._settings = database.settings.consolidation
        self._table: VectorTable | None = None

    async def compare(self, pending: PendingBatch, rules: Rules) -> Comparison:
        warnings: list[str] = []
        if await self._uses_index():
            comparison = await self._compare_by_index(pending, rules)
            recall = comparison.audit_recall
            if recall is None or recall >= self._settings.audit_recall:
                return comparison
            warnings.append(
                f"the index found {recall:.2%} of the edges that an exact check found, less than "
                f"audit_recall={self._settings.audit_recall:.2%}: this run was computed exactly"
            )
        return await self._compare_exactly(pending, rules, warnings)

    async def snapshot(self) -> tuple[Snapshot, Vocabulary]:
        """Return all vectors, tags and hours."""
        table = self._loaded()
        return await table.snapshot(), table.vocabulary

    async def append(self, before: Watermark, after: Watermark, arrays: MemoryArrays) -> str:
        """Add the memories of a committed run, and return what went wrong with caching them."""
        return await self._table.append(before, after, arrays) if self._table else ""

    async def _compare_exactly(
        self, pending: PendingBatch, rules: Rules, warnings: list[str]
    ) -> Comparison:
        snapshot, vocabulary = await self.snapshot()
        batch = pending.batch(vocabulary)
        group = await asyncio.to_thread(compare, batch, snapshot.arrays, rules)
        if snapshot.hours_missing:
            warnings.append(
                f"{snapshot.hours_missing} consolidated memories carry no reading of their last "
                "use: it counts as 0; using one sets it"
            )
        return Comparison(
            batch,
            group,
            snapshot.watermark,
            vocabulary,
            len(snapshot.arrays),
            "exact",
            snapshot.source,
            snapshot.hours_missing,
            warnings=warnings,
        )

    async def _compare_by_index(self, pending: PendingBatch, rules: Rules) -> Comparison:
        state = await read_progress(self._database)
        token, last_seq = (state.token, state.promoted_seq) if state else ("", 0)
        vocabulary = Vocabulary()
        batch = pending.batch(vocabulary)
        kind = KinIndexSearch if rules.settings.signal == "kin" else IndexSearch
        search = kind(self._database, batch, rules, last_seq, vocabulary)
        group, certified = await search.run()
        return Comparison(
            batch,
            group,
            Watermark(token, None, last_seq, pending.vectors.shape[1]),
            vocabulary,
            last_seq,
            "index",
            f"{len(search.candidates)} candidates from the index and the graph",
            certified=certified,
            audit_recall=await search.audit(group),
        )

    async def _uses_index(self) -> bool:
        if self._settings.path != "auto":
            return self._settings.path == "index"
        state = await read_progress(self._database)
        count = state.promoted_seq if state else 0
        needed = count * self._embedding.embedder.dimensions * FLOAT
        return needed > self._settings.matrix_mb * MB

    def _loaded(self) -> VectorTable:
        dimensions = self._embedding.embedder.dimensions
        if self._table is None or self._table.dimensions != dimensions:
            self._table = VectorTable(self._database, dimensions)
        return self._table
