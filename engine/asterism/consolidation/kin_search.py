"""Search for the most kin of each text: exact, and in blocks of rows and columns."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from asterism.consolidation.arrays import Floats, Floats32, Ints, MemoryArrays
from asterism.consolidation.exact_search import (
    COLUMNS,
    DIGITS,
    ROWS,
    exact_cosines,
    last_of_best,
    rounding_margin,
)
from asterism.consolidation.realm_scale import RealmScale, kin, least_cosine
from asterism.consolidation.shared_words import WordPairs


@dataclass(frozen=True)
class KinPairs:
    """Pairs of a row and a column, with the cosine of the model, their kin and its words."""

    rows: Ints
    columns: Ints
    cosines: Floats
    words: Floats
    kin: Floats

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, chosen: Ints) -> "KinPairs":
        return KinPairs(*(column[chosen] for column in vars(self).values()))


@dataclass(frozen=True)
class KinSearch:
    """Search among all texts that may be joined, on the scale of their realm."""

    texts: MemoryArrays
    scale: RealmScale
    guard: float
    most: int

    def best(self, rows: Ints, words: WordPairs) -> KinPairs:
        """Return the most kin of some rows, from the guard on. `words` are those of the rows."""
        groups = [self._empty()]
        for first in range(0, len(rows), ROWS):
            groups.append(
                self._best_of(rows[first : first + ROWS], words.of(first, first + ROWS), first)
            )
        columns = zip(*(vars(pairs).values() for pairs in groups), strict=True)
        return KinPairs(*(np.concatenate(column) for column in columns))

    def score(self, rows: Ints, columns: Ints, words: Floats) -> KinPairs:
        """Return kin of some pairs in double precision."""
        texts = self.texts
        cosines = exact_cosines(texts, rows, texts, columns)
        first = texts.means[rows], texts.deviations[rows]
        second = texts.means[columns], texts.deviations[columns]
        return KinPairs(
            rows, columns, cosines, words, kin(cosines, first, second, words, self.scale)
        )

    def _best_of(self, rows: Ints, words: WordPairs, first: int) -> KinPairs:
        """Return the most kin of one block of rows: those with words, then all others."""
        best = self._trim(self.score(rows[words.rows - first], words.columns, words.words), rows)
        width = len(self.texts)
        sharing = (words.rows - first) * width + words.columns
        for column in range(0, width, COLUMNS):
            limits = self._limits(best, rows)
            product = self.texts.unit[rows] @ self.texts.unit[column : column + COLUMNS].T
            places, columns = np.nonzero(product >= limits[:, None])
            columns = columns + column
            new = ~np.isin(places * width + columns, sharing) & (rows[places] != columns)
            places, columns = places[new], columns[new]
            more = self.score(rows[places], columns, np.zeros(len(columns)))
            pairs = zip(vars(best).values(), vars(more).values(), strict=True)
            best = self._trim(KinPairs(*(np.concatenate(pair) for pair in pairs)), rows)
        return best

    def _limits(self, best: KinPairs, rows: Ints) -> Floats32:
        """Return the least product of each row that may be among its best without words."""
        worst = self._worst(best, rows)
        needed = np.maximum(self.guard, np.where(np.isfinite(worst), worst, self.guard))
        margin = rounding_margin(max(1, self.texts.dimensions))
        limits = least_cosine(needed, self.scale) - margin
        below: Floats32 = np.nextafter(limits.astype(np.float32), np.float32(-math.inf))
        return below

    def _worst(self, best: KinPairs, rows: Ints) -> Floats:
        return last_of_best(
            _places(best.rows, rows), np.round(best.kin, DIGITS), len(rows), self.most
        )

    def _trim(self, pairs: KinPairs, rows: Ints) -> KinPairs:
        """Return the pairs from the guard on that are among the best of their rows."""
        passing = pairs.where(np.nonzero((pairs.kin >= self.guard) & (pairs.kin > 0))[0])
        places = _places(passing.rows, rows)
        order = np.lexsort(
            (
                self._id_ranks[passing.columns],
                -np.round(passing.cosines, DIGITS),
                -np.round(passing.kin, DIGITS),
                places,
            )
        )
        return passing.where(order[_ranks(places[order]) < self.most])

    @cached_property
    def _id_ranks(self) -> Ints:
        ranks = np.empty(len(self.texts), np.int64)
        ranks[sorted(range(len(self.texts)), key=self.texts.ids.__getitem__)] = np.arange(
            len(ranks)
        )
        return ranks

    def _empty(self) -> KinPairs:
        empty = np.zeros(0, np.int64)
        return KinPairs(empty, empty, np.zeros(0), np.zeros(0), np.zeros(0))


def mutual(pairs: KinPairs, width: int) -> KinPairs:
    """Return the pairs that are among the best of both, each once."""
    codes, turned = pairs.rows * width + pairs.columns, pairs.columns * width + pairs.rows
    return pairs.where(np.nonzero((pairs.rows < pairs.columns) & np.isin(turned, codes))[0])


def _places(rows: Ints, among: Ints) -> Ints:
    """Return the place of each row in a block."""
    order = np.argsort(among, kind="stable")
    places: Ints = order[np.searchsorted(among, rows, sorter=order)]
    return places


def _ranks(sorted_places: Ints) -> Ints:
    """Return how many of the same place come before each."""
    new = np.concatenate(
        [np.ones(min(1, len(sorted_places)), bool), sorted_places[1:] != sorted_places[:-1]]
    )
    numbers = np.arange(len(sorted_places))
    ranks: Ints = numbers - np.maximum.accumulate(np.where(new, numbers, 0))
    return ranks
