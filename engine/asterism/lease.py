"""Leases in the graph: a claim with an end, renewed for as long as a process works under it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from asterism.clock import wall
from asterism.errors import AsterismError

GRACE_SECONDS = 2.0  # how long the end of the work waits for a renewal that has begun


def lease_end(seconds: float) -> int:
    """Return the end of a lease that begins now, in microseconds of this machine's clock."""
    return wall() + round(seconds * 1e6)


@asynccontextmanager
async def renewing(seconds: float, renew: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Renew a lease of so many seconds in time, until the work under it is done.

    A renewal that has begun may end: cut off while it connects, it leaves its socket open.
    """
    work_done = asyncio.Event()

    async def renew_in_time() -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(work_done.wait(), seconds / 3)
                return
            with suppress(AsterismError):  # the next one may come through
                await renew()

    task = asyncio.create_task(renew_in_time())
    try:
        yield
    finally:
        work_done.set()
        await _ended(task)


async def _ended(task: asyncio.Task[None]) -> None:
    """Wait until a task ends, which is cancelled where that lasts, and raise what it raised."""
    try:
        await asyncio.wait({task}, timeout=GRACE_SECONDS)
    finally:
        task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.result()
