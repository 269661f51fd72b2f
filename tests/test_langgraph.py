"""The store of LangGraph: what its users rely on, in one realm of a real graph."""

import asyncio
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.tools import ToolRuntime, tool
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolCall
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)

from asterism.clock import FixedClock
from asterism.embedding import OnnxEmbedder
from asterism.errors import AsterismError, InvalidInput
from asterism.graph import Graph as AsyncGraph
from asterism.integrations.langgraph import AsterismStore
from asterism.sync import Graph
from tests.conftest import Server

DOCS = ("test", "docs")


@pytest.fixture
def graph(server: Server, embedder: OnnxEmbedder, clock: FixedClock) -> Iterator[Graph]:
    realm = f"store-{uuid.uuid4().hex[:12]}"
    options: dict[str, Any] = {"embedder": embedder, "clock": clock}
    with Graph.open(server.uri, auth=server.auth, realm=realm, **options) as opened:
        yield opened
        opened.realms.delete(realm)


@pytest.fixture
def store(graph: Graph) -> AsterismStore:
    return AsterismStore(graph)


def keys(items: list[Any]) -> list[str]:
    return [item.key for item in items]


@pytest.mark.slow
def test_an_item_is_put_read_changed_and_deleted(store: AsterismStore, clock: FixedClock) -> None:
    store.put(DOCS, "doc1", {"title": "Test", "content": "Hello, World!"})
    item = store.get(DOCS, "doc1")
    assert item is not None
    assert (item.namespace, item.key) == (DOCS, "doc1")
    assert item.value == {"title": "Test", "content": "Hello, World!"}
    clock.advance(hours=1)
    store.put(DOCS, "doc1", {"title": "Other"})
    changed = store.get(DOCS, "doc1")
    assert changed is not None
    assert changed.value == {"title": "Other"}
    assert changed.created_at == item.created_at < changed.updated_at
    assert store.get(("test", "other"), "doc1") is None
    store.delete(DOCS, "doc1")
    store.delete(DOCS, "never there")
    assert store.get(DOCS, "doc1") is None


@pytest.mark.slow
def test_operations_answer_in_their_order_from_what_was_there_before(
    store: AsterismStore,
) -> None:
    store.put(("test", "foo"), "key1", {"data": "value1"})
    results = store.batch(
        [
            GetOp(("test", "foo"), "key1"),
            PutOp(("test", "bar"), "key2", {"data": "value2"}),
            SearchOp(("test",), filter={"data": "value1"}),
            ListNamespacesOp(),
            GetOp(("test", "bar"), "key2"),
        ]
    )
    assert isinstance(results[0], Item)
    assert results[0].value == {"data": "value1"}
    assert results[1] is None
    assert keys(results[2]) == ["key1"]  # type: ignore[arg-type]
    assert results[3] == [("test", "foo")]
    assert results[4] is None
    assert store.get(("test", "bar"), "key2") is not None


@pytest.mark.slow
def test_of_several_puts_of_an_item_the_last_one_counts(store: AsterismStore) -> None:
    store.batch(
        [PutOp(DOCS, "a", {"n": 1}), PutOp(DOCS, "a", {"n": 2}), PutOp(DOCS, "b", {"n": 3})]
    )
    store.batch([PutOp(DOCS, "b", None), PutOp(DOCS, "c", None)])
    assert [(item.key, item.value) for item in store.search(DOCS)] == [("a", {"n": 2})]


NAMESPACES = [
    ("prod", "documents", "private"),
    ("prod", "documents", "public"),
    ("test", "documents", "private"),
    ("test", "documents", "public"),
    ("test", "images", "public"),
    ("tester", "images"),
]


def test_namespaces_are_listed_by_prefix_suffix_depth_and_page(store: AsterismStore) -> None:
    store.batch([PutOp(namespace, "dummy", {"n": 1}) for namespace in NAMESPACES])
    assert store.list_namespaces() == NAMESPACES
    assert store.list_namespaces(prefix=("test",)) == NAMESPACES[2:5]
    assert store.list_namespaces(suffix=("public",)) == [NAMESPACES[n] for n in (1, 3, 4)]
    assert store.list_namespaces(prefix=("*", "documents")) == NAMESPACES[:4]
    assert store.list_namespaces(prefix=("test", "*", "public")) == NAMESPACES[3:5]
    assert store.list_namespaces(prefix=("test",), suffix=("private",)) == [NAMESPACES[2]]
    assert store.list_namespaces(prefix=("no", "such")) == []
    assert store.list_namespaces(max_depth=1) == [("prod",), ("test",), ("tester",)]
    assert store.list_namespaces(max_depth=2, limit=2, offset=1) == [
        ("test", "documents"),
        ("test", "images"),
    ]
    condition = MatchCondition("suffix", ("documents", "*"))
    [pairs] = store.batch([ListNamespacesOp(match_conditions=(condition,))])
    assert pairs == NAMESPACES[:4]


VALUES: dict[str, dict[str, Any]] = {
    "doc1": {"author": "Alice", "score": 4.5, "meta": {"lang": "en", "pages": 3}},
    "doc2": {"author": "Bob", "score": 3, "meta": {"lang": "de", "pages": 5}, "tags": ["a", "b"]},
    "doc3": {"author": "Alice", "score": 4, "draft": True, "at": "2026-03-01"},
    "doc4": {"author": None, "score": "high", "long": "x" * 500},
}

FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({"author": "Alice"}, ["doc1", "doc3"]),
    ({"author": {"$eq": "Bob"}}, ["doc2"]),
    ({"author": {"$ne": "Alice"}}, ["doc2", "doc4"]),
    ({"author": None}, ["doc4"]),
    ({"missing": None}, ["doc1", "doc2", "doc3", "doc4"]),
    ({"author": {"$ne": None}}, ["doc1", "doc2", "doc3"]),
    ({"score": {"$gt": 3}}, ["doc1", "doc3"]),
    ({"score": {"$gte": 3, "$lt": 4.5}}, ["doc2", "doc3"]),
    ({"score": {"$lte": 4.0}, "author": "Alice"}, ["doc3"]),
    ({"score": 4.0}, ["doc3"]),
    ({"draft": True}, ["doc3"]),
    ({"draft": 1}, []),
    ({"at": {"$gte": "2026-01-01", "$lt": "2026-04-01"}}, ["doc3"]),
    ({"meta": {"lang": "en"}}, ["doc1"]),
    ({"meta": {"pages": {"$gt": 4}}}, ["doc2"]),
    ({"meta": {}}, ["doc1", "doc2"]),
    ({"tags": ["a", "b"]}, ["doc2"]),
    ({"tags": ["a"]}, []),
    ({"long": "x" * 500}, ["doc4"]),
    ({"color": "red"}, []),
]


def test_filters_compare_as_those_of_other_stores(store: AsterismStore) -> None:
    store.batch([PutOp(DOCS, key, value) for key, value in VALUES.items()])
    answers = store.batch([SearchOp(("test",), filter=filter) for filter, _ in FILTERS])
    found = [sorted(keys(answer)) for answer in answers]  # type: ignore[arg-type]
    assert found == [expected for _, expected in FILTERS]


@pytest.mark.slow
def test_a_search_has_pages_and_shows_the_latest_first(
    store: AsterismStore, clock: FixedClock
) -> None:
    for number in range(5):
        clock.advance(minutes=1)
        store.put(DOCS, f"doc{number}", {"n": number})
    store.put(("test", "docsother"), "x", {"n": 9})
    assert keys(store.search(DOCS)) == [f"doc{number}" for number in (4, 3, 2, 1, 0)]
    assert keys(store.search(DOCS, limit=2)) == ["doc4", "doc3"]
    assert keys(store.search(DOCS, limit=2, offset=4)) == ["doc0"]
    assert len(store.search(())) == 6
    assert store.search(("nowhere",)) == []
    with pytest.raises(InvalidInput, match="offset"):
        store.search(DOCS, offset=-1)


PETS = {
    "food": {"text": "Ana loves pizza with olives", "kind": "food", "stars": 4},
    "dog": {"text": "The dog of Ana is called Bruno", "kind": "pet", "stars": 5},
    "work": {"text": "Ana repairs lighthouses for a living", "kind": "work", "stars": 3},
}


@pytest.mark.slow
def test_a_question_finds_items_by_what_they_mean(store: AsterismStore) -> None:
    store.batch([PutOp(("memories", "ana"), key, value) for key, value in PETS.items()])
    store.put(("memories", "leo"), "dog", {"text": "Leo has a dog called Rex"})
    found = store.search(("memories", "ana"), query="What is the name of the pet?")
    assert found[0].key == "dog"
    assert len(found) == 3
    assert all(item.namespace == ("memories", "ana") for item in found)
    scores = [item.score for item in found]
    assert scores == sorted(scores, key=lambda score: -(score or 0.0))
    assert keys(store.search(("memories",), query="Rex", limit=1)) == ["dog"]
    page = store.search(
        ("memories", "ana"), query="What is the name of the pet?", limit=1, offset=1
    )
    assert keys(page) == [found[1].key]
    assert store.search(("memories",), query="")[0].score is None


@pytest.mark.slow
def test_a_question_and_a_filter_narrow_together(store: AsterismStore) -> None:
    store.batch([PutOp(("ana",), key, value) for key, value in PETS.items()])
    assert keys(store.search(("ana",), query="dog", filter={"kind": "food"})) == ["food"]
    high = store.search(("ana",), query="dog", filter={"stars": {"$gte": 4}})
    assert keys(high) == ["dog", "food"]
    many = [PutOp(("many",), str(n), {"text": f"Note {n}", "even": n % 2 == 0}) for n in range(60)]
    store.batch(many)
    even = store.search(("many",), query="note", filter={"even": True}, limit=30)
    assert len(even) == 30


@pytest.mark.slow
def test_a_changed_item_is_found_by_its_new_words_alone(store: AsterismStore, graph: Graph) -> None:
    store.put(("t",), "doc1", {"text": "zany zebra Xerxes"})
    store.put(("t",), "doc2", {"text": "something about dogs"})
    assert keys(store.search(("t",), query="Xerxes the zebra"))[0] == "doc1"
    store.put(("t",), "doc1", {"text": "a ship in the harbour"})
    assert keys(store.search(("t",), query="boats"))[0] == "doc1"
    assert graph.memories.count() == 2
    store.put(("t",), "doc3", {"text": "a ship in the harbour"}, index=False)
    assert "doc3" not in keys(store.search(("t",), query="boats"))
    assert store.get(("t",), "doc3") is not None
    store.delete(("t",), "doc1")
    assert graph.memories.count() == 1


@pytest.mark.slow
def test_fields_are_chosen_by_the_store_or_by_the_put(graph: Graph) -> None:
    store = AsterismStore(graph, index=["body", "notes[*].text"])
    value = {"body": "The lamp is out", "title": "Rain", "notes": [{"text": "Oil costs money"}]}
    store.put(("t",), "a", value)
    store.put(("t",), "b", value, index=["title"])
    texts = {memory.text for memory in graph.memories.each()}
    assert texts == {"The lamp is out", "Oil costs money", "Rain"}
    assert keys(store.search(("t",), query="What is the price of oil?"))[0] == "a"
    assert keys(store.search(("t",), query="Rain"))[0] == "b"
    assert len(store.search(("t",), query="Oil")) == 2
    with pytest.raises(InvalidInput, match="index"):
        AsterismStore(graph, index="body")


@pytest.mark.slow
def test_all_of_a_value_is_text_where_no_field_is_named(store: AsterismStore, graph: Graph) -> None:
    store.put(("t",), "prefs", {"theme": "dark", "size": 12, "empty": None, "tags": ["a"]})
    [memory] = graph.memories.list().items
    assert memory.text == 'theme: dark\nsize: 12\ntags: ["a"]'
    assert memory.metadata == {"store_1": "t"}


@pytest.mark.slow
def test_items_expire_and_live_on_by_use(graph: Graph, clock: FixedClock) -> None:
    store = AsterismStore(graph, ttl={"default_ttl": 10, "refresh_on_read": True})
    store.put(DOCS, "short", {"text": "soon gone"})
    store.put(DOCS, "long", {"text": "stays long"}, ttl=100)
    store.put(DOCS, "forever", {"text": "stays for ever"}, ttl=None)
    clock.advance(minutes=8)
    assert store.get(DOCS, "short") is not None
    clock.advance(minutes=8)
    assert len(store.search(DOCS)) == 3
    clock.advance(minutes=8)
    assert store.get(DOCS, "short", refresh_ttl=False) is not None
    clock.advance(minutes=3)
    assert store.get(DOCS, "short") is None
    assert store.list_namespaces() == [DOCS]
    assert sorted(keys(store.search(DOCS, query="soon gone"))) == ["forever", "long"]
    assert store.sweep_ttl() == 1
    assert store.sweep_ttl() == 0
    assert graph.memories.count() == 2


def test_an_expired_item_that_is_put_again_is_a_new_one(graph: Graph, clock: FixedClock) -> None:
    store = AsterismStore(graph, ttl={"refresh_on_read": False})
    store.put(DOCS, "a", {"n": 1}, ttl=1)
    clock.advance(seconds=50)
    assert store.get(DOCS, "a") is not None
    clock.advance(seconds=20)
    store.put(DOCS, "a", {"n": 2})
    item = store.get(DOCS, "a")
    assert item is not None
    assert item.created_at == clock.now()


@pytest.mark.slow
def test_text_of_any_language_and_shape_comes_back(store: AsterismStore) -> None:
    text = "Čeština, 日本語, emoji 🎉 'quotes\" \\ {}"
    value = {"text": text, "deep": {"a": [1, 2.5, None, False]}}
    namespace = ("München", "名前", 'it\'s "one"')
    store.put(namespace, "ключ/../$x", value)
    item = store.get(namespace, "ключ/../$x")
    assert item is not None
    assert (item.namespace, item.value) == (namespace, value)
    assert keys(store.search(namespace[:2], query="日本語")) == ["ключ/../$x"]
    assert store.search(("München",), filter={"text": text})


def test_what_cannot_be_stored_is_refused_before_anything_is_written(
    store: AsterismStore,
) -> None:
    for namespace in ((), ("a.b",), ("",), ("langgraph", "x")):
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "k", {"a": 1})
    bad = PutOp(("t",), "bad", {"at": datetime(2026, 3, 1, tzinfo=UTC)})
    with pytest.raises(InvalidInput, match=r"value of 'bad'.*JSON"):
        store.batch([PutOp(("t",), "good", {"a": 1}), bad])
    for value in ({"n": float("nan")}, {"t": "\ud800"}):
        with pytest.raises(InvalidInput, match="value"):
            store.put(("t",), "k", value)
    with pytest.raises(InvalidInput, match="ttl"):
        store.put(("t",), "k", {"a": 1}, ttl=-1)
    with pytest.raises(InvalidInput, match=r"filter\.a"):
        store.search(("t",), filter={"a": {"$like": "x"}})
    with pytest.raises(InvalidInput, match="filter"):
        store.search(("t",), filter={"a": {"$gt": True}})
    assert store.search(()) == []


@pytest.mark.slow
def test_realms_never_mix(store: AsterismStore, server: Server, embedder: OnnxEmbedder) -> None:
    store.put(DOCS, "a", {"text": "The key is under the stair"})
    other = f"store-{uuid.uuid4().hex[:12]}"
    with Graph.open(server.uri, auth=server.auth, realm=other, embedder=embedder) as graph:
        stranger = AsterismStore(graph)
        assert stranger.get(DOCS, "a") is None
        assert stranger.search((), query="key") == []
        assert stranger.list_namespaces() == []
        stranger.put(DOCS, "a", {"text": "Mine"})
        graph.realms.delete(other)
    assert store.get(DOCS, "a") is not None


@pytest.mark.slow
def test_a_text_changes_only_with_its_item(store: AsterismStore, graph: Graph) -> None:
    store.put(("users", "ada"), "pet", {"text": "The cat is called Mia."})
    [memory] = graph.memories.list().items
    other = graph.memories.remember("There are no cats any more.")
    for change in (
        partial(graph.memories.update, memory.id, text="The cat is called Leo."),
        partial(graph.memories.correct, memory.id, "The cat is called Leo."),
        partial(graph.memories.supersede, memory.id, other.id),
        partial(graph.memories.supersede, other.id, memory.id),
    ):
        with pytest.raises(InvalidInput, match="stored item 'pet': put that item again"):
            change()
    item = store.get(("users", "ada"), "pet")
    assert item is not None
    assert item.value == {"text": "The cat is called Mia."}


@pytest.mark.slow
def test_a_forgotten_memory_takes_its_item_along(store: AsterismStore, graph: Graph) -> None:
    store.put(DOCS, "secret", {"text": "The code is 4711"})
    [memory] = graph.memories.list().items
    assert graph.memories.forget(memory.id).memories == 1
    assert store.get(DOCS, "secret") is None
    store.put(DOCS, "secret", {"text": "The code is 4711"})
    assert graph.memories.forget_where(category="item", dry_run=False).left == {}
    assert store.search(()) == []


@pytest.mark.slow
def test_items_in_the_same_words_stay_apart_when_texts_are_consolidated(
    store: AsterismStore, graph: Graph
) -> None:
    for user in ("ana", "leo"):
        store.put(("memories", user), "food", {"text": "Likes pizza with olives"})
    assert graph.consolidation.consolidate().duplicates == []
    for user in ("ana", "leo"):
        assert len(store.search(("memories", user), query="pizza")) == 1
    assert graph.maintenance.run("verify")[0].ok


@pytest.mark.slow
def test_items_move_with_their_realm(
    store: AsterismStore, graph: Graph, server: Server, embedder: OnnxEmbedder, tmp_path: Path
) -> None:
    store.put(DOCS, "a", {"text": "The boat leaves at noon"}, ttl=1000)
    before = store.get(DOCS, "a")
    file = str(tmp_path / "realm.jsonl")
    graph.realms.export(file)
    other = f"store-{uuid.uuid4().hex[:12]}"
    with Graph.open(
        server.uri, auth=server.auth, realm=other, embedder=embedder, clock=graph.clock
    ) as copy:
        copy.realms.load(file)
        moved = AsterismStore(copy)
        assert moved.get(DOCS, "a") == before
        assert keys(moved.search(DOCS, query="ship")) == ["a"]
        assert copy.realms.stats().nodes["StoreItem"] == 1
        copy.realms.delete(other)


@pytest.mark.slow
async def test_the_async_forms_do_the_same(open_graph: Any) -> None:
    graph: AsyncGraph = await open_graph()
    store = AsterismStore(graph)
    await store.aput(("t",), "a", {"text": "The lamp is out"})
    item = await store.aget(("t",), "a")
    assert item is not None
    assert keys(await store.asearch(("t",), query="light")) == ["a"]
    assert await store.alist_namespaces() == [("t",)]
    await store.adelete(("t",), "a")
    assert await store.aget(("t",), "a") is None
    await store.aput(("t",), "b", {"n": 1}, ttl=1)
    assert await store.asweep_ttl() == 0
    with pytest.raises(AsterismError, match="async form"):
        store.get(("t",), "b")
    assert await asyncio.to_thread(store.get, ("t",), "b") is not None


@pytest.mark.slow
def test_writers_in_many_threads_lose_nothing(store: AsterismStore) -> None:
    def write(number: int) -> None:
        store.put(("crowd",), f"own-{number}", {"text": f"Thread {number} was here"})
        store.put(("crowd",), "shared", {"text": f"Last seen: {number}", "n": number})

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(24)))
    items = store.search(("crowd",), limit=100)
    assert len(items) == 25
    assert len(store.search(("crowd",), query="Thread", limit=100)) == 25


def test_a_closed_graph_is_refused(graph: Graph) -> None:
    with pytest.raises(InvalidInput, match="open Graph"):
        AsterismStore(None)
    assert AsterismStore(graph).supports_ttl


@tool
def save_preference(text: str, runtime: ToolRuntime) -> str:
    """Save what the user prefers."""
    assert runtime.store is not None
    runtime.store.put(("preferences",), text[:8], {"text": text})
    return "saved"


@tool
def find_preference(question: str, runtime: ToolRuntime) -> str:
    """Find what the user prefers."""
    assert runtime.store is not None
    return "; ".join(item.value["text"] for item in runtime.store.search((), query=question))


class ScriptedModel(GenericFakeChatModel):
    """A chat model that gives its messages in turn, whatever it is asked."""

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self


@pytest.mark.slow
def test_an_agent_remembers_by_the_store(store: AsterismStore) -> None:
    saving = ToolCall(name="save_preference", args={"text": "No coffee after noon"}, id="1")
    asking = ToolCall(name="find_preference", args={"question": "espresso at three?"}, id="2")
    script = [
        AIMessage("", tool_calls=[saving]),
        AIMessage("", tool_calls=[asking]),
        AIMessage("You drink none after noon."),
    ]
    model = ScriptedModel(messages=iter(script))
    agent = create_agent(model, [save_preference, find_preference], store=store)
    result = agent.invoke({"messages": [HumanMessage("Shall I have an espresso at three?")]})
    assert result["messages"][-2].content == "No coffee after noon"
    assert keys(store.search(("preferences",))) == ["No coffe"]
