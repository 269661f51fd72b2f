"""Ways of searching that recall is compared with: vectors, words, both fused, and Neo4j's own."""

import math
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

from asterism import connection
from asterism.database import Row
from asterism.graph import Graph
from asterism.realm_names import realm_key

Search = Callable[[str], Awaitable[list[str]]]
K = 10
DEPTH = 100
STEADY = 60
SATURATION, LENGTH_SHARE = 1.2, 0.75
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
WORD = re.compile(r"[\w\u0300-\u036f\u064b-\u065f\u0900-\u097f]+")
VECTOR = """CYPHER 25
MATCH (m:Memory)
  SEARCH m IN (VECTOR INDEX knowledge_embedding FOR $vector WHERE m.realm = $realm LIMIT $k)
  SCORE AS s
RETURN m.id AS id ORDER BY s DESC"""
FULLTEXT = """CYPHER 25
CALL db.index.fulltext.queryNodes('bench_passage', $text, {limit: $k}) YIELD node, score
RETURN node.id AS id ORDER BY score DESC"""

# What a program would search that has no engine: the passages, in English.
INDEX = """CREATE FULLTEXT INDEX bench_passage IF NOT EXISTS
FOR (m:Memory) ON EACH [m.realm_key, m.passage]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}"""
NO_INDEX = "DROP INDEX bench_passage IF EXISTS"


def tokens(text: str) -> list[str]:
    """Return the words of a text, and letters and pairs of them where a script has no spaces."""
    parts: list[str] = []
    for word in WORD.findall(text.lower()):
        for run in UNSPACED.findall(word):
            parts += [*run, *(a + b for a, b in pairwise(run))]
        parts += [part for part in UNSPACED.split(word) if part]
    return parts


class Bm25:
    """BM25 of plain words over the texts of one set, without an index or a list of any language."""

    def __init__(self, passages: list[Row]) -> None:
        texts = {row["id"]: f"{row.get('title') or ''}\n{row['text']}" for row in passages}
        self._counts = {id: Counter(tokens(text)) for id, text in texts.items()}
        self._lengths = {id: counts.total() for id, counts in self._counts.items()}
        self._mean = sum(self._lengths.values()) / len(self._lengths)
        self._frequency = Counter(word for counts in self._counts.values() for word in counts)

    async def find(self, query: str) -> list[str]:
        words = set(tokens(query))
        scores = {id: self._score(id, words) for id in self._counts}
        ids = [id for id, score in scores.items() if score > 0]
        return sorted(ids, key=lambda id: (-scores[id], id))[:K]

    def _score(self, id: str, words: set[str]) -> float:
        counts, share = self._counts[id], self._lengths[id] / self._mean
        norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * share)
        return sum(
            self._rarity(word) * counts[word] * (SATURATION + 1) / (counts[word] + norm)
            for word in words & counts.keys()
        )

    def _rarity(self, word: str) -> float:
        frequency = self._frequency[word]
        return math.log(1 + (len(self._counts) - frequency + 0.5) / (frequency + 0.5))


class Baselines:
    """Other ways of searching, on the same server with the same vectors."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    async def index(self) -> None:
        """Index the passages for the search by words."""
        await self.ids(INDEX)
        await self.ids("CALL db.awaitIndexes()")

    async def remove_index(self) -> None:
        await self.ids(NO_INDEX)

    async def vector(self, query: str) -> list[str]:
        return await self._vector(query, K)

    async def fulltext(self, query: str) -> list[str]:
        return await self._fulltext(query, K)

    async def rrf(self, query: str) -> list[str]:
        """Join both by reciprocal rank fusion, as most libraries do."""
        ranks: dict[str, float] = {}
        for ids in (await self._vector(query, DEPTH), await self._fulltext(query, DEPTH)):
            for rank, id in enumerate(ids, start=1):
                ranks[id] = ranks.get(id, 0.0) + 1 / (STEADY + rank)
        return sorted(ranks, key=lambda id: (-ranks[id], id))[:K]

    async def _vector(self, query: str, k: int) -> list[str]:
        vector = await self._graph.embedding.query(query)
        return await self.ids(VECTOR, vector=vector, k=k, realm=self._graph.realm)

    async def _fulltext(self, query: str, k: int) -> list[str]:
        words = " ".join(WORD.findall(query.lower()))
        text = f"+realm_key:{realm_key(self._graph.realm)}^0 +passage:({words})"
        return await self.ids(FULLTEXT, text=text, k=k)

    async def ids(self, statement: str, **arguments: Any) -> list[str]:
        answer = await self._graph.database.driver.execute_query(statement, arguments)
        return [record["id"] for record in answer.records]


async def graphrag(graph: Graph) -> dict[str, Search]:
    """Return the retrievers of Neo4j's own package, with our embedder, where it is installed.

    Its hybrid retriever takes no filter, so it searches the texts of every realm of the server.
    """
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
            driver, "knowledge_embedding", "bench_passage", ours(), return_properties=["id"]
        ),
    }

    def searching(retriever: Any) -> Search:
        async def find(query: str) -> list[str]:
            answer = retriever.get_search_results(query_text=" ".join(WORD.findall(query)), top_k=K)
            return [record["node"]["id"] for record in answer.records]

        return find

    return {name: searching(retriever) for name, retriever in retrievers.items()}
