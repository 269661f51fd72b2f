"""Questions through a filter: what it finds, and how long it takes beside a plain question.

    python -m benchmarks.recall_filter [SIZE ...]

Sizes are numbers of synthetic memories, of which each filter keeps ten, half or all but ten.
Times leave the embedding of the question out.
"""

import asyncio
import sys
import time
from statistics import median
from typing import Any

from asterism.graph import Graph
from benchmarks.recall_speed import REALM, TimedEmbedder, fill, sentence
from benchmarks.table import Measurement, publish

SIZES = [50_000]
FEW = 10
QUESTIONS = 50
WARM = 3  # the server compiles what it runs often
TAG = "rare"
FILTERS: dict[str, dict[str, Any]] = {
    "no filter": {},
    "a tag of ten": {"tags": [TAG]},
    "metadata of ten": {"where": {"page": {"ge": 3, "lt": 4}}},
    "all but the tag": {"no_tags": [TAG]},
}


async def filtered(size: int) -> list[Measurement]:
    """Measure questions through each filter, and count what is found of the ten."""
    embedder = TimedEmbedder()
    took: dict[str, list[float]] = {name: [] for name in FILTERS}
    async with Graph.open(realm=REALM, embedder=embedder) as graph:
        await graph.realms.delete(REALM)
        await fill(graph, size)
        few = {f"few{number}" for number in range(FEW)}
        await graph.memories.remember_many(
            {"id": id, "text": f"A far memory, {id}.", "tags": [TAG], "metadata": {"page": 3}}
            for id in sorted(few)
        )
        await graph.recall.find("first")
        embedder.take_milliseconds()
        least = FEW
        for warm in (True,) * WARM + (False,):
            for number in range(QUESTIONS):
                query = sentence(number * 7919 + 13, size)
                for name, conditions in FILTERS.items():
                    began = time.perf_counter()
                    hits = (await graph.recall.find(query, **conditions)).hits
                    milliseconds = (time.perf_counter() - began) * 1000
                    milliseconds -= embedder.take_milliseconds()
                    if name.endswith("of ten"):
                        least = min(least, len(few & {hit.id for hit in hits}))
                    if not warm:
                        took[name].append(milliseconds)
        await graph.realms.delete(REALM)
    plain = median(took["no filter"])
    rows = [
        Measurement(f"{size}: {name}, p50", median(times), "ms", f"{median(times) / plain:.2f}x")
        for name, times in took.items()
    ]
    found = Measurement(f"{size}: found of the ten, least", least, "memories")
    return [*rows, found]


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()]

    async def everything() -> list[Measurement]:
        return [row for size in sizes or SIZES for row in await filtered(size)]

    publish("recall_filter", asyncio.run(everything()))


if __name__ == "__main__":
    main()
