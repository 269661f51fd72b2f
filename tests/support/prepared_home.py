"""Data directories of servers that have been started before: database and schema are there."""

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from asterism.graph import Graph
from asterism.local import server
from asterism.local.class_archive import ClassArchive
from asterism.local.home import Home
from asterism.settings import LocalSettings


def pattern(shared: Path, settings: LocalSettings) -> Home:
    """Return the data directory that others are copied from, made by the first who asks."""
    made, home = shared / "pattern-is-made", Home(shared / "pattern")
    with FileLock(shared / "pattern.lock"):
        if not made.exists():
            _make(home, settings)
            made.touch()
    return home


def copied(pattern: Home, root: Path) -> Home:
    """Return a data directory that holds what the pattern holds."""
    home = Home(root)
    home.prepare()
    shutil.copy2(pattern.password_file, home.password_file)
    shutil.copytree(pattern.data, home.data, dirs_exist_ok=True)
    return home


def make_at_once(archive: ClassArchive) -> None:
    """Make an archive of classes here and now: the process in the background gives way to all.

    Tests go on without one.
    """
    maker = [sys.executable, "-c", "from asterism import archive_maker; archive_maker.make_alone()"]
    made = subprocess.run(maker, capture_output=True, text=True, check=False)
    print(made.stdout, made.stderr)


def _make(home: Home, settings: LocalSettings) -> None:
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ClassArchive, "make_in_background", make_at_once)
            state = server.start(home, settings)
        asyncio.run(_apply_schema(state.uri, (server.USER, server.password(home))))
    finally:
        server.stop(home)


async def _apply_schema(uri: str, auth: tuple[str, str]) -> None:
    async with Graph.open(uri, auth=auth, realm="none"):
        pass
