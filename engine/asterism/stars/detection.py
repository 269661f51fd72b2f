"""Detectors of correlation, lags and blocking in the histories of stars, in numpy."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from asterism.row_types import row_of
from asterism.settings import StarsSettings

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]


@row_of("stars/brightness_series")
class BrightnessSeries(NamedTuple):
    """Row of stars/brightness_series."""

    id: str
    state: str
    daily_closes: list[float]
    closed_day: int
    engaged_days: list[int]


@dataclass(frozen=True)
class Histories:
    """Daily closes and engaged days of many stars, the last column for the last day.

    `closes` has one column more than `engaged`: the day before the window begins.
    """

    closes: Floats
    engaged: Flags


@dataclass(frozen=True)
class Events:
    """A star's brightness events: epoch hours and changes."""

    hours: Floats
    deltas: Floats


TOLERANCE = 1e-9  # values this near a threshold are at it: rounding decides about nothing
NO_EVENTS = Events(np.empty(0), np.empty(0))


@dataclass(frozen=True)
class Lags:
    """Regularity with which events of one star follow those of another."""

    count: int
    mean_hours: float | None
    confidence: float
    sign: int


def histories(stars: list[BrightnessSeries], last_day: int, window: int) -> Histories:
    """Align the daily closes and engaged days of stars to one window of days."""
    closes = np.full((len(stars), window + 1), np.nan)
    engaged = np.zeros((len(stars), window), dtype=bool)
    for row, star in enumerate(stars):
        after = window + 1 - (last_day - star.closed_day)  # the column behind its last close
        first, stop = max(0, after - len(star.daily_closes)), min(after, window + 1)
        if first < stop:
            skipped = first - (after - len(star.daily_closes))
            closes[row, first:stop] = star.daily_closes[skipped : skipped + stop - first]
        for day in star.engaged_days:
            column = window - 1 - (last_day - day)
            if 0 <= column < window:
                engaged[row, column] = True
    return Histories(closes, engaged)


def correlations(series: Histories, a: Indices, b: Indices, points: int) -> Floats:
    """Return Pearson's r of each pair (S-18) over days when either was engaged (D-27), or nan."""
    x, y = series.closes[a, 1:], series.closes[b, 1:]
    mask = (series.engaged[a] | series.engaged[b]) & ~np.isnan(x) & ~np.isnan(y)
    return pearson(x, y, mask, points)


def pearson(x: Floats, y: Floats, mask: Flags, points: int) -> Floats:
    """Return r row by row over the masked columns, nan for too few points or no variance."""
    n = mask.sum(axis=1)
    enough = n >= points
    safe = np.maximum(n, 1)[:, None]
    dx = np.where(mask, x - np.where(mask, x, 0.0).sum(axis=1, keepdims=True) / safe, 0.0)
    dy = np.where(mask, y - np.where(mask, y, 0.0).sum(axis=1, keepdims=True) / safe, 0.0)
    varied = enough & _varies(x, mask) & _varies(y, mask)
    below = np.sqrt((dx * dx).sum(axis=1) * (dy * dy).sum(axis=1))
    result = np.full(len(n), np.nan)
    np.divide((dx * dy).sum(axis=1), below, out=result, where=varied & (below > 0.0))
    return result


def _varies(values: Floats, mask: Flags) -> Flags:
    """Return True where masked values differ, compared exactly since a variance is rounded."""
    high = np.where(mask, values, -np.inf).max(axis=1)
    low = np.where(mask, values, np.inf).min(axis=1)
    return np.asarray(high > low)


def blocking(series: Histories, a: Indices, b: Indices, settings: StarsSettings) -> Flags:
    """Return True where A blocks B (S-20, D-35): B is engaged and does not rise, A is active."""
    window = series.engaged.shape[1]
    engagement = series.engaged[b].sum(axis=1) / window
    progress = series.closes[b, -1] - series.closes[b, 0]
    with np.errstate(invalid="ignore"):
        rises = np.diff(series.closes[b], axis=1)
        stuck = series.engaged[b] & (rises <= settings.progress_below / window + TOLERANCE)
        still = progress < settings.progress_below - TOLERANCE
    days = stuck.sum(axis=1)
    activity = (stuck & series.engaged[a]).sum(axis=1) / np.maximum(days, 1)
    active = activity > settings.activity_above + TOLERANCE
    detected = (engagement > settings.engagement_above + TOLERANCE) & still & active
    sure = settings.blocking_confidence >= settings.blocking_from - TOLERANCE
    return np.asarray(detected & sure)


def lags(a: Events, b: Events, settings: StarsSettings) -> Lags:
    """Measure how events of B follow those of A within the longest lag (S-19)."""
    gaps = b.hours[None, :] - a.hours[:, None]
    within = (gaps > 0) & (gaps < settings.causation_hours)
    hours = gaps[within]
    if len(hours) < settings.causation_lags:
        return Lags(len(hours), None, 0.0, -1)
    mean = float(hours.mean())
    steadiness = max(0.0, 1.0 - float(hours.var(ddof=1)) / mean)
    agreeing = np.sign(a.deltas)[:, None] * np.sign(b.deltas)[None, :]
    sign = 1 if agreeing[within].sum() > 0 else -1
    confidence = min(len(hours) / settings.causation_saturation * steadiness, 1.0)
    return Lags(len(hours), mean, confidence, sign)
