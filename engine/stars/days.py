"""Days as the graph counts them: whole UTC days since 1970."""

from datetime import UTC, date, datetime, time, timedelta

EPOCH = date(1970, 1, 1)


def number(moment: datetime | date) -> int:
    """The epoch day of a moment in UTC, or of a date."""
    if isinstance(moment, datetime):
        moment = moment.astimezone(UTC).date()
    return (moment - EPOCH).days


def of(day: int) -> date:
    """The date of an epoch day."""
    return EPOCH + timedelta(days=day)


def end(day: int) -> datetime:
    """The first moment after an epoch day."""
    return datetime.combine(of(day + 1), time(), UTC)
