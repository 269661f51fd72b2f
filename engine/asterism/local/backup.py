"""Backup and restore of the whole database as one dump file."""

import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

from asterism.errors import InvalidInput, LocalServerError
from asterism.local import database_files, downloads, launch, server
from asterism.local.database_files import DATABASE
from asterism.local.downloads import OnBytes
from asterism.local.home import Home
from asterism.private_files import PRIVATE
from asterism.settings import LocalSettings

LONGEST_REASON = 120


def backup(
    home: Home,
    folder: Path,
    settings: LocalSettings,
    *,
    force: bool = False,
    name: str = "",
    mode: int = PRIVATE,
    on_bytes: OnBytes | None = None,
) -> Path:
    """Write `asterism-<time>.dump` into a folder, and pause the server meanwhile."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    target = folder / (name or f"asterism-{stamp}.dump")
    if folder.exists() and not folder.is_dir():
        raise InvalidInput("folder", str(folder), "it is a file: give a folder for the dump")
    if target.exists() and not force:
        raise LocalServerError(f"{target} exists: choose another folder, or pass --force")
    if not home.root.is_dir():
        raise _nothing(home)
    with server.exclusive(home):
        server.undo_unfinished(home)
        if not database_files.exists(home):
            raise _nothing(home)
        folder.mkdir(parents=True, exist_ok=True)
        jars = downloads.server_jars(on_bytes)
        if server.crashed(home):
            server.start_unchecked(home, settings)  # files left by a crash have to be recovered
        with server.paused(home, settings, f"{target} is written"):
            _dump(home, jars, target, mode)
    return target


def restore(
    home: Home,
    dump: Path,
    settings: LocalSettings,
    *,
    force: bool = False,
    on_bytes: OnBytes | None = None,
) -> None:
    """Load a dump. The database before it is kept until that has succeeded."""
    if not dump.is_file():
        raise InvalidInput("file", str(dump), "give a file that `asterism backup` wrote")
    home.prepare()
    with server.exclusive(home):
        server.undo_unfinished(home)
        if database_files.exists(home) and not force:
            raise LocalServerError(
                f"{home.root} already holds a database: pass --force to replace it with {dump.name}"
            )
        jars = downloads.server_jars(on_bytes)
        with server.paused(home, settings, f"{dump} is restored"):
            launch.write_config(home, settings)
            _load(home, jars, dump)


def _nothing(home: Home) -> LocalServerError:
    return LocalServerError(f"nothing to back up in {home.root}: run `asterism up` first")


def _dump(home: Home, jars: Path, target: Path, mode: int) -> None:
    """Write the dump in a folder that only its owner can enter, and put it in place whole."""
    scratch = target.with_name(f".{target.name}.d")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(0o700)
    try:
        launch.admin(home, jars, "database", "dump", DATABASE, f"--to-path={scratch}")
        written = scratch / f"{DATABASE}.dump"
        written.chmod(mode)
        written.replace(target)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _load(home: Home, jars: Path, dump: Path) -> None:
    scratch = database_files.load_folder(home)
    scratch.mkdir()
    try:
        shutil.copyfile(dump, scratch / f"{DATABASE}.dump")
        database_files.set_aside(home)
        try:
            launch.admin(home, jars, "database", "load", DATABASE, f"--from-path={scratch}")
        except LocalServerError as error:
            raise LocalServerError(
                f"{dump} can't be loaded{_reason(str(error))}: give a whole file that `asterism "
                "backup` wrote; the database is as it was"
            ) from error
        database_files.delete_set_aside(home)
    finally:
        database_files.put_back(home)


def _reason(printed: str) -> str:
    """Return the last cause in what neo4j-admin printed, in brackets."""
    causes = re.findall(r"(?:Caused by: |reason: |failed: )([^\n]+)", printed)
    last = re.sub(r"^(?:[\w.$]+(?:Exception|Error): )+", "", causes[-1]).strip() if causes else ""
    return f" ({last[:LONGEST_REASON]})" if last else ""
