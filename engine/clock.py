"""Where `now` comes from: the system, or a clock that tests and replays set by hand."""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

from engine.errors import InvalidInput


class Clock(Protocol):
    """Anything that can say what time it is, as an aware datetime."""

    def now(self) -> datetime: ...


class SystemClock:
    """The time of this machine, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class FixedClock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self, at: datetime) -> None:
        self._at = aware(at)

    def now(self) -> datetime:
        return self._at

    def set(self, at: datetime) -> None:
        """Jump to a time, forwards or backwards."""
        self._at = aware(at)

    def advance(self, **step: float) -> None:
        """Move on by a timedelta: `clock.advance(days=2, hours=3)`."""
        self._at += timedelta(**step)


def aware(at: datetime, argument: str = "at") -> datetime:
    """The same instant in UTC; a datetime without a zone is refused, not guessed."""
    if at.tzinfo is None:
        remedy = "give an aware datetime, such as datetime(2026, 1, 31, tzinfo=UTC)"
        raise InvalidInput(argument, at, remedy)
    return at.astimezone(UTC)


def wall() -> int:
    """Microseconds of this machine's own clock: a lease is about processes, not about a realm."""
    return time.time_ns() // 1000
