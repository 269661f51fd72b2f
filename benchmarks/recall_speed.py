"""Recall by the number of memories: speed of writing, and time of a question.

    python -m benchmarks.recall_speed [SIZE ...]

Sizes are numbers of synthetic memories. A question is a multiple of one bare vector query
on the same server. Both come right after the embedding of the question and leave it out. A third
line has the bare query asked a second time, which reads from the processor's caches.
"""

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import islice
from math import inf
from statistics import median
from unittest.mock import patch  # leaves the index out of the code that is measured

import numpy as np

from asterism import memory_vectors, search_index
from asterism.database import Row
from asterism.embedding import OnnxEmbedder
from asterism.graph import Graph
from asterism.memories import text_items as texts
from asterism.memories import text_writer
from asterism.realm_names import realm_key
from benchmarks.recall_ways import VECTOR, Baselines
from benchmarks.table import Measurement, publish

REALM = "bench-recall-speed"
SIZES = [6_000]
QUESTIONS = 100
BATCH = 2000
INGESTED = 2000
ROUNDS = 3
WARM = 6  # the server compiles what it runs often
WRITE = """CYPHER 25
UNWIND $rows AS row
CREATE (m:Memory:Text {realm: $realm})
SET m += row.properties, m.last_interaction = row.properties.first_seen
WITH m, row.vector AS vector
CALL db.create.setNodeVectorProperty(m, 'embedding', vector)"""


async def ingestion(count: int) -> list[Measurement]:
    """Measure remembering with and without the search index."""
    rates: dict[str, list[float]] = {}
    items = [{"text": sentence(number, count)} for number in range(count)]
    for indexed in (True, False) * ROUNDS:
        async with Graph.open(realm=REALM) as graph:
            await graph.realms.delete(REALM)
            await graph.memories.remember("The first of many.")
            began = time.perf_counter()
            with nullcontext() if indexed else _without_index():
                await graph.memories.remember_many(items)
            between = time.perf_counter()
            await memory_vectors.embed_missing(graph.database, graph.embedding)
            rates.setdefault(f"written, {indexed}", []).append(between - began)
            rates.setdefault(f"whole, {indexed}", []).append(time.perf_counter() - began)
            await graph.realms.delete(REALM)
    rows = []
    for kind, words in (("whole", "remembering"), ("written", "of that, writing alone")):
        whole, bare = min(rates[f"{kind}, True"]), min(rates[f"{kind}, False"])
        comment = f"{whole / bare:.2f}x of the time without the search index"
        rows.append(Measurement(f"{words}, {count:,} texts", count / whole, "texts/s", comment))
    return rows


@contextmanager
def _without_index() -> Iterator[None]:
    """Leave the search index out, and nothing else."""

    async def add(*_: object) -> None:
        pass

    with (
        patch.object(search_index, "add", add),
        patch.object(text_writer, "index_rows", lambda rows: {}),
    ):
        yield


class TimedEmbedder(OnnxEmbedder):
    """Default model that measures how long it was at work since it was last asked for that.

    A question is embedded twice at once, as a whole and without its names.
    """

    _began, _ended = inf, -inf

    def embed_query(self, text: str) -> list[float]:
        self._began = min(self._began, time.perf_counter())
        try:
            return super().embed_query(text)
        finally:
            self._ended = time.perf_counter()

    def take_milliseconds(self) -> float:
        """Return the milliseconds from its first question to the end of its last, and forget."""
        took = (self._ended - self._began) * 1000
        self._began, self._ended = inf, -inf
        return took


async def latency(size: int) -> list[Measurement]:
    """Measure a question over so many memories, as a multiple of one bare vector query."""
    embedder, names = TimedEmbedder(), ("bare", "again", "whole", "embedding", "ours")
    async with Graph.open(realm=REALM, embedder=embedder) as graph:
        await graph.realms.delete(REALM)
        rate = await fill(graph, size)
        questions = [sentence(number * 7919 + 13, size) for number in range(QUESTIONS)]
        base = Baselines(graph)
        took: dict[str, list[float]] = {name: [] for name in names}
        for warm in (True,) * WARM + (False,):
            for text in questions:
                vector = await graph.embedding.query(text)
                bare, again = [await bare_query(base, vector) for _ in range(2)]
                embedder.take_milliseconds()
                began = time.perf_counter()
                await graph.recall.find(text)
                whole = (time.perf_counter() - began) * 1000
                embedding = embedder.take_milliseconds()
                if not warm:
                    times = (bare, again, whole, embedding, whole - embedding)
                    for name, milliseconds in zip(names, times, strict=True):
                        took[name].append(milliseconds)
        await graph.realms.delete(REALM)
    medians = {name: median(times) for name, times in took.items()}
    first, second = (medians["ours"] / medians[name] for name in ("bare", "again"))
    return [
        Measurement(f"{size}: written", rate, "memories/s", "with the search index"),
        Measurement(f"{size}: bare vector query, p50", medians["bare"], "ms"),
        Measurement(f"{size}: bare vector query, asked again, p50", medians["again"], "ms"),
        Measurement(f"{size}: embedding a question, p50", medians["embedding"], "ms"),
        Measurement(
            f"{size}: recall.find beyond that, p50",
            medians["ours"],
            "ms",
            f"{first:.2f}x bare, {second:.2f}x bare asked again",
        ),
        Measurement(
            f"{size}: recall.find, p95", sorted(took["whole"])[int(0.95 * QUESTIONS)], "ms"
        ),
    ]


async def bare_query(base: Baselines, vector: list[float]) -> float:
    """Return the milliseconds of one bare vector query."""
    began = time.perf_counter()
    await base.ids(VECTOR, vector=vector, k=10, realm=REALM)
    return (time.perf_counter() - began) * 1000


async def fill(graph: Graph, size: int) -> float:
    """Write memories with names, words and random vectors straight into the graph."""
    await graph.memories.remember("The first of many.", id="first")
    await graph.recall.find("first")
    rows, began = _memories(graph, size), time.perf_counter()
    while batch := list(islice(rows, BATCH)):
        await graph.database.driver.execute_query(WRITE, rows=batch, realm=REALM)
        properties = [row["properties"] for row in batch]
        key = properties[0]["realm_key"]
        await graph.database.rows(
            "search_index/index_texts",
            realm_key=key,
            count=len(properties),
            **search_index.index_rows(properties),
        )
    rate = size / (time.perf_counter() - began)
    await graph.database.driver.execute_query("CALL db.awaitIndexes(3600)")
    return rate


def _memories(graph: Graph, size: int) -> Iterator[Row]:
    cloud = np.random.default_rng(size)
    centres = cloud.normal(size=(200, 384)).astype(np.float32)
    settings = graph.settings.memories
    now = graph.clock.now()
    for number in range(size):
        item = texts.parse({"text": sentence(number, size), "id": f"m{number}"})
        row = texts.row(item, settings, now, 0, realm_key(REALM))
        vector = centres[number % len(centres)] + 0.8 * cloud.normal(size=384)
        row["properties"] |= {"id": row["id"], "unembedded": None}
        yield {
            "properties": row["properties"],
            "vector": (vector / np.linalg.norm(vector)).tolist(),
        }


def sentence(number: int, size: int) -> str:
    """Return a sentence with names of which most are rare and a few are common."""
    person, other = _name(number % max(50, size // 12)), _name((number * 31) % max(50, size // 40))
    place, thing = _name(number % 23 + 7), f"thing{number % 997}"
    return f"{person} met {other} in {place} about the {thing} of case {number}."


def _name(number: int) -> str:
    parts = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu"]
    return "".join(parts[int(digit)] for digit in str(number)).capitalize()


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()]

    async def everything() -> list[Measurement]:
        rows = await ingestion(INGESTED)
        for size in sizes or SIZES:
            rows += await latency(size)
        return rows

    publish("recall_speed", asyncio.run(everything()))


if __name__ == "__main__":
    main()
