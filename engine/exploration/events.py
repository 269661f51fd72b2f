"""What happens in a walk, told as it happens."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from enum import StrEnum
from inspect import isawaitable
from typing import Any

from engine.frozen import Frozen


class EventType(StrEnum):
    """What an event tells."""

    STARTED = "started"
    TICK = "tick"
    SPAWNED = "spawned"
    SCORED = "scored"
    MOVED = "moved"
    INJECTED = "injected"
    RESONATED = "resonated"
    ABSORBED = "absorbed"
    JOINED = "joined"
    REFLECTED = "reflected"
    COLOR_PLANNED = "color_planned"
    CRYSTAL_PLANNED = "crystal_planned"
    ANOMALY = "anomaly"
    ENDED = "ended"
    COMMITTED = "committed"
    DISCARDED = "discarded"
    FINISHED = "finished"


LEVELS = ("summary", "event", "step", "trace")
ESSENTIAL = {
    EventType.STARTED,
    EventType.ENDED,
    EventType.COMMITTED,
    EventType.DISCARDED,
    EventType.FINISHED,
}


class Event(Frozen):
    """One thing that happened; planned writes are only planned until `committed`."""

    run: str
    seq: int
    tick: int
    subentity: str | None
    type: EventType
    data: dict[str, Any]


OnEvent = Callable[[Event], Any]


class Teller:
    """Numbers events and hands them on, as many as the level asks for."""

    def __init__(self, run_id: str, level: str, on_event: OnEvent | None) -> None:
        self._run = run_id
        self._level = LEVELS.index(level)
        self._on_event = on_event
        self._seq = 0
        self._answers: list[Awaitable[Any]] = []
        self.tick = 0

    @property
    def traces(self) -> bool:
        """Whether vectors and times are told too."""
        return self._level == LEVELS.index("trace")

    def tell(self, type: EventType, subentity: str | None = None, /, **data: Any) -> None:
        """Something happened."""
        if self._on_event is None or self._level < _needed(type):
            return
        self._seq += 1
        told = {"run": self._run, "seq": self._seq, "tick": self.tick, "subentity": subentity}
        answer = self._on_event(Event.model_validate(told | {"type": type, "data": data}))
        if isawaitable(answer):
            self._answers.append(answer)

    async def heard(self) -> None:
        """Wait for listeners that take their time."""
        waiting, self._answers = self._answers, []
        for answer in waiting:
            await answer


class Queue:
    """Events on their way to a reader; a slow one misses details, and is told how many."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._waiting: deque[Event] = deque()
        self._news = asyncio.Event()
        self._closed = False
        self.dropped = 0

    def put(self, event: Event) -> None:
        """Hand over an event without waiting for the reader."""
        if len(self._waiting) >= self._longest and event.type not in ESSENTIAL:
            self.dropped += 1
            return
        self._waiting.append(event)
        self._news.set()

    def close(self) -> None:
        """No more events."""
        self._closed = True
        self._news.set()

    async def read(self) -> AsyncIterator[Event]:
        """Events as they come, to the last one."""
        while True:
            while self._waiting:
                yield self._waiting.popleft()
            if self._closed:
                return
            self._news.clear()
            await self._news.wait()


async def ended(task: "asyncio.Task[Any]") -> None:
    """Cancel a task, and wait until it has ended."""
    task.cancel()
    with suppress(asyncio.CancelledError, Exception):
        await task


def _needed(type: EventType) -> int:
    return LEVELS.index("summary" if type in ESSENTIAL else "event")
