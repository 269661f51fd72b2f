"""Query of an exploration: the checked arguments of a call, and the same with its vectors."""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import ValidationError

from asterism.embedding import Embedding, require_vectors
from asterism.errors import InvalidInput
from asterism.exploration.formulas import Array
from asterism.settings import ExplorationSettings
from asterism.validation import is_finite, refusal, require_text

MODES = ("guided", "literal")


@dataclass(frozen=True)
class QueryVectors:
    """Vectors of a query and its intention, and the baseline cosine of their model."""

    query: Array
    intention: Array
    baseline_cosine: float = 0.0


@dataclass(frozen=True)
class Query:
    """A query, the intention behind it, who asks, and where to start."""

    actor: str | None
    query: str
    intention: str | None = None
    start: str | None = None
    start_label: str | None = None
    query_embedding: Array | None = None
    intention_embedding: Array | None = None

    def __post_init__(self) -> None:
        for name in ("actor", "query", "intention", "start", "start_label"):
            value = getattr(self, name)
            if value is not None or name == "query":
                require_text(name, value)

    @property
    def intention_text(self) -> str:
        """The intention, or the query if there is none."""
        return self.intention or self.query

    async def embed(self, embedding: Embedding, *, dry_run: bool) -> QueryVectors:
        """Return the vectors, those of the caller or those of the texts."""
        # A dry run claims no model for the realm.
        calibration = await (embedding.peek() if dry_run else embedding.calibration())
        query, intention = self.query_embedding, self.intention_embedding
        if query is None:
            query = await _embed(embedding, self.query)
        if intention is None:
            text = self.intention
            intention = query if text is None else await _embed(embedding, text)
        return QueryVectors(query, intention, calibration.mean)

    def dry_run_id(self, realm: str, settings: ExplorationSettings) -> str:
        """Return a run id that is the same for the same query."""
        parts = (realm, self.actor, self.query, self.intention, self.start, settings)
        return str(uuid.uuid5(uuid.NAMESPACE_OID, repr(parts)))


async def _embed(embedding: Embedding, text: str) -> Array:
    embedder = embedding.embedder
    vector = await asyncio.to_thread(embedder.embed_query, text)
    [valid] = require_vectors([vector], embedder.dimensions)
    return np.asarray(valid, dtype=np.float64)


def valid_vector(
    argument: str, vector: Sequence[float] | None, embedding: Embedding
) -> Array | None:
    """Return a caller's vector as an array, or refuse it."""
    if vector is None:
        return None
    [valid] = require_vectors(
        [valid_numbers(argument, vector)], embedding.embedder.dimensions, argument
    )
    return np.asarray(valid, dtype=np.float64)


def valid_numbers(argument: str, vector: Sequence[float]) -> list[float]:
    """Return a vector as a list of floats, or refuse it."""
    try:
        return [float(value) for value in vector]
    except (TypeError, ValueError) as error:
        raise InvalidInput(argument, vector, "give a list of numbers") from error


def valid_timeout(timeout: float | None, settings: ExplorationSettings) -> float:
    """Return the seconds for the whole exploration, or refuse them."""
    seconds = settings.timeout if timeout is None else timeout
    if isinstance(seconds, bool) or not is_finite(seconds) or seconds <= 0:
        raise InvalidInput("timeout", timeout, "give seconds above 0")
    return float(seconds)


def valid_settings(
    changes: ExplorationSettings | Mapping[str, Any] | None, defaults: ExplorationSettings
) -> ExplorationSettings:
    """Return the graph's settings with the changes for one exploration."""
    if changes is None or isinstance(changes, ExplorationSettings):
        return changes or defaults
    try:
        return ExplorationSettings(**(defaults.model_dump() | dict(changes)))
    except ValidationError as error:
        raise refusal(error, "settings.") from error
    except (TypeError, ValueError) as error:
        remedy = "give ExplorationSettings, or a dictionary of its names"
        raise InvalidInput("settings", changes, remedy) from error


def with_mode(
    settings: ExplorationSettings, mode: str | None, actor: str | None
) -> ExplorationSettings:
    """Return the settings with the mode of one exploration. A literal one needs an actor."""
    if mode is not None and mode not in MODES:
        raise InvalidInput("mode", mode, f"give {' or '.join(MODES)}")
    changed = settings if mode is None else settings.model_copy(update={"mode": mode})
    if changed.mode == "literal" and actor is None:
        raise InvalidInput("actor", actor, "a literal exploration starts at one: give its id")
    return changed
