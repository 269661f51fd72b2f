"""Exploration: time, reads and bytes by the size of the graph and the number of SubEntities.

`python -m benchmarks.exploration 1000 10000` leaves out the graph of 100,000 nodes.
"""

import asyncio
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from statistics import mean, median
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from asterism.exploration import Event, Exploration
from asterism.exploration.result import Branch
from asterism.graph import Graph
from benchmarks.servers import OwnServer, own_server
from benchmarks.table import Measurement, publish
from benchmarks.timing import alternating

SIZES = (1_000, 10_000, 100_000)
LINKS_EACH = 10
DIMENSIONS = 384
BATCH = 10_000
QUESTIONS = 10
ROUNDS = 10
NARROW = {"min_link_score": 0.02}
LIVE = {1: (1, 1), 10: (7, 14), 100: (70, 140)}


class UnusedEmbedder:
    """Embedder of the right size although every node and link brings its own vector."""

    name = "numbers"
    dimensions = DIMENSIONS

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[1.0] * DIMENSIONS for _ in texts]

    def embed_query(self, text: str) -> list[float]:
        return [1.0] * DIMENSIONS


class CountingProxy:
    """Proxy of the server that counts the bytes it passes on."""

    def __init__(self, uri: str) -> None:
        self._address = urlsplit(uri)
        self.bytes = 0

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        proxy = await asyncio.start_server(self._pass, "127.0.0.1", 0)
        async with proxy:
            yield f"bolt://127.0.0.1:{proxy.sockets[0].getsockname()[1]}"

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server = await asyncio.open_connection(self._address.hostname, self._address.port)
        with suppress(asyncio.CancelledError, ConnectionError):
            await asyncio.gather(self._copy(reader, server[1]), self._copy(server[0], writer))

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            self.bytes += len(data)
            writer.write(data)
            await writer.drain()
        writer.close()


class World:
    """Graph about some topics, made in batches because a large one does not fit into memory."""

    def __init__(self, size: int, moments: float) -> None:
        self._rng = np.random.default_rng(size)
        self._size = size
        self._moments = moments
        self._topics = self._rng.normal(0.5, 1, (QUESTIONS, DIMENSIONS))
        self._about = self._rng.integers(0, QUESTIONS, size)
        self.topics: list[list[float]] = self._topics.tolist()
        self.links = size * LINKS_EACH // 2

    async def load(self, graph: Graph) -> float:
        """Load the world and return the seconds that loading took."""
        seconds = 0.0
        for make, total in ((self._nodes, self._size), (self._links, self.links)):
            for at in range(0, total, BATCH):
                batch = make(range(at, min(at + BATCH, total)))
                start = time.perf_counter()
                await graph.exploration.load(**batch)
                seconds += time.perf_counter() - start
        return seconds

    def _vectors(self, topics: Any, spread: float) -> list[list[float]]:
        noise = self._rng.normal(0, spread, (len(topics), DIMENSIONS))
        vectors: list[list[float]] = (self._topics[topics] + noise).tolist()
        return vectors

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

    def _links(self, at: range) -> dict[str, Any]:
        ends = self._rng.integers(0, self._size, len(at))
        vectors = self._vectors(self._about[ends], 1.3)
        plain = {"polarity": (0.9, 0.6), "permanence": 0.1}
        links = [
            {"a": f"n{n % self._size}", "b": f"n{end}", "id": f"k{n}", "embedding": vector, **plain}
            for n, end, vector in zip(at, ends, vectors, strict=True)
        ]
        return {"links": links}


def statements(branch: Branch) -> int:
    """Count the statements of one SubEntity's walk if every question were one of its own.

    Per hop: links twice, the path's links twice over, position, findings, two tests of kind.
    """
    inherited = len(branch.path) - branch.hops
    hops = sum(2 * (inherited + at) + len(branch.own_found) + 5 for at in range(branch.hops))
    resonances = len(branch.own_found) * (len(branch.path) + 3)
    return hops + resonances + len(branch.path)


async def one_by_one(graph: Graph, exploration: Exploration) -> None:
    """Run as many single statements as that, each reading one node with its vector."""
    run = graph.database.driver.execute_query
    nodes = [node.id for node in exploration.nodes]
    count = sum(statements(branch) for branch in exploration.tree.with_descendants())
    for at in range(count):
        await run(
            "MATCH (n:Thing|Moment|Narrative|Space|Actor {realm: $realm, id: $id}) "
            "RETURN n.embedding AS embedding, n.kind AS kind",
            realm=graph.realm,
            id=nodes[at % len(nodes)],
        )


async def vector_query(graph: Graph, query: list[float]) -> None:
    """Read the ten nearest narratives with one vector query."""
    await graph.database.driver.execute_query(
        "CYPHER 25 MATCH (n:Narrative) SEARCH n IN (VECTOR INDEX knowledge_embedding FOR $query "
        "WHERE n.realm = $realm AND n.kind = 'narrative' LIMIT 10) RETURN n.id AS id",
        query=query,
        realm=graph.realm,
    )


async def explore_size(graph: Graph, size: int, proxy: CountingProxy) -> list[Measurement]:
    """Load a graph of one size, ask ten questions and compare the walks with other ways."""
    world = World(size, 0.2)
    seconds, topics = await world.load(graph), world.topics
    lines = [Measurement(f"{size:,} nodes: load", seconds, "s", f"{world.links:,} links")]
    await ask(graph, topics[0], dry_run=True)
    explorations, times, sent = [], [], []
    for topic in topics:
        before, start = proxy.bytes, time.perf_counter()
        explorations.append(await ask(graph, topic))
        times.append((time.perf_counter() - start) * 1000)
        sent.append((proxy.bytes - before) / 1000)
    name = f"{size:,} nodes: explore"
    hops = [exploration.hops for exploration in explorations]
    walkers = mean(exploration.subentities for exploration in explorations)
    reads = mean(exploration.reads for exploration in explorations)
    comment = f"{mean(hops):.1f} hops of {walkers:.1f} SubEntities"
    lines.append(Measurement(name, median(times), "ms", comment))
    lines.append(Measurement(f"{name}, per hop", sum(times) / sum(hops), "ms"))
    lines.append(Measurement(f"{name}, reads", reads, "statements"))
    lines.append(Measurement(f"{name}, wire", median(sent), "kB"))
    query = topics[hops.index(max(hops))]
    return lines + await compare_walk(graph, query, name)


async def compare_walk(graph: Graph, query: list[float], name: str) -> list[Measurement]:
    """Compare a walk with single statements and with one vector query."""
    dry_run = await ask(graph, query, dry_run=True)
    count = sum(statements(branch) for branch in dry_run.tree.with_descendants())
    ours, theirs = await alternating(
        lambda: ask(graph, query, dry_run=True), lambda: one_by_one(graph, dry_run), 5
    )
    lines = [
        Measurement(f"{name}, one by one", theirs, "ms", f"{count} statements, ours {ours:.1f} ms"),
        Measurement(f"{name}, fewer statements", count / dry_run.reads, "x", "target 10"),
        Measurement(f"{name}, less time", theirs / ours, "x", "target 5"),
    ]
    walk, search = await alternating(
        lambda: ask(graph, query, dry_run=True), lambda: vector_query(graph, query), 11
    )
    comment = f"{search:.1f} ms"
    return [*lines, Measurement(f"{name}, of a bare vector query", walk / search, "x", comment)]


async def ask(graph: Graph, query: list[float], **options: Any) -> Exploration:
    """Explore one question with its vector."""
    options = {"mode": "literal", "settings": NARROW} | options
    return await graph.exploration.explore("n0", "what?", query_embedding=query, **options)


async def crowded(graph: Graph) -> list[Measurement]:
    """Measure ticks by the number of live SubEntities, in a graph that branches everywhere."""
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
    lines = []
    for live, (least, most) in LIVE.items():
        times = [ms for n, each in ticks.items() if least <= n <= most for ms in each]
        if times:
            comment = f"{least} to {most} live, {len(times)} ticks"
            lines.append(Measurement(f"tick of {live} SubEntities", median(times), "ms", comment))
    return lines


async def learning(graph: Graph) -> list[Measurement]:
    """Ask the same questions ten times over and measure what changes."""
    world = World(1_000, 0.2)
    await world.load(graph)
    lines = []
    for turn in range(ROUNDS):
        explorations = [await ask(graph, topic) for topic in world.topics]
        links = [link for each in explorations for link in each.changes.links]
        gain = sum(link.weight_after - link.weight_before for link in links)
        comment = (
            f"satisfaction {mean(each.satisfaction for each in explorations):.3f}, "
            f"{sum(len(each.created) for each in explorations)} new, link weight +{gain:.2f}"
        )
        hops = mean(each.hops for each in explorations)
        lines.append(Measurement(f"asked {turn + 1} times: hops", hops, "", comment))
    return lines


async def measure(server: OwnServer, sizes: tuple[int, ...]) -> None:
    """Measure everything, publishing each step because the whole takes long."""
    proxy, lines = CountingProxy(server.uri), list[Measurement]()
    embedder = UnusedEmbedder()
    async with proxy.open() as uri:
        passed = replace(server, uri=uri)
        for benchmark in (learning, crowded):
            async with passed.graph(benchmark.__name__, embedder=embedder) as graph:
                lines += await benchmark(graph)
                publish("exploration", lines)
        for size in sizes:
            async with passed.graph(f"of-{size}", embedder=embedder) as graph:
                lines += await explore_size(graph, size, proxy)
                publish("exploration", lines)


def main(sizes: tuple[int, ...] = SIZES) -> None:
    with own_server() as server:
        asyncio.run(measure(server, sizes))


if __name__ == "__main__":
    main(tuple(int(size) for size in sys.argv[1:]) or SIZES)
