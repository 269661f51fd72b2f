"""Rewrite of the local database: forgotten bytes go, everything else stays, also when killed."""

import asyncio
import json
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from neo4j import GraphDatabase

from asterism import rewrite
from asterism.errors import Conflict, LocalServerError
from asterism.graph import Graph
from asterism.local import database_files, processes, server, server_health
from asterism.local.home import Home
from asterism.settings import Settings
from tests.conftest import SMALL, SMALL_VARIABLES
from tests.support.prepared_home import copied

pytestmark = pytest.mark.slow

SECRET = "Zanzibar parrots whisper about the quetzal treasure"
SECRET_ID = "id-of-the-quetzal"
OTHERS = ["Lyra keeps the lighthouse key.", "Mira sells herring at the pier."]
SETTINGS = Settings(local=SMALL)


@pytest.fixture(scope="module")
def home(quick_folder: Path, pattern: Home) -> Iterator[Home]:
    """A data directory of this file's own, with realms of all kinds."""
    own = copied(pattern, quick_folder / "home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASTERISM_HOME", str(own.root))
        for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_USER", "NEO4J_PASSWORD"):
            patch.delenv(name, raising=False)
        asyncio.run(fill())
        yield own
        server.stop(own)


@pytest.fixture(scope="module")
def secrets(home: Home) -> list[bytes]:
    """The bytes of a memory that was forgotten there."""
    return asyncio.run(remember_and_forget())


@pytest.fixture(scope="module")
def whole(secrets: list[bytes]) -> list[str]:
    """All else that is there, before any rewrite, as text."""
    return asyncio.run(documents())


async def fill() -> None:
    async with Graph.open(realm="stars", settings={"local": SMALL}) as graph:
        await graph.stars.add("The sea", domain="soul", id="sea")
        await graph.stars.add("Sailing", domain="soul", id="sail")
        await graph.stars.connect("sea", "sail")
    async with Graph.open(realm="texts", settings={"local": SMALL}) as graph:
        for number, text in enumerate(OTHERS):
            await graph.memories.remember(text, id=f"m{number}")
        await graph.consolidation.consolidate()


async def remember_and_forget() -> list[bytes]:
    """Return the bytes that must be gone: of the text, its id and its vector."""
    async with Graph.open(realm="texts", settings={"local": SMALL}) as graph:
        await graph.memories.remember(SECRET, id=SECRET_ID, tags=["quetzal-tag"])
        await graph.consolidation.consolidate()
        [vector] = await graph.embedding.documents([SECRET])
        numbers = [float(number) for number in vector]
        await graph.memories.forget(SECRET_ID)
    formats = [
        f"{order}{len(window)}{kind}"
        for window in (numbers[:6],)
        for order in "<>"
        for kind in "fd"
    ]
    packed = [struct.pack(format, *numbers[:6]) for format in formats]
    return [SECRET.encode(), SECRET.encode("utf-16-le"), SECRET_ID.encode(), b"quetzal", *packed]


def files_with(patterns: list[bytes], folder: Path) -> list[str]:
    """Return the files below a folder that hold one of these bytes."""
    matches = []
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            matches += [f"{path}: {each[:20]!r}" for each in patterns if each in content]
    return matches


async def documents() -> list[str]:
    """Return both realms as text."""
    async with Graph.open(realm="texts", settings={"local": SMALL}) as graph:
        hits = (await graph.recall.find("Who keeps the key?")).hits
        names = sorted(realm.name for realm in await graph.realms.list())
        counts = [(await graph.realms.stats(name)).nodes for name in names]
    return [*(hit.text for hit in hits), *names, json.dumps(counts)]


def rewrite_at(home: Home) -> rewrite.Rewritten:
    return rewrite.rewrite(home, SETTINGS, lambda stage, count, total: None)


def test_what_was_forgotten_is_in_no_file_and_the_rest_is_as_it_was(
    home: Home, secrets: list[bytes], whole: list[str]
) -> None:
    assert files_with(secrets, home.root) != []
    state, password = server.running(home), server.password(home)
    report = rewrite_at(home)
    assert report.realms == ["stars", "texts"]
    assert report.nodes > 10
    assert asyncio.run(documents()) == whole
    assert OTHERS[0] in whole
    assert server.password(home) == password
    assert state is not None
    assert server.running(home) is not None
    asyncio.run(asyncio.to_thread(server.stop, home))
    assert files_with(secrets, home.root) == []
    assert not database_files.export_folder(home).exists()


def test_a_rewrite_on_a_stopped_server_leaves_it_stopped(home: Home, whole: list[str]) -> None:
    server.stop(home)
    words = [sys.executable, "-m", "asterism", "rewrite", "--yes", "--json"]
    variables = os.environ | SMALL_VARIABLES
    completed = subprocess.run(words, env=variables, capture_output=True, text=True)
    assert completed.returncode == 0, completed.stderr
    assert json.loads(completed.stdout)["realms"] == ["stars", "texts"]
    assert server.running(home) is None
    assert asyncio.run(documents()) == whole


def test_a_rewrite_asks_first(home: Home) -> None:
    words = [sys.executable, "-m", "asterism", "rewrite"]
    completed = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert completed.returncode == 1
    assert "delete the old files?" in completed.stderr


def test_a_rewrite_refuses_what_it_would_lose(
    home: Home, whole: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = server.start(home, SMALL)
    with GraphDatabase.driver(state.uri, auth=(server.USER, server.password(home))) as driver:
        driver.execute_query("CREATE (:Mine {text: 'not of a realm'})-[:HAS]->(:Mine)")
        with pytest.raises(Conflict, match="1 connections to the local server are open"):
            rewrite_at(home)
    with pytest.raises(Conflict, match="2 nodes and 1 relationships of this database are in no"):
        rewrite_at(home)
    with GraphDatabase.driver(state.uri, auth=(server.USER, server.password(home))) as driver:
        driver.execute_query("MATCH (n:Mine) DETACH DELETE n")
        driver.execute_query("MATCH (realm:Realm {realm: 'stars'}) SET realm.importing = 'half'")
    with pytest.raises(Conflict, match="unfinished import: stars"):
        rewrite_at(home)
    with GraphDatabase.driver(state.uri, auth=(server.USER, server.password(home))) as driver:
        driver.execute_query("MATCH (realm:Realm {realm: 'stars'}) REMOVE realm.importing")
    assert asyncio.run(documents()) == whole
    monkeypatch.setenv("NEO4J_URI", "bolt://elsewhere:7687")
    with pytest.raises(LocalServerError, match="only the local server can be rewritten"):
        rewrite_at(home)


def test_a_rewrite_refuses_a_full_disk(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_health, "free_bytes", lambda home: server_health.FIRST_BYTES)
    with pytest.raises(LocalServerError, match="the disk of the server is full: 600 MB are free"):
        rewrite_at(home)


def test_there_must_be_something_to_rewrite(tmp_path: Path) -> None:
    with pytest.raises(LocalServerError, match="there is no database in"):
        rewrite_at(Home(tmp_path / "none"))


KILL = """
import os, signal
from asterism import rewrite
from asterism.local import database_files
from asterism.local.home import home
from asterism.settings import Settings

place, name, when = {place}, {name!r}, {when!r}
inner = getattr(place, name)

def killed(*arguments, **options):
    if when == "after":
        inner(*arguments, **options)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(place, name, killed)
rewrite.rewrite(home(), Settings(), lambda stage, count, total: None)
"""


@pytest.mark.parametrize(
    ("place", "name", "when"),
    [
        ("rewrite.Realms", "export", "before"),
        ("rewrite", "_require_counts", "before"),
        ("database_files", "set_aside", "before"),
        ("database_files", "set_aside", "after"),
        ("rewrite.Realms", "load", "before"),
        ("rewrite.filecmp", "cmp", "before"),
        ("database_files", "delete_set_aside", "before"),
        ("database_files", "delete_set_aside", "after"),
    ],
)
def test_killed_at_any_step_a_rewrite_loses_nothing(
    home: Home, whole: list[str], place: str, name: str, when: str
) -> None:
    program = KILL.format(place=place, name=name, when=when)
    words = [sys.executable, "-c", program]
    variables = os.environ | SMALL_VARIABLES
    completed = subprocess.run(words, env=variables, capture_output=True, text=True)
    assert completed.returncode == -signal.SIGKILL, completed.stderr
    assert asyncio.run(documents()) == whole
    assert not database_files.export_folder(home).exists()
    argument = processes.home_argument(home)
    servers = [each.pid for each in psutil.process_iter() if argument in _command(each)]
    state = server.running(home)
    assert state is not None
    assert servers == [state.pid]


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []
