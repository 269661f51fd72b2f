"""The clock that stands still until told otherwise."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from engine.clock import FixedClock, SystemClock, aware
from engine.errors import InvalidInput

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_a_fixed_clock_moves_only_when_told() -> None:
    clock = FixedClock(NOON)
    assert clock.now() == clock.now() == NOON
    clock.advance(days=1, hours=2)
    assert clock.now() == NOON + timedelta(days=1, hours=2)
    clock.set(NOON)
    assert clock.now() == NOON


def test_the_system_clock_is_aware_and_runs() -> None:
    first, second = SystemClock().now(), SystemClock().now()
    assert first.tzinfo is UTC
    assert first <= second


def test_every_zone_becomes_utc() -> None:
    local = NOON.astimezone(timezone(timedelta(hours=9)))
    assert aware(local).isoformat() == "2026-03-02T12:00:00+00:00"


def test_a_time_without_a_zone_is_refused_with_the_remedy() -> None:
    with pytest.raises(InvalidInput, match=r"at=.*give an aware datetime"):
        FixedClock(datetime(2026, 3, 2, 12))
