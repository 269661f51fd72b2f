"""Rules that decide the type of a connection from the detectors' results (S-17)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

import numpy as np

from asterism.database import Transaction
from asterism.row_types import row_of
from asterism.settings import StarsSettings
from asterism.stars import detection
from asterism.stars.detection import NO_EVENTS, TOLERANCE, BrightnessSeries, Events, Lags
from asterism.stars.models import (
    DIRECTED,
    ConnectionType,
    EvidenceType,
    Pair,
    StarState,
    TypeSource,
    pair_key,
    stars_of,
)
from asterism.timestamps import day_end

Type = ConnectionType
DETECTED, DEFAULT = TypeSource.DETECTED, TypeSource.DEFAULT


@row_of("stars/connections_to_review")
@dataclass(frozen=True)
class ReviewedPair:
    """A connection whose type is reviewed, or a pair that is not connected yet."""

    lower: str
    upper: str
    start: str = ""
    end: str = ""
    type: str | None = None
    type_source: str | None = None
    corr: float | None = None
    causation_confidence: float | None = None
    type_changed_day: int | None = None

    @property
    def pair(self) -> Pair:
        return self.lower, self.upper


@row_of("stars/brightness_events")
class BrightnessEvents(NamedTuple):
    """Row of stars/brightness_events."""

    id: str
    hours: list[float]
    deltas: list[float]


@dataclass(frozen=True)
class TypeDecision:
    """The type that a connection gets, who says so, and what was measured."""

    pair: Pair
    start: str
    type: Type
    source: TypeSource
    rule: str
    detected: EvidenceType | None = None
    corr: float | None = None
    lags: Lags | None = None
    strength_factor: float = 1.0

    @property
    def end(self) -> str:
        return self.pair[0] if self.start == self.pair[1] else self.pair[1]

    def row(self) -> dict[str, Any]:
        """Return it as statements take it."""
        lags = self.lags if self.lags and self.lags.mean_hours is not None else None
        return {
            "lower": self.pair[0],
            "upper": self.pair[1],
            "pair_key": pair_key(self.pair),
            "start": self.start,
            "end": self.end,
            "type": self.type.value,
            "type_source": self.source.value,
            "rule": self.rule,
            "strength_factor": self.strength_factor,
            "computed_type": None if self.source is TypeSource.USER else self.type.value,
            "corr": self.corr,
            "mean_lag_h": lags.mean_hours if lags else None,
            "causation_confidence": lags.confidence if lags else None,
            "causation_sign": lags.sign if lags else None,
        }


def user_decision(type: Type, pair: Pair, first: str, dark: Sequence[str]) -> TypeDecision:
    """Return the decision for a type that the user assigns, naming one star first."""
    start = pair[0]
    if type in DIRECTED:
        start = first
    elif type is Type.SHADOW_MIRROR and len(dark) == 1:
        start = dark[0]
    return TypeDecision(pair, start, type, TypeSource.USER, "assigned by the user")


class TypeRules:
    """Decides the types of a batch of pairs, from the histories of their stars up to a day."""

    def __init__(self, tx: Transaction, day: int, settings: StarsSettings) -> None:
        self._tx = tx
        self._day = day
        self._settings = settings
        self._events: dict[str, Events] = {}
        self._dark: set[str] = set()

    async def decide(self, pairs: Sequence[ReviewedPair]) -> list[TypeDecision]:
        """Return a decision for each pair."""
        settings, window = self._settings, self._settings.correlation_days
        ids = sorted(stars_of(pair.pair for pair in pairs))
        rows = await self._tx.rows("stars/brightness_series", ids=ids, points=window + 3)
        stars = [BrightnessSeries(**row) for row in rows]
        self._dark = {star.id for star in stars if star.state == StarState.DARK}
        place = {star.id: index for index, star in enumerate(stars)}
        series = detection.histories(stars, self._day - 1, window)
        a = np.array([place[pair.lower] for pair in pairs], dtype=np.intp)
        b = np.array([place[pair.upper] for pair in pairs], dtype=np.intp)
        computed = detection.correlations(series, a, b, settings.correlation_points)
        corr = [None if np.isnan(r) else float(r) for r in computed]
        forward = detection.blocking(series, a, b, settings)
        backward = detection.blocking(series, b, a, settings)
        first = np.where(series.engaged.any(axis=1), series.engaged.argmax(axis=1), window)
        # Both block: the star that was engaged first is the blocker.
        lower_blocks = forward & (~backward | (first[a] <= first[b]))
        await self._load_events(pairs, corr)
        blockers = [
            pair.lower if lower else pair.upper if upper else None
            for pair, lower, upper in zip(pairs, lower_blocks, backward, strict=True)
        ]
        return [self._decision(*each) for each in zip(pairs, corr, blockers, strict=True)]

    async def _load_events(
        self, pairs: Sequence[ReviewedPair], corr: Sequence[float | None]
    ) -> None:
        """Load the events of pairs that correlation leaves open: only these need lags (D-25)."""
        ids = stars_of(
            pair.pair
            for pair, r in zip(pairs, corr, strict=True)
            if not self._pattern(r) or pair.type == Type.CAUSATION
        )
        until = day_end(self._day)
        since = until - timedelta(days=self._settings.correlation_days)
        rows = await self._tx.rows(
            "stars/brightness_events", ids=sorted(ids), since=since, until=until
        )
        self._events = {
            star.id: Events(np.array(star.hours), np.array(star.deltas, dtype=float))
            for star in (BrightnessEvents(**row) for row in rows)
        }

    def _pattern(self, corr: float | None) -> Type | None:
        """Return the type that a correlation shows, if any."""
        if corr is None:
            return None
        if corr > self._settings.resonance_above + TOLERANCE:
            return Type.RESONANCE
        return Type.TENSION if corr < self._settings.tension_below - TOLERANCE else None

    def _decision(self, now: ReviewedPair, corr: float | None, blocker: str | None) -> TypeDecision:
        """Apply the rules in the order of S-17."""
        user_cause = now.type == Type.CAUSATION and now.type_source == TypeSource.USER
        lags = self._lags(now.start, now.end) if user_cause else None
        dark = [star for star in now.pair if star in self._dark]
        if dark or blocker:  # decided before correlation counts: that of the last review stays
            type, rule = Type.BLOCKS, "blocking detected"
            if dark:
                type, rule = Type.SHADOW_MIRROR, "a star is DARK"
            start = dark[0] if dark else str(blocker)
            return TypeDecision(now.pair, start, type, DETECTED, rule, corr=now.corr, lags=lags)
        pattern = self._pattern(corr)
        if pattern is None:
            return self._by_lags(now, corr, lags)
        crossed = self._pattern(now.corr) is not pattern
        detected = EvidenceType.CORRELATION_DETECTED if crossed else None
        rule = f"r = {corr:.2f}"
        return TypeDecision(now.pair, now.lower, pattern, DETECTED, rule, detected, corr, lags)

    def _by_lags(
        self, now: ReviewedPair, corr: float | None, user_lags: Lags | None
    ) -> TypeDecision:
        threshold = self._settings.causation_above + TOLERANCE
        start, lags = self._cause(*now.pair)
        stored = user_lags or lags
        if lags.confidence <= threshold:
            type, rule = Type.RESONANCE, "default"
            return TypeDecision(now.pair, now.lower, type, DEFAULT, rule, None, corr, stored)
        type = Type.GROWTH_EDGE if lags.sign > 0 else Type.CAUSATION
        crossed = (now.causation_confidence or 0.0) <= threshold
        detected = EvidenceType.CAUSATION_DETECTED if crossed else None
        rule = f"lags agree with confidence {lags.confidence:.2f}"
        return TypeDecision(now.pair, start, type, DETECTED, rule, detected, corr, stored)

    def _cause(self, lower: str, upper: str) -> tuple[str, Lags]:
        """Return the likelier cause, on a tie the one with the earlier first event (D-29)."""
        there, back = self._lags(lower, upper), self._lags(upper, lower)
        if there.confidence != back.confidence:
            return (lower, there) if there.confidence > back.confidence else (upper, back)
        earlier = self._first_event(lower) <= self._first_event(upper)
        return (lower, there) if earlier else (upper, back)

    def _lags(self, cause: str, effect: str) -> Lags:
        a, b = self._events.get(cause, NO_EVENTS), self._events.get(effect, NO_EVENTS)
        return detection.lags(a, b, self._settings)

    def _first_event(self, star: str) -> float:
        hours = self._events.get(star, NO_EVENTS).hours
        return float(hours[0]) if len(hours) else float("inf")
