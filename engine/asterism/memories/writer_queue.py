"""Queue of this process's writers for the lock of texts, which the database grants one by one."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypedDict, cast
from weakref import WeakKeyDictionary

from neo4j import AsyncDriver

from asterism.database import Database, Row, Transaction
from asterism.errors import NotFound
from asterism.row_types import row_of

SLOTS = 4  # a transaction that waits for a lock costs the server memory, and polling for locks

_slots: WeakKeyDictionary[AsyncDriver, asyncio.Semaphore] = WeakKeyDictionary()


@row_of("memories/lock_to_change")
class LockedTexts(TypedDict):
    """Memories under the lock of all texts, and the latest of the session."""

    memories: list[Row]
    latest: str | None
    token: str | None


def writer_slots(database: Database) -> asyncio.Semaphore:
    """Return the slots for transactions that lock the texts of a realm, first come first served."""
    return _slots.setdefault(database.driver, asyncio.Semaphore(SLOTS))


async def change_memory(
    database: Database, id: str, work: Callable[[Transaction], Awaitable[Any]], name: str
) -> Any:
    """Run a transaction that changes a memory, when its turn has come."""
    if await database.row("transfer/import_state") is None:
        raise NotFound("memory", id)  # an absent realm stays absent
    async with writer_slots(database):
        return await database.transaction(work, name=name)


async def lock_to_change(
    tx: Transaction, ids: list[str], session: str | None = None
) -> LockedTexts:
    """Lock all texts, and read those that are to change."""
    return cast("LockedTexts", await tx.one("memories/lock_to_change", ids=ids, session=session))
