"""Dump and load: the whole database as one file."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

from engine.errors import InvalidInput, LocalServerError
from engine.local import fetch, server, store
from engine.local.home import Home
from engine.local.store import DATABASE
from engine.settings import LocalSettings


def backup(
    home: Home, folder: Path, settings: LocalSettings, *, force: bool = False, name: str = ""
) -> Path:
    """Write `asterism-<time>.dump` into a folder; the server pauses meanwhile."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    target = folder / (name or f"asterism-{stamp}.dump")
    if target.exists() and not force:
        raise LocalServerError(f"{target} exists: choose another folder, or pass --force")
    if not store.exists(home):
        raise LocalServerError(f"nothing to back up in {home.root}: run `asterism up` first")
    folder.mkdir(parents=True, exist_ok=True)
    jars = fetch.server_jars()
    _end_cleanly(home, settings)
    was_running = server.stop(home)
    try:
        with server.exclusive(home):
            _dump(home, jars, target)
    finally:
        if was_running:
            server.start(home, settings)
    return target


def restore(home: Home, dump: Path, settings: LocalSettings, *, force: bool = False) -> None:
    """Load a dump; what was there before is kept until the load has succeeded."""
    if not dump.is_file():
        raise InvalidInput("dump", str(dump), "give a file that `asterism backup` wrote")
    if store.exists(home) and not force:
        raise LocalServerError(
            f"{home.root} already holds a database: pass --force to replace it with {dump.name}"
        )
    home.prepare()
    jars = fetch.server_jars()
    was_running = server.stop(home)
    try:
        with server.exclusive(home):
            server.write_config(home, settings)
            _load(home, jars, dump)
    finally:
        if was_running:
            server.start(home, settings)


def _end_cleanly(home: Home, settings: LocalSettings) -> None:
    """A store left by a crash is recovered by starting it once; only then can it be dumped."""
    if server.crashed(home):
        server.start(home, settings)


def _dump(home: Home, jars: Path, target: Path) -> None:
    scratch = target.with_name(f".{target.name}.d")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    try:
        server.admin(home, jars, "database", "dump", DATABASE, f"--to-path={scratch}")
        (scratch / f"{DATABASE}.dump").replace(target)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _load(home: Home, jars: Path, dump: Path) -> None:
    scratch = home.root / "restoring"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    try:
        shutil.copyfile(dump, scratch / f"{DATABASE}.dump")
        store.set_aside(home)
        server.admin(home, jars, "database", "load", DATABASE, f"--from-path={scratch}")
        store.drop_aside(home)
    finally:
        store.put_back(home)
        shutil.rmtree(scratch, ignore_errors=True)
