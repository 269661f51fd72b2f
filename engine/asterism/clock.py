"""Clocks, the system's or one set by hand, and the reading of times in the user's zone."""

import os
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from time import time_ns
from typing import Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from asterism.errors import InvalidInput

Moment = datetime | date | str


class Clock(Protocol):
    """Any object that returns the time as an aware datetime."""

    def now(self) -> datetime: ...


class SystemClock:
    """The time of this machine, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class FixedClock:
    """A clock that stands still until it is set or advanced."""

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


def aware(at: Moment, argument: str = "at", *, end: bool = False) -> datetime:
    """Return in UTC an aware datetime, or a date or ISO 8601 text in the user's zone.

    A plain date is its first moment, or its last one with `end`.
    """
    moment = _parsed(at, argument) if isinstance(at, str) else at
    if not isinstance(moment, datetime):
        moment = _of_day(moment, argument, end)
    if moment.tzinfo is None and isinstance(at, str):
        moment = moment.replace(tzinfo=timezone())
    if moment.tzinfo is None:
        raise InvalidInput(
            argument, at, "give an aware datetime, such as datetime(2026, 1, 31, tzinfo=UTC)"
        )
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise InvalidInput(
            argument, at, "give a time between the years 1 and 9999 in UTC"
        ) from error


def timezone() -> tzinfo:
    """Return the zone of ASTERISM_TIMEZONE, or UTC: the zone of times that name none."""
    name = os.environ.get("ASTERISM_TIMEZONE") or "UTC"
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidInput(
            "ASTERISM_TIMEZONE", name, "give a zone such as Europe/Lisbon"
        ) from error


def _parsed(text: str, argument: str) -> datetime | date:
    for parse in (date.fromisoformat, datetime.fromisoformat):
        with suppress(ValueError):
            return parse(text.strip())
    remedy = "give a time as ISO 8601: 2024-08-09T14:30Z, 2024-08-09T14:30 or 2024-08-09"
    raise InvalidInput(argument, text, remedy)


def _of_day(day: date, argument: str, end: bool) -> datetime:
    if not isinstance(day, date):
        raise InvalidInput(argument, day, "give an aware datetime, a date, or ISO 8601 text")
    return datetime.combine(day, time.max if end else time.min, tzinfo=timezone())


def wall() -> int:
    """Return the microseconds of this machine's own clock, by which leases run out."""
    return time_ns() // 1000
