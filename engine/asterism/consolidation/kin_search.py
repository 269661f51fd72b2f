"""Search for the most kin of each text: exact, and in blocks of rows and columns.

Products of single precision bound the kin of a pair from above. Only pairs whose bound may be among
the best of a row are scored in double precision.
"""

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

SLACK = 1e-9  # for sums of words that were added in another order


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

    def best(self, rows: Ints, words: WordPairs, claims: "Claims | None" = None) -> KinPairs:
        """Return the most kin of some rows, from the guard on. `words` are those of the rows.

        With the claims on these rows only those of their most kin that settle the claims.
        """
        bounds = claims or Claims(
            rows, np.full(len(rows), self.guard), np.full(len(rows), math.inf)
        )
        groups = [self._empty()]
        for first in range(0, len(rows), ROWS):
            last = first + ROWS
            groups.append(self._best_of(bounds.of(first, last), words.of(first, last), first))
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

    def _best_of(self, claims: "Claims", words: WordPairs, first: int) -> KinPairs:
        """Return the most kin of one block of rows, until nothing can change what is claimed."""
        rows, best = claims.rows, self._empty()
        sharing = _by_column(words, first)
        for column in range(0, len(self.texts), COLUMNS):
            worst = self._worst(best, rows)
            open_places = np.nonzero(worst <= claims.greatest)[0]
            if not len(open_places):
                break
            floors = np.maximum(claims.least, worst)
            block = _Block(self, rows, open_places, floors, column)
            more = block.pairs(sharing)
            pairs = zip(vars(best).values(), vars(more).values(), strict=True)
            best = self._trim(KinPairs(*(np.concatenate(pair) for pair in pairs)), rows)
        return best

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


@dataclass(frozen=True)
class Claims:
    """Texts that others take for their most kin, with the least and the greatest of these kin.

    A text whose best are all above the greatest one has settled it: none of the others is mutual.
    """

    rows: Ints
    least: Floats
    greatest: Floats

    def of(self, first: int, last: int) -> "Claims":
        """Return those of some places."""
        return Claims(self.rows[first:last], self.least[first:last], self.greatest[first:last])


def claims_of(pairs: KinPairs, rows: Ints) -> Claims:
    """Return what pairs claim of their columns, but of these rows."""
    outer = pairs.where(np.nonzero(~np.isin(pairs.columns, rows))[0])
    columns, places = np.unique(outer.columns, return_inverse=True)
    least, greatest = np.full(len(columns), math.inf), np.full(len(columns), -math.inf)
    np.minimum.at(least, places, outer.kin)
    np.maximum.at(greatest, places, outer.kin)
    return Claims(columns, least - SLACK, greatest + SLACK)


@dataclass(frozen=True)
class _Block:
    """Rows that are still open against the columns from one on, in single precision first."""

    search: KinSearch
    rows: Ints
    open_places: Ints
    floors: Floats  # of each row: the least kin that may be among its best
    column: int

    def pairs(self, sharing: WordPairs) -> KinPairs:
        """Return the pairs that may be among the best of their rows, exactly scored."""
        texts = self.search.texts
        width = len(texts)
        unit = texts.unit[self.column : self.column + COLUMNS]
        product = texts.unit[self.rows[self.open_places]] @ unit.T
        here, there = np.nonzero(product >= self._limits()[:, None])
        with_words = self._sharing(sharing)
        codes = self.open_places[here] * width + there + self.column
        alone = ~np.isin(codes, with_words.rows * width + with_words.columns)
        places = np.concatenate([self.open_places[here[alone]], with_words.rows])
        columns = np.concatenate([there[alone] + self.column, with_words.columns])
        words = np.concatenate([np.zeros(int(alone.sum())), with_words.words])
        at = np.searchsorted(self.open_places, places)
        cosines = product[at, columns - self.column].astype(np.float64)
        likely = self._likely(places, columns, cosines, words)
        return self.search.score(self.rows[places[likely]], columns[likely], words[likely])

    def _likely(self, places: Ints, columns: Ints, cosines: Floats, words: Floats) -> Ints:
        """Return which pairs may be among the best, since kin rises with the cosine."""
        texts, scale, rows = self.search.texts, self.search.scale, self.rows[places]
        first = texts.means[rows], texts.deviations[rows]
        second = texts.means[columns], texts.deviations[columns]
        greatest = kin(cosines + self._margin, first, second, words, scale)
        least = kin(cosines - self._margin, first, second, words, scale)
        chosen = np.nonzero((greatest >= self.floors[places] - SLACK) & (rows != columns))[0]
        last = last_of_best(places[chosen], least[chosen], len(self.rows), self.search.most)
        likely: Ints = chosen[greatest[chosen] >= last[places[chosen]] - SLACK]
        return likely

    def _sharing(self, sharing: WordPairs) -> WordPairs:
        """Return the pairs of the block that share words, of rows that are open."""
        first, last = np.searchsorted(sharing.columns, [self.column, self.column + COLUMNS])
        rows, columns = sharing.rows[first:last], sharing.columns[first:last]
        chosen = np.isin(rows, self.open_places)
        return WordPairs(rows[chosen], columns[chosen], sharing.words[first:last][chosen])

    def _limits(self) -> Floats32:
        """Return the least product of each open row that may be among its best without words."""
        limits = least_cosine(self.floors[self.open_places], self.search.scale) - self._margin
        below: Floats32 = np.nextafter(limits.astype(np.float32), np.float32(-math.inf))
        return below

    @property
    def _margin(self) -> float:
        return rounding_margin(max(1, self.search.texts.dimensions))


def _by_column(words: WordPairs, first: int) -> WordPairs:
    """Return pairs by their columns, with the places of their rows in a block from `first` on."""
    order = np.argsort(words.columns, kind="stable")
    return WordPairs(words.rows[order] - first, words.columns[order], words.words[order])


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
