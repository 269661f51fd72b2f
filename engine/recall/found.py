"""What the reads of one question bring, as people are told it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from engine.database import Row
from engine.recall import words
from engine.recall.model import Faded, Hit, Over, Parts, Path, Recall

PATHS_SHOWN = 3
LONGEST_EXCERPT = 120
HOUR = 3.6e9
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Found:
    """Memories, best first, and what was known of the question before."""

    answer: Row | None = None
    names: list[Row] = field(default_factory=list)
    memories: int = 0
    only: Row = field(default_factory=dict)
    faded: tuple[Faded, ...] = ()

    @property
    def rows(self) -> list[Row]:
        """The memories, best first."""
        return self.answer["hits"] if self.answer else []

    @property
    def candidates(self) -> int:
        """How many could answer before any hop."""
        return self.answer["candidates"] if self.answer else 0

    def recall(self, query: str) -> Recall:
        """All of it as the answer to a question."""
        return Recall(
            query=query,
            hits=tuple(map(hit, self.rows)),
            names=tuple(name["key"] for name in self.names),
            memories=self.memories,
            candidates=self.candidates,
            faded=self.faded,
        )


def hit(row: Row) -> Hit:
    """A row as a hit."""
    seconds, micros = row["memory"]["at"]  # a datetime a row would take longer than its search
    at = EPOCH + timedelta(seconds=seconds, microseconds=micros)
    return Hit(
        **row["memory"] | {"at": at},
        score=row["score"],
        strength=row["strength"],
        parts=Parts(**row["parts"]),
        paths=paths(row),
    )


def faded(row: Row, now: Row, archived_at: datetime | None) -> Faded:
    """Return a row of an archived memory as people read it."""
    clock, end = row["archived"]
    line = " ".join(row["memory"]["text"].split())
    return Faded(
        id=row["memory"]["id"],
        text=line if len(line) <= LONGEST_EXCERPT else line[: LONGEST_EXCERPT - 1] + "…",
        score=row["score"],
        archived_at=archived_at,
        archived_hours_ago=(now[clock] - end) / HOUR,
    )


def paths(row: Row) -> tuple[Path, ...]:
    """The best hops to a memory; a seed's own way back to itself is not worth telling."""
    ways = [Path(**via) for via in row["via"] if via["seed"] != row["memory"]["id"]]
    ways.sort(key=lambda path: (-path.value, path.how, path.over))
    return tuple(_spelled(path, row["memory"]) for path in ways[:PATHS_SHOWN])


def _spelled(path: Path, memory: Row) -> Path:
    """A rare word as the memory has it: its stem is nothing that a person reads."""
    if path.how is not Over.HAS_TERM:
        return path
    told = " ".join(memory[part] or "" for part in ("text", "about", "speaker"))
    same = (word for word in words.words(told) if words.stem(word) == path.over)
    return path.model_copy(update={"over": next(same, path.over)})
