"""Shared tags of many pairs at once: a bit for every tag that two sides have in common."""

import numpy as np
from numpy.typing import NDArray

from asterism.consolidation.arrays import Floats, Ints, MemoryArrays

Bits = NDArray[np.uint64]

WORD = 64
WORDS_AT_ONCE = 1 << 22


class TagOverlap:
    """Shares of common tags between any row of one side and any row of the other."""

    def __init__(self, ours: MemoryArrays, theirs: MemoryArrays) -> None:
        shared = np.intersect1d(ours.tag_codes, theirs.tag_codes)
        self._any = len(shared) > 0
        if self._any:
            self._ours, self._theirs = _bits(ours, shared), _bits(theirs, shared)
            self._counts = ours.tag_counts, theirs.tag_counts

    def jaccard(self, rows: Ints, columns: Ints) -> Floats:
        """Return the share for each pair (row, column)."""
        share = np.zeros(len(rows))
        if not self._any:
            return share
        step = max(1, WORDS_AT_ONCE // self._ours.shape[1])
        for first in range(0, len(rows), step):
            a, b = rows[first : first + step], columns[first : first + step]
            both = np.bitwise_count(self._ours[a] & self._theirs[b]).sum(axis=1, dtype=np.int64)
            either = self._counts[0][a] + self._counts[1][b] - both
            share[first : first + step] = both / np.maximum(either, 1)
        return share


def _bits(side: MemoryArrays, shared: Ints) -> Bits:
    places = np.searchsorted(shared, side.tag_codes)
    places = np.minimum(places, len(shared) - 1)
    common = shared[places] == side.tag_codes
    rows, bits = side.tag_rows[common], places[common]
    table = np.zeros((len(side), -(-len(shared) // WORD)), np.uint64)
    masks = np.left_shift(np.uint64(1), (bits % WORD).astype(np.uint64))
    np.bitwise_or.at(table, (rows, bits // WORD), masks)
    return table
