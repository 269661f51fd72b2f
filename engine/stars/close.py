"""The daily close: each open day in its turn, in steps that are taken up where they broke off."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar

from engine.database import Database, Transaction
from engine.stars import days
from engine.stars.evaluation import Evaluation, Verdict
from engine.stars.evidence import Item, Ledger, Moment, oriented, restate
from engine.stars.model import (
    ConnectionType,
    DayReport,
    StarState,
    TypeChange,
    TypeSource,
)

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


class Close:
    """Closes days of one realm; a second close at the same time waits for the first."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._settings = database.settings.stars
        self._tally = Tally()

    async def through(self, last: int) -> DayReport:
        """Close every open day up to this one."""
        began = time.perf_counter()
        known = await self._database.row("stars/open_days")
        first = known["closed_day"] + 1 if known else last + 1
        for day in range(first, last + 1):
            await self._database.transaction(lambda tx, day=day: self._locked(tx, day))  # type: ignore[misc]
        seconds = time.perf_counter() - began
        return DayReport(day=days.of(last), seconds=seconds, **vars(self._tally))

    async def _locked(self, tx: Transaction, day: int) -> None:
        """One day, holding the close's lock; the steps commit on their own."""
        row = await tx.row("stars/begin_close", day=day)
        if row is None or row["closed_day"] >= day:
            return
        before = await self._database.row("stars/close_started", day=day)
        await self._one(day, resumed=bool(before and before["before"] == day))
        await tx.rows("stars/finish_close", day=day)

    async def _one(self, day: int, *, resumed: bool) -> None:
        """The order of D-53."""
        run, tally = self._database, self._tally
        known = await run.row("stars/open_days")
        assert known is not None
        moment = self._moment(day)
        [own] = await run.rows("stars/own", day=day)
        due = await self._sweep(day, moment, known["constellations"])
        if resumed:
            due = await self._due(day)
        await self.evaluate(due, moment)
        if day > known["since"] and (day - known["since"]) % self._settings.evaluate_days == 0:
            await self._scan(moment)
        await run.rows("stars/effects", day=day)
        await self._turn(moment)
        await self._predict(day)
        tally.days += 1
        tally.stars = max(tally.stars, own["stars"])

    def _moment(self, day: int) -> Moment:
        last = days.end(day) - timedelta(microseconds=1)
        return Moment(min(self._database.clock.now(), last), day)

    async def _sweep(self, day: int, moment: Moment, constellations: list[Any]) -> list[Pair]:
        lasting = self._settings.excavation_days
        excavating = [name for name, start in constellations if 0 <= day - start < lasting]
        [row] = await self._database.rows(
            "stars/sweep",
            day=day,
            at=moment.now,
            excavating=excavating,
            weekly=day % 7 == 0,
        )
        self._tally.connections = max(self._tally.connections, row["swept"])
        self._tally.went_dormant += row["dormant"]
        void = [_ends(key) for found in row["void"] for key in found]
        if void:
            await self._dissolve(void, moment)
        return sorted(_ends(key) for found in row["due"] for key in found)

    async def _dissolve(self, pairs: list[Pair], moment: Moment) -> None:
        rows = [{"lower": a, "upper": b} for a, b in pairs]
        self._tally.dissolved += await self.end(rows, "no strength left", moment.day)

    async def end(self, pairs: list[dict[str, Any]], reason: str, day: int) -> int:
        """Archive and delete connections; how many."""
        stamp = {"at": self._moment(day).now, "day": day, "reason": reason}
        rows = [pair | stamp for pair in pairs]
        return len(await self._database.rows("stars/dissolve", rows=rows))

    async def _due(self, day: int) -> list[Pair]:
        return sorted(_ends(row["due"]) for row in await self._database.rows("stars/due", day=day))

    async def evaluate_due(self, day: int) -> list[TypeChange]:
        """Look at the types of all pairs that are due."""
        await self.evaluate(await self._due(day), self._moment(day))
        return self._tally.type_changes

    async def evaluate(self, pairs: list[Pair], moment: Moment) -> None:
        """Look at the types of these pairs, batch by batch."""
        for batch in _batches(pairs, self._settings.evaluation_rows):
            changes, detected = await self._database.transaction(
                lambda tx, batch=batch: self._evaluate(tx, batch, moment)  # type: ignore[misc]
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
        changes = await retype(tx, moment, [_retyping(now, to) for now, to in changing])
        await self._emit(tx, news, moment)
        settled = {(to.lower, to.upper) for _, to in changing}
        rows = [_judged(now, to, (to.lower, to.upper) in settled) for now, to in both]
        await tx.rows("stars/judge", rows=rows, day=moment.day)
        again = [(now["lower"], now["upper"]) for now, to in both if _recounts(now, to, settled)]
        await restate(tx, moment, again, rule="type", engaged=False)
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
        for part in _batches([news[pair] for pair in sorted(news)], EMISSION_BATCH):
            await self._database.transaction(
                lambda tx, part=part: self._emit(tx, part, moment)  # type: ignore[misc]
            )
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

    async def _turn(self, moment: Moment) -> None:
        turning = await self._database.rows("stars/turning")
        for batch in _batches(turning, self._settings.evaluation_rows):
            dormant = await self._database.transaction(
                lambda tx, batch=batch: self._turn_batch(tx, batch, moment)  # type: ignore[misc]
            )
            self._tally.went_dormant += dormant

    async def _turn_batch(
        self, tx: Transaction, batch: list[dict[str, Any]], moment: Moment
    ) -> int:
        ids = [row["id"] for row in batch]
        [row] = await tx.rows("stars/turn", ids=ids, day=moment.day, at=moment.now)
        for turned in batch:
            if turned["after"] == StarState.DARK:
                await reshade(tx, turned["id"], moment, engaged=False)
        return int(row["dormant"])

    async def _predict(self, day: int) -> None:
        row = await self._database.row("stars/predict", day=day)
        self._tally.predictions_issued += row["issued"] if row else 0
        row = await self._database.row("stars/resolve", day=day, until=days.end(day))
        self._tally.predictions_verified += row["verified"] if row else 0
        self._tally.predictions_expired += row["expired"] if row else 0


async def hold(tx: Transaction, ids: set[str]) -> dict[str, dict[str, Any]]:
    """Lock stars in the order of their ids; what decides about them, by id."""
    rows = await tx.rows("stars/lock", ids=sorted(ids))
    return {row["id"]: row for row in rows}


async def retype(tx: Transaction, moment: Moment, rows: list[dict[str, Any]]) -> list[TypeChange]:
    """Give connections other types; says what changed."""
    if not rows:
        return []
    stamped = [{"factor": 1.0, "day": moment.day, "at": moment.now} | row for row in rows]
    done = {row["pair_key"]: row for row in await tx.rows("stars/retype", rows=stamped)}
    return [
        TypeChange(
            a=row["start"], b=row["end"], before=was["was"], after=was["type"], rule=row["rule"]
        )
        for row in stamped
        if (was := done.get(row["pair_key"])) and was["was"] != was["type"]
    ]


async def reshade(
    tx: Transaction, id: str, moment: Moment, *, engaged: bool = True
) -> list[TypeChange]:
    """What a star's turning DARK, or its integration, does to its connections (D-36)."""
    found = await tx.rows("stars/shadows", id=id)
    factor = tx.database.settings.stars.integration_factor
    rows = [row for row in (_shaded(id, each, factor) for each in found) if row]
    changes = await retype(tx, moment, rows)
    pairs = [(row["lower"], row["upper"]) for row in rows]
    await restate(tx, moment, pairs, rule="darkness", engaged=engaged)
    return changes


def _shaded(id: str, found: dict[str, Any], factor: float) -> dict[str, Any] | None:
    lower, upper, was = found["lower"], found["upper"], found["type"]
    free = found["type_source"] != TypeSource.USER
    other = lower if id == upper else upper
    new = {"lower": lower, "upper": upper, "pair_key": f"{lower}|{upper}"}
    detected = {"type_source": TypeSource.DETECTED.value}
    if found["dark"] and free:
        dark = [id, other] if found["other_dark"] else [id]
        type = ConnectionType.SHADOW_MIRROR
        start = oriented(type, lower, lower, dark)
        rule = f"{id} is DARK"
        return _turned(new | detected, type, start, rule)
    if not found["dark"] and free and was == ConnectionType.SHADOW_MIRROR:
        if found["other_dark"]:
            return _turned(new | detected, ConnectionType.SHADOW_MIRROR, other, f"{other} is DARK")
        return _turned(new | detected, ConnectionType.RESONANCE, lower, f"{id} is integrated")
    if not found["dark"] and was == ConnectionType.BLOCKS and found["start"] == id:
        kept = {"type_source": found["type_source"], "factor": factor}
        return _turned(new | kept, ConnectionType.BLOCKS, id, f"{id} is integrated")
    return None


def _turned(row: dict[str, Any], type: ConnectionType, start: str, rule: str) -> dict[str, Any]:
    end = row["lower"] if start == row["upper"] else row["upper"]
    return row | {"type": type.value, "start": start, "end": end, "rule": rule}


def _retyping(now: dict[str, Any], to: Verdict) -> dict[str, Any]:
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


def _ends(pair_key: str) -> Pair:
    lower, _, upper = pair_key.partition("|")
    return lower, upper


def _batches(found: Sequence[T], size: int) -> Iterator[list[T]]:
    for start in range(0, len(found), size):
        yield list(found[start : start + size])
