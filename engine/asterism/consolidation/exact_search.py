"""Exact search for the best-scored partners of each memory, and for its near-duplicates.

The product is in single precision, so nothing is dropped by it that lies within a certified margin
of a limit. What is left is computed in double precision from the vectors as they are stored.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asterism.consolidation.arrays import Floats, Floats32, Ints, MemoryArrays
from asterism.consolidation.edge_score import ROUNDING
from asterism.consolidation.tag_overlap import TagOverlap
from asterism.embedding import Calibration
from asterism.settings import ConsolidationSettings

ROWS = 512
COLUMNS = 8192
PAIRS = 1 << 14  # exact cosines computed at a time
DIGITS = 12  # of a score or a cosine that count for an order


@dataclass(frozen=True)
class ScoredPairs:
    """Pairs of a row and a column, with what each signal adds to their score."""

    rows: Ints
    columns: Ints
    cosines: Floats  # calibrated
    parts: Floats  # cosine, tags, category, hours
    scores: Floats

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, chosen: Any) -> "ScoredPairs":
        return ScoredPairs(*(column[chosen] for column in vars(self).values()))


def join_pairs(groups: Sequence[ScoredPairs]) -> ScoredPairs:
    columns = zip(*(vars(pairs).values() for pairs in groups), strict=True)
    return ScoredPairs(*(np.concatenate(column) for column in columns))


@dataclass(frozen=True)
class Matches:
    """The best partners of each row, ties included, and all pairs of nearly the same text."""

    best: ScoredPairs
    near_duplicates: ScoredPairs


@dataclass(frozen=True)
class Rules:
    """The settings and the baseline cosine of the model, as limits on cosines."""

    settings: ConsolidationSettings
    calibration: Calibration

    def calibrated(self, cosines: Any) -> Any:
        mean = self.calibration.mean
        return np.maximum(0.0, (cosines - mean) / (1.0 - mean)) if mean else cosines

    def raw(self, cosine: Any) -> Any:
        """Return the model's own cosine for a calibrated one."""
        mean = self.calibration.mean
        return mean + cosine * (1.0 - mean)

    def proximity(self, hours_apart: Floats) -> Floats:
        sigma = self.settings.temporal_sigma_hours
        nearness: Floats = np.exp(-(hours_apart * hours_apart) / (2.0 * sigma * sigma))
        return nearness

    @property
    def guard(self) -> float:
        return self.settings.minimum_cosine_for_edge - ROUNDING

    @property
    def threshold(self) -> float:
        return self.settings.edge_score_threshold - ROUNDING

    @property
    def near_duplicate(self) -> float:
        return self.settings.near_duplicate_near - ROUNDING

    @property
    def largest_context(self) -> float:
        chosen = self.settings
        return chosen.weight_tags + chosen.weight_category + chosen.weight_hours


def rounding_margin(dimensions: int) -> float:
    """Return how far a product of single precision may be from the exact cosine of unit rows."""
    return dimensions * 2.0**-24 * 1.01 + 1e-6


def exact_cosines(ours: MemoryArrays, rows: Ints, theirs: MemoryArrays, columns: Ints) -> Floats:
    """Return the cosines of pairs in double precision, as the model gives them."""
    cosines = np.empty(len(rows))
    for first in range(0, len(rows), PAIRS):
        a, b = rows[first : first + PAIRS], columns[first : first + PAIRS]
        product = ours.vectors[a].astype(np.float64)
        product *= theirs.vectors[b]
        lengths = ours.norms[a] * theirs.norms[b]
        cosines[first : first + PAIRS] = product.sum(axis=1) / lengths
    return cosines


class ExactSearch:
    """Compares some memories with others, of which `proximity` says how near in time they are."""

    def __init__(
        self,
        ours: MemoryArrays,
        theirs: MemoryArrays,
        rules: Rules,
        proximity: Floats,
        *,
        same: bool = False,
    ) -> None:
        self.ours, self.theirs = ours, theirs
        self.rules = rules
        self.same = same
        self.margin = rounding_margin(max(1, ours.dimensions))
        self._proximity = rules.settings.weight_hours * proximity

    def search(self, *, best: bool = True, near_duplicates: bool = True) -> Matches:
        """Return the best partners of each row, the pairs of nearly the same text, or both."""
        best_pairs, near_pairs = [_no_pairs()], [_no_pairs()]
        self._overlap = TagOverlap(self.ours, self.theirs) if best else None
        for first in range(0, len(self.ours) if len(self.theirs) else 0, ROWS):
            scan = _RowScan(self, first, best=best, near_duplicates=near_duplicates)
            for column in range(0, len(self.theirs), COLUMNS):
                scan.scan_columns(column)
            best_pairs.append(scan.best)
            near_pairs.extend(scan.near_duplicates)
        return Matches(join_pairs(best_pairs), join_pairs(near_pairs))

    def exact(self, rows: Ints, columns: Ints) -> ScoredPairs:
        """Return cosines and scores in double precision, 0 for a cosine below the guard."""
        raw = exact_cosines(self.ours, rows, self.theirs, columns)
        cosines = np.asarray(self.rules.calibrated(raw))
        positive = np.clip(cosines, 0.0, 1.0)
        first = self.rules.settings.weight_cosine * positive
        parts = np.concatenate([first[:, None], self.contexts(rows, columns)], axis=1)
        totals = parts[:, 0] + parts[:, 1] + parts[:, 2] + parts[:, 3]
        scores = np.where(positive >= self.rules.guard, totals, 0.0)
        return ScoredPairs(rows, columns, cosines, parts, scores)

    def contexts(self, rows: Ints, columns: Ints) -> Floats:
        """Return what tags, category and hours add, each for itself."""
        chosen = self.rules.settings
        equal = self.ours.categories[rows] == self.theirs.categories[columns]
        shared = self._overlap.jaccard(rows, columns) if self._overlap else np.zeros(len(rows))
        return np.stack(
            [
                chosen.weight_tags * shared,
                chosen.weight_category * np.where(equal, 1.0, chosen.cross_category_score),
                self._proximity[columns],
            ],
            axis=1,
        )


class _RowScan:
    """Scan of some rows across all columns, with limits that rise with the best pairs so far."""

    def __init__(
        self, search: ExactSearch, first: int, *, best: bool, near_duplicates: bool
    ) -> None:
        self._search, self._first, self._rules = search, first, search.rules
        self._unit = search.ours.unit[first : first + ROWS]
        self._wants_best, self._wants_near_duplicates = best, near_duplicates
        self._worst = np.full(len(self._unit), -math.inf)  # of the best so far
        self._slack = search.margin / (1.0 - search.rules.calibration.mean)
        self._cap = search.rules.settings.edge_degree_cap
        self.best = _no_pairs()
        self.near_duplicates: list[ScoredPairs] = []

    def scan_columns(self, column: int) -> None:
        """Compare with the columns from this one on."""
        search, rules = self._search, self._rules
        product = self._unit @ search.theirs.unit[column : column + COLUMNS].T
        rows, columns = np.nonzero(product >= self._limits()[:, None])
        if search.same:
            others = rows + self._first != columns + column
            rows, columns = rows[others], columns[others]
        cosines = np.asarray(rules.calibrated(product[rows, columns].astype(np.float64)))
        rows, columns = rows + self._first, columns + column
        if self._wants_near_duplicates:
            likely = cosines >= rules.near_duplicate - self._slack
            pairs = search.exact(rows[likely], columns[likely])
            self.near_duplicates.append(pairs.where(pairs.cosines >= rules.near_duplicate))
        if self._wants_best:
            likely = self._likely(rows, columns, cosines)
            self._add(search.exact(rows[likely], columns[likely]))

    def _limits(self) -> Floats32:
        """Return the least product of each row that could still matter."""
        rules = self._rules
        needed = np.full(len(self._unit), math.inf)
        if self._wants_best:
            rest = self._worst - self._slack - rules.largest_context
            needed = np.maximum(rules.guard, rest / rules.settings.weight_cosine)
            needed[needed <= 0] = -math.inf
        if self._wants_near_duplicates:
            needed = np.minimum(needed, rules.near_duplicate)
        limits = rules.raw(needed) - self._search.margin
        below: Floats32 = np.nextafter(limits.astype(np.float32), np.float32(-math.inf))
        return below

    def _likely(self, rows: Ints, columns: Ints, cosines: Floats) -> NDArray[np.bool_]:
        """Mark the pairs whose score, give or take the margin, may be among the best of a row."""
        weight = self._rules.settings.weight_cosine
        contexts = self._search.contexts(rows, columns)
        scores = weight * np.clip(cosines, 0.0, 1.0) + contexts.sum(axis=1)
        slack = weight * self._slack + ROUNDING
        here = rows - self._first
        least = np.maximum(self._worst[here], self._rules.threshold) - slack
        likely: NDArray[np.bool_] = scores >= least
        chosen = np.nonzero(likely)[0]
        last = last_of_best(here[chosen], scores[chosen], len(self._unit), self._cap)
        likely[chosen] = scores[chosen] >= last[here[chosen]] - 2 * slack
        return likely

    def _add(self, pairs: ScoredPairs) -> None:
        edges = pairs.where((pairs.scores > 0) & (pairs.scores >= self._rules.threshold))
        both = join_pairs([self.best, edges])
        here = both.rows - self._first
        scores = np.round(both.scores, DIGITS)
        last = last_of_best(here, scores, len(self._unit), self._cap)
        self.best = both.where(scores >= last[here])
        self._worst = np.maximum(self._worst, last - 10.0**-DIGITS)


def last_of_best(rows: Ints, scores: Floats, count: int, best: int) -> Floats:
    """Return for each row the score of its best-th pair, or -inf where it has fewer."""
    last = np.full(count, -math.inf)
    if best == 0:
        return np.full(count, math.inf)
    order = np.lexsort((-scores, rows))
    counts = np.bincount(rows, minlength=count)
    ends = np.cumsum(counts) - counts + best - 1
    full = counts >= best
    last[full] = scores[order[ends[full]]]
    return last


def _no_pairs() -> ScoredPairs:
    empty = np.zeros(0, np.int64)
    return ScoredPairs(empty, empty, np.zeros(0), np.zeros((0, 4)), np.zeros(0))
