"""Opening a graph: the right server, or an error that says what to do."""

import socket
from typing import Any

import pytest

from asterism.connection import require_version
from asterism.embedding import Embedder
from asterism.errors import AsterismError, DatabaseUnavailable, InvalidInput, SchemaMismatch
from asterism.graph import Graph
from asterism.local.home import Home
from tests.conftest import OpenGraph, Server

VARIABLES = ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_USER", "NEO4J_PASSWORD", "NEO4J_DATABASE")


@pytest.fixture
def variables(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment that names no server yet."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.mark.parametrize("user", ["NEO4J_USERNAME", "NEO4J_USER"])
async def test_the_environment_names_the_server(
    server: Server, variables: pytest.MonkeyPatch, user: str
) -> None:
    variables.setenv("NEO4J_URI", server.uri)
    variables.setenv(user, server.auth[0])
    variables.setenv("NEO4J_PASSWORD", server.auth[1])
    variables.setenv("NEO4J_DATABASE", "neo4j")
    async with Graph.open(realm="env") as graph:
        assert graph.uri == server.uri
        assert graph.database.name == "neo4j"
        await graph.realms.delete("env")


async def test_a_graph_can_be_awaited_and_closed_by_hand(server: Server) -> None:
    graph = await Graph.open(server.uri, auth=server.auth, realm="by-hand")
    await graph.stars.add("sea", domain="health")
    assert (await graph.realms.delete("by-hand")).nodes > 1
    await graph.close()


async def test_another_realm_is_opened_on_the_same_connections(open_graph: OpenGraph) -> None:
    graph = await open_graph()
    other = await graph.open_realm(f"{graph.realm}-other")
    await other.memories.remember("The boat leaves at noon.")
    assert (await other.memories.count(), await graph.memories.count()) == (1, 0)
    assert (other.realm, other.uri) == (f"{graph.realm}-other", graph.uri)
    assert other.database.driver is graph.database.driver
    await graph.realms.delete(other.realm)
    await other.close()
    with pytest.raises(AsterismError, match="the graph is closed"):
        await other.memories.count()
    assert await graph.memories.count() == 0
    with pytest.raises(InvalidInput, match="realm"):
        await graph.open_realm("")


async def test_a_cluster_uri_works_as_it_is(server: Server) -> None:
    uri = server.uri.replace("bolt://", "neo4j://")
    async with Graph.open(uri, auth=server.auth, realm="routed") as graph:
        await graph.stars.add("sea", domain="health")
        assert (await graph.realms.stats()).nodes["Realm"] == 1
        await graph.realms.delete("routed")


async def test_a_wrong_password_says_which_variables_to_check(server: Server) -> None:
    with pytest.raises(DatabaseUnavailable, match=r"refuses.*'neo4j'.*NEO4J_PASSWORD"):
        await Graph.open(server.uri, auth=("neo4j", "not-the-password"))


async def test_no_credentials_at_all_are_refused_as_such(
    server: Server, variables: pytest.MonkeyPatch
) -> None:
    variables.setenv("NEO4J_URI", server.uri)
    with pytest.raises(DatabaseUnavailable, match=r"refuses the credentials of 'nobody'"):
        await Graph.open()


@pytest.mark.parametrize("scheme", ["bolt", "neo4j", "bolt+s", "neo4j+ssc"])
async def test_a_closed_port_is_unreachable(scheme: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(DatabaseUnavailable, match=r"can't be reached.*unset NEO4J_URI"):
        await Graph.open(f"{scheme}://127.0.0.1:{port}", auth=("neo4j", "whatever"))


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
async def test_a_host_that_accepts_and_says_nothing_is_given_up(scheme: str) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        uri = f"{scheme}://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(DatabaseUnavailable, match="can't be reached"):
            await Graph.open(uri, auth=("neo4j", "whatever"))


@pytest.mark.parametrize(
    "uri",
    ["", "localhost:7687", "http://localhost:7474", "bolt://", "x", "bolt://[::1", "bolt://h:port"],
)
async def test_what_is_no_uri_is_refused_with_an_example(
    uri: str, variables: pytest.MonkeyPatch
) -> None:
    variables.setenv("NEO4J_URI", uri)
    with pytest.raises(InvalidInput, match=r"uri=.*neo4j://host:7687"):
        await Graph.open()


@pytest.mark.parametrize("uri", ["bolt://h?x=1", "neo4j+s://h:0x1"])
async def test_what_the_driver_refuses_is_refused_as_the_uri(uri: str) -> None:
    with pytest.raises(InvalidInput, match="uri="):
        await Graph.open(uri, auth=("neo4j", "whatever"))


async def test_credentials_without_a_uri_are_refused(variables: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match=r"auth=\('neo4j', '...'\): it goes with a uri"):
        await Graph.open(auth=("neo4j", "secret"))


async def test_a_database_that_is_not_there_is_named(server: Server) -> None:
    with pytest.raises(DatabaseUnavailable, match="check NEO4J_DATABASE"):
        await Graph.open(server.uri, auth=server.auth, database="nowhere")


async def test_a_graph_that_is_not_open_says_how_to_open_it(server: Server) -> None:
    graph = Graph.open(server.uri, auth=server.auth)
    with pytest.raises(AsterismError, match=r"async with Graph\.open"):
        await graph.realms.list()
    await graph.close()
    assert not hasattr(graph, "colour")


@pytest.mark.parametrize("agent", ["Neo4j/4.4.40", "Neo4j/5.26.0", "Neo4j/2025.12.1"])
def test_an_old_server_is_refused_by_its_version(agent: str) -> None:
    with pytest.raises(SchemaMismatch, match=f"the server is {agent}.*2026.01 or newer"):
        require_version(agent)


@pytest.mark.parametrize("agent", ["Neo4j/2026.01.0", "Neo4j/2026.08.1", "Neo4j/2027.01-aura"])
def test_a_server_new_enough_is_accepted(agent: str) -> None:
    require_version(agent)


async def test_without_a_uri_the_local_server_is_used(
    server: Server, variables: pytest.MonkeyPatch, own_environment: Any
) -> None:
    if server.kind == "local":
        async with Graph.open(realm="here") as graph:
            state = Home(own_environment).read_state()
            assert state is not None
            assert graph.uri == state.uri
            await graph.realms.delete("here")
    else:
        assert Home(own_environment).read_state() is None


@pytest.mark.parametrize("wrong", [object(), type("Half", (), {"name": "half"})()])
def test_what_is_no_embedder_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidInput, match=r"embedder=.*it needs .*embed_documents"):
        Graph.open(embedder=wrong)


def test_an_unknown_model_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InvalidInput, match=r"embedder='bge-small'.*did you mean bge-small-zh"):
        Graph.open(embedder="bge-small")


def test_an_embedder_is_known_by_what_it_offers(embedder: Embedder) -> None:
    assert isinstance(embedder, Embedder)
