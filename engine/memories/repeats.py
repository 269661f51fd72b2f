"""Compares a text that is remembered again with what is there: nothing it brings is dropped."""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.database import Row
from engine.memories.model import Rejected
from engine.memories.text import TextItem, digest, identity
from engine.recall import notes

FIELDS = ("category", "actor", "session", "speaker", "about", "at", "lasts")


def rejections(items: Sequence[TextItem], stored: dict[str, Row]) -> list[Rejected]:
    """Return the items that differ from the memory of their id, with what differs."""
    rejected = []
    for index, item in enumerate(items):
        id = identity(item)
        if reason := _refusal(item, stored[id]):
            rejected.append(Rejected(index=index, event_id=id, reason=reason))
    return rejected


def new_tags(items: Iterable[TextItem], stored: dict[str, Row], realm: str) -> list[Row]:
    """Return the tags that memories do not have yet, by id, as the database takes them."""
    added: dict[str, set[str]] = {}
    for item in items:
        id = identity(item)
        if more := set(item.tags) - set(stored[id]["tags"] or ()):
            added.setdefault(id, set()).update(more)
    return [
        {
            "id": id,
            "tags": sorted(tags),
            "marks": notes.marks(sorted(tags), None),
            "tag_keys": notes.tag_keys(realm, sorted(tags)),
        }
        for id, tags in sorted(added.items())
    ]


def _refusal(item: TextItem, stored: Row) -> str | None:
    id = identity(item)
    if digest(item.text) != stored["digest"]:
        return f"id {id!r} holds another text: forget it first, or give another id"
    for name in FIELDS:
        new, old = getattr(item, name), stored[name]
        if new not in (None, "") and new != old:
            return (
                f"{name}={_shown(new)}: id {id!r} is remembered with {name}={_shown(old)}: leave "
                f"{name} out, give another id, or forget {id!r} first"
            )
    return None


def _shown(value: Any) -> str:
    return repr(value.isoformat() if hasattr(value, "isoformat") else value or None)
