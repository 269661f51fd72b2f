"""Store of items: writes with their texts in one transaction, reads, searches, expiry."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from asterism.consolidation.cache_erasure import CacheErasure
from asterism.database import Row, Transaction
from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.memories import text_items
from asterism.memories.forgetting import erase_vectors, forget_memories
from asterism.memories.text_items import TextItem
from asterism.memories.text_writer import TextWriter, write_texts
from asterism.memories.writer_queue import writer_slots
from asterism.memory_filter import MemoryFilter
from asterism.settings.memories import Lasts
from asterism.store.filters import Comparisons
from asterism.store.models import (
    END,
    Deletion,
    LockedItem,
    Namespace,
    Put,
    Stored,
    StoredText,
    item_id,
    joined,
)

MOST_TEXTS = 10_000  # looked through for one search
WIDER = 4
SWEEP = 1000
NO_FILTER = Comparisons(None)


class Match(NamedTuple):
    """An item that answers a question, and the score of its best text."""

    item: Stored
    score: float | None


class ItemStore:
    """Items under a namespace and a key. Their texts are memories, by which questions find them.

    A text lasts as `lasts` says, and is found when it has faded as well.
    """

    def __init__(self, graph: Graph, *, lasts: Lasts = "permanent") -> None:
        self._graph = graph
        self._database = graph.database
        self._settings = graph.settings.memories
        self._hours = graph.memories.hours
        self._writer = TextWriter(graph.database, self._hours)
        self._files = CacheErasure(graph.database)
        self._lasts = lasts

    async def write(self, changes: Iterable[Put | Deletion]) -> None:
        """Write and delete items, thousands in batches. The last change of an item counts."""
        latest = {change.id: change for change in changes}
        rows = [(change, *self._prepared(change)) for change in latest.values()]
        for start in range(0, len(rows), self._settings.batch):
            await self._write_batch(rows[start : start + self._settings.batch])

    async def read(self, names: Sequence[tuple[Namespace, str]]) -> list[Stored | None]:
        """Return items by namespace and key, None for each that is not there."""
        ids = [item_id(namespace, key) for namespace, key in names]
        rows = await self._database.rows("store/read", ids=sorted(set(ids)))
        by_id = {row["id"]: Stored(**row) for row in rows}
        return [by_id.get(id) for id in ids]

    async def search(
        self, prefix: Namespace, comparisons: Comparisons = NO_FILTER, *, offset: int, limit: int
    ) -> list[Stored]:
        """Return the items below a namespace that pass a filter, the latest first."""
        rows = await self._database.rows(
            "store/search",
            prefix=joined(prefix),
            filter=comparisons.parameter,
            offset=offset,
            limit=limit,
        )
        return [Stored(**row) for row in rows]

    async def find(
        self,
        question: str,
        prefix: Namespace,
        comparisons: Comparisons = NO_FILTER,
        *,
        offset: int,
        limit: int,
    ) -> list[Match]:
        """Return the items below a namespace that answer a question, best first.

        An item is as good as the best of its texts.
        """
        labels: Row = {f"store_{depth}": label for depth, label in enumerate(prefix, 1)}
        scope = MemoryFilter(category="item", where=labels)
        k = 2 * (offset + limit) + 10
        while True:
            answer = await self._graph.recall.find(question, k=k, archived=True, filter=scope)
            scores = {hit.id: hit.score for hit in answer.hits}
            matches = await self._matches(scores, prefix, comparisons)
            if len(matches) >= offset + limit or len(scores) < k or k >= MOST_TEXTS:
                return matches[offset : offset + limit]
            k = min(WIDER * k, MOST_TEXTS)

    async def namespaces(self, prefix: Namespace = ()) -> list[Namespace]:
        """Return the namespaces below some labels that hold an item, sorted."""
        rows = await self._database.rows("store/namespaces", prefix=joined(prefix))
        return sorted(tuple(row["namespace"].split(END)[:-1]) for row in rows)

    async def refresh(self, items: Iterable[Stored]) -> None:
        """Let items that expire live for their whole time again."""
        ids = sorted({item.id for item in items if item.ttl_minutes is not None})
        if ids:
            await self._database.rows("store/refresh", ids=ids)

    async def sweep(self) -> int:
        """Delete the items that have expired, and return how many."""
        total = 0
        while rows := await self._database.rows("store/expired", limit=SWEEP):
            total += len(rows)
            await self._change([row["id"] for row in rows], {})
        return total

    def _prepared(self, change: Put | Deletion) -> tuple[Row, list[TextItem]]:
        """Return the properties and texts of an item, or refuse it before anything is written."""
        if isinstance(change, Deletion):
            return {}, []
        now = self._database.clock.now()
        properties = change.properties(now, now)
        texts = [
            text_items.parse(row | {"lasts": self._lasts}, self._settings.text_bytes)
            for row in change.text_rows
        ]
        return properties, texts

    async def _write_batch(self, rows: list[tuple[Put | Deletion, Row, list[TextItem]]]) -> None:
        active = await self._hours.reading()
        items: dict[str, tuple[Row, list[Row]]] = {}
        number = 0
        for change, properties, texts in rows:
            if properties:
                nodes = [
                    self._writer.node(text, active, number + at) for at, text in enumerate(texts)
                ]
                number += len(nodes)
                items[change.id] = properties, nodes
        await self._change([change.id for change, _, _ in rows], items)

    async def _change(self, ids: list[str], items: dict[str, tuple[Row, list[Row]]]) -> None:
        """Write items, and delete those of the ids that are not among them."""
        work = partial(_write, ids=sorted(ids), items=items)
        async with writer_slots(self._database):
            stale, row = await self._database.transaction(work, name="store/write_items")
        if row is not None:
            await erase_vectors(self._files, stale, row)

    async def _matches(
        self, scores: dict[str, float], prefix: Namespace, comparisons: Comparisons
    ) -> list[Match]:
        rows = await self._database.rows(
            "store/find_by_texts",
            text_ids=list(scores),
            prefix=joined(prefix),
            filter=comparisons.parameter,
        )
        best: dict[str, Match] = {}
        for row in rows:
            match = Match(StoredText(**row).item, scores[row["text_id"]])
            earlier = best.get(match.item.id)
            if earlier is None or (earlier.score or 0.0) < (match.score or 0.0):
                best[match.item.id] = match
        return sorted(best.values(), key=lambda match: (-(match.score or 0.0), match.item.id))


async def _write(
    tx: Transaction, ids: list[str], items: dict[str, tuple[Row, list[Row]]]
) -> tuple[list[str], Row | None]:
    """Run one transaction: lock, forget texts that are no more, write texts, then items."""
    locked = [LockedItem(**row) for row in await tx.rows("store/lock_items", ids=ids)]
    new_texts = {node["id"] for _, nodes in items.values() for node in nodes}
    stale = sorted({id for item in locked for id in item.text_ids} - new_texts)
    row = None
    if stale:
        await tx.rows("store/release_texts", text_ids=stale)
        row = await forget_memories(tx, stale)
    if deleted := sorted(item.id for item in locked if item.id not in items):
        await tx.rows("store/delete_items", ids=deleted)
    if nodes := list(_distinct(items)):
        await write_texts(tx, nodes)
    created = {item.id: {"created_at": item.created_at} for item in locked}
    rows = [
        {
            "id": id,
            "properties": properties | created.get(id, {}),
            "text_ids": [node["id"] for node in nodes],
        }
        for id, (properties, nodes) in sorted(items.items())
    ]
    if rows:
        await tx.rows("store/write_items", rows=rows)
    return stale, row


def _distinct(items: dict[str, tuple[Row, list[Row]]]) -> Iterator[Row]:
    yield from {node["id"]: node for _, nodes in items.values() for node in nodes}.values()


def require_page(offset: int, limit: int) -> None:
    """Refuse a page that is no page."""
    for name, value in (("offset", offset), ("limit", limit)):
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise InvalidInput(name, value, "give a whole number, 0 or more")
