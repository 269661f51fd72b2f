"""Metadata of memories: facts of the caller's own, by key, each a text, a number or a truth."""

import json
from collections.abc import Mapping
from typing import Any

from asterism.errors import InvalidInput
from asterism.validation import encodable, is_finite

Scalar = str | int | float | bool

MOST_KEYS = 50
LONGEST_KEY = 60
LONGEST_VALUE = 1000  # bytes of a text
WHOLE = 2**63  # whole numbers fit into eight bytes


def parse_metadata(value: Any) -> dict[str, Scalar]:
    """Return metadata as a dictionary, or refuse it by the name of what is wrong."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput("metadata", value, 'give a dictionary, such as {"source": "mail"}')
    if len(value) > MOST_KEYS:
        raise InvalidInput("metadata", f"{len(value)} keys", f"give at most {MOST_KEYS}")
    return {
        require_key(key, "metadata"): require_scalar(scalar, f"metadata.{key}")
        for key, scalar in value.items()
    }


def require_key(key: Any, argument: str) -> str:
    """Return a key of metadata, or refuse it."""
    if not isinstance(key, str) or not 1 <= len(key) <= LONGEST_KEY or not encodable(key):
        raise InvalidInput(argument, key, f"a key is a text of 1 to {LONGEST_KEY} characters")
    return key


def require_scalar(value: Any, argument: str) -> Scalar:
    """Return a text, a number or a truth, or refuse what is none of them."""
    if isinstance(value, str):
        _require_short(value, argument)
    elif isinstance(value, bool):
        pass
    elif isinstance(value, int):
        if not -WHOLE <= value < WHOLE:
            raise InvalidInput(argument, value, "give a whole number from -2^63 to 2^63 - 1")
    elif not isinstance(value, float) or not is_finite(value):
        raise InvalidInput(argument, value, "give a text, a finite number, or True or False")
    scalar: Scalar = value
    return scalar


def to_json(metadata: Mapping[str, Scalar]) -> str | None:
    """Return metadata as the text that a memory stores, its keys in order, or None if it is empty.

    The same metadata is always the same text.
    """
    return json.dumps(metadata, sort_keys=True, ensure_ascii=False) if metadata else None


def from_json(text: str | None) -> dict[str, Scalar]:
    """Return metadata from the text that a memory stores. Damaged text has none."""
    try:
        metadata = json.loads(text) if text else {}
    except (TypeError, ValueError, RecursionError):
        return {}
    if not isinstance(metadata, dict):
        return {}
    return {key: value for key, value in metadata.items() if _is_scalar(value)}


def _require_short(value: str, argument: str) -> None:
    if not encodable(value):
        raise InvalidInput(argument, value[:40], "it holds half a character: decode it anew")
    if len(value) > LONGEST_VALUE or len(value.encode()) > LONGEST_VALUE:
        remedy = f"a text of metadata has at most {LONGEST_VALUE:,} bytes: say more in the memory"
        raise InvalidInput(argument, value[:40] + "...", remedy)


def _is_scalar(value: Any) -> bool:
    try:
        return require_scalar(value, "metadata") is not None
    except InvalidInput:
        return False
