"""Kin in plain loops, from the formulas alone, for texts of one batch."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from asterism.text.tokens import rare_stems, stems

Pair = tuple[str, str]


@dataclass(frozen=True)
class Note:
    """A text with its vector, and what it is remembered with."""

    id: str
    text: str
    vector: Sequence[float]
    tags: Sequence[str]
    category: str


class KinOracle:
    """Compares every text with every other one."""

    def __init__(self, notes: Sequence[Note], mean: float, spread: float) -> None:
        self.notes = {note.id: note for note in notes}
        self._model = mean, spread
        pairs = combinations(self.notes, 2)
        self._cosines = {frozenset(pair): self._cosine(*pair) for pair in pairs}
        self._stems = {note.id: stems(note.text) for note in notes}
        self._counts = Counter(stem for words in self._stems.values() for stem in words)
        self._rare = {note.id: rare_stems(note.text) for note in notes}

    @cached_property
    def realm(self) -> tuple[float, float]:
        return blended(list(self._cosines.values()), self._model)

    def own(self, id: str) -> tuple[float, float]:
        cosines = [cosine for pair, cosine in self._cosines.items() if id in pair]
        return blended(cosines, self.realm)

    @cached_property
    def _owns(self) -> dict[str, tuple[float, float]]:
        return {id: self.own(id) for id in self.notes}

    def kin(self, a: str, b: str) -> float:
        cosine = self._cosines[frozenset((a, b))]
        mean, deviation = self.realm
        both = sum((cosine - mine) / sd for mine, sd in (self._owns[a], self._owns[b])) / 2
        total = min((cosine - mean) / deviation, both) / 10 + self.words(a, b)
        return min(1.0, max(0.0, total))

    def words(self, a: str, b: str) -> float:
        most = max(3, len(self.notes) / 10)
        shared = self._rare[a] & self._rare[b]
        rare = sum(self._rarity(stem) ** 2 for stem in shared if 1 < self._counts[stem] <= most)
        return rare / (self._length(a) * self._length(b)) if rare else 0.0

    def parts(self, a: str, b: str) -> list[float]:
        ours, theirs = set(self.notes[a].tags), set(self.notes[b].tags)
        shared = len(ours & theirs) / len(ours | theirs) if ours and theirs else 0.0
        category = 1.0 if self.notes[a].category == self.notes[b].category else 0.30
        return [0.55 * self.kin(a, b), 0.20 * shared, 0.15 * category, 0.10]

    def score(self, a: str, b: str) -> float:
        return sum(self.parts(a, b)) if self.kin(a, b) >= 0.30 else 0.0

    def edges(self) -> dict[Pair, float]:
        best = {id: self._best(id) for id in self.notes}
        pairs = ((a, b) for a, b in combinations(sorted(self.notes), 2))
        scores = {(a, b): self.score(a, b) for a, b in pairs if b in best[a] and a in best[b]}
        return {pair: score for pair, score in scores.items() if score >= 0.33}

    def _best(self, id: str) -> list[str]:
        others = [other for other in self.notes if other != id]
        return sorted(others, key=lambda other: (-self.kin(id, other), other))[:5]

    def _rarity(self, stem: str) -> float:
        return math.log(len(self.notes) / self._counts[stem]) / math.log(len(self.notes))

    def _length(self, id: str) -> float:
        return math.sqrt(sum(self._rarity(stem) ** 2 for stem in self._rare[id]))

    def _cosine(self, a: str, b: str) -> float:
        x, y = self.notes[a].vector, self.notes[b].vector
        lengths = math.sqrt(math.fsum(n * n for n in x) * math.fsum(n * n for n in y))
        return math.fsum(n * m for n, m in zip(x, y, strict=True)) / lengths


def blended(cosines: list[float], prior: tuple[float, float]) -> tuple[float, float]:
    """Return mean and deviation of some cosines and of five more as they are before."""
    before, spread = prior
    count = len(cosines) + 5
    mean = (sum(cosines) + 5 * before) / count
    squares = sum(cosine**2 for cosine in cosines) + 5 * (spread**2 + before**2)
    return mean, math.sqrt(squares / count - mean**2)
