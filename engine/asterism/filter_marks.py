"""Marks of memories: words of the fulltext index by which a filter narrows inside the index.

A mark is a letter for its field and a digest of the value. A mark of metadata is `m`, a letter for
the type, a digest of the key, and digits that sort as the values do. A digest keeps the value apart
from the words of texts, and no stemming changes what ends in digits.
"""

import hashlib
import struct
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from asterism.metadata import Scalar, from_json
from asterism.validation import encodable

LETTERS = {"session": "s", "speaker": "p", "actor": "o", "category": "c", "about": "a"}
CUT = 240  # the index divides words of more than 255 characters
AFTER_DIGITS = "a"
SIGN = 1 << 63
MIDDLE = 5000  # a whole number below 2^63 is at most 512 away from the double next to it


class MarkRange(NamedTuple):
    """Marks from `low` up to, but without, `high`."""

    low: str
    high: str


def marks(
    *,
    tags: Iterable[str] = (),
    metadata: Mapping[str, Scalar] | None = None,
    **fields: Any,
) -> list[str]:
    """Return every mark of a memory with these tags, fields and metadata."""
    return [
        *map(tag_mark, tags),
        *(field_mark(name, fields[name]) for name in LETTERS if _is_set(name, fields.get(name))),
        *(value_mark(key, value) for key, value in sorted((metadata or {}).items())),
    ]


def stored_marks(properties: Mapping[str, Any]) -> list[str]:
    """Return every mark of a memory as it is stored. What is damaged has none."""
    tags = properties.get("tags")
    fields = {name: properties.get(name) for name in LETTERS}
    return marks(
        tags=filter(_is_text, tags if isinstance(tags, list) else ()),
        metadata=from_json(properties.get("metadata")),
        **{name: value for name, value in fields.items() if _is_text(value)},
    )


def tag_mark(tag: str) -> str:
    """Return the mark of a tag."""
    return "t" + _digest(tag)


def field_mark(name: str, value: str) -> str:
    """Return the mark of a session, speaker, actor, category or title."""
    return LETTERS[name] + _digest(value)


def value_mark(key: str, value: Scalar) -> str:
    """Return the mark of a key of metadata and its value. Equal values have equal marks."""
    return _prefix(key, value) + _digits(value)


def value_range(key: str, operator: str, value: Scalar) -> MarkRange:
    """Return the marks of the values that compare like this: eq, lt, le, gt or ge."""
    prefix, mark = _prefix(key, value), value_mark(key, value)
    beyond = mark + "000"  # above this value, and below every greater one
    low = {"ge": mark, "eq": mark, "gt": beyond}.get(operator, prefix)
    high = {"le": beyond, "eq": beyond, "lt": mark}.get(operator, prefix + AFTER_DIGITS)
    return MarkRange(low, high)


def day_token(at: datetime) -> str:
    """Return a day as a word that sorts by time."""
    return f"d{at:%Y%m%d}"


def _is_set(name: str, value: Any) -> bool:
    return value is not None and (value != "" or name == "session")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and encodable(value)


def _prefix(key: str, value: Scalar) -> str:
    kind = "b" if isinstance(value, bool) else "t" if isinstance(value, str) else "n"
    return f"m{kind}{_digest(key)}"


def _digits(value: Scalar) -> str:
    """Return digits that compare as the values of one type do."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, str):
        return "".join(f"{byte:03}" for byte in value.encode())
    number = float(value)
    [bits] = struct.unpack(">Q", struct.pack(">d", number + 0.0))  # -0.0 is 0.0
    ordered = SIGN | bits if bits < SIGN else 2 * SIGN - 1 - bits
    rest = value - int(number) if isinstance(value, int) else 0
    return f"{ordered:020}{MIDDLE + rest:04}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
