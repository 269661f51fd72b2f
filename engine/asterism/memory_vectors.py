"""Vectors of texts: embeds those that have none, sets aside those that can't be embedded."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asterism.database import Database
from asterism.embedding import Embedding
from asterism.errors import AsterismError

BATCH = 256
STORED_BATCH = 1000  # a commit to the vector index costs the same for one vector as for many
STORE_INTERVAL_SECONDS = 2.0  # so that the work of a slow model is not lost
EXTREME_NORM = 2.0**20  # longer and shorter vectors are stored as unit ones

Vector32 = NDArray[np.float32]
OnProgress = Callable[[int], None]


@dataclass
class EmbeddingResult:
    """Vectors of texts by id, and the reasons why other texts have none."""

    vectors: dict[str, Vector32] = field(default_factory=dict)
    set_aside: dict[str, str] = field(default_factory=dict)

    def add(self, more: "EmbeddingResult") -> None:
        self.vectors |= more.vectors
        self.set_aside |= more.set_aside


async def embed_missing(
    database: Database, embedding: Embedding, *, on_progress: OnProgress | None = None
) -> None:
    """Embed those of a realm's texts that have no vector yet.

    A text without a usable vector is set aside with the reason, and no longer waits. Remembering
    it again, or a rebuild, tries again.
    """
    count = BATCH
    while count == BATCH:
        rows = await database.rows("memory_vectors/texts_without_vector", limit=BATCH)
        count = len(rows)
        await embed_texts(database, embedding, {row["id"]: row["text"] for row in rows})
        if on_progress:
            on_progress(count)


async def embed_texts(
    database: Database,
    embedding: Embedding,
    texts: Mapping[str, str],
    *,
    store: bool = True,
    on_progress: OnProgress | None = None,
) -> EmbeddingResult:
    """Embed texts that have no vector yet, by id. Without `store` nothing is written."""
    total, unstored, ids = EmbeddingResult(), EmbeddingResult(), list(texts)
    stored_at = time.monotonic()
    for first in range(0, len(ids), BATCH):
        batch = {id: texts[id] for id in ids[first : first + BATCH]}
        unstored.add(await _embed_batch(embedding, batch))
        enough = len(unstored.vectors) >= STORED_BATCH or first + BATCH >= len(ids)
        if enough or time.monotonic() - stored_at > STORE_INTERVAL_SECONDS:
            if store:
                await _store(database, embedding, unstored, texts)
            total.add(unstored)
            unstored, stored_at = EmbeddingResult(), time.monotonic()
        if on_progress:
            on_progress(len(batch))
    return total


async def _embed_batch(embedding: Embedding, texts: Mapping[str, str]) -> EmbeddingResult:
    await embedding.calibration()
    keys = {id: text.strip().lower() for id, text in texts.items()}
    vectors = await asyncio.to_thread(_vectors_or_reasons, embedding, sorted(set(keys.values())))
    embedded = EmbeddingResult()
    for id, key in keys.items():
        vector = vectors[key]
        if isinstance(vector, str):
            embedded.set_aside[id] = vector
        else:
            embedded.vectors[id] = vector
    return embedded


async def _store(
    database: Database,
    embedding: Embedding,
    embedded: EmbeddingResult,
    texts: Mapping[str, str],
) -> None:
    """Store vectors and reasons. A text that has a vector meanwhile keeps that one."""
    vectors, reasons = embedded.vectors, embedded.set_aside
    if vectors:
        stored = await database.rows(
            "memory_vectors/store_vectors",
            rows=[
                {"id": id, "text": texts[id], "vector": vectors[id].tolist()}
                for id in sorted(vectors)
            ],
            model=embedding.embedder.name,
        )
        late = vectors.keys() - {row["id"] for row in stored}
        for id in late:  # somebody else was faster, or the text is gone
            del vectors[id]
        vectors |= await stored_vectors(database, sorted(late))
    if reasons:
        rows = [{"id": id, "reason": reasons[id]} for id in sorted(reasons)]
        await database.rows("memory_vectors/set_texts_aside", rows=rows)


async def stored_vectors(database: Database, ids: Sequence[str]) -> dict[str, Vector32]:
    """Return the vectors of those texts that have one."""
    rows = await database.rows("memory_vectors/stored_vectors", ids=list(ids)) if ids else []
    return {row["id"]: np.asarray(row["vector"], np.float32) for row in rows}


def _vectors_or_reasons(embedding: Embedding, keys: list[str]) -> dict[str, Vector32 | str]:
    """Return a vector for each text, or the reason why there is none."""
    embedder = embedding.embedder
    usable = partial(usable_vector, dimensions=embedder.dimensions)
    try:
        vectors = embedder.embed_documents(list(keys))
        if len(vectors) == len(keys):
            return {key: usable(vector) for key, vector in zip(keys, vectors, strict=True)}
    except (AsterismError, OSError):
        raise
    except Exception as error:
        if len(keys) == 1:
            return {keys[0]: _failure(error)}
    return _one_by_one(embedding, keys)


def _one_by_one(embedding: Embedding, keys: list[str]) -> dict[str, Vector32 | str]:
    """Embed text by text: one that fails alone is set aside, if all fail the model is at fault."""
    vectors: dict[str, Vector32 | str] = {}
    failed: list[Exception] = []
    for key in keys:
        try:
            [vector] = embedding.embedder.embed_documents([key])
            vectors[key] = usable_vector(vector, embedding.embedder.dimensions)
        except (AsterismError, OSError):
            raise
        except Exception as error:
            failed.append(error)
            vectors[key] = _failure(error)
    if len(failed) == len(keys) > 1:
        raise AsterismError(
            f"the embedder {embedding.embedder.name!r} fails for every text ({failed[0]!r}): "
            "repair it and repeat; nothing was changed"
        ) from failed[0]
    return vectors


def usable_vector(vector: Any, dimensions: int) -> Vector32 | str:
    """Return a vector as it can be stored, or what is wrong with it."""
    try:
        exact = np.asarray(vector, dtype=np.float64)
    except (TypeError, ValueError):
        return "the embedder gave something that is no vector"
    if exact.shape != (dimensions,):
        return f"the vector has {exact.size} numbers, the model {dimensions}"
    if not np.isfinite(exact).all():
        return "the vector holds NaN or infinity"
    largest = np.abs(exact).max(initial=0.0)
    if largest == 0.0:
        return "the vector is zero"
    norm = largest * float(np.linalg.norm(exact / largest))
    if not 1 / EXTREME_NORM < norm < EXTREME_NORM:
        exact = (exact / largest) / np.linalg.norm(exact / largest)
    return exact.astype(np.float32)


def _failure(error: Exception) -> str:
    return f"the embedder failed for this text: {error!r}"[:300]
