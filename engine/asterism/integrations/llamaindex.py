"""LlamaIndex: a retriever of memories, and a memory block for agents."""

from collections import defaultdict
from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from pydantic import Field, PrivateAttr

from asterism.integrations.hits import metadata
from asterism.integrations.hosts import AnyGraph, Host
from asterism.recall import Recall
from asterism.recall.prompt import LETTERS_A_TOKEN

SESSION = "session_id"  # where LlamaIndex names the session of a message


class AsterismRetriever(BaseRetriever):
    """Memories that answer a question, as nodes with id, score, certainty and reason.

    `conditions` narrow as in `graph.recall.find`: {"tags": ["work"], "where": {"page": 3}}. What is
    handed out counts as used, unless `touch` is False.
    """

    def __init__(
        self,
        graph: AnyGraph,
        *,
        k: int = 5,
        minimum: str | None = None,
        conditions: dict[str, Any] | None = None,
        touch: bool = True,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._host = Host(graph)
        self._options: dict[str, Any] = {"k": k, "minimum": minimum, "touch": touch}
        self._options |= conditions or {}

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _nodes(self._host.run(lambda: self._find(query_bundle)))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _nodes(await self._host.arun(lambda: self._find(query_bundle)))

    async def _find(self, query_bundle: QueryBundle) -> Recall:
        return await self._host.graph.recall.find(query_bundle.query_str, **self._options)


class AsterismMemoryBlock(BaseMemoryBlock[str]):
    """Long-term memory of an agent: messages that leave the window come back where they answer."""

    name: str = "remembered"
    description: str | None = "What was said before, as far as it answers the latest message."
    graph: AnyGraph = Field(exclude=True, repr=False)
    session: str = "default"
    tokens: int = 800
    conditions: dict[str, Any] = Field(default_factory=dict)
    _host: Host = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Check the graph at once."""
        super().model_post_init(context)
        self._host = Host(self.graph)

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        spoken = [each.content for each in messages or [] if each.role.value == "user"]
        question = next((text for text in reversed(spoken) if text and text.strip()), None)
        if question is None:
            return ""
        recall, options = self._host.graph.recall, {"tokens": self.tokens, **self.conditions}
        return await self._host.arun(lambda: recall.context(question, **options))

    async def _aput(self, messages: list[ChatMessage]) -> None:
        sessions: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for message in messages:
            session = str(message.additional_kwargs.get(SESSION) or self.session)
            content = {"role": message.role.value, "content": message.content or ""}
            sessions[session].append(content)
        memories = self._host.graph.memories

        async def remember() -> None:
            for session, contents in sessions.items():
                await memories.remember_messages(contents, session=session)

        await self._host.arun(remember)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Leave out the oldest lines, as many as it takes."""
        lines = content.splitlines()
        letters = tokens_to_truncate * LETTERS_A_TOKEN
        while lines and letters > 0:
            letters -= len(lines.pop(0)) + 1
        return "\n".join(lines) or None


def _nodes(answer: Recall) -> list[NodeWithScore]:
    return [
        NodeWithScore(
            node=TextNode(id_=hit.id, text=hit.text, metadata=metadata(hit)), score=hit.score
        )
        for hit in answer.hits
    ]
