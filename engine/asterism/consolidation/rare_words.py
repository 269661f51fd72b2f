"""Search for texts that share rare words or subjects with others, over the index of words."""

import math
from collections.abc import Mapping, Sequence
from heapq import nsmallest
from typing import Any, NamedTuple, Protocol

from asterism.database import Row
from asterism.row_types import row_of
from asterism.text.change_rule import Rarities, Statement
from asterism.text.change_words import frames
from asterism.text.tokens import stems

READ = 1000  # memories of one statement
MOST_CANDIDATES = 20  # of one memory
MOST_WORDS = 8  # rarest words of one memory that are looked up
RARE = 30  # memories that have such a word
COMMON = 100  # memories that have a word of a frame: recall.tied_words
MEASURED = 600  # texts of the realm that the points were fitted to: fewer count as so many
LONGEST = 60  # words of a text that states a fact
FRAME_STEMS = {
    name: frozenset(stem for stem in words if "-" not in stem) for name, words in frames().items()
}
EVERY_FRAME_STEM = sorted(frozenset().union(*FRAME_STEMS.values()))
Group = tuple[str, str | None, str | None]  # word, speaker, title


class Reader(Protocol):
    """A database, or a transaction of it."""

    async def rows(self, name: str, /, **parameters: Any) -> list[Row]: ...


@row_of("consolidation/find_by_words")
class WordMembers(NamedTuple):
    """Row of consolidation/find_by_words."""

    stem: str
    speaker: str | None
    about: str | None
    members: list[str]


class RareWords:
    """Memories that share the rarest words or a subject frame with some statements."""

    def __init__(self, reader: Reader, statements: Sequence[Statement]) -> None:
        self._reader = reader
        self._statements = statements
        self._counts: dict[str, int] = {}
        self._texts = MEASURED

    async def pairs(self) -> list[tuple[str, str]]:
        """Return the id of each statement with those of at most so many candidates."""
        own = {each.id: stems(each.text) for each in self._statements if _may_change(each)}
        await self._count(sorted({stem for words in own.values() for stem in words}))
        chosen = {
            each.id: self._search_words(each, own[each.id])
            for each in self._statements
            if each.id in own
        }
        members = await self._members(sorted(frozenset().union(*chosen.values())))
        return [
            (each.id, other)
            for each in self._statements
            for other in self._best(each, chosen.get(each.id, frozenset()), members)
        ]

    def rarities(self) -> Rarities:
        """Return how rare each frame and each word of the statements is."""
        frames = {
            name: self._rarity(sum(self._counts.get(stem, 0) for stem in words))
            for name, words in FRAME_STEMS.items()
        }
        words = {stem: self._rarity(count) for stem, count in self._counts.items()}
        return Rarities(frames, words)

    def _rarity(self, count: int) -> float:
        rarity = math.log(self._texts / max(1, count)) / math.log(MEASURED)
        return min(1.0, max(0.0, rarity))

    async def _count(self, words: Sequence[str]) -> None:
        every = [*EVERY_FRAME_STEM, *words]
        for first in range(0, len(every), READ):
            [row] = await self._reader.rows(
                "consolidation/count_words", stems=every[first : first + READ]
            )
            self._counts |= dict(row["counts"])
            self._texts = max(MEASURED, row["texts"])

    def _search_words(self, statement: Statement, own: Sequence[str]) -> frozenset[str]:
        """Return the rarest words of a statement that others have too, and those of its frames."""
        counts = self._counts
        rare = [stem for stem in own if 1 < counts.get(stem, 0) <= RARE]
        rare.sort(key=lambda stem: (counts[stem], stem))
        frames = (FRAME_STEMS[name] for name in statement.profile.frames)
        framed = {stem for frame in frames for stem in frame if 0 < counts.get(stem, 0) <= COMMON}
        return frozenset(rare[:MOST_WORDS]) | framed

    async def _members(self, words: Sequence[str]) -> dict[Group, list[str]]:
        """Return the memories of each word, speaker and title."""
        ids = [each.id for each in self._statements]
        members: dict[Group, list[str]] = {}
        for first in range(0, len(words), READ):
            rows = await self._reader.rows(
                "consolidation/find_by_words", stems=words[first : first + READ], ids=ids
            )
            word_members = [WordMembers(**row) for row in rows]
            members |= {(row.stem, row.speaker, row.about): row.members for row in word_members}
        return members

    def _best(
        self, statement: Statement, words: frozenset[str], members: Mapping[Group, list[str]]
    ) -> list[str]:
        weights: dict[str, float] = {}
        for stem in words:
            for id in members.get((stem, statement.speaker, statement.about), ()):
                weights[id] = weights.get(id, 0.0) + 1.0 / self._counts[stem]
        weights.pop(statement.id, None)
        return nsmallest(MOST_CANDIDATES, weights, key=lambda id: (-weights[id], id))


def _may_change(statement: Statement) -> bool:
    """Return True for a text that says a change, has a value, or names a subject of facts."""
    profile = statement.profile
    if len(profile.words) > LONGEST:
        return False
    details = any(map(profile.of_kind, ("number", "date", "name", "negation")))
    return bool(profile.marker or profile.frames or details)
