"""Export: writes a realm to a file."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from asterism import schema
from asterism.active_hours import ActiveHours
from asterism.database import Database, Transaction
from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.memory_filter import MemoryFilter
from asterism.private_files import PRIVATE
from asterism.row_types import row_of
from asterism.transfer import realm_file
from asterism.transfer.contents import PageRow, add, following
from asterism.transfer.disk_sort import DiskSort
from asterism.transfer.models import Exported, Header, Model, OnProgress
from asterism.transfer.read_ahead import in_thread, read_ahead
from asterism.transfer.rows import NAMED_BY, ONE_EACH
from asterism.transfer.selection import Selection, select

PAGE = 1000  # nodes of a label that are read at once
LOCKED_SECONDS = 20.0  # that those who write may have to wait
WRITTEN_TO = (
    "Texts were written to realm {!r} while it was read, which took too long to let them wait: "
    "counts of names and words may be off by as many. Export it again when nobody writes."
)


@row_of("transfer/import_state")
class RealmState(NamedTuple):
    """Row of transfer/import_state."""

    importing: str | None
    origin: str | None
    counts: list[int | None]


async def export(
    database: Database,
    path: Path,
    on_progress: OnProgress | None,
    mode: int = PRIVATE,
    *,
    filter: MemoryFilter | None = None,
    hours: ActiveHours | None = None,
) -> Exported:
    """Read everything page by page, put it in order on disk, and write the file.

    With a filter, only the text memories that pass go on, and what is theirs alone.
    """
    _require_folder(path)
    report = on_progress or (lambda done, total: None)
    state = await _state(database)
    origin = state.origin or database.realm
    selection = None
    if filter is not None and not filter.empty:
        selection = await select(database, filter, hours or ActiveHours(database))
    size = await database.one("transfer/count_contents")
    total = 2 * (size["nodes"] + size["relationships"])  # read, and written
    with DiskSort() as rows_on_disk:

        def on_read(number: int) -> None:
            report(number, max(number, total))

        warnings: tuple[str, ...] = ()
        if selection:
            count = await _read(database, rows_on_disk, selection, on_read)
        else:
            count, warnings = await _read_whole(database, rows_on_disk, state.counts, on_read)
        header = await _header(database, rows_on_disk, origin)

        def lines() -> Iterator[bytes]:
            for number, line in enumerate(rows_on_disk.lines(), count + 1):
                report(number, max(number, total))
                yield line

        footer = await asyncio.to_thread(realm_file.write, path, header, lines(), mode)
    return Exported(
        file=str(path),
        realm=database.realm,
        filter=str(filter) if selection else "",
        left_out=selection.left_out if selection else {},
        warnings=warnings,
        **footer.model_dump(),
    )


async def _read(
    database: Database,
    rows_on_disk: DiskSort,
    selection: Selection | None,
    on_read: Callable[[int], None],
) -> int:
    """Put the rows of a realm that are selected on disk, and return how many were read."""
    count = 0

    def add_page(page: list[PageRow]) -> None:
        nonlocal count
        for content in chain.from_iterable(row.contents() for row in page):
            for selected in selection.keep(content) if selection else (content,):
                add(rows_on_disk, selected, database.realm)
            count += 1

    pages = _pages(database)
    async with aclosing(read_ahead(lambda: _next(pages))) as ahead:
        async for page in ahead:
            await in_thread(add_page, page)
            on_read(count)
    for added in selection.rest() if selection else ():
        add(rows_on_disk, added, database.realm)
    return count


async def _read_whole(
    database: Database,
    rows_on_disk: DiskSort,
    counts: list[int | None],
    on_read: Callable[[int], None],
) -> tuple[int, tuple[str, ...]]:
    """Read all, again if these counts have changed, and return how much, and warnings."""
    began = time.monotonic()
    count = await _read(database, rows_on_disk, None, on_read)
    if (await _state(database)).counts == counts:
        return count, ()
    if time.monotonic() - began > LOCKED_SECONDS:
        return count, (WRITTEN_TO.format(database.realm),)
    return await _read_alone(database, rows_on_disk, on_read), ()


async def _read_alone(
    database: Database, rows_on_disk: DiskSort, on_read: Callable[[int], None]
) -> int:
    """Read anew while those who write texts wait: counts of names and words fit the texts."""

    async def work(tx: Transaction) -> int:
        await tx.row("transfer/lock_realm")
        await asyncio.to_thread(rows_on_disk.clear)
        return await _read(database, rows_on_disk, None, on_read)

    return await database.transaction(work, name="transfer")


async def _pages(database: Database) -> AsyncIterator[list[PageRow]]:
    """Yield every node of the realm once, with what starts there, a page at a time."""
    begin = dict.fromkeys((*NAMED_BY, *ONE_EACH), "")
    while begin:
        rows = await database.unconverted("transfer/read_page", begin=begin, limit=PAGE)
        page = [PageRow(**row) for row in rows]
        yield page
        begin = following(page, PAGE)


async def _next(pages: AsyncIterator[list[PageRow]]) -> list[PageRow] | None:
    return await anext(pages, None)


async def _state(database: Database) -> RealmState:
    """Return the origin of the realm, which every copy names in its header, and its counts."""
    row = await database.row("transfer/import_state")
    if row is None:
        remedy = "`asterism realm list` shows which there are"
        raise NotFound("realm", database.realm, remedy, where="on this server")
    state = RealmState(**row)
    if state.importing is not None:
        raise Conflict(
            f"realm {database.realm!r} holds an unfinished import: repeat that import first, "
            "or delete the realm"
        )
    return state


async def _header(database: Database, rows_on_disk: DiskSort, origin: str) -> Header:
    await asyncio.to_thread(rows_on_disk.delete_dangling)
    nodes, relationships = rows_on_disk.counts()
    model = await database.row("embedding/model")
    return Header(
        schema_version=schema.version(),
        engine=realm_file.engine_version(),
        realm=origin,
        model=Model(**model) if model else None,
        nodes=nodes,
        relationships=relationships,
    )


def _require_folder(path: Path) -> None:
    """Refuse a file that can't be written before anything is read."""
    folder = path.absolute().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK) or path.is_dir():
        raise InvalidInput("file", str(path), "give a file's name in a folder you can write to")
