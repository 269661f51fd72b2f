"""Foundations: imports, start of the server, opening a graph, the runner, embedding."""

import asyncio
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import psutil
from neo4j import Query, RoutingControl

from asterism import statements
from asterism.embedding import UNRELATED, OnnxEmbedder
from asterism.errors import DatabaseUnavailable
from asterism.graph import Graph
from asterism.local import downloads, java, server
from asterism.local.class_archive import archive_of
from asterism.local.home import Home
from asterism.settings import LocalSettings
from benchmarks.servers import wait_for_archive
from benchmarks.table import Measurement, publish
from benchmarks.timing import alternating, milliseconds, seconds, timed

HEADER = "// One.\n//\n// Parameters: none\n// Returns: one\n// Access: read\n\n"
ONE = statements.parse("realms/one", HEADER + "CYPHER 25\nRETURN 1 AS one")
ROUNDS = 600
TEXTS = 1000


def processes() -> list[Measurement]:
    """Measure the start of Python, of the package and of the command."""

    def run(*words: str) -> float:
        return milliseconds(lambda: subprocess.run(words, check=True, capture_output=True))

    bare = run(sys.executable, "-c", "")
    return [
        Measurement("python -c ''", bare, "ms"),
        Measurement(
            "import asterism", run(sys.executable, "-c", "import asterism"), "ms", "limit 300"
        ),
        Measurement(
            "asterism --help", run(sys.executable, "-m", "asterism", "--help"), "ms", "limit 500"
        ),
    ]


def start_and_stop(home: Home, settings: LocalSettings) -> list[Measurement]:
    """Measure the first start, a call while it runs, the stop and the next start."""
    archive = archive_of(java.find(), downloads.server_folder())
    first = milliseconds(lambda: server.start(home, settings), 1)
    again = milliseconds(lambda: server.start(home, settings), 5)
    memory = psutil.Process(server.start(home, settings).pid).memory_info().rss / 1e6
    stop = milliseconds(lambda: server.stop(home), 1)
    wait_for_archive()
    archive.facts_file.unlink()  # it is used no more, and made anew after the next start
    bare = _cold_start(home, settings)
    wait_for_archive()
    archived = _cold_start(home, settings)
    return [
        Measurement("first start, downloads cached", first / 1000, "s"),
        Measurement("start, found running", again, "ms", "limit 1000"),
        Measurement("stop", stop / 1000, "s"),
        Measurement("start again, without the archive of classes", bare[0], "s"),
        Measurement("start again", archived[0], "s", "limit 3.5"),
        Measurement("processor time of a start without the archive", bare[1], "s"),
        Measurement("processor time of a start", archived[1], "s"),
        Measurement("with / without the archive", archived[1] / bare[1], "x", "limit 0.7"),
        Measurement("archive of classes", archive.file.stat().st_size / 1e6, "MB", "limit 250"),
        Measurement("resident memory, empty", memory, "MB"),
    ]


def _cold_start(home: Home, settings: LocalSettings) -> tuple[float, float]:
    """Return the seconds of a start, and those of the server's processor time."""
    server.stop(home)
    duration = milliseconds(lambda: server.start(home, settings), 1) / 1000
    used = psutil.Process(server.start(home, settings).pid).cpu_times()
    return duration, used.user + used.system


async def runner(home: Home, settings: LocalSettings) -> list[Measurement]:
    """Compare our runner with the bare driver on the same statement."""
    state = server.start(home, settings)
    auth = (server.USER, server.password(home))
    opening = []
    for _ in range(5):
        opening.append(await _open_time(state.uri, auth))
    async with Graph.open(state.uri, auth=auth) as graph:
        driver = graph.database.driver

        async def ours() -> object:
            return await graph.database.execute(ONE, {})

        async def bare() -> object:
            query = Query("CYPHER 25\nRETURN 1 AS one", metadata={"app": "asterism"})
            return await driver.execute_query(query, routing_=RoutingControl.READ)

        await alternating(ours, bare, 50)
        mine, theirs = await alternating(ours, bare, ROUNDS)
    return [
        Measurement("open a graph, schema in place", sorted(opening)[2], "ms"),
        Measurement("RETURN 1 through the bare driver", theirs, "ms"),
        Measurement("the same through the runner", mine, "ms"),
        Measurement("runner / driver", mine / theirs, "x", "limit 1.10"),
    ]


async def _open_time(uri: str, auth: tuple[str, str]) -> float:
    graph = Graph.open(uri, auth=auth)
    milliseconds = await timed(graph.__aenter__())
    await graph.close()
    return milliseconds


async def unreachable() -> list[Measurement]:
    """Measure the time until a host that never answers is given up."""
    silent = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]

    async def attempt() -> None:
        with suppress(DatabaseUnavailable):
            await Graph.open(f"neo4j://127.0.0.1:{port}", auth=("neo4j", "none"))

    duration = await seconds(attempt())
    silent.close()
    return [Measurement("unreachable server given up", duration, "s", "limit 5")]


def embedding() -> list[Measurement]:
    """Measure the default model."""
    embedder = OnnxEmbedder()
    load = milliseconds(lambda: embedder.embed_query("hello"), 1)
    query = milliseconds(lambda: embedder.embed_query("Who can open the lighthouse?"), 50)
    texts = [f"{UNRELATED[n % len(UNRELATED)]} {n}" for n in range(TEXTS)]
    short_seconds = milliseconds(lambda: embedder.embed_documents(texts), 1) / 1000
    long = ["word after word " * 100] * 40
    long_seconds = milliseconds(lambda: embedder.embed_documents(long), 1) / 1000
    return [
        Measurement("load the model and embed once", load, "ms"),
        Measurement("embed a question", query, "ms"),
        Measurement("short sentences", TEXTS / short_seconds, "texts/s"),
        Measurement("texts of 300 words", len(long) / long_seconds, "texts/s"),
    ]


def main() -> None:
    settings = LocalSettings()
    with tempfile.TemporaryDirectory() as scratch:
        home = Home(Path(scratch, "home"))
        try:
            lines = processes() + start_and_stop(home, settings)
            lines += asyncio.run(runner(home, settings)) + asyncio.run(unreachable())
        finally:
            server.stop(home)
    publish("foundation", lines + embedding())


if __name__ == "__main__":
    main()
