"""Dump and load: the whole database as one file."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from engine.errors import InvalidInput, LocalServerError
from engine.local import fetch, server, store
from engine.local.home import Home
from engine.local.store import DATABASE
from engine.private_files import PRIVATE
from engine.settings import LocalSettings

LONGEST_REASON = 120


def backup(
    home: Home,
    folder: Path,
    settings: LocalSettings,
    *,
    force: bool = False,
    name: str = "",
    mode: int = PRIVATE,
    on_bytes: fetch.OnBytes | None = None,
) -> Path:
    """Write `asterism-<time>.dump` into a folder; the server pauses meanwhile."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    target = folder / (name or f"asterism-{stamp}.dump")
    if folder.exists() and not folder.is_dir():
        raise InvalidInput("folder", str(folder), "it is a file: give a folder for the dump")
    if target.exists() and not force:
        raise LocalServerError(f"{target} exists: choose another folder, or pass --force")
    if not home.root.is_dir():
        raise _nothing(home)
    with server.exclusive(home):
        store.put_back(home)
        if not store.exists(home):
            raise _nothing(home)
        folder.mkdir(parents=True, exist_ok=True)
        jars = fetch.server_jars(on_bytes)
        if server.crashed(home):
            server.wake(home, settings)  # a store left by a crash must be recovered first
        with _paused(home, settings, f"{target} is written"):
            _dump(home, jars, target, mode)
    return target


def restore(
    home: Home,
    dump: Path,
    settings: LocalSettings,
    *,
    force: bool = False,
    on_bytes: fetch.OnBytes | None = None,
) -> None:
    """Load a dump; what was there before is kept until the load has succeeded."""
    if not dump.is_file():
        raise InvalidInput("file", str(dump), "give a file that `asterism backup` wrote")
    home.prepare()
    with server.exclusive(home):
        store.put_back(home)
        if store.exists(home) and not force:
            raise LocalServerError(
                f"{home.root} already holds a database: pass --force to replace it with {dump.name}"
            )
        jars = fetch.server_jars(on_bytes)
        with _paused(home, settings, f"{dump} is restored"):
            server.write_config(home, settings)
            _load(home, jars, dump)


@contextmanager
def _paused(home: Home, settings: LocalSettings, done: str) -> Iterator[None]:
    """Stop a running server for a while; what was done is said even if it does not come back."""
    was_running = server.halt(home)
    try:
        yield
    except BaseException:
        if was_running:
            with suppress(LocalServerError):
                server.ensure(home, settings)
        raise
    if was_running:
        try:
            server.ensure(home, settings)
        except LocalServerError as error:
            raise LocalServerError(f"{done}, but the server did not come back: {error}") from error


def _nothing(home: Home) -> LocalServerError:
    return LocalServerError(f"nothing to back up in {home.root}: run `asterism up` first")


def _dump(home: Home, jars: Path, target: Path, mode: int) -> None:
    """Write the dump in a folder that only its owner can enter, and put it in place whole."""
    scratch = target.with_name(f".{target.name}.d")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(0o700)
    try:
        server.admin(home, jars, "database", "dump", DATABASE, f"--to-path={scratch}")
        written = scratch / f"{DATABASE}.dump"
        written.chmod(mode)
        written.replace(target)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _load(home: Home, jars: Path, dump: Path) -> None:
    scratch = store.scratch(home)
    scratch.mkdir()
    try:
        shutil.copyfile(dump, scratch / f"{DATABASE}.dump")
        store.set_aside(home)
        try:
            server.admin(home, jars, "database", "load", DATABASE, f"--from-path={scratch}")
        except LocalServerError as error:
            raise LocalServerError(
                f"{dump} can't be loaded{_reason(str(error))}: give a whole file that `asterism "
                "backup` wrote; the database is as it was"
            ) from error
        store.drop_aside(home)
    finally:
        store.put_back(home)


def _reason(said: str) -> str:
    """Return the last cause in what neo4j-admin printed, in brackets."""
    causes = re.findall(r"(?:Caused by: |reason: |failed: )([^\n]+)", said)
    last = re.sub(r"^(?:[\w.$]+(?:Exception|Error): )+", "", causes[-1]).strip() if causes else ""
    return f" ({last[:LONGEST_REASON]})" if last else ""
