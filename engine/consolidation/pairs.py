"""Finds the pairs that matter among all pairs: a product first, the exact cosine of what is left.

The product is in single precision, so nothing is dropped by it that lies within a certified margin
of a limit. What is left is computed in double precision from the vectors as they are stored.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.consolidation.blocks import Blocks, Floats, Floats32, Ints
from engine.consolidation.overlap import Overlap
from engine.consolidation.scoring import ROUNDING
from engine.embedding import Calibration
from engine.settings import ConsolidationSettings

ROWS = 512
COLUMNS = 8192
PAIRS = 1 << 14  # exact cosines computed at a time
DIGITS = 12  # of a score or a cosine that count for an order


@dataclass(frozen=True)
class Pairs:
    """Pairs of a row and a column, with what each signal adds to their score."""

    rows: Ints
    columns: Ints
    cosines: Floats  # calibrated
    parts: Floats  # cosine, tags, category, hours
    scores: Floats

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, chosen: Any) -> "Pairs":
        return Pairs(
            self.rows[chosen],
            self.columns[chosen],
            self.cosines[chosen],
            self.parts[chosen],
            self.scores[chosen],
        )


@dataclass(frozen=True)
class Found:
    """For each row its best partners, ties included, and all that are nearly the same text."""

    best: Pairs
    near: Pairs


@dataclass(frozen=True)
class Rules:
    """The settings and the model's zero, as limits on cosines."""

    settings: ConsolidationSettings
    calibration: Calibration

    def calibrated(self, cosines: Any) -> Any:
        mean = self.calibration.mean
        return np.maximum(0.0, (cosines - mean) / (1.0 - mean)) if mean else cosines

    def raw(self, cosine: Any) -> Any:
        """The model's own cosine for a calibrated one."""
        mean = self.calibration.mean
        return mean + cosine * (1.0 - mean)

    def proximity(self, hours_apart: Floats) -> Floats:
        sigma = self.settings.temporal_sigma_hours
        found: Floats = np.exp(-(hours_apart * hours_apart) / (2.0 * sigma * sigma))
        return found

    @property
    def guard(self) -> float:
        return self.settings.minimum_cosine_for_edge - ROUNDING

    @property
    def threshold(self) -> float:
        return self.settings.edge_score_threshold - ROUNDING

    @property
    def near(self) -> float:
        return self.settings.near_duplicate_near - ROUNDING

    @property
    def largest_context(self) -> float:
        chosen = self.settings
        return chosen.weight_tags + chosen.weight_category + chosen.weight_hours


def rounding_margin(dimensions: int) -> float:
    """How far a product of single precision may be from the exact cosine of unit rows."""
    return dimensions * 2.0**-24 * 1.01 + 1e-6


class Scan:
    """Compares some memories with others; `proximity` is how near each other one is in time."""

    def __init__(
        self, ours: Blocks, theirs: Blocks, rules: Rules, proximity: Floats, *, same: bool = False
    ) -> None:
        self._ours, self._theirs = ours, theirs
        self._rules = rules
        self._proximity = rules.settings.weight_hours * proximity
        self._same = same
        self._margin = rounding_margin(max(1, ours.dimensions))

    def near(self) -> Pairs:
        """Pairs that are nearly the same text."""
        return self._all(best=False, near=True).near

    def best(self) -> Pairs:
        """The best partners of each row, as many as it may propose, and what ties with the last."""
        return self._all(best=True, near=False).best

    def both(self) -> Found:
        return self._all(best=True, near=True)

    def _all(self, *, best: bool, near: bool) -> Found:
        found_best, found_near = [_none()], [_none()]
        self._overlap = Overlap(self._ours, self._theirs) if best else None
        for first in range(0, len(self._ours) if len(self._theirs) else 0, ROWS):
            rows = _Rows(self, first, best=best, near=near)
            for column in range(0, len(self._theirs), COLUMNS):
                rows.look(column)
            found_best.append(rows.best)
            found_near.extend(rows.near)
        return Found(_joined(found_best), _joined(found_near))

    def exact(self, rows: Ints, columns: Ints) -> Pairs:
        """Cosines and scores in double precision; the guard lowers a score to 0."""
        cosines = np.asarray(self._rules.calibrated(self._cosines(rows, columns)))
        return self._scored(rows, columns, cosines, self.contexts(rows, columns))

    def contexts(self, rows: Ints, columns: Ints) -> Floats:
        """What tags, category and hours add, each for itself."""
        chosen = self._rules.settings
        equal = self._ours.categories[rows] == self._theirs.categories[columns]
        shared = self._overlap.jaccard(rows, columns) if self._overlap else np.zeros(len(rows))
        return np.stack(
            [
                chosen.weight_tags * shared,
                chosen.weight_category * np.where(equal, 1.0, chosen.cross_category_score),
                self._proximity[columns],
            ],
            axis=1,
        )

    def _scored(self, rows: Ints, columns: Ints, cosines: Floats, contexts: Floats) -> Pairs:
        positive = np.clip(cosines, 0.0, 1.0)
        first = self._rules.settings.weight_cosine * positive
        parts = np.concatenate([first[:, None], contexts], axis=1)
        totals = parts[:, 0] + parts[:, 1] + parts[:, 2] + parts[:, 3]
        scores = np.where(positive >= self._rules.guard, totals, 0.0)
        return Pairs(rows, columns, cosines, parts, scores)

    def _cosines(self, rows: Ints, columns: Ints) -> Floats:
        found = np.empty(len(rows))
        for first in range(0, len(rows), PAIRS):
            a, b = rows[first : first + PAIRS], columns[first : first + PAIRS]
            product = self._ours.vectors[a].astype(np.float64)
            product *= self._theirs.vectors[b]
            lengths = self._ours.norms[a] * self._theirs.norms[b]
            found[first : first + PAIRS] = product.sum(axis=1) / lengths
        return found


class _Rows:
    """Some rows on their way across all columns: the limit rises with what has been found."""

    def __init__(self, scan: Scan, first: int, *, best: bool, near: bool) -> None:
        self._scan, self._first = scan, first
        self._unit = scan._ours.unit[first : first + ROWS]
        self._wants_best, self._wants_near = best, near
        self._worst = np.full(len(self._unit), -math.inf)  # of the best so far
        self._slack = scan._margin / (1.0 - scan._rules.calibration.mean)
        self.best = _none()
        self.near: list[Pairs] = []

    def look(self, column: int) -> None:
        """Compare with the next columns."""
        scan = self._scan
        product = self._unit @ scan._theirs.unit[column : column + COLUMNS].T
        rows, columns = np.nonzero(product >= self._limits()[:, None])
        if scan._same:
            others = rows + self._first != columns + column
            rows, columns = rows[others], columns[others]
        cosines = np.asarray(scan._rules.calibrated(product[rows, columns].astype(np.float64)))
        rows, columns = rows + self._first, columns + column
        if self._wants_near:
            likely = cosines >= scan._rules.near - self._slack
            pairs = scan.exact(rows[likely], columns[likely])
            self.near.append(pairs.where(pairs.cosines >= scan._rules.near))
        if self._wants_best:
            likely = self._likely(rows, columns, cosines)
            self._take(scan.exact(rows[likely], columns[likely]))

    def _limits(self) -> Floats32:
        """The least product of each row that could still matter."""
        rules = self._scan._rules
        needed = np.full(len(self._unit), math.inf)
        if self._wants_best:
            rest = self._worst - self._slack - rules.largest_context
            needed = np.maximum(rules.guard, rest / rules.settings.weight_cosine)
            needed[needed <= 0] = -math.inf
        if self._wants_near:
            needed = np.minimum(needed, rules.near)
        limits = rules.raw(needed) - self._scan._margin
        below: Floats32 = np.nextafter(limits.astype(np.float32), np.float32(-math.inf))
        return below

    def _likely(self, rows: Ints, columns: Ints, cosines: Floats) -> NDArray[np.bool_]:
        """Pairs whose score, give or take the margin, may be among the best of their row."""
        scan = self._scan
        weight = scan._rules.settings.weight_cosine
        scores = weight * np.clip(cosines, 0.0, 1.0) + scan.contexts(rows, columns).sum(axis=1)
        slack = weight * self._slack + ROUNDING
        here = rows - self._first
        least = np.maximum(self._worst[here], scan._rules.threshold) - slack
        likely: NDArray[np.bool_] = scores >= least
        chosen = np.nonzero(likely)[0]
        last = _last_of_best(here[chosen], scores[chosen], len(self._unit), self._cap)
        likely[chosen] = scores[chosen] >= last[here[chosen]] - 2 * slack
        return likely

    def _take(self, pairs: Pairs) -> None:
        fine = pairs.where((pairs.scores > 0) & (pairs.scores >= self._scan._rules.threshold))
        both = _joined([self.best, fine])
        here = both.rows - self._first
        scores = np.round(both.scores, DIGITS)
        last = _last_of_best(here, scores, len(self._unit), self._cap)
        self.best = both.where(scores >= last[here])
        self._worst = np.maximum(self._worst, last - 10.0**-DIGITS)

    @property
    def _cap(self) -> int:
        return self._scan._rules.settings.edge_degree_cap


def _last_of_best(rows: Ints, scores: Floats, count: int, best: int) -> Floats:
    """For each row the score of its best-th pair, or -inf where it has fewer."""
    last = np.full(count, -math.inf)
    if best == 0:
        return np.full(count, math.inf)
    order = np.lexsort((-scores, rows))
    counts = np.bincount(rows, minlength=count)
    ends = np.cumsum(counts) - counts + best - 1
    full = counts >= best
    last[full] = scores[order[ends[full]]]
    return last


def _none() -> Pairs:
    empty = np.zeros(0, np.int64)
    return Pairs(empty, empty, np.zeros(0), np.zeros((0, 4)), np.zeros(0))


def _joined(pairs: list[Pairs]) -> Pairs:
    return Pairs(
        np.concatenate([some.rows for some in pairs]),
        np.concatenate([some.columns for some in pairs]),
        np.concatenate([some.cosines for some in pairs]),
        np.concatenate([some.parts for some in pairs]),
        np.concatenate([some.scores for some in pairs]),
    )
