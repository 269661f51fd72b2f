"""Rewrite of the local database: the same realms in new files, without bytes of deleted content.

Neo4j keeps deleted texts and vectors in freed records, index segments and its transaction log, and
its Community edition can't be told to overwrite them. So the realms are exported, a new database is
filled from the exports and compared with them, and the files of the old one are deleted.
"""

import asyncio
import filecmp
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from asterism import connection, schema
from asterism.base_model import Frozen
from asterism.clock import SystemClock
from asterism.database import Database
from asterism.errors import Conflict, LocalServerError
from asterism.local import database_files, processes, server, server_health
from asterism.local.home import Home, State
from asterism.realms import Realms
from asterism.settings import Settings

OnStage = Callable[[str, int, int], None]


class Rewritten(Frozen):
    """Result of a rewrite."""

    realms: list[str]
    nodes: int
    relationships: int
    bytes_before: int
    bytes_after: int
    seconds: float


@dataclass(frozen=True)
class _Copy:
    """Export of one realm, in a file that goes with the rewrite."""

    realm: str
    file: Path
    nodes: int
    relationships: int


def rewrite(home: Home, settings: Settings, on_stage: OnStage) -> Rewritten:
    """Exchange the database for a new one with the same realms. An error leaves the old one."""
    _require_local()
    start = time.monotonic()
    if not database_files.exists(home):
        raise LocalServerError(f"there is no database in {home.root}: run `asterism up` first")
    with server.exclusive(home):
        server.undo_unfinished(home)
        bytes_before = database_files.size(home)
        _require_alone(home)
        _require_room(home, bytes_before)
        with server.paused(home, settings.local, "the database is rewritten"):
            try:
                copies = _exchange(home, settings, on_stage)
            finally:
                database_files.put_back(home)
            bytes_after = database_files.size(home)
    return Rewritten(
        realms=[copy.realm for copy in copies],
        nodes=sum(copy.nodes for copy in copies),
        relationships=sum(copy.relationships for copy in copies),
        bytes_before=bytes_before,
        bytes_after=bytes_after,
        seconds=round(time.monotonic() - start, 1),
    )


def _exchange(home: Home, settings: Settings, on_stage: OnStage) -> list[_Copy]:
    """Copy the realms into a new database, on servers that no other process can find."""
    folder = database_files.export_folder(home)
    folder.mkdir(mode=0o700)
    with server.hidden(home, settings.local) as state:
        copies = asyncio.run(_export(home, state, settings, folder, on_stage))
    database_files.set_aside(home)
    with server.hidden(home, settings.local) as state:
        asyncio.run(_import(home, state, settings, copies, on_stage))
    database_files.delete_set_aside(home)
    return copies


async def _export(
    home: Home, state: State, settings: Settings, folder: Path, on_stage: OnStage
) -> list[_Copy]:
    """Export every realm, and see that nothing in the database is left out."""
    async with _opened(home, state, settings) as database:
        realms = Realms(database)
        summaries = await realms.list()
        if broken := [each.name for each in summaries if each.unfinished or each.damaged]:
            raise Conflict(
                f"these realms are damaged or hold an unfinished import: {', '.join(broken)}. "
                "Repeat the import or delete them, and then rewrite: nothing was changed"
            )
        progress = partial(on_stage, "exporting")
        copies = []
        for number, each in enumerate(summaries):
            file = folder / f"{number}.jsonl.gz"
            report = await realms.export(file, name=each.name, on_progress=progress)
            copies.append(_Copy(each.name, file, report.nodes, report.relationships))
        await _require_counts(database, copies)
    return copies


async def _import(
    home: Home, state: State, settings: Settings, copies: list[_Copy], on_stage: OnStage
) -> None:
    """Fill the new database, and compare it with the exports."""
    async with _opened(home, state, settings) as database:
        realms = Realms(database)
        for copy in copies:
            progress = partial(on_stage, "importing")
            await realms.load(copy.file, name=copy.realm, on_progress=progress)
            again = copy.file.with_name("again.jsonl.gz")
            progress = partial(on_stage, "comparing")
            await realms.export(again, name=copy.realm, on_progress=progress)
            if not filecmp.cmp(copy.file, again, shallow=False):
                raise Conflict(
                    f"realm {copy.realm!r} differs in the new database: the old one stays as it "
                    "was. Please report this"
                )
            again.unlink()
        await _require_counts(database, copies)


async def _require_counts(database: Database, copies: list[_Copy]) -> None:
    """Refuse a database that holds what no export has, such as nodes without a realm."""
    counts = await database.one("realms/count_all")
    nodes = counts["nodes"] - sum(copy.nodes for copy in copies)
    relationships = counts["relationships"] - sum(copy.relationships for copy in copies)
    if nodes or relationships:
        raise Conflict(
            f"{nodes} nodes and {relationships} relationships of this database are in no export, "
            "as if they were made by something else than Asterism: remove them, and then rewrite. "
            "Nothing was changed"
        )


@asynccontextmanager
async def _opened(home: Home, state: State, settings: Settings) -> AsyncIterator[Database]:
    auth = (server.USER, server.password(home))
    clock = SystemClock()
    async with connection.opened(settings, "default", clock, state.uri, auth) as database:
        await schema.apply(database)
        yield database


def _require_local() -> None:
    if uri := os.environ.get("NEO4J_URI"):
        raise LocalServerError(
            f"NEO4J_URI is set to {uri}, and only the local server can be rewritten: unset it, or "
            "export the realms of that server and import them into a new one"
        )


def _require_alone(home: Home) -> None:
    """Refuse while a program or Neo4j Browser is connected to the server."""
    state = server.running(home)
    process = processes.process(home, state) if state else None
    if state and process and (count := processes.connections(process, state)):
        raise Conflict(
            f"{count} connections to the local server are open: end the programs and close the "
            "Browser windows that use it, then repeat the command"
        )


def _require_room(home: Home, database_bytes: int) -> None:
    """Refuse without room for a second database and the exports of the first."""
    needed = 2 * database_bytes + server_health.FIRST_BYTES
    if problem := server_health.disk_problem(home, needed):
        raise LocalServerError(problem)
