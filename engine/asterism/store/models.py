"""Items of a store: what is written, and what is read."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from asterism.database import Row
from asterism.errors import InvalidInput
from asterism.row_types import row_of
from asterism.store.filters import value_marks
from asterism.validation import encodable, is_finite

END = "\x1f"  # of a label, so that one namespace is a prefix of another only by whole labels
LONGEST_NAME = 1000  # bytes of a namespace, or of a key
MOST_LABELS = 40
LONGEST_VALUE = 1 << 20
CATEGORY = "item"  # of its texts
MINUTE_LIMIT = 60 * 24 * 366 * 100

Namespace = tuple[str, ...]


@dataclass(frozen=True)
class Put:
    """An item to write. Each of its texts is a memory by which it is found."""

    namespace: Namespace
    key: str
    value: dict[str, Any]
    texts: Sequence[str] = ()
    ttl_minutes: float | None = None

    def __post_init__(self) -> None:
        """Refuse what can't be stored, before anything is written."""
        require_namespace(self.namespace)
        _require_name("key", self.key)
        if self.ttl_minutes is not None and not is_finite(self.ttl_minutes, 0, MINUTE_LIMIT):
            raise InvalidInput("ttl", self.ttl_minutes, "give minutes, more than 0")

    @property
    def id(self) -> str:
        return item_id(self.namespace, self.key)

    @property
    def text_rows(self) -> list[Row]:
        """The memories of its texts, each under an id that goes with item and words."""
        labels = {f"store_{depth}": label for depth, label in enumerate(self.namespace, 1)}
        return [
            {
                "id": f"{self.id}:{_digest(text)[:12]}",
                "text": text,
                "category": CATEGORY,
                "metadata": labels,
            }
            for text in dict.fromkeys(self.texts)
            if text.strip()
        ]

    def properties(self, created_at: datetime, now: datetime) -> Row:
        """Return the properties of its node."""
        ttl = self.ttl_minutes
        return {
            "namespace": joined(self.namespace),
            "key": self.key,
            "caption": f"{' / '.join(self.namespace)}: {self.key}",
            "value": to_json(self),
            "marks": value_marks(self.value),
            "created_at": created_at,
            "updated_at": now,
            "ttl_minutes": None if ttl is None else float(ttl),
            "expires_at": None if ttl is None else now + timedelta(minutes=ttl),
        }


@dataclass(frozen=True)
class Deletion:
    """An item to delete with its texts."""

    namespace: Namespace
    key: str

    @property
    def id(self) -> str:
        return item_id(self.namespace, self.key)


@row_of("store/read", "store/search")
class Stored(NamedTuple):
    """Row of store/read: an item as it is stored."""

    id: str
    namespace: str
    key: str
    value: str
    created_at: datetime
    updated_at: datetime
    ttl_minutes: float | None

    @property
    def labels(self) -> Namespace:
        return tuple(self.namespace.split(END)[:-1])

    @property
    def content(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.value)
        return content


@row_of("store/find_by_texts")
class StoredText(NamedTuple):
    """Row of store/find_by_texts: an item by one of its texts."""

    text_id: str
    id: str
    namespace: str
    key: str
    value: str
    created_at: datetime
    updated_at: datetime
    ttl_minutes: float | None

    @property
    def item(self) -> Stored:
        return Stored(*self[1:])


@row_of("store/lock_items")
class LockedItem(NamedTuple):
    """Row of store/lock_items: what is there of an item that will be written."""

    id: str
    created_at: datetime
    text_ids: list[str]


def item_id(namespace: Namespace, key: str) -> str:
    """Return the id of an item, which goes with its name."""
    return "item:" + _digest(joined(namespace) + END + key)[:24]


def joined(namespace: Namespace) -> str:
    """Return a namespace as it is stored."""
    return "".join(label + END for label in namespace)


def require_namespace(namespace: Namespace) -> None:
    """Refuse a namespace that can't be stored."""
    if not namespace or len(namespace) > MOST_LABELS:
        raise InvalidInput("namespace", namespace, f"give 1 to {MOST_LABELS} labels")
    for label in namespace:
        _require_name("namespace", label)
    if len(joined(namespace).encode()) > LONGEST_NAME:
        remedy = f"its labels have at most {LONGEST_NAME} bytes together"
        raise InvalidInput("namespace", namespace[0][:40] + "...", remedy)


def _require_name(name: str, value: Any) -> None:
    if not isinstance(value, str) or not value or END in value or not encodable(value):
        raise InvalidInput(name, value, "give a text that is not empty, without control characters")
    if len(value.encode()) > LONGEST_NAME:
        raise InvalidInput(name, value[:40] + "...", f"give at most {LONGEST_NAME} bytes")


def to_json(put: Put) -> str:
    """Return the value as JSON, or refuse it by the name of the item."""
    name = f"value of {put.key!r}"
    try:
        text = json.dumps(put.value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        remedy = f"it can't be stored as JSON ({error}): give texts, numbers, lists, dictionaries"
        raise InvalidInput(name, repr(put.value)[:60], remedy) from error
    if not encodable(text) or len(text.encode()) > LONGEST_VALUE:
        remedy = f"give text that can be encoded, at most {LONGEST_VALUE:,} bytes as JSON"
        raise InvalidInput(name, text[:40], remedy)
    return text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
