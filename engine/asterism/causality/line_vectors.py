"""Vectors of recorded lines, made after their recording: nobody waits for a model to write."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from asterism.causality.rows import batches
from asterism.database import Database
from asterism.embedding import Embedding, Vector
from asterism.row_types import row_of

STORED_BATCH = 1000  # a commit to the vector index costs the same for one vector as for many
BEFORE_EVERY_LINE = -1

OnProgress = Callable[[int], None]


@row_of("causality/texts_without_vector")
class LineText(NamedTuple):
    """Row of causality/texts_without_vector."""

    label: str
    id: str
    text: str
    anchor_index: int


class LineVectors:
    """Embeds intents, consequences and actors of recorded sessions that have no vector yet."""

    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._embedding = embedding
        self._batch = database.settings.causality.embed_batch
        self._lock = asyncio.Lock()

    async def embed_missing(self, on_progress: OnProgress | None = None) -> int:
        """Embed what has no vector yet, and return how many lines got one."""
        async with self._lock:  # two questions at once embed no line twice
            sessions = await self._database.rows("causality/unembedded_sessions")
            return sum([await self._embed_session(row["id"], on_progress) for row in sessions])

    async def _embed_session(self, session_id: str, on_progress: OnProgress | None) -> int:
        stored, after, whole = 0, BEFORE_EVERY_LINE, False
        while not whole:
            rows = await self._database.rows(
                "causality/texts_without_vector",
                session_id=session_id,
                after=after,
                limit=STORED_BATCH,
            )
            texts = [LineText(**row) for row in rows]
            stored += await self._store(session_id, texts, on_progress)
            last = max((text.anchor_index for text in texts), default=after)
            whole = len(texts) < STORED_BATCH or last == after
            after = last
        await self._database.rows("causality/finish_vectors", session_id=session_id)
        return stored

    async def _store(
        self, session_id: str, texts: list[LineText], on_progress: OnProgress | None
    ) -> int:
        """Embed and store one page of texts, and return how many. A changed text waits again."""
        vectors: list[Vector] = []
        for batch in batches(texts, self._batch):
            vectors += await self._embedding.documents([text.text for text in batch])
            if on_progress:
                on_progress(len(batch))
        if not texts:
            return 0
        row = await self._database.row(
            "causality/save_embeddings",
            session_id=session_id,
            model=self._embedding.embedder.name,
            rows=[
                text._asdict() | {"vector": vector}
                for text, vector in zip(texts, vectors, strict=True)
            ],
        )
        return row["stored"] if row else 0
