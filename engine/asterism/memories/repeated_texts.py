"""Compares a text that is remembered again with the stored one, so that nothing is dropped."""

from collections.abc import Iterable, Sequence
from typing import Any

from asterism import filter_marks, search_index
from asterism.database import Row
from asterism.memories.models import Rejected
from asterism.memories.text_items import TextItem, digest, identity
from asterism.metadata import to_json

ORIGIN = ("category", "actor", "session", "speaker", "about", "at")
FIELDS = (*ORIGIN, "lasts", "metadata", "valid_from", "valid_to")


def reject_conflicts(items: Sequence[TextItem], stored: dict[str, Row]) -> list[Rejected]:
    """Return the items that differ from the memory of their id, each with the first difference."""
    conflicts = ((index, item, _conflict(item, stored)) for index, item in enumerate(items))
    return [
        Rejected(index=index, event_id=identity(item), reason=reason)
        for index, item, reason in conflicts
        if reason
    ]


def new_tags(items: Iterable[TextItem], stored: dict[str, Row], realm: str) -> list[Row]:
    """Return the tags that memories do not have yet, as rows of memories/add_tags."""
    tags_by_id: dict[str, set[str]] = {}
    for item in items:
        id = identity(item)
        if tags := set(item.tags) - set(stored[id]["tags"] or ()):
            tags_by_id.setdefault(id, set()).update(tags)
    return [
        {
            "id": id,
            "tags": sorted(tags),
            "marks": filter_marks.marks(tags=sorted(tags)),
            "tag_keys": search_index.tag_keys(realm, sorted(tags)),
        }
        for id, tags in sorted(tags_by_id.items())
    ]


def _conflict(item: TextItem, stored: dict[str, Row]) -> str | None:
    id = identity(item)
    if digest(item.text) != stored[id]["digest"]:
        return (
            f"id {id!r} holds another text: memories.update gives it other words, memories.correct "
            "says what is true now in its place, and another id makes another memory"
        )
    for name in FIELDS:
        if name == "valid_to" and stored[id]["superseded_by"] is not None:
            continue  # the correction has ended it
        new, old = getattr(item, name), stored[id][name]
        new = to_json(new) if name == "metadata" else new
        if new not in (None, "") and new != old:
            return (
                f"{name}={_quoted(new)}: id {id!r} is remembered with {name}={_quoted(old)}: leave "
                f"{name} out, give another id, or forget {id!r} first"
            )
    return None


def _quoted(value: Any) -> str:
    return repr(value.isoformat() if hasattr(value, "isoformat") else value or None)
