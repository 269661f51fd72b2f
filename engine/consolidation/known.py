"""What a batch is compared with: all vectors exactly, or what the index and the graph point to."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.consolidation import index
from engine.consolidation.blocks import Blocks, Facts, Floats32, Vocabulary, blocks
from engine.consolidation.decide import EXEMPT, Batch, Known, compare
from engine.consolidation.kept import Mark
from engine.consolidation.matrix import Matrix, Snapshot
from engine.consolidation.pairs import Rules
from engine.database import Database
from engine.embedding import Embedding

MB = 1 << 20
FLOAT = 4


@dataclass(frozen=True)
class Fresh:
    """Memories that wait, with their vectors, first come first."""

    facts: Sequence[Facts]
    vectors: Floats32
    hours: float

    def __len__(self) -> int:
        return len(self.facts)

    def batch(self, vocabulary: Vocabulary) -> Batch:
        exempt = [fact.category == EXEMPT for fact in self.facts]
        return Batch(blocks(self.facts, self.vectors, vocabulary), exempt, self.hours)


@dataclass(frozen=True)
class Reached:
    """A batch beside what is known, and how it was found."""

    batch: Batch
    known: Known
    mark: Mark
    vocabulary: Vocabulary
    active: int
    path: str
    how: str
    hours_missing: int = 0
    certified: float | None = None
    audit_recall: float | None = None
    warnings: list[str] = field(default_factory=list)


class Knowledge:
    """Everything consolidated in a realm, however it is reached."""

    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._embedding = embedding
        self._settings = database.settings.consolidation
        self._matrix: Matrix | None = None

    async def beside(self, fresh: Fresh, rules: Rules) -> Reached:
        """Compare fresh memories with all others."""
        warnings: list[str] = []
        if await self._by_index():
            reached = await index.beside(self._database, fresh, rules)
            recall = reached.audit_recall
            if recall is None or recall >= self._settings.audit_recall:
                return reached
            warnings.append(
                f"the index found {recall:.2%} of the edges that an exact check found, less than "
                f"audit_recall={self._settings.audit_recall:.2%}: this run was computed exactly"
            )
        return await self._exactly(fresh, rules, warnings)

    async def everything(self) -> tuple[Snapshot, Vocabulary]:
        """All vectors, tags and hours."""
        matrix = self._loaded()
        return await matrix.snapshot(), matrix.vocabulary

    async def grow(self, before: Mark, mark: Mark, more: Blocks) -> str:
        """A run has been committed."""
        return await self._matrix.grow(before, mark, more) if self._matrix else ""

    async def _exactly(self, fresh: Fresh, rules: Rules, warnings: list[str]) -> Reached:
        snapshot, vocabulary = await self.everything()
        batch = fresh.batch(vocabulary)
        known = await asyncio.to_thread(compare, batch, snapshot.blocks, rules)
        if snapshot.hours_missing:
            warnings.append(
                f"{snapshot.hours_missing} consolidated memories carry no reading of their last "
                "use: it counts as 0; using one sets it"
            )
        return Reached(
            batch,
            known,
            snapshot.mark,
            vocabulary,
            len(snapshot.blocks),
            "exact",
            snapshot.how,
            snapshot.hours_missing,
            warnings=warnings,
        )

    async def _by_index(self) -> bool:
        if self._settings.path != "auto":
            return self._settings.path == "index"
        state = await self._database.row("consolidation/state", run=None)
        count = state["promoted_seq"] if state else 0
        needed = count * self._embedding.embedder.dimensions * FLOAT
        return bool(needed > self._settings.matrix_mb * MB)

    def _loaded(self) -> Matrix:
        dimensions = self._embedding.embedder.dimensions
        if self._matrix is None or self._matrix.dimensions != dimensions:
            self._matrix = Matrix(self._database, dimensions)
        return self._matrix
