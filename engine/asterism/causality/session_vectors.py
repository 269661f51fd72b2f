"""Vectors of intents, consequences and actors, embedded before anything is locked or written."""

from collections.abc import Callable, Iterator

import numpy as np

from asterism.causality.recording import Recording
from asterism.causality.rows import Row, batches
from asterism.database import Database
from asterism.embedding import Embedding


class SessionVectors:
    """Embeds the texts of a recording that have no vector yet."""

    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._embedding = embedding
        self._batch = database.settings.causality.embed_batch

    async def embed(
        self, recording: Recording, on_progress: Callable[[str, int, int], None]
    ) -> list[Row]:
        """Return label, id and vector of each text without one, if the options ask for them."""
        if not recording.options.embed:
            return []
        texts = await self._unembedded(recording)
        rows: list[Row] = []
        for batch in batches(texts, self._batch):
            vectors = await self._embedding.documents([row["text"] for row in batch])
            for row, vector in zip(batch, vectors, strict=True):
                compact = np.array(vector, dtype=np.float32)  # an eighth of a list's memory
                rows.append({"label": row["label"], "id": row["id"], "vector": compact})
            on_progress("embedding", len(rows), len(texts))
        return rows

    def batches(self, rows: list[Row]) -> Iterator[list[Row]]:
        """Yield rows for the statement that stores vectors."""
        for batch in batches(rows, self._batch):
            yield [{**row, "vector": row["vector"].tolist()} for row in batch]

    async def _unembedded(self, recording: Recording) -> list[Row]:
        actors = recording.actors()
        embedded_rows = await self._database.rows(
            "causality/embedded",
            session_id=recording.session_id,
            actor_ids=[row["id"] for row in actors],
            model=self._embedding.embedder.name,
        )
        embedded = {(row["id"], row["text"]) for row in embedded_rows}
        rows = [
            {"label": "Actor", "id": row["id"], "text": row["name"]}
            for row in actors
            if (row["id"], None) not in embedded
        ]
        return rows + [row for row in recording.texts() if (row["id"], row["text"]) not in embedded]
