"""Vectors of texts: each text is embedded once, ever, outside any transaction."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.database import Database
from engine.embedding import Embedding
from engine.errors import AsterismError

AT_ONCE = 256
STORED_AT_ONCE = 1000  # a commit to the vector index costs the same for one vector as for many
STORED_EVERY_SECONDS = 2.0  # and what a slow model has made is not lost
EXTREME = 2.0**20  # longer and shorter vectors are stored as unit ones, others as they came

Vector32 = NDArray[np.float32]
OnProgress = Callable[[int], None]


@dataclass
class Embedded:
    """What became of texts without vectors: those that have one now, and why others have none."""

    vectors: dict[str, Vector32] = field(default_factory=dict)
    set_aside: dict[str, str] = field(default_factory=dict)

    def take(self, more: "Embedded") -> None:
        """Add others to these."""
        self.vectors |= more.vectors
        self.set_aside |= more.set_aside


async def embed(
    database: Database, embedding: Embedding, *, on_progress: OnProgress | None = None
) -> None:
    """Embed those of a realm's texts that have no vector yet.

    A text of which no usable vector comes out is set aside with the reason, and no longer waits:
    remembering it again, or a rebuild, tries again.
    """
    count = AT_ONCE
    while count == AT_ONCE:
        rows = await database.rows("memories/unembedded", limit=AT_ONCE)
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
) -> Embedded:
    """Embed texts that have no vector yet, by id; without `store` nothing is written."""
    total, fresh, ids = Embedded(), Embedded(), list(texts)
    stored_at = time.monotonic()
    for first in range(0, len(ids), AT_ONCE):
        some = {id: texts[id] for id in ids[first : first + AT_ONCE]}
        fresh.take(await _embed_some(embedding, some))
        enough = len(fresh.vectors) >= STORED_AT_ONCE or first + AT_ONCE >= len(ids)
        if enough or time.monotonic() - stored_at > STORED_EVERY_SECONDS:
            if store:
                await _store(database, embedding, fresh)
            total.take(fresh)
            fresh, stored_at = Embedded(), time.monotonic()
        if on_progress:
            on_progress(len(some))
    return total


async def _embed_some(embedding: Embedding, texts: Mapping[str, str]) -> Embedded:
    await embedding.calibration()
    keys = {id: text.strip().lower() for id, text in texts.items()}
    answers = await asyncio.to_thread(_answers, embedding, sorted(set(keys.values())))
    done = Embedded()
    for id, key in keys.items():
        vector = answers[key]
        if isinstance(vector, str):
            done.set_aside[id] = vector
        else:
            done.vectors[id] = vector
    return done


async def _store(database: Database, embedding: Embedding, done: Embedded) -> None:
    rows = [{"id": id, "vector": done.vectors[id].tolist()} for id in sorted(done.vectors)]
    if rows:
        told = await database.rows("memories/embed", rows=rows, model=embedding.embedder.name)
        late = done.vectors.keys() - {row["id"] for row in told}
        for id in late:  # somebody else was faster, or the text is gone
            del done.vectors[id]
        done.vectors |= await stored(database, sorted(late))
    if done.set_aside:
        reasons = [{"id": id, "reason": done.set_aside[id]} for id in sorted(done.set_aside)]
        await database.rows("memories/set_aside", rows=reasons)


async def stored(database: Database, ids: Sequence[str]) -> dict[str, Vector32]:
    """The vectors that some texts have already."""
    rows = await database.rows("memories/vectors", ids=list(ids)) if ids else []
    return {row["id"]: np.asarray(row["vector"], np.float32) for row in rows}


def _answers(embedding: Embedding, keys: list[str]) -> dict[str, Vector32 | str]:
    """A vector for each text, or the reason why there is none."""
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
            return {keys[0]: _said(error)}
    return _one_by_one(embedding, keys)


def _one_by_one(embedding: Embedding, keys: list[str]) -> dict[str, Vector32 | str]:
    """What fails for a text alone is that text's fault; what fails for all is the model's."""
    answers: dict[str, Vector32 | str] = {}
    failed: list[Exception] = []
    for key in keys:
        try:
            [vector] = embedding.embedder.embed_documents([key])
            answers[key] = usable_vector(vector, embedding.embedder.dimensions)
        except (AsterismError, OSError):
            raise
        except Exception as error:
            failed.append(error)
            answers[key] = _said(error)
    if len(failed) == len(keys) > 1:
        raise AsterismError(
            f"the embedder {embedding.embedder.name!r} fails for every text ({failed[0]!r}): "
            "repair it and repeat; nothing was changed"
        ) from failed[0]
    return answers


def usable_vector(vector: Any, dimensions: int) -> Vector32 | str:
    """A vector as it can be stored, or what is wrong with it."""
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
    if not 1 / EXTREME < norm < EXTREME:
        exact = (exact / largest) / np.linalg.norm(exact / largest)
    return exact.astype(np.float32)


def _said(error: Exception) -> str:
    return f"the embedder failed for this text: {error!r}"[:300]
