"""Forgetting erases: nothing in the graph or beside the store names what is forgotten."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from engine import schema
from engine.graph import Graph
from engine.local.home import home, vectors
from engine.realms import realm_key
from tests.conftest import OpenGraph

ID = "the-one-to-forget"
TEXT = "Quendor keeps the emerald under the floor of the mill, in velvet."
NAMED = """MATCH (n) WHERE n.realm = $realm
WITH n, [key IN keys(n) WHERE toStringOrNull(n[key]) CONTAINS $id
         OR (n[key] IS :: LIST<STRING> AND any(x IN n[key] WHERE x CONTAINS $id))] AS hits
WHERE hits <> [] RETURN labels(n) AS labels, hits"""
DYING = """
import asyncio, os, signal, sys
from engine.consolidation.kept import Kept
from engine.graph import Graph

Kept.erase = lambda self, ids, counts: os.kill(os.getpid(), signal.SIGKILL)

async def main():
    async with Graph.open(realm=sys.argv[1]) as graph:
        await graph.memories.forget(sys.argv[2])

asyncio.run(main())
"""


def files_with(needle: bytes) -> list[Path]:
    """Files of the data directory that hold some bytes; the server's own are another matter."""
    own = home().root / "neo4j"
    return [
        path
        for path in home().root.rglob("*")
        if path.is_file() and own not in path.parents and needle in path.read_bytes()
    ]


async def named(graph: Graph) -> list[Any]:
    """The nodes of a realm that hold the id anywhere."""
    found = await graph.database.driver.execute_query(NAMED, realm=graph.realm, id=ID)
    return [record.data() for record in found.records]


async def filled(graph: Graph) -> bytes:
    """A consolidated realm in which much is known of one text; returns its vector."""
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
    [row] = await graph.database.rows("memories/vectors", ids=[ID])
    return np.asarray(row["vector"], np.float32).tobytes()


async def test_right_after_the_call_nothing_names_it(graph: Graph) -> None:
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


async def test_another_process_does_not_bring_its_vector_back(
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
    [data] = folder.glob("*.vectors")
    return data.stat().st_size // (4 * graph.embedding.embedder.dimensions)


async def test_whoever_dies_between_commit_and_file_is_found_and_cleaned_up(
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


async def test_what_repeated_it_stands_for_itself_again(graph: Graph) -> None:
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


async def test_a_database_of_the_version_before_loses_its_places(graph: Graph) -> None:
    driver = graph.database.driver
    await graph.memories.remember(TEXT, id=ID)
    await driver.execute_query(
        "CREATE (:Cursor {realm: $realm, id: 'place:text ' + $id})", realm=graph.realm, id=ID
    )
    [report] = await graph.maintenance.run("verify")
    assert [each.invariant for each in report.offenders] == ["a text has no place of its own"]
    await schema.step(graph.database, "schema/008/text_places")
    assert (await graph.maintenance.run("verify"))[0].offenders == []


async def test_maintenance_removes_what_an_old_file_brought(graph: Graph) -> None:
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
