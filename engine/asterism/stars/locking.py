"""Locked writes: work on stars that are locked, in a graph whose past days are closed."""

from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from asterism.database import Database, Transaction
from asterism.errors import NotFound
from asterism.stars.daily_close import DailyClose
from asterism.stars.star_transaction import RecordingTime, StarTransaction
from asterism.timestamps import epoch_day

T = TypeVar("T")
Work = Callable[[StarTransaction], Awaitable[T]]


async def write_locked(database: Database, ids: Iterable[str], work: Work[T]) -> T:
    """Do some work in a transaction that has locked these stars.

    Open past days are closed first, since a day takes nothing that came after it.
    """
    stars = set(ids)
    while True:
        now = database.clock.now()
        time = RecordingTime(now, epoch_day(now))

        async def attempt(tx: Transaction, time: RecordingTime = time) -> list[T]:
            locked = StarTransaction(tx, time)
            await locked.lock(stars)
            for id in sorted(stars - locked.stars.keys()):
                raise NotFound("star", id)
            behind = any(star.closed_day < time.day - 1 for star in locked.stars.values())
            return [] if behind else [await work(locked)]

        for result in await database.transaction(attempt):
            return result
        await DailyClose(database).through(time.day - 1)
