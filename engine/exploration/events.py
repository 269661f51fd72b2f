"""What happens in a walk, told as it happens."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
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


PATIENCE = 1.0  # seconds
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
        self._answers: deque[Awaitable[Any]] = deque()
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
        try:
            while self._answers:
                await self._answers.popleft()
        finally:
            self.drop()

    async def heard_soon(self) -> None:
        """Wait for listeners a moment longer, after the exploration has failed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self.heard()

    def drop(self) -> None:
        """Give up on listeners that were not waited for; left alone, Python would warn of them."""
        while self._answers:
            answer: Any = self._answers.popleft()
            end = getattr(answer, "close", None) or getattr(answer, "cancel", None)
            if end is not None:
                end()


class Queue:
    """Events on their way to a reader; a slow one misses details, and is told how many."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._waiting: deque[Event] = deque()
        self._news = asyncio.Event()
        self._idle = asyncio.Event()
        self._closed = False
        self.dropped = 0

    def put(self, event: Event) -> None:
        """Hand over an event without waiting for the reader."""
        if len(self._waiting) >= self._longest and event.type not in ESSENTIAL:
            self.dropped += 1
            return
        self._waiting.append(event)
        self._idle.clear()
        self._news.set()

    def close(self) -> None:
        """No more events."""
        self._closed = True
        self._news.set()

    async def next(self) -> Event | None:
        """Return the next event, or None after the last one."""
        while not self._waiting:
            if self._closed:
                return None
            self._news.clear()
            self._idle.set()
            try:
                await self._news.wait()
            finally:
                self._idle.clear()
        return self._waiting.popleft()

    async def read_out(self) -> None:
        """Wait until the reader has read every event and asks for another."""
        await self._idle.wait()


def _needed(type: EventType) -> int:
    return LEVELS.index("summary" if type in ESSENTIAL else "event")
