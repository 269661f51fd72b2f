"""Refuses bad input by name, before anything is written."""

import math
import sys
import unicodedata
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from engine.clock import Moment, aware
from engine.errors import InvalidInput

Word = TypeVar("Word", bound=StrEnum)
LONGEST_ID = 200
LONGEST_TEXT = 1000
MOST_ROWS = 2**31 - 1
CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})  # control characters, surrogates, line separators


def identifier(argument: str, value: Any) -> str:
    """An id: some printable characters, and no bar, which joins the ids of a pair."""
    fine = isinstance(value, str) and 0 < len(value) <= LONGEST_ID and value.isprintable()
    if not fine or "|" in value:
        remedy = f"an id is 1 to {LONGEST_ID} printable characters without |"
        raise InvalidInput(argument, value, remedy)
    return str(value)


def text(argument: str, value: Any) -> str:
    """Return a text of one line that is not empty, or refuse it."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(argument, value, "give a text that is not empty")
    if len(value) > LONGEST_TEXT:
        remedy = f"it has {len(value)} characters: give at most {LONGEST_TEXT}"
        raise InvalidInput(argument, value, remedy)
    if any(unicodedata.category(character) in CONTROLS for character in value):
        remedy = "give one line without control characters or halves of surrogate pairs"
        raise InvalidInput(argument, value, remedy)
    return value


def word(argument: str, value: Any, words: type[Word]) -> Word:
    """Return one of a few words, typed in any case, or refuse it."""
    typed = value.strip().casefold() if isinstance(value, str) else None
    for known in words:
        if known.casefold() == typed:
            return known
    raise InvalidInput(argument, value, f"choose one of {', '.join(words)}")


def number(argument: str, value: Any, low: float, high: float = math.inf) -> float:
    """A finite number in a range."""
    fine = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not fine or not abs(value) <= sys.float_info.max or not low <= value <= high:
        top = "" if high == math.inf else f" to {high:g}"
        raise InvalidInput(argument, value, f"give a finite number from {low:g}{top}")
    return float(value)


def total(argument: str, values: Any) -> float:
    """Return the sum of changes of brightness, each from 0 to 1."""
    if isinstance(values, (int, float)):
        values = [values]
    if not isinstance(values, Iterable) or isinstance(values, (str, bytes)):
        raise InvalidInput(argument, values, "give a list of numbers")
    return math.fsum(number(argument, value, 0.0, 1.0) for value in values)


def whole(argument: str, value: Any, low: int = 1) -> int:
    """Return a whole number that a server can count to, or refuse it."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= MOST_ROWS:
        raise InvalidInput(argument, value, f"give a whole number from {low} to {MOST_ROWS}")
    return value


def moment(argument: str, value: Moment | None, now: datetime) -> datetime:
    """A time that is not in the future; none: now."""
    if value is None:
        return now
    at = aware(value, argument)
    if at > now:
        remedy = f"it lies in the future: the graph's clock says {now.isoformat()}"
        raise InvalidInput(argument, value, remedy)
    return at


def pair(a: Any, b: Any) -> tuple[str, str]:
    """Two different ids, the lower one first."""
    first, second = identifier("a", a), identifier("b", b)
    if first == second:
        raise InvalidInput("b", b, "a star is not connected with itself: name another one")
    return (first, second) if first < second else (second, first)
