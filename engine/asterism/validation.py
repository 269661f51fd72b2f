"""Checks of arguments that several parts share, each refusing by InvalidInput."""

import math
import sys
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from asterism.errors import InvalidInput
from asterism.text.languages import CODES

LONGEST_QUESTION = 10_000  # letters; the rest is left out
LARGEST_WHOLE = 2**31 - 1  # the largest LIMIT that every server takes
HALF_CHARACTER = "it holds half a character: decode it anew"

M = TypeVar("M", bound=BaseModel)


def refusal(error: ValidationError, place: str = "", unnamed: str = "item") -> InvalidInput:
    """Return the first thing a model refuses as an error that names it, `place` before its name."""
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"]) or unnamed
    return InvalidInput(place + name, first["input"], first["msg"].removeprefix("Value error, "))


def parse_model(model: type[M], value: M | Mapping[str, Any] | Any, place: str = "") -> M:
    """Return a value as an instance of a model, or refuse it."""
    try:
        return value if isinstance(value, model) else model.model_validate(value)
    except ValidationError as error:
        raise refusal(error, place) from error


def is_whole(value: Any, low: float = -math.inf, high: float = math.inf) -> bool:
    """Tell whether this is a whole number in a range, True and False being none."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def is_finite(value: Any, low: float = -math.inf, high: float = math.inf) -> bool:
    """Tell whether this is a finite number in a range, True and False being none."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and abs(value) <= sys.float_info.max and low <= value <= high


def encodable(text: str) -> bool:
    """Tell whether a text has whole characters only, no half of a surrogate pair."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def parse_question(query: str) -> str:
    """Return a question in single spaces, cut if it is long, or refuse it."""
    if not isinstance(query, str) or not query.strip():
        raise InvalidInput("query", query, "ask in a few words")
    if not encodable(query):
        raise InvalidInput("query", query, "it holds half a character: decode it anew")
    return " ".join(query[:LONGEST_QUESTION].split())


def require_whole(
    argument: str, value: Any, low: int = 1, high: int = LARGEST_WHOLE, remedy: str = ""
) -> int:
    """Return a whole number in a range, such as a limit, or refuse it."""
    if not is_whole(value, low, high):
        raise InvalidInput(argument, value, remedy or f"give a whole number from {low} to {high:,}")
    return int(value)


def require_finite(
    argument: str,
    value: Any,
    low: float = -math.inf,
    high: float = math.inf,
    remedy: str = "",
) -> float:
    """Return a finite number in a range, or refuse it."""
    if not is_finite(value, low, high):
        start = "" if low == -math.inf else f" from {low:g}"
        end = "" if high == math.inf else f" to {high:g}"
        raise InvalidInput(argument, value, remedy or f"give a finite number{start}{end}")
    return float(value)


def require_text(argument: str, value: Any, remedy: str = "give a text that is not empty") -> str:
    """Return a text that has more than spaces and can be stored, or refuse it."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(argument, value, remedy)
    require_encodable(argument, value)
    return value


def require_encodable(argument: str, text: str, remedy: str = HALF_CHARACTER) -> None:
    """Refuse a text that no database can hold."""
    if not encodable(text):
        raise InvalidInput(argument, text, remedy)


def require_flag(argument: str, value: Any, remedy: str = "say True or False") -> bool:
    """Return True or False, or refuse what is neither."""
    if not isinstance(value, bool):
        raise InvalidInput(argument, value, remedy)
    return value


def parse_language(value: Any) -> str | None:
    """Return the code of a language, of `de-AT` its first part, or refuse what is none."""
    if value is None or value == "":
        return None
    code = str(value).lower().replace("_", "-").split("-")[0]
    if code not in CODES:
        raise InvalidInput("language", value, f"give one of {', '.join(CODES)}, or none")
    return code
