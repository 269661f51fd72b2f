"""elfmem's consolidation, driven through its own interface, in an environment of its own.

Run by benchmarks/consolidation.py with the Python that has elfmem: reads a corpus (vectors as .npy,
texts as .json), prints one JSON document.
"""

import asyncio
import json
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

QUESTIONS = 50


class Known:
    """Gives each text the vector that it has in the corpus."""

    model_name = "benchmark"

    def __init__(self, vectors: dict[str, Any]) -> None:
        self._vectors = vectors

    async def embed(self, text: str) -> Any:
        return self._vectors[text]

    async def embed_batch(self, texts: list[str]) -> list[Any]:
        return [self._vectors[text] for text in texts]


async def opened(path: Path, vectors: dict[str, Any]) -> Any:
    from elfmem import MemorySystem
    from elfmem.adapters.mock import MockLLMService
    from elfmem.db.engine import create_engine
    from elfmem.db.models import metadata
    from elfmem.db.queries import seed_builtin_data

    engine = await create_engine(str(path))
    async with engine.begin() as connection:
        await connection.run_sync(metadata.create_all)
        await seed_builtin_data(connection)
    llm = MockLLMService(default_summary_prefix="")
    return MemorySystem(engine=engine, llm_service=llm, embedding_service=Known(vectors)), engine


def timed_writes() -> dict[str, float]:
    """Counts what elfmem's own write phase takes, so that the rest is its computing."""
    from elfmem.operations import consolidate

    spent = {"cpu": 0.0}
    plain = consolidate._apply_decisions

    async def measured(*given: Any, **more: Any) -> Any:
        start = time.process_time()
        try:
            return await plain(*given, **more)
        finally:
            spent["cpu"] += time.process_time() - start

    consolidate._apply_decisions = measured
    return spent


async def asked(system: Any, texts: list[str]) -> float:
    """Median milliseconds of a question."""
    times = []
    for text in texts[:: max(1, len(texts) // QUESTIONS)]:
        start = time.perf_counter()
        await system.recall(text)
        times.append((time.perf_counter() - start) * 1000)
    return median(times)


async def main(folder: Path, active: int, fresh: int) -> None:
    table = np.load(folder / "vectors.npy")
    items = json.loads((folder / "items.json").read_text())[: active + fresh]
    vectors = {item["text"]: table[row] for row, item in enumerate(items)}
    system, engine = await opened(folder / f"peer-{active}-{fresh}.db", vectors)
    spent = timed_writes()
    texts: dict[str, str] = {}
    for first, last in ((0, active), (active, active + fresh)):
        for item in items[first:last]:
            told = await system.learn(item["text"], tags=item["tags"], category=item["category"])
            texts[told.block_id] = item["text"]
        spent["cpu"] = 0.0
        wall, cpu = time.perf_counter(), time.process_time()
        if last > first:
            await system.consolidate(max_inbox_per_run=100_000)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    recall = await asked(system, [item["text"] for item in items])
    from elfmem.db.queries import get_all_edges

    async with engine.connect() as connection:
        edges = await get_all_edges(connection)
    await engine.dispose()
    pairs = [[texts[e["from_id"]], texts[e["to_id"]], e["weight"]] for e in edges]
    told = {"wall": wall, "cpu": cpu, "compute": cpu - spent["cpu"], "recall": recall}
    print(json.dumps(told | {"edges": pairs}))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
