"""The model of a realm: texts to vectors, with the calibration stored in the realm."""

import asyncio
from collections.abc import Sequence

from asterism.database import Database, Row
from asterism.embedding.calibration import Calibration, calibrate
from asterism.embedding.onnx_embedder import OnnxEmbedder
from asterism.embedding.protocol import Embedder, Vector, require_vectors
from asterism.embedding.shared_models import SHARED
from asterism.errors import Conflict


class Embedding:
    """A realm's model: loaded on first use, named in the realm, never mixed with another."""

    def __init__(self, database: Database, embedder: Embedder | None = None) -> None:
        self._database = database
        self._threads = database.settings.embedding.threads
        self._borrowed = embedder is None
        self.embedder: Embedder = embedder or SHARED.borrow(self._threads)
        self._calibration: Calibration | None = None
        self._lock = asyncio.Lock()

    def close(self) -> None:
        """Return the shared model, which the last graph of the process frees."""
        if self._borrowed:
            self._borrowed = False
            SHARED.release(self._threads)

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        """Return one vector a text, in order."""
        await self.calibration()
        if not texts:
            return []
        vectors = await asyncio.to_thread(self.embedder.embed_documents, list(texts))
        return require_vectors(vectors, self.embedder.dimensions)

    async def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Return one vector a text, in order, which claims no model for the realm."""
        if not texts:
            return []
        await self.stored()
        vectors = await asyncio.to_thread(self.embedder.embed_documents, list(texts))
        return require_vectors(vectors, self.embedder.dimensions)

    async def query(self, text: str) -> Vector:
        """Return the vector of a question, which claims no model for the realm."""
        await self.stored()
        vector = await asyncio.to_thread(self.embedder.embed_query, text)
        return require_vectors([vector], self.embedder.dimensions)[0]

    def forget(self) -> None:
        """Forget the calibration of a realm that was deleted or filled."""
        self._calibration = None

    async def calibration(self) -> Calibration:
        """Return the stored calibration of this realm's model, which the first caller stores."""
        async with self._lock:
            return await self.stored() or await self._claim()

    async def peek(self) -> Calibration:
        """Return the same without storing anything, for what only reads."""
        stored = await self.stored()
        return stored if stored is not None else await asyncio.to_thread(_measured, self.embedder)

    async def stored(self) -> Calibration | None:
        """Return the stored calibration, or None where no text was written yet."""
        if self._calibration is None:
            row = await self._database.row("embedding/model")
            self._calibration = None if row is None else self._require_same_model(row)
        return self._calibration

    async def _claim(self) -> Calibration:
        measured = await asyncio.to_thread(_measured, self.embedder)
        row = await self._database.one(
            "embedding/claim",
            name=self.embedder.name,
            dimensions=self.embedder.dimensions,
            mean=measured.mean,
            spread=measured.spread,
        )
        self._calibration = self._require_same_model(row)
        return self._calibration

    def _require_same_model(self, row: Row) -> Calibration:
        """Return a stored calibration if it is of this model, or refuse."""
        embedder = self.embedder
        if (row["name"], row["dimensions"]) != (embedder.name, embedder.dimensions):
            raise Conflict(
                f"realm {self._database.realm!r} holds vectors of {row['name']} "
                f"({row['dimensions']} dimensions), not of {embedder.name} "
                f"({embedder.dimensions}): pass embedder= with the stored model, "
                "or open another realm"
            )
        return Calibration(row["mean"], row["spread"])


def _measured(embedder: Embedder) -> Calibration:
    return embedder.calibration if isinstance(embedder, OnnxEmbedder) else calibrate(embedder)
