"""Messages when the server is busy, gone or not theirs to use: plain words, and a remedy."""

import asyncio
import logging
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from asterism import retries
from asterism.database import Transaction
from asterism.errors import AsterismError, DatabaseUnavailable
from asterism.graph import Graph
from tests.conftest import Server, server_variables
from tests.support.raw import run_cypher

pytestmark = pytest.mark.slow

CREATE = "CREATE (:Filler {realm: $realm, id: $id})"
RAISE = "MATCH (f:Filler {realm: $realm, id: $id}) SET f.count = coalesce(f.count, 0) + 1"


async def run(tx: Transaction, query: Any, realm: str, id: str) -> None:
    result = await tx.inner.run(query, realm=realm, id=id)
    await result.consume()


async def fill(graph: Graph) -> None:
    await graph.memories.remember("The realm is there before the writers cross.")
    for id in "ab":
        await run_cypher(graph, CREATE, id=id)


async def counts(graph: Graph) -> dict[str, int]:
    answer = await run_cypher(
        graph, "MATCH (f:Filler {realm: $realm}) RETURN f.id AS id, f.count AS count"
    )
    return {record["id"]: record["count"] for record in answer}


class Crossing:
    """Two transactions that each hold what the other wants next."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.attempts = 0
        self.holding = {"a": asyncio.Event(), "b": asyncio.Event()}

    def work(self, first: str, second: str) -> Callable[[Transaction], Awaitable[None]]:
        async def both(tx: Transaction) -> None:
            self.attempts += 1
            await run(tx, RAISE, self.graph.realm, first)
            self.holding[first].set()
            await self.holding[second].wait()
            await run(tx, RAISE, self.graph.realm, second)

        return both


async def test_two_transactions_that_block_each_other_both_come_through(graph: Graph) -> None:
    await fill(graph)
    crossing = Crossing(graph)
    await asyncio.gather(
        graph.database.transaction(crossing.work("a", "b")),
        graph.database.transaction(crossing.work("b", "a")),
    )
    assert crossing.attempts > 2
    assert await counts(graph) == {"a": 2, "b": 2}


async def test_a_deadlock_that_stays_is_told_in_plain_words(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(graph)
    monkeypatch.setattr(retries, "BUSY_SECONDS", 0.0)
    crossing = Crossing(graph)
    ended = await asyncio.gather(
        graph.database.transaction(crossing.work("a", "b"), name="test/both"),
        graph.database.transaction(crossing.work("b", "a"), name="test/both"),
        return_exceptions=True,
    )
    [caught] = [error for error in ended if error is not None]
    assert isinstance(caught, DatabaseUnavailable)
    assert "busy" in str(caught)
    assert "nothing was written; repeat it" in str(caught)
    assert "neo4j_code" not in str(caught)
    assert "Forseti" not in str(caught)
    assert "DeadlockDetected" in str(caught.__cause__)
    assert await counts(graph) == {"a": 1, "b": 1}


async def test_retries_leave_nothing_on_the_terminal(server: Server, graph: Graph) -> None:
    """A program that sets up no logging sees none, also while transactions are repeated."""
    await fill(graph)
    program = (
        "import asyncio, sys\n"
        "from asterism.graph import Graph\n"
        "from tests.test_local_failures import Crossing\n"
        "async def main():\n"
        "    async with Graph.open(realm=sys.argv[1]) as graph:\n"
        "        crossing = Crossing(graph)\n"
        "        await asyncio.gather(\n"
        "            graph.database.transaction(crossing.work('a', 'b')),\n"
        "            graph.database.transaction(crossing.work('b', 'a')))\n"
        "        assert crossing.attempts > 2\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", program, graph.realm]
    ran = await asyncio.to_thread(
        subprocess.run, command, env=server_variables(server), capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


async def test_whoever_asks_for_logs_sees_the_retries(
    graph: Graph, caplog: pytest.LogCaptureFixture
) -> None:
    await fill(graph)
    crossing = Crossing(graph)
    with caplog.at_level(logging.DEBUG, logger="asterism"):
        await asyncio.gather(
            graph.database.transaction(crossing.work("a", "b")),
            graph.database.transaction(crossing.work("b", "a")),
        )
    assert "is repeated" in caplog.text


async def test_an_error_of_the_server_is_one_plain_sentence(graph: Graph) -> None:
    with pytest.raises(AsterismError) as caught:
        await graph.database.rows(
            "embedding/claim", name={"a": 1}, dimensions=3, mean=0.0, spread=0.1
        )
    assert str(caught.value).startswith("embedding/claim failed: ")
    assert "neo4j_code" not in str(caught.value)
    assert "neo4j_code" in str(caught.value.__cause__)


async def test_a_closed_graph_says_so(server: Server, graph: Graph) -> None:
    other = await Graph.open(server.uri, auth=server.auth, realm=graph.realm)
    await other.close()
    await other.close()
    for call in (other.memories.hours.reading, other.realms.list):
        with pytest.raises(AsterismError, match="the graph is closed: open it again"):
            await call()


def test_a_graph_of_another_event_loop_says_so(server: Server) -> None:
    async def opened() -> Graph:
        return await Graph.open(server.uri, auth=server.auth, realm="two-loops")

    async def list_realms() -> None:
        await graph.realms.list()

    async def finish() -> None:
        await graph.realms.delete("two-loops")
        await graph.close()

    with asyncio.Runner() as first, asyncio.Runner() as second:
        graph = first.run(opened())
        with pytest.raises(AsterismError, match="opened in another event loop"):
            second.run(list_realms())
        first.run(list_realms())
        first.run(finish())


def test_delays_are_short_at_first_and_differ() -> None:
    first = [retries.delay(0) for _ in range(100)]
    assert max(first) <= retries.FIRST_DELAY_SECONDS
    assert len(set(first)) > 50
    assert max(retries.delay(number) for number in range(2000)) <= retries.LARGEST_DELAY_SECONDS
