"""A year of an agent's life in one realm, on demand: rates, disk, memory, and what people wait for.

    python -m benchmarks.year [MEMORIES]   at least 3000, default: 1000000

Texts with vectors, names, words, sessions and edges come in by an import; with a tenth as many
connections of stars and intents. Then fresh texts are remembered and consolidated, questions asked,
explored, a day closed and a backup made. Vectors are random: this measures size, not sense.
"""

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import psutil

from asterism.clock import FixedClock
from asterism.graph import Graph
from asterism.local import backup
from asterism.local.home import Home
from asterism.settings import LocalSettings
from benchmarks import stars, transfer
from benchmarks.causal_questions import RandomEmbedder
from benchmarks.causality import SESSION_LINES, session
from benchmarks.recall_ways import VECTOR, Baselines
from benchmarks.servers import OwnServer, own_server
from benchmarks.table import Measurement, publish
from benchmarks.timing import timed

REALM = "bench-year"
MEMORIES = 1_000_000
FRESH = 1_000
ASKED = 40
MB = 1 << 20
SPOKEN = "Who filed case {} for Rome{}?"


class BenchEmbedder(RandomEmbedder):
    """Random vectors under the name of the model in the file."""

    name = "bench"


class Table:
    """The lines so far, each printed as soon as it is there."""

    def __init__(self, server: OwnServer) -> None:
        self.lines: list[Measurement] = []
        self._server = psutil.Process(server.pid)
        self._folder = server.folder

    def add(self, name: str, value: float, unit: str, comment: str = "") -> None:
        used = self._server.memory_info().rss / MB
        note = "; ".join(part for part in (comment, f"server {used:,.0f} MB of memory") if part)
        self.lines.append(Measurement(name, value, unit, note))
        print(f"  {name}: {value:,.4g} {unit}  {note}", flush=True)

    @contextmanager
    def rate(self, name: str, count: int) -> Iterator[None]:
        """Add how many of something a piece of work does in a second."""
        start = time.perf_counter()
        yield
        seconds = time.perf_counter() - start
        self.add(name, count / seconds, "/s", f"{count:,} in {seconds:,.1f} s")

    async def waits(self, name: str, ask: Callable[[int], Awaitable[object]]) -> None:
        """Add the median and the 95th percentile of many questions, after some to warm up."""
        times = [await timed(ask(number)) for number in range(ASKED + 4)][4:]
        p95 = sorted(times)[int(0.95 * ASKED)]
        self.add(f"{name}, p50", median(times), "ms", f"p95 {p95:,.0f} ms")

    def disk(self, name: str) -> None:
        files = (path for path in (self._folder / "home").rglob("*") if path.is_file())
        self.add(name, sum(path.stat().st_size for path in files) / MB, "MB of disk")


async def fill(graph: Graph, table: Table, memories: int, folder: Path) -> None:
    """Bring in texts, connections of stars and intents."""
    path = folder / "year.jsonl"
    transfer.file(path, memories)
    with table.rate("memories imported, with words, names, sessions and edges", memories):
        await graph.realms.load(path)
    path.unlink()
    table.disk("after the memories")
    with table.rate("connections of stars made", memories // 10):
        await stars.fill(graph, memories // 10)
    with table.rate("intents recorded, with their sessions' links", memories // 10):
        recorded = number = 0
        while recorded < memories // 10:
            source = session(f"s{number}", SESSION_LINES, number)
            report = await graph.causality.record(source.session_id, source.lines, dm=source.dm)
            recorded += report.intents
            number += 1
    await graph.database.driver.execute_query("CALL db.awaitIndexes(7200)")
    table.disk("after everything")


async def use(graph: Graph, table: Table, clock: FixedClock) -> None:
    """Do what people and jobs do every day."""
    chance = random.Random(7)
    fresh: list[dict[str, Any]] = [
        {"text": f"Mira{n} of the market saw boat {n} leave for Rome{n % 89}.", "session": f"f{n}"}
        for n in range(FRESH)
    ]
    with table.rate("fresh texts remembered", FRESH):
        await graph.memories.remember_many(fresh)
    with table.rate("fresh texts consolidated", FRESH):
        await graph.consolidation.consolidate()

    def question() -> str:
        return SPOKEN.format(chance.randrange(10_000), chance.randrange(89))

    async def bare_query(number: int) -> None:
        vector = graph.embedding.embedder.embed_query(f"{question()} {number}")
        await base.ids(VECTOR, vector=vector, k=10, realm=REALM)

    base = Baselines(graph)
    await table.waits("bare vector query", bare_query)
    await table.waits("recall.find", lambda _: graph.recall.find(question()))
    await table.waits(
        "exploration.explore", lambda _: graph.exploration.explore(None, question(), dry_run=True)
    )
    await table.waits("causality.find", lambda _: graph.causality.find("Who lit the lamp?", k=5))
    await graph.stars.close_day(clock.now().date())
    clock.advance(days=1)
    closed = await graph.stars.close_day(clock.now().date())
    table.add("close_day", closed.seconds, "s")


async def year(server: OwnServer, memories: int) -> list[Measurement]:
    """Fill a realm, use it, and return every figure."""
    table, clock = Table(server), FixedClock(stars.START)
    async with server.graph(REALM, embedder=BenchEmbedder(), clock=clock) as graph:
        await fill(graph, table, memories, server.folder)
        await use(graph, table, clock)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        made = backup.backup(Home(server.folder / "home"), Path(folder), LocalSettings())
        seconds = time.perf_counter() - began
        size = made.stat().st_size / MB
    table.lines.append(Measurement("backup", seconds, "s", f"{size:,.0f} MB"))
    return table.lines


def main(memories: int = MEMORIES) -> None:
    with own_server() as server:
        publish("year", asyncio.run(year(server, memories)))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
