"""From items to statements: put in order, deduplicated, grouped by memory, one write each."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from heapq import heappop, heappush
from itertools import islice
from typing import Any

from engine.database import Database, Transaction
from engine.errors import InvalidInput
from engine.memories import event_ids, problems
from engine.memories.event_ids import Sorted
from engine.memories.model import Changed, Receipt, Rejected, micros
from engine.memories.rule import EvidenceRule, Node, Place
from engine.settings import MemoriesSettings

SECOND = 1_000_000
FEED = "feed"
PLACE = "place"


@dataclass(frozen=True)
class PassLog:
    """The decay passes: those that were asked for, and one every so often of event time."""

    settings: MemoriesSettings
    asked: list[int]

    def before(self, at: int) -> int:
        """The latest pass at or before a time."""
        if self.settings.continuous:
            return at
        every = int(self.settings.auto_pass_s * SECOND)
        automatic = at - at % every if every else 0
        index = bisect_right(self.asked, at)
        return max(automatic, self.asked[index - 1] if index else 0)


class Feed:
    """Takes evidence of one kind of memory from one source."""

    def __init__(self, database: Database, rule: EvidenceRule, source: str) -> None:
        if not isinstance(source, str) or not source.strip():
            raise InvalidInput("source", source, "name where the items come from, such as 'replay'")
        if problem := problems.text_problem("source", source):
            raise InvalidInput("source", source, problem.removeprefix("source: "))
        self._database = database
        self._settings = database.settings.memories
        self._rule = rule
        self._source = source
        self._cursor = key(FEED, source)

    async def observe(
        self, items: Iterable[Any], on_progress: Callable[[int], None] | None = None
    ) -> Receipt:
        """Apply all items; when this returns, every accepted one is in the graph."""
        row = await self._database.row("memories/feed", source=self._cursor)
        newest = row["newest"] if row and row["newest"] is not None else 0
        intake = Intake(self._rule, self._settings, max(newest, micros(self._database.clock.now())))
        total = Receipt()
        changed: list[Changed] = []
        ordered = intake.ordered(items)
        while batch := list(islice(ordered, self._settings.batch)):
            work = partial(self._apply, batch, row["sequence"] if row else None)
            done = await self._database.transaction(work, name="memories/observe")
            changed += done.changed
            total = Receipt(
                accepted=total.accepted + done.accepted,
                duplicate=total.duplicate + done.duplicate,
                late=total.late + done.late,
            )
            if on_progress:
                on_progress(len(batch))
        return Receipt(
            accepted=total.accepted,
            duplicate=total.duplicate + intake.repeated,
            late=total.late,
            rejected=intake.rejected,
            changed=[*changed, *intake.changed],
        )

    async def apply(self, tx: Transaction, items: list[Any]) -> Receipt:
        """Apply parsed items within a transaction of somebody else; known ones change nothing."""
        return await self._apply(sorted(items, key=self._rule.order), None, tx)

    async def _apply(self, batch: list[Any], mark: int | None, tx: Transaction) -> Receipt:
        """One transaction: lock, look, let the rule judge, write."""
        places = [self._rule.place(item) for item in batch]
        named = {key(PLACE, place.name) for place in places if place.name}
        memories = sorted({place.id for place in places if place.id is not None})
        locked = await tx.row(
            "memories/lock", locks=sorted({self._cursor, *named}), memories=memories
        )
        assert locked is not None
        found = await tx.row(
            "memories/look",
            ids=[id for item in batch for id in self._ids(item)],
            places=_cells(places),
            memories=memories,
        )
        assert found is not None
        arrived = event_ids.sort(self._source, batch, found["known"], mark)
        nodes = [Node(properties["id"], properties) for properties in found["nodes"]]
        passes = PassLog(self._settings, locked["passes"])
        touched = self._judge(arrived.fresh, nodes, passes)
        late = await self._write(tx, touched, arrived)
        return Receipt(
            accepted=len(arrived.fresh),
            duplicate=arrived.duplicate,
            late=late,
            changed=arrived.changed,
        )

    def _ids(self, item: Any) -> tuple[str, str]:
        return event_ids.key(self._source, item.event_id), event_ids.former_key(item)

    def _judge(self, items: list[Any], nodes: list[Node], passes: PassLog) -> list[Node]:
        """Every item on the one node that takes it, in order; returns the nodes touched."""
        near: dict[tuple[str, int], list[Node]] = {}
        by_id = {node.id: node for node in nodes}
        for known in nodes:
            near.setdefault(_home(known), []).append(known)
        touched: dict[str, Node] = {}
        for item in items:
            place = self._rule.place(item)
            candidates = [node for cell in place.cells for node in near.get((place.name, cell), [])]
            if place.id in by_id:
                candidates.append(by_id[place.id])
            node = self._rule.match(item, candidates)
            if node is None:
                node = self._rule.create(item)
                by_id[node.id] = node
                near.setdefault(_home(node), []).append(node)
            self._rule.apply(node, item, passes)
            touched[node.id] = node
        return [touched[id] for id in sorted(touched)]

    async def _write(self, tx: Transaction, touched: list[Node], arrived: Sorted) -> int:
        fresh = arrived.fresh
        if not fresh:
            return 0
        rows = await tx.rows(
            "memories/reinforce", label=self._rule.label, rows=[node.row() for node in touched]
        )
        strengths = {row["id"]: (row["made"], row["trail"]) for row in rows}
        numbers = {item.event_id: number for number, item in enumerate(fresh)}
        log = [
            entry
            for node in touched
            for entry in _entries(node, strengths[node.id], self._source, numbers)
        ]
        known_as = arrived.known_as
        grown = [
            {"known_as": known_as[entry["event_id"]], "entry": _regrown(entry)}
            for entry in log
            if entry["event_id"] in known_as
        ]
        sequences = [item.sequence for item in fresh if item.sequence is not None]
        await tx.rows(
            "memories/log",
            source=self._cursor,
            newest=max(micros(item.ts) for item in fresh),
            sequence=max(sequences, default=None),
            rows=[entry for entry in log if entry["event_id"] not in known_as],
            grown=grown,
        )
        return sum(entry["effect"].startswith("late") for entry in log)


class Intake:
    """Refuses what can't be evidence, and puts the rest in canonical order."""

    def __init__(self, rule: EvidenceRule, settings: MemoriesSettings, watermark: int) -> None:
        self._rule = rule
        self._buffer = timedelta(seconds=settings.buffer_s)
        self._future = int(settings.future_s * SECOND)
        self._watermark = watermark
        self._seen: dict[str, str] = {}
        self.rejected: list[Rejected] = []
        self.changed: list[Changed] = []
        self.repeated = 0

    def ordered(self, items: Iterable[Any]) -> Iterator[Any]:
        """Items leave the buffer once nothing within its span can come before them any more."""
        waiting: list[tuple[tuple[Any, ...], int, Any]] = []
        newest: datetime | None = None
        for number, item in self._accepted(items):
            newest = max(newest, item.ts) if newest else item.ts
            heappush(waiting, (self._rule.order(item), number, item))
            while waiting and waiting[0][2].ts < newest - self._buffer:
                yield heappop(waiting)[2]
        while waiting:
            yield heappop(waiting)[2]

    def _accepted(self, items: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        for index, raw in enumerate(items):
            try:
                item = self._rule.parse(raw)
                if problem := problems.identity_problem(item):
                    raise ValueError(problem)
                self._refuse_future(item)
            except ValueError as error:
                reason = problems.printable(str(error))
                self.rejected.append(Rejected(index=index, event_id=_event_id(raw), reason=reason))
                continue
            if self._is_repeated(item):
                continue
            self._watermark = max(self._watermark, micros(item.ts))
            yield index, item

    def _is_repeated(self, item: Any) -> bool:
        """Return whether this call had the item's id already, and note what became of it."""
        said = event_ids.content(item)
        before = self._seen.setdefault(item.event_id, said)
        if before is said:
            return False
        if before == said:
            self.repeated += 1
        else:
            reason = "another item of this call has this id"
            self.changed.append(Changed(event_id=item.event_id, reason=reason))
        return True

    def _refuse_future(self, item: Any) -> None:
        ahead = micros(item.ts) - self._watermark
        if ahead > self._future:
            raise ValueError(
                f"ts: {ahead / SECOND:.0f} s ahead of everything seen and of the clock"
            )


def key(kind: str, name: str) -> str:
    """An id of a bookkeeping node."""
    return f"{kind}:{name}"


def _cells(places: list[Place]) -> list[dict[str, Any]]:
    wanted = {(place.name, cell) for place in places for cell in place.cells}
    return [{"symbol": symbol, "cell": cell} for symbol, cell in sorted(wanted)]


def _home(node: Node) -> tuple[str, int]:
    return node.properties.get("symbol", ""), node.properties.get("bucket", 0)


def _entries(
    node: Node, strengths: tuple[float | None, list[float]], source: str, numbers: dict[str, int]
) -> Iterator[dict[str, Any]]:
    made, trail = strengths
    after = iter(trail)
    created = node.start.get("strength", made)
    for applied in node.applied:
        item = applied.item
        strength = next(after) if applied.has_step else None
        if applied.effect.endswith("created"):
            strength = created
        yield {
            "id": event_ids.key(source, item.event_id),
            "event_id": item.event_id,
            "content": event_ids.content(item),
            "memory_id": node.id,
            "moment": micros(item.ts),
            "number": numbers[item.event_id],
            "kind": str(item.kind),
            "quantity": item.quantity,
            "strength": strength,
            "effect": applied.effect,
            "source": source,
            "taker_buy_usd": getattr(item, "taker_buy_usd", None),
        }


def _regrown(entry: dict[str, Any]) -> dict[str, Any]:
    """Return what changes in the entry of a visit that has grown: what it was, it stays."""
    kept = {"effect"} if entry["effect"].endswith("grown") else set()
    return {name: value for name, value in entry.items() if name not in kept}


def _event_id(raw: Any) -> str:
    value = raw.get("event_id") if isinstance(raw, dict) else getattr(raw, "event_id", "")
    if isinstance(value, str):
        return problems.printable(value)
    return "" if value is None else problems.shown(value)
