"""Limits of the schema's indexes on the length of texts."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from asterism import statements

LARGEST_KEY = 8100  # bytes; the store refuses a little more than that
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


def require_indexable(kind: str, properties: Mapping[str, Any], realm: str) -> None:
    """Refuse values that together are too long for one of the indexes they are in."""
    for names in indexed().get(kind, ()) if properties else ():
        texts = [value for name in names if isinstance(value := properties.get(name), str)]
        size = len(realm.encode()) + sum(len(text.encode()) for text in texts)
        if size > LARGEST_KEY:
            raise ValueError(
                f"{kind}.{' and '.join(names)} has {size} bytes, and an index holds {LARGEST_KEY}"
            )
