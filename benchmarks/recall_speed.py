"""Recall as memories grow: how fast they are written, and what a question costs.

    python -m benchmarks.recall_speed [SIZE ...]

Sizes are synthetic memories. A question is told as a multiple of one bare vector query on the same
server. Both come right after the embedding of the question, as they do in life, and both are told
without it. A bare query asked a second time, which finds all it reads in the processor's caches, is
told beside them.
"""

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import islice
from statistics import median
from unittest.mock import patch

import numpy as np

from benchmarks.recall import VECTOR, Baselines
from benchmarks.table import Measurement, publish
from engine.database import Row, Transaction
from engine.embedding import OnnxEmbedder
from engine.graph import Graph
from engine.memories import memories, vectors
from engine.memories import text as texts
from engine.realms import realm_key
from engine.recall import notes

REALM = "bench-recall-speed"
SIZES = [6_000]
ASKED = 100
BATCH = 2000
INGESTED = 2000
ROUNDS = 3
WARM = 6  # the server compiles what it runs often
WRITE = """CYPHER 25
UNWIND $rows AS row
CREATE (m:Memory:Text {realm: $realm})
SET m += row.properties
WITH m, row.vector AS vector
CALL db.create.setNodeVectorProperty(m, 'embedding', vector)"""


async def ingestion(count: int) -> list[Measurement]:
    """Remembering with and without what recall sets down, embedding left out and counted in."""
    rates: dict[str, list[float]] = {}
    items = [{"text": _sentence(number, count)} for number in range(count)]
    for noted in (True, False) * ROUNDS:
        async with Graph.open(realm=REALM) as graph:
            await graph.realms.delete(REALM)
            await graph.memories.remember("The first of many.")
            began = time.perf_counter()
            # The one way there is, but for the notes: nothing else may differ between the two.
            with nullcontext() if noted else patch.object(memories, "_write", _memories_only):
                await graph.memories.remember_many(items)
            between = time.perf_counter()
            await vectors.embed(graph.database, graph.embedding)
            rates.setdefault(f"written, {noted}", []).append(between - began)
            rates.setdefault(f"whole, {noted}", []).append(time.perf_counter() - began)
            await graph.realms.delete(REALM)
    rows = []
    for kind, words in (("whole", "remembering"), ("written", "of that, writing alone")):
        whole, bare = min(rates[f"{kind}, True"]), min(rates[f"{kind}, False"])
        beside = f"{whole / bare:.2f}x of what it takes without recall's notes"
        rows.append(Measurement(f"{words}, {count:,} texts", count / whole, "texts/s", beside))
    return rows


async def _memories_only(tx: Transaction, rows: list[Row]) -> list[Row]:
    [answer] = await tx.rows("memories/remember", rows=rows, sessions=[])
    told: list[Row] = answer["told"]
    return told


class Timed(OnnxEmbedder):
    """The default model, which remembers how long its latest question took."""

    latest = 0.0

    def embed_query(self, text: str) -> list[float]:
        began = time.perf_counter()
        try:
            return super().embed_query(text)
        finally:
            self.latest = (time.perf_counter() - began) * 1000


async def latency(size: int) -> list[Measurement]:
    """A question over so many synthetic memories, as a multiple of one bare vector query."""
    timed, names = Timed(), ("bare", "again", "whole", "embedding", "ours")
    async with Graph.open(realm=REALM, embedder=timed) as graph:
        await graph.realms.delete(REALM)
        rate = await _fill(graph, size)
        questions = [_sentence(number * 7919 + 13, size) for number in range(ASKED)]
        base = Baselines(graph)
        took: dict[str, list[float]] = {name: [] for name in names}
        for warm in (True,) * WARM + (False,):
            for text in questions:
                vector = await graph.embedding.query(text)
                bare, again = [await _bare_query(base, vector) for _ in range(2)]
                began = time.perf_counter()
                await graph.recall.find(text)
                whole = (time.perf_counter() - began) * 1000
                if not warm:
                    times = (bare, again, whole, timed.latest, whole - timed.latest)
                    for name, milliseconds in zip(names, times, strict=True):
                        took[name].append(milliseconds)
        await graph.realms.delete(REALM)
    found = {name: median(times) for name, times in took.items()}
    first, second = (found["ours"] / found[name] for name in ("bare", "again"))
    return [
        Measurement(f"{size}: written", rate, "memories/s", "with all that recall sets down"),
        Measurement(f"{size}: bare vector query, p50", found["bare"], "ms"),
        Measurement(f"{size}: bare vector query, asked again, p50", found["again"], "ms"),
        Measurement(f"{size}: embedding a question, p50", found["embedding"], "ms"),
        Measurement(
            f"{size}: recall.find beyond that, p50",
            found["ours"],
            "ms",
            f"{first:.2f}x bare, {second:.2f}x bare asked again",
        ),
        Measurement(f"{size}: recall.find, p95", sorted(took["whole"])[int(0.95 * ASKED)], "ms"),
    ]


async def _bare_query(base: Baselines, vector: list[float]) -> float:
    began = time.perf_counter()
    await base.ids(VECTOR, vector=vector, k=10, realm=REALM)
    return (time.perf_counter() - began) * 1000


async def _fill(graph: Graph, size: int) -> float:
    """Memories with names, words and vectors of a cloud, straight into the store."""
    await graph.memories.remember("The first of many.", id="first")
    await graph.recall.find("first")
    rows, began = _memories(graph, size), time.perf_counter()
    while batch := list(islice(rows, BATCH)):
        await graph.database.driver.execute_query(WRITE, rows=batch, realm=REALM)
        told = [row["properties"] for row in batch]
        key = told[0]["realm_key"]
        await graph.database.rows(
            "recall/note", realm_key=key, count=len(told), **notes.noted(told)
        )
    rate = size / (time.perf_counter() - began)
    await graph.database.driver.execute_query("CALL db.awaitIndexes(3600)")
    return rate


def _memories(graph: Graph, size: int) -> Iterator[Row]:
    cloud = np.random.default_rng(size)
    middle = cloud.normal(size=(200, 384)).astype(np.float32)
    settings = graph.settings.memories
    now = graph.clock.now()
    for number in range(size):
        item = texts.parse({"text": _sentence(number, size), "id": f"m{number}"})
        row = texts.row(item, settings, now, 0, realm_key(REALM))
        near = middle[number % len(middle)] + 0.8 * cloud.normal(size=384)
        row["properties"] |= {"id": row["id"], "unembedded": None}
        yield {"properties": row["properties"], "vector": (near / np.linalg.norm(near)).tolist()}


def _sentence(number: int, size: int) -> str:
    """Names as in life: most are rare, a few are everywhere."""
    person, other = _name(number % max(50, size // 12)), _name((number * 31) % max(50, size // 40))
    place, thing = _name(number % 23 + 7), f"thing{number % 997}"
    return f"{person} met {other} in {place} about the {thing} of case {number}."


def _name(number: int) -> str:
    parts = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu"]
    return "".join(parts[int(digit)] for digit in str(number)).capitalize()


def main() -> None:
    """Run, print, write."""
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()]

    async def everything() -> list[Measurement]:
        rows = await ingestion(INGESTED)
        for size in sizes or SIZES:
            rows += await latency(size)
        return rows

    publish("recall_speed", asyncio.run(everything()))


if __name__ == "__main__":
    main()
