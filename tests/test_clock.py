"""The clock that stands still until told otherwise."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from asterism.clock import FixedClock, SystemClock, aware
from asterism.errors import InvalidInput

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


@pytest.mark.parametrize(
    ("text", "end", "expected"),
    [
        ("2026-03-01T09:30:00+01:00", False, "2026-03-01T08:30:00+00:00"),
        ("2026-03-01T09:30Z", False, "2026-03-01T09:30:00+00:00"),
        ("2026-03-01T09:30", False, "2026-03-01T14:30:00+00:00"),
        ("2026-07-01T09:30", False, "2026-07-01T13:30:00+00:00"),
        ("2026-03-01", False, "2026-03-01T05:00:00+00:00"),
        ("2026-03-01", True, "2026-03-02T04:59:59.999999+00:00"),
        (" 2026-03-01 ", False, "2026-03-01T05:00:00+00:00"),
    ],
)
def test_text_without_a_zone_is_in_the_zone_of_the_user(
    monkeypatch: pytest.MonkeyPatch, text: str, end: bool, expected: str
) -> None:
    monkeypatch.setenv("ASTERISM_TIMEZONE", "America/New_York")
    assert aware(text, end=end) == datetime.fromisoformat(expected)


def test_without_a_zone_of_the_user_it_is_utc() -> None:
    assert aware("2026-03-01T09:30") == datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
    assert aware(date(2026, 3, 1)) == datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "value", ["soon", "", "2026-13-01", 5, None, datetime(2026, 3, 1), "9999-12-31T23:00-12:00"]
)
def test_what_is_no_time_is_refused_with_a_remedy(value: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^since=.*give ") as refusal:
        aware(value, "since")
    assert refusal.value.argument == "since"


def test_an_unknown_zone_of_the_user_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTERISM_TIMEZONE", "Mars/Olympus")
    with pytest.raises(InvalidInput, match=r"ASTERISM_TIMEZONE='Mars/Olympus'"):
        aware("2026-03-01")
