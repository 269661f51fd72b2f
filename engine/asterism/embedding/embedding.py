"""The model of a realm: texts to vectors, with the calibration stored in the realm."""

import asyncio
import time
from collections.abc import Sequence

from asterism.database import Database
from asterism.embedding.calibration import Calibration, calibrate
from asterism.embedding.model_registry import DEFAULT, Model, find_model, registered_model
from asterism.embedding.onnx_embedder import OnnxEmbedder
from asterism.embedding.protocol import Embedder, Vector, require_vectors
from asterism.embedding.shared_models import SHARED
from asterism.embedding.stored_model import StoredModel, read_stored
from asterism.errors import Conflict

STORED_SECONDS = 2.0  # how long the stored model is believed: another process may change it
SWAP_POLL_SECONDS = 0.2
SWAP_PATIENCE_SECONDS = 20.0


class Embedding:
    """A realm's model: loaded on first use, named in the realm, never mixed with another.

    Without an embedder of the caller, a realm that has vectors goes on with its own model if that
    is in the registry. A realm without any gets the model of the settings, or the default one.
    """

    def __init__(self, database: Database, embedder: Embedder | None = None) -> None:
        self._database = database
        self._threads = database.settings.embedding.threads
        self._borrowed: Model | None = None
        self.embedder: Embedder = embedder or self._borrow(
            find_model(database.settings.embedding.model or DEFAULT.name)
        )
        self._calibration: Calibration | None = None
        self._stored_at = 0.0
        self._lock = asyncio.Lock()

    def close(self) -> None:
        """Return the shared model, which the last graph of the process frees."""
        if self._borrowed:
            SHARED.release(self._threads, self._borrowed)
            self._borrowed = None

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

    def accepts(self, name: str) -> bool:
        """Tell whether vectors of a model can be used: this one's, or one that can be taken."""
        return name == self.embedder.name or bool(self._borrowed and registered_model(name))

    def forget(self) -> None:
        """Forget the calibration of a realm that was deleted or filled."""
        self._calibration = None

    def replace(self, embedder: Embedder) -> None:
        """Take another model, whose vectors the realm has now."""
        model = embedder.model if isinstance(embedder, OnnxEmbedder) else None
        if self._borrowed and model and model.registered:
            self._adopt(model)
        else:
            self.close()
            self.embedder = embedder
        self.forget()

    async def calibration(self) -> Calibration:
        """Return the stored calibration of this realm's model, which the first caller stores."""
        async with self._lock:
            return await self.stored() or await self._claim()

    async def peek(self) -> Calibration:
        """Return the same without storing anything, for what only reads."""
        stored = await self.stored()
        return stored if stored is not None else await asyncio.to_thread(measure, self.embedder)

    async def stored(self) -> Calibration | None:
        """Return the stored calibration, or None where no text was written yet."""
        now = time.monotonic()
        if self._calibration is None or now - self._stored_at > STORED_SECONDS:
            row = await self._unless_swapping()
            self._calibration = None if row is None else self._require_same_model(row)
            self._stored_at = now
        return self._calibration

    async def _unless_swapping(self) -> StoredModel | None:
        """Read the stored model, and wait while its vectors are replaced by another's."""
        until = time.monotonic() + SWAP_PATIENCE_SECONDS
        while (row := await read_stored(self._database)) and row.swapping:
            if time.monotonic() > until:
                raise Conflict(
                    f"the vectors of realm {self._database.realm!r} are being replaced by those "
                    f"of {row.next_name}: repeat this when that is done; if it was interrupted, "
                    f"`asterism realm reembed {self._database.realm} --model {row.next_name}` "
                    "finishes it"
                )
            await asyncio.sleep(SWAP_POLL_SECONDS)
        return row

    async def _claim(self) -> Calibration:
        measured = await asyncio.to_thread(measure, self.embedder)
        row = await self._database.one(
            "embedding/claim",
            name=self.embedder.name,
            dimensions=self.embedder.dimensions,
            mean=measured.mean,
            spread=measured.spread,
        )
        self._calibration = self._require_same_model(StoredModel(**row))
        self._stored_at = time.monotonic()
        return self._calibration

    def _require_same_model(self, row: StoredModel) -> Calibration:
        """Return a stored calibration if it is of this model, or take its model, or refuse."""
        if self._borrowed and row.name != self.embedder.name:
            model = registered_model(row.name)
            if model and model.dimensions == row.dimensions:
                self._adopt(model)
        embedder = self.embedder
        if (row.name, row.dimensions) != (embedder.name, embedder.dimensions):
            raise Conflict(
                f"realm {self._database.realm!r} holds vectors of {row.name} "
                f"({row.dimensions} dimensions), not of {embedder.name} "
                f"({embedder.dimensions}): pass embedder= with the stored model, "
                f"open another realm, or run `asterism realm reembed {self._database.realm} "
                f"--model {embedder.name}`"
            )
        return Calibration(row.mean, row.spread)

    def _adopt(self, model: Model) -> None:
        """Borrow another model of the registry and give the present one back."""
        present = self._borrowed
        self.embedder = self._borrow(model)
        if present:
            SHARED.release(self._threads, present)

    def _borrow(self, model: Model) -> Embedder:
        self._borrowed = model
        return SHARED.borrow(self._threads, model)


def measure(embedder: Embedder) -> Calibration:
    """Return the calibration of a model on the sentences that ship."""
    return embedder.calibration if isinstance(embedder, OnnxEmbedder) else calibrate(embedder)
