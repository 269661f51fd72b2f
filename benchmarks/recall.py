"""Recall compared with other ways of searching, on sets of questions with known answers.

    python -m benchmarks.recall QUESTIONS.json ...

A set holds `passages` (id, title, text, and perhaps session, speaker and an ISO time `at`) and
`questions` (question, gold: ids). Retrievers of neo4j-graphrag are measured too where that package
is installed. They search whole indexes, so run this on a server of its own (ASTERISM_HOME).
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

from asterism import connection
from asterism.database import Row
from asterism.graph import Graph
from asterism.realm_names import realm_key
from asterism.recall import query_terms
from benchmarks.table import Measurement, publish

Search = Callable[[str], Awaitable[list[str]]]
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
    """Share of the gold memories that a search finds, in percent, and its milliseconds."""

    at_2: float
    at_5: float
    at_10: float
    all_in_8: float
    p50: float
    p95: float


class Baselines:
    """Other ways of searching, on the same server with the same vectors."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    async def vector(self, query: str) -> list[str]:
        return await self._vector(query, 10)

    async def fulltext(self, query: str) -> list[str]:
        return await self._fulltext(query, 10)

    async def rrf(self, query: str) -> list[str]:
        """Join both by reciprocal rank fusion, as most libraries do."""
        ranks: dict[str, float] = {}
        for ids in (await self._vector(query, DEPTH), await self._fulltext(query, DEPTH)):
            for rank, id in enumerate(ids, start=1):
                ranks[id] = ranks.get(id, 0.0) + 1 / (STEADY + rank)
        return sorted(ranks, key=lambda id: (-ranks[id], id))[:10]

    async def _vector(self, query: str, k: int) -> list[str]:
        vector = await self._graph.embedding.query(query)
        return await self.ids(VECTOR, vector=vector, k=k, realm=self._graph.realm)

    async def _fulltext(self, query: str, k: int) -> list[str]:
        words = " ".join(word["text"] for word in query_terms.search_words(query))
        text = f"+realm_key:{realm_key(self._graph.realm)}^0 +passage:({words})"
        return await self.ids(FULLTEXT, text=text, k=k)

    async def ids(self, statement: str, **arguments: Any) -> list[str]:
        answer = await self._graph.database.driver.execute_query(statement, arguments, routing_="r")
        return [record["id"] for record in answer.records]


async def ours(graph: Graph) -> Search:
    async def find(query: str) -> list[str]:
        return [hit.id for hit in (await graph.recall.find(query)).hits]

    return find


async def quality(find: Search, questions: list[Row]) -> Quality:
    """Measure recall at 2, 5 and 10, all gold in 8, and latency after some rounds of warming up."""
    for _ in range(WARM):
        for question_row in questions:
            await find(question_row["question"])
    sums, times, whole = {2: 0.0, 5: 0.0, 10: 0.0}, [], 0
    for question_row in questions:
        began = time.perf_counter()
        ids = await find(question_row["question"])
        times.append((time.perf_counter() - began) * 1000)
        gold = set(question_row["gold"])
        for k in sums:
            sums[k] += len(gold & set(ids[:k])) / len(gold)
        whole += gold <= set(ids[:8])
    share = 100 / len(questions)
    times.sort()
    at_2, at_5, at_10, in_8 = (round(value * share, 1) for value in (*sums.values(), whole))
    return Quality(at_2, at_5, at_10, in_8, median(times), times[int(0.95 * len(times))])


async def compare(question_set: Row) -> list[Measurement]:
    """Measure every way of searching on one set of questions."""
    rows: list[Measurement] = []
    async with Graph.open(realm=REALM) as graph:
        await graph.realms.delete(REALM)
        began = time.perf_counter()
        receipt = await graph.memories.remember_many(map(_item, question_set["passages"]))
        seconds = time.perf_counter() - began
        if receipt.rejected:
            raise SystemExit(f"a passage is rejected: {receipt.rejected[0].reason}")
        await graph.recall.find("warm up")
        rows.append(Measurement("remembered", receipt.received / seconds, "memories/s"))
        base = Baselines(graph)
        ways: dict[str, Search] = {
            "vector": base.vector,
            "fulltext": base.fulltext,
            "RRF of both": base.rrf,
            **(await graphrag(graph)),
            "recall.find": await ours(graph),
        }
        for name, find in ways.items():
            rows += _lines(name, await quality(find, question_set["questions"]))
    for name, changed in ABLATIONS.items():
        async with Graph.open(realm=REALM, settings={"recall": changed}) as graph:
            rows += _lines(name, await quality(await ours(graph), question_set["questions"]))
    async with Graph.open(realm=REALM) as graph:
        await graph.realms.delete(REALM)
    return rows


async def graphrag(graph: Graph) -> dict[str, Search]:
    """Return the retrievers of Neo4j's own package, with our embedder."""
    if find_spec("neo4j_graphrag") is None:
        return {}
    import neo4j
    from neo4j_graphrag.embeddings.base import Embedder
    from neo4j_graphrag.retrievers import HybridRetriever, VectorRetriever

    def embed(_: object, text: str) -> list[float]:
        return graph.embedding.embedder.embed_query(text)

    ours = type("Ours", (Embedder,), {"embed_query": embed})
    address = await connection.address(None, None, None, graph.settings.local)
    driver = neo4j.GraphDatabase.driver(address.uri, auth=address.auth)
    retrievers = {
        "neo4j-graphrag VectorRetriever": VectorRetriever(
            driver, "knowledge_embedding", ours(), return_properties=["id"]
        ),
        "neo4j-graphrag HybridRetriever": HybridRetriever(
            driver, "knowledge_embedding", "memory_passage", ours(), return_properties=["id"]
        ),
    }

    def searching(retriever: Any) -> Search:
        async def find(query: str) -> list[str]:
            plain = "".join(letter if letter.isalnum() else " " for letter in query)
            answer = retriever.get_search_results(query_text=plain, top_k=10)
            return [record["node"]["id"] for record in answer.records]

        return find

    return {name: searching(retriever) for name, retriever in retrievers.items()}


def _item(passage: Row) -> Row:
    item: Row = {key: passage[key] for key in ("session", "speaker") if passage.get(key)}
    if passage.get("at"):
        at = datetime.fromisoformat(passage["at"])
        item["at"] = at if at.tzinfo else at.replace(tzinfo=UTC)
    if passage.get("title"):
        item["about"] = passage["title"]
    return item | {"id": passage["id"], "text": passage["text"]}


def _lines(name: str, result: Quality) -> list[Measurement]:
    rates = f"R@2 {result.at_2}, R@10 {result.at_10}, all in 8 {result.all_in_8}"
    times = f"p50 {result.p50:.1f} ms, p95 {result.p95:.1f} ms"
    return [Measurement(name, result.at_5, "R@5, %", f"{rates}; {times}")]


def main() -> None:
    files = [word for word in sys.argv[1:] if word.endswith(".json")]
    if not files:
        print("\nrecall\n  give a question set: python -m benchmarks.recall QUESTIONS.json")
        return

    sets = [json.loads(Path(file).read_text()) for file in files]

    async def everything() -> list[Measurement]:
        return [row for question_set in sets for row in await compare(question_set)]

    publish("recall", asyncio.run(everything()))


if __name__ == "__main__":
    main()
