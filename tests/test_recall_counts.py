"""Search index: names, words, order and counts agree with the memories after each change."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from asterism import search_index
from asterism.database import Database
from asterism.graph import Graph
from asterism.text.names import names
from asterism.text.tokens import rare_stems, stems
from tests.conftest import OpenGraph
from tests.support.raw import run_cypher
from tests.support.work import work
from tests.test_recall import KEY, story

COUNTS = """CYPHER 25
CALL () {
  MATCH (n:Name {realm: $realm}) WHERE n.key IS NOT NULL
  RETURN 'name' AS kind, n.key AS key, n.memory_count AS count,
         COUNT { (n)<-[:MENTIONS]-() } AS ties
UNION ALL
  MATCH (n:Term {realm: $realm}) WHERE n.stem IS NOT NULL
  RETURN 'term' AS kind, n.stem AS key, n.memory_count AS count,
         COUNT { (n)<-[:HAS_TERM]-() } AS ties
}
RETURN kind, key, count, ties"""
ORDER = """CYPHER 25
MATCH (s:Session {realm: $realm, id: $session})
OPTIONAL MATCH (m:Memory)-[:IN_SESSION]->(s)
OPTIONAL MATCH (m)-[:NEXT]->(n)
RETURN collect([m.id, n.id]) AS pairs, s.latest_memory AS latest"""


async def counts(graph: Graph) -> dict[tuple[str, str], tuple[int, int]]:
    rows = await run_cypher(graph, COUNTS)
    return {(row["kind"], row["key"]): (row["count"], row["ties"]) for row in rows}


async def chain(graph: Graph, session: str) -> list[str]:
    """The ids of a session, first to last, along NEXT."""
    rows = await run_cypher(graph, ORDER, session=session)
    if not rows:
        return []
    following = {first: then for first, then in rows[0]["pairs"] if first}
    firsts = following.keys() - set(following.values())
    path: list[str] = []
    at = next(iter(firsts), None)
    while at is not None:
        path.append(at)
        at = following[at]
    assert len(path) == len(following)
    assert rows[0]["latest"] == path[-1]
    return path


def expected(items: list[dict[str, Any]]) -> dict[tuple[str, str], tuple[int, int]]:
    counter: Counter[tuple[str, str]] = Counter()
    tied: Counter[tuple[str, str]] = Counter()
    for item in items:
        passage = search_index.passage(item.get("about"), item.get("speaker"), item["text"])
        counter.update(("name", key) for key in names(passage))
        counter.update(("term", stem) for stem in stems(passage))
        tied.update(("name", key) for key in names(passage))
        tied.update(("term", stem) for stem in rare_stems(passage))
    return {key: (count, tied[key]) for key, count in counter.items()}


def test_function_words_are_rare_nowhere() -> None:
    text = "When I met the first keeper, he drove a van together with Lyra."
    assert rare_stems(text) == {"met", "keeper", "drove", "van", "togeth", "lyra"}


@pytest.mark.slow
async def test_names_and_words_are_counted_once_a_memory(graph: Graph) -> None:
    items = story(50)
    await graph.memories.remember_many(items)
    assert await counts(graph) == expected(items)
    await graph.memories.remember_many(items)
    assert await counts(graph) == expected(items)
    assert (await graph.recall.find("Lyra")).memories == 50


@pytest.mark.slow
async def test_forgetting_takes_back_what_remembering_wrote(graph: Graph) -> None:
    items = story(40)
    await graph.memories.remember_many(items)
    for item in items[:25]:
        await graph.memories.forget(item["id"])
        await graph.memories.forget(item["id"])
    assert await counts(graph) == expected(items[25:])
    assert (await graph.recall.find("Lyra")).memories == 15
    for item in items[25:]:
        await graph.memories.forget(item["id"])
    assert await counts(graph) == {}
    stats = await graph.realms.stats()
    assert not {"Name", "Term", "Session", "Memory"} & stats.nodes.keys()
    assert (await graph.recall.find("Lyra")).memories == 0


@pytest.mark.slow
async def test_a_session_is_a_chain_that_closes_its_gaps(graph: Graph) -> None:
    ids = [f"m{number}" for number in range(8)]
    for id in ids[:2]:
        await graph.memories.remember(f"Line {id}", session="talk", id=id)
    await graph.memories.remember_many(
        [{"text": f"Line {id}", "session": "talk", "id": id} for id in ids[2:]]
    )
    assert await chain(graph, "talk") == ids
    for removed in ("m3", "m0", "m7", "m4"):
        await graph.memories.forget(removed)
        ids.remove(removed)
        assert await chain(graph, "talk") == ids
    await graph.memories.remember("And then?", session="talk", id="m9")
    assert await chain(graph, "talk") == [*ids, "m9"]
    for id in [*ids, "m9"]:
        await graph.memories.forget(id)
    assert await chain(graph, "talk") == []


async def test_without_a_session_there_is_no_order(graph: Graph) -> None:
    await graph.memories.remember_many([{"text": f"Line {i}"} for i in range(5)])
    assert "NEXT" not in (await graph.realms.stats()).relationships


@pytest.mark.slow
async def test_a_near_duplicate_is_counted_no_more(graph: Graph) -> None:
    await graph.memories.remember(KEY, id="first", session="talk")
    await graph.memories.remember(f"{KEY} ", id="same", session="talk", speaker=None)
    await graph.memories.remember("Mira sells herring.", id="other", session="talk")
    report = await graph.consolidation.consolidate()
    assert [counter.id for counter in report.duplicates] == ["same"]
    left = [{"text": KEY}, {"text": "Mira sells herring."}]
    assert await counts(graph) == expected(left)
    assert await chain(graph, "talk") == ["first", "other"]
    counter = await graph.recall.find("Who has the key?")
    assert [hit.id for hit in counter.hits] == ["first", "other"]
    assert counter.memories == 2
    reason = await graph.recall.why_not("Who has the key?", "same")
    assert reason.missing == ("it repeats another memory, which is found in its place",)
    await graph.memories.forget("same")
    assert await counts(graph) == expected(left)


@pytest.mark.slow
async def test_writers_beside_each_other_lose_no_count(open_graph: OpenGraph) -> None:
    """Eight at a time, the same names, the same session: all counts exact, one chain."""
    graph: Graph = await open_graph()
    writers = [await open_graph(realm=graph.realm) for _ in range(4)]
    items = [
        {"id": f"w{number:03}", "text": f"{text['text']}", "session": "one"}
        for number, text in enumerate(story(80))
    ]

    async def write(writer: Graph, mine: list[dict[str, Any]]) -> None:
        for item in mine[:10]:
            await writer.memories.remember(**item)
        await writer.memories.remember_many(mine[10:])

    await asyncio.gather(*(write(each, items[at::4]) for at, each in enumerate(writers)))
    assert await counts(graph) == expected([{"text": item["text"]} for item in items])
    assert sorted(await chain(graph, "one")) == [item["id"] for item in items]

    async def forget(writer: Graph, mine: list[dict[str, Any]]) -> None:
        for item in mine:
            await writer.memories.forget(item["id"])

    removed, left = items[:40], items[40:]
    halves = (removed[at % 2 :: 2] for at in range(4))
    await asyncio.gather(*(forget(each, mine) for each, mine in zip(writers, halves, strict=True)))
    assert await counts(graph) == expected([{"text": item["text"]} for item in left])
    assert (await graph.recall.find("Lyra")).memories == 40
    assert sorted(await chain(graph, "one")) == [item["id"] for item in left]


@pytest.mark.slow
async def test_a_common_name_is_counted_exactly_as_well(open_graph: OpenGraph) -> None:
    graph: Graph = await open_graph()
    items = [{"id": f"c{i:04}", "text": f"Haven item {i}"} for i in range(340)]
    for start in range(0, 300, 20):
        await graph.memories.remember_many(items[start : start + 20])
    counter = await counts(graph)
    assert counter["name", "haven"] == (300, 300)
    assert counter["term", "item"] == (300, graph.settings.recall.tied_words)
    for item in items[300:]:
        await graph.memories.remember(item["text"], id=item["id"])
    count, ties = (await counts(graph))["name", "haven"]
    assert (ties, count) == (340, 340)


@pytest.mark.slow
async def test_a_name_in_half_of_all_memories_costs_nothing(
    open_graph: OpenGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work of each read, with a name that 150 memories have, and without it."""
    arguments_by_name: dict[str, dict[str, Any]] = {}
    rows = Database.rows

    async def record(self: Database, name: str, /, **arguments: Any) -> list[dict[str, Any]]:
        arguments_by_name[name] = arguments
        return await rows(self, name, **arguments)

    monkeypatch.setattr(Database, "rows", record)
    hits: dict[str, list[int]] = {}
    for name in ("Haven", "haven"):
        graph: Graph = await open_graph()
        chores = [f"On day {i} somebody in {name} painted door {i}." for i in range(150)]
        rest = [f"On day {i} the tide table {i} was copied." for i in range(150)]
        await graph.memories.remember_many([{"text": text} for text in [*chores, *rest]])
        await graph.memories.remember("Lyra of the Marigold sleeps in Haven.")
        await graph.recall.find("Where in Haven does Lyra sleep?")
        reads = ("recall/prepare", "recall/find")
        hits[name] = [await work(graph, read, arguments_by_name[read]) for read in reads]
    for common, rare in zip(hits["Haven"], hits["haven"], strict=True):
        assert common <= 1.3 * rare + 300


def kinds(arguments: dict[str, Any]) -> dict[str, object]:
    """Return what a plan is made for: the type of each argument, and which lists are empty."""
    return {
        name: (type(value), bool(value)) if isinstance(value, list) else type(value)
        for name, value in arguments.items()
    }


async def test_questions_of_every_kind_share_their_plans(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An argument that is null, or an empty list, would have a statement planned anew."""
    arguments_by_read: dict[str, list[dict[str, object]]] = {}
    row = Database.row

    async def record(self: Database, name: str, /, **arguments: Any) -> dict[str, Any] | None:
        arguments_by_read.setdefault(name, []).append(kinds(arguments))
        return await row(self, name, **arguments)

    await graph.memories.remember("Lyra keeps the key of the lighthouse in Haven.")
    monkeypatch.setattr(Database, "row", record)
    for question in (
        "Where in Haven does Lyra keep the key?",  # with names, which are left out once more
        "lighthouse",  # of no evident language
        "Who painted a door?",  # no memory has its words
        "Wo hat Lyra den Schlüssel gelassen?",
    ):
        await graph.recall.find(question)
    for read in ("recall/prepare", "recall/find"):
        first, *others = arguments_by_read[read]
        assert len(others) >= 3
        assert [other for other in others if other != first] == [], read
