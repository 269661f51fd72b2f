"""Filters of items: comparisons of values as conditions on the marks of an item.

A mark says what stands at a path of the value. Marks of texts and numbers sort as these do, so that
the database compares them by itself.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from asterism.database import Row
from asterism.errors import InvalidInput
from asterism.filter_marks import value_mark, value_range
from asterism.metadata import WHOLE
from asterism.validation import encodable, is_finite

ORDER = {"$gt": "gt", "$gte": "ge", "$lt": "lt", "$lte": "le"}
OPERATORS = ("$eq", "$ne", *ORDER)
SORTABLE = 200  # bytes of a text that is compared by its order; equality knows longer ones

Path = tuple[str, ...]


class Comparisons:
    """Comparisons of a filter as parameters of a statement: an item has to meet all of them."""

    def __init__(self, filter: Mapping[str, Any] | None) -> None:
        self._one_of: list[list[str]] = []
        self._none_of: list[str] = []
        self._within: list[list[str]] = []
        if filter is not None and not isinstance(filter, Mapping):
            raise InvalidInput("filter", filter, 'give a dictionary, such as {"kind": "note"}')
        for key, expected in (filter or {}).items():
            self._add((str(key),), expected)

    @property
    def parameter(self) -> Row:
        return {"one_of": self._one_of, "none_of": self._none_of, "within": self._within}

    @property
    def empty(self) -> bool:
        return not (self._one_of or self._none_of or self._within)

    def _add(self, path: Path, expected: Any) -> None:
        if not isinstance(expected, Mapping):
            self._compare(path, "$eq", expected)
        elif any(str(name).startswith("$") for name in expected):
            for operator, value in expected.items():
                self._compare(path, operator, value)
        else:
            self._one_of.append([_kind_mark(path)])
            for key, value in expected.items():
                self._add((*path, str(key)), value)

    def _compare(self, path: Path, operator: str, value: Any) -> None:
        place = f"filter.{'.'.join(path)}"
        if operator not in OPERATORS:
            raise InvalidInput(place, operator, f"compare by one of {', '.join(OPERATORS)}")
        if operator in ORDER:
            self._within.append(_range(path, ORDER[operator], value, place))
        elif value is None:  # which is the same as a field that is not there
            present = _present_mark(path)
            self._require(operator, [present], equal=operator == "$ne")
        else:
            self._require(operator, [_mark(path, value)], equal=operator == "$eq")

    def _require(self, operator: str, marks: list[str], *, equal: bool) -> None:
        if equal:
            self._one_of.append(marks)
        else:
            self._none_of.extend(marks)


def value_marks(value: Mapping[str, Any]) -> list[str]:
    """Return the marks of a value, field by field."""
    return list(dict.fromkeys(mark for key in value for mark in _marks((str(key),), value[key])))


def _marks(path: Path, value: Any) -> Iterator[str]:
    if value is None:
        return
    yield _present_mark(path)
    yield _mark(path, value)
    if isinstance(value, Mapping):
        yield _kind_mark(path)
        for key, item in value.items():
            yield from _marks((*path, str(key)), item)


def _mark(path: Path, value: Any) -> str:
    """Return the mark of a value at a path. Equal values have equal marks."""
    if _is_sortable(value):
        return value_mark(_name(path), value)
    return "e" + _digest([_name(path), _plain(value)])


def _range(path: Path, operator: str, value: Any, place: str) -> list[str]:
    if isinstance(value, bool) or not _is_sortable(value):
        remedy = f"an order needs a finite number, or a text of at most {SORTABLE} bytes"
        raise InvalidInput(place, value, remedy)
    return list(value_range(_name(path), operator, value))


def _is_sortable(value: Any) -> bool:
    if isinstance(value, str):
        return encodable(value) and len(value.encode()) <= SORTABLE
    if isinstance(value, int):
        return -WHOLE <= value < WHOLE
    return isinstance(value, float) and is_finite(value)


def _present_mark(path: Path) -> str:
    return "p" + _digest(_name(path))


def _kind_mark(path: Path) -> str:
    return "d" + _digest(_name(path))


def _name(path: Path) -> str:
    return json.dumps(path)


def _plain(value: Any) -> Any:
    """Return a value in which tuples are lists, as in JSON."""
    return json.loads(json.dumps(value, default=str))


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
