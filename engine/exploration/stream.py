"""An exploration as an async iterator of its events."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any, Self

from engine.exploration.events import Event, OnEvent, Queue, ended
from engine.exploration.result import Exploration

Begin = Callable[[OnEvent], Coroutine[Any, Any, Exploration]]


class Stream:
    """Events as they happen; leaving off early ends the walk, and nothing is written."""

    def __init__(self, begin: Begin, longest: int) -> None:
        self._queue = Queue(longest)
        self._results: list[Exploration] = []
        self._events = _events(begin, self._queue, self._results)

    @property
    def dropped(self) -> int:
        """How many details a slow reader has missed."""
        return self._queue.dropped

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        return await anext(self._events)

    async def result(self) -> Exploration:
        """The exploration itself; reads whatever events are left."""
        async for _ in self._events:
            pass
        return self._results[0]

    async def aclose(self) -> None:
        """Stop walking."""
        await self._events.aclose()


async def _events(
    begin: Begin, queue: Queue, results: list[Exploration]
) -> AsyncGenerator[Event, None]:
    task = asyncio.ensure_future(begin(queue.put))
    task.add_done_callback(lambda done: queue.close())
    try:
        async for event in queue.read():
            yield event
        results.append(await task)
    finally:
        if not task.done():
            await ended(task)
