"""Applies evidence to memories: sorted, deduplicated, grouped by memory, one write each."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from asterism.database import Database, Transaction
from asterism.errors import InvalidInput
from asterism.memories import event_ids
from asterism.memories.decay_passes import DecayPasses
from asterism.memories.event_ids import Classified
from asterism.memories.evidence_rule import EvidenceRule, Location, MemoryUpdate
from asterism.memories.item_checks import text_problem
from asterism.memories.models import Receipt
from asterism.memories.reorder_buffer import ReorderBuffer
from asterism.row_types import row_of
from asterism.timestamps import to_micros


@row_of("memories/reinforce")
class Reinforced(NamedTuple):
    """Strengths of a memory: when it was created, and after each step."""

    id: str
    created_strength: float | None
    strengths: list[float]


class Ingest:
    """Takes evidence of one kind of memory from one source."""

    def __init__(self, database: Database, rule: EvidenceRule, source: str) -> None:
        if not isinstance(source, str) or not source.strip():
            raise InvalidInput("source", source, "name where the items come from, such as 'replay'")
        if problem := text_problem("source", source):
            raise InvalidInput("source", source, problem.removeprefix("source: "))
        self._database = database
        self._settings = database.settings.memories
        self._rule = rule
        self._source = source
        self._cursor_id = f"feed:{source}"

    async def observe(
        self, items: Iterable[Any], on_progress: Callable[[int], None] | None = None
    ) -> Receipt:
        """Apply all items. When this returns, every accepted one is in the graph."""
        if not isinstance(items, Iterable) or isinstance(items, (str, bytes, Mapping)):
            raise InvalidInput("items", items, "give a list of items, or anything that yields them")
        progress = await self._database.one("memories/source_progress", source=self._cursor_id)
        watermark = max(progress["newest"] or 0, to_micros(self._database.clock.now()))
        buffer = ReorderBuffer(self._rule, self._settings, watermark)
        total = Receipt()
        ordered = buffer.ordered(items)
        while batch := list(islice(ordered, self._settings.batch)):
            work = partial(self._apply, batch, progress["sequence"])
            total += await self._database.transaction(work, name="memories/observe")
            if on_progress:
                on_progress(len(batch))
        return total + Receipt(
            duplicate=buffer.repeated, rejected=buffer.rejected, changed=buffer.changed
        )

    async def apply(self, tx: Transaction, items: list[Any]) -> Receipt:
        """Apply parsed items within the caller's transaction. Recorded ones change nothing."""
        return await self._apply(sorted(items, key=self._rule.order), None, tx)

    async def _apply(self, batch: list[Any], last_sequence: int | None, tx: Transaction) -> Receipt:
        """Run one transaction: lock, find the memories, apply the rule, write."""
        locations = [self._rule.locate(item) for item in batch]
        places = {f"place:{location.symbol}" for location in locations if location.symbol}
        memories = sorted({location.id for location in locations if location.id is not None})
        lock = await tx.one(
            "memories/lock_targets", locks=sorted({self._cursor_id, *places}), memories=memories
        )
        target = await tx.one(
            "memories/find_targets",
            ids=[id for item in batch for id in self._possible_ids(item)],
            cells=_cells(locations),
            memories=memories,
        )
        items = event_ids.classify(self._source, batch, target["recorded"], last_sequence)
        candidates = [MemoryUpdate(node["id"], node) for node in target["nodes"]]
        updates = self._update(items.new, candidates, DecayPasses(self._settings, lock["passes"]))
        late = await self._write(tx, updates, items) if items.new else 0
        return Receipt(
            accepted=len(items.new), duplicate=items.duplicate, late=late, changed=items.changed
        )

    def _possible_ids(self, item: Any) -> tuple[str, str]:
        return event_ids.evidence_id(self._source, item.event_id), event_ids.unsourced_id(item)

    def _update(
        self, items: list[Any], memories: list[MemoryUpdate], passes: DecayPasses
    ) -> list[MemoryUpdate]:
        """Apply every item to the one memory that takes it, and return the changed ones by id."""
        by_cell: dict[tuple[str, int], list[MemoryUpdate]] = {}
        by_id: dict[str, MemoryUpdate] = {}

        def register(memory: MemoryUpdate) -> MemoryUpdate:
            place = memory.properties.get("symbol", ""), memory.properties.get("bucket", 0)
            by_cell.setdefault(place, []).append(memory)
            by_id[memory.id] = memory
            return memory

        for memory in memories:
            register(memory)
        changed: dict[str, MemoryUpdate] = {}
        for item in items:
            location = self._rule.locate(item)
            candidates = [
                memory
                for cell in location.cells
                for memory in by_cell.get((location.symbol, cell), [])
            ]
            if location.id in by_id:
                candidates.append(by_id[location.id])
            memory = self._rule.match(item, candidates) or register(self._rule.create(item))
            self._rule.apply(memory, item, passes)
            changed[memory.id] = memory
        return [changed[id] for id in sorted(changed)]

    async def _write(self, tx: Transaction, updates: list[MemoryUpdate], items: Classified) -> int:
        """Write memories and evidence log, and return how many items were late."""
        rows = await tx.rows(
            "memories/reinforce", label=self._rule.label, rows=[update.row() for update in updates]
        )
        strengths = {row["id"]: Reinforced(**row) for row in rows}
        numbers = {item.event_id: number for number, item in enumerate(items.new)}
        entries = [
            entry
            for update in updates
            for entry in _log_entries(update, strengths[update.id], self._source, numbers)
        ]
        sequences = [item.sequence for item in items.new if item.sequence is not None]
        former_ids = items.former_ids
        await tx.rows(
            "memories/log_evidence",
            source=self._cursor_id,
            newest=max(to_micros(item.ts) for item in items.new),
            sequence=max(sequences, default=None),
            entries=[entry for entry in entries if entry["event_id"] not in former_ids],
            grown_visits=[
                {"former_id": former_ids[entry["event_id"]], "entry": _grown_entry(entry)}
                for entry in entries
                if entry["event_id"] in former_ids
            ],
        )
        return sum(entry["effect"].startswith("late") for entry in entries)


def _cells(locations: list[Location]) -> list[dict[str, Any]]:
    pairs = {(location.symbol, cell) for location in locations for cell in location.cells}
    return [{"symbol": symbol, "cell": cell} for symbol, cell in sorted(pairs)]


def _log_entries(
    update: MemoryUpdate,
    reinforced: Reinforced,
    source: str,
    numbers: dict[str, int],
) -> Iterator[dict[str, Any]]:
    """Yield the log entry of each item, with the strength of the memory right after it."""
    after_step = iter(reinforced.strengths)
    for applied in update.applied:
        item = applied.item
        strength = next(after_step) if applied.has_step else None
        if applied.effect.endswith("created"):
            strength = reinforced.created_strength
        yield {
            "id": event_ids.evidence_id(source, item.event_id),
            "event_id": item.event_id,
            "content": event_ids.content_digest(item),
            "memory_id": update.id,
            "moment": to_micros(item.ts),
            "number": numbers[item.event_id],
            "kind": str(item.kind),
            "quantity": item.quantity,
            "strength": strength,
            "effect": applied.effect,
            "source": source,
            "taker_buy_usd": getattr(item, "taker_buy_usd", None),
        }


def _grown_entry(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the changes to the entry of a visit that has grown, which keeps its first effect."""
    keeps_effect = entry["effect"].endswith("grown")
    return {name: value for name, value in entry.items() if not (keeps_effect and name == "effect")}
