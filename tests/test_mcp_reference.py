"""The profile of the reference memory server: its nine tools, and its file."""

import json
from pathlib import Path
from typing import Any

import pytest

from asterism.graph import Graph
from tests.conftest import Server
from tests.support.mcp_clients import call, connected, refused, text_of

NINE = {
    "create_entities": {"entities"},
    "create_relations": {"relations"},
    "add_observations": {"observations"},
    "delete_entities": {"entityNames"},
    "delete_observations": {"deletions"},
    "delete_relations": {"relations"},
    "read_graph": set(),
    "search_nodes": {"query"},
    "open_nodes": {"names"},
}
ANA = {"name": "Ana", "entityType": "person", "observations": ["Lives in Porto", "Sails"]}
LEO = {"name": "Leo", "entityType": "person", "observations": []}
VEGA = {"name": "Vega", "entityType": "boat", "observations": ["Lies at berth 14 in the harbour"]}
OWNS = {"from": "Ana", "to": "Vega", "relationType": "is_owner_of"}
KNOWS = {"from": "Leo", "to": "Ana", "relationType": "knows"}


@pytest.fixture
def options(server: Server, embedder: Any) -> dict[str, Any]:
    """Options by which the server in this process reaches the tests' Neo4j."""
    return {"uri": server.uri, "auth": server.auth, "embedder": embedder}


def write_file(folder: Path) -> Path:
    """Write the file of the reference server, as it does."""
    lines = [{"type": "entity", **each} for each in (ANA, LEO, VEGA)]
    lines += [{"type": "relation", **each} for each in (OWNS, KNOWS)]
    file = folder / "memory.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    return file


async def test_the_nine_tools_have_their_names_and_arguments(
    graph: Graph, options: dict[str, Any]
) -> None:
    async with connected(graph.realm, options, "reference") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {name: set(each.input_schema["properties"]) for name, each in tools.items()} == NINE
        assert all(tool.output_schema and tool.title for tool in tools.values())
        relation = tools["create_relations"].input_schema["properties"]["relations"]["items"]
        assert set(relation["properties"]) == {"from", "to", "relationType"}
    async with connected(graph.realm, options, "reference", read_only=True) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {"read_graph", "search_nodes", "open_nodes"}


@pytest.mark.slow
async def test_entities_relations_and_observations_come_and_go(
    graph: Graph, options: dict[str, Any]
) -> None:
    async with connected(graph.realm, options, "reference") as client:
        made = await client.call_tool("create_entities", {"entities": [ANA, LEO, VEGA]})
        assert json.loads(text_of(made)) == {"entities": [ANA, LEO, VEGA]}
        assert await call(client, "create_entities", entities=[ANA]) == {"entities": []}
        relations = [OWNS, KNOWS]
        assert await call(client, "create_relations", relations=relations) == {
            "relations": relations
        }
        assert await call(client, "create_relations", relations=relations) == {"relations": []}
        new = [{"entityName": "Leo", "contents": ["Mends nets", "Mends nets"]}]
        added = await call(client, "add_observations", observations=new * 2)
        assert added["results"][0]["addedObservations"] == ["Mends nets"]
        unknown = [{"entityName": "Nobody", "contents": ["x"]}]
        refusal = await refused(client, "add_observations", observations=unknown)
        assert "no entity 'Nobody'" in refusal

        whole = await call(client, "read_graph")
        leo = {**LEO, "observations": ["Mends nets"]}
        assert whole == {"entities": [ANA, leo, VEGA], "relations": relations}
        answer = await call(client, "search_nodes", query="Which boat lies in the harbour?")
        assert VEGA in answer["entities"]
        opened = await call(client, "open_nodes", names=["Leo", "Nobody"])
        assert opened == {"entities": [leo], "relations": [KNOWS]}

        one = [{"entityName": "Ana", "observations": ["Sails", "never said"]}]
        await call(client, "delete_observations", deletions=one)
        await call(client, "delete_relations", relations=[KNOWS])
        await call(client, "delete_entities", entityNames=["Vega"])
        ana = {**ANA, "observations": ["Lives in Porto"]}
        assert await call(client, "read_graph") == {"entities": [ana, leo], "relations": []}
    hits = (await graph.recall.find("Where does Ana live?", k=1)).hits
    assert (hits[0].about, hits[0].text) == ("Ana", "Lives in Porto")


@pytest.mark.slow
async def test_its_file_is_imported_once(
    graph: Graph, options: dict[str, Any], tmp_path: Path
) -> None:
    file = write_file(tmp_path)
    report = await graph.memories.import_file(file)
    assert (report.created, report.rejected) == (8, [])
    again = await graph.memories.import_file(file)
    assert (again.created, again.same) == (0, 8)
    with file.open("a") as lines:
        lines.write('\n{"type": "entity", "name": "", "entityType": "x", "observations": []}')
        lines.write('\n{"type": "entity", "name": "x", "entityType": "x", "observations": "y"}')
        lines.write('\n{"type": "relation", "from": "Ana", "relationType": "x"}')
    broken = await graph.memories.import_file(file)
    assert [each.line for each in broken.rejected] == [6, 7, 8]
    assert [each.reason.partition("=")[0] for each in broken.rejected] == [
        "name",
        "observations",
        "to",
    ]
    async with connected(graph.realm, options, "reference") as client:
        whole = await call(client, "read_graph")
        assert whole == {"entities": [ANA, LEO, VEGA], "relations": [OWNS, KNOWS]}
        assert await call(client, "create_entities", entities=[ANA]) == {"entities": []}


@pytest.mark.slow
async def test_a_large_graph_is_cut_and_says_so(graph: Graph, options: dict[str, Any]) -> None:
    entities = [
        {"name": f"Boat {n}", "entityType": "boat", "observations": [f"Lies at berth {n}. " * 8]}
        for n in range(150)
    ]
    async with connected(graph.realm, options, "reference") as client:
        await call(client, "create_entities", entities=entities)
        whole = await call(client, "read_graph")
        assert len(whole["entities"]) + whole["left_out"] == 150
        assert 0 < len(whole["entities"]) < 150
