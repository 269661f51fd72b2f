"""Checks of keys, and of the event id, time and sequence of evidence of every kind."""

from datetime import UTC, datetime
from typing import Any

from asterism.errors import InvalidInput
from asterism.message_text import excerpt
from asterism.timestamps import EPOCH

MOST_BYTES = 1000  # of an id, a symbol, a run or a source: an index takes no more
MOST_COUNT = 2**53  # doubles count exactly up to here


def identity_problem(item: Any) -> str | None:
    """Return the first fault of an item's event id, time and sequence."""
    if item.ts.tzinfo is None:
        return "ts: give an aware datetime"
    if item.ts < EPOCH or not _fits_utc(item.ts):
        return f"ts: a time from 1970 to 9999, not {item.ts}"
    if item.sequence is not None and not 0 <= item.sequence <= MOST_COUNT:
        return f"sequence: a whole number from 0 to 2^53, not {excerpt(item.sequence)}"
    return text_problem("event_id", item.event_id)


def text_problem(name: str, text: str) -> str | None:
    """Return the fault of a text that becomes part of a key: empty, half a character, too long."""
    if not text.strip():
        return f"{name}: must not be empty"
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        return f"{name}: it holds half a character, {excerpt(text)}: decode it anew"
    return f"{name}: at most {MOST_BYTES} bytes, not {size}" if size > MOST_BYTES else None


def require_key(argument: str, value: Any) -> None:
    """Refuse an argument that can't be a key of the graph."""
    if not isinstance(value, str) or text_problem(argument, value):
        raise InvalidInput(argument, value, "give a text of at most 1000 bytes that is not empty")


def _fits_utc(at: datetime) -> bool:
    try:
        return at.astimezone(UTC) is not None
    except OverflowError:
        return False
