"""Review of connection types: changes those that are due, connects pairs with a pattern."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from asterism.database import Database, Transaction
from asterism.stars.apply_evidence import EvidenceLedger
from asterism.stars.models import (
    ConnectionType,
    EvidenceItem,
    Pair,
    TypeChange,
    TypeSource,
    pair_key,
    pair_of,
    stars_of,
)
from asterism.stars.star_transaction import RecordingTime, StarTransaction
from asterism.stars.type_rules import ReviewedPair, TypeDecision, TypeRules

T = TypeVar("T")
EMISSION_BATCH = 500


class TypeReview:
    """Reviews types, counts what it does, and collects the changes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._settings = database.settings.stars
        self.counts: Counter[str] = Counter()
        self.changes: list[TypeChange] = []

    async def due(self, day: int) -> list[Pair]:
        """Return the pairs whose type is due for a review on a day (S-33)."""
        rows = await self._database.rows("stars/due_for_review", day=day)
        return sorted(pair_of(row["pair_key"]) for row in rows)

    async def review(self, pairs: list[Pair], time: RecordingTime) -> None:
        """Review the types of connected pairs, batch by batch."""
        for batch in batches(pairs, self._settings.evaluation_rows):
            work = partial(self._review_batch, batch=batch, time=time)
            changes, detected = await self._database.transaction(work)
            self.changes += changes
            self.counts["detected"] += detected
            self.counts["evaluated"] += len(batch)

    async def scan(self, time: RecordingTime) -> None:
        """Connect unconnected pairs that show a pattern (D-51).

        All are judged before the first is connected, since a new connection makes new neighbours.
        """
        since = time.day - self._settings.correlation_days
        detections: dict[Pair, TypeDecision] = {}
        batch: set[Pair] = set()
        async for row in self._database.stream("stars/unconnected_pairs", since=since):
            one, other = row["one"], row["other"]
            batch.add((min(one, other), max(one, other)))
            if len(batch) >= self._settings.evaluation_rows:
                detections |= await self._detections(batch, time)
                batch = set()
        detections |= await self._detections(batch, time)
        for part in batches([detections[pair] for pair in sorted(detections)], EMISSION_BATCH):

            async def emit(tx: Transaction, part: list[TypeDecision] = part) -> None:
                await _emit(StarTransaction(tx, time), part)

            await self._database.transaction(emit)
        self.counts["detected"] += len(detections)

    async def _detections(self, pairs: set[Pair], time: RecordingTime) -> dict[Pair, TypeDecision]:
        """Return the decisions about those of the pairs that show a pattern."""
        if not pairs:
            return {}
        unconnected = [ReviewedPair(*pair) for pair in sorted(pairs)]

        async def decide(tx: Transaction) -> list[TypeDecision]:
            return await TypeRules(tx, time.day, self._settings).decide(unconnected)

        decisions = await self._database.transaction(decide)
        return {to.pair: to for to in decisions if to.detected}

    async def _review_batch(
        self, tx: Transaction, batch: list[Pair], time: RecordingTime
    ) -> tuple[list[TypeChange], int]:
        """Decide, change types, count detections as evidence, and store the review."""
        rows = await tx.rows("stars/connections_to_review", pairs=[list(pair) for pair in batch])
        if not rows:
            return [], 0
        connections = [ReviewedPair(**row) for row in rows]
        decisions = await TypeRules(tx, time.day, self._settings).decide(connections)
        both = list(zip(connections, decisions, strict=True))
        changing = [to for now, to in both if self._changes(now, to, time.day)]
        detections = [to for to in decisions if to.detected]
        locked = StarTransaction(tx, time)
        if ids := stars_of(to.pair for to in changing + detections):
            await locked.lock(ids)
        changes = await locked.change_types(changing)
        await _emit(locked, detections)
        changed = {to.pair for to in changing}
        reviewed = [_review_row(now, to, to.pair in changed) for now, to in both]
        await tx.rows("stars/store_review", rows=reviewed, day=time.day)
        again = [to.pair for now, to in both if to.pair in changed or _new_source(now, to)]
        await locked.recompute(again, "type", engaged=False)
        await locked.lift_blocks(stars_of(changed))
        return changes, len(detections)

    def _changes(self, now: ReviewedPair, to: TypeDecision, day: int) -> bool:
        """Return False for a user's type, no difference, or a recent change (D-36)."""
        if now.type_source == TypeSource.USER or (now.type, now.start) == (to.type, to.start):
            return False
        changed = now.type_changed_day
        locked = changed is not None and day - changed < self._settings.type_lock_days
        return not locked or to.type is ConnectionType.SHADOW_MIRROR


async def _emit(locked: StarTransaction, detections: Sequence[TypeDecision]) -> None:
    """Count detections as evidence, once when a threshold is newly crossed (D-50)."""
    if not detections:
        return
    missing = stars_of(to.pair for to in detections) - locked.stars.keys()
    if missing:
        await locked.lock(missing)
    ledger = EvidenceLedger(locked, {to.pair: to for to in detections})
    await ledger.apply([_evidence(to, locked) for to in detections])


def _evidence(detection: TypeDecision, locked: StarTransaction) -> EvidenceItem:
    assert detection.detected is not None
    return EvidenceItem(
        a=detection.pair[0],
        b=detection.pair[1],
        type=detection.detected,
        source=f"detector, day {locked.day}",
        at=locked.now,
        id=f"detector|{pair_key(detection.pair)}|{locked.day}",
    )


def _agrees(now: ReviewedPair, to: TypeDecision) -> bool:
    return now.type == to.type and now.type_source != TypeSource.USER


def _review_row(now: ReviewedPair, to: TypeDecision, changed: bool) -> dict[str, Any]:
    """Return a row to store, where a user's type and a locked one keep their source."""
    source = to.source.value if changed or _agrees(now, to) else now.type_source
    return to.row() | {"type_source": source}


def _new_source(now: ReviewedPair, to: TypeDecision) -> bool:
    return _agrees(now, to) and now.type_source != to.source


def batches(items: Sequence[T], size: int) -> Iterator[list[T]]:
    """Split items into lists of at most this size."""
    for start in range(0, len(items), size):
        yield list(items[start : start + size])
