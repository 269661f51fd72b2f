"""elfmem's consolidation, driven through its own interface, in an environment of its own.

benchmarks/consolidation.py runs it with the Python that has elfmem. It reads a corpus (vectors as
.npy, texts as .json) and prints one JSON document.
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


class CorpusEmbedder:
    """Embedder that returns the vector of each text of the corpus."""

    model_name = "benchmark"

    def __init__(self, vectors: dict[str, Any]) -> None:
        self._vectors = vectors

    async def embed(self, text: str) -> Any:
        return self._vectors[text]

    async def embed_batch(self, texts: list[str]) -> list[Any]:
        return [self._vectors[text] for text in texts]


async def open_system(path: Path, vectors: dict[str, Any]) -> Any:
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
    embedder = CorpusEmbedder(vectors)
    return MemorySystem(engine=engine, llm_service=llm, embedding_service=embedder), engine


def timed_writes() -> dict[str, float]:
    """Count the CPU time of elfmem's write phase, so that the rest is its computing."""
    from elfmem.operations import consolidate

    writing = {"cpu": 0.0}
    plain = consolidate._apply_decisions

    async def measured(*arguments: Any, **options: Any) -> Any:
        start = time.process_time()
        try:
            return await plain(*arguments, **options)
        finally:
            writing["cpu"] += time.process_time() - start

    consolidate._apply_decisions = measured
    return writing


async def question_time(system: Any, texts: list[str]) -> float:
    """Return the median milliseconds of a question."""
    times = []
    for text in texts[:: max(1, len(texts) // QUESTIONS)]:
        start = time.perf_counter()
        await system.recall(text)
        times.append((time.perf_counter() - start) * 1000)
    return median(times)


async def main(folder: Path, active: int, waiting: int) -> None:
    table = np.load(folder / "vectors.npy")
    items = json.loads((folder / "items.json").read_text())[: active + waiting]
    vectors = {item["text"]: table[row] for row, item in enumerate(items)}
    system, engine = await open_system(folder / f"peer-{active}-{waiting}.db", vectors)
    writing = timed_writes()
    texts: dict[str, str] = {}
    for first, last in ((0, active), (active, active + waiting)):
        for item in items[first:last]:
            block = await system.learn(item["text"], tags=item["tags"], category=item["category"])
            texts[block.block_id] = item["text"]
        writing["cpu"] = 0.0
        wall, cpu = time.perf_counter(), time.process_time()
        if last > first:
            await system.consolidate(max_inbox_per_run=100_000)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    recall = await question_time(system, [item["text"] for item in items])
    from elfmem.db.queries import get_all_edges

    async with engine.connect() as connection:
        edges = await get_all_edges(connection)
    await engine.dispose()
    pairs = [[texts[e["from_id"]], texts[e["to_id"]], e["weight"]] for e in edges]
    times = {"wall": wall, "cpu": cpu, "compute": cpu - writing["cpu"], "recall": recall}
    print(json.dumps(times | {"edges": pairs}))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
