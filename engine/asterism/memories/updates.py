"""Updates of texts: the same memory with another content, and what it was kept as evidence."""

import json
import math
import time
import uuid
from functools import partial
from typing import Any, NamedTuple

from asterism import search_index
from asterism.active_hours import ActiveHours
from asterism.database import Database, Row, Transaction
from asterism.memories import event_ids, text_items
from asterism.memories.corrections import require_text_memory
from asterism.memories.forgetting import VectorFiles, reopen_repeats, repetition_ids
from asterism.memories.item_checks import require_key
from asterism.memories.text_items import HOUR_SECONDS
from asterism.memories.writer_queue import change_memory, lock_to_change
from asterism.metadata import from_json
from asterism.realm_names import realm_key
from asterism.row_types import row_of
from asterism.text.languages import detect
from asterism.timestamps import to_micros
from asterism.validation import require_text

CONTENT = ("text", "tags", "category", "about", "speaker", "metadata")
STORED = (
    *CONTENT,
    "digest",
    "passage",
    "subject",
    "marks",
    "indexed_words",
    "caption",
    "language",
    "words",
    "word_count",
)
WAITING = ("text", "tags", "category", "about", "speaker")  # consolidation compares them
INDEXED: Row = {"about": None, "speaker": None, "indexed_words": None, "language": None}
KIND, SOURCE = "update", "user"


@row_of("memories/update")
class Updated(NamedTuple):
    """Outcome of an update: edges removed, whether it was consolidated, memories forgotten."""

    edges: int
    consolidated: bool
    forgotten: int


class Updates:
    """Gives texts another content, in one transaction each."""

    def __init__(self, database: Database, hours: ActiveHours, files: VectorFiles) -> None:
        self._database = database
        self._settings = database.settings.memories
        self._hours = hours
        self._files = files

    async def update(self, id: str, fields: Row) -> bool:
        """Change fields of a text, or return False if it has this content already."""
        require_key("id", id)
        if "text" in fields:
            require_text("text", fields["text"], "give the new words, or forget the memory")
        text_items.parse({"text": "-"} | fields, self._settings.text_bytes)  # before any write
        work = partial(self._update, id=id, fields=fields, active=await self._hours.reading())
        changed = await change_memory(self._database, id, work, "memories/update")
        if changed is None:
            return False
        result, token = changed
        if token is not None and result.consolidated:
            await self._files.erase([id], token, range(result.forgotten, result.forgotten + 1))
        return True

    async def _update(
        self, tx: Transaction, id: str, fields: Row, active: int
    ) -> tuple[Updated, str | None] | None:
        """Run one transaction: lock, take out of the search index, change, index again.

        Returns its outcome and the token of the consolidated vectors, or None without a change.
        """
        turn = await lock_to_change(tx, [id])
        memory = require_text_memory(turn, id, "id")
        properties = self._new_properties(memory, fields)
        changed = {name for name, value in properties.items() if value != memory.get(name)}
        lasts = fields.get("lasts", memory["tier"])
        if not changed and lasts == memory["tier"]:
            return None
        reworded, repeated = "passage" in changed, memory["state"] == "duplicate"
        repeats = memory["repeats"] if reworded else []
        arriving = [*repeats, *([id] if repeated else [])]
        ids = sorted({id, *repeats})
        await tx.rows("memories/lock_texts", ids=ids, leaving=[id], arriving=arriving)
        if memory.get("indexed") and reworded:
            await search_index.remove_texts(tx, [INDEXED | memory], stays=True)
        waits = repeated or bool(changed & {*WAITING})
        state: Row = {"waits": waits, "reworded": reworded, "lasts": lasts, "active": active}
        result = await self._write(tx, memory, properties, **state)
        new = {"id": id, "session": memory.get("session")} | properties
        if repeated:
            await search_index.add(tx, [new])
        elif memory.get("indexed") and reworded:
            await search_index.add(tx, [new | {"session": None}])
        if repeats:
            await reopen_repeats(tx, repeats)
        return result, turn["token"]

    async def _write(
        self,
        tx: Transaction,
        memory: Row,
        properties: Row,
        *,
        waits: bool,
        reworded: bool,
        lasts: str,
        active: int,
    ) -> Updated:
        """Write the new properties of a memory, and what it was as evidence."""
        id, now, key = memory["id"], self._database.clock.now(), realm_key(tx.database.realm)
        row = await tx.one(
            "memories/update",
            id=id,
            properties=properties
            | {"tier": lasts, "edited_at": now}
            | self._keys(tx, properties)
            | ({"indexed": True, "realm_key": key} if memory.get("indexed") else {}),
            waits=waits,
            reworded=reworded,
            rate=None if lasts == memory["tier"] else self._rate(lasts),
            wall=to_micros(now),
            active=active,
            arrival=time.time_ns(),
            realm_key=key,
            evidence=self._evidence(id, memory, to_micros(now)),
            repetition_id=repetition_ids([id])[0],
        )
        return Updated(**row)

    def _new_properties(self, memory: Row, fields: Row) -> Row:
        """Return the properties that hold its content and what follows from that."""
        content = {name: memory.get(name) for name in CONTENT if memory.get(name) is not None}
        content |= {"metadata": from_json(memory.get("metadata"))}
        content |= {name: memory.get(name) for name in ("actor", "session")}
        content |= {name: value for name, value in fields.items() if name in CONTENT}
        content |= {name: None for name in ("about", "speaker") if content.get(name) == ""}
        item = text_items.parse(content, self._settings.text_bytes)
        item = item.model_copy(update={"language": self._language(item.text, memory, fields)})
        if self._is_dated(memory):
            item = item.model_copy(update={"at": memory["first_seen"]})
        row = text_items.row(item, self._settings, memory["first_seen"], 0, "")
        return {name: row["properties"][name] for name in STORED}

    def _language(self, text: str, memory: Row, fields: Row) -> str:
        """Return the language of the new text, by default the one that the memory is in."""
        former = memory.get("language")
        if former and "text" not in fields:
            return str(former)
        return detect(text, former or self._settings.language)

    def _is_dated(self, memory: Row) -> bool:
        """Tell whether the passage begins with the time at which it was said."""
        parts = (memory.get("about"), memory.get("speaker"), memory["text"])
        return bool(memory.get("passage") != search_index.passage(*parts))

    def _keys(self, tx: Transaction, properties: Row) -> Row:
        return {"tag_keys": search_index.tag_keys(tx.database.realm, properties["tags"])}

    def _rate(self, lasts: Any) -> float:
        return math.log(2) / (self._settings.text_half_life_hours[lasts] * HOUR_SECONDS)

    def _evidence(self, id: str, memory: Row, moment: int) -> Row:
        """Return the entry of the log that keeps what the memory was."""
        former = {name: memory.get(name) for name in CONTENT if memory.get(name)}
        if "metadata" in former:
            former["metadata"] = from_json(former["metadata"])
        before = json.dumps(former | {"lasts": memory["tier"]}, ensure_ascii=False)
        event_id = f"{KIND}:{uuid.uuid4().hex}"
        return {
            "id": event_ids.evidence_id(SOURCE, event_id),
            "event_id": event_id,
            "moment": moment,
            "number": time.time_ns(),
            "kind": KIND,
            "quantity": 1.0,
            "effect": "updated",
            "source": SOURCE,
            "content": text_items.digest(before),
            "before": before,
        }
