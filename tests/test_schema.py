"""The schema: applied once, by any number of processes, refused when newer."""

import asyncio
import re
import sys
from pathlib import Path

import pytest

from asterism import schema, statements
from asterism.errors import AsterismError, SchemaMismatch
from asterism.graph import Graph
from asterism.local import server as local_server
from asterism.local.home import Home
from tests.conftest import SMALL, OpenGraph
from tests.support.raw import run_cypher

OPENERS = 10
OPEN = """
import asyncio, sys
from asterism.graph import Graph

async def main():
    auth = ("neo4j", sys.argv[2])
    async with Graph.open(sys.argv[1], auth=auth, realm="r" + sys.argv[3]) as graph:
        await graph.stars.add("sea", domain="health")
        print((await graph.realms.stats()).nodes["Realm"])

asyncio.run(main())
"""


@pytest.mark.slow
async def test_ten_processes_open_an_empty_database_at_once(quick_folder: Path) -> None:
    home = Home(quick_folder / "home")
    try:
        state = await asyncio.to_thread(local_server.start, home, SMALL)
        started = [
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", OPEN, state.uri, local_server.password(home), str(number)),
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            for number in range(OPENERS)
        ]
        outputs = await asyncio.gather(*(process.communicate() for process in started))
        assert [(out.decode().strip(), err.decode()) for out, err in outputs] == [
            ("1", "")
        ] * OPENERS
        assert [process.returncode for process in started] == [0] * OPENERS
    finally:
        await asyncio.to_thread(local_server.stop, home)


async def test_every_index_of_the_schema_is_online(graph: Graph) -> None:
    indexes = await run_cypher(graph, "SHOW INDEXES YIELD name, state")
    state = {record["name"]: record["state"] for record in indexes}
    named = {name for name in _defined() if state.get(name) == "ONLINE"}
    assert named == _defined()


async def test_opening_again_changes_nothing(graph: Graph, open_graph: OpenGraph) -> None:
    before = await graph.database.row("schema/version")
    again = await open_graph(realm=graph.realm)
    assert await again.database.row("schema/version") == before
    assert before == {"version": schema.version(), "empty": False, "known_realm": False}


async def test_a_graph_of_a_newer_version_is_refused(graph: Graph, open_graph: OpenGraph) -> None:
    newer = schema.version() + 1
    set_version = "MATCH (s:SchemaVersion {id: 'schema'}) SET s.version = $version"
    try:
        await run_cypher(graph, set_version, version=newer)
        with pytest.raises(SchemaMismatch, match=r"newer Asterism.*upgrade"):
            await open_graph()
    finally:
        await run_cypher(graph, set_version, version=schema.version())


async def test_the_version_never_steps_back(graph: Graph) -> None:
    row = await graph.database.row("schema/record", version=0)
    assert row == {"version": schema.version()}


@pytest.mark.slow
async def test_a_schema_statement_that_fails_is_not_taken_for_done(
    graph: Graph, open_graph: OpenGraph
) -> None:
    """Two nodes with one id stand in the way of a constraint on it."""
    run = graph.database.driver.execute_query
    await run("DROP CONSTRAINT thing_id")
    await run("UNWIND [1, 2] AS n CREATE (:Thing {realm: $realm, id: 'twin'})", realm=graph.realm)
    try:
        with pytest.raises(AsterismError, match="schema/001/thing_id"):
            await schema.step(graph.database, "schema/001/thing_id")
    finally:
        await run("MATCH (n:Thing {realm: $realm}) DELETE n", realm=graph.realm)
        await schema.step(graph.database, "schema/001/thing_id")


def test_every_label_with_a_realm_is_in_the_realm_statements() -> None:
    """So that a realm is counted whole and deleted whole."""
    text = "".join(statements.load(name).text for name in statements.migrations())
    labels = set(re.findall(r"FOR \(n:(\w+)\) REQUIRE \(?n\.realm", text))
    for name in ("realms/stats", "realms/delete_nodes", "realms/delete_relationships"):
        body = statements.load(name).body
        alone = {"Realm", "EmbeddingModel"} if name != "realms/stats" else set()
        assert labels - set(re.findall(r"\w+", body)) <= alone


def _defined() -> set[str]:
    pattern = r"(?:CONSTRAINT|INDEX) (\w+) IF NOT EXISTS"
    definitions = [
        re.findall(pattern, statements.load(name).text) for name in statements.migrations()
    ]
    return {names[0] for names in definitions if names}  # the others change data


@pytest.mark.slow
async def test_the_vector_index_bears_the_loss_of_vectors(open_graph: OpenGraph) -> None:
    """An index of shortened vectors fails once more is asked for than a part of it still holds."""
    for number in range(4):
        graph = await open_graph(realm=f"losses-{number}")
        await run_cypher(
            graph,
            "UNWIND range(0, 2) AS number "
            "CREATE (m:Memory {realm: $realm, id: 'm' + number, kind: 'text'}) "
            "WITH m, number CALL db.create.setNodeVectorProperty(m, 'embedding', [number, 1, 2]) "
            "WITH m WHERE m.id = 'm1' DELETE m",
        )
        await run_cypher(graph, "MATCH (m:Memory {realm: $realm, id: 'm0'}) REMOVE m.embedding")
        rows = await graph.database.rows(
            "consolidation/find_nearest", vector=[0.0, 1.0, 2.0], count=100
        )
        assert [row["id"] for row in rows] == ["m2"]
