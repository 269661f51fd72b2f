"""The runner: settings, clock and errors reach the right place."""

import asyncio
from typing import Any

import pytest
from neo4j.exceptions import IncompleteCommit

from asterism.clock import FixedClock
from asterism.database import Transaction
from asterism.driver_errors import translated
from asterism.driver_values import plain_row
from asterism.errors import AsterismError, Conflict, DatabaseUnavailable
from asterism.graph import Graph


async def test_now_is_the_clocks_and_comes_back_as_a_plain_datetime(
    graph: Graph, clock: FixedClock
) -> None:
    await graph.memories.remember("The lighthouse is white.")
    [realm] = [each for each in await graph.realms.list() if each.name == graph.realm]
    assert realm.created_at == clock.now()
    assert type(realm.created_at) is type(clock.now())


async def test_an_argument_nobody_asked_for_is_refused(graph: Graph) -> None:
    with pytest.raises(TypeError, match=r"embedding/model takes no colour"):
        await graph.database.rows("embedding/model", colour="red")


async def test_a_row_that_is_not_there_is_none(graph: Graph) -> None:
    assert await graph.database.row("embedding/model") is None


async def test_a_row_that_must_be_there_is_never_none(graph: Graph) -> None:
    with pytest.raises(AsterismError, match="embedding/model returned no row"):
        await graph.database.one("embedding/model")
    with pytest.raises(AsterismError, match="embedding/model returned no row"):
        await graph.database.transaction(lambda tx: tx.one("embedding/model"))
    assert (await graph.database.one("schema/version"))["version"] is not None


async def test_statements_of_one_transaction_commit_together(graph: Graph) -> None:
    async def claim(tx: Transaction) -> dict[str, Any] | None:
        await tx.rows("embedding/claim", name="toy", dimensions=3, mean=0.0, spread=0.1)
        return await tx.row("embedding/model")

    row = await graph.database.transaction(claim)
    assert row == {"name": "toy", "dimensions": 3, "mean": 0.0, "spread": 0.1}
    assert await graph.database.row("embedding/model") == row


async def test_a_transaction_that_fails_leaves_nothing(graph: Graph) -> None:
    async def fail(tx: Transaction) -> None:
        await tx.rows("embedding/claim", name="toy", dimensions=3, mean=0.0, spread=0.1)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await graph.database.transaction(fail)
    assert await graph.database.row("embedding/model") is None


async def test_many_writers_of_one_thing_agree_on_the_first(graph: Graph) -> None:
    claims = [
        graph.database.row("embedding/claim", name=f"m{n}", dimensions=n, mean=0.0, spread=0.1)
        for n in range(1, 21)
    ]
    answers = await asyncio.gather(*claims)
    assert len({row["name"] for row in answers if row}) == 1


async def test_a_broken_constraint_is_a_conflict(graph: Graph) -> None:
    async def twice(tx: Transaction) -> None:
        result = await tx.inner.run("CREATE (:Realm {realm: $realm})", realm=graph.realm)
        await result.consume()

    with pytest.raises(Conflict, match="already exists"):
        await graph.database.transaction(twice)


async def test_an_error_of_the_server_names_the_statement(graph: Graph) -> None:
    with pytest.raises(AsterismError, match="embedding/claim failed"):
        await graph.database.rows(
            "embedding/claim", name={"a": 1}, dimensions=3, mean=0.0, spread=0.1
        )


def test_a_broken_commit_says_that_nobody_knows() -> None:
    with pytest.raises(DatabaseUnavailable, match="look before you repeat"), translated("x/add"):
        raise IncompleteCommit("gone")


async def test_the_servers_log_can_name_the_statement(graph: Graph) -> None:
    """Metadata travels with each query, so SHOW TRANSACTIONS tells who is asking."""
    async with graph.database.driver.session() as session:
        holder = await session.begin_transaction()
        await holder.run("MERGE (m:EmbeddingModel {realm: $realm})", realm=graph.realm)
        blocked = asyncio.create_task(
            graph.database.row("embedding/claim", name="m", dimensions=1, mean=0.0, spread=0.1)
        )
        metadata = ""
        while "embedding/claim" not in metadata:
            transactions = await graph.database.driver.execute_query(
                "SHOW TRANSACTIONS YIELD metaData"
            )
            metadata = str([record["metaData"] for record in transactions.records])
        await holder.rollback()
        assert (await blocked or {})["name"] == "m"


async def test_lists_of_times_and_maps_become_plain(graph: Graph, clock: FixedClock) -> None:

    result = await graph.database.driver.execute_query(
        "RETURN [null, $now] AS times, date($now) AS day, "
        "{at: $now, v: [1.5, 2.5]} AS map, [] AS nothing",
        now=clock.now(),
    )
    assert plain_row(result.records[0]) == {
        "times": [None, clock.now()],
        "day": clock.now().date(),
        "map": {"at": clock.now(), "v": [1.5, 2.5]},
        "nothing": [],
    }
