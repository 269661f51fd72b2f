"""A full disk: nothing is lost, one message says it, and with room again all goes on by itself."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest

from asterism.errors import DatabaseUnavailable, LocalServerError
from asterism.graph import Graph
from asterism.local import server, server_health
from asterism.local.home import Home
from tests.conftest import SMALL
from tests.support.raw import run_cypher

pytestmark = pytest.mark.slow

MEGABYTE = 1_000_000
AS_SHIPPED = SMALL.model_copy(update={"neo4j": None})  # it takes the room for its logs at once


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 760 MB of this test's own."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("only root on Linux can mount a small disk to fill")
    if shutil.disk_usage("/dev/shm").free < 4_000 * MEGABYTE:
        pytest.skip("too little memory for a small disk in it")
    place = Path(mkdtemp(dir=tmp_path))
    mount = ["mount", "-t", "tmpfs", "-o", "size=760m", "tmpfs", str(place)]
    mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")
    try:
        yield place
    finally:
        server.stop(Home(place / "home"))
        subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.fixture
def home(disk: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """The data directory of this process, on that disk."""
    monkeypatch.setenv("ASTERISM_HOME", str(disk / "home"))
    for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_USER", "NEO4J_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    return Home(disk / "home")


def ballast(disk: Path, left: int) -> Path:
    """Fill the disk up to so many MB."""
    assert disk.is_mount(), "never a disk of somebody else"
    heavy = disk / "ballast"
    with heavy.open("wb") as file:
        while shutil.disk_usage(disk).free > (left + 1) * MEGABYTE:
            file.write(b"x" * MEGABYTE)
            file.flush()
    return heavy


def command(*words: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "asterism", *words], capture_output=True, text=True, check=False
    )
    return ran.stdout


async def write(graph: Graph, name: str) -> None:
    """One small write, with a text that takes its room on the disk."""
    named = f"{name} {'y' * 400_000}"
    await graph.database.within(name).rows(
        "embedding/claim", name=named, dimensions=1, mean=0.0, spread=1.0
    )


async def names(graph: Graph) -> set[str]:
    answer = await run_cypher(
        graph, "MATCH (m:EmbeddingModel) RETURN split(m.name, ' ')[0] AS name"
    )
    return {record["name"] for record in answer}


async def test_a_full_disk_is_told_and_left_behind_once_there_is_room(
    disk: Path, home: Home
) -> None:
    async with Graph.open(realm="disk", settings={"local": AS_SHIPPED}) as graph:
        heavy = await asyncio.to_thread(ballast, disk, 2)
        acknowledged: set[str] = set()
        failure = ""
        while not failure:
            name = f"n{len(acknowledged)}"
            try:
                await write(graph, name)
                acknowledged.add(name)
            except DatabaseUnavailable as error:
                failure = str(error)
        assert "may or may not have happened" in failure
        assert "the disk of the server is full" in failure
        assert "neo4j_code" not in failure

        for _ in range(2):
            with pytest.raises(DatabaseUnavailable, match=r"disk of the server is full: \d+ MB"):
                await graph.realms.list()
        status = json.loads(await asyncio.to_thread(command, "status", "--json"))
        assert status["running"]
        assert "the disk of the server is full" in status["note"]
        checks = json.loads(await asyncio.to_thread(command, "doctor", "--json"))["checks"]
        [bad] = [check for check in checks if check["name"] == "server"]
        assert not bad["ok"]
        assert "the disk of the server is full" in bad["remedy"]

        heavy.unlink()
        await graph.realms.list()
        await write(graph, "afterwards")
        assert acknowledged | {"afterwards"} <= await names(graph)
        status = json.loads(await asyncio.to_thread(command, "status", "--json"))
        assert "note" not in status


def test_a_first_start_without_room_says_so_and_starts_nothing(disk: Path, home: Home) -> None:
    ballast(disk, 160)
    with pytest.raises(LocalServerError, match=r"full: 1\d\d MB are free .*ASTERISM_HOME"):
        server.start_or_restart(home, AS_SHIPPED)
    assert server.running(home) is None
    assert server_health.disk_problem(home, server_health.FIRST_BYTES)
