"""A lease in the graph that is renewed for as long as a process is at work."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from engine.errors import AsterismError


@asynccontextmanager
async def renewing(seconds: float, renew: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Renew a lease of so many seconds in time, until the work under it is done."""

    async def keep_on() -> None:
        while True:
            await asyncio.sleep(seconds / 3)
            with suppress(AsterismError):  # the next one may come through
                await renew()

    task = asyncio.create_task(keep_on())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
