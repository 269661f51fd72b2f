"""Limits of the schema's indexes on the length of texts."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from asterism import statements

LARGEST_KEY = 8100  # bytes; the store refuses a little more than that
MOST_BYTES = 4  # of a character
_UNIQUE = re.compile(r"FOR \(?\)?-?[(\[]\w:(\w+)[)\]].*?REQUIRE \(([^)]*)\) IS UNIQUE", re.DOTALL)
_RANGE = re.compile(
    r"CREATE (?:RANGE )?INDEX \w+ IF NOT EXISTS\s+FOR \(\w:(\w+)\) ON \(([^)]*)\)", re.DOTALL
)


@cache
def indexed() -> dict[str, list[list[str]]]:
    """Return the properties of every index, except the realm, by label or type."""
    indexes: dict[str, list[list[str]]] = {}
    for name in statements.migrations():
        text = statements.load(name).text
        for label, properties in (*_UNIQUE.findall(text), *_RANGE.findall(text)):
            names = [part.strip().partition(".")[2] for part in properties.split(",")]
            indexes.setdefault(label, []).append([each for each in names if each != "realm"])
    return indexes


@cache
def _indexed_at_all(kind: str) -> frozenset[str]:
    """Return the properties of a label or type that any index has."""
    return frozenset(name for names in indexed().get(kind, ()) for name in names)


def _length(kind: str, properties: Mapping[str, Any]) -> int:
    """Return the characters of all texts that any index has."""
    values = (properties.get(name) for name in _indexed_at_all(kind))
    return sum(len(value) for value in values if isinstance(value, str))


def require_indexable(kind: str, properties: Mapping[str, Any], realm: str) -> None:
    """Refuse values that together are too long for one of the indexes they are in."""
    if not properties or _length(kind, properties) + len(realm) <= LARGEST_KEY // MOST_BYTES:
        return
    for names in indexed().get(kind, ()):
        texts = [value for name in names if isinstance(value := properties.get(name), str)]
        size = len(realm.encode()) + sum(len(text.encode()) for text in texts)
        if size > LARGEST_KEY:
            raise ValueError(
                f"{kind}.{' and '.join(names)} has {size} bytes, and an index holds {LARGEST_KEY}"
            )
