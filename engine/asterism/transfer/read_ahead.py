"""Reading ahead: the next part is read while the caller works on this one."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
Read = Callable[[], Coroutine[Any, Any, T | None]]


async def read_ahead(read: Read[T]) -> AsyncGenerator[T, None]:
    """Yield what is read until that is None. Close it: nothing is read any more afterwards."""
    reading = asyncio.create_task(read())
    try:
        while (part := await reading) is not None:
            reading = asyncio.create_task(read())
            yield part
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


async def in_thread(work: Callable[..., T], *arguments: object) -> T:
    """Return what work returns in a thread, which ends before this does, even if it is cancelled.

    Otherwise the thread would go on with files that its caller closes.
    """
    working = asyncio.ensure_future(asyncio.to_thread(work, *arguments))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        await asyncio.gather(working, return_exceptions=True)
        raise
