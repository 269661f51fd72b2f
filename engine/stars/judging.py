"""Looks at the types of connections that are due, and at pairs that might be connected."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from engine.database import Database, Transaction
from engine.stars import days
from engine.stars.evaluation import Evaluation, Verdict
from engine.stars.evidence import Item, Moment, lift_blocks, restate
from engine.stars.ledger import Ledger
from engine.stars.model import ConnectionType, TypeChange, TypeSource
from engine.stars.retyping import hold, retype

T = TypeVar("T")
Pair = tuple[str, str]
EMISSION_BATCH = 500


@dataclass
class Tally:
    """What a close counts as it goes."""

    days: int = 0
    stars: int = 0
    connections: int = 0
    went_dormant: int = 0
    dissolved: int = 0
    evaluated: int = 0
    detected: int = 0
    type_changes: list[TypeChange] = field(default_factory=list)
    predictions_issued: int = 0
    predictions_verified: int = 0
    predictions_expired: int = 0


class Judging:
    """The part of a close that asks what the data says."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._settings = database.settings.stars
        self._tally = Tally()

    def _moment(self, day: int) -> Moment:
        last = days.end(day) - timedelta(microseconds=1)
        return Moment(min(self._database.clock.now(), last), day)

    async def _due(self, day: int) -> list[Pair]:
        return sorted(ends(row["due"]) for row in await self._database.rows("stars/due", day=day))

    async def evaluate_due(self, day: int) -> list[TypeChange]:
        """Look at the types of all pairs that are due."""
        await self.evaluate(await self._due(day), self._moment(day))
        return self._tally.type_changes

    async def evaluate(self, pairs: list[Pair], moment: Moment) -> None:
        """Look at the types of these pairs, batch by batch."""
        for batch in batches(pairs, self._settings.evaluation_rows):
            changes, detected = await self._database.transaction(
                partial(self._evaluate, batch=batch, moment=moment)
            )
            self._tally.type_changes += changes
            self._tally.detected += detected
            self._tally.evaluated += len(batch)

    async def _evaluate(
        self, tx: Transaction, batch: list[Pair], moment: Moment
    ) -> tuple[list[TypeChange], int]:
        standing = await tx.rows("stars/evaluations", pairs=[list(pair) for pair in batch])
        if not standing:
            return [], 0
        evaluation = Evaluation(tx, moment.day, self._settings)
        verdicts = await evaluation.verdicts(standing)
        both = list(zip(standing, verdicts, strict=True))
        changing = [(now, to) for now, to in both if self._changes(now, to, moment.day)]
        news = [verdict for verdict in verdicts if verdict.detected]
        await self._hold(tx, [now for now, _ in changing], news)
        changes = await retype(tx, moment, [_retyping(to) for _, to in changing])
        await self._emit(tx, news, moment)
        settled = {(to.lower, to.upper) for _, to in changing}
        rows = [_judged(now, to, (to.lower, to.upper) in settled) for now, to in both]
        await tx.rows("stars/judge", rows=rows, day=moment.day)
        again = [(now["lower"], now["upper"]) for now, to in both if _recounts(now, to, settled)]
        await restate(tx, moment, again, rule="type", engaged=False)
        await lift_blocks(tx, {star for pair in settled for star in pair})
        return changes, len(news)

    def _changes(self, now: dict[str, Any], to: Verdict, day: int) -> bool:
        """Whether the verdict is carried out: not against the user, not within the lock (D-36)."""
        if now["type_source"] == TypeSource.USER:
            return False
        if now["type"] == to.type and now["start"] == to.start:
            return False
        changed = now["type_changed_day"]
        locked = changed is not None and day - changed < self._settings.type_lock_days
        return not locked or to.type is ConnectionType.SHADOW_MIRROR

    async def _hold(
        self, tx: Transaction, changing: list[dict[str, Any]], news: list[Verdict]
    ) -> dict[str, Any]:
        ids = {row[end] for row in changing for end in ("lower", "upper")}
        ids |= {star for verdict in news for star in (verdict.lower, verdict.upper)}
        return await hold(tx, ids) if ids else {}

    async def _emit(self, tx: Transaction, news: list[Verdict], moment: Moment) -> None:
        """Detections are evidence: told once, when a threshold is newly crossed (D-50)."""
        if not news:
            return
        held = await hold(tx, {star for v in news for star in (v.lower, v.upper)})
        ledger = Ledger(tx, held, moment, self._settings)
        await ledger.apply([_detection(verdict, moment) for verdict in news])

    async def _scan(self, moment: Moment) -> None:
        """Unconnected pairs that may have something in common (D-51).

        All are judged before the first is connected: a new connection makes new neighbours.
        """
        since = moment.day - self._settings.correlation_days
        news: dict[Pair, Verdict] = {}
        batch: set[Pair] = set()
        async for row in self._database.stream("stars/scan", **{"from": since}):
            batch.add(_sorted(row["lower"], row["upper"]))
            if len(batch) >= self._settings.evaluation_rows:
                news |= await self._suspect(batch, moment)
                batch = set()
        news |= await self._suspect(batch, moment)
        for part in batches([news[pair] for pair in sorted(news)], EMISSION_BATCH):
            await self._database.transaction(partial(self._emit, news=part, moment=moment))
        self._tally.detected += len(news)

    async def _suspect(self, pairs: set[Pair], moment: Moment) -> dict[Pair, Verdict]:
        """Those of the pairs that show something."""
        if not pairs:
            return {}

        async def judge(tx: Transaction) -> list[Verdict]:
            asked = [{"lower": a, "upper": b} for a, b in sorted(pairs)]
            return await Evaluation(tx, moment.day, self._settings).verdicts(asked)

        verdicts = await self._database.transaction(judge)
        return {(found.lower, found.upper): found for found in verdicts if found.detected}


def _retyping(to: Verdict) -> dict[str, Any]:
    return {
        "pair_key": f"{to.lower}|{to.upper}",
        "start": to.start,
        "end": to.end,
        "type": to.type.value,
        "type_source": to.source.value,
        "rule": to.rule,
    }


def _judged(now: dict[str, Any], to: Verdict, changed: bool) -> dict[str, Any]:
    """A user's type, and one that the lock protects, keep their source."""
    agrees = changed or (now["type"] == to.type and now["type_source"] != TypeSource.USER)
    source = to.source.value if agrees else now["type_source"]
    return {"lower": to.lower, "upper": to.upper, "type_source": source, **to.found()}


def _recounts(now: dict[str, Any], to: Verdict, changed: set[Pair]) -> bool:
    """Whether confidence has to be said anew: the type, or who says so, is another."""
    agrees = now["type"] == to.type and now["type_source"] != TypeSource.USER
    return (to.lower, to.upper) in changed or (agrees and now["type_source"] != to.source)


def _detection(verdict: Verdict, moment: Moment) -> Item:
    assert verdict.detected is not None
    key = f"{verdict.lower}|{verdict.upper}"
    return Item(
        lower=verdict.lower,
        upper=verdict.upper,
        type=verdict.detected,
        source=f"detector, day {moment.day}",
        at=moment.now,
        id=f"detector|{key}|{moment.day}",
        verdict=verdict,
    )


def _sorted(a: str, b: str) -> Pair:
    return (a, b) if a < b else (b, a)


def ends(pair_key: str) -> Pair:
    lower, _, upper = pair_key.partition("|")
    return lower, upper


def batches(found: Sequence[T], size: int) -> Iterator[list[T]]:
    for start in range(0, len(found), size):
        yield list(found[start : start + size])
