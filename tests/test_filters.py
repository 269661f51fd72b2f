"""Filters: what passes is what a plain filter in Python lets pass, and all of it is found."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asterism import filter_marks, schema
from asterism.clock import FixedClock
from asterism.errors import Conflict, InvalidInput
from asterism.graph import Graph
from asterism.memory_filter import Conditions, MemoryFilter
from asterism.metadata import Scalar
from tests.conftest import OpenGraph
from tests.support.bulk_memories import remember_bulk
from tests.support.filter_oracle import filters, items, passes, scalars
from tests.support.raw import run_cypher

EXAMPLES = settings(
    max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True
)


async def remembered(graph: Graph, drawn: list[dict[str, Any]]) -> list[Any]:
    """Remember drawn items, and return them as memories."""
    texts = [
        {"id": f"m{n}", "text": f"The lamp is lit, {n}."} | item for n, item in enumerate(drawn)
    ]
    receipt = await graph.memories.remember_many(texts)
    assert receipt.accepted == len(texts)
    return [await graph.memories.get(item["id"]) for item in texts]


async def found(graph: Graph, **conditions: Any) -> set[str]:
    answer = await graph.recall.find("Is the lamp lit?", k=100, **conditions)
    return {hit.id for hit in answer.hits}


@EXAMPLES
@given(a=scalars, b=scalars)
def test_marks_sort_as_values_do(a: Any, b: Any) -> None:
    """Marks of two types never meet."""
    one, other = filter_marks.value_mark("page", a), filter_marks.value_mark("page", b)
    if one[:2] == other[:2]:
        assert (one < other, one == other) == (a < b, a == b)
    else:
        assert type(a) is not type(b)


@pytest.mark.slow
async def test_what_passes_a_filter_is_what_passes_in_python(graph: Graph) -> None:
    """A few dozen memories of all kinds, and hundreds of filters."""
    drawn: list[dict[str, Any]] = []
    questions: list[dict[str, Any]] = []

    @settings(max_examples=10, database=None, derandomize=True)
    @given(st.lists(items, min_size=4, max_size=4), st.lists(filters, min_size=8, max_size=8))
    def draw(some_items: list[dict[str, Any]], some_filters: list[dict[str, Any]]) -> None:
        drawn.extend(some_items)
        questions.extend(some_filters)

    draw()
    memories = await remembered(graph, drawn)
    for conditions in questions:
        expected = {memory.id for memory in memories if passes(memory, conditions)}
        assert await found(graph, **conditions) == expected, conditions
        assert (await graph.recall.find("lamp", **conditions)).searched == len(expected)


@pytest.mark.slow
async def test_one_filter_serves_every_question(graph: Graph) -> None:
    await graph.memories.remember("The boat leaves at nine.", id="boat", speaker="Ana")
    await graph.memories.remember("The boat leaves at ten.", id="late", speaker="Tam")
    by_ana = MemoryFilter(speaker="Ana")
    assert await found(graph, filter=by_ana) == {"boat"}
    assert await found(graph, filter=by_ana, speaker="Tam") == {"late"}
    assert "nine" in await graph.recall.context("When?", speaker=["Ana"])
    assert "ten" not in await graph.recall.context("When?", filter=by_ana)
    reason = await graph.recall.why_not("When?", "late", speaker="Ana", ids=["boat"])
    assert reason.missing == (
        "it does not fit the filter: speaker Ana",
        "its id is not among those asked for",
    )


@pytest.mark.slow
async def test_ids_states_and_strengths_narrow(graph: Graph, clock: FixedClock) -> None:
    for id in ("one", "two", "three"):
        await graph.memories.remember(f"The lamp number {id}.", id=id, lasts="ephemeral")
    assert await found(graph, ids=["one", "three", "none"]) == {"one", "three"}
    assert await found(graph, state="waiting") == {"one", "two", "three"}
    assert await found(graph, state=["superseded", "duplicate"]) == set()
    assert await found(graph, state="active", maximum_strength=0.5) == set()
    assert await found(graph, state=["active", "archived"], minimum_strength=0.9) == {
        "one",
        "two",
        "three",
    }
    reason = await graph.recall.why_not("lamp", "one", state="duplicate")
    assert reason.missing == ("it is not duplicate",)


@pytest.mark.slow
async def test_more_conditions_than_an_index_takes_are_met(graph: Graph) -> None:
    await graph.memories.remember("The lamp burns.", id="lamp", tags=["t99"], speaker="p99")
    await graph.memories.remember("The lamp is out.", id="out", tags=["other"], speaker="p99")
    tags, people = [f"t{n}" for n in range(100)], [f"p{n}" for n in range(100)]
    pages = {"in": list(range(100))}
    filter: dict[str, Any] = {"any_tags": tags, "speaker": people, "no_sessions": people}
    assert await found(graph, **filter, where={"page": {"ne": 3}, "line": {"ne": 4}}) == {"lamp"}
    assert await found(graph, **filter, no_tags=people, where={"page": pages}) == set()


@pytest.mark.slow
async def test_an_answer_says_what_was_searched(graph: Graph) -> None:
    await graph.memories.remember("The lamp burns.", tags=["light"], metadata={"page": 4})
    await graph.memories.remember("The lamp is out.")
    everything = await graph.recall.find("lamp")
    assert (everything.searched, everything.filter) == (2, "")
    narrowed = await graph.recall.find("lamp", tags=["light"], where={"page": {"ge": 3}})
    assert (narrowed.searched, narrowed.filter) == (1, "tags light; page >= 3")


@pytest.mark.slow
async def test_metadata_comes_back_as_it_was_given(graph: Graph) -> None:
    facts: dict[str, Scalar] = {
        "source": "mail",
        "page": 3,
        "share": 0.5,
        "read": True,
        "id": 2**62,
    }
    memory = await graph.memories.remember("The lamp burns.", id="lamp", metadata=facts)
    assert memory.metadata == facts
    assert (memory.metadata["read"], memory.metadata["page"]) == (True, 3)
    [hit] = (await graph.recall.find("lamp")).hits
    assert hit.metadata == facts
    again = dict(reversed(list(facts.items())))
    await graph.memories.remember("The lamp burns.", id="lamp", metadata=again)
    await graph.memories.remember("The lamp burns.", id="lamp")
    with pytest.raises(Conflict, match="metadata="):
        await graph.memories.remember("The lamp burns.", id="lamp", metadata={"page": 4})
    assert (await graph.memories.remember("Nothing else.")).metadata == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metadata", "argument"),
    [
        ("mail", "metadata"),
        ({"": 1}, "metadata"),
        ({"k" * 61: 1}, "metadata"),
        ({3: 1}, "metadata"),
        ({f"k{n}": n for n in range(51)}, "metadata"),
        ({"page": None}, "metadata.page"),
        ({"page": [1]}, "metadata.page"),
        ({"page": float("nan")}, "metadata.page"),
        ({"page": 2**63}, "metadata.page"),
        ({"text": "x" * 1001}, "metadata.text"),
        ({"text": "\ud800"}, "metadata.text"),
    ],
)
async def test_impossible_metadata_is_refused(graph: Graph, metadata: Any, argument: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await graph.memories.remember("The lamp burns.", metadata=metadata)
    assert refusal.value.argument == argument


@pytest.mark.slow
@pytest.mark.parametrize(
    ("conditions", "argument", "remedy"),
    [
        ({"tag": ["work"]}, "tag", "did you mean tags?"),
        ({"tags": "work"}, "tags", "give a list"),
        ({"ids": "m1"}, "ids", "give a list"),
        ({"ids": []}, "ids", "empty list"),
        ({"speaker": []}, "speaker", "empty list"),
        ({"speaker": ""}, "speaker", "not empty"),
        ({"any_tags": 3}, "any_tags", "list of texts"),
        ({"state": "dead"}, "state", "active, archived"),
        ({"maximum_strength": 2}, "maximum_strength", "from 0 to 1"),
        ({"minimum_strength": 0.9, "maximum_strength": 0.1}, "minimum_strength", "at most 0.1"),
        ({"where": ["page"]}, "where", "dictionary"),
        ({"where": {"page": {}}}, "where.page", "compare by"),
        ({"where": {"page": {"gte": 3}}}, "where.page", "did you mean"),
        ({"where": {"page": {"in": []}}}, "where.page.in", "list of values"),
        ({"where": {"page": {"in": "ab"}}}, "where.page.in", "list of values"),
        ({"where": {"read": {"lt": True}}}, "where.read.lt", "no order"),
        ({"where": {"page": None}}, "where.page", "give a text"),
        ({"where": {str(n): n for n in range(101)}}, "where", "at most 100"),
        ({"where": {"page": {"in": list(range(101))}}}, "where.page.in", "at most 100"),
        ({"filter": {"tags": ["work"]}}, "filter", "MemoryFilter"),
        ({"state": "archived", "archived": True}, "archived", "`state`"),
    ],
)
async def test_impossible_conditions_are_refused_with_a_remedy(
    graph: Graph, conditions: dict[str, Any], argument: str, remedy: str
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await graph.recall.find("lamp", **conditions)
    assert refusal.value.argument == argument
    assert remedy in str(refusal.value)


def test_keywords_of_a_filter_are_its_fields() -> None:
    names = list(Conditions.__annotations__)
    assert names == list(MemoryFilter.__dataclass_fields__)


def test_a_filter_says_its_conditions_in_words() -> None:
    since = datetime(2026, 3, 1, tzinfo=UTC)
    filter = MemoryFilter(since=since, ids=[str(n) for n in range(7)], where={"a": {"in": [1, 2]}})
    assert str(filter) == "ids 0, 1, 2, 3, 4 and 2 more; since 2026-03-01 00:00; a in 1, 2"
    assert MemoryFilter().empty
    assert not filter.empty


OLD_FILE = Path("tests/data/realm_version_1.jsonl.gz")
SET_VERSION = "MATCH (s:SchemaVersion {id: 'schema'}) SET s.version = $version"
OLD_MARKS = """MATCH (memory:Memory {realm: $realm})
SET memory.marks = [mark IN memory.marks WHERE mark =~ '[ts][0-9a-f]{12}']"""
FIELDS = "MATCH (memory:Memory {realm: $realm, kind: 'text'}) RETURN properties(memory) AS fields"


async def is_marked(graph: Graph) -> bool:
    """Return True if every text has the marks of its fields."""
    rows = [row["fields"] for row in await run_cypher(graph, FIELDS)]
    return bool(rows) and all(
        sorted(row["marks"]) == sorted(filter_marks.stored_marks(row)) for row in rows
    )


@pytest.mark.slow
async def test_memories_of_an_older_database_are_marked_when_it_is_opened(
    graph: Graph, open_graph: OpenGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "BATCH", 2)
    for number in range(5):
        await graph.memories.remember(f"Lamp {number}.", tags=["light"], speaker="Ana", about="Tam")
    await run_cypher(
        graph,
        "CREATE (:Memory {realm: $realm, id: 'odd', kind: 'text', tags: 3})",
        realm=graph.realm,
    )
    await run_cypher(graph, OLD_MARKS)
    assert not await is_marked(graph)
    assert await found(graph, speaker="Ana") == set()
    await run_cypher(graph, SET_VERSION, version=9)
    opened = await open_graph(realm=graph.realm)
    assert len(await found(opened, speaker="Ana", about="Tam", tags=["light"])) == 5
    assert await schema.mark_texts(opened.database) == 0
    assert (await opened.database.one("schema/version"))["version"] == schema.version()


@pytest.mark.slow
async def test_several_processes_mark_memories_at_once(graph: Graph) -> None:
    for number in range(5):
        await graph.memories.remember(f"Lamp {number}.", speaker="Ana")
    await run_cypher(graph, OLD_MARKS)
    counts = await asyncio.gather(*(schema.mark_texts(graph.database) for _ in range(3)))
    assert sum(counts) == 5
    assert await is_marked(graph)


@pytest.mark.slow
async def test_memories_of_an_older_file_are_marked(graph: Graph) -> None:
    await graph.realms.load(OLD_FILE)
    assert await is_marked(graph)


def test_what_is_damaged_has_no_marks() -> None:
    damaged = {"tags": [3, "work"], "session": {"a": 1}, "speaker": "\ud800", "metadata": "[1"}
    assert filter_marks.stored_marks(damaged) == filter_marks.marks(tags=["work"])
    assert filter_marks.stored_marks({"tags": "work", "metadata": "[]"}) == []
    assert filter_marks.stored_marks({"metadata": '{"page": [1], "read": true}'}) == [
        filter_marks.value_mark("read", True)
    ]


@pytest.mark.slow
async def test_a_filter_that_keeps_ten_of_many_finds_all_ten(graph: Graph) -> None:
    """They share no word with the question, and stand behind thousands that do."""
    many = ({"id": f"m{n}", "text": f"The lamp is lit on day {n}."} for n in range(5000))
    await remember_bulk(graph, many, unembedded=None)
    few = {f"few{number}" for number in range(10)}
    await graph.memories.remember_many(
        {"id": id, "text": f"Herring, {id}.", "speaker": "Ana", "metadata": {"page": 3}}
        for id in sorted(few)
    )
    for conditions in ({"speaker": "Ana"}, {"where": {"page": {"gt": 2}}}, {"ids": sorted(few)}):
        answer = await graph.recall.find("Is the lamp lit?", k=10, **conditions)
        assert {hit.id for hit in answer.hits} == few
        assert answer.searched == 10
