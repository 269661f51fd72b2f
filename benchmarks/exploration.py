"""Explorations: time, reads and bytes by size of graph and number of SubEntities; learning.

`python -m benchmarks.exploration 1000 10000` leaves out the graph of 100,000 nodes.
"""

import asyncio
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from statistics import mean, median
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from benchmarks.table import Measurement, alternating, publish
from engine.exploration import Event, Exploration
from engine.exploration.result import Branch, branches
from engine.graph import Graph
from engine.local import server
from engine.local.home import Home
from engine.settings import LocalSettings

SIZES = (1_000, 10_000, 100_000)
LINKS_EACH = 10
DIMENSIONS = 384
PIECE = 10_000
QUESTIONS = 10
ROUNDS = 10
NARROW = {"min_link_score": 0.02}
LIVE = {1: (1, 1), 10: (7, 14), 100: (70, 140)}


class Numbers:
    """An embedder that is never asked: every vector is given."""

    name = "numbers"
    dimensions = DIMENSIONS

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[1.0] * DIMENSIONS for _ in texts]

    def embed_query(self, text: str) -> list[float]:
        return [1.0] * DIMENSIONS


class Counted:
    """A door to the server that counts what goes through."""

    def __init__(self, uri: str) -> None:
        self._to = urlsplit(uri)
        self.bytes = 0

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        door = await asyncio.start_server(self._pass, "127.0.0.1", 0)
        async with door:
            yield f"bolt://127.0.0.1:{door.sockets[0].getsockname()[1]}"

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection(self._to.hostname, self._to.port)
        with suppress(asyncio.CancelledError, ConnectionError):
            await asyncio.gather(self._copy(reader, there[1]), self._copy(there[0], writer))

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            self.bytes += len(data)
            writer.write(data)
            await writer.drain()
        writer.close()


class World:
    """A graph about some topics, made piece by piece: a large one does not fit into memory."""

    def __init__(self, size: int, moments: float) -> None:
        self._rng = np.random.default_rng(size)
        self._size = size
        self._moments = moments
        self._topics = self._rng.normal(0.5, 1, (QUESTIONS, DIMENSIONS))
        self._about = self._rng.integers(0, QUESTIONS, size)
        self.topics: list[list[float]] = self._topics.tolist()
        self.links = size * LINKS_EACH // 2

    async def load(self, graph: Graph) -> float:
        """Put it into the graph; says how many seconds that took, without the making."""
        seconds = 0.0
        pieces = [(self._nodes, self._size), (self._joined, self.links)]
        for make, total in pieces:
            for at in range(0, total, PIECE):
                given = make(range(at, min(at + PIECE, total)))
                start = time.perf_counter()
                await graph.exploration.load(**given)
                seconds += time.perf_counter() - start
        return seconds

    def _vectors(self, topics: Any, spread: float) -> list[list[float]]:
        noise = self._rng.normal(0, spread, (len(topics), DIMENSIONS))
        found: list[list[float]] = (self._topics[topics] + noise).tolist()
        return found

    def _nodes(self, at: range) -> dict[str, Any]:
        vectors = self._vectors(self._about[at.start : at.stop], 1.0)
        nodes = [
            {"kind": self._kind(n), "name": f"n{n}", "id": f"n{n}", "embedding": vector}
            for n, vector in zip(at, vectors, strict=True)
        ]
        return {"nodes": nodes}

    def _kind(self, n: int) -> str:
        if not n:
            return "actor"
        moment = self._rng.random() < self._moments
        return "moment" if moment else ("narrative", "thing", "space", "thing")[n % 4]

    def _joined(self, at: range) -> dict[str, Any]:
        ends = self._rng.integers(0, self._size, len(at))
        vectors = self._vectors(self._about[ends], 1.3)
        plain = {"polarity": (0.9, 0.6), "permanence": 0.1}
        links = [
            {"a": f"n{n % self._size}", "b": f"n{end}", "id": f"k{n}", "embedding": vector, **plain}
            for n, end, vector in zip(at, ends, vectors, strict=True)
        ]
        return {"links": links}


def statements(branch: Branch) -> int:
    """What the walk of one SubEntity takes where every question is a statement of its own.

    Per hop: links twice, the path's links twice over, position, findings, two tests of kind.
    """
    inherited = len(branch.path) - branch.hops
    hops = sum(2 * (inherited + at) + len(branch.own_found) + 5 for at in range(branch.hops))
    resonances = len(branch.own_found) * (len(branch.path) + 3)
    return hops + resonances + len(branch.path)


async def one_by_one(graph: Graph, found: Exploration) -> None:
    """Ask as many single questions as that takes; each is a node by its id, with its vector."""
    run = graph.database.driver.execute_query
    nodes = [node.id for node in found.nodes]
    count = sum(statements(branch) for branch in branches(found.tree))
    for at in range(count):
        await run(
            "MATCH (n:Thing|Moment|Narrative|Space|Actor {realm: $realm, id: $id}) "
            "RETURN n.embedding AS embedding, n.kind AS kind",
            realm=graph.realm,
            id=nodes[at % len(nodes)],
        )


async def bare(graph: Graph, query: list[float]) -> None:
    """One vector query, the ten nearest narratives."""
    await graph.database.driver.execute_query(
        "CYPHER 25 MATCH (n:Narrative) SEARCH n IN (VECTOR INDEX knowledge_embedding FOR $query "
        "WHERE n.realm = $realm AND n.kind = 'narrative' LIMIT 10) RETURN n.id AS id",
        query=query,
        realm=graph.realm,
    )


async def sized(graph: Graph, size: int, counted: Counted) -> list[Measurement]:
    """One size of graph: load it, ask ten questions, compare."""
    world = World(size, 0.2)
    seconds, topics = await world.load(graph), world.topics
    told = [Measurement(f"{size:,} nodes: load", seconds, "s", f"{world.links:,} links")]
    await ask(graph, topics[0], dry_run=True)
    found, times, wire = [], [], []
    for topic in topics:
        before, start = counted.bytes, time.perf_counter()
        found.append(await ask(graph, topic))
        times.append((time.perf_counter() - start) * 1000)
        wire.append((counted.bytes - before) / 1000)
    name = f"{size:,} nodes: explore"
    walked, walkers = mean(one.hops for one in found), mean(one.subentities for one in found)
    hops = f"{walked:.1f} hops of {walkers:.1f} SubEntities"
    told.append(Measurement(name, median(times), "ms", hops))
    told.append(Measurement(f"{name}, per hop", sum(times) / sum(o.hops for o in found), "ms"))
    told.append(Measurement(f"{name}, reads", mean(one.reads for one in found), "statements"))
    told.append(Measurement(f"{name}, wire", median(wire), "kB"))
    query = topics[max(range(len(found)), key=lambda at: found[at].hops)]
    walked_again = await ask(graph, query, dry_run=True)
    count = sum(statements(branch) for branch in branches(walked_again.tree))
    ours, theirs = await alternating(
        lambda: ask(graph, query, dry_run=True), lambda: one_by_one(graph, walked_again), 5
    )
    told += [
        Measurement(f"{name}, one by one", theirs, "ms", f"{count} statements, ours {ours:.1f} ms"),
        Measurement(f"{name}, fewer statements", count / walked_again.reads, "x", "target 10"),
        Measurement(f"{name}, less time", theirs / ours, "x", "target 5"),
    ]
    walk, search = await alternating(
        lambda: ask(graph, query, dry_run=True), lambda: bare(graph, query), 11
    )
    told.append(
        Measurement(f"{name}, of a bare vector query", walk / search, "x", f"{search:.1f} ms")
    )
    return told


async def ask(graph: Graph, query: list[float], **options: Any) -> Exploration:
    """One question with its vector."""
    given: dict[str, Any] = {"settings": NARROW} | options
    return await graph.exploration.explore("n0", "what?", query_embedding=query, **given)


async def crowded(graph: Graph) -> list[Measurement]:
    """Ticks by how many SubEntities are live, in a graph that branches everywhere."""
    world = World(2_000, 0.85)
    await world.load(graph)
    ticks: dict[int, list[float]] = defaultdict(list)

    def note(event: Event) -> None:
        if event.type == "tick" and event.data["ms"]:
            seeking[0], before = event.data["live"], seeking[0]
            ticks[before].append(event.data["ms"])

    wide = {"min_link_score": 0.001, "trace": "trace", "max_subentities": 400}
    for at in range(2 * QUESTIONS):
        seeking = [0]
        ticks = ticks if at else defaultdict(list)
        await ask(graph, world.topics[at % QUESTIONS], settings=wide, dry_run=True, on_event=note)
    told = []
    for live, (least, most) in LIVE.items():
        times = [ms for n, each in ticks.items() if least <= n <= most for ms in each]
        if times:
            beside = f"{least} to {most} live, {len(times)} ticks"
            told.append(Measurement(f"tick of {live} SubEntities", median(times), "ms", beside))
    return told


async def learning(graph: Graph) -> list[Measurement]:
    """The same questions ten times over: what changes."""
    world = World(1_000, 0.2)
    await world.load(graph)
    told = []
    for turn in range(ROUNDS):
        found = [await ask(graph, topic) for topic in world.topics]
        gained = sum(
            link.weight_after - link.weight_before for one in found for link in one.changes.links
        )
        beside = (
            f"satisfaction {mean(one.satisfaction for one in found):.3f}, "
            f"{sum(len(one.created) for one in found)} new, link weight +{gained:.2f}"
        )
        hops = mean(one.hops for one in found)
        told.append(Measurement(f"asked {turn + 1} times: hops", hops, "", beside))
    return told


async def measure(home: Home, sizes: tuple[int, ...]) -> list[Measurement]:
    """Everything, on a server of its own."""
    state = server.start(home, LocalSettings())
    auth = (server.USER, server.password(home))
    counted = Counted(state.uri)
    told: list[Measurement] = []
    async with counted.open() as uri:
        for what in (learning, crowded):
            async with Graph.open(uri, auth=auth, realm=what.__name__, embedder=Numbers()) as graph:
                told += await what(graph)
                publish("exploration", told)
        for size in sizes:
            async with Graph.open(uri, auth=auth, realm=f"of-{size}", embedder=Numbers()) as graph:
                told += await sized(graph, size, counted)
                publish("exploration", told)
    return told


def main(sizes: tuple[int, ...] = SIZES) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        home = Home(Path(scratch, "home"))
        try:
            asyncio.run(measure(home, sizes))
        finally:
            server.stop(home)


if __name__ == "__main__":
    main(tuple(int(size) for size in sys.argv[1:]) or SIZES)
