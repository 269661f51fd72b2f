"""Event log of an exploration: the record that results derive from, delivered to a listener."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from inspect import isawaitable
from typing import Any

from asterism.base_model import Frozen


class EventType(StrEnum):
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


LISTENER_GRACE = 1.0  # seconds
LEVELS = ("summary", "event", "step", "trace")
ESSENTIAL = {
    EventType.STARTED,
    EventType.ENDED,
    EventType.COMMITTED,
    EventType.DISCARDED,
    EventType.FINISHED,
}


class Event(Frozen):
    """One event as a listener gets it. Writes are only planned until `committed`."""

    run: str
    seq: int
    tick: int
    subentity: str | None
    type: EventType
    data: dict[str, Any]


OnEvent = Callable[[Event], Any]


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One recorded event."""

    tick: int
    subentity: str
    type: EventType
    data: dict[str, Any]


class EventLog:
    """Records every event, numbers those of its level and hands them to the listener."""

    def __init__(self, run_id: str, level: str, on_event: OnEvent | None) -> None:
        self._run_id = run_id
        self._level = LEVELS.index(level)
        self._on_event = on_event
        self._delivered = 0
        self._pending: deque[Awaitable[Any]] = deque()
        self.entries: list[LogEntry] = []
        self.tick = 0

    @property
    def with_vectors(self) -> bool:
        """True at the level `trace`, at which events have vectors and times too."""
        return self._level == LEVELS.index("trace")

    def of_type(self, type: EventType) -> list[LogEntry]:
        """Return the entries of one type in their order."""
        return [entry for entry in self.entries if entry.type is type]

    def record(self, type: EventType, subentity: str | None = None, /, **data: Any) -> None:
        """Record an event and deliver it if the level includes its type."""
        self.entries.append(LogEntry(self.tick, subentity or "", type, data))
        if self._on_event is None or self._level < _level_of(type):
            return
        self._delivered += 1
        event = Event(
            run=self._run_id,
            seq=self._delivered,
            tick=self.tick,
            subentity=subentity,
            type=type,
            data=data,
        )
        answer = self._on_event(event)
        if isawaitable(answer):
            self._pending.append(answer)

    async def wait_for_listener(self) -> None:
        """Await what an async listener returned."""
        try:
            while self._pending:
                await self._pending.popleft()
        finally:
            self.drop_pending()

    async def wait_briefly(self) -> None:
        """Await an async listener for one second at most, after the exploration has failed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LISTENER_GRACE):
                await self.wait_for_listener()

    def drop_pending(self) -> None:
        """Close what was not awaited, of which Python would warn otherwise."""
        while self._pending:
            answer: Any = self._pending.popleft()
            close = getattr(answer, "close", None) or getattr(answer, "cancel", None)
            if close is not None:
                close()


def _level_of(type: EventType) -> int:
    return LEVELS.index("summary" if type in ESSENTIAL else "event")
