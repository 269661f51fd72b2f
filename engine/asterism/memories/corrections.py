"""Corrects memories: what is true now supersedes what was, which stays as history."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from asterism.active_hours import ActiveHours
from asterism.clock import Moment, aware
from asterism.database import Database, Row, Transaction
from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.memories import repeated_texts, text_items
from asterism.memories.digests import digest_of
from asterism.memories.item_checks import require_key
from asterism.memories.text_writer import TextWriter, write_texts
from asterism.memories.writer_queue import LockedTexts, change_memory, lock_to_change
from asterism.metadata import from_json
from asterism.validation import require_text

INHERITED = ("tags", "category", "actor", "speaker", "about")


class Corrections:
    """Writes and takes back that one text supersedes another."""

    def __init__(self, database: Database, hours: ActiveHours, writer: TextWriter) -> None:
        self._database = database
        self._hours = hours
        self._writer = writer

    async def correct(self, old: str, text: str, reason: str | None, fields: Row) -> str:
        """Remember a text that supersedes the latest version of a memory, and return its id."""
        require_key("old", old)
        require_text("text", text, "give the words that are true now")
        _check_reason(reason)
        longest = self._database.settings.memories.text_bytes
        text_items.parse({"text": text} | fields, longest)  # before anything is written
        work = partial(
            self._correct,
            old=old,
            text=text,
            reason=reason,
            fields=fields,
            active=await self._hours.reading(),
        )
        return str(await change_memory(self._database, old, work, "memories/correct"))

    async def supersede(self, old: str, new: str, at: Moment | None, reason: str | None) -> None:
        """Make one memory the successor of another."""
        require_key("old", old)
        require_key("new", new)
        _check_reason(reason)
        if old == new:
            raise InvalidInput("new", new, "a memory does not supersede itself: name another one")
        since = None if at is None else aware(at)
        work = partial(_supersede, old=old, new=new, at=since, reason=reason)
        await change_memory(self._database, old, work, "memories/supersede")

    async def unsupersede(self, old: str) -> None:
        """Take back that a memory was superseded."""
        require_key("old", old)
        work = partial(_unsupersede, old=old)
        await change_memory(self._database, old, work, "memories/unsupersede")

    async def _correct(
        self, tx: Transaction, old: str, text: str, reason: str | None, fields: Row, active: int
    ) -> str:
        """Run one transaction: find the latest version under the lock, write, and join them."""
        session = fields.get("session")
        turn = await lock_to_change(tx, [old], session)
        former, latest = require_text_memory(turn, old, "old"), turn["latest"]
        new: str = fields.get("id") or _correction_id(old, text, fields)
        if new in former["successors"]:
            return new
        for head in former["successors"][-1:]:
            turn = await lock_to_change(tx, [head], session)
            former = require_text_memory(turn, head, "old")
        longest = self._database.settings.memories.text_bytes
        item = text_items.parse(_inherited(former) | fields | {"text": text, "id": new}, longest)
        places = sorted({former["id"], new, latest} - {None})
        await tx.rows("memories/lock_texts", ids=places, leaving=[], arriving=[])
        stored = await write_texts(tx, [self._writer.node(item, active)])
        for rejected in repeated_texts.reject_conflicts([item], {new: stored[0]}):
            raise Conflict(rejected.reason)
        await _supersede(tx, former["id"], new, item.valid_from, reason)
        return new


async def _supersede(
    tx: Transaction, old: str, new: str, at: datetime | None, reason: str | None
) -> None:
    """Run one transaction: read both memories under the lock, and join them."""
    turn = await lock_to_change(tx, [old, new])
    former, successor = require_text_memory(turn, old, "old"), require_text_memory(turn, new, "new")
    if new in former["successors"]:
        return
    if former["superseded_by"] is not None:
        raise Conflict(
            f"{old!r} is superseded by {former['superseded_by']!r} already: supersede "
            f"{former['successors'][-1]!r}, or take it back with memories.unsupersede({old!r})"
        )
    if old in successor["successors"]:
        raise InvalidInput(
            "new", new, f"{old!r} supersedes it: take that back with memories.unsupersede first"
        )
    since = at or successor["valid_from"]
    since = since or max(former["first_seen"], successor["first_seen"])
    await tx.rows("memories/lock_texts", ids=sorted([old, new]), leaving=[], arriving=[])
    # Equal times in zones of other names are not equal in Cypher: all are in UTC.
    since = since.astimezone(UTC)
    await tx.rows("memories/supersede", old=old, new=new, at=since, reason=reason)


async def _unsupersede(tx: Transaction, old: str) -> None:
    turn = await lock_to_change(tx, [old])
    former = require_text_memory(turn, old, "old")
    if former["superseded_by"] is not None:
        ids = sorted([old, former["superseded_by"]])
        await tx.rows("memories/lock_texts", ids=ids, leaving=[], arriving=[])
        await tx.rows("memories/unsupersede", ids=[old])


def require_text_memory(turn: LockedTexts, id: str, argument: str) -> Row:
    """Return the fields of a text, or refuse what is no text."""
    fields = next((memory for memory in turn["memories"] if memory["id"] == id), None)
    if fields is None:
        raise NotFound("memory", id)
    if fields["kind"] != "text":
        remedy = "it is a price level, which follows from evidence: report that by memories.observe"
        raise InvalidInput(argument, id, remedy)
    if fields["stored_as"] is not None:
        remedy = f"it is a text of the stored item {fields['stored_as']!r}: put that item again"
        raise InvalidInput(argument, id, remedy)
    return {"superseded_by": None, "valid_from": None} | dict(fields)


def _inherited(former: Mapping[str, Any]) -> Row:
    """Return the fields that a correction takes over."""
    fields = {name: former.get(name) for name in INHERITED if former.get(name) is not None}
    return fields | {"lasts": former["tier"], "metadata": from_json(former.get("metadata"))}


def _correction_id(old: str, text: str, fields: Row) -> str:
    """Return an id that is the same for the same correction of the same memory."""
    own = (fields.get(name) for name in ("about", "speaker", "session", "at", "valid_from"))
    return digest_of("correction", old, text.strip().lower(), *own)


def _check_reason(reason: str | None) -> None:
    if reason is not None:
        require_text("reason", reason, "give the reason in words, or none")
