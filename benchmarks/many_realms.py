"""Twenty realms in one process: memory, and the time of each realm's first question.

    python -m benchmarks.many_realms

Each realm is a graph of its own, as a service with a realm a user opens them; its texts have been
consolidated before. Beside it, the same with a model of its own for every graph.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from statistics import median

import psutil

from benchmarks.table import Measurement, publish
from engine.embedding import OnnxEmbedder
from engine.graph import Graph

REALMS = 20
TEXTS = 5
MEGABYTE = 1024 * 1024


async def fill(names: list[str]) -> None:
    """Make the realms, each with a few consolidated texts."""
    for name in names:
        async with Graph.open(realm=name) as graph:
            for number in range(TEXTS):
                await graph.memories.remember(f"The lighthouse keeper keeps key {number}.")
            await graph.consolidation.consolidate()


async def first_questions(embedder: Callable[[], OnnxEmbedder | None]) -> tuple[float, float]:
    """Return megabytes and milliseconds that each realm beyond the first costs."""
    process, times, resident = psutil.Process(), [], []
    names = [f"bench-many-{number}" for number in range(REALMS)]
    await fill(names)
    async with AsyncExitStack() as stack:
        for name in names:
            graph = await stack.enter_async_context(Graph.open(realm=name, embedder=embedder()))
            stack.push_async_callback(graph.realms.delete, name)
            began = time.perf_counter()
            await graph.recall.find("Who has the key?")
            times.append((time.perf_counter() - began) * 1000)
            resident.append(process.memory_info().rss / MEGABYTE)
    return (resident[-1] - resident[0]) / (REALMS - 1), median(times[1:])


def main() -> None:
    """Measure both ways in one run; the shared one first, while the memory is clean."""
    shared = asyncio.run(first_questions(lambda: None))
    own = asyncio.run(first_questions(OnnxEmbedder))
    rows = [
        Measurement(
            "memory of a further realm", shared[0], "MB", f"{own[0]:.0f} MB with a model each"
        ),
        Measurement(
            "first question of a further realm, p50",
            shared[1],
            "ms",
            f"{own[1]:.0f} ms with a model each",
        ),
    ]
    publish("many_realms", rows)


if __name__ == "__main__":
    main()
