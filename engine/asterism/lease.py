"""Leases in the graph: a claim with an end, renewed for as long as a process works under it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from asterism.clock import wall
from asterism.errors import AsterismError


def lease_end(seconds: float) -> int:
    """Return the end of a lease that begins now, in microseconds of this machine's clock."""
    return wall() + round(seconds * 1e6)


@asynccontextmanager
async def renewing(seconds: float, renew: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Renew a lease of so many seconds in time, until the work under it is done."""

    async def renew_in_time() -> None:
        while True:
            await asyncio.sleep(seconds / 3)
            with suppress(AsterismError):  # the next one may come through
                await renew()

    task = asyncio.create_task(renew_in_time())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
