"""The queue of writers in this process: they take turns in the database anyway."""

import asyncio
from weakref import WeakKeyDictionary

from neo4j import AsyncDriver

from engine.database import Database

AT_ONCE = 4  # a transaction that waits for its turn costs the server memory, and polling for locks

_queues: WeakKeyDictionary[AsyncDriver, asyncio.Semaphore] = WeakKeyDictionary()


def writers(database: Database) -> asyncio.Semaphore:
    """The places for transactions that take the turn of texts, first come first served."""
    return _queues.setdefault(database.driver, asyncio.Semaphore(AT_ONCE))
