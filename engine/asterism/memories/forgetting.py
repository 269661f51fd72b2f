"""Forgets memories: removes them with everything that names them, and checks what is left."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol, TypedDict, cast

from asterism import search_index
from asterism.database import Database, Row, Transaction
from asterism.errors import InvalidInput
from asterism.memories import event_ids
from asterism.memories.listing import Listing
from asterism.memories.models import Forgotten, ForgottenMany
from asterism.memories.writer_queue import writer_slots
from asterism.memory_filter import MemoryFilter
from asterism.realm_names import realm_key
from asterism.row_types import row_of

OnProgress = Callable[[int], None]
CHAIN = {"SUPERSEDES"}
BATCH = 200  # memories of one transaction, for which other writers wait
MOST_EXAMPLES = 10
AMOUNTS = (
    *("memories", "evidence", "narratives", "names", "terms", "notes", "expectations"),
    *("cursors", "vectors"),
)


class TypeCount(TypedDict):
    """Number of relationships of a type."""

    type: str
    count: int


@row_of("memories/lock_to_forget")
class TextsToForget(NamedTuple):
    """State of memories under the locks: their texts, ties and repeats."""

    token: str | None
    texts: list[search_index.IndexedText]
    relationships: list[TypeCount]
    repeats: list[str]
    chained: list[str]


@row_of("memories/forget")
class RemovedCounts(TypedDict):
    """Counts of what was removed, and of the memories forgotten in the realm so far."""

    memories: int
    evidence: int
    cursors: int
    notes: int
    expectations: int
    relationships: list[TypeCount]
    forgotten: int


@row_of("memories/traces")
class Traces(TypedDict):
    """Counts of what still names forgotten memories."""

    memories: int
    evidence: int
    cursors: int
    notes: int
    expectations: int


class VectorFiles(Protocol):
    """Vectors that are kept in files outside the database."""

    async def erase(self, ids: Sequence[str], token: str, counts: range) -> int: ...
    async def count(self, ids: Sequence[str], token: str) -> int: ...


class Forgetting:
    """Removes memories, from the database and from the files of vectors."""

    def __init__(self, database: Database, listing: Listing, vector_files: VectorFiles) -> None:
        self._database = database
        self._listing = listing
        self._vector_files = vector_files

    async def forget(self, id: str) -> Forgotten:
        """Remove a memory, and count what was removed and what a check afterwards still saw."""
        if (
            await self._database.row("transfer/import_state") is None
        ):  # an absent realm stays absent
            return Forgotten(id=id, checked=True)
        return Forgotten(id=id, checked=True, **await self._erase([id]))

    async def forget_where(
        self, filter: MemoryFilter, *, dry_run: bool, on_progress: OnProgress | None
    ) -> ForgottenMany:
        """Remove the memories that pass a filter, in batches, or only count them."""
        if filter.empty:
            remedy = "give a condition: all memories go with `realms.delete`"
            raise InvalidInput("filter", str(filter), remedy)
        page = await self._listing.page(filter, MOST_EXAMPLES, None, "newest")
        if dry_run:
            count = await self._listing.count(filter)
            return ForgottenMany(
                filter=str(filter), dry_run=True, matching=count, examples=page.items
            )
        ids = await self._listing.ids(filter)
        totals = _Totals()
        for start in range(0, len(ids), BATCH):
            batch = ids[start : start + BATCH]
            totals.add(await self._erase(batch))
            if on_progress:
                on_progress(len(batch))
        return ForgottenMany(
            filter=str(filter),
            dry_run=False,
            matching=len(ids),
            examples=page.items,
            checked=True,
            **totals.fields(set(ids)),
        )

    async def _erase(self, ids: list[str]) -> Row:
        """Remove memories in one transaction, then their vectors, and look for what is left."""
        ids = sorted(ids)
        work = partial(forget_memories, ids=ids)
        async with writer_slots(self._database):
            row = await self._database.transaction(work, name="memories/forget")
        vectors = await erase_vectors(self._vector_files, ids, row)
        token = row.pop("token")
        del row["forgotten"]
        left = await self._traces(ids)
        if token is not None:
            left["vectors"] = await self._vector_files.count(ids, token)
        left = +left  # without what is zero
        return row | {"vectors": vectors, "left": left}

    async def _traces(self, ids: list[str]) -> Counter[str]:
        repetitions = repetition_ids(ids)
        row = await self._database.one("memories/traces", ids=ids, repetition_ids=repetitions)
        return Counter(**cast(Traces, row))


class _Totals:
    """Sums of the counts of several batches."""

    def __init__(self) -> None:
        self._amounts: Counter[str] = Counter()
        self._by_name: dict[str, Counter[str]] = {
            name: Counter() for name in ("relationships", "ties", "left")
        }
        self._repeats: set[str] = set()
        self._restored: set[str] = set()

    def add(self, row: Row) -> None:
        """Add the counts of a batch."""
        self._amounts.update({name: row[name] for name in AMOUNTS})
        for name, counts in self._by_name.items():
            counts.update(row[name])
        self._repeats.update(row["repeats"])
        self._restored.update(row["restored"])

    def fields(self, ids: set[str]) -> dict[str, Any]:
        """Return the totals as fields of a receipt. A repeat that went later is none."""
        repeats = tuple(sorted(self._repeats - ids))
        by_name = {name: dict(counts) for name, counts in self._by_name.items()}
        restored = tuple(sorted(self._restored - ids))
        return {**self._amounts, **by_name, "repeats": repeats, "restored": restored}


async def erase_vectors(files: VectorFiles, ids: Sequence[str], row: Row) -> int:
    """Remove the vectors of memories that `forget_memories` has removed, and count them."""
    if row["token"] is None or not row["memories"]:
        return 0
    last = row["forgotten"]
    return await files.erase(ids, row["token"], range(last - row["memories"] + 1, last + 1))


async def forget_memories(tx: Transaction, ids: list[str]) -> Row:
    """Run one transaction: lock, remove from the search index, remove, let repeats wait again."""
    before = TextsToForget(**await tx.one("memories/lock_to_forget", ids=ids))
    repeats = before.repeats
    await tx.rows(
        "memories/lock_texts", ids=sorted([*ids, *repeats]), leaving=ids, arriving=repeats
    )
    unindexed = await search_index.remove_texts(tx, before.texts)
    restored = await _leave_chains(tx, before.chained)
    narratives = await _leave_explorations(tx, ids)
    row = await tx.one("memories/forget", ids=ids, repetition_ids=repetition_ids(ids))
    removed = cast(RemovedCounts, row)
    if repeats:
        await reopen_repeats(tx, repeats)
    relationships = _by_type(removed["relationships"])
    all_relationships = _by_type(before.relationships)
    for name in CHAIN & all_relationships.keys():  # removed with their chains
        relationships[name] = all_relationships[name]
    return {
        **removed,
        "narratives": narratives,
        "names": unindexed.names,
        "terms": unindexed.terms,
        "relationships": relationships,
        "ties": {
            name: count for name, count in all_relationships.items() if name not in relationships
        },
        "repeats": repeats,
        "restored": restored,
        "token": before.token,
    }


async def _leave_explorations(tx: Transaction, ids: list[str]) -> int:
    """Take memories out of what explorations have written, and count the narratives."""
    encoded = [json.dumps(id) for id in ids]
    drafts = await tx.one("memories/forget_walks", ids=ids, encoded_ids=encoded)
    answers = await tx.one("memories/forget_quotes", ids=ids)
    return int(drafts["narratives"] + answers["narratives"])


async def _leave_chains(tx: Transaction, ids: list[str]) -> list[str]:
    """Take memories out of their chains of corrections, and return those that are valid again."""
    restored = set[str]()
    for id in ids:
        restored.update((await tx.one("memories/leave_chain", id=id))["restored"])
    return sorted(restored - set(ids))


async def reopen_repeats(tx: Transaction, ids: list[str]) -> None:
    """Let the repeats of a memory stand for themselves again."""
    key = realm_key(tx.database.realm)
    rows = await tx.rows("memories/reopen_repeats", realm_key=key, ids=ids)
    await search_index.add(tx, rows)


def _by_type(rows: list[TypeCount]) -> dict[str, int]:
    return {row["type"]: row["count"] for row in rows}


def repetition_ids(ids: Sequence[str]) -> list[str]:
    """Return the ids of the evidence that memories were for other ones, as their repetitions."""
    return [event_ids.evidence_id("consolidation", f"duplicate:{id}") for id in ids]
