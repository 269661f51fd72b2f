"""Memories that wait for a run: their rows, and the vectors they get."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from asterism import memory_vectors
from asterism.consolidation.arrays import Floats32, MemoryFacts, stored_vector
from asterism.consolidation.comparison import PendingBatch
from asterism.consolidation.models import SetAside
from asterism.database import Database
from asterism.embedding import Embedding
from asterism.row_types import row_of

OnProgress = Callable[[str, int, int], None]


@row_of("consolidation/claim", "consolidation/peek_queue")
class QueuedMemory(NamedTuple):
    """Memory that waits, with the vector of its text if it has one."""

    id: str
    text: str
    tags: list[str]
    category: str
    embedding: list[float] | None


@dataclass
class QueuedMemories:
    """Batch of a run: how many got a vector, and those that get none."""

    rows: list[QueuedMemory]
    hours: float
    embedded: int = 0
    set_aside: list[SetAside] = field(default_factory=list)

    async def embed(
        self, database: Database, embedding: Embedding, on_progress: OnProgress, *, store: bool
    ) -> PendingBatch:
        """Return the memories with their vectors, and set aside those that get none."""
        missing = {row.id: row.text for row in self.rows if row.embedding is None}
        count = 0

        def step(more: int) -> None:
            nonlocal count
            count += more
            on_progress("embedding", count, len(missing))

        result = await memory_vectors.embed_texts(
            database, embedding, missing, store=store, on_progress=step
        )
        self.embedded = len(result.vectors)
        self.set_aside = [
            SetAside(id=id, reason=reason) for id, reason in sorted(result.set_aside.items())
        ]
        await embedding.calibration()
        return self._pending(result.vectors, embedding.embedder.dimensions)

    def _pending(self, new: dict[str, Floats32], dimensions: int) -> PendingBatch:
        usable = [row for row in self.rows if row.embedding is not None or row.id in new]
        table = np.zeros((len(usable), dimensions), np.float32)
        for place, row in enumerate(usable):
            table[place] = stored_vector(new.get(row.id, row.embedding), dimensions)
        facts = [MemoryFacts(row.id, row.tags, row.category, hours=self.hours) for row in usable]
        return PendingBatch(facts, table, self.hours)
