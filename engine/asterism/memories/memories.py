"""Public commands and reads of memories: texts and price levels of one realm."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from asterism.active_hours import ActiveHours
from asterism.answer_changes import AnswerWatch, NoWatch
from asterism.clock import Moment, aware
from asterism.database import Database
from asterism.memories.archiving import archive_due
from asterism.memories.corrected_ground import CorrectedGround, CorrectedGrounds
from asterism.memories.corrections import Corrections
from asterism.memories.edges import Edge, connect
from asterism.memories.evidence_rule import EvidenceRule
from asterism.memories.files.importer import Importer
from asterism.memories.files.models import Format, ImportOptions, ImportReport, Unknown
from asterism.memories.forgetting import Forgetting, VectorFiles
from asterism.memories.ingest import Ingest
from asterism.memories.item_checks import require_key
from asterism.memories.listing import Listing, Order
from asterism.memories.market.models import MarketLevel
from asterism.memories.market.price_levels import PriceLevelRule
from asterism.memories.memory_reader import MemoryReader
from asterism.memories.message_writer import MessageWriter
from asterism.memories.models import (
    Forgotten,
    ForgottenMany,
    HistoryEntry,
    Memory,
    MessagesReceipt,
    Page,
    Proposal,
    Receipt,
)
from asterism.memories.proposals import Proposals
from asterism.memories.reinforcement import Reinforcement
from asterism.memories.text_writer import OnProgress, TextWriter
from asterism.memories.updates import Updates
from asterism.memory_filter import Conditions, MemoryFilter, build_filter
from asterism.metadata import Scalar
from asterism.settings.memories import Lasts
from asterism.timestamps import to_micros
from asterism.validation import require_flag

NO_LIMIT = 1_000_000


class Memories:
    """Texts and price levels: remember, observe, read, reinforce and forget them."""

    def __init__(
        self,
        database: Database,
        hours: ActiveHours,
        vector_files: VectorFiles,
        answers: AnswerWatch | None = None,
    ) -> None:
        self._database = database
        self._answers = answers or NoWatch()
        self._settings = database.settings.memories
        self._writer = TextWriter(database, hours)
        self._corrections = Corrections(database, hours, self._writer)
        self._grounds = CorrectedGrounds(database)
        self._updates = Updates(database, hours, vector_files)
        self._reader = MemoryReader(database, hours)
        self._reinforcement = Reinforcement(database, hours, self._reader)
        self._listing = Listing(database, hours)
        self._forgetting = Forgetting(database, self._listing, vector_files)
        self._proposals = Proposals(database, self._corrections)
        self.hours = hours

    async def observe(
        self,
        items: Iterable[Any],
        *,
        source: str,
        rule: EvidenceRule | None = None,
        on_progress: OnProgress | None = None,
    ) -> Receipt:
        """Apply items of evidence. When this returns, every accepted one is in the graph.

        A repeated call changes nothing: recorded items are counted as duplicates, and a recorded id
        with other content is named in the receipt. An event id belongs to its source.
        """
        ingest = Ingest(self._database, rule or PriceLevelRule(self._settings), source)
        return await ingest.observe(items, on_progress)

    async def decay_pass(self, at: Moment | None = None) -> None:
        """Commit the decay up to a time: later interactions build on what is left then."""
        await self._database.rows("memories/decay_pass", moment=to_micros(self._time(at)))

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
        """Return a symbol's levels, all or those near a price, strongest first."""
        return await self._reader.levels(
            symbol, near=near, bps=bps, side=side, minimum=minimum, at=at, limit=limit
        )

    async def level(self, id: str, *, at: Moment | None = None) -> MarketLevel:
        """Return one price level, archived or not, as of a time."""
        return await self._reader.level(id, at)

    async def get(self, id: str, *, at: Moment | None = None) -> Memory:
        """Return one memory of any kind, as of a time."""
        return await self._reader.get(id, at)

    async def history(self, id: str, *, limit: int = 1000) -> list[HistoryEntry]:
        """Return the evidence of a memory with its updates and corrections, newest first."""
        return await self._reader.history(id, limit)

    async def archive(self, at: Moment | None = None) -> int:
        """Mark memories that have faded below their end, and return how many."""
        return await archive_due(self._database, self._time(at), await self.hours.reading(at))

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
        metadata: Mapping[str, Scalar] | None = None,
        valid_from: Moment | None = None,
        valid_to: Moment | None = None,
        language: str | None = None,
    ) -> Memory:
        """Remember a text, which waits for consolidation. The same again is the same memory.

        Tags of a repeated text are added to the stored ones. If another argument differs from what
        is stored, Conflict names it, and nothing is written. `lasts` is ephemeral, standard,
        durable (the default) or permanent: half of the strength is lost after 14, 69, 693 or 69,315
        active hours without use. `metadata` are facts of your own, by which filters narrow. What
        it says is true from `valid_from` to `valid_to`, without them always: recall leaves out
        what is not true yet, and ranks lower what is over. `language` is a code such as "de", for
        a text whose words do not tell. `unchanged` of the result says that all was stored before.
        """
        fields: dict[str, Any] = {"text": text, "tags": tags, "category": category, "id": id}
        fields |= {"session": session, "speaker": speaker, "about": about, "actor": actor}
        fields |= {"at": at, "lasts": lasts, "metadata": metadata}
        fields |= {"valid_from": valid_from, "valid_to": valid_to, "language": language}
        id, receipt = await self._writer.remember_one(fields)
        stored_before = receipt.duplicate > 0 and not receipt.tagged
        return (await self.get(id)).model_copy(update={"unchanged": stored_before})

    async def remember_many(
        self, items: Iterable[Any], *, on_progress: OnProgress | None = None
    ) -> Receipt:
        """Remember thousands of texts in batches: plain words, or items with fields.

        Bad ones are rejected in the receipt.
        """
        return await self._writer.remember_many(items, on_progress)

    async def remember_messages(
        self,
        messages: Iterable[Any],
        *,
        session: str,
        at: Moment | None = None,
        roles: Sequence[str] = ("user", "assistant"),
        tags: Sequence[str] = (),
        category: str = "message",
        actor: str | None = None,
        lasts: Lasts | None = None,
        metadata: Mapping[str, Scalar] | None = None,
        on_progress: OnProgress | None = None,
    ) -> MessagesReceipt:
        """Remember messages of a conversation, as chat APIs have them, in their order.

        Give the whole conversation at every turn, its end, or the latest turn alone: what is
        stored is recognised and left as it is, and only the rest is added. The same words twice
        are two messages. Those of other roles, and those without text, are left out and counted.
        """
        shared: dict[str, Any] = {"tags": tags, "category": category, "actor": actor}
        shared |= {"lasts": lasts, "metadata": metadata or {}}
        writer = MessageWriter(self._database, self._writer)
        return await writer.remember(messages, session, at, roles, shared, on_progress)

    async def import_file(
        self,
        path: str | PathLike[str],
        *,
        format: Format | None = None,
        source: str | None = None,
        session: str | None = None,
        text_column: str | None = None,
        unknown: Unknown = "metadata",
        split_above: int = 2000,
        tags: Sequence[str] = (),
        category: str = "",
        actor: str | None = None,
        lasts: Lasts | None = None,
        forget_missing: bool = False,
        dry_run: bool = False,
        on_progress: OnProgress | None = None,
    ) -> ImportReport:
        """Remember what a file holds: JSON lines, CSV, Markdown, or a folder of Markdown files.

        The same again changes nothing. A row with an id, and each piece of a Markdown file, stays
        one memory when it is edited. Unknown fields become metadata, or are refused. Lines with a
        role are messages of a conversation. `forget_missing` forgets the pieces that are gone.
        """
        shared: dict[str, Any] = {"tags": tags, "category": category, "actor": actor}
        shared |= {"lasts": lasts}
        options = ImportOptions(format, source, session, text_column, unknown, split_above, shared)
        importer = Importer(self._database, self, Path(path), options, self._answers)
        return await importer.run(on_progress, dry_run=dry_run, forget_missing=forget_missing)

    async def update(
        self,
        id: str,
        *,
        text: str | None = None,
        tags: Sequence[str] | None = None,
        category: str | None = None,
        about: str | None = None,
        speaker: str | None = None,
        lasts: Lasts | None = None,
        metadata: Mapping[str, Scalar] | None = None,
    ) -> Memory:
        """Give a text another content under its id. What it was stays in its history.

        What is None stays as it is, and what is empty is removed, except the text. It is embedded
        again before the next question, and waits for consolidation, which draws its edges again.
        Strength and use stay. `unchanged` of the result says that there was nothing to change.
        """
        fields: dict[str, Any] = {"text": text, "tags": tags, "category": category, "about": about}
        fields |= {"speaker": speaker, "lasts": lasts, "metadata": metadata}
        new_fields = {name: value for name, value in fields.items() if value is not None}
        updated = await self._updates.update(id, new_fields)
        return (await self.get(id)).model_copy(update={"unchanged": not updated})

    async def correct(
        self,
        old: str,
        text: str,
        *,
        valid_from: Moment | None = None,
        reason: str | None = None,
        tags: Sequence[str] | None = None,
        category: str | None = None,
        actor: str | None = None,
        session: str | None = None,
        speaker: str | None = None,
        about: str | None = None,
        at: Moment | None = None,
        id: str | None = None,
        lasts: Lasts | None = None,
        metadata: Mapping[str, Scalar] | None = None,
    ) -> Memory:
        """Remember what is true now in the place of a memory, which stays as history.

        Fields that are not given are those of the old memory, except the session. What was true
        ends at `valid_from`, or when the new text was said. If the old memory is superseded
        already, its latest successor is corrected. The same again is the same memory.
        """
        fields: dict[str, Any] = {"tags": tags, "category": category, "actor": actor, "at": at}
        fields |= {"session": session, "speaker": speaker, "about": about, "id": id}
        fields |= {"valid_from": valid_from, "metadata": metadata, "lasts": lasts}
        new_fields = {name: value for name, value in fields.items() if value is not None}
        return await self.get(await self._corrections.correct(old, text, reason, new_fields))

    async def supersede(
        self, old: str, new: str, *, at: Moment | None = None, reason: str | None = None
    ) -> Memory:
        """Make one text the successor of another, and return the successor.

        What the old one says was true until `at`: without it, until the new one is valid, or was
        said. It stays as history: recall puts it below its successor, and first when asked as of
        a time before the change. The same again changes nothing.
        """
        await self._corrections.supersede(old, new, at, reason)
        return await self.get(new)

    async def unsupersede(self, old: str) -> Memory:
        """Take back that a memory was superseded, and return it. Twice changes nothing."""
        await self._corrections.unsupersede(old)
        return await self.get(old)

    async def corrected_ground(
        self, id: str | None = None, *, limit: int = 100
    ) -> list[CorrectedGround]:
        """Return what stands on a superseded memory, or on any, and was not confirmed since."""
        return await self._grounds.find(id, limit)

    async def confirm(self, old: str) -> int:
        """Confirm what stands on a superseded memory, and return how much that was.

        Twice changes nothing. `unsupersede` forgets it.
        """
        return await self._grounds.confirm(old)

    async def reinforce(
        self,
        id: str,
        kind: str = "recall",
        *,
        quantity: float = 1.0,
        at: Moment | None = None,
        event_id: str | None = None,
    ) -> Memory:
        """Record the use of a text: recall, repetition, confirmation, contradiction or outcome.

        An `outcome` has a quantity from 0, bad, to 1, good. With an `event_id` of your own, the
        same event counts once, however often it is reported.
        """
        await self._reinforcement.reinforce(id, kind, quantity, at, event_id)
        return await self.get(id)

    async def connect(self, a: str, b: str, type: str, *, weight: float | None = None) -> Edge:
        """Draw an edge between memories: SUPPORTS, CONTRADICTS, ELABORATES or OUTCOME.

        Drawn again, it is the same edge. It does not fade, and no automatic edge is in its way.
        """
        return await connect(self._database, a, b, type, weight, await self.hours.in_hours())

    async def proposals(self, *, limit: int = 100, state: str | None = "open") -> list[Proposal]:
        """Return texts that may say what holds now in the place of others, the surest first.

        Consolidation proposes them. `state` is open, accepted, dismissed, or None for all.
        """
        return await self._proposals.find(limit, state)

    async def accept(self, id: str) -> Proposal:
        """Accept a proposal: its new text supersedes the old one. Twice changes nothing."""
        return await self._proposals.accept(id)

    async def dismiss(self, id: str) -> Proposal:
        """Dismiss a proposal: both texts hold, and it is never proposed again."""
        return await self._proposals.dismiss(id)

    async def forget(self, id: str) -> Forgotten:
        """Remove a memory with everything that names it, its vector too, and check that.

        A text that only repeated it stands for itself again.
        """
        require_key("id", id)
        return await self._forgetting.forget(id)

    async def forget_where(
        self,
        *,
        dry_run: bool = True,
        on_progress: OnProgress | None = None,
        filter: MemoryFilter | None = None,
        **conditions: Unpack[Conditions],
    ) -> ForgottenMany:
        """Count the texts that pass a filter, and with `dry_run=False` remove all of them.

        It goes in batches, each as `forget` does it. Whatever stops it, repeat the call: it goes on
        with those that are left. Without any condition it is refused.
        """
        return await self._forgetting.forget_where(
            build_filter(filter, conditions),
            dry_run=require_flag("dry_run", dry_run),
            on_progress=on_progress,
        )

    async def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Order = "newest",
        filter: MemoryFilter | None = None,
        **conditions: Unpack[Conditions],
    ) -> Page:
        """Return a page of the text memories that pass a filter, archived ones as well.

        The order is by the time at which they were said, `newest` or `oldest` first, or by `id`.
        `after` is `next` of the page before. Whoever writes meanwhile makes no memory come twice,
        and none that is there throughout is left out. `state="active"` leaves archived ones out.
        """
        return await self._listing.page(build_filter(filter, conditions), limit, after, order)

    async def each(
        self,
        *,
        order: Order = "newest",
        filter: MemoryFilter | None = None,
        **conditions: Unpack[Conditions],
    ) -> AsyncIterator[Memory]:
        """Yield every text memory that passes a filter, in the order of `list`."""
        async for page in self._listing.pages(build_filter(filter, conditions), order):
            for memory in page.items:
                yield memory

    async def count(
        self, *, filter: MemoryFilter | None = None, **conditions: Unpack[Conditions]
    ) -> int:
        """Return how many text memories pass a filter, archived ones as well."""
        return await self._listing.count(build_filter(filter, conditions))

    def _time(self, at: Moment | None) -> datetime:
        return self._database.clock.now() if at is None else aware(at)
