"""Recall beside what people use instead, on question sets: what is found, and how long it takes.

    python -m benchmarks.recall QUESTIONS.json ...

A set holds `passages` (id, title, text; session, speaker and at, an ISO time, where there are any)
and `questions` (question, gold: ids). Retrievers of neo4j-graphrag are measured too where that
package is installed; they search whole indexes, so run this on a server of its own (ASTERISM_HOME).
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.table import Measurement, publish
from engine import connection
from engine.database import Row
from engine.graph import Graph
from engine.realms import realm_key
from engine.recall import question

Found = Callable[[str], Awaitable[list[str]]]
REALM = "bench-recall"
DEPTH = 100
STEADY = 60
ABLATIONS: dict[str, dict[str, float]] = {
    "without names of the question": {"name": 0.0},
    "without words": {"words": 0.0},
    "without neighbours and sessions": {"neighbour": 0.0, "session": 0.0},
    "without the hop": {"hop_mention": 0.0, "hop_subject": 0.0, "hop_term": 0.0},
    "without rare words in the hop": {"hop_term": 0.0},
    "fused score alone": {
        "hop_mention": 0.0,
        "hop_subject": 0.0,
        "hop_term": 0.0,
        "neighbour": 0.0,
        "session": 0.0,
    },
}
WARM = 3
VECTOR = """CYPHER 25
MATCH (m:Memory)
  SEARCH m IN (VECTOR INDEX knowledge_embedding FOR $vector WHERE m.realm = $realm LIMIT $k)
  SCORE AS s
RETURN m.id AS id ORDER BY s DESC"""
FULLTEXT = """CYPHER 25
CALL db.index.fulltext.queryNodes('memory_passage', $text, {limit: $k}) YIELD node, score
RETURN node.id AS id ORDER BY score DESC"""


@dataclass(frozen=True)
class Quality:
    """What a way of searching finds, in percent, and how long it takes."""

    at_2: float
    at_5: float
    at_10: float
    all_in_8: float
    p50: float
    p95: float


class Baselines:
    """What people use instead, on the same server with the same vectors."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    async def vector(self, query: str) -> list[str]:
        return await self._vector(query, 10)

    async def fulltext(self, query: str) -> list[str]:
        return await self._fulltext(query, 10)

    async def rrf(self, query: str) -> list[str]:
        """Reciprocal rank fusion, what most libraries do."""
        ranks: dict[str, float] = {}
        for found in (await self._vector(query, DEPTH), await self._fulltext(query, DEPTH)):
            for rank, id in enumerate(found, start=1):
                ranks[id] = ranks.get(id, 0.0) + 1 / (STEADY + rank)
        return sorted(ranks, key=lambda id: (-ranks[id], id))[:10]

    async def _vector(self, query: str, k: int) -> list[str]:
        vector = await self._graph.embedding.query(query)
        return await self.ids(VECTOR, vector=vector, k=k, realm=self._graph.realm)

    async def _fulltext(self, query: str, k: int) -> list[str]:
        found = " ".join(word["text"] for word in question.searched(query))
        text = f"+realm_key:{realm_key(self._graph.realm)}^0 +passage:({found})"
        return await self.ids(FULLTEXT, text=text, k=k)

    async def ids(self, statement: str, **arguments: Any) -> list[str]:
        answer = await self._graph.database.driver.execute_query(statement, arguments, routing_="r")
        return [record["id"] for record in answer.records]


async def ours(graph: Graph) -> Found:
    async def find(query: str) -> list[str]:
        return [hit.id for hit in (await graph.recall.find(query)).hits]

    return find


async def quality(find: Found, questions: list[Row]) -> Quality:
    """Recall at 2, 5 and 10, all gold in 8, and latency; the first rounds only warm up."""
    for _ in range(WARM):
        for asked in questions:
            await find(asked["question"])
    sums, times, whole = {2: 0.0, 5: 0.0, 10: 0.0}, [], 0
    for asked in questions:
        began = time.perf_counter()
        found = await find(asked["question"])
        times.append((time.perf_counter() - began) * 1000)
        gold = set(asked["gold"])
        for k in sums:
            sums[k] += len(gold & set(found[:k])) / len(gold)
        whole += gold <= set(found[:8])
    share = 100 / len(questions)
    times.sort()
    at_2, at_5, at_10, in_8 = (round(value * share, 1) for value in (*sums.values(), whole))
    return Quality(at_2, at_5, at_10, in_8, median(times), times[int(0.95 * len(times))])


async def compare(asked: Row) -> list[Measurement]:
    """Every way of searching, on one question set."""
    rows: list[Measurement] = []
    async with Graph.open(realm=REALM) as graph:
        await graph.realms.delete(REALM)
        began = time.perf_counter()
        receipt = await graph.memories.remember_many(map(_item, asked["passages"]))
        seconds = time.perf_counter() - began
        if receipt.rejected:
            raise SystemExit(f"a passage is rejected: {receipt.rejected[0].reason}")
        await graph.recall.find("warm up")
        rows.append(Measurement("remembered", len(asked["passages"]) / seconds, "memories/s"))
        base = Baselines(graph)
        ways: dict[str, Found] = {
            "vector": base.vector,
            "fulltext": base.fulltext,
            "RRF of both": base.rrf,
            **(await graphrag(graph)),
            "recall.find": await ours(graph),
        }
        for name, find in ways.items():
            rows += _lines(name, await quality(find, asked["questions"]))
    for name, changed in ABLATIONS.items():
        async with Graph.open(realm=REALM, settings={"recall": changed}) as graph:
            rows += _lines(name, await quality(await ours(graph), asked["questions"]))
    async with Graph.open(realm=REALM) as graph:
        await graph.realms.delete(REALM)
    return rows


async def graphrag(graph: Graph) -> dict[str, Found]:
    """The retrievers of Neo4j's own package, with our embedder."""
    if find_spec("neo4j_graphrag") is None:
        return {}
    import neo4j
    from neo4j_graphrag.embeddings.base import Embedder
    from neo4j_graphrag.retrievers import HybridRetriever, VectorRetriever

    def embed(_: object, text: str) -> list[float]:
        return graph.embedding.embedder.embed_query(text)

    ours = type("Ours", (Embedder,), {"embed_query": embed})
    found = await connection.address(None, None, None, graph.settings.local)
    driver = neo4j.GraphDatabase.driver(found.uri, auth=found.auth)
    retrievers = {
        "neo4j-graphrag VectorRetriever": VectorRetriever(
            driver, "knowledge_embedding", ours(), return_properties=["id"]
        ),
        "neo4j-graphrag HybridRetriever": HybridRetriever(
            driver, "knowledge_embedding", "memory_passage", ours(), return_properties=["id"]
        ),
    }

    def searching(retriever: Any) -> Found:
        async def find(query: str) -> list[str]:
            plain = "".join(letter if letter.isalnum() else " " for letter in query)
            answer = retriever.get_search_results(query_text=plain, top_k=10)
            return [record["node"]["id"] for record in answer.records]

        return find

    return {name: searching(retriever) for name, retriever in retrievers.items()}


def _item(passage: Row) -> Row:
    given: Row = {key: passage[key] for key in ("session", "speaker") if passage.get(key)}
    if told := passage.get("at"):
        at = datetime.fromisoformat(told)
        given["at"] = at if at.tzinfo else at.replace(tzinfo=UTC)
    title = {"about": passage["title"]} if passage.get("title") else {}
    return {"id": passage["id"], "text": passage["text"]} | title | given


def _lines(name: str, found: Quality) -> list[Measurement]:
    rates = f"R@2 {found.at_2}, R@10 {found.at_10}, all in 8 {found.all_in_8}"
    times = f"p50 {found.p50:.1f} ms, p95 {found.p95:.1f} ms"
    return [Measurement(name, found.at_5, "R@5, %", f"{rates}; {times}")]


def main() -> None:
    """Run, print, write."""
    files = [word for word in sys.argv[1:] if word.endswith(".json")]
    if not files:
        print("\nrecall\n  give a question set: python -m benchmarks.recall QUESTIONS.json")
        return

    sets = [json.loads(Path(file).read_text()) for file in files]

    async def everything() -> list[Measurement]:
        return [row for asked in sets for row in await compare(asked)]

    publish("recall", asyncio.run(everything()))


if __name__ == "__main__":
    main()
