"""Active hours: a realm's clock that runs only while a graph is open."""

import asyncio

from engine.database import Database
from engine.memories.model import micros

FLUSH_AFTER = 600 * 1_000_000
WORTH_WRITING = 1_000_000
HOUR = 3.6e9


class ActiveHours:
    """Counts the time between opening and closing, and adds it to the realm's reading."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._since = micros(database.clock.now())
        self._adding = asyncio.Lock()  # callers beside each other would count the same time twice

    async def reading(self) -> int:
        """The realm's active time so far, in microseconds, this graph's own included."""
        if self._open_for() >= FLUSH_AFTER:
            await self.add()
        row = await self._database.row("memories/hours")
        return self.counted(row["active"] if row else 0)

    def counted(self, stored: int) -> int:
        """What a realm's stored reading comes to, this graph's own time included."""
        return stored + max(0, self._open_for())

    async def in_hours(self) -> float:
        """The same reading in hours."""
        return await self.reading() / HOUR

    async def add(self) -> None:
        """Write this graph's time to the realm; what is too short to matter is left out."""
        async with self._adding:
            elapsed = self._open_for()
            if elapsed >= WORTH_WRITING:
                await self._database.rows("memories/add_hours", elapsed=elapsed)
                self._since += elapsed

    def _open_for(self) -> int:
        return micros(self._database.clock.now()) - self._since
