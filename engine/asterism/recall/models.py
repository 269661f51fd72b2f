"""Results of recall: hits with their reasons."""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field, computed_field

from asterism.base_model import Frozen
from asterism.causality.models import Chain
from asterism.html_tables import table
from asterism.metadata import Scalar
from asterism.recall.certainty import Certainty
from asterism.timestamps import long_date

CLOSE = 2.0  # of a hundred foreign questions two have a best hit so close
SIMILAR = 0.8
WORDS_SHOWN = 5


class ScoreParts(Frozen):
    """Summands of a score, and `cosine`, the similarity behind `vector`.

    `own` is what one of the best memories gains by the rare names and words of its own, beyond
    what it shares with the others of them.
    """

    cosine: float
    vector: float
    words: float
    name: float
    neighbour: float
    session: float
    speaker: float = 0.0
    mention: float
    subject: float
    term: float
    own: float = 0.0
    faded: float
    superseded: float = 0.0
    doubted: float = 0.0
    succession: float = 0.0
    confirmed: float = 0.0


class HopKind(StrEnum):
    """Kind of a hop: over a mentioned name, over a subject, or over a rare word."""

    MENTIONS = "MENTIONS"
    ABOUT = "ABOUT"
    HAS_TERM = "HAS_TERM"


class Path(Frozen):
    """One hop from one of the best memories over a name or word, and its worth."""

    seed: str
    over: str
    kind: HopKind
    value: float


class Hit(Frozen):
    """A memory that answers a question, with the reason.

    `superseded_by` names what replaced it by the time that was asked for, and `supersedes` the
    memories among the candidates that it replaced. `contradicted_by` holds newer memories that
    say otherwise, or may, and `contradicts` older ones: nobody has decided which holds.
    `own` holds the names and rare words of its own that lift it.
    `closeness` is how far its cosine is above what chance brings: in standard deviations, above
    the median best hit of questions that have nothing to do with the realm. `lacks` holds the
    words of the question that it does not have. `confirmed_for` is the question, the same or
    nearly, for which a person confirmed it. `causes` holds the chains that led to it, if they were
    asked for and it describes a recorded intent or consequence.
    """

    id: str
    text: str
    score: float
    strength: float
    at: datetime
    about: str | None = None
    speaker: str | None = None
    session: str | None = None
    tags: tuple[str, ...] = ()
    metadata: dict[str, Scalar] = Field(default_factory=dict)
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_by: str | None = None
    supersedes: tuple[str, ...] = ()
    contradicted_by: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    confidence: float = 0.5
    contradicted: float = 0.0
    certainty: Certainty = Certainty.NOTHING
    certainty_score: float = 0.0
    closeness: float = 0.0
    lacks: tuple[str, ...] = ()
    parts: ScoreParts
    paths: tuple[Path, ...] = ()
    own: tuple[str, ...] = ()
    confirmed_for: str | None = None
    causes: tuple[Chain, ...] = ()

    @computed_field  # type: ignore[prop-decorator]  # mypy takes no decorated properties
    @property
    def why(self) -> str:
        """Return the reason in words, the weightiest first."""
        parts = self.parts
        reasons = [
            (parts.vector, describe_closeness(self.closeness)),
            (parts.words, "shares words"),
            (parts.name, "is about a name in the question"),
            (parts.neighbour, "stands next to an answer"),
            (parts.session if self.session else 0.0, "comes from a fitting session"),
            (parts.speaker, f"was said by {self.speaker}, whom the question names"),
            (parts.confirmed, f"confirmed for: {self.confirmed_for}"),
            (parts.own, f"few others have its {', '.join(map(repr, self.own))}"),
            *((_weight(parts, path), _describe(path)) for path in self.paths),
        ]
        ordered = sorted((each for each in reasons if each[0] >= 0.005), key=lambda each: -each[0])
        return "; ".join(
            dict.fromkeys([*(words for _, words in ordered), *self._losses(), *self._absent()])
        )

    def _losses(self) -> Iterator[str]:
        """Yield what lowers it, by what it is superseded, and what it supersedes."""
        if self.parts.superseded and self.valid_to:
            day = long_date(self.valid_to)
            successor = self.superseded_by
            yield f"superseded by {successor} on {day}" if successor else f"valid until {day}"
        if self.parts.succession:
            yield f"supersedes {', '.join(self.supersedes)}"
        if self.contradicted_by:
            yield f"newer says otherwise: {', '.join(self.contradicted_by)}"
        if self.contradicts:
            yield f"newer than {', '.join(self.contradicts)}, which says otherwise"
        if self.parts.doubted:
            times = f"{self.contradicted:g} times, " if self.contradicted else ""
            yield f"contradicted {times}confidence {self.confidence:.1f}"

    def _absent(self) -> Iterator[str]:
        """Yield the words of the question that it does not have, if it is not certain."""
        if self.lacks and not self.certainty.reaches(Certainty.LIKELY):
            yield f"does not say {', '.join(self.lacks[:WORDS_SHOWN])}"


class Faded(Frozen):
    """An archived memory that would be among the hits. `memories.reinforce` brings it back.

    `archived_at` is None if the memory was archived before the hours that the realm keeps apart.
    """

    id: str
    text: str
    score: float
    archived_at: datetime | None = None
    archived_hours_ago: float


class Recall(Frozen):
    """Answer to a question: hits, best first, and how many memories were compared.

    `memories` counts the texts of the realm, and `searched` those that pass `filter`, which says
    the conditions in words. It is None where their number is not known without counting them.
    `faded` names up to three archived memories that would be among the hits. `warnings` says what
    went wrong beside the answer: hits that could not be recorded as used.

    `certainty` is that of the most certain hit, also of one that a minimum left out. `missing`
    holds the words of the question that no memory of the realm has. `calibration` says what chance
    was measured by: this realm, or the model alone, while it has few texts.
    """

    query: str
    hits: tuple[Hit, ...]
    certainty: Certainty = Certainty.NOTHING
    certainty_score: float = 0.0
    missing: tuple[str, ...] = ()
    calibration: Literal["realm", "model"] = "model"
    names: tuple[str, ...]
    memories: int
    candidates: int
    searched: int | None = None
    filter: str = ""
    faded: tuple[Faded, ...] = ()
    warnings: tuple[str, ...] = ()

    def at_least(self, minimum: Certainty) -> "Recall":
        """Return the answer without the hits that are less certain."""
        hits = tuple(hit for hit in self.hits if hit.certainty.reaches(minimum))
        return self if len(hits) == len(self.hits) else self.model_copy(update={"hits": hits})

    def _repr_html_(self) -> str:
        rows = [(hit.score, hit.certainty, hit.at, hit.text, hit.why) for hit in self.hits]
        title = f"{self.query} ({self.certainty.value}, {self.memories} memories)"
        return table(title, ("score", "certainty", "at", "text", "why"), rows)


class WhyNot(Frozen):
    """Rank and score of a memory for a question, and what it lacks."""

    id: str
    query: str
    rank: int | None
    score: float | None
    needed: float | None
    parts: ScoreParts | None
    paths: tuple[Path, ...] = ()
    missing: tuple[str, ...]


def _weight(parts: ScoreParts, path: Path) -> float:
    return {
        HopKind.MENTIONS: parts.mention,
        HopKind.ABOUT: parts.subject,
        HopKind.HAS_TERM: parts.term,
    }[path.kind]


def _describe(path: Path) -> str:
    kind = "word" if path.kind is HopKind.HAS_TERM else "name"
    return f"shares the {kind} {path.over!r} with {path.seed}"


def describe_closeness(closeness: float) -> str:
    """Return how close in meaning a hit is, beside what chance brings."""
    if closeness >= CLOSE:
        return f"means the same ({closeness:.1f} above chance)"
    if closeness >= SIMILAR:
        return f"means something similar ({closeness:.1f} above chance)"
    return "is no closer in meaning than chance brings"
