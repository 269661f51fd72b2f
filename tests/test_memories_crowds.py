"""Hundreds of tasks on one session and one name: nothing fails, nothing deadlocks."""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest

from asterism.errors import NotFound
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.raw import run_cypher
from tests.test_recall_counts import chain, counts, expected

pytestmark = pytest.mark.slow

CROWD = 300
ROUNDS = 40
SESSION = "harbour"
WAITING = """SHOW TRANSACTIONS YIELD metaData, status
WHERE metaData.realm = $realm AND status STARTS WITH 'Blocked'
RETURN count(*) AS blocked"""


@contextmanager
def no_retries() -> Iterator[None]:
    """Fails if the driver has to repeat a transaction."""
    repeated: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if "will be retried" in record.getMessage():
                repeated.append(record.getMessage())

    listener, logger = Listener(), logging.getLogger("neo4j")
    logger.addHandler(listener)
    try:
        yield
    finally:
        logger.removeHandler(listener)
    assert repeated == []


def line(number: int) -> dict[str, Any]:
    """A text about the same person in the same place as all others."""
    text = f"Mira told Jonas of Haven that lantern {number} hangs over gate {number % 7}."
    return {"id": f"n{number:03}", "text": text, "session": SESSION}


async def healthy(graph: Graph) -> None:
    [report] = await graph.maintenance.run("verify")
    assert report.offenders == []


async def at_once(*work: Coroutine[Any, Any, Any]) -> list[Any]:
    with no_retries():
        return await asyncio.gather(*work)


async def test_300_remember_and_forget_one_session_at_once(graph: Graph) -> None:
    lines = [line(number) for number in range(CROWD)]
    await at_once(*(graph.memories.remember(**each) for each in lines))
    assert sorted(await chain(graph, SESSION)) == [each["id"] for each in lines]
    await graph.consolidation.consolidate()
    await healthy(graph)
    receipts = await at_once(*(graph.memories.forget(each["id"]) for each in lines))
    assert [receipt.memories for receipt in receipts] == [1] * CROWD
    assert await counts(graph) == {}
    await healthy(graph)


async def test_300_of_every_kind_on_one_session_at_once(open_graph: OpenGraph) -> None:
    graph: Graph = await open_graph()
    graphs = [graph, *[await open_graph(realm=graph.realm) for _ in range(3)]]
    old = [line(number) for number in range(100)]
    await graph.memories.remember_many(old)
    await graph.consolidation.consolidate()
    new = [line(number) for number in range(100, 150)]
    work: list[Coroutine[Any, Any, Any]] = []
    for number in range(50):
        one = graphs[number % 4]
        work += [
            one.memories.forget(old[number]["id"]),
            one.memories.remember(**new[number]),
            one.memories.reinforce(old[50 + number]["id"]),
            one.memories.connect(old[50 + number]["id"], old[99 - number // 2]["id"], "SUPPORTS")
            if number // 2 != 49 - number
            else one.memories.reinforce(old[50 + number]["id"]),
            one.consolidation.seen_together(
                [old[50 + number]["id"], old[99 - number % 7]["id"]], session=f"s{number % 5}"
            ),
        ]
        work += [one.consolidation.consolidate()] if number % 10 == 0 else []
    await at_once(*work)
    await graph.consolidation.consolidate()
    left = [*old[50:], *new]
    assert sorted(await chain(graph, SESSION)) == [each["id"] for each in left]
    result = await counts(graph)
    assert {key: ties for key, (_, ties) in result.items() if key[0] == "name"} == {
        key: ties for key, (_, ties) in expected(left).items() if key[0] == "name"
    }
    await healthy(graph)


async def test_a_memory_forgotten_meanwhile_is_not_found(graph: Graph) -> None:
    await graph.memories.remember_many([line(number) for number in range(40)])
    answers = await asyncio.gather(
        *(
            call
            for number in range(40)
            for call in (
                graph.memories.forget(line(number)["id"]),
                graph.memories.reinforce(line(number)["id"]),
            )
        ),
        return_exceptions=True,
    )
    failed = [answer for answer in answers[1::2] if isinstance(answer, BaseException)]
    assert all(isinstance(error, NotFound) for error in failed)
    assert not any(isinstance(answer, BaseException) for answer in answers[::2])
    assert (await graph.realms.stats()).nodes.get("Memory", 0) == 0


async def test_consolidate_beside_forget_never_fails(graph: Graph) -> None:
    for round in range(ROUNDS):
        await consolidate_beside_forget(graph, round)
    await healthy(graph)


async def consolidate_beside_forget(graph: Graph, round: int) -> None:
    """Twelve notes, half of them forgotten while they are consolidated."""
    notes = [f"r{round}-{number}" for number in range(12)]
    await graph.memories.remember_many(
        {"id": id, "text": f"In round {round} note {id} is about a lantern."} for id in notes
    )
    forgets = [graph.memories.forget(id) for id in notes[round % 2 :: 2]]
    consolidating = asyncio.create_task(graph.consolidation.consolidate())
    receipts = await asyncio.gather(*forgets)
    assert [receipt.left for receipt in receipts] == [{}] * 6
    assert (await consolidating).waiting_after == 0
    await graph.consolidation.consolidate()
    for id in notes[1 - round % 2 :: 2]:
        assert not (await graph.memories.get(id)).waiting


@asynccontextmanager
async def holding(graph: Graph, id: str) -> AsyncIterator[Any]:
    """A transaction of somebody who removes a memory and has not committed yet."""
    async with graph.database.driver.session() as session:
        tx = await session.begin_transaction()
        await (
            await tx.run(
                "MATCH (m:Memory {realm: $realm, id: $id}) DETACH DELETE m",
                realm=graph.realm,
                id=id,
            )
        ).consume()
        try:
            yield tx
        finally:
            await tx.close()


async def blocked(graph: Graph, call: asyncio.Task[Any]) -> None:
    """Wait until a transaction of this realm waits for a lock, or the call has ended."""
    while not call.done():
        result = await run_cypher(graph, WAITING)
        if result[0]["blocked"]:
            return


@pytest.mark.parametrize("statement", ["claim", "store_vectors", "set_texts_aside", "lock_texts"])
async def test_a_memory_forgotten_before_its_lock_comes_is_left_out(
    graph: Graph, statement: str
) -> None:
    """The memory was matched, then waited for, and is gone when the lock comes."""
    await graph.memories.remember("The lantern is lit.", id="gone")
    await graph.memories.remember("The gate is shut.", id="here")
    vector = [1.0] * graph.embedding.embedder.dimensions
    rows = [{"id": id, "vector": vector, "reason": "none"} for id in ("gone", "here")]
    calls: dict[str, tuple[str, dict[str, Any]]] = {
        "claim": ("consolidation/claim", {"run": "r", "limit": 9, "moment": 0, "until": 1}),
        "store_vectors": ("memory_vectors/store_vectors", {"rows": rows, "model": "m"}),
        "set_texts_aside": ("memory_vectors/set_texts_aside", {"rows": rows}),
        "lock_texts": (
            "memories/lock_texts",
            {"ids": ["gone", "here"], "leaving": ["gone"], "arriving": []},
        ),
    }
    name, arguments = calls[statement]
    async with holding(graph, "gone") as tx:
        call = asyncio.create_task(graph.database.rows(name, **arguments))
        await blocked(graph, call)
        assert not call.done()
        await tx.commit()
    rows = await call
    if statement != "lock_texts":
        assert [row["id"] for row in rows] == ["here"]
