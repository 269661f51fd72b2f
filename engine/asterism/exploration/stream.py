"""An exploration as an async iterator of its events."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Self

from asterism.errors import Conflict
from asterism.exploration.event_log import ESSENTIAL, Event, OnEvent
from asterism.exploration.result import Exploration
from asterism.exploration.run import BeforeCommit

Begin = Callable[[OnEvent, BeforeCommit], Coroutine[Any, Any, Exploration]]


class EventQueue:
    """Events on their way to a reader. If it is full, details are dropped and counted."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._unfinished = False
        self.dropped = 0

    def put(self, event: Event) -> None:
        """Add an event without waiting for the reader."""
        if self._events.qsize() >= self._size and event.type not in ESSENTIAL:
            self.dropped += 1
        else:
            self._events.put_nowait(event)

    def close(self) -> None:
        """Take no more events."""
        self._events.put_nowait(None)

    async def next(self) -> Event | None:
        """Return the next event, or None after the last one."""
        if self._unfinished:
            self._unfinished = False
            self._events.task_done()
        event = await self._events.get()
        self._unfinished = True
        return event

    async def wait_until_read(self) -> None:
        """Wait until the reader has read every event and asks for another."""
        await self._events.join()


class Stream:
    """Events as they happen. The commit waits until the reader has read every event before it.

    An iterator can't see that a loop was left, so only a reader who asks for the next event, or
    for the result, lets the walk be written. Past the timeout it is discarded.
    """

    def __init__(self, begin: Begin, queue_size: int) -> None:
        self._task: asyncio.Task[Exploration] | None = None
        self._begin = begin
        self._queue = EventQueue(queue_size)
        self._ended = False

    @property
    def dropped(self) -> int:
        """Number of events that a slow reader has missed."""
        return self._queue.dropped

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        if self._ended:
            raise StopAsyncIteration
        if self._task is None:
            self._task = _start_task(self._begin, self._queue)
        try:
            event = await self._queue.next()
        except asyncio.CancelledError:
            await self.aclose()
            raise
        if event is not None:
            return event
        self._ended = True
        if not self._task.cancelled():
            self._task.result()  # raises the error that ended the walk
        raise StopAsyncIteration

    async def result(self) -> Exploration:
        """Read the events that are left, and return the exploration."""
        async for _ in self:
            pass
        if self._task is None or self._task.cancelled():
            raise Conflict(
                "this stream was left before its end, so nothing was written and there is no "
                "result: start another one, and read it to its end or call result() instead"
            )
        return self._task.result()

    async def aclose(self) -> None:
        """Cancel the walk and wait until it has ended. Nothing more is written."""
        self._ended = True
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait({self._task})

    def __del__(self) -> None:
        """Cancel a walk that nobody can read any more."""
        if self._task is not None and not self._task.done():
            with suppress(RuntimeError):  # the loop is closed, and has cancelled its tasks
                # Garbage may be collected in any thread.
                self._task.get_loop().call_soon_threadsafe(self._task.cancel)


def _start_task(begin: Begin, queue: EventQueue) -> "asyncio.Task[Exploration]":
    """Start the walk. Its task refers to the queue but not to the stream, so that may be freed."""

    def finish(task: "asyncio.Task[Exploration]") -> None:
        queue.close()
        if not task.cancelled():
            task.exception()  # read here, so that asyncio does not log it

    task = asyncio.ensure_future(begin(queue.put, queue.wait_until_read))
    task.add_done_callback(finish)
    return task
