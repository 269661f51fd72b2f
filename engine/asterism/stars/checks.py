"""Checks of arguments: bad values are refused by name, before anything is written."""

import math
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Any, TypeVar

from pydantic import ValidationError

from asterism.clock import Moment, aware
from asterism.errors import InvalidInput
from asterism.stars.models import EvidenceItem, Pair
from asterism.timestamps import date_of_day, epoch_day
from asterism.validation import LARGEST_WHOLE, require_finite, require_whole

Word = TypeVar("Word", bound=StrEnum)
LONGEST_ID = 200
LONGEST_TEXT = 1000
MOST_ALIASES = 50
ITEM = "an EvidenceItem, or a dict with a, b, type and source"
CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})  # control characters, surrogates, line separators


def identifier(argument: str, value: Any) -> str:
    """Return an id of printable characters without the bar that joins a pair, or refuse it."""
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


def words(name: Any, aliases: Any, description: Any) -> dict[str, Any]:
    """Return name, aliases and description as properties of a star, those that are not None."""
    properties: dict[str, Any] = {}
    if name is not None:
        properties["name"] = text("name", name)
    if aliases is not None:
        if isinstance(aliases, (str, bytes)) or not isinstance(aliases, Iterable):
            raise InvalidInput("aliases", aliases, "give a list of names, such as ['swimming']")
        names = [text("aliases", alias) for alias in aliases]
        if len(names) > MOST_ALIASES:
            raise InvalidInput("aliases", len(names), f"give at most {MOST_ALIASES}")
        properties["aliases"] = list(dict.fromkeys(names))
    if description is not None:
        properties["content"] = None if description == "" else text("description", description)
    return properties


def word(argument: str, value: Any, words: type[Word]) -> Word:
    """Return one of a few words, typed in any case, or refuse it."""
    typed = value.strip().casefold() if isinstance(value, str) else None
    for choice in words:
        if choice.casefold() == typed:
            return choice
    raise InvalidInput(argument, value, f"choose one of {', '.join(words)}")


def total(argument: str, values: Any) -> float:
    """Return the sum of changes of brightness, each from 0 to 1."""
    if isinstance(values, (int, float)):
        values = [values]
    if not isinstance(values, Iterable) or isinstance(values, (str, bytes)):
        raise InvalidInput(argument, values, "give a list of numbers")
    return math.fsum(require_finite(argument, value, 0.0, 1.0) for value in values)


def whole(argument: str, value: Any) -> int:
    """Return a positive whole number that a server can count to, or refuse it."""
    remedy = f"give a whole number from 1 to {LARGEST_WHOLE}"
    return require_whole(argument, value, remedy=remedy)


def moment(argument: str, value: Moment | None, now: datetime) -> datetime:
    """Return a time that is not in the future (None is now), or refuse it."""
    if value is None:
        return now
    at = aware(value, argument)
    if at > now:
        remedy = f"it lies in the future: the graph's clock says {now.isoformat()}"
        raise InvalidInput(argument, value, remedy)
    return at


def pair(a: Any, b: Any) -> Pair:
    """Return two different ids, the lower one first, or refuse them."""
    first, second = identifier("a", a), identifier("b", b)
    if first == second:
        raise InvalidInput("b", b, "a star is not connected with itself: name another one")
    return (first, second) if first < second else (second, first)


def day(value: Any) -> int:
    """Return the epoch day of a date, or refuse it."""
    if not isinstance(value, date):
        raise InvalidInput("day", value, "give a date")
    return epoch_day(value)


def past_day(value: Any, now: datetime) -> int:
    """Return the epoch day of a date that is not in the future, or refuse it."""
    if isinstance(value, datetime) and value.tzinfo is None:
        raise InvalidInput("day", value, "give a date, or an aware datetime")
    chosen, today = day(value), epoch_day(now)
    if chosen > today:
        raise InvalidInput("day", value, f"it has not come yet: today is {date_of_day(today)}")
    return chosen


def evidence_item(value: Any, place: str = "") -> EvidenceItem:
    """Return a piece of evidence from an item or a mapping, named by its `place` in a list."""
    if isinstance(value, EvidenceItem):
        return value
    if not isinstance(value, Mapping):
        raise InvalidInput(place or "item", value, f"give {ITEM}")
    try:
        return EvidenceItem.model_validate(dict(value))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join([place, *map(str, first["loc"])]).lstrip(".")
        remedy = first["msg"]
        if first["type"] == "extra_forbidden":
            remedy = f"there is no such field: choose among {', '.join(EvidenceItem.model_fields)}"
        raise InvalidInput(name, first["input"], remedy) from error
