"""What is known of a question before the hop: its names, its candidates, and where they stand."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property

from engine.database import Row
from engine.recall.model import Hit, Parts, Path
from engine.settings import RecallSettings

PATHS_SHOWN = 3
BEHIND_ALL = -1e9
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Ranking:
    """Candidates, best first, with what the reads of one question have in common."""

    settings: RecallSettings
    shared: Row
    cap: float
    memories: int
    found: Row

    @property
    def names(self) -> list[Row]:
        """Names of the realm that the question holds, and what each is worth."""
        known: list[Row] = self.shared["names"]
        return known

    @property
    def ids(self) -> list[str]:
        """The candidates, best first."""
        known: list[str] = self.found["ids"]
        return known

    @cached_property
    def fused(self) -> dict[str, float]:
        return dict(zip(self.ids, self.found["fused"], strict=True))

    @cached_property
    def lifted(self) -> dict[str, float]:
        return dict(zip(self.ids, self.found["lifted"], strict=True))

    def hop(self, k: int, also: str | None = None) -> Row:
        """What the last read has to know, to return the best k and one more."""
        ids, lifted, seeds = self.ids, self.found["lifted"], self.settings.seeds
        bar = lifted[k - 1] - self.settings.strength if len(ids) >= k else BEHIND_ALL
        if self.shared["only"]["minimum"] > 0:
            bar = BEHIND_ALL
        ahead = [id for id, value in self.lifted.items() if value >= bar]
        sessions = {row["session"]: row["best"] for row in self.found["sessions"]}
        return self.shared | {
            "cap": self.cap,
            "k": k,
            "seeds": [{"id": id, "lifted": self.lifted[id]} for id in ids[:seeds]],
            "first": lifted[0],
            "last": lifted[min(seeds, len(ids) - 1)],
            "ahead": [*ahead, also] if also and also not in ahead else ahead,
            "lifted": self.lifted,
            "fused": self.fused if sessions else {},
            "sessions": sessions,
            "low": self.found["low"],
            "high": max(self.found["fused"]),
            "bar": bar,
            "farthest": self.found["farthest"],
            "also": also,
        }

    def parts(self, row: Row) -> Parts:
        """The sum behind a score: what was not sent is what remains of it."""
        id, s = row["memory"]["id"], self.settings
        vector, name = self.shared["scale"] * row["cosine"], s.name * row["name"]
        hop = row["mentioned"] + row["subject"] + row["term"]
        faded = s.strength * (row["strength"] - 1.0)
        lifted = row["score"] - hop - faded
        words = self.fused[id] - vector - name if id in self.fused else 0.0
        return Parts(
            cosine=row["cosine"],
            vector=vector,
            words=words,
            name=name,
            neighbour=lifted - vector - words - name - row["lead"],
            session=row["lead"],
            mention=row["mentioned"],
            subject=row["subject"],
            term=row["term"],
            faded=faded,
        )

    def hit(self, row: Row) -> Hit:
        """A row of the last read as a hit."""
        seconds, micros = row["memory"]["at"]  # a datetime a row would take longer than its search
        at = EPOCH + timedelta(seconds=seconds, microseconds=micros)
        return Hit(
            **row["memory"] | {"at": at},
            score=row["score"],
            strength=row["strength"],
            parts=self.parts(row),
            paths=paths(row),
        )


def paths(row: Row) -> tuple[Path, ...]:
    """The best hops to a memory; a seed's own way back to itself is not worth telling."""
    ways = [Path(**via) for via in row["via"] if via["seed"] != row["memory"]["id"]]
    ways.sort(key=lambda path: (-path.value, path.how, path.over))
    return tuple(ways[:PATHS_SHOWN])
