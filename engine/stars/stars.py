"""`graph.stars`: everything there is to do with stars and their connections."""

from datetime import date, datetime

from engine.errors import InvalidInput
from engine.stars import checks, days
from engine.stars.acts import Acts
from engine.stars.close import Close
from engine.stars.hypotheses import Hypothesis, hypotheses
from engine.stars.model import Connection, DayReport, EvidenceType, TypeChange
from engine.stars.reopening import reopen


class Stars(Acts):
    """The stars of a realm."""

    async def close_day(self, day: date, *, max_days: int | None = None) -> DayReport:
        """Close a day, and any before it that are still open. Closing twice changes nothing.

        More than 40 open days are closed only if `max_days` allows as many.
        """
        most = None if max_days is None else checks.whole("max_days", max_days)
        return await Close(self._database).through(self._past(day), most)

    async def reopen(self, day: date) -> DayReport:
        """Undo the closes of this day and all after it, which a wrong clock has made.

        Possible for catch-ups of 8 days and more, as long as nobody has acted on stars since;
        refused with the reason where it is not. The days before are closed again.
        """
        if not isinstance(day, date):
            raise InvalidInput("day", day, "give a date")
        first = days.number(day)
        closed = await reopen(self._database, first)
        return await Close(self._database).through(first - 1, max_days=first - closed)

    async def evaluate_types(self, day: date) -> list[TypeChange]:
        """Look at the types of connections that are due; the daily close does it too."""
        return await Close(self._database).evaluate_due(self._past(day))

    async def hypotheses(self, limit: int = 10) -> list[Hypothesis]:
        """Propose pairs that are not connected, best first, each with its reasons.

        In the first seven days of a constellation there are up to twice as many.
        """
        return await hypotheses(self._database, limit)

    async def confirm(self, a: str, b: str) -> Connection:
        """Agree with a hypothesis: the pair gets evidence of the type tars_confirmed."""
        return await self.evidence(a, b, EvidenceType.TARS_CONFIRMED, source="hypothesis")

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
