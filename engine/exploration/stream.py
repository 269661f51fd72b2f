"""An exploration as an async iterator of its events."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Self

from engine.errors import Conflict
from engine.exploration.events import Event, OnEvent, Queue
from engine.exploration.result import Exploration

BeforeCommit = Callable[[], Awaitable[Any]]
Begin = Callable[[OnEvent, BeforeCommit], Coroutine[Any, Any, Exploration]]


class Stream:
    """Events as they happen; the commit waits until the reader has read all that comes before it.

    An iterator can't see that a loop was left, so only a reader who asks for the next event, or
    for the result, lets the walk be written. Past the timeout it is discarded.
    """

    def __init__(self, begin: Begin, longest: int) -> None:
        self._task: asyncio.Task[Exploration] | None = None
        self._begin = begin
        self._queue = Queue(longest)
        self._over = False

    @property
    def dropped(self) -> int:
        """How many details a slow reader has missed."""
        return self._queue.dropped

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        if self._over:
            raise StopAsyncIteration
        if self._task is None:
            self._task = _started(self._begin, self._queue)
        try:
            event = await self._queue.next()
        except asyncio.CancelledError:
            await self.aclose()
            raise
        if event is not None:
            return event
        self._over = True
        if not self._task.cancelled():
            self._task.result()  # raises what ended the walk
        raise StopAsyncIteration

    async def result(self) -> Exploration:
        """Read whatever events are left, and return the exploration."""
        async for _ in self:
            pass
        if self._task is None or self._task.cancelled():
            raise Conflict(
                "this stream was left before its end, so nothing was written and there is no "
                "result: start another one, and read it to its end or call result() instead"
            )
        return self._task.result()

    async def aclose(self) -> None:
        """Stop walking, and wait until it has ended; what is not yet written never is."""
        self._over = True
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait({self._task})

    def __del__(self) -> None:
        """End a walk that nobody can read any more; garbage may be collected in any thread."""
        if self._task is not None and not self._task.done():
            with suppress(RuntimeError):  # the loop is closed, and has cancelled its tasks
                self._task.get_loop().call_soon_threadsafe(self._task.cancel)


def _started(begin: Begin, queue: Queue) -> "asyncio.Task[Exploration]":
    """Start the walk; it knows the queue but not the stream, which may then be collected."""

    def over(task: "asyncio.Task[Exploration]") -> None:
        queue.close()
        if not task.cancelled():
            task.exception()  # seen here, so that asyncio has nothing to complain about

    task = asyncio.ensure_future(begin(queue.put, queue.read_out))
    task.add_done_callback(over)
    return task
