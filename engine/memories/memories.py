"""The memories of a graph: what was observed, and how much of it is left."""

import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from engine.clock import Moment, aware
from engine.database import Database, Row, Transaction
from engine.errors import Conflict, InvalidInput, NotFound
from engine.memories import reading, repeats
from engine.memories import text as texts
from engine.memories.edges import Edge, connect
from engine.memories.feed import Feed
from engine.memories.forgetting import Forgetting
from engine.memories.hours import ActiveHours
from engine.memories.market import MarketRule
from engine.memories.model import (
    Forgotten,
    HistoryEntry,
    MarketLevel,
    Memory,
    Receipt,
    Rejected,
    Side,
    micros,
    moment,
)
from engine.memories.queue import writers
from engine.memories.rule import EvidenceRule
from engine.realms import realm_key
from engine.recall import notes
from engine.settings.memories import Lasts

OnProgress = Callable[[int], None]
EVERY_CELL = 10**9
NO_LIMIT = 1_000_000
BATCH_CHARACTERS = 2_000_000  # of texts in one transaction, which the server holds in memory


class Memories:
    """What has been observed, how strong it still is, and what it was made of."""

    def __init__(self, database: Database, hours: ActiveHours) -> None:
        self._database = database
        self._settings = database.settings.memories
        self._forgetting = Forgetting(database)
        self.hours = hours

    async def observe(
        self,
        items: Iterable[Any],
        *,
        source: str,
        rule: EvidenceRule | None = None,
        on_progress: OnProgress | None = None,
    ) -> Receipt:
        """Take in evidence; every accepted item has been applied when this returns.

        A repeated call changes nothing: known items are counted as duplicates, and an id that is
        known with other content is named in the receipt. An event id belongs to its source.
        """
        if not isinstance(items, Iterable) or isinstance(items, (str, bytes, Mapping)):
            raise InvalidInput("items", items, "give a list of items, or anything that yields them")
        feed = Feed(self._database, rule or MarketRule(self._settings), source)
        return await feed.observe(items, on_progress)

    async def decay_pass(self, at: Moment | None = None) -> None:
        """Commit the decay up to a time: later interactions build on what is left then."""
        await self._database.rows("memories/pass", moment=micros(self._time(at)))

    async def levels(
        self,
        symbol: str,
        *,
        near: Decimal | str | None = None,
        bps: float = 50,
        side: str | None = None,
        minimum: float = 0.0,
        at: Moment | None = None,
        limit: int = NO_LIMIT,
    ) -> list[MarketLevel]:
        """A symbol's remembered prices, all or near one, strongest first."""
        reading.check_id("symbol", symbol)
        reading.check_limit(limit)
        if not isinstance(side, str | None) or (side is not None and side not in set(Side)):
            raise InvalidInput("side", side, "give bid, ask, both, or none")
        minimum = reading.number("minimum", minimum, 0, 1)
        low, high = reading.span(near, bps)
        row = await self._database.row(
            "memories/levels",
            symbol=symbol,
            low=low,
            high=high,
            first_cell=-EVERY_CELL if near is None else reading.cell_of(low) - 1,
            last_cell=EVERY_CELL if near is None else reading.cell_of(high) + 1,
            side=None if side in (None, Side.BOTH) else side,
            minimum=minimum,
            moment=micros(self._time(at)),
            limit=limit,
        )
        return [reading.level(found) for found in row["levels"]] if row else []

    async def level(self, id: str, *, at: Moment | None = None) -> MarketLevel:
        """One remembered price, archived or not, as strong as it is at a time."""
        found = await self.get(id, at=at)
        if not isinstance(found, MarketLevel):
            raise NotFound("price level", id, "it is a memory of another kind: use get")
        return found

    async def get(self, id: str, *, at: Moment | None = None) -> Memory:
        """One memory of any kind, as strong as it is at a time."""
        reading.check_id("id", id)
        time = self._time(at)
        active = await self.hours.reading(at)
        row = await self._database.row("memories/get", id=id, wall=micros(time), active=active)
        if row is None:
            raise NotFound("memory", id)
        return reading.memory(row)

    async def history(self, id: str, *, limit: int = 1000) -> list[HistoryEntry]:
        """What a memory was made of, newest first."""
        reading.check_limit(limit)
        reading.check_id("id", id)
        rows = await self._database.rows("memories/history", id=id, limit=limit)
        if not rows:
            await self.get(id)
        return [HistoryEntry(at=moment(row.pop("moment")), **row) for row in rows]

    async def archive(self, at: Moment | None = None) -> int:
        """Mark what has faded below its end; returns how many. Reads never depend on it."""
        time = self._time(at)
        active = await self.hours.reading(at)
        total = 0
        for clock, now_there in (("wall", micros(time)), ("active", active)):
            while True:
                row = await self._database.row(
                    "memories/archive_due", clock=clock, moment=now_there
                )
                if row is None or row["archived"] == 0:
                    break
                total += row["archived"]
        return total

    async def remember(
        self,
        text: str,
        *,
        tags: Sequence[str] = (),
        category: str = "",
        actor: str | None = None,
        session: str | None = None,
        speaker: str | None = None,
        about: str | None = None,
        at: Moment | None = None,
        id: str | None = None,
        lasts: Lasts | None = None,
    ) -> Memory:
        """Remember a text; it waits for consolidation. The same again is the same memory.

        Tags of a repeated text are added to those that are there. If anything else that is given
        differs from what is there, Conflict names it, and nothing is written. `lasts` is ephemeral,
        standard, durable (without a word) or permanent: half of it is lost after 14, 69, 693 or
        69,315 active hours without use.
        """
        told = {"text": text, "tags": tags, "category": category, "actor": actor, "at": at}
        where = {"session": session, "speaker": speaker, "about": about, "id": id, "lasts": lasts}
        item = texts.parse(told | where, self._settings.text_bytes)
        receipt, ids = await self._remember([item])
        if receipt.rejected:
            raise Conflict(receipt.rejected[0].reason)
        return await self.get(ids[0])

    async def remember_many(
        self, items: Iterable[Any], *, on_progress: OnProgress | None = None
    ) -> Receipt:
        """Remember thousands of texts, in batches; bad ones are rejected in the receipt."""
        total, index = Receipt(), 0
        rejected: list[Rejected] = []
        batch: list[tuple[int, texts.TextItem]] = []
        size = 0
        for index, raw in enumerate(items):
            try:
                batch.append((index, texts.parse(raw, self._settings.text_bytes)))
                size += len(batch[-1][1].text)
            except InvalidInput as error:
                rejected.append(Rejected(index=index, event_id=_given_id(raw), reason=str(error)))
            if len(batch) == self._settings.batch or size > BATCH_CHARACTERS:
                total = await self._remember_batch(batch, total, on_progress)
                batch, size = [], 0
        total = await self._remember_batch(batch, total, on_progress)
        everything = sorted([*total.rejected, *rejected], key=lambda item: item.index)
        return total.model_copy(update={"rejected": everything})

    async def reinforce(
        self,
        id: str,
        kind: str = "recall",
        *,
        quantity: float = 1.0,
        at: Moment | None = None,
        event_id: str | None = None,
    ) -> Memory:
        """A text memory was of use: recall, repetition, confirmation, contradiction, outcome.

        An `outcome` has a quantity from 0, bad, to 1, good. With an `event_id` of your own, the
        same event counts once, however often it is reported.
        """
        memory = await self.get(id)
        if memory.kind != "text":
            raise InvalidInput(
                "id",
                id,
                f"it is no text but of kind {memory.kind}, which grows by evidence: report what "
                "happened with memories.observe (`asterism observe`)",
            )
        rule = texts.TextRule(self._settings, await self.hours.reading())
        event = {"event_id": event_id or uuid.uuid4().hex, "ts": self._time(at), "memory": id}
        use = event | {"kind": kind, "quantity": quantity}
        try:
            async with writers(self._database):
                receipt = await Feed(self._database, rule, "text").observe([use])
        except InvalidInput as error:  # forgotten since it was looked for
            if error.argument != "id":
                raise
            raise NotFound("memory", id) from error
        if receipt.rejected:
            raise InvalidInput("kind", kind, receipt.rejected[0].reason)
        return await self.get(id)

    async def connect(self, a: str, b: str, type: str, *, weight: float | None = None) -> Edge:
        """Say how one memory bears on another: SUPPORTS, CONTRADICTS, ELABORATES or OUTCOME.

        Said again, it is the same edge. It does not fade, and no automatic edge is in its way.
        """
        return await connect(self._database, a, b, type, weight, await self.hours.in_hours())

    async def forget(self, id: str) -> Forgotten:
        """Remove a memory with all that names it, its vector too; says what went, checked.

        What only repeated it stands for itself again.
        """
        reading.check_id("id", id)
        return await self._forgetting.forget(id)

    async def _remember(self, items: list[texts.TextItem]) -> tuple[Receipt, list[str]]:
        active = await self.hours.reading()
        now = self._database.clock.now()
        key = realm_key(self._database.realm)
        rows = [texts.row(item, self._settings, now, active, key) for item in items]
        arrived = time.time_ns()  # the order of arrival, also where the graph's clock stands still
        for number, row in enumerate(rows):
            row["properties"]["arrival"] = arrived + number
        firsts: dict[str, Row] = {}
        for row in rows:
            firsts.setdefault(row["id"], row)
        work = partial(self._write, rows=list(firsts.values()), items=items)
        async with writers(self._database):
            receipt = await self._database.transaction(work, name="memories/remember")
        return receipt, [row["id"] for row in rows]

    async def _write(
        self, tx: Transaction, rows: list[Row], items: list[texts.TextItem]
    ) -> Receipt:
        """The memories, and the tags that repeated ones bring."""
        stored = {row["id"]: row for row in await _write(tx, rows)}
        rejected = repeats.rejections(items, stored)
        refused = {item.index for item in rejected}
        taken = [item for index, item in enumerate(items) if index not in refused]
        tags = repeats.new_tags(taken, stored, self._database.realm)
        if tags:
            await tx.rows("memories/add_tags", rows=tags)
        created = sum(row["created"] for row in stored.values())
        duplicate = len(items) - created - len(rejected)
        return Receipt(accepted=created, duplicate=duplicate, tagged=len(tags), rejected=rejected)

    async def _remember_batch(
        self,
        batch: list[tuple[int, texts.TextItem]],
        total: Receipt,
        on_progress: OnProgress | None,
    ) -> Receipt:
        if not batch:
            return total
        done, _ = await self._remember([item for _, item in batch])
        if on_progress:
            on_progress(len(batch))
        moved = [item.model_copy(update={"index": batch[item.index][0]}) for item in done.rejected]
        return Receipt(
            accepted=total.accepted + done.accepted,
            duplicate=total.duplicate + done.duplicate,
            tagged=total.tagged + done.tagged,
            rejected=[*total.rejected, *moved],
        )

    def _time(self, at: Moment | None) -> datetime:
        return self._database.clock.now() if at is None else aware(at)


async def _write(tx: Transaction, rows: list[Row]) -> list[Row]:
    """The memories, and for those that are new what questions find them by."""
    in_order = sorted(
        rows, key=lambda row: str(row["id"])
    )  # two writers take turns, not each other
    sessions = sorted({row["properties"]["session"] for row in rows} - {None})
    [answer] = await tx.rows("memories/remember", rows=in_order, sessions=sessions)
    told: list[Row] = answer["told"]
    created = {row["id"] for row in told if row["created"]}
    fresh = [{"id": row["id"]} | row["properties"] for row in rows if row["id"] in created]
    if fresh:
        if arrivals := notes.sessions(fresh):
            await tx.rows("recall/arrive", sessions=arrivals)
        await tx.rows(
            "recall/note",
            realm_key=fresh[0]["realm_key"],
            count=len(fresh),
            **notes.noted(fresh),
        )
    return told


def _given_id(raw: Any) -> str:
    return str(raw.get("id") or "") if isinstance(raw, dict) else ""
