"""Imports files: each row or piece becomes one memory, created, updated or found the same."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, TypedDict, cast

from asterism.answer_changes import AnswerWatch
from asterism.database import Database, Row
from asterism.errors import AsterismError, Conflict, InvalidInput
from asterism.memories import text_items
from asterism.memories.files.models import (
    FileRow,
    ImportOptions,
    ImportReport,
    RejectedRow,
)
from asterism.memories.files.reader import FileReader
from asterism.memories.models import Forgotten, MessagesReceipt, Receipt
from asterism.memories.text_items import TextItem
from asterism.metadata import to_json
from asterism.row_types import row_of

BATCH = 500
UPDATABLE = ("text", "tags", "category", "about", "speaker", "lasts", "metadata")
COMPARED = ("tags", "category", "actor", "session", "speaker", "about", "at", "lasts", "metadata")
OnRows = Callable[[int], None]


@row_of("memories/stored_fields")
class StoredFields(TypedDict):
    """Row of memories/stored_fields."""

    id: str
    text: str
    fields: Row


class Writers(Protocol):
    """The calls of memories that an import makes."""

    @property
    def remember_many(self) -> Callable[..., Awaitable[Receipt]]: ...
    @property
    def remember_messages(self) -> Callable[..., Awaitable[MessagesReceipt]]: ...
    @property
    def update(self) -> Callable[..., Awaitable[object]]: ...
    @property
    def forget(self) -> Callable[[str], Awaitable[Forgotten]]: ...


@dataclass
class Progress:
    """Counts of an import so far."""

    rows: int = 0
    created: int = 0
    updated: int = 0
    same: int = 0
    forgotten: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    changed: list[str] = field(default_factory=list)
    rejected: list[RejectedRow] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    failed_files: set[str] = field(default_factory=set)

    def reject(self, row: FileRow, reason: str) -> None:
        self.rejected.append(RejectedRow(file=row.file, line=row.line, reason=reason))
        self.failed_files.add(row.file)


class Importer:
    """Imports the rows of files into one realm. The same files again change nothing."""

    def __init__(
        self,
        database: Database,
        writers: Writers,
        path: Path,
        options: ImportOptions,
        answers: AnswerWatch,
    ) -> None:
        self._database = database
        self._writers = writers
        self._reader = FileReader(path, options)
        self._options = options
        self._answers = answers
        self._dry_run = False
        self._progress = Progress()

    async def run(
        self, on_rows: OnRows | None, *, dry_run: bool, forget_missing: bool
    ) -> ImportReport:
        """Import every row, then look for pieces that the files do not hold any more."""
        self._dry_run = dry_run
        rows = iter(self._reader)
        messages: list[FileRow] = []
        while batch := list(islice(rows, BATCH)):
            self._progress.rows += len(batch)
            messages += [row for row in batch if row.is_message]
            await self._import_texts([row for row in batch if not row.is_message])
            if on_rows:
                on_rows(len(batch))
        await self._import_messages(messages)
        vanished = await self._vanished()
        if forget_missing and not dry_run:
            for id in vanished:
                self._progress.forgotten += (await self._writers.forget(id)).memories
        answers = [] if dry_run else await self._answers.changes()
        return self._report(vanished).model_copy(update={"answers_changed": answers})

    async def _import_texts(self, rows: Sequence[FileRow]) -> None:
        items = [(row, item) for row in rows if (item := self._parsed(row)) is not None]
        by_id = {text_items.identity(item): (row, item) for row, item in items}
        for row, item in items:
            id = text_items.identity(item)
            if by_id[id][0] is not row:
                self._resolve_twin(row, item, by_id[id][1])
        answer = await self._database.rows("memories/stored_fields", ids=sorted(by_id))
        stored = {row["id"]: cast(StoredFields, row) for row in answer}
        new: list[tuple[FileRow, TextItem]] = []
        for id, (row, item) in by_id.items():
            if id not in stored or (item.id is None and not self._dry_run):
                new.append((row, item))
            elif differing := _differences(item, stored[id]):
                await self._change(row, id, item, differing)
            else:
                self._progress.same += 1
        await self._create(new)

    def _resolve_twin(self, row: FileRow, item: TextItem, last: TextItem) -> None:
        """Count a row whose id comes again: the same is the same, another is refused."""
        if item == last:
            self._progress.same += 1
        else:
            self._progress.reject(row, f"id={item.id!r}: a later row has this id as well")

    def _parsed(self, row: FileRow) -> TextItem | None:
        if row.reason:
            self._progress.reject(row, row.reason)
            return None
        fields = _with_shared(row.fields, self._options)
        try:
            item = text_items.parse(fields, self._database.settings.memories.text_bytes)
        except InvalidInput as error:
            self._progress.reject(row, str(error))
            return None
        self._progress.ids.add(text_items.identity(item))
        return item

    async def _create(self, new: Sequence[tuple[FileRow, TextItem]]) -> None:
        if self._dry_run or not new:
            self._progress.created += len(new)
            return
        receipt = await self._writers.remember_many([item for _, item in new])
        self._progress.created += receipt.accepted
        self._progress.same += receipt.duplicate
        for item in receipt.rejected:
            self._progress.reject(new[item.index][0], item.reason)

    async def _change(self, row: FileRow, id: str, item: TextItem, differing: list[str]) -> None:
        """Update a memory whose file says something else now, if that can be."""
        if not set(differing) <= set(UPDATABLE):
            self._progress.changed.append(id)
        elif self._dry_run:
            self._progress.updated += 1
        else:
            fields = {name: getattr(item, name) for name in differing}
            try:
                await self._writers.update(id, **fields)
            except (InvalidInput, Conflict) as error:
                self._progress.reject(row, str(error))
            else:
                self._progress.updated += 1

    async def _import_messages(self, rows: Sequence[FileRow]) -> None:
        """Remember messages, those of each session in their order."""
        sessions: dict[str, list[FileRow]] = {}
        for row in rows:
            session = row.fields.get("session") or self._options.session
            if isinstance(session, str) and session:
                sessions.setdefault(session, []).append(row)
            else:
                self._progress.reject(row, "it has no session: give one for the whole file")
        for session, own in sessions.items():
            await self._import_session(session, own)

    async def _import_session(self, session: str, rows: Sequence[FileRow]) -> None:
        if self._dry_run:
            self._progress.left_out["message, not compared in a dry run"] += len(rows)
            return
        shared = {name: value for name, value in self._options.shared.items() if value}
        try:
            receipt = await self._writers.remember_messages(
                [row.fields for row in rows], session=session, **shared
            )
        except AsterismError as error:
            for row in rows:
                self._progress.reject(row, str(error))
            return
        self._progress.created += receipt.accepted
        self._progress.same += receipt.duplicate
        self._progress.left_out.update(receipt.left_out)
        for item in receipt.rejected:
            self._progress.reject(rows[item.index], item.reason)

    async def _vanished(self) -> list[str]:
        """Return the pieces of these files that are gone, but for files that could not be read."""
        if self._reader.format != "markdown":
            return []
        prefix = f"{self._reader.source}/"
        rows = await self._database.rows("memories/ids_of_files", prefix=prefix)
        return [
            row["id"]
            for row in rows
            if self._reader.owns(row["id"])
            and row["id"] not in self._progress.ids
            and row["id"].partition("#")[0] not in self._progress.failed_files
        ]

    def _report(self, vanished: list[str]) -> ImportReport:
        progress = self._progress
        return ImportReport(
            files=len(self._reader.files),
            rows=progress.rows,
            created=progress.created,
            updated=progress.updated,
            same=progress.same,
            left_out=dict(progress.left_out),
            changed=progress.changed,
            rejected=progress.rejected,
            vanished=vanished,
            forgotten=progress.forgotten,
            dry_run=self._dry_run,
        )


def _with_shared(fields: Mapping[str, Any], options: ImportOptions) -> dict[str, Any]:
    """Return fields of a text with what belongs to all texts, where they say nothing else."""
    result = dict(fields)
    for name, value in _shared(options):
        if name == "tags":
            result["tags"] = [*(result.get("tags") or ()), *value]
        elif result.get(name) in (None, ""):
            result[name] = value
    return result


def _shared(options: ImportOptions) -> Iterator[tuple[str, Any]]:
    yield from ((name, value) for name, value in options.shared.items() if value)
    if options.session:
        yield "session", options.session


def _differences(item: TextItem, stored: StoredFields) -> list[str]:
    """Return the fields in which a text differs from what is stored. What it leaves out stays."""
    fields = stored["fields"]
    same_text = item.id is None or item.text.strip() == stored["text"].strip()
    names = [] if same_text else ["text"]
    for name in COMPARED:
        value, old = getattr(item, name), fields[name]
        if name == "metadata":
            value = to_json(value)
        elif name == "tags":
            value, old = sorted(value), sorted(old or ())
        if value and value != old:
            names.append(name)
    return names
