"""Makes a question of what was asked: checked, and with vectors."""

import asyncio
import math
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import ValidationError

from engine.database import Database
from engine.embedding import Embedding, checked
from engine.errors import InvalidInput
from engine.exploration.acts import Question
from engine.exploration.formulas import Array
from engine.exploration.model import refuse_surrogates
from engine.settings import ExplorationSettings


def valid_text(argument: str, text: Any) -> str:
    """A text that says something."""
    if not isinstance(text, str) or not text.strip():
        raise InvalidInput(argument, text, "give a text that is not empty")
    refuse_surrogates(argument, text)
    return text


def valid_timeout(timeout: float | None, settings: ExplorationSettings) -> float:
    """Seconds for the whole exploration."""
    seconds = settings.timeout if timeout is None else timeout
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not number or not math.isfinite(seconds) or seconds <= 0:
        raise InvalidInput("timeout", timeout, "give seconds above 0")
    return float(seconds)


def valid_settings(
    given: ExplorationSettings | Mapping[str, Any] | None, standing: ExplorationSettings
) -> ExplorationSettings:
    """The graph's settings, with what is given for this exploration."""
    if given is None or isinstance(given, ExplorationSettings):
        return given or standing
    try:
        return ExplorationSettings(**(standing.model_dump() | dict(given)))
    except (TypeError, ValueError) as error:
        if not isinstance(error, ValidationError):
            remedy = "give ExplorationSettings, or a dictionary of its names"
            raise InvalidInput("settings", given, remedy) from error
        raise _refused(error) from error


def _refused(error: ValidationError) -> InvalidInput:
    [first, *_] = error.errors()
    name = ".".join(str(part) for part in first["loc"])
    return InvalidInput(f"settings.{name}", first["input"], first["msg"])


class Asking:
    """Turns texts into vectors of the realm's model, and says where that model's zero is."""

    def __init__(self, database: Database, embedding: Embedding, *, writes: bool) -> None:
        self._database = database
        self._embedding = embedding
        self._writes = writes

    @property
    def model(self) -> str:
        """The name of the realm's model."""
        return self._embedding.embedder.name

    async def zero(self) -> float:
        """The cosine of unrelated texts; what only looks claims no model for the realm."""
        known = self._embedding.calibration if self._writes else self._embedding.peek
        return (await known()).mean

    def given(self, argument: str, vector: Sequence[float] | None) -> Array | None:
        """A vector that the caller brought."""
        if vector is None:
            return None
        dimensions = self._embedding.embedder.dimensions
        try:
            numbers = [float(value) for value in vector]
        except (TypeError, ValueError) as error:
            raise InvalidInput(argument, vector, "give a list of numbers") from error
        [fine] = checked([numbers], dimensions, argument)
        return np.asarray(fine, dtype=np.float64)

    async def vector(self, text: str) -> Array:
        """The vector of a text."""
        embedder = self._embedding.embedder
        made = await asyncio.to_thread(embedder.embed_query, text)
        [fine] = checked([made], embedder.dimensions)
        return np.asarray(fine, dtype=np.float64)

    async def question(
        self,
        actor: str,
        query: str,
        intention: str | None,
        vectors: tuple[Array | None, Array | None],
        start: tuple[str | None, str | None],
    ) -> Question:
        """What is asked, and why; without a reason of its own the question is the reason."""
        asked, meant = vectors
        if asked is None:
            asked = await self.vector(query)
        if meant is None:
            meant = asked if intention is None else await self.vector(intention)
        return Question(actor, query, intention or query, asked, meant, *start)


def looking_id(*asked: object) -> str:
    """The id of a run that only looks: the same for the same question."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, repr(asked)))
