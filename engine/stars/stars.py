"""`graph.stars`: everything there is to do with stars and their connections."""

from datetime import date, datetime

from engine.errors import InvalidInput
from engine.stars import days
from engine.stars.acts import Acts
from engine.stars.close import Close
from engine.stars.model import DayReport, TypeChange


class Stars(Acts):
    """The stars of a realm."""

    async def close_day(self, day: date) -> DayReport:
        """Close a day, and any before it that are still open. Closing twice changes nothing."""
        return await Close(self._database).through(self._past(day))

    async def evaluate_types(self, day: date) -> list[TypeChange]:
        """Look at the types of connections that are due; the daily close does it too."""
        return await Close(self._database).evaluate_due(self._past(day))

    async def archive(self) -> int:
        """End connections that never got past NASCENT and have slept for 60 days (D-23)."""
        today = days.number(self._database.clock.now())
        rows = await self._database.rows("stars/abandoned", day=today)
        return await Close(self._database).end(rows, "slept too long", today)

    def _past(self, day: date) -> int:
        if not isinstance(day, date):
            raise InvalidInput("day", day, "give a date")
        if isinstance(day, datetime) and day.tzinfo is None:
            raise InvalidInput("day", day, "give a date, or an aware datetime")
        chosen, today = days.number(day), days.number(self._database.clock.now())
        if chosen > today:
            raise InvalidInput("day", day, f"it has not come yet: today is {days.of(today)}")
        return chosen
