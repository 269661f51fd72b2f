"""Realms: nothing crosses from one to another, and a realm goes whole."""

import re
from typing import Any

import pytest

from asterism import statements
from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.realm_names import realm_key, valid_name
from tests.conftest import OpenGraph
from tests.support.raw import realm_contents

LABELS = {
    label: key
    for name in statements.migrations()
    for label, key in re.findall(
        r"FOR \(n:(\w+)\) REQUIRE \(n\.realm, n\.(\w+)\)", statements.load(name).text
    )
}
NASTY = [
    "'; MATCH (n) DETACH DELETE n //",
    '"}) DETACH DELETE n //',
    "`r` {realm: 'x'}",
    "$realm",
    "a\\u0027 OR 1=1",
    "лира ★ 灯台",
]


async def populate(graph: Graph) -> None:
    """A node of every label, and a ring of relationships through them."""
    await graph.database.rows("realms/open", realm_key=realm_key(graph.realm))
    run = graph.database.driver.execute_query
    for label, key in LABELS.items():
        create = f"UNWIND range(1, 3) AS i CREATE (:{label} {{realm: $realm, {key}: toString(i)}})"
        await run(create, realm=graph.realm)
    ring = (
        "MATCH (n) WHERE n.realm = $realm AND NOT n:Realm WITH collect(n) AS ns "
        "UNWIND range(0, size(ns) - 1) AS i "
        "WITH ns[i] AS a, ns[(i + 1) % size(ns)] AS b, i "
        "CREATE (a)-[:LINK {realm: $realm, id: toString(i)}]->(b)"
    )
    await run(ring, realm=graph.realm)


async def test_a_realm_with_something_in_it_is_listed_once(
    graph: Graph, open_graph: OpenGraph
) -> None:
    await graph.memories.remember("The key hangs behind the clock.")
    again = await open_graph(realm=graph.realm)
    names = [realm.name for realm in await again.realms.list()]
    assert names.count(graph.realm) == 1
    assert names == sorted(names)


@pytest.mark.slow
async def test_stats_count_every_label_and_type_of_one_realm(
    graph: Graph, open_graph: OpenGraph
) -> None:
    other = await open_graph()
    await populate(graph)
    await populate(other)
    stats = await graph.realms.stats()
    assert stats.nodes == dict.fromkeys(LABELS, 3) | {"Realm": 1}
    assert stats.relationships == {"LINK": 3 * len(LABELS)}
    assert await other.realms.stats(graph.realm) == stats


@pytest.mark.slow
async def test_no_public_method_reaches_into_another_realm(
    graph: Graph, open_graph: OpenGraph
) -> None:
    other = await open_graph()
    await populate(graph)
    await populate(other)
    await other.embedding.documents(["Who keeps the key?"])
    before = await realm_contents(other)
    await graph.realms.list()
    await graph.realms.stats()
    await graph.embedding.documents(["The key hangs behind the clock."])
    await graph.realms.delete(graph.realm)
    assert await realm_contents(other) == before
    assert await realm_contents(graph) == []


@pytest.mark.slow
async def test_deleting_reports_what_went_and_twice_is_once(graph: Graph) -> None:
    await populate(graph)
    steps: list[int] = []
    deleted = await graph.realms.delete(graph.realm, on_progress=steps.append)
    assert deleted.nodes == 3 * len(LABELS) + 1
    assert deleted.relationships == 3 * len(LABELS)
    assert sum(steps) == deleted.nodes + deleted.relationships - 1
    again = await graph.realms.delete(graph.realm)
    assert (again.nodes, again.relationships) == (0, 0)
    assert graph.realm not in [realm.name for realm in await graph.realms.list()]


async def test_batches_smaller_than_the_realm_delete_all_of_it(open_graph: OpenGraph) -> None:
    graph = await open_graph(settings={"realms": {"delete_batch": 4}})
    await populate(graph)
    await graph.realms.delete(graph.realm)
    assert await realm_contents(graph) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NASTY)
async def test_an_injection_in_a_realms_name_is_only_a_name(
    name: str, graph: Graph, open_graph: OpenGraph
) -> None:
    await populate(graph)
    before = await realm_contents(graph)
    nasty = await open_graph(realm=name)
    await nasty.embedding.documents([name])
    assert name in [realm.name for realm in await nasty.realms.list()]
    assert (await nasty.realms.stats()).nodes == {"EmbeddingModel": 1, "Realm": 1}
    await nasty.realms.delete(name)
    assert await realm_contents(graph) == before


@pytest.mark.parametrize("name", ["", " ", " a", "a\n", "x" * 101, "\x00", None, 7])
def test_what_is_no_name_is_refused_with_the_remedy(name: Any) -> None:
    with pytest.raises(InvalidInput, match=r"realm=.*1 to 100 printable characters"):
        Graph.open(realm=name)


def test_a_realms_key_is_one_plain_word() -> None:
    keys = {realm_key(name) for name in [*NASTY, "ada", "Ada", "default"]}
    assert len(keys) == len(NASTY) + 3
    assert all(re.fullmatch(r"r[0-9a-f]{12}", key) for key in keys)
    assert valid_name("ada") == "ada"
