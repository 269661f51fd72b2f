"""Queue of this process's writers for the lock of texts, which the database grants one by one."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakKeyDictionary

from neo4j import AsyncDriver

from asterism.database import Database, Transaction
from asterism.errors import NotFound

SLOTS = 4  # a transaction that waits for a lock costs the server memory, and polling for locks

_slots: WeakKeyDictionary[AsyncDriver, asyncio.Semaphore] = WeakKeyDictionary()


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
