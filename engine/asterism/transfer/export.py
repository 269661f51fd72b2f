"""Export: writes a realm to a file."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

from asterism import schema
from asterism.active_hours import ActiveHours
from asterism.database import Database
from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.memory_filter import MemoryFilter
from asterism.private_files import PRIVATE
from asterism.transfer import realm_file
from asterism.transfer.contents import NodeRow, add
from asterism.transfer.disk_sort import DiskSort
from asterism.transfer.models import Exported, Header, Model, OnProgress
from asterism.transfer.selection import Selection, select


async def export(
    database: Database,
    path: Path,
    on_progress: OnProgress | None,
    mode: int = PRIVATE,
    *,
    filter: MemoryFilter | None = None,
    hours: ActiveHours | None = None,
) -> Exported:
    """Read everything in one statement, put it in order on disk, and write the file.

    With a filter, only the text memories that pass go on, and what is theirs alone.
    """
    _require_folder(path)
    report = on_progress or (lambda done, total: None)
    origin = await _origin(database)
    selection = None
    if filter is not None and not filter.empty:
        selection = await select(database, filter, hours or ActiveHours(database))
    size = await database.one("transfer/count_contents")
    total = 2 * (size["nodes"] + size["relationships"])  # read, and written
    with DiskSort() as rows_on_disk:
        count = await _read(database, rows_on_disk, selection, total, report)
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
        **footer.model_dump(),
    )


async def _read(
    database: Database,
    rows_on_disk: DiskSort,
    selection: Selection | None,
    total: int,
    report: OnProgress,
) -> int:
    """Put the rows of a realm that are selected on disk, and return how many were read."""
    count = 0
    async for row in database.stream("transfer/read_contents"):
        for content in NodeRow(**row).contents():
            for selected in selection.keep(content) if selection else (content,):
                add(rows_on_disk, selected, database.realm)
            count += 1
        report(count, max(count, total))
    for added in selection.rest() if selection else ():
        add(rows_on_disk, added, database.realm)
    return count


async def _origin(database: Database) -> str:
    """Return the realm whose content this was first, which every copy names in its header."""
    row = await database.row("transfer/import_state")
    if row is None:
        remedy = "`asterism realm list` shows which there are"
        raise NotFound("realm", database.realm, remedy, where="on this server")
    if row["importing"] is not None:
        raise Conflict(
            f"realm {database.realm!r} holds an unfinished import: repeat that import first, "
            "or delete the realm"
        )
    return str(row["origin"] or database.realm)


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
