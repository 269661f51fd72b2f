"""How a call writes: it holds its stars, on a graph whose past days are closed."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from engine.database import Transaction
from engine.errors import NotFound
from engine.stars import days
from engine.stars.close import Close
from engine.stars.evidence import Held, Moment
from engine.stars.questions import Questions
from engine.stars.retyping import hold

T = TypeVar("T")
Work = Callable[[Transaction, Held, Moment], Awaitable[T]]


class Writing(Questions):
    """What all calls that write have in common."""

    async def _write(self, ids: set[str], work: Work[T]) -> T:
        """Do some work that holds these stars, on a graph closed up to yesterday.

        What happened on open days is settled first: a day takes nothing that came after it.
        """
        while True:
            now = self._database.clock.now()
            moment = Moment(now, days.number(now))

            async def attempt(tx: Transaction, moment: Moment = moment) -> list[T]:
                held = await hold(tx, ids)
                for id in sorted(ids - held.keys()):
                    raise NotFound("star", id)
                behind = any(star["closed_day"] < moment.day - 1 for star in held.values())
                return [] if behind else [await work(tx, held, moment)]

            for result in await self._database.transaction(attempt):
                return result
            await Close(self._database).through(moment.day - 1)

    def _ending(self, moment: Moment, reason: str) -> dict[str, Any]:
        return {"at": moment.now, "day": moment.day, "reason": reason}
