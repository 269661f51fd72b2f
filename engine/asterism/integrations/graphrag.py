"""neo4j-graphrag: a retriever of memories for GraphRAG and for tools."""

from typing import Any

import neo4j
from neo4j_graphrag.retrievers.base import Retriever
from neo4j_graphrag.types import RawSearchResult, RetrieverResultItem

from asterism.integrations.hits import metadata
from asterism.integrations.hosts import AnyGraph, Host


class AsterismRetriever(Retriever):
    """Memories that answer a question, as records with id, text, score, certainty and reason.

    `conditions` narrow as in `graph.recall.find`: {"tags": ["work"], "where": {"page": 3}}. What is
    handed out counts as used, unless `touch` is False.
    """

    VERIFY_NEO4J_VERSION = False  # the graph has tried its server

    def __init__(
        self,
        graph: AnyGraph,
        *,
        minimum: str | None = None,
        conditions: dict[str, Any] | None = None,
        touch: bool = True,
    ) -> None:
        # The base class holds a blocking driver, and here the graph asks by its own.
        self._host = Host(graph)
        self._options: dict[str, Any] = {"minimum": minimum, "touch": touch, **(conditions or {})}

    def get_search_results(self, query_text: str, top_k: int = 5) -> RawSearchResult:
        """Return the memories that answer a question, best first.

        Args:
            query_text: The question.
            top_k: How many at most.
        """
        find = self._host.graph.recall.find
        answer = self._host.run(lambda: find(query_text, k=top_k, **self._options))
        record: Any = neo4j.Record
        records = [record({"text": hit.text, "metadata": metadata(hit)}) for hit in answer.hits]
        facts = {"certainty": answer.certainty.value, "missing": list(answer.missing)}
        return RawSearchResult(records=records, metadata=facts)

    def default_record_formatter(self, record: neo4j.Record) -> RetrieverResultItem:
        """Return the text as content, and the rest as metadata."""
        return RetrieverResultItem(content=record["text"], metadata=record["metadata"])
