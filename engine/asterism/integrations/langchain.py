"""LangChain: a retriever of memories."""

from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field, PrivateAttr

from asterism.integrations.hits import metadata
from asterism.integrations.hosts import AnyGraph, Host
from asterism.recall import Recall


class AsterismRetriever(BaseRetriever):
    """Memories that answer a question, as documents with id, score, certainty and reason.

    `conditions` narrow as in `graph.recall.find`: {"tags": ["work"], "where": {"page": 3}}. What is
    handed out counts as used, unless `touch` is False.
    """

    graph: AnyGraph = Field(exclude=True, repr=False)
    k: int = 5
    minimum: str | None = None
    conditions: dict[str, Any] = Field(default_factory=dict)
    touch: bool = True
    _host: Host = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Check the graph at once."""
        super().model_post_init(context)
        self._host = Host(self.graph)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return _documents(self._host.run(lambda: self._find(query)))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        return _documents(await self._host.arun(lambda: self._find(query)))

    async def _find(self, query: str) -> Recall:
        find = self._host.graph.recall.find
        return await find(
            query, k=self.k, minimum=self.minimum, touch=self.touch, **self.conditions
        )


def _documents(answer: Recall) -> list[Document]:
    return [
        Document(page_content=hit.text, id=hit.id, metadata=metadata(hit)) for hit in answer.hits
    ]
