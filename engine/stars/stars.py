"""`graph.stars`: everything there is to do with stars and their connections."""

from datetime import date, datetime

from engine.errors import InvalidInput
from engine.stars import checks, days
from engine.stars.acts import Acts
from engine.stars.close import Close
from engine.stars.model import Connection, DayReport, TypeChange
from engine.stars.words import described


class Stars(Acts):
    """The stars of a realm."""

    async def connection(self, a: str, b: str) -> Connection | None:
        """The connection of two stars, in whichever order; None if there is none, or no more."""
        lower, upper = checks.pair(a, b)
        row = await self._database.row("stars/connection", lower=lower, upper=upper)
        return described(row) if row else None

    async def connections(self, star: str, *, limit: int = 20) -> list[Connection]:
        """A star's connections, strongest first."""
        await self.get(star)
        rows = await self._database.rows(
            "stars/connections", id=star, limit=checks.whole("limit", limit)
        )
        return [described(row) for row in rows]

    async def close_day(self, day: date) -> DayReport:
        """Close a day, and any before it that are still open. Closing twice changes nothing."""
        return await Close(self._database).through(self._past(day))

    async def evaluate_types(self, day: date) -> list[TypeChange]:
        """Look at the types of connections that are due; the daily close does it too."""
        return await Close(self._database).evaluate_due(self._past(day))

    def _past(self, day: date) -> int:
        if not isinstance(day, date):
            raise InvalidInput("day", day, "give a date")
        if isinstance(day, datetime) and day.tzinfo is None:
            raise InvalidInput("day", day, "give a date, or an aware datetime")
        chosen, today = days.number(day), days.number(self._database.clock.now())
        if chosen > today:
            raise InvalidInput("day", day, f"it has not come yet: today is {days.of(today)}")
        return chosen
