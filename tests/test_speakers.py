"""Actors are joined to the texts that they said, whichever of the two comes first."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from asterism import schema
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.raw import run_cypher
from tests.test_transfer import sealed

LINES = (
    ("key", "Ada", "I put the key under the stone."),
    ("lamp", "ada", "The lamp needs oil before the storm."),
    ("boat", "Piet", "My boat lies at the north pier."),
    ("note", None, "The north pier is closed in March."),
)
DAY = datetime(2026, 2, 1, 9, tzinfo=UTC)


async def remember(graph: Graph) -> None:
    await graph.memories.remember_many(
        [{"id": id, "speaker": who, "text": text, "at": DAY} for id, who, text in LINES]
    )


async def joined_texts(graph: Graph) -> list[list[str]]:
    rows = await run_cypher(
        graph,
        "MATCH (a:Actor {realm: $realm})-[said:SAID]->(m:Memory) "
        "RETURN a.id AS actor, m.id AS text ORDER BY actor, text",
    )
    return [[row["actor"], row["text"]] for row in rows]


ADA = [["ada", "key"], ["ada", "lamp"]]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["add", "load"])
async def test_an_actor_is_joined_to_what_was_said_before(graph: Graph, way: str) -> None:
    await remember(graph)
    if way == "add":
        await graph.exploration.add("actor", "Ada", id="ada")
        await graph.exploration.add("thing", "Piet", id="Piet")
    else:
        await graph.exploration.load([{"kind": "actor", "name": "Ada", "id": "ada"}], [])
    assert await joined_texts(graph) == ADA


async def test_a_text_is_joined_to_who_says_it(graph: Graph) -> None:
    await graph.exploration.add("actor", "Ada", id="ada")
    await remember(graph)
    await remember(graph)
    assert await joined_texts(graph) == ADA


@pytest.mark.slow
async def test_neither_is_overlooked_when_both_come_at_once(open_graph: OpenGraph) -> None:
    for _ in range(5):
        graph = await open_graph()
        await asyncio.gather(remember(graph), graph.exploration.add("actor", "Ada", id="ada"))
        assert await joined_texts(graph) == ADA


@pytest.mark.slow
async def test_another_speaker_moves_a_text(graph: Graph) -> None:
    await graph.exploration.add("actor", "Ada", id="ada")
    await graph.exploration.add("actor", "Piet", id="piet")
    await remember(graph)
    await graph.memories.update("lamp", speaker="Piet")
    assert await joined_texts(graph) == [["ada", "key"], ["piet", "boat"], ["piet", "lamp"]]
    await graph.memories.update("lamp", speaker="")
    await graph.memories.update("note", speaker="Ada")
    await graph.memories.update("key", text="I put the key under the third stone.")
    await graph.memories.forget("boat")
    assert await joined_texts(graph) == [["ada", "key"], ["ada", "note"]]


@pytest.mark.slow
async def test_who_asks_starts_at_what_was_said(graph: Graph) -> None:
    await graph.exploration.add("actor", "Ada", id="ada")
    await remember(graph)
    settings: dict[str, Any] = {"findings": 1, "starts": 1, "least_alignment": 0.0}
    exploration = await graph.exploration.explore(
        "ada", "What is closed?", dry_run=True, settings=settings
    )
    by_walk = {
        finding.id: finding for finding in exploration.narratives if finding.origin == "walk"
    }
    assert by_walk.keys() & {"key", "lamp"}
    steps = [finding.paths[0].steps[0] for finding in by_walk.values()]
    assert "SAID" in {step.type for step in steps}


@pytest.mark.slow
async def test_names_and_words_stay_as_they_are(graph: Graph, open_graph: OpenGraph) -> None:
    await remember(graph)
    other = await open_graph(realm=f"{graph.realm}-joined")
    await other.exploration.add("actor", "Ada", id="ada")
    await remember(other)
    for question in ("Where is the key?", "What did Ada say about the lamp?"):
        assert await other.recall.find(question) == await graph.recall.find(question)


async def test_an_older_database_is_joined_in_batches(graph: Graph) -> None:
    await graph.exploration.add("actor", "Ada", id="ada")
    await remember(graph)
    await run_cypher(graph, "MATCH (:Actor {realm: $realm})-[said:SAID]->() DELETE said")
    for _ in range(2):
        await schema.step(graph.database, "schema/015/said")
    assert await joined_texts(graph) == ADA


@pytest.mark.slow
@pytest.mark.parametrize("version", [14, schema.version()])
async def test_a_file_carries_them_and_an_older_one_gets_them(
    graph: Graph, open_graph: OpenGraph, tmp_path: Path, version: int
) -> None:
    await graph.exploration.add("actor", "Ada", id="ada")
    await remember(graph)
    if version < schema.version():
        await run_cypher(graph, "MATCH (:Actor {realm: $realm})-[said:SAID]->() DELETE said")
    file = tmp_path / "town.jsonl"
    await graph.realms.export(file)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(sealed(lines, schema_version=version))
    target = await open_graph(realm=f"{graph.realm}-{version}")
    await target.realms.load(file)
    assert await joined_texts(target) == ADA
