"""What recall answers: hits with their reasons."""

from datetime import datetime
from enum import StrEnum

from pydantic import computed_field

from engine.frozen import Frozen


class Parts(Frozen):
    """What a score is the sum of; `cosine` is the similarity behind `vector`."""

    cosine: float
    vector: float
    words: float
    name: float
    neighbour: float
    session: float
    mention: float
    subject: float
    term: float
    faded: float


class Over(StrEnum):
    """What a path goes over: a name that is mentioned, that is the subject, or a rare word."""

    MENTIONS = "MENTIONS"
    ABOUT = "ABOUT"
    HAS_TERM = "HAS_TERM"


class Path(Frozen):
    """One hop: from which of the best memories, over which name or word, and what it is worth."""

    seed: str
    over: str
    how: Over
    value: float


class Hit(Frozen):
    """A memory that was found, and why."""

    id: str
    text: str
    score: float
    strength: float
    at: datetime
    about: str | None = None
    speaker: str | None = None
    session: str | None = None
    tags: tuple[str, ...] = ()
    parts: Parts
    paths: tuple[Path, ...] = ()

    @computed_field  # type: ignore[prop-decorator]  # mypy takes no decorated properties
    @property
    def why(self) -> str:
        """The reason in words, what weighs most first."""
        parts = self.parts
        told = [
            (parts.vector, f"means the same ({parts.cosine:.2f})"),
            (parts.words, "shares words"),
            (parts.name, "is about a name in the question"),
            (parts.neighbour, "stands next to an answer"),
            (parts.session, "comes from a fitting session"),
            *((_weight(parts, path), _hop(path)) for path in self.paths),
        ]
        ordered = sorted((line for line in told if line[0] >= 0.005), key=lambda line: -line[0])
        return "; ".join(dict.fromkeys(words for _, words in ordered))


class Faded(Frozen):
    """An archived memory that would be among the hits; `memories.reinforce` brings it back.

    `archived_at` is None if the memory was archived before the hours that the realm keeps apart.
    """

    id: str
    text: str
    score: float
    archived_at: datetime | None = None
    archived_hours_ago: float


class Recall(Frozen):
    """The answer to a question: hits, best first, and what was looked at.

    `faded` names up to three archived memories that would be among the hits. `warnings` says what
    went wrong beside the answer: what was handed out could not be noted as used.
    """

    query: str
    hits: tuple[Hit, ...]
    names: tuple[str, ...]
    memories: int
    candidates: int
    faded: tuple[Faded, ...] = ()
    warnings: tuple[str, ...] = ()


class WhyNot(Frozen):
    """Where a memory stands for a question, and what it lacks."""

    id: str
    query: str
    rank: int | None
    score: float | None
    needed: float | None
    parts: Parts | None
    paths: tuple[Path, ...] = ()
    missing: tuple[str, ...]


def _weight(parts: Parts, path: Path) -> float:
    return {
        Over.MENTIONS: parts.mention,
        Over.ABOUT: parts.subject,
        Over.HAS_TERM: parts.term,
    }[path.how]


def _hop(path: Path) -> str:
    kind = "word" if path.how is Over.HAS_TERM else "name"
    return f"shares the {kind} {path.over!r} with {path.seed}"
