"""Active hours: a realm's clock, which runs only while the realm is used."""

import asyncio
from contextlib import suppress
from datetime import datetime

from engine.clock import Moment, aware
from engine.database import Database, Row
from engine.errors import AsterismError
from engine.memories.intervals import Interval, intervals, length, union
from engine.memories.model import micros, moment

IDLE = 600 * 1_000_000  # what a call adds at most, if no other follows
FLUSH_AFTER = 600 * 1_000_000
KEPT_APART = 64  # intervals, by memories/add_hours
WORTH_WRITING = 1_000_000
HOUR = 3.6e9


class ActiveHours:
    """Collects when a graph is used, and adds it to the realm's active hours.

    A call notes the time and no more. What is noted reaches the realm every ten minutes, beside
    the calls, and when the graph is closed. The realm joins what all its graphs report, so an
    hour counts once.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._noted: list[Interval] = []
        self._written: list[Interval] = []  # by the last writing: a reading may be older than it
        self._flushed_at = micros(database.clock.now())
        self._flushing = asyncio.Lock()  # two at once would report the same time, and wait for it
        self._task: asyncio.Task[None] | None = None

    def note(self) -> None:
        """Note a call: the realm was used since the one before, if that was ten minutes ago."""
        now = micros(self._database.clock.now())
        if self._noted:
            start, end = self._noted[-1]
            if 0 <= now - end <= IDLE:
                self._noted[-1] = (start, now)
            else:  # a pause, or a clock that was set back
                self._noted[-1] = (start, end + IDLE if now > end else end)
                self._noted.append((now, now))
        else:
            self._noted.append((now, now))
        if abs(now - self._flushed_at) >= FLUSH_AFTER and self._task is None:
            self._task = asyncio.create_task(self._flush_beside())

    async def reading(self, at: Moment | None = None) -> int:
        """Return the realm's active time in microseconds, what this graph has noted included."""
        self.note()
        row = await self._database.row("memories/hours")
        return self.counted(row or {"active": 0, "covered": []}, at)

    def counted(self, stored: Row, at: Moment | None = None) -> int:
        """Return what a realm's stored hours come to, now or at a time, with those noted here.

        Of a time to come it is not known how much of it will be active: all of it is counted.
        """
        covered = intervals(stored["covered"])
        every = covered + self._written + self._noted
        total = int(stored["active"]) - length(covered) + length(every)
        if at is None:
            return total
        now, then = micros(self._database.clock.now()), micros(aware(at))
        return total + then - now if then >= now else total - length(every, then)

    def moment_of(self, stored: Row, reading: int) -> datetime | None:
        """Return when a realm's hours had a reading, if that is among the intervals it keeps."""
        covered = intervals(stored["covered"])
        left = self.counted(stored) - reading
        for start, end in reversed(union(covered + self._written + self._noted)):
            if len(covered) == KEPT_APART and start == covered[0][0]:
                return None  # the oldest one is made of several
            if left <= end - start:
                return moment(end - left)
            left -= end - start
        return None

    async def in_hours(self, at: Moment | None = None) -> float:
        """Return the same reading in hours."""
        return await self.reading(at) / HOUR

    async def add(self, *, least: int = WORTH_WRITING) -> None:
        """Write what was noted to the realm, if it comes to so many microseconds."""
        async with self._flushing:
            self._noted = [*union(self._noted[:-1]), *self._noted[-1:]]
            parts = [part for part in union(self._noted) if part[1] > part[0]]
            if length(parts) < least:
                return
            count, latest = len(self._noted), self._noted[-1][1]
            await self._database.rows("memories/add_hours", intervals=[list(p) for p in parts])
            self._written = parts
            # A call may have been noted meanwhile, and the interval that was the last have grown.
            last, *later = self._noted[count - 1 :]
            self._noted = [(latest, last[1]), *later]
            self._flushed_at = latest

    def restart(self) -> None:
        """Forget what was written: the realm is empty, or filled anew."""
        self._written = []

    async def close(self) -> None:
        """Write the last of it; a server that is gone loses the minutes since the last writing."""
        self.note()
        if self._task is not None:
            await self._task
        with suppress(AsterismError):
            await self.add()

    async def _flush_beside(self) -> None:
        """Write beside the calls; what can't be written now is kept, and tried again later."""
        try:
            with suppress(AsterismError):
                await self.add()
        finally:
            self._flushed_at = micros(self._database.clock.now())
            self._task = None
