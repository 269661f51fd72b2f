"""Application of evidence: refused, stored uncounted, counted, or the start of a connection."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from asterism.database import Row
from asterism.errors import Conflict, NotFound
from asterism.row_types import row_of
from asterism.stars.models import CO_MENTIONS, EvidenceItem, Outcome, Pair, StarState, pair_key
from asterism.stars.star_transaction import StarTransaction
from asterism.stars.type_rules import ReviewedPair, TypeDecision, TypeRules
from asterism.timestamps import epoch_day

HALF_RATE = 0.5


@row_of("stars/evidence_context")
@dataclass(frozen=True)
class PairContext:
    """State and records of the pair of a piece of evidence."""

    state: str | None
    recorded: bool
    repeated: bool
    pending: list[Row]
    degrees: list[int] | None
    constellation_size: int
    archived: list[Row]


Batch = list[tuple[EvidenceItem, PairContext]]


class EvidenceLedger:
    """Applies evidence in a transaction that has locked its stars.

    `decisions` are the types of new connections that are decided already, by pair.
    """

    def __init__(
        self, locked: StarTransaction, decisions: Mapping[Pair, TypeDecision] | None = None
    ) -> None:
        self._locked = locked
        self._settings = locked.settings
        self._decisions = dict(decisions or {})
        self.repeated_ids: set[str | None] = set()

    async def apply(self, items: Sequence[EvidenceItem]) -> list[Outcome | Conflict]:
        """Apply evidence in its order, and return the outcome of each piece."""
        outcomes: list[Outcome | Conflict] = []
        size = len(items)
        while len(outcomes) < len(items):
            rest = items[len(outcomes) :][:size]
            pieces = [self._row(item) | {"position": index} for index, item in enumerate(rest)]
            rows = await self._locked.tx.rows("stars/evidence_context", items=pieces)
            batch = [(item, PairContext(**row)) for item, row in zip(rest, rows, strict=True)]
            independent = self._independent_prefix(batch)
            applied = await self._apply_batch(batch[:independent])
            await self._tie(rest, applied)
            outcomes += applied
            # What was just applied may change the rest, which is read again: no more than needed.
            size = 2 * independent
        return outcomes

    async def _tie(
        self, items: Sequence[EvidenceItem], outcomes: Sequence[Outcome | Conflict]
    ) -> None:
        """Tie stored evidence to what it was drawn from, or refuse an id that is not there."""
        rows = [
            _pair_fields(item) | {"id": item.id, "memories": item.memory, "intents": item.intent}
            for item, outcome in zip(items, outcomes, strict=False)
            if item.memory or item.intent
        ]
        if not rows:
            return
        result = await self._locked.tx.one("stars/tie_evidence", rows=rows)
        for origin in result["missing"]:
            raise NotFound(origin["kind"], origin["id"], "evidence is drawn from what is there")

    def _independent_prefix(self, batch: Batch) -> int:
        """Return the number of pieces that one statement can take: none changes another's pair."""
        pairs: set[Pair] = set()
        stars: set[str] = set()
        newly_connected: set[str] = set()
        for count, (item, context) in enumerate(batch):
            ends = set(item.pair)
            creates = context.state is None
            if item.engages and not creates and self._locked.with_state(ends, StarState.DORMANT):
                return max(count, 1)  # waking changes connections that the batch has read
            if item.pair in pairs or ends & newly_connected or (creates and ends & stars):
                return count
            pairs.add(item.pair)
            stars |= ends
            newly_connected |= ends if creates else set()
        return len(batch)

    async def _apply_batch(self, batch: Batch) -> list[Outcome | Conflict]:
        outcomes = [self._outcome(item, context) for item, context in batch]
        both = list(zip(batch, outcomes, strict=True))
        uncounted = [
            self._row(item, context)
            | {"pending": outcome is Outcome.CANDIDATE, "mentions": len(context.pending) + 1}
            for (item, context), outcome in both
            if outcome in (Outcome.LATE, Outcome.CANDIDATE)
        ]
        if uncounted:
            await self._locked.tx.rows("stars/store_uncounted", rows=uncounted)
        created = [each for each, outcome in both if outcome is Outcome.CREATED]
        if created:
            await self._create(created)
        counts = (Outcome.CREATED, Outcome.COUNTED)
        counted = [each for each, outcome in both if outcome in counts]
        engaged = {star for item, _ in counted if item.engages for star in item.pair}
        if engaged:
            await self._locked.engage(engaged, self._locked.now)
        capped = await self._count(counted)
        return [
            Outcome.CAPPED if outcome is Outcome.COUNTED and item.id in capped else outcome
            for (item, _), outcome in both
        ]

    def _outcome(self, item: EvidenceItem, context: PairContext) -> Outcome | Conflict:
        if context.recorded:
            self.repeated_ids.add(item.id)
        if context.recorded or context.repeated:
            return Outcome.DUPLICATE
        late = timedelta(hours=self._settings.late_hours)
        if item.at is not None and self._locked.now - item.at > late:
            return Outcome.LATE
        if context.state is not None:
            return Outcome.COUNTED
        if conflict := self._conflict(item, context):
            return conflict
        waits = item.type in CO_MENTIONS and not self._excavating(item)
        if waits and len(context.pending) + 1 < self._settings.candidate_mentions:
            return Outcome.CANDIDATE
        return Outcome.CREATED

    def _conflict(self, item: EvidenceItem, context: PairContext) -> Conflict | None:
        """Return the reason for which these two stars get no connection now, if any (D-49)."""
        for star in item.pair:
            state = self._locked.stars[star].state
            if state in (StarState.DORMANT, StarState.NASCENT):
                remedy = "acknowledge it" if state == StarState.NASCENT else "engage it"
                return Conflict(
                    f"star {star!r} is {state} and takes no new connection: {remedy} first"
                )
        settings, size = self._settings, context.constellation_size
        for owner, limit, count in (
            ("a star", settings.connections_per_star, max(context.degrees or [0])),
            ("the constellation", settings.connections_per_constellation, size),
        ):
            if limit is not None and count >= limit:
                return Conflict(
                    f"{pair_key(item.pair)}: {owner} has {limit} connections: end one of them"
                )
        return None

    def _excavating(self, item: EvidenceItem) -> bool:
        """Return True in the first days of the constellation of either star (S-34)."""
        starts = [self._locked.stars[star].excavated_from for star in item.pair]
        day, length = self._locked.day, self._settings.excavation_days
        return any(start is not None and 0 <= day - start < length for start in starts)

    def _row(self, item: EvidenceItem, context: PairContext | None = None) -> Row:
        """Return a piece of evidence as statements take it."""
        weight = self._settings.secondary_factor if item.secondary else 1.0
        crowded = self._settings.half_rate_above
        if context and crowded is not None and context.constellation_size > crowded:
            weight *= HALF_RATE
        if self._excavating(item):
            weight *= self._settings.excavation_gain
        observed_at = item.at or self._locked.now
        return _pair_fields(item) | {
            "id": item.id,
            "type": item.type.value,
            "source": item.source,
            "observed_at": observed_at,
            "observed_day": epoch_day(observed_at),
            "recorded_at": self._locked.now,
            "day": self._locked.day,
            "weight": weight,
        }

    async def _count(self, counted: Batch) -> set[str]:
        """Count evidence behind the co-mentions that waited for it, and return the capped ids."""
        if not counted:
            return set()
        rows = []
        for item, context in counted:
            creating = context.state is None
            earlier = [_pair_fields(item) | mention for mention in context.pending if creating]
            rows += [row | {"creating": creating} for row in [*earlier, self._row(item, context)]]
        gains = await self._locked.tx.rows("stars/apply_gains", rows=rows)
        pairs = dict.fromkeys(item.pair for item, _ in counted)
        await self._locked.recompute(pairs, "evidence", wake=True)
        return {row["id"] for row in gains if row["capped"]}

    async def _create(self, batch: Batch) -> None:
        undecided = [
            ReviewedPair(*item.pair) for item, _ in batch if item.pair not in self._decisions
        ]
        if undecided:
            rules = TypeRules(self._locked.tx, self._locked.day, self._settings)
            self._decisions |= {to.pair: to for to in await rules.decide(undecided)}
        rows = [self._new_connection_row(item, context) for item, context in batch]
        await self._locked.tx.rows("stars/create_connections", rows=rows)

    def _new_connection_row(self, item: EvidenceItem, context: PairContext) -> dict[str, Any]:
        """Return the first properties of a connection.

        If its pair lost one lately, part of the strength returns.
        """
        decision, day = self._decisions[item.pair], self._locked.day
        past = context.archived[0] if context.archived else None
        returning = past and day - past["day"] < self._settings.recreate_days
        factor = self._settings.recreate_factor
        closed = self._locked.stars[item.pair[0]].closed_day
        return {
            **decision.row(),
            "id": str(uuid.uuid5(uuid.NAMESPACE_OID, str(item.id))),
            "at": self._locked.now,
            "day": day,
            "decayed_day": max(day - 1, closed),
            "strength": past["strength"] * factor if past and returning else 0.0,
            "previous_types": [*past["previous_types"], past["type"]] if past and returning else [],
            "type_hint": past["type"] if past else None,
        }


def _pair_fields(item: EvidenceItem) -> Row:
    lower, upper = item.pair
    return {"lower": lower, "upper": upper, "pair_key": pair_key(item.pair)}
