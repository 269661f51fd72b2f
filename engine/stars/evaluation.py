"""Decides types (S-17): gathers what the detectors say of pairs, and picks in the seed's order."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from engine.database import Transaction
from engine.settings import StarsSettings
from engine.stars import detection
from engine.stars.detection import NO_EVENTS, TOLERANCE, Events, Lags
from engine.stars.model import ConnectionType, EvidenceType, StarState, TypeSource

Type = ConnectionType
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
UNKNOWN: dict[str, Any] = {
    "type": None,
    "type_source": None,
    "start": None,
    "corr": None,
    "causation_confidence": None,
}


@dataclass(frozen=True)
class Verdict:
    """What the data says about a pair: the type it computes, and how it got there."""

    lower: str
    upper: str
    start: str
    type: ConnectionType
    source: TypeSource
    rule: str
    detected: EvidenceType | None
    corr: float | None = None
    lag: Lags | None = None

    @property
    def end(self) -> str:
        return self.lower if self.start == self.upper else self.upper

    def found(self) -> dict[str, Any]:
        """The detectors' results, as a connection keeps them."""
        measured = self.lag if self.lag and self.lag.mean_hours is not None else None
        return {
            "computed_type": self.type.value,
            "corr": self.corr,
            "mean_lag_h": measured.mean_hours if measured else None,
            "causation_confidence": measured.confidence if measured else None,
            "causation_sign": measured.sign if measured else None,
        }


class Evaluation:
    """One look at a batch of pairs, with all that is known of their stars on a day."""

    def __init__(self, tx: Transaction, day: int, settings: StarsSettings) -> None:
        self._tx = tx
        self._day = day
        self._settings = settings
        self._events: dict[str, Events] = {}

    async def verdicts(self, pairs: Sequence[dict[str, Any]]) -> list[Verdict]:
        """A verdict for each pair; a pair is lower, upper and, when connected, what stands."""
        ids = sorted({pair[end] for pair in pairs for end in ("lower", "upper")})
        window = self._settings.correlation_days
        rows = await self._tx.rows("stars/series", ids=ids, points=window + 3)
        self._dark = {row["id"] for row in rows if row["state"] == StarState.DARK}
        place = {row["id"]: index for index, row in enumerate(rows)}
        known = detection.histories(rows, self._day - 1, window)
        a = np.array([place[pair["lower"]] for pair in pairs], dtype=np.intp)
        b = np.array([place[pair["upper"]] for pair in pairs], dtype=np.intp)
        corr = detection.correlations(known, a, b, self._settings.correlation_points)
        forward = detection.blocking(known, a, b, self._settings)
        backward = detection.blocking(known, b, a, self._settings)
        first = np.where(known.engaged.any(axis=1), known.engaged.argmax(axis=1), window)
        await self._load_events(pairs, corr)
        return [
            self._verdict(
                UNKNOWN | pair,
                None if np.isnan(corr[i]) else float(corr[i]),
                self._blocker(pair, bool(forward[i]), bool(backward[i]), first[a[i]], first[b[i]]),
            )
            for i, pair in enumerate(pairs)
        ]

    async def _load_events(self, pairs: Sequence[dict[str, Any]], corr: detection.Floats) -> None:
        """Only pairs that correlation leaves open are asked for lags (D-25)."""
        s = self._settings
        ids = {
            pair[end]
            for pair, r in zip(pairs, corr, strict=True)
            if np.isnan(r)
            or not (self._resonates(float(r)) or self._opposes(float(r)))
            or pair.get("type") == Type.CAUSATION
            for end in ("lower", "upper")
        }
        until = EPOCH + timedelta(days=self._day + 1)
        since = until - timedelta(days=s.correlation_days)
        rows = await self._tx.rows("stars/events", ids=sorted(ids), **{"from": since}, until=until)
        self._events = {
            row["id"]: Events(np.array(row["hours"]), np.array(row["deltas"], dtype=float))
            for row in rows
        }

    def _blocker(
        self, pair: dict[str, Any], forward: bool, backward: bool, first_a: int, first_b: int
    ) -> str | None:
        """Whoever blocks; both: the one that was about first."""
        if forward and backward:
            return str(pair["lower"] if first_a <= first_b else pair["upper"])
        if forward:
            return str(pair["lower"])
        return str(pair["upper"]) if backward else None

    def _verdict(self, pair: dict[str, Any], corr: float | None, blocker: str | None) -> Verdict:
        lower, upper = pair["lower"], pair["upper"]
        user_link = pair["type"] == Type.CAUSATION and pair["type_source"] == TypeSource.USER
        measured = self._lags(pair["start"], pair["end"]) if user_link else None
        dark = [star for star in (lower, upper) if star in self._dark]
        if dark:
            return self._kept(pair, dark[0], Type.SHADOW_MIRROR, "a star is DARK", measured)
        if blocker:
            return self._kept(pair, blocker, Type.BLOCKS, "blocking detected", measured)
        if corr is not None and (self._resonates(corr) or self._opposes(corr)):
            together = self._resonates(corr)
            type = Type.RESONANCE if together else Type.TENSION
            before = pair["corr"]
            new = before is None or not (
                self._resonates(before) if together else self._opposes(before)
            )
            news = EvidenceType.CORRELATION_DETECTED if new else None
            rule = f"r = {corr:.2f}"
            return Verdict(
                lower, upper, lower, type, TypeSource.DETECTED, rule, news, corr, measured
            )
        return self._by_lag(pair, corr, measured)

    def _resonates(self, corr: float) -> bool:
        return corr > self._settings.resonance_above + TOLERANCE

    def _opposes(self, corr: float) -> bool:
        return corr < self._settings.tension_below - TOLERANCE

    def _kept(
        self, pair: dict[str, Any], start: str, type: Type, rule: str, lag: Lags | None
    ) -> Verdict:
        """Decided before correlation is asked: what was known of it stays."""
        return Verdict(
            pair["lower"],
            pair["upper"],
            start,
            type,
            TypeSource.DETECTED,
            rule,
            None,
            pair["corr"],
            lag,
        )

    def _by_lag(self, pair: dict[str, Any], corr: float | None, measured: Lags | None) -> Verdict:
        lower, upper, s = pair["lower"], pair["upper"], self._settings
        start, lag = self._cause(lower, upper)
        if lag.confidence > s.causation_above + TOLERANCE:
            type = Type.GROWTH_EDGE if lag.sign > 0 else Type.CAUSATION
            new = (pair["causation_confidence"] or 0.0) <= s.causation_above + TOLERANCE
            news = EvidenceType.CAUSATION_DETECTED if new else None
            rule = f"lags agree with confidence {lag.confidence:.2f}"
            source = TypeSource.DETECTED
            return Verdict(lower, upper, start, type, source, rule, news, corr, measured or lag)
        source = TypeSource.DEFAULT
        return Verdict(
            lower, upper, lower, Type.RESONANCE, source, "default", None, corr, measured or lag
        )

    def _cause(self, lower: str, upper: str) -> tuple[str, Lags]:
        """Both ways round, the surer one; equally sure: the earlier first event causes (D-29)."""
        there, back = self._lags(lower, upper), self._lags(upper, lower)
        if there.confidence != back.confidence:
            return (lower, there) if there.confidence > back.confidence else (upper, back)
        first_a, first_b = self._first(lower), self._first(upper)
        return (lower, there) if first_a <= first_b else (upper, back)

    def _lags(self, cause: str, effect: str) -> Lags:
        a, b = self._events.get(cause, NO_EVENTS), self._events.get(effect, NO_EVENTS)
        return detection.lags(a, b, self._settings)

    def _first(self, star: str) -> float:
        hours = self._events.get(star, NO_EVENTS).hours
        return float(hours[0]) if len(hours) else float("inf")
