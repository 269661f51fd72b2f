"""Times as the graph stores them: whole microseconds, and whole UTC days, since 1970."""

from datetime import UTC, date, datetime, time, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def to_micros(at: datetime) -> int:
    """Return a time as whole microseconds since 1970, exactly."""
    return (at - EPOCH) // MICROSECOND


def from_micros(microseconds: int) -> datetime:
    """Return the time that many microseconds after 1970."""
    return EPOCH + timedelta(microseconds=microseconds)


def epoch_day(at: datetime | date) -> int:
    """Return the whole UTC days since 1970 at a time, or of a date."""
    if isinstance(at, datetime):
        at = at.astimezone(UTC).date()
    return (at - EPOCH.date()).days


def date_of_day(day: int) -> date:
    """Return the date of an epoch day."""
    return EPOCH.date() + timedelta(days=day)


def long_date(at: datetime) -> str:
    """Return the date of a time in words: 3 May 2026."""
    return f"{at.day} {at:%B %Y}"


def day_end(day: int) -> datetime:
    """Return the first moment after an epoch day."""
    return datetime.combine(date_of_day(day + 1), time(), UTC)
