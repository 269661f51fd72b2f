"""What becomes of evidence: refused, kept, counted, or the beginning of a connection."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from engine.database import Transaction
from engine.errors import Conflict
from engine.settings import StarsSettings
from engine.stars import days
from engine.stars.evaluation import Evaluation, Verdict
from engine.stars.evidence import Held, Item, Moment, engage_stars, oriented, restate
from engine.stars.model import CO_MENTIONS, Outcome, StarState, TypeSource

HALF_RATE = 0.5


class Ledger:
    """Applies evidence inside one transaction that holds the stars."""

    def __init__(self, tx: Transaction, held: Held, moment: Moment, settings: StarsSettings):
        self._tx = tx
        self._held = held
        self._moment = moment
        self._settings = settings
        self.repeated_ids: set[str] = set()

    async def apply(self, items: Sequence[Item]) -> list[Outcome | Conflict]:
        """What became of each, in their order."""
        outcomes: list[Outcome | Conflict] = []
        ahead = len(items)
        while len(outcomes) < len(items):
            rest = items[len(outcomes) :][:ahead]
            standing = await self._standing(rest)
            wave = self._wave(rest, standing)
            outcomes += await self._apply_wave(rest[:wave], standing[:wave])
            ahead = 2 * wave
        return outcomes

    async def _standing(self, items: Sequence[Item]) -> list[dict[str, Any]]:
        asked = [
            {
                "position": position,
                "lower": item.lower,
                "upper": item.upper,
                "pair_key": item.pair_key,
                "id": item.id,
                "source": item.source,
                "type": item.type.value,
                "at": item.at,
                "day": self._moment.day,
            }
            for position, item in enumerate(items)
        ]
        return await self._tx.rows("stars/standing", items=asked)

    def _wave(self, items: Sequence[Item], standing: list[dict[str, Any]]) -> int:
        """How many of them do not bear on each other, so that one statement can take them."""
        pairs: set[str] = set()
        stars: set[str] = set()
        fresh: set[str] = set()
        for count, (item, known) in enumerate(zip(items, standing, strict=True)):
            ends = {item.lower, item.upper}
            creates = known["state"] is None
            wakes = item.engages and any(self._sleeps(star) for star in ends)
            if wakes and not creates:
                return max(count, 1)  # what wakes changes what others of the wave have read
            if item.pair_key in pairs or ends & fresh or (creates and ends & stars):
                return count
            pairs.add(item.pair_key)
            stars |= ends
            fresh |= ends if creates else set()
        return len(items)

    async def _apply_wave(
        self, items: Sequence[Item], standing: list[dict[str, Any]]
    ) -> list[Outcome | Conflict]:
        outcomes = [self._decide(*each) for each in zip(items, standing, strict=True)]
        both = list(zip(items, standing, outcomes, strict=True))
        kept = [
            self._waiting(item, known, outcome is Outcome.CANDIDATE)
            for item, known, outcome in both
            if outcome in (Outcome.LATE, Outcome.CANDIDATE)
        ]
        if kept:
            await self._tx.rows("stars/keep", rows=kept)
        new = [(item, known) for item, known, outcome in both if outcome is Outcome.CREATED]
        if new:
            await self._create(new)
        rows = [
            row
            for item, known, outcome in both
            if outcome in (Outcome.CREATED, Outcome.COUNTED)
            for row in self._counting(item, known, outcome is Outcome.CREATED)
        ]
        engaged = {
            star
            for item, _, outcome in both
            if outcome in (Outcome.CREATED, Outcome.COUNTED) and item.engages
            for star in (item.lower, item.upper)
        }
        if engaged:
            await engage_stars(self._tx, self._held, self._moment, engaged, self._moment.now)
        capped = await self._count(rows)
        return [
            Outcome.CAPPED if outcome is Outcome.COUNTED and item.id in capped else outcome
            for item, _, outcome in both
        ]

    def _decide(self, item: Item, known: dict[str, Any]) -> Outcome | Conflict:
        if known["known"]:
            self.repeated_ids.add(item.id)
        if known["known"] or known["repeated"]:
            return Outcome.DUPLICATE
        if self._moment.now - item.at > timedelta(hours=self._settings.late_hours):
            return Outcome.LATE
        if known["state"] is not None:
            return Outcome.COUNTED
        if refusal := self._refusal(item, known):
            return refusal
        waits = item.type in CO_MENTIONS and not self._excavating(item, self._moment.day)
        if waits and len(known["pending"]) + 1 < self._settings.candidate_mentions:
            return Outcome.CANDIDATE
        return Outcome.CREATED

    def _refusal(self, item: Item, known: dict[str, Any]) -> Conflict | None:
        """Why these two stars get no connection now, if so (D-49)."""
        for star in (item.lower, item.upper):
            if self._held[star]["state"] in (StarState.DORMANT, StarState.NASCENT):
                return _unready(star, self._held[star]["state"])
        limits = {
            "a star": (self._settings.connections_per_star, max(known["crowd"])),
            "the constellation": (
                self._settings.connections_per_constellation,
                known["gathered"],
            ),
        }
        for what, (limit, has) in limits.items():
            if limit is not None and has >= limit:
                return Conflict(f"{item.pair_key}: {what} has {limit} connections: end one of them")
        return None

    def _excavating(self, item: Item, day: int) -> bool:
        """Whether the constellation of either star is in its first days (S-34)."""
        starts = [self._held[star]["excavated_from"] for star in (item.lower, item.upper)]
        lasting = self._settings.excavation_days
        return any(start is not None and 0 <= day - start < lasting for start in starts)

    def _row(self, item: Item, day: int, gathered: int = 0) -> dict[str, Any]:
        weight = self._settings.secondary_factor if item.secondary else 1.0
        crowded = self._settings.half_rate_above
        if crowded is not None and gathered > crowded:
            weight *= HALF_RATE
        if self._excavating(item, day):
            weight *= self._settings.excavation_gain
        return {
            "id": item.id,
            "lower": item.lower,
            "upper": item.upper,
            "pair_key": item.pair_key,
            "type": item.type.value,
            "source": item.source,
            "observed_at": item.at,
            "observed_day": days.number(item.at),
            "recorded_at": self._moment.now,
            "day": day,
            "weight": weight,
        }

    def _waiting(self, item: Item, known: dict[str, Any], pending: bool) -> dict[str, Any]:
        extra = {"pending": pending, "mentions": len(known["pending"]) + 1}
        return self._row(item, self._moment.day, known["gathered"]) | extra

    def _counting(self, item: Item, known: dict[str, Any], creating: bool) -> list[dict[str, Any]]:
        """Its row for the ledger; behind those of the co-mentions that waited for it."""
        earlier = [
            self._row(item, mention["day"])
            | {
                "id": mention["id"],
                "type": mention["type"],
                "source": mention["source"],
                "observed_at": mention["observed_at"],
                "observed_day": mention["observed_day"],
                "recorded_at": mention["recorded_at"],
                "weight": mention["weight"],
            }
            for mention in (known["pending"] if creating else [])
        ]
        now = self._row(item, self._moment.day, known["gathered"])
        return [row | {"creating": creating} for row in [*earlier, now]]

    async def _count(self, rows: list[dict[str, Any]]) -> set[str]:
        """Count rows, restate their pairs; the ids of those that hit the daily cap."""
        if not rows:
            return set()
        counted = await self._tx.rows("stars/count", rows=rows)
        pairs = {row["pair_key"]: (row["lower"], row["upper"]) for row in rows}
        await restate(self._tx, self._moment, pairs.values(), rule="evidence", wake=True)
        return {row["id"] for row in counted if row["capped"]}

    async def _create(self, new: list[tuple[Item, dict[str, Any]]]) -> None:
        undecided = [
            {"lower": item.lower, "upper": item.upper}
            for item, _ in new
            if item.wanted is None and item.verdict is None
        ]
        found: dict[str, Verdict] = {}
        if undecided:
            evaluation = Evaluation(self._tx, self._moment.day, self._settings)
            verdicts = await evaluation.verdicts(undecided)
            found = {f"{verdict.lower}|{verdict.upper}": verdict for verdict in verdicts}
        rows = []
        for item, known in new:
            verdict = item.verdict or found.get(item.pair_key)
            rows.append(self._born(replace(item, verdict=verdict), known))
        await self._tx.rows("stars/create", rows=rows)

    def _born(self, item: Item, known: dict[str, Any]) -> dict[str, Any]:
        """A connection's first properties; one that ended lately gets part of its strength back."""
        past = known["archived"][0] if known["archived"] else None
        hint = past["type"] if past else None
        if past and self._moment.day - past["day"] >= self._settings.recreate_days:
            past = None
        if item.wanted is not None:
            dark = [s for s in (item.lower, item.upper) if self._is_dark(s)]
            start = oriented(item.wanted, item.lower, item.start or item.lower, dark)
            typed: dict[str, Any] = {
                "type": item.wanted.value,
                "type_source": TypeSource.USER.value,
            }
        else:
            assert item.verdict is not None
            start = item.verdict.start
            typed = {"type": item.verdict.type.value, "type_source": item.verdict.source.value}
        nothing = dict.fromkeys(
            ("computed_type", "corr", "mean_lag_h", "causation_confidence", "causation_sign")
        )
        closed = self._held[item.lower]["closed_day"]
        return {
            **nothing,
            **(item.verdict.found() if item.verdict else {}),
            **typed,
            "id": str(uuid.uuid5(uuid.NAMESPACE_OID, item.id)),
            "pair_key": item.pair_key,
            "start": start,
            "end": item.lower if start == item.upper else item.upper,
            "at": self._moment.now,
            "day": self._moment.day,
            "decayed_day": max(self._moment.day - 1, closed),
            "strength": past["strength"] * self._settings.recreate_factor if past else 0.0,
            "prev_types": [*past["prev_types"], past["type"]] if past else [],
            "type_hint": hint,
        }

    def _is_dark(self, star: str) -> bool:
        return bool(self._held[star]["state"] == StarState.DARK)

    def _sleeps(self, star: str) -> bool:
        return bool(self._held[star]["state"] == StarState.DORMANT)


def _unready(star: str, state: str) -> Conflict:
    remedy = "acknowledge it" if state == StarState.NASCENT else "engage it"
    return Conflict(f"star {star!r} is {state} and takes no new connection: {remedy} first")
