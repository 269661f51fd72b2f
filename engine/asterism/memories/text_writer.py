"""Writes text memories in batches, with the tags that repeated ones add."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from asterism import search_index
from asterism.active_hours import ActiveHours
from asterism.database import Database, Row, Transaction
from asterism.errors import Conflict, InvalidInput
from asterism.memories import repeated_texts, text_items
from asterism.memories.models import Receipt, Rejected
from asterism.memories.text_items import TextItem
from asterism.memories.writer_queue import writer_slots
from asterism.realm_names import realm_key
from asterism.search_index import index_rows

OnProgress = Callable[[int], None]
BATCH_CHARACTERS = 2_000_000  # of texts in one transaction, which the server holds in memory


class TextWriter:
    """Writes texts to one realm, in which the same text again is the same memory."""

    def __init__(self, database: Database, hours: ActiveHours) -> None:
        self._database = database
        self._settings = database.settings.memories
        self._hours = hours

    async def remember_many(
        self, items: Iterable[Any], on_progress: OnProgress | None = None
    ) -> Receipt:
        """Remember any number of items, plain words, parsed or not, in batches."""
        if isinstance(items, (str, bytes, Mapping)):
            raise InvalidInput("items", items, "give a list of texts, or use `remember` for one")
        total = Receipt()
        rejected: list[Rejected] = []
        batch: list[tuple[int, TextItem]] = []
        characters = 0
        for index, item in enumerate(items):
            raw = {"text": item} if isinstance(item, str) else item
            try:
                batch.append((index, text_items.parse(raw, self._settings.text_bytes)))
                characters += len(batch[-1][1].text)
            except InvalidInput as error:
                id = str(raw.get("id") or "") if isinstance(raw, dict) else ""
                rejected.append(Rejected(index=index, event_id=id, reason=str(error)))
            if len(batch) == self._settings.batch or characters > BATCH_CHARACTERS:
                total += await self._remember_batch(batch, on_progress)
                batch, characters = [], 0
        total += await self._remember_batch(batch, on_progress)
        rejected = sorted([*total.rejected, *rejected], key=lambda item: item.index)
        return total.model_copy(update={"rejected": rejected})

    async def remember_one(self, fields: Row) -> tuple[str, Receipt]:
        """Remember a text, and return its id. What differs from a stored one is a Conflict."""
        item = text_items.parse(fields, self._settings.text_bytes)
        receipt = await self.remember([item])
        if receipt.rejected:
            raise Conflict(receipt.rejected[0].reason)
        return text_items.identity(item), receipt

    async def remember(self, items: list[TextItem]) -> Receipt:
        """Remember parsed items in one transaction."""
        active = await self._hours.reading()
        nodes: dict[str, Row] = {}
        for number, item in enumerate(items):
            node = self.node(item, active, number)
            nodes.setdefault(node["id"], node)
        work = partial(_write, nodes=list(nodes.values()), items=items)
        async with writer_slots(self._database):
            return await self._database.transaction(work, name="memories/remember")

    def node(self, item: TextItem, active: int, number: int = 0) -> Row:
        """Return the parameters of memories/remember for the text of that number in a batch."""
        now, key = self._database.clock.now(), realm_key(self._database.realm)
        node = text_items.row(item, self._settings, now, active, key)
        # The order of arrival, also where the graph's clock stands still.
        node["properties"]["arrival"] = time.time_ns() + number
        return node

    async def _remember_batch(
        self, batch: list[tuple[int, TextItem]], on_progress: OnProgress | None
    ) -> Receipt:
        """Remember a batch, and give its rejected items their places in the whole call."""
        if not batch:
            return Receipt()
        receipt = await self.remember([item for _, item in batch])
        if on_progress:
            on_progress(len(batch))
        rejected = [
            item.model_copy(update={"index": batch[item.index][0]}) for item in receipt.rejected
        ]
        return receipt.model_copy(update={"rejected": rejected})


async def _write(tx: Transaction, nodes: list[Row], items: list[TextItem]) -> Receipt:
    """Write the memories, and the tags that repeated ones add."""
    stored = {row["id"]: row for row in await write_texts(tx, nodes)}
    rejected = repeated_texts.reject_conflicts(items, stored)
    conflicts = {item.index for item in rejected}
    accepted = [item for index, item in enumerate(items) if index not in conflicts]
    tags = repeated_texts.new_tags(accepted, stored, tx.database.realm)
    if tags:
        await tx.rows("memories/add_tags", rows=tags)
    created = sum(row["created"] for row in stored.values())
    duplicate = len(items) - created - len(rejected)
    return Receipt(accepted=created, duplicate=duplicate, tagged=len(tags), rejected=rejected)


async def write_texts(tx: Transaction, nodes: list[Row]) -> list[Row]:
    """Write the memories, index the new ones for search, and return what is stored."""
    sessions = sorted({node["properties"]["session"] for node in nodes} - {None})
    in_order = sorted(nodes, key=lambda node: str(node["id"]))  # so two writers don't deadlock
    arriving = [{"id": node["id"]} | node["properties"] for node in nodes]
    writing = tx.one("memories/remember", rows=in_order, sessions=sessions)
    # While the server writes. Nearly always all of them are new.
    row, parts = await asyncio.gather(writing, asyncio.to_thread(index_rows, arriving))
    stored: dict[str, Row] = {each["id"]: each for each in row["stored"]}
    new = [each for each in arriving if stored[each["id"]]["created"]]
    if new:
        await search_index.add(tx, new, parts if len(new) == len(arriving) else index_rows(new))
    created = {each["id"]: _stored(each) for each in new}
    return [stored[node["id"]] | created.get(node["id"], {}) for node in nodes]


def _stored(new: Row) -> Row:
    """Return the fields of a memory as memories/remember returns those of one that was there."""
    own = {name: new.get(name) for name in ("digest", "tags", *repeated_texts.FIELDS)}
    return own | {"superseded_by": None, "at": new["first_seen"], "lasts": new["tier"]}
