"""Crashes and crowds: real processes, killed and side by side, end as one run does."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from asterism.consolidation.comparison import Comparer
from asterism.consolidation.edge_score import composite_score
from asterism.errors import Conflict
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.consolidation_oracle import Oracle, corpus, double
from tests.support.raw import realm_contents, run_cypher
from tests.test_consolidation import remember, stored, weights

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("by_cosine")]

COUNT, BATCH = 120, 12
LONG = 1e6
CONSOLIDATE = """
import asyncio, sys
from datetime import UTC, datetime
from asterism.clock import FixedClock
from asterism.graph import Graph
from tests.support.consolidation_oracle import corpus, double

async def main():
    texts = corpus(120, 16, seed=77)
    settings = {"consolidation": {"batch": 12, "lease_s": 1.0}}
    clock = FixedClock(datetime(2026, 3, 2, 12, tzinfo=UTC))
    step = lambda stage, *rest: print(stage, flush=True)
    options = {"settings": settings, "embedder": double(texts), "clock": clock}
    async with Graph.open(realm=sys.argv[1], **options) as graph:
        await graph.consolidation.consolidate(on_progress=step)

asyncio.run(main())
"""


def process(realm: str, environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CONSOLIDATE, realm],
        env=environment | {"PYTHONPATH": os.getcwd()},
        stdout=subprocess.PIPE,
        text=True,
    )


def killed_at(realm: str, environment: dict[str, str], stage: str, times: int, wait: float) -> None:
    """A process that consolidates, ended without warning at some stage of some batch."""
    child = process(realm, environment)
    assert child.stdout is not None
    while times:
        times -= child.stdout.readline().strip() == stage
    time.sleep(wait)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()


async def waiting(open_graph: OpenGraph, lease: float = 1.0) -> Graph:
    texts = corpus(COUNT, 16, seed=77)
    settings = {"consolidation": {"batch": BATCH, "lease_s": lease}}
    graph: Graph = await open_graph(embedder=double(texts), settings=settings)
    await remember(graph, texts)
    return graph


async def places(graph: Graph) -> dict[str, Any]:
    """Return number, original and edges of each memory, whichever run wrote them."""
    result = await run_cypher(
        graph,
        "MATCH (m:Memory {realm: $realm}) RETURN m.id AS id, [m.promoted_seq, m.duplicate_of, "
        "m.waiting, m.claimed_by, m.near_duplicates, m.last_reinforced_hours] AS place",
    )
    return {record["id"]: record["place"] for record in result}


async def test_killed_before_during_and_after_a_commit_it_ends_as_if_nothing_had_happened(
    open_graph: OpenGraph, environment: dict[str, str]
) -> None:
    whole = await waiting(open_graph)
    await whole.consolidation.consolidate()
    kills = [("embedding", 1, 0.0), ("scoring", 3, 0.0), ("writing", 2, 0.0), ("writing", 4, 0.08)]
    cut = await waiting(open_graph)
    for stage, times, wait in kills:
        await asyncio.to_thread(killed_at, cut.realm, environment, stage, times, wait)
    state = await places(cut)
    assert 0 < sum(place[2] is True for place in state.values()) < COUNT
    report = await cut.consolidation.consolidate()
    assert report.waiting_after == 0
    assert await weights(cut) == await weights(whole)
    assert await places(cut) == await places(whole)
    before = await realm_contents(cut)
    await cut.consolidation.consolidate()
    assert await realm_contents(cut) == before
    assert not [row for row in before if row["properties"].get("id", "").startswith("claim:")]


@pytest.mark.parametrize("crowd", [2, 8])
async def test_many_processes_over_one_inbox_end_as_some_order_of_their_runs(
    open_graph: OpenGraph, environment: dict[str, str], crowd: int
) -> None:
    graph = await waiting(open_graph)
    children = [process(graph.realm, environment) for _ in range(crowd)]
    message = [await asyncio.to_thread(child.communicate) for child in children]
    assert [child.returncode for child in children] == [0] * crowd, message
    state = await places(graph)
    assert not any(place[2] or place[3] for place in state.values())
    numbers = sorted(place[0] for place in state.values() if place[0] is not None)
    assert numbers == list(range(1, len(numbers) + 1))
    await _equals_a_serial_order(graph)


async def _equals_a_serial_order(graph: Graph) -> None:
    """The runs in the order of their commits, done one by one by an independent calculation."""
    result = await run_cypher(
        graph,
        "MATCH (r:Run {realm: $realm}) OPTIONAL MATCH (m:Memory {realm: $realm}) "
        "WHERE m.consolidated_by = r.id WITH r, m ORDER BY m.arrival "
        "WITH r, collect(m.id) AS ids ORDER BY r.promoted_from, r.promoted_to RETURN ids",
    )
    texts = {text.id: text for text in corpus(COUNT, 16, seed=77)}
    oracle = Oracle()
    for record in result:
        oracle.batch([texts[id] for id in record["ids"]], 0.0)
    assert sum(len(record["ids"]) for record in result) == COUNT
    edges = await stored(graph)
    assert len({frozenset((row["a"], row["b"])) for row in edges}) == len(edges)
    assert await weights(graph) == pytest.approx(oracle.edges, abs=1e-6)


async def test_two_runs_of_one_graph_share_what_they_know(open_graph: OpenGraph) -> None:
    graph = await waiting(open_graph)
    await asyncio.gather(*(graph.consolidation.consolidate() for _ in range(3)))
    await _equals_a_serial_order(graph)


async def test_a_claim_ends_with_its_lease(open_graph: OpenGraph) -> None:
    graph = await waiting(open_graph)
    now = time.time_ns() // 1000
    claimed = await graph.database.rows(
        "consolidation/claim", run="dead", limit=COUNT, moment=now, until=now + 700_000
    )
    assert len(claimed) == COUNT
    report = await graph.consolidation.consolidate()
    assert report.waiting_before == COUNT
    assert report.waiting_after == 0
    assert time.time_ns() // 1000 >= now + 700_000


async def test_a_run_that_lost_its_claim_writes_nothing_of_it(open_graph: OpenGraph) -> None:
    graph = await waiting(open_graph)
    thief = "somebody else"

    async def steal() -> None:
        await run_cypher(
            graph,
            "MATCH (m:Memory {realm: $realm, waiting: true}) SET m.claimed_by = $thief",
            thief=thief,
        )

    stolen: list[asyncio.Task[None]] = []

    def step(stage: str, *rest: int) -> None:
        if stage == "scoring":
            stolen.append(asyncio.get_running_loop().create_task(steal()))

    report = await graph.consolidation.consolidate(BATCH, on_progress=step)
    await asyncio.gather(*stolen)
    assert report.promoted == sum(place[0] is not None for place in (await places(graph)).values())


async def test_a_run_is_compared_with_what_others_commit_meanwhile(
    open_graph: OpenGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run falls asleep, loses its turn, and wakes when another has committed the next batch.

    Asleep it renews no lease, so the lease is one that is not renewed while the test lasts.
    """
    graph = await waiting(open_graph, lease=LONG)
    other = await open_graph(realm=graph.realm, embedder=double(corpus(COUNT, 16, seed=77)))
    run = graph.database.driver.execute_query
    compare = Comparer.compare
    asleep = True

    async def slowly(self: Comparer, *arguments: Any) -> Any:
        nonlocal asleep
        result = await compare(self, *arguments)
        if not asleep:
            return result
        asleep = False
        mine = "MATCH (m:Memory {realm: $realm, waiting: true}) WHERE m.claimed_by IS NOT NULL "
        await run(mine + "SET m.asleep = true REMOVE m.waiting", realm=graph.realm)
        await run(
            "MATCH (c:Cursor {realm: $realm}) WHERE c.lease_until > 0 SET c.lease_until = 0",
            realm=graph.realm,
        )
        assert (await other.consolidation.consolidate(BATCH)).promoted > 0
        await run(
            "MATCH (m:Memory {realm: $realm, asleep: true}) SET m.waiting = true REMOVE m.asleep",
            realm=graph.realm,
        )
        return result

    monkeypatch.setattr(Comparer, "compare", slowly)
    assert (await graph.consolidation.consolidate(BATCH)).promoted > 0
    assert (await graph.consolidation.consolidate()).waiting_after == 0
    await _equals_a_serial_order(graph)


async def test_memories_forgotten_meanwhile_get_no_edges(open_graph: OpenGraph) -> None:
    """A partner that goes after it was chosen: the run is computed again without it."""
    graph = await waiting(open_graph)
    await graph.consolidation.consolidate(60)
    ids = [text.id for text in corpus(COUNT, 16, seed=77)]
    removed: list[str] = []
    going: list[asyncio.Task[None]] = []

    async def forget() -> None:
        for id in ids[:20]:
            await graph.memories.forget(id)

    def step(stage: str, completed: int, total: int) -> None:
        if stage == "writing" and not removed:
            removed.extend(ids[:20])
            going.append(asyncio.get_running_loop().create_task(forget()))

    report = await graph.consolidation.consolidate(on_progress=step)
    await asyncio.gather(*going)
    assert report.waiting_after == 0
    edges = await weights(graph)
    assert not any(set(pair) & set(removed) for pair in edges)
    expected = await places(graph)
    assert not set(removed) & expected.keys()


async def test_another_models_vectors_are_refused(open_graph: OpenGraph) -> None:
    graph = await waiting(open_graph)
    await graph.consolidation.consolidate(5)
    other = await open_graph(
        realm=graph.realm, embedder=double(corpus(COUNT, 16, seed=77), name="another")
    )
    before = await places(graph)
    with pytest.raises(Conflict, match="holds vectors of double"):
        await other.consolidation.consolidate()
    assert await places(graph) == before


def test_the_score_is_importable_without_a_database() -> None:
    from asterism.settings import ConsolidationSettings

    assert composite_score(1.0, (), (), True, 0.0, ConsolidationSettings()) == pytest.approx(0.8)
