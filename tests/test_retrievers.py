"""Retrievers of LangChain, LlamaIndex and neo4j-graphrag: ids, scores and reasons pass through."""

import asyncio
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.runnables import RunnableLambda
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory

from asterism.embedding import OnnxEmbedder
from asterism.errors import InvalidInput
from asterism.integrations.graphrag import AsterismRetriever as GraphragRetriever
from asterism.integrations.langchain import AsterismRetriever as LangChainRetriever
from asterism.integrations.llamaindex import AsterismMemoryBlock
from asterism.integrations.llamaindex import AsterismRetriever as LlamaIndexRetriever
from asterism.sync import Graph
from tests.conftest import Server

QUESTION = "Where is the key of the lighthouse?"
TEXTS: list[dict[str, Any]] = [
    {"text": "Lyra keeps the key of the lighthouse under the third stair.", "id": "stair"},
    {"text": "The chapel is painted white.", "id": "chapel", "tags": ["house"]},
    {"text": "Old Piet sold the lamp oil.", "id": "oil", "metadata": {"page": 3}},
]


@pytest.fixture(scope="module")
def graph(server: Server, embedder: OnnxEmbedder) -> Iterator[Graph]:
    """A small world that is only read, but for what counts as used."""
    realm = f"retrievers-{uuid.uuid4().hex[:12]}"
    with Graph.open(server.uri, auth=server.auth, realm=realm, embedder=embedder) as opened:
        opened.memories.remember_many(TEXTS)
        yield opened
        opened.realms.delete(realm)


@pytest.mark.slow
def test_langchain_gets_documents(graph: Graph) -> None:
    retriever = LangChainRetriever(graph=graph, k=2)
    documents = retriever.invoke(QUESTION)
    hits = graph.recall.find(QUESTION, k=2).hits
    assert [each.id for each in documents] == [hit.id for hit in hits]
    assert documents[0].page_content == TEXTS[0]["text"]
    assert documents[0].metadata["score"] == pytest.approx(hits[0].score)
    assert documents[0].metadata["why"] == hits[0].why
    assert documents[0].metadata["certainty"] == hits[0].certainty.value
    narrow = LangChainRetriever(graph=graph, conditions={"where": {"page": 3}})
    assert [each.metadata["page"] for each in narrow.invoke(QUESTION)] == [3]
    chain = retriever | RunnableLambda(lambda found: found[0].id)
    assert chain.invoke(QUESTION) == "stair"
    again = asyncio.run(retriever.ainvoke(QUESTION))
    assert [each.id for each in again] == [each.id for each in documents]
    with pytest.raises(InvalidInput, match="open Graph"):
        LangChainRetriever(graph=None)


@pytest.mark.slow
def test_what_a_retriever_hands_out_counts_as_used(graph: Graph) -> None:
    graph.memories.remember("The bell rings at six.", id="bell")
    conditions = {"ids": ["bell"]}
    LangChainRetriever(graph=graph, conditions=conditions, touch=False).invoke("bell")
    assert graph.memories.get("bell").used_at is None
    LangChainRetriever(graph=graph, conditions=conditions).invoke("bell")
    assert graph.memories.get("bell").used_at is not None


def test_llamaindex_gets_nodes(graph: Graph) -> None:
    retriever = LlamaIndexRetriever(graph, k=2)
    nodes = retriever.retrieve(QUESTION)
    hits = graph.recall.find(QUESTION, k=2).hits
    assert [each.node.node_id for each in nodes] == [hit.id for hit in hits]
    assert nodes[0].score == pytest.approx(hits[0].score)
    assert nodes[0].node.metadata["why"] == hits[0].why
    assert nodes[0].text == TEXTS[0]["text"]
    again = asyncio.run(retriever.aretrieve(QUESTION))
    assert [each.node.node_id for each in again] == [hit.id for hit in hits]


def test_graphrag_gets_records_and_a_tool(graph: Graph) -> None:
    retriever = GraphragRetriever(graph)
    result = retriever.search(query_text=QUESTION, top_k=1)
    [item] = result.items
    assert item.content == TEXTS[0]["text"]
    assert item.metadata is not None
    assert item.metadata["id"] == "stair"
    assert item.metadata["why"]
    assert result.metadata is not None
    assert result.metadata["certainty"]
    tool = retriever.convert_to_tool("memory", "What is remembered.")
    answer: Any = tool.execute(query_text=QUESTION, top_k=1)
    assert answer.items[0].metadata["id"] == "stair"


@pytest.mark.slow
def test_a_memory_block_brings_back_what_left_the_window(graph: Graph) -> None:
    async def talk() -> list[ChatMessage]:
        block = AsterismMemoryBlock(graph=graph, session="talk")
        memory = Memory.from_defaults(
            session_id="talk",
            token_limit=120,
            chat_history_token_ratio=0.5,
            token_flush_size=30,
            memory_blocks=[block],
        )
        spoken = ["I am allergic to peanuts.", "I will keep that in mind for every recipe."]
        for number in range(6):
            spoken += [f"Tell me about dish number {number}, please.", f"Dish {number} is a stew."]
        for number, text in enumerate([*spoken, "What am I allergic to?"]):
            role = "assistant" if number % 2 else "user"
            await memory.aput(ChatMessage(text, role=role))
        messages: list[ChatMessage] = await memory.aget()
        store: Any = memory.sql_store
        engine, _ = await store._setup_connections()
        await engine.dispose()  # which LlamaIndex leaves to the garbage collector
        return messages

    messages = asyncio.run(talk())
    assert "I am allergic to peanuts." not in [each.content for each in messages[1:]]
    assert "allergic to peanuts" in str(messages[0].content)


def test_a_memory_block_is_cut_from_its_oldest_line(graph: Graph) -> None:
    block = AsterismMemoryBlock(graph=graph)
    text = "first line of it\nsecond line of it\nthird line"
    assert asyncio.run(block.atruncate(text, 3)) == "second line of it\nthird line"
    assert asyncio.run(block.atruncate(text, 1000)) is None
    assert asyncio.run(block.aget([ChatMessage("", role="user")])) == ""
