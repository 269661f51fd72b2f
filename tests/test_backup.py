"""Backup and restore: a whole round trip, and nothing overwritten by accident."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from asterism.errors import InvalidInput, LocalServerError
from asterism.graph import Graph
from asterism.local import backup, database_files, processes, server
from asterism.local.home import Home
from tests.conftest import SMALL, SMALL_VARIABLES
from tests.support import held_java
from tests.support.prepared_home import copied

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def home(quick_folder: Path, pattern: Home) -> Iterator[Home]:
    """A data directory of this file's own."""
    own = copied(pattern, quick_folder / "home")
    yield own
    server.stop(own)


async def realms(home: Home) -> set[str]:
    """The realms that a server holds. Opening it adds `look`."""
    state = await asyncio.to_thread(server.start, home, SMALL)
    auth = (server.USER, server.password(home))
    async with Graph.open(state.uri, auth=auth, realm="look") as graph:
        return {realm.name for realm in await graph.realms.list()} - {"look"}


async def add_realm(home: Home, name: str) -> None:
    state = await asyncio.to_thread(server.start, home, SMALL)
    auth = (server.USER, server.password(home))
    async with Graph.open(state.uri, auth=auth, realm=name) as graph:
        await graph.stars.add(name, domain="health")


async def test_a_dump_brings_back_what_was_there(
    home: Home, quick_folder: Path, tmp_path: Path
) -> None:
    await add_realm(home, "before")
    dump = await asyncio.to_thread(backup.backup, home, tmp_path, SMALL)
    assert server.running(home) is not None
    await add_realm(home, "after")
    await asyncio.to_thread(backup.restore, home, dump, SMALL, force=True)
    assert await realms(home) == {"before"}

    elsewhere = Home(quick_folder / "elsewhere")
    try:
        await asyncio.to_thread(backup.restore, elsewhere, dump, SMALL)
        assert server.running(elsewhere) is None
        assert await realms(elsewhere) == {"before"}
    finally:
        await asyncio.to_thread(server.stop, elsewhere)


async def test_nothing_is_overwritten_without_force(home: Home, tmp_path: Path) -> None:
    await add_realm(home, "kept")
    dump = await asyncio.to_thread(backup.backup, home, tmp_path, SMALL, name="my.dump")
    with pytest.raises(LocalServerError, match=r"my\.dump exists.*--force"):
        backup.backup(home, tmp_path, SMALL, name="my.dump")
    with pytest.raises(LocalServerError, match="already holds a database: pass --force"):
        backup.restore(home, dump, SMALL)
    assert "kept" in await realms(home)


async def test_a_file_that_is_no_dump_leaves_the_database_as_it_was(
    home: Home, tmp_path: Path
) -> None:
    await add_realm(home, "kept")
    rubbish = tmp_path / "rubbish.dump"
    rubbish.write_bytes(b"this is not a dump" * 100)
    with pytest.raises(LocalServerError, match=r"rubbish.dump can't be loaded.*is as it was") as no:
        await asyncio.to_thread(backup.restore, home, rubbish, SMALL, force=True)
    assert len(str(no.value).splitlines()) == 1
    assert "Exception" not in str(no.value)
    assert server.running(home) is not None
    assert "kept" in await realms(home)


def restore_and_kill(home: Home, dump: Path, folder: Path) -> None:
    """Start a restore and end it, with all it started, when the old store has been moved."""
    barrier = folder / "barrier"  # the command that loads comes no further while it is there
    environment = os.environ | SMALL_VARIABLES | {"ASTERISM_HOME": str(home.root)}
    environment |= held_java.variables(barrier)
    command = [sys.executable, "-m", "asterism", "restore", str(dump), "--force"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    while not barrier.exists():
        assert process.poll() is None, "it was over before it could be killed"
        time.sleep(0.02)
    assert (home.root / "before-restore" / "databases").exists()
    children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    for child in children:
        child.kill()
        assert processes.wait_for_end(child, 1800)


async def test_a_restore_killed_in_the_middle_changes_nothing(home: Home, tmp_path: Path) -> None:
    await add_realm(home, "kept")
    dump = await asyncio.to_thread(backup.backup, home, tmp_path, SMALL)
    await asyncio.to_thread(server.stop, home)
    await asyncio.to_thread(restore_and_kill, home, dump, tmp_path)
    with pytest.raises(LocalServerError, match="already holds a database"):
        await asyncio.to_thread(backup.restore, home, dump, SMALL)
    assert "kept" in await realms(home)
    assert not (home.root / "before-restore").exists()


async def test_a_database_survives_the_loss_of_its_password(
    home: Home, quick_folder: Path, tmp_path: Path
) -> None:
    """The remedy that the error names: back up, move away, restore into a new one."""
    await add_realm(home, "kept")
    right = server.password(home)
    home.password_file.write_text("lost")
    try:
        with pytest.raises(LocalServerError, match=r"\.dump is written, but .* not this server's"):
            await asyncio.to_thread(backup.backup, home, tmp_path, SMALL)
    finally:
        home.password_file.write_text(right)
    [dump] = [path for path in os.scandir(tmp_path) if path.name.endswith(".dump")]
    moved = Home(quick_folder / "new")
    try:
        await asyncio.to_thread(backup.restore, moved, Path(dump), SMALL)
        assert "kept" in await realms(moved)
    finally:
        await asyncio.to_thread(server.stop, moved)


async def test_a_folder_for_the_dump_must_be_one(home: Home, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InvalidInput, match="it is a file"):
        backup.backup(home, tmp_path / "file", SMALL)


async def test_a_crashed_server_is_recovered_before_the_dump(home: Home, tmp_path: Path) -> None:
    await add_realm(home, "written-before-the-crash")
    state = server.running(home)
    assert state is not None
    process = psutil.Process(state.pid)
    process.kill()
    assert processes.wait_for_end(process, 1800)
    dump = await asyncio.to_thread(backup.backup, home, tmp_path, SMALL)
    await asyncio.to_thread(backup.restore, home, dump, SMALL, force=True)
    assert "written-before-the-crash" in await realms(home)


def test_there_must_be_something_to_back_up_or_restore(tmp_path: Path) -> None:
    with pytest.raises(LocalServerError, match=r"nothing to back up.*asterism up"):
        backup.backup(Home(tmp_path / "none"), tmp_path, SMALL)
    with pytest.raises(InvalidInput, match="give a file that `asterism backup` wrote"):
        backup.restore(Home(tmp_path / "none"), tmp_path / "none.dump", SMALL)
    assert not database_files.exists(Home(tmp_path / "none"))
