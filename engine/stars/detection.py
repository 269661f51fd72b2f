"""What the history of two stars says about them: correlation, lags and blocking. Pure numpy."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.settings import StarsSettings

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Histories:
    """Daily closes and engaged days of many stars; the last column is the last day of the window.

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
    """How regularly events of one star follow those of another."""

    count: int
    mean_hours: float | None
    confidence: float
    sign: int


def histories(stars: list[dict[str, Any]], last_day: int, window: int) -> Histories:
    """Align the lists that stars keep to the days of one window."""
    closes = np.full((len(stars), window + 1), np.nan)
    engaged = np.zeros((len(stars), window), dtype=bool)
    for row, star in enumerate(stars):
        hist = star["hist"]
        after = window + 1 - (last_day - star["hist_end_day"])  # the column behind its last close
        first, stop = max(0, after - len(hist)), min(after, window + 1)
        if first < stop:
            skipped = first - (after - len(hist))
            closes[row, first:stop] = hist[skipped : skipped + stop - first]
        for day in star["engaged_days"]:
            column = window - 1 - (last_day - day)
            if 0 <= column < window:
                engaged[row, column] = True
    return Histories(closes, engaged)


def correlations(known: Histories, a: Indices, b: Indices, points: int) -> Floats:
    """Pearson's r of each pair (S-18) on days when either was engaged (D-27); nan: undefined."""
    x, y = known.closes[a, 1:], known.closes[b, 1:]
    mask = (known.engaged[a] | known.engaged[b]) & ~np.isnan(x) & ~np.isnan(y)
    return pearson(x, y, mask, points)


def pearson(x: Floats, y: Floats, mask: Flags, points: int) -> Floats:
    """Row by row over the masked columns; too few points or no variance: nan."""
    n = mask.sum(axis=1)
    enough = n >= points
    safe = np.maximum(n, 1)[:, None]
    dx = np.where(mask, x - np.where(mask, x, 0.0).sum(axis=1, keepdims=True) / safe, 0.0)
    dy = np.where(mask, y - np.where(mask, y, 0.0).sum(axis=1, keepdims=True) / safe, 0.0)
    varied = enough & _varies(x, mask) & _varies(y, mask)
    below = np.sqrt((dx * dx).sum(axis=1) * (dy * dy).sum(axis=1))
    found = np.full(len(n), np.nan)
    np.divide((dx * dy).sum(axis=1), below, out=found, where=varied & (below > 0.0))
    return found


def _varies(values: Floats, mask: Flags) -> Flags:
    """Whether masked values differ at all: asked of the values, where rounding can't answer."""
    high = np.where(mask, values, -np.inf).max(axis=1)
    low = np.where(mask, values, np.inf).min(axis=1)
    return np.asarray(high > low)


def blocking(known: Histories, a: Indices, b: Indices, settings: StarsSettings) -> Flags:
    """Whether A keeps B from rising (S-20, D-35): B tries, B stands still, and A is about."""
    window = known.engaged.shape[1]
    engagement = known.engaged[b].sum(axis=1) / window
    progress = known.closes[b, -1] - known.closes[b, 0]
    with np.errstate(invalid="ignore"):
        rises = np.diff(known.closes[b], axis=1)
        stuck = known.engaged[b] & (rises <= settings.progress_below / window + TOLERANCE)
        still = progress < settings.progress_below - TOLERANCE
    days = stuck.sum(axis=1)
    activity = (stuck & known.engaged[a]).sum(axis=1) / np.maximum(days, 1)
    about = activity > settings.activity_above + TOLERANCE
    found = (engagement > settings.engagement_above + TOLERANCE) & still & about
    sure = settings.blocking_confidence >= settings.blocking_from - TOLERANCE
    return np.asarray(found & sure)


def lags(a: Events, b: Events, settings: StarsSettings) -> Lags:
    """How B's events follow A's within the longest lag (S-19)."""
    gaps = b.hours[None, :] - a.hours[:, None]
    near = (gaps > 0) & (gaps < settings.causation_hours)
    found = gaps[near]
    if len(found) < settings.causation_lags:
        return Lags(len(found), None, 0.0, -1)
    mean = float(found.mean())
    steadiness = max(0.0, 1.0 - float(found.var(ddof=1)) / mean)
    agreeing = np.sign(a.deltas)[:, None] * np.sign(b.deltas)[None, :]
    sign = 1 if agreeing[near].sum() > 0 else -1
    confidence = min(len(found) / settings.causation_saturation * steadiness, 1.0)
    return Lags(len(found), mean, confidence, sign)
