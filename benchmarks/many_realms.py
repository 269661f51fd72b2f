"""Twenty realms in one process: memory and first question of each further realm.

    python -m benchmarks.many_realms

Each realm is a graph of its own, as in a service with a realm for each user, and its texts are
consolidated. The comparison is the same with a model of its own for every graph.
"""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from statistics import median

import psutil

from asterism.embedding import OnnxEmbedder
from asterism.graph import Graph
from benchmarks.table import Measurement, publish
from benchmarks.timing import timed

REALMS = 20
TEXTS = 5
MEGABYTE = 1024 * 1024


async def fill(names: list[str]) -> None:
    """Create the realms, each with a few consolidated texts."""
    for name in names:
        async with Graph.open(realm=name) as graph:
            for number in range(TEXTS):
                await graph.memories.remember(f"The lighthouse keeper keeps key {number}.")
            await graph.consolidation.consolidate()


async def first_questions(embedder: Callable[[], OnnxEmbedder | None]) -> tuple[float, float]:
    """Return the megabytes and milliseconds that each realm beyond the first costs."""
    process, times, resident = psutil.Process(), [], []
    names = [f"bench-many-{number}" for number in range(REALMS)]
    await fill(names)
    async with AsyncExitStack() as stack:
        for name in names:
            graph = await stack.enter_async_context(Graph.open(realm=name, embedder=embedder()))
            stack.push_async_callback(graph.realms.delete, name)
            times.append(await timed(graph.recall.find("Who has the key?")))
            resident.append(process.memory_info().rss / MEGABYTE)
    return (resident[-1] - resident[0]) / (REALMS - 1), median(times[1:])


def main() -> None:
    # The shared model comes first, while the memory of the process is clean.
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
