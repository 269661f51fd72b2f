"""Forgetting erases: nothing in the graph or beside the store names what is forgotten."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from asterism import schema
from asterism.consolidation.vector_cache import FILE
from asterism.graph import Graph
from asterism.local.home import home, vectors
from asterism.realm_names import realm_key
from tests.conftest import OpenGraph
from tests.support.raw import run_cypher

ID = "the-one-to-forget"
TEXT = "Quendor keeps the emerald under the floor of the mill, in velvet."
NAMED = """MATCH (n) WHERE n.realm = $realm
WITH n, [key IN keys(n) WHERE toStringOrNull(n[key]) CONTAINS $id
         OR (n[key] IS :: LIST<STRING> AND any(x IN n[key] WHERE x CONTAINS $id))] AS hits
WHERE hits <> [] RETURN labels(n) AS labels, hits"""
DYING = """
import asyncio, os, signal, sys
from asterism.consolidation.vector_cache import VectorCache
from asterism.graph import Graph

VectorCache.erase = lambda self, ids, counts: os.kill(os.getpid(), signal.SIGKILL)

async def main():
    async with Graph.open(realm=sys.argv[1]) as graph:
        await graph.memories.forget(sys.argv[2])

asyncio.run(main())
"""


def files_with(needle: bytes) -> list[Path]:
    """Return the files of the data directory that hold some bytes, but for the server's own."""
    own = home().root / "neo4j"
    return [
        path
        for path in home().root.rglob("*")
        if path.is_file() and own not in path.parents and needle in path.read_bytes()
    ]


async def named(graph: Graph) -> list[Any]:
    """The nodes of a realm that hold the id anywhere."""
    return await run_cypher(graph, NAMED, id=ID)


async def filled(graph: Graph) -> bytes:
    """Fill a realm, in which much names one text, consolidate it, and return the text's vector."""
    await graph.memories.remember(TEXT, id=ID, session="mill", tags=["secret"])
    await graph.memories.remember_many(
        {"id": f"other {number}", "text": f"The mill ground {number} sacks.", "session": "mill"}
        for number in range(8)
    )
    await graph.memories.remember(
        "Quendor keeps the emerald under the floor of the old mill.", id="near"
    )
    await graph.consolidation.consolidate()
    await graph.memories.reinforce(ID)
    await graph.memories.connect("other 1", ID, "SUPPORTS")
    await graph.consolidation.seen_together([ID, "other 2", "other 7"], session="asked")
    [row] = await graph.database.rows("memory_vectors/stored_vectors", ids=[ID])
    return np.asarray(row["vector"], np.float32).tobytes()


@pytest.mark.slow
async def test_nothing_names_a_forgotten_memory(graph: Graph) -> None:
    vector = await filled(graph)
    assert files_with(vector)
    assert files_with(ID.encode())
    receipt = await graph.memories.forget(ID)
    assert files_with(vector) == files_with(ID.encode()) == []
    assert await named(graph) == []
    assert (receipt.memories, receipt.evidence, receipt.vectors) == (1, 1, 1)
    assert receipt.relationships["SUPPORTS"] == 1
    assert (receipt.ties["IN_SESSION"], receipt.ties["NEXT"]) == (1, 1)
    assert receipt.terms > 0
    assert (receipt.checked, receipt.left) == (True, {})
    again = await graph.memories.forget(ID)
    assert (again.memories, again.vectors, again.checked) == (0, 0, True)
    [report] = await graph.maintenance.run("verify")
    assert report.offenders == []


@pytest.mark.slow
async def test_no_exploration_quotes_or_names_a_forgotten_memory(graph: Graph) -> None:
    await filled(graph)
    question = "Where does Quendor keep the emerald?"
    kept = await graph.exploration.explore(None, question, keep=True)
    await graph.exploration.confirm(kept.run_id, [ID, "near"])
    await graph.exploration.add("actor", "Ana", id="ana")
    literal = await graph.exploration.explore(
        "ana", question, mode="literal", start=ID, settings={"min_link_score": 0.0}
    )
    assert await named(graph)
    receipt = await graph.memories.forget(ID)
    assert receipt.narratives > 0
    assert await named(graph) == []
    answers = await graph.exploration.narratives()
    assert [quote.id for answer in answers for quote in answer.quotes] == ["near"]
    assert not [answer for answer in answers if "in velvet" in answer.content]
    await graph.memories.forget("near")
    assert await graph.exploration.narratives() == []
    for run in (kept, literal):
        undone = await graph.exploration.undo(run.run_id)
        assert ID not in repr(undone)


@pytest.mark.slow
async def test_another_process_does_not_bring_a_forgotten_vector_back(
    open_graph: OpenGraph, graph: Graph
) -> None:
    vector = await filled(graph)
    other = await open_graph(realm=graph.realm)
    await other.memories.remember("Another text.", id="late")
    await other.consolidation.consolidate()
    await graph.memories.forget(ID)
    await other.memories.remember("And one more.", id="later")
    report = await other.consolidation.consolidate()
    assert report.runs[0].vectors == "in memory"
    assert files_with(vector) == files_with(ID.encode()) == []
    await graph.memories.remember("The last one.", id="last")
    assert (await graph.consolidation.consolidate()).promoted == 1
    assert files_with(vector) == []
    assert kept_count(graph) == (await graph.consolidation.consolidate()).active_after


def kept_count(graph: Graph) -> int:
    [folder] = vectors().glob(f"{realm_key(graph.realm)}-*")
    with closing(sqlite3.connect(folder / FILE)) as connection:
        [(size,)] = connection.execute("SELECT sum(length(vector)) FROM memory")
    return int(size) // (4 * graph.embedding.embedder.dimensions)


@pytest.mark.slow
async def test_a_vector_left_by_a_killed_process_is_removed_later(
    graph: Graph, environment: dict[str, str]
) -> None:
    vector = await filled(graph)
    died = await asyncio.to_thread(forget_and_die, graph.realm, environment)
    assert died == -signal.SIGKILL
    assert files_with(vector)
    [report] = await graph.maintenance.run("verify")
    assert [offender.id for offender in report.offenders] == [ID]
    await graph.consolidation.consolidate()
    assert files_with(vector) == files_with(ID.encode()) == []
    assert (await graph.maintenance.run("verify"))[0].offenders == []


def forget_and_die(realm: str, environment: dict[str, str]) -> int:
    """A process that forgets, and is killed as soon as the database has."""
    command = [sys.executable, "-c", DYING, realm, ID]
    return subprocess.run(
        command, env=environment | {"PYTHONPATH": os.getcwd()}, check=False
    ).returncode


@pytest.mark.slow
async def test_repeats_of_a_forgotten_text_stand_for_themselves(graph: Graph) -> None:
    await graph.memories.remember(TEXT, id=ID, session="mill")
    await graph.memories.remember(TEXT, id="again", session="inn")
    await graph.memories.remember("The inn is full.", id="inn", session="inn")
    await graph.consolidation.consolidate()
    assert (await graph.memories.get("again")).duplicate_of == ID
    receipt = await graph.memories.forget(ID)
    assert receipt.repeats == ("again",)
    assert await named(graph) == []
    memory = await graph.memories.get("again")
    assert (memory.state, memory.waiting, memory.duplicate_of) == ("active", True, None)
    assert (await graph.maintenance.run("verify"))[0].offenders == []
    assert (await graph.consolidation.consolidate()).promoted == 1
    assert [hit.id for hit in (await graph.recall.find("emerald", k=1)).hits] == ["again"]


@pytest.mark.slow
async def test_a_database_of_an_earlier_version_loses_the_locks_of_texts(graph: Graph) -> None:
    driver = graph.database.driver
    await graph.memories.remember(TEXT, id=ID)
    await driver.execute_query(
        "CREATE (:Cursor {realm: $realm, id: 'place:text ' + $id})", realm=graph.realm, id=ID
    )
    [report] = await graph.maintenance.run("verify")
    assert [each.invariant for each in report.offenders] == ["a text has no place of its own"]
    await schema.step(graph.database, "schema/008/text_places")
    assert (await graph.maintenance.run("verify"))[0].offenders == []


@pytest.mark.slow
async def test_maintenance_removes_bookkeeping_that_an_old_file_brought(graph: Graph) -> None:
    driver = graph.database.driver
    await driver.execute_query(
        "CREATE (:Cursor {realm: $realm, id: 'place:text ' + $id}), (:Candidate {realm: $realm, "
        "id: 'together:x', kind: 'co_occurs', low: $id, high: 'z', caption: 'x'})",
        realm=graph.realm,
        id=ID,
    )
    [report] = await graph.maintenance.run("prune")
    assert report.changed["remains"] == 2
    assert await named(graph) == []
