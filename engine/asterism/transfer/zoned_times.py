"""Check of times as the server writes them, without asking the server."""

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

_ZONED = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)T(?P<time>\d\d:\d\d(:\d\d(?P<part>\.\d{1,9})?)?)"
    r"(?P<offset>Z|[+-]\d\d:\d\d(:\d\d)?)(\[(?P<zone>[A-Za-z0-9_+\-/]{1,60})\])?",
    re.ASCII,
)
WIDEST = timedelta(hours=18)


def is_zoned_time(text: object) -> bool:
    """Tell whether this is a time with its zone that the server and Python both can hold."""
    match = _ZONED.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return False
    try:
        date.fromisoformat(match["date"])
        clock = match["time"].removesuffix(match["part"] or "")
        local = datetime.fromisoformat(f"{match['date']}T{clock}")
        offset = _offset(match["offset"])
        local - offset  # Python reads it as UTC as well
    except (ValueError, OverflowError):
        return False
    return abs(offset) <= WIDEST and _fits(match["zone"], local, offset)


def _offset(text: str) -> timedelta:
    if text == "Z":
        return timedelta()
    hours, minutes, *rest = (int(part) for part in text[1:].split(":"))
    seconds = rest[0] if rest else 0
    if minutes > 59 or seconds > 59:
        raise ValueError(text)
    size = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return -size if text[0] == "-" else size


def _fits(zone: str | None, local: datetime, offset: timedelta) -> bool:
    """Tell whether a zone has this time: any, where there is no time zone database."""
    if zone is None:
        return True
    try:
        place = ZoneInfo(zone)
    except (OSError, ValueError):
        return False
    except ZoneInfoNotFoundError:
        return not available_timezones()
    there = (local - offset).replace(tzinfo=UTC).astimezone(place)
    return there.replace(tzinfo=None, fold=0) == local
