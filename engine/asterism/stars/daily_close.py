"""Daily close: every open day in turn, in steps that resume where they broke off."""

import time
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from asterism.database import Database, Row, Transaction
from asterism.errors import Conflict
from asterism.row_types import row_of
from asterism.stars.models import DayReport, Pair, StarState, TypeChange, pair_of
from asterism.stars.reopening import snapshot, snapshot_status
from asterism.stars.star_transaction import RecordingTime, StarTransaction
from asterism.stars.type_review import TypeReview, batches
from asterism.timestamps import date_of_day, day_end, epoch_day


@row_of("stars/open_days")
class OpenDays(NamedTuple):
    """Row of stars/open_days."""

    closed_day: int
    since: int
    constellations: list[tuple[str, int]]


@row_of("stars/sweep")
class SweepResult(NamedTuple):
    """Row of stars/sweep."""

    swept: int
    dormant: int
    due: list[list[str]]
    void: list[list[str]]


class DailyClose:
    """Closes days of one realm, where a second close at the same time waits for the first."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._settings = database.settings.stars
        self._review = TypeReview(database)
        self._counts = self._review.counts

    async def through(self, last: int, max_days: int | None = None) -> DayReport:
        """Close every open day up to this one."""
        began = time.perf_counter()
        row = await self._database.row("stars/open_days")
        first = row["closed_day"] + 1 if row else last + 1
        self._require_few(first, last, max_days)
        if last - first + 1 >= self._settings.close_kept_from:
            await self._database.transaction(partial(self._snapshot, first=first, last=last))
        # One day after another: a day's decay depends on the engagements up to that day only.
        for day in range(first, last + 1):
            await self._database.transaction(partial(self._close_locked, day=day))
        return DayReport(
            day=date_of_day(last),
            seconds=time.perf_counter() - began,
            closed_through=date_of_day(max(first - 1, last)),
            today=date_of_day(epoch_day(self._database.clock.now())),
            type_changes=self._review.changes,
            **self._counts,
        )

    async def review_types(self, day: int) -> list[TypeChange]:
        """Review the types of all pairs that are due on a day, and return the changes."""
        await self._review.review(await self._review.due(day), self._time(day))
        return self._review.changes

    async def archive_abandoned(self) -> int:
        """Archive connections that never got past NASCENT and sleep for long (D-23)."""
        day = epoch_day(self._database.clock.now())
        rows = await self._database.rows("stars/abandoned_connections", day=day)
        pairs = [pair_of(row["pair_key"]) for row in rows]
        return await self._dissolve(pairs, "slept too long", self._time(day))

    def _require_few(self, first: int, last: int, max_days: int | None) -> None:
        most = self._settings.close_max_days if max_days is None else max_days
        count = last - first + 1
        if count > most:
            raise Conflict(
                f"{count} days are open, {date_of_day(first)} to {date_of_day(last)}, and {most} "
                "are closed at once without asking: check the clock, then close them with "
                f"close_day(day, max_days={count}), or `asterism star close-day --yes`"
            )

    def _time(self, day: int) -> RecordingTime:
        last = day_end(day) - timedelta(microseconds=1)
        return RecordingTime(min(self._database.clock.now(), last), day)

    async def _snapshot(self, tx: Transaction, first: int, last: int) -> None:
        """Take a snapshot before a long catch-up, unless this resumes one that has it."""
        await tx.rows("stars/lock_close")
        started = await self._database.row("stars/last_started_close")
        stored = await snapshot_status(self._database)
        resumed = stored is not None and stored.day < first <= stored.last
        broken_off = started is not None and started["day"] >= first
        if not (resumed or broken_off):
            await snapshot(self._database, first - 1, last)

    async def _close_locked(self, tx: Transaction, day: int) -> None:
        """Close one day while holding the close's lock, in steps that commit on their own."""
        row = await tx.row("stars/lock_close")
        if row is None or row["closed_day"] >= day:
            return
        started = await self._database.one("stars/mark_close_started", day=day)
        await self._close(day, resumed=started["before"] == day)
        await tx.rows("stars/finish_close", day=day)

    async def _close(self, day: int, *, resumed: bool) -> None:
        """Run the steps of a day in their order (D-53).

        Blocks come before the stars' own day: a star's own change depends on its ceiling.
        """
        database, time = self._database, self._time(day)
        open_days = OpenDays(**await database.one("stars/open_days"))
        due = await self._sweep(time, open_days.constellations)
        # A broken-off close has swept some buckets, whose due pairs this sweep does not return.
        if resumed:
            due = await self._review.due(day)
        await self._review.review(due, time)
        age = day - open_days.since
        if age > 0 and age % self._settings.evaluate_days == 0:
            await self._review.scan(time)
        own = await database.one("stars/apply_own_day", day=day)
        await database.rows("stars/apply_effects", day=day)
        await self._apply_states(time)
        await self._predict(day)
        self._counts["days"] += 1
        self._counts["stars"] = max(self._counts["stars"], own["stars"])

    async def _sweep(self, time: RecordingTime, starts: list[tuple[str, int]]) -> list[Pair]:
        """Decay all connections, and return the pairs whose type is due for a review."""
        day, length = time.day, self._settings.excavation_days
        result = await self._database.one(
            "stars/sweep",
            day=day,
            at=time.now,
            excavating=[name for name, start in starts if 0 <= day - start < length],
            weekly=day % 7 == 0,
        )
        row = SweepResult(**result)
        self._counts["connections"] = max(self._counts["connections"], row.swept)
        self._counts["went_dormant"] += row.dormant
        await self._database.rows("stars/update_blocks", day=day)
        void = [pair_of(key) for keys in row.void for key in keys]
        self._counts["dissolved"] += await self._dissolve(void, "no strength left", time)
        return sorted(pair_of(key) for keys in row.due for key in keys)

    async def _dissolve(self, pairs: list[Pair], reason: str, time: RecordingTime) -> int:
        """Archive and delete connections, and return their number."""
        if not pairs:
            return 0
        rows = await self._database.rows(
            "stars/dissolve",
            pairs=[list(pair) for pair in pairs],
            reason=reason,
            at=time.now,
            day=time.day,
        )
        return len(rows)

    async def _apply_states(self, time: RecordingTime) -> None:
        pending = await self._database.rows("stars/pending_states")
        for batch in batches(pending, self._settings.evaluation_rows):
            work = partial(self._apply_batch, batch=batch, time=time)
            self._counts["went_dormant"] += await self._database.transaction(work)

    async def _apply_batch(self, tx: Transaction, batch: list[Row], time: RecordingTime) -> int:
        ids = [row["id"] for row in batch]
        row = await tx.one("stars/apply_states", ids=ids, day=time.day, at=time.now)
        changing = StarTransaction(tx, time)
        await changing.lift_blocks(row["blocked"])
        for star in batch:
            if star["after"] == StarState.DARK:
                await changing.apply_dark_rules(star["id"], engaged=False)
        return int(row["dormant"])

    async def _predict(self, day: int) -> None:
        row = await self._database.one("stars/issue_predictions", day=day)
        self._counts["predictions_issued"] += row["issued"]
        row = await self._database.one("stars/resolve_predictions", day=day, until=day_end(day))
        self._counts["predictions_verified"] += row["verified"]
        self._counts["predictions_expired"] += row["expired"]
