"""The daily close: each open day in its turn, in steps that are taken up where they broke off."""

import time
from functools import partial
from typing import Any

from engine.database import Transaction
from engine.errors import Conflict
from engine.stars import days
from engine.stars.evidence import Moment, lift_blocks
from engine.stars.judging import Judging, Pair, batches, ends
from engine.stars.model import DayReport, StarState
from engine.stars.reopening import keep
from engine.stars.retyping import reshade


class Close(Judging):
    """Closes days of one realm; a second close at the same time waits for the first."""

    async def through(self, last: int, max_days: int | None = None) -> DayReport:
        """Close every open day up to this one; very many only with leave."""
        began = time.perf_counter()
        known = await self._database.row("stars/open_days")
        first = known["closed_day"] + 1 if known else last + 1
        self._require_few(first, last, max_days)
        if last - first + 1 >= self._settings.close_kept_from:
            await self._database.transaction(partial(self._keep, first=first, last=last))
        for day in range(first, last + 1):
            await self._database.transaction(partial(self._locked, day=day))
        return DayReport(
            day=days.of(last),
            seconds=time.perf_counter() - began,
            closed_through=days.of(max(first - 1, last)),
            today=days.of(days.number(self._database.clock.now())),
            **vars(self._tally),
        )

    def _require_few(self, first: int, last: int, max_days: int | None) -> None:
        most = self._settings.close_max_days if max_days is None else max_days
        if last - first + 1 > most:
            raise Conflict(
                f"{last - first + 1} days are open, {days.of(first)} to {days.of(last)}, and "
                f"{most} are closed at once without asking: check the clock, then close them with "
                f"close_day(day, max_days={last - first + 1}), or `asterism star close-day --yes`"
            )

    async def _keep(self, tx: Transaction, first: int, last: int) -> None:
        """Keep what there is before a long catch-up, unless it only goes on with one."""
        await tx.rows("stars/begin_close", day=first)
        started = await self._database.row("stars/close_begun")
        kept = await self._database.row("stars/kept")
        resumed = kept is not None and kept["day"] < first <= kept["last"]
        broken_off = started is not None and started["day"] >= first
        if not (resumed or broken_off):
            await keep(self._database, first - 1, last)

    async def _locked(self, tx: Transaction, day: int) -> None:
        """One day, holding the close's lock; the steps commit on their own."""
        row = await tx.row("stars/begin_close", day=day)
        if row is None or row["closed_day"] >= day:
            return
        before = await self._database.row("stars/close_started", day=day)
        await self._one(day, resumed=bool(before and before["before"] == day))
        await tx.rows("stars/finish_close", day=day)

    async def _one(self, day: int, *, resumed: bool) -> None:
        """Do the steps of a day in their order (D-53).

        Blocks are settled before `own`: what a star may change by depends on its ceiling.
        """
        run, tally = self._database, self._tally
        known = await run.row("stars/open_days")
        assert known is not None
        moment = self._moment(day)
        due = await self._sweep(day, moment, known["constellations"])
        if resumed:
            due = await self._due(day)
        await self.evaluate(due, moment)
        if day > known["since"] and (day - known["since"]) % self._settings.evaluate_days == 0:
            await self._scan(moment)
        [own] = await run.rows("stars/own", day=day)
        await run.rows("stars/effects", day=day)
        await self._turn(moment)
        await self._predict(day)
        tally.days += 1
        tally.stars = max(tally.stars, own["stars"])

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
        await self._database.rows("stars/blocks", day=day)
        void = [ends(key) for found in row["void"] for key in found]
        if void:
            await self._dissolve(void, moment)
        return sorted(ends(key) for found in row["due"] for key in found)

    async def _dissolve(self, pairs: list[Pair], moment: Moment) -> None:
        rows = [{"lower": a, "upper": b} for a, b in pairs]
        self._tally.dissolved += await self.end(rows, "no strength left", moment.day)

    async def end(self, pairs: list[dict[str, Any]], reason: str, day: int) -> int:
        """Archive and delete connections; how many."""
        stamp = {"at": self._moment(day).now, "day": day, "reason": reason}
        rows = [pair | stamp for pair in pairs]
        return len(await self._database.rows("stars/dissolve", rows=rows))

    async def _turn(self, moment: Moment) -> None:
        turning = await self._database.rows("stars/turning")
        for batch in batches(turning, self._settings.evaluation_rows):
            dormant = await self._database.transaction(
                partial(self._turn_batch, batch=batch, moment=moment)
            )
            self._tally.went_dormant += dormant

    async def _turn_batch(
        self, tx: Transaction, batch: list[dict[str, Any]], moment: Moment
    ) -> int:
        ids = [row["id"] for row in batch]
        [row] = await tx.rows("stars/turn", ids=ids, day=moment.day, at=moment.now)
        await lift_blocks(tx, row["blocked"])
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
