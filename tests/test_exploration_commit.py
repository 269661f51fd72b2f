"""Writes of a walk: all or nothing, once, exactly, and undone again."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest
from neo4j import GraphDatabase

from asterism.errors import Conflict, ExplorationTimeout, NotFound
from asterism.exploration import Event, EventType, Exploration
from asterism.exploration.formulas import cosine
from asterism.graph import Graph
from tests.conftest import OpenGraph, Server
from tests.support.comparison import approximately
from tests.support.exploration_oracle import Link
from tests.support.exploration_world import Q3, Toy, ask, contents, load, node, random_world, s1, s2
from tests.support.raw import run_cypher

Q4, I4 = [1.0, 0.2, 0.1, 0.0], [0.6, 0.8, 0.2, 0.1]
NARROW = {"min_link_score": 0.02}


@pytest.fixture
async def graph(open_graph: OpenGraph) -> Graph:
    opened: Graph = await open_graph(embedder=Toy(3))
    return opened


async def everything(graph: Graph) -> list[Any]:
    """All that is in the realm but runs, gates and the model."""
    driver = graph.database.driver
    nodes = await driver.execute_query(
        "MATCH (n) WHERE n.realm = $realm AND NOT n:Run AND NOT n:Cursor AND NOT n:EmbeddingModel "
        "RETURN labels(n) AS labels, properties(n) AS props ORDER BY n.id",
        realm=graph.realm,
    )
    joined = await driver.execute_query(
        "MATCH (n)-[r]->(m) WHERE n.realm = $realm "
        "RETURN type(r) AS type, n.id AS a, m.id AS b, properties(r) AS props ORDER BY r.id",
        realm=graph.realm,
    )
    return [row.data() for row in (*nodes.records, *joined.records)]


async def count(graph: Graph) -> int:
    """Every node of the realm, bookkeeping included."""
    return sum((await graph.realms.stats()).nodes.values())


@pytest.mark.slow
async def test_a_dry_run_returns_the_changes_of_a_run_and_writes_nothing(graph: Graph) -> None:
    """I-28."""
    await load(graph, s2())
    before, nodes = await everything(graph), await count(graph)
    dry = await ask(graph, dry_run=True)
    assert await everything(graph) == before
    assert await count(graph) == nodes
    assert await graph.exploration.runs() == []
    wet = await ask(graph)
    assert (dry.committed, wet.committed, dry.changes.planned) == (False, True, True)
    assert dry.changes.nodes == wet.changes.nodes
    assert [link.weight_after for link in dry.changes.links] == [
        link.weight_after for link in wet.changes.links
    ]
    assert [c.novelty for c in dry.created] == [c.novelty for c in wet.created]


async def test_a_dry_run_does_not_even_claim_the_realm_for_its_model(graph: Graph) -> None:
    await run_cypher(graph, "CREATE (:Actor {realm: $realm, id: 'A', name: 'A'})")
    before = await graph.realms.stats()
    exploration = await ask(graph, query_embedding=None, dry_run=True)
    assert exploration.outcome == "exhausted"
    assert await graph.realms.stats() == before


@pytest.mark.slow
async def test_a_similar_narrative_is_used_instead_of_a_new_one(graph: Graph) -> None:
    """E-28, G18."""
    nodes, links = s2()
    near_by = node("old", "narrative", [0.9, 0.45, 0.03])
    await load(graph, ([*nodes, near_by], links))
    exploration = await ask(graph)
    [reused] = exploration.reused
    assert (reused.id, exploration.created) == ("old", [])
    assert exploration.found == {"old": approximately(reused.similarity)}
    assert reused.similarity >= 0.85
    assert (exploration.narratives[0].status, exploration.tree.crystallized) == ("reused", None)
    nodes_now, links_now = await contents(graph)
    assert set(links_now) == {"k1", "k2"}
    assert links_now["k1"]["weight"] == approximately(1.1)
    assert "old" in nodes_now


async def test_a_repeated_question_reuses_the_narrative_it_created(graph: Graph) -> None:
    """I-6."""
    await load(graph, s2())
    first = await ask(graph)
    [made] = first.created
    second = await ask(graph, dry_run=True)
    assert second.created == []
    assert {reused.id for reused in second.reused} | set(second.found) >= {made.id}


@pytest.mark.slow
async def test_the_changes_of_ten_explorations_at_once_add_up(open_graph: OpenGraph) -> None:
    """I-29."""
    graph = await open_graph(embedder=Toy(4))
    world = random_world(3, moments=0.5)
    await load(graph, world)
    questions = [
        graph.exploration.explore(
            "n0",
            f"question {at}",
            mode="literal",
            query_embedding=[1.0, 0.02 * at, 0.1, 0.0],
            intention_embedding=[0.6, 0.8, 0.02 * at, 0.1],
            settings=NARROW,
        )
        for at in range(10)
    ]
    exploration = await asyncio.gather(*questions)
    nodes, links = await contents(graph)
    assert all(one.committed for one in exploration)
    made = {created.id: created for one in exploration for created in one.created}
    for planned in world[0]:
        gained = [c for one in exploration for c in one.changes.nodes if c.id == planned.id]
        energy = planned.energy + sum(change.energy for change in gained)
        weight = planned.weight + sum(change.weight for change in gained)
        assert (nodes[planned.id]["energy"], nodes[planned.id]["weight"]) == approximately(
            (energy, weight)
        )
    for link in world[1]:
        steps = [c for one in exploration for c in one.changes.links if c.id == link.id]
        gained = sum(step.weight_after - step.weight_before for step in steps)
        assert links[link.id]["weight"] == approximately(link.weight + gained)
    narratives = [n for n in nodes.values() if n.get("created_by") == "exploration"]
    assert {n["id"] for n in narratives} == set(made)


async def test_the_same_run_is_written_once(graph: Graph) -> None:
    """I-30."""
    await load(graph, s1())
    await ask(graph, settings=NARROW, run_id="r1")
    after = await everything(graph)
    again = await ask(graph, settings=NARROW, run_id="r1")
    assert again.committed
    assert await everything(graph) == after
    assert [run.id for run in await graph.exploration.runs()] == ["r1"]


@pytest.mark.slow
async def test_undoing_restores_exactly(graph: Graph) -> None:
    await load(graph, s2())
    await run_cypher(
        graph,
        "MATCH (n:Space {realm: $realm, id: 'P'})-[r:LINK]-() REMOVE n.energy, n.weight, r.weight",
    )
    before = await everything(graph)
    first = await ask(graph)
    second = await ask(graph, intention="again")
    assert await everything(graph) != before
    for run in (second, first):
        undone = await graph.exploration.undo(run.run_id)
        assert undone.kept == []
        assert undone.nodes == len(run.changes.nodes)
    assert await everything(graph) == before
    assert all(run.undone_at for run in await graph.exploration.runs())
    with pytest.raises(Conflict, match="undone already"):
        await graph.exploration.undo(first.run_id)
    with pytest.raises(NotFound, match="no run 'nobody'"):
        await graph.exploration.undo("nobody")
    again = await ask(graph)
    assert again.changes.nodes == first.changes.nodes


@pytest.mark.slow
async def test_undoing_leaves_what_was_changed_since(graph: Graph) -> None:
    await load(graph, s2())
    exploration = await ask(graph)
    [created] = exploration.created
    await graph.exploration.link(created.id, "A", synthesis="mine")
    await run_cypher(graph, "MATCH (n:Thing {realm: $realm, id: 'T'}) SET n.energy = 7.0")
    undone = await graph.exploration.undo(exploration.run_id)
    not_restored = {(not_restored.what, not_restored.id) for not_restored in undone.kept}
    assert not_restored == {("node", "T"), ("narrative", created.id)}
    assert all("since" in not_restored.reason for not_restored in undone.kept)
    nodes, links = await contents(graph)
    assert nodes["T"]["energy"] == 7.0
    assert nodes["P"]["energy"] == 0.0
    assert links["k1"]["weight"] == 1.0
    assert created.id in nodes


@pytest.mark.slow
async def test_past_the_timeout_nothing_is_written_but_a_partial_result_is_returned(
    graph: Graph,
) -> None:
    """I-8, G31."""
    await load(graph, s1())
    before = await everything(graph)
    events: list[Event] = []
    slow = 0

    def dawdle(event: Event) -> None:
        events.append(event)
        if event.type is EventType.TICK and event.tick == 3:
            time.sleep(slow + 0.2)

    while not any(event.type is EventType.TICK and event.tick == 3 for event in events):
        slow = max(1, slow * 4)  # the machine may need more for three ticks
        events.clear()
        with pytest.raises(ExplorationTimeout, match=rf"longer than {slow} s.*timeout=") as caught:
            await ask(graph, settings=NARROW, timeout=slow, on_event=dawdle)
    partial = caught.value.partial
    assert isinstance(partial, Exploration)
    assert not partial.committed
    assert partial.changes.planned
    assert partial.subentities == 3
    assert events[-1].type is EventType.DISCARDED
    assert await everything(graph) == before
    with pytest.raises(ExplorationTimeout):
        await ask(graph, timeout=1e-4)


async def test_a_cancel_flag_ends_the_walk_within_a_tick(graph: Graph) -> None:
    await load(graph, s1())
    before = await everything(graph)
    cancel = asyncio.Event()

    def stop(event: Event) -> None:
        if event.tick == 2:
            cancel.set()

    exploration = await ask(graph, settings=NARROW, on_event=stop, cancel=cancel)
    assert (exploration.outcome, exploration.ticks, exploration.committed) == (
        "cancelled",
        2,
        False,
    )
    assert await everything(graph) == before


async def test_a_cancelled_task_writes_nothing(graph: Graph) -> None:
    await load(graph, s1())
    before = await everything(graph)
    walking: list[asyncio.Task[Exploration]] = []

    def stop(event: Event) -> None:
        if event.tick == 2:
            walking[0].cancel()

    walking.append(asyncio.ensure_future(ask(graph, settings=NARROW, on_event=stop)))
    with pytest.raises(asyncio.CancelledError):
        await walking[0]
    assert await everything(graph) == before


async def test_leaving_a_stream_early_writes_nothing(graph: Graph) -> None:
    await load(graph, s1())
    before = await everything(graph)
    stream = graph.exploration.stream(
        "A", "who?", mode="literal", query_embedding=Q3, settings=NARROW
    )
    async for event in stream:
        if event.tick == 2:
            break
    await stream.aclose()
    assert await everything(graph) == before


async def test_an_error_of_a_listener_fails_the_whole(graph: Graph) -> None:
    await load(graph, s1())
    before = await everything(graph)

    def fail(event: Event) -> None:
        if event.type is EventType.ENDED:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await ask(graph, settings=NARROW, on_event=fail)
    assert await everything(graph) == before


async def test_changes_of_deleted_nodes_and_links_are_dropped_and_counted(
    graph: Graph, server: Server
) -> None:
    await load(graph, s2())

    def remove(event: Event) -> None:
        if event.type is EventType.ENDED:
            with GraphDatabase.driver(server.uri, auth=server.auth) as driver:
                driver.execute_query(
                    "MATCH (n:Space {realm: $realm, id: 'P'}) DETACH DELETE n", realm=graph.realm
                )

    exploration = await ask(graph, on_event=remove)
    assert exploration.committed
    assert (
        exploration.changes.dropped == 3
    )  # the node, the link to it, the new narrative's link to it
    nodes, links = await contents(graph)
    assert nodes["T"]["energy"] == approximately(0.25)
    assert links["k1"]["weight"] == approximately(1.1)
    assert len(links) == 2


KILLED = """
import asyncio, os, signal, sys, threading
from asterism.exploration import EventType
from asterism.graph import Graph
from tests.support.exploration_world import I3, Q3, Toy

async def main(realm, delay):
    def die(event):
        if event.type is EventType.ENDED and event.subentity == "0":
            threading.Timer(delay, os.kill, (os.getpid(), signal.SIGKILL)).start()
    async with Graph.open(realm=realm, embedder=Toy(3)) as graph:
        await graph.exploration.explore("A", "who?", mode="literal",
            query_embedding=Q3, intention_embedding=I3, on_event=die)
        print("done", flush=True)
        await asyncio.sleep(60)

asyncio.run(main(sys.argv[1], float(sys.argv[2])))
"""


@pytest.mark.slow
async def test_a_killed_process_leaves_all_or_nothing(
    graph: Graph, environment: dict[str, str]
) -> None:
    await load(graph, s2())
    untouched = await everything(graph)
    for delay in ("0", "0.02", "1.5"):
        before = await everything(graph)
        runs = len(await graph.exploration.runs())
        process = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-c", KILLED, graph.realm, delay],
            env=environment | {"PYTHONPATH": os.getcwd()},
            capture_output=True,
            check=False,
        )
        assert process.returncode == -signal.SIGKILL, process.stderr
        after = await everything(graph)
        written = len(await graph.exploration.runs()) - runs
        assert (after != before) == (written == 1)
        energy = {row["props"].get("id"): row["props"].get("energy") for row in after}
        grown = [energy["T"] / 0.25, energy["P"] / 0.333333]
        assert grown == approximately([round(grown[0])] * 2, 1e-4)
    assert await everything(graph) != untouched


async def test_a_walk_over_a_link_without_a_vector_uses_the_far_nodes(graph: Graph) -> None:
    """G36."""
    nodes = [node("A", "actor", [0, 0, 1]), node("T", "thing", [1, 0, 0])]
    await load(graph, (nodes, []))
    await graph.exploration.link("A", "T", id="bare", polarity=(0.9, 0.5), permanence=0.1)
    await run_cypher(
        graph,
        "MATCH (a:Actor {realm: $realm, id: 'A'}) "
        "CREATE (a)-[:LINK {realm: $realm, id: 'blind', polarity: [0.2, 0.2], permanence: 0.1}]->"
        "(:Thing {realm: $realm, id: 'U', name: 'U'})",
    )
    events: list[Event] = []
    exploration = await ask(graph, on_event=events.append)
    [move] = [event.data for event in events if event.type is EventType.MOVED]
    assert move["flagged"]
    assert move["factors"]["alignment"] == approximately(0.75 + 0.25 * 0.8)
    other = {c.link: c for c in exploration.choices[0].candidates}["blind"]
    assert other.factors.model_dump() == approximately(
        {"alignment": 0.5, "polarity": 0.2, "permanence": 0.9, "novelty": 1, "divergence": 1}
    )
    _, links = await contents(graph)
    assert links["bare"]["weight"] == approximately(1.1)
    assert links["bare"]["embedding"]


async def test_links_store_their_vectors_unchanged(graph: Graph) -> None:
    nodes = [node("A", "actor", [0, 0, 1]), node("T", "thing", [1, 0, 0])]
    await load(graph, (nodes, [Link("k", "A", "T", [3.0, 4.0, 0.0])]))
    _, links = await contents(graph)
    assert links["k"]["embedding"] == [3.0, 4.0, 0.0]


async def test_colouring_blends_what_a_link_without_a_vector_means(graph: Graph) -> None:
    nodes = [node("A", "actor", [0, 0, 1]), node("N", "narrative", [0.6, 0.8, 0])]
    await load(graph, (nodes, []))
    bare = {"a": "A", "b": "N", "id": "bare", "polarity": (1, 0.5), "permanence": 0.1}
    await graph.exploration.load([], [bare])
    exploration = await ask(graph, settings=NARROW | {"strict_seed": True})
    assert exploration.changes.links != []
    _, links = await contents(graph)
    assert cosine(links["bare"]["embedding"], [0.6, 0.8, 0]) > 0.9
    await graph.exploration.undo(exploration.run_id)
    _, links = await contents(graph)
    assert "embedding" not in links["bare"]
