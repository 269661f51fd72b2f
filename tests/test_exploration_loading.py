"""Loading what is walked on while others remove it."""

import asyncio

import pytest
from neo4j import GraphDatabase

from asterism.errors import NotFound
from asterism.graph import Graph
from tests.conftest import OpenGraph, Server
from tests.support.exploration_world import Toy, contents


@pytest.fixture
async def graph(open_graph: OpenGraph) -> Graph:
    opened: Graph = await open_graph(embedder=Toy(3))
    return opened


async def test_a_load_says_which_links_lost_their_end_meanwhile(
    graph: Graph, server: Server
) -> None:
    await graph.exploration.add("thing", "old", id="old")
    nodes = [{"kind": "thing", "name": id, "id": id} for id in ("a", "b")]
    links = [{"a": "a", "b": "old", "id": "lost"}, {"a": "a", "b": "b", "id": "kept"}]

    def remove(what: str, count: int, total: int) -> None:
        with GraphDatabase.driver(server.uri, auth=server.auth) as driver:
            driver.execute_query(
                "MATCH (n:Thing {realm: $realm, id: 'old'}) DETACH DELETE n", realm=graph.realm
            )

    loaded = await graph.exploration.load(nodes, links, on_progress=remove)
    assert (loaded.nodes, loaded.links, loaded.dropped_links) == (2, 1, ["lost"])
    assert list((await contents(graph))[1]) == ["kept"]
    with pytest.raises(NotFound, match="no node 'old'"):
        await graph.exploration.load(nodes, links)


@pytest.mark.slow
async def test_loading_beside_forgetting_fails_for_nobody(graph: Graph) -> None:
    nodes = [{"kind": "thing", "name": f"n{at}", "id": f"n{at}"} for at in range(20)]
    for at in range(20):
        made = [await graph.memories.remember(f"text {at} {n}", id=f"m{at}-{n}") for n in range(3)]
        links = [{"a": "n0", "b": memory.id, "id": f"k{memory.id}"} for memory in made]
        await graph.exploration.load(nodes[:1])
        outcomes = await asyncio.gather(
            graph.exploration.load(nodes, links),
            *(graph.memories.forget(memory.id) for memory in made),
            return_exceptions=True,
        )
        for outcome in outcomes:
            assert not isinstance(outcome, BaseException) or isinstance(outcome, NotFound), outcome
