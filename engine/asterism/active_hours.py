"""Active hours: the clock of a realm, which runs only while the realm is used."""

import asyncio
from contextlib import suppress
from datetime import datetime

from asterism.clock import Moment, aware
from asterism.database import Database, Row
from asterism.errors import AsterismError
from asterism.intervals import Interval, intervals, length, union
from asterism.timestamps import from_micros, to_micros

IDLE = 600 * 1_000_000  # what a call adds at most, if no other follows
FLUSH_AFTER = 600 * 1_000_000
MOST_INTERVALS = 64  # intervals, by memories/add_active_hours
LEAST_WRITTEN = 1_000_000
HOUR = 3.6e9


class ActiveHours:
    """Collects when a graph is used, and adds it to the realm's active hours.

    A call records the time and no more. The times reach the realm every ten minutes, beside the
    calls, and when the graph is closed. The realm joins the times of all its graphs, so an hour
    counts once.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._used: list[Interval] = []
        self._written: list[Interval] = []  # by the last writing: a reading may be older than it
        self._flushed_at = to_micros(database.clock.now())
        self._flushing = asyncio.Lock()  # two at once would report the same time, and wait for it
        self._task: asyncio.Task[None] | None = None

    def note(self) -> None:
        """Record a call: the realm was used since the last one, at most ten minutes."""
        now = to_micros(self._database.clock.now())
        if self._used:
            start, end = self._used[-1]
            if 0 <= now - end <= IDLE:
                self._used[-1] = (start, now)
            else:  # a pause, or a clock that was set back
                self._used[-1] = (start, end + IDLE if now > end else end)
                self._used.append((now, now))
        else:
            self._used.append((now, now))
        if abs(now - self._flushed_at) >= FLUSH_AFTER and self._task is None:
            self._task = asyncio.create_task(self._flush_beside())

    async def reading(self, at: Moment | None = None) -> int:
        """Return the realm's active time in microseconds, with the times of this graph."""
        self.note()
        return self.counted(await self._database.one("memories/active_hours"), at)

    def counted(self, stored: Row, at: Moment | None = None) -> int:
        """Return a realm's active time, now or at a time: the stored one and that of this graph.

        All of a time to come is counted, as nobody knows how much of it will be active.
        """
        covered = intervals(stored["covered"])
        every = covered + self._written + self._used
        total = int(stored["active"]) - length(covered) + length(every)
        if at is None:
            return total
        now, then = to_micros(self._database.clock.now()), to_micros(aware(at))
        return total + then - now if then >= now else total - length(every, then)

    def moment_of(self, stored: Row, reading: int) -> datetime | None:
        """Return the time of a reading, if that is among the intervals that the realm keeps."""
        covered = intervals(stored["covered"])
        left = self.counted(stored) - reading
        for start, end in reversed(union(covered + self._written + self._used)):
            if len(covered) == MOST_INTERVALS and start == covered[0][0]:
                return None  # the oldest one is made of several
            if left <= end - start:
                return from_micros(end - left)
            left -= end - start
        return None

    async def in_hours(self, at: Moment | None = None) -> float:
        """Return the same reading in hours."""
        return await self.reading(at) / HOUR

    async def add(self, *, least: int = LEAST_WRITTEN) -> None:
        """Write the times to the realm, if they come to so many microseconds."""
        async with self._flushing:
            self._used = [*union(self._used[:-1]), *self._used[-1:]]
            parts = [part for part in union(self._used) if part[1] > part[0]]
            if length(parts) < least:
                return
            count, latest = len(self._used), self._used[-1][1]
            written = await self._database.rows(
                "memories/add_active_hours", intervals=[list(p) for p in parts]
            )
            if not written:
                return  # there is no such realm yet: its first write makes it
            self._written = parts
            # A call may have been noted meanwhile, and the interval that was the last have grown.
            last, *later = self._used[count - 1 :]
            self._used = [(latest, last[1]), *later]
            self._flushed_at = latest

    def restart(self) -> None:
        """Forget the times that were written: the realm is empty, or filled anew."""
        self._written = []

    async def close(self) -> None:
        """Write the rest. A server that is gone loses the minutes since the last writing."""
        self.note()
        if self._task is not None:
            await self._task
        with suppress(AsterismError):
            await self.add()

    async def _flush_beside(self) -> None:
        """Write beside the calls. Times that can't be written now are tried again later."""
        try:
            with suppress(AsterismError):
                await self.add()
        finally:
            self._flushed_at = to_micros(self._database.clock.now())
            self._task = None
