"""Recall on two Java runtimes: that of the wheel, and one with vector instructions, in turns.

    python -m benchmarks.recall_java JAVA [SIZE ...]

JAVA is a folder or an executable, as for ASTERISM_JAVA. Each size has a server of its own on each
runtime, and each question goes to one server right after the other.
"""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from statistics import median

from asterism.embedding import OnnxEmbedder
from asterism.graph import Graph
from asterism.local import java
from benchmarks.recall_speed import QUESTIONS, REALM, WARM, bare_query, fill, sentence
from benchmarks.recall_ways import Baselines
from benchmarks.servers import OwnServer, own_server
from benchmarks.table import Measurement, publish
from benchmarks.timing import timed

SIZES = [6_000, 60_000]


@contextmanager
def server_on(path: str | None) -> Iterator[OwnServer]:
    """Start a server on a Java, that of the wheel if none is named."""
    before = dict(os.environ)
    os.environ.update({"ASTERISM_JAVA": path or "", "JAVA_HOME": "", "PATH": "/usr/bin:/bin"})
    try:
        chosen = java.find()
        if chosen.vectors != bool(path):
            raise SystemExit(f"{path or 'the wheel'} is not what runs: {chosen.summary}")
        with own_server() as server:
            yield server
    finally:
        os.environ.clear()
        os.environ.update(before)


async def measure(servers: tuple[OwnServer, OwnServer], size: int) -> list[Measurement]:
    """Put each question to both servers, and to both by a bare vector query."""
    took: dict[tuple[str, int], list[float]] = {}
    async with AsyncExitStack() as opened:
        embedder = OnnxEmbedder()
        graphs = [
            await opened.enter_async_context(server.graph(REALM, embedder=embedder))
            for server in servers
        ]
        for graph in graphs:
            await fill(graph, size)
        for warm in (True,) * WARM + (False,):
            for number in range(QUESTIONS):
                text = sentence(number * 7919 + 13, size)
                for place, graph in enumerate(graphs):
                    milliseconds = await _ask(graph, text)
                    for kind, value in milliseconds.items() if not warm else ():
                        took.setdefault((kind, place), []).append(value)
    return [_line(size, kind, took) for kind in ("bare vector query", "recall.find")]


async def _ask(graph: Graph, text: str) -> dict[str, float]:
    vector = await graph.embedding.query(text)
    bare = await bare_query(Baselines(graph), vector)
    return {"bare vector query": bare, "recall.find": await timed(graph.recall.find(text))}


def _line(size: int, kind: str, took: dict[tuple[str, int], list[float]]) -> Measurement:
    wheel, other = (median(took[kind, place]) for place in (0, 1))
    comment = f"with vector instructions {other:.1f} ms, {other / wheel:.2f} times"
    return Measurement(f"{size:,} memories, {kind}, p50", wheel, "ms", comment)


def main() -> None:
    if len(sys.argv) < 2:
        raise SystemExit("name a Java: python -m benchmarks.recall_java /path/to/jdk")
    lines: list[Measurement] = []
    for size in [int(word) for word in sys.argv[2:]] or SIZES:
        with server_on(None) as wheel, server_on(sys.argv[1]) as other:
            lines += asyncio.run(measure((wheel, other), size))
    publish("recall_java", lines)


if __name__ == "__main__":
    main()
