"""Rare words that texts share, weighed by how rare they are.

    words of a pair = sum of rarity^2 of the words in both / (length of a * length of b)
    rarity = ln(texts / texts with the word) / ln(texts), length = root of the sum of all rarity^2

Words of one text alone, and of more than a tenth of the realm, join nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from asterism.consolidation.arrays import Floats, Ints
from asterism.consolidation.rare_words import Reader
from asterism.row_types import row_of

READ = 1000  # memories of one statement


@row_of("consolidation/shared_words")
class SharedWord(NamedTuple):
    """Row of consolidation/shared_words: a rare word, and the memories that have it."""

    stem: str
    weight: float
    members: list[str]


@dataclass(frozen=True)
class WordPairs:
    """Pairs of a row and a column that share rare words, by row and column, each once."""

    rows: Ints
    columns: Ints
    words: Floats

    def of(self, first: int, last: int) -> "WordPairs":
        """Return the pairs of some rows."""
        start, end = np.searchsorted(self.rows, [first, last])
        return WordPairs(self.rows[start:end], self.columns[start:end], self.words[start:end])


async def read_word_pairs(reader: Reader, ids: Sequence[str], place: dict[str, int]) -> WordPairs:
    """Return what each of `ids`, in order, shares with the memories of `place`."""
    by_stem: dict[str, SharedWord] = {}
    for first in range(0, len(ids), READ):
        rows = await reader.rows("consolidation/shared_words", ids=list(ids[first : first + READ]))
        by_stem |= {row["stem"]: SharedWord(**row) for row in rows}
    row_of_id = {id: row for row, id in enumerate(ids)}
    rows_of, columns_of, weights = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
    for word in by_stem.values():
        ours = np.array([row_of_id[id] for id in word.members if id in row_of_id], np.int64)
        theirs = np.array([place[id] for id in word.members if id in place], np.int64)
        rows_of.append(np.repeat(ours, len(theirs)))
        columns_of.append(np.tile(theirs, len(ours)))
        weights.append(np.full(len(ours) * len(theirs), word.weight))
    every = np.concatenate(rows_of), np.concatenate(columns_of), np.concatenate(weights)
    pairs = _sums(*every, len(place))
    own = np.array([place.get(id, -1) for id in ids], np.int64)
    apart = own[pairs.rows] != pairs.columns
    pairs = WordPairs(pairs.rows[apart], pairs.columns[apart], pairs.words[apart])
    names = list(place)
    ends = {*ids, *(names[column] for column in np.unique(pairs.columns).tolist())}
    lengths = await _read_lengths(reader, sorted(ends) if len(pairs.rows) else [])
    ours = np.array([lengths.get(id, 0.0) for id in ids])
    theirs = np.array([lengths.get(id, 0.0) for id in names])
    product = ours[pairs.rows] * theirs[pairs.columns]
    return WordPairs(
        pairs.rows,
        pairs.columns,
        np.where(product > 0, pairs.words / np.maximum(product, 1e-12), 0),
    )


async def _read_lengths(reader: Reader, ids: Sequence[str]) -> dict[str, float]:
    lengths: dict[str, float] = {}
    for first in range(0, len(ids), READ):
        rows = await reader.rows("consolidation/word_lengths", ids=list(ids[first : first + READ]))
        lengths |= {row["id"]: row["length"] for row in rows}
    return lengths


def _sums(rows: Ints, columns: Ints, weights: Floats, width: int) -> WordPairs:
    codes, inverse = np.unique(rows * max(1, width) + columns, return_inverse=True)
    sums: Floats = np.bincount(inverse, weights, len(codes)).astype(np.float64)
    return WordPairs(codes // max(1, width), codes % max(1, width), sums)
