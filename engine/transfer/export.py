"""A realm becomes a file."""

import asyncio
import os
from pathlib import Path

from engine import schema
from engine.database import Database, Row
from engine.errors import AsterismError, Conflict, InvalidInput, NotFound
from engine.private_files import PRIVATE
from engine.transfer import file, rows
from engine.transfer.model import Exported, Header, Model, OnProgress
from engine.transfer.spool import Spool


async def export(
    database: Database, path: Path, on_progress: OnProgress, mode: int = PRIVATE
) -> Exported:
    """Read everything in one statement, put it in order on disk, and write the file."""
    _require_folder(path)
    origin = await _origin(database)
    size = await database.row("transfer/size")
    assert size is not None
    total = 2 * (size["nodes"] + size["relationships"])  # read, and written
    with Spool() as spool:
        done = 0
        async for row in database.stream("transfer/everything"):
            _take(spool, row, database.realm)
            on_progress(done := done + 1, max(done, total))
        header = await _header(database, spool, origin)
        written = await asyncio.to_thread(
            file.write, path, header, spool.lines(), _Counting(done, total, on_progress), mode
        )
    return Exported(file=str(path), realm=database.realm, **written.model_dump())


async def _origin(database: Database) -> str:
    """Where a realm's content was first, for the header of every copy is the same."""
    row = await database.row("transfer/standing")
    if row is None:
        remedy = "`asterism realm list` shows which there are"
        raise NotFound("realm", database.realm, remedy, where="on this server")
    if row["importing"] is not None:
        raise Conflict(
            f"realm {database.realm!r} holds an unfinished import: repeat that import first, "
            "or delete the realm"
        )
    return str(row["origin"] or database.realm)


def _take(spool: Spool, row: Row, realm: str) -> None:
    try:
        start = rows.end(row["labels"], row["key"])
        if row["type"] is None:
            spool.node(start, rows.node_line(row["labels"], row["pairs"], realm))
        else:
            to = rows.end(row["end_labels"], row["end_key"])
            line = rows.relationship_line(row["type"], start, to, row["pairs"], realm)
            spool.relationship(row["element"], row["type"], start, to, line)
    except ValueError as error:
        what = row["type"] or ":".join(row["labels"])
        raise AsterismError(
            f"{what} {row['key']!r} can't be exported, {error}: remove it, or back the whole "
            "server up with `asterism backup`"
        ) from error


async def _header(database: Database, spool: Spool, origin: str) -> Header:
    await asyncio.to_thread(spool.drop_loose)
    nodes, relationships = spool.counts()
    model = await database.row("embedding/model")
    return Header(
        schema_version=schema.version(),
        engine=file.engine_version(),
        realm=origin,
        model=Model(**model) if model else None,
        nodes=nodes,
        relationships=relationships,
    )


class _Counting:
    """Counts lines that are written on top of what was read."""

    def __init__(self, done: int, total: int, on_progress: OnProgress) -> None:
        self._done, self._total, self._on_progress = done, total, on_progress

    def __call__(self) -> None:
        self._done += 1
        self._on_progress(self._done, max(self._done, self._total))


def _require_folder(path: Path) -> None:
    """Say so before anything is read that nothing can be written."""
    folder = path.absolute().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK) or path.is_dir():
        raise InvalidInput("file", str(path), "give a file's name in a folder you can write to")
