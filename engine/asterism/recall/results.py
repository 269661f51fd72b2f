"""Rows of recall/find as hits, paths and archived memories."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, TypedDict

from asterism.database import Row
from asterism.metadata import from_json
from asterism.recall.certainty import Judge, certainty_of
from asterism.recall.models import Faded, Hit, HopKind, Path, Recall, ScoreParts
from asterism.row_types import row_of
from asterism.search_index import passage
from asterism.text.languages import ENGLISH
from asterism.text.tokens import stems_of, words

PATHS_SHOWN = 3
LONGEST_EXCERPT = 120
LONGEST_JUDGED = 4000  # letters in which the words of a question are looked for
HOUR = 3.6e9
HOP_PARTS = {
    "mention": HopKind.MENTIONS,
    "subject": HopKind.ABOUT,
    "term": HopKind.HAS_TERM,
}
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@row_of("recall/prepare")
class QuestionFacts(TypedDict):
    """Row of recall/prepare."""

    text_count: float
    hop_limit: float
    names: list[Row]
    word_hit_ids: list[str]
    word_hit_scores: list[float]
    best_word_score: float
    all_proposed: bool
    active: int
    covered: list[int]
    unembedded: bool
    word_counts: list[Row]
    languages: list[str]
    foreign_cosines: list[float] | None
    has_confirmed: bool
    has_speakers: bool


class RankedMemory(TypedDict):
    """A memory with its score, in a row of recall/find."""

    score: float
    strength: float
    paths: list[dict[str, Any]]
    archived: tuple[str, int] | None
    replaced: list[str]  # ids of the memories that it superseded
    disputes: list[Row]  # ids of memories that say otherwise, and whether each is newer
    newcomer: bool  # only a hop leads to it
    parts: dict[str, float]
    rest_cosine: float
    confirmed_for: str | None
    memory: Row


@row_of("recall/find")
class Ranking(TypedDict):
    """Row of recall/find."""

    candidates: int
    hits: list[RankedMemory]
    faded: list[RankedMemory]


NOTHING = Ranking(candidates=0, hits=[], faded=[])


@dataclass(frozen=True)
class SearchResult:
    """Ranked memories, and the facts of the question that ranked them."""

    ranking: Ranking = field(default_factory=lambda: NOTHING)
    names: tuple[str, ...] = ()
    text_count: int = 0
    filter: Row = field(default_factory=dict)
    faded: tuple[Faded, ...] = ()
    searched: int | None = None
    filter_text: str = ""
    judge: Judge | None = None

    @property
    def hits(self) -> list[RankedMemory]:
        return self.ranking["hits"]

    @property
    def orphans(self) -> list[str]:
        """Return the superseded hits that are no candidates, so that their successors are none."""
        return [
            row["memory"]["id"]
            for row in self.hits
            if row["newcomer"] and row["memory"]["superseded_by"] is not None
        ]

    def recall(self, query: str) -> Recall:
        """Return the answer to a question, as certain as its most certain hit."""
        hits = _with_successors(tuple(hit(row, self.judge) for row in self.hits))
        score = max((each.certainty_score for each in hits), default=0.0)
        return Recall(
            query=query,
            hits=hits,
            certainty=certainty_of(score),
            certainty_score=score,
            missing=self.judge.words.missing if self.judge else (),
            calibration="realm" if self.judge and self.judge.foreign.measured else "model",
            names=self.names,
            memories=self.text_count,
            candidates=self.ranking["candidates"],
            searched=self.searched,
            filter=self.filter_text,
            faded=self.faded,
        )


def hit(row: RankedMemory, judge: Judge | None) -> Hit:
    """Return a row as a hit, with its certainty."""
    memory = dict(row["memory"])
    return Hit(
        at=_time(memory.pop("at")),
        valid_from=_time(memory.pop("from")),
        valid_to=_time(memory.pop("to")),
        supersedes=tuple(sorted(row["replaced"])),
        contradicted_by=_disputing(row, newer=True),
        contradicts=_disputing(row, newer=False),
        metadata=from_json(memory.pop("metadata")),
        **memory,
        score=row["score"],
        strength=row["strength"],
        confirmed_for=row["confirmed_for"],
        parts=parts(row),
        paths=paths(row),
        own=own_names(row),
        **(_certainty(row, judge) if judge else {}),
    )


def _time(parts: Sequence[int | None]) -> Any:
    """Return the time of seconds and microseconds: a datetime a row would take longer to read."""
    seconds, micros = parts
    if seconds is None or micros is None:
        return None
    return EPOCH + timedelta(seconds=seconds, microseconds=micros)


def _with_successors(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Return hits of which none is less certain than what it supersedes."""
    scores = {each.id: each.certainty_score for each in hits}
    result = []
    for each in hits:
        score = max([each.certainty_score, *(scores.get(id, 0.0) for id in each.supersedes)])
        update = {"certainty_score": score, "certainty": certainty_of(score)}
        result.append(each.model_copy(update=update) if score > each.certainty_score else each)
    return tuple(result)


def _certainty(row: RankedMemory, judge: Judge) -> dict[str, Any]:
    """Return how certain a hit is, and the question's words that it does not have."""
    memory, cosine = row["memory"], row["parts"]["cosine"]
    score = judge.score(cosine, row["rest_cosine"])
    whole = passage(memory["about"], memory["speaker"], memory["text"][:LONGEST_JUDGED])
    return {
        "certainty": certainty_of(score),
        "certainty_score": score,
        "closeness": judge.foreign.closeness(cosine),
        "lacks": judge.absent(whole, memory["language"]),
    }


def faded(row: RankedMemory, hours_ago: float, archived_at: datetime | None) -> Faded:
    """Return a row of an archived memory with an excerpt of its text."""
    line = " ".join(row["memory"]["text"].split())
    return Faded(
        id=row["memory"]["id"],
        text=line if len(line) <= LONGEST_EXCERPT else line[: LONGEST_EXCERPT - 1] + "…",
        score=row["score"],
        archived_at=archived_at,
        archived_hours_ago=hours_ago,
    )


def paths(row: RankedMemory) -> tuple[Path, ...]:
    """Return the best hops to a memory, but for those of a seed to itself."""
    return tuple(islice(_hops(row, own=False), PATHS_SHOWN))


def parts(row: RankedMemory) -> ScoreParts:
    """Return the parts of a score, with what a seed owes to its own names and words apart."""
    summands, own = dict(row["parts"]), 0.0
    for part, kind in HOP_PARTS.items():
        values = {True: 0.0, False: 0.0}
        for path in row["paths"]:
            if path["kind"] == kind:
                of_its_own = path["seed"] == row["memory"]["id"]
                values[of_its_own] = max(values[of_its_own], path["value"])
        if values[True] > values[False]:
            lead = summands[part] * (1 - values[False] / values[True])
            own, summands[part] = own + lead, summands[part] - lead
    return ScoreParts(**summands, own=own)


def own_names(row: RankedMemory) -> tuple[str, ...]:
    """Return the names and rare words by which one of the best hits lifts itself, best first."""
    names: dict[str, None] = {}
    for path in _hops(row, own=True):
        names[path.over] = None
        if len(names) == PATHS_SHOWN:
            break
    return tuple(names)


def _hops(row: RankedMemory, *, own: bool) -> Iterator[Path]:
    """Yield the hops of a seed to itself, or those of others to a memory, best first.

    Each is made when it is asked for: a long text has thousands.
    """
    memory = row["memory"]
    hops = [path for path in row["paths"] if (path["seed"] == memory["id"]) is own]
    hops.sort(key=lambda path: (-path["value"], path["kind"], path["over"]))
    return (_with_whole_word(Path(**path), memory) for path in hops)


def _disputing(row: RankedMemory, *, newer: bool) -> tuple[str, ...]:
    return tuple(sorted(each["id"] for each in row["disputes"] if each["newer"] is newer))


def _with_whole_word(path: Path, memory: Row) -> Path:
    """Replace the stem of a rare word by the word as the memory spells it."""
    if path.kind is not HopKind.HAS_TERM:
        return path
    text = " ".join(memory[part] or "" for part in ("text", "about", "speaker"))
    code = memory["language"] or ENGLISH
    spelled = (word for word in words(text) if path.over in stems_of(word, code))
    return path.model_copy(update={"over": next(spelled, path.over)})
