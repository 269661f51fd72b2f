"""Price levels as they are asked for: by price, as of a time, with their history."""

from typing import Any

import pytest

from asterism.errors import InvalidInput, NotFound
from tests.support.market_world import Market, at, close_to


async def test_levels_are_found_by_price_side_and_minimum(market: Market) -> None:
    await market.tell(0, "execution", 1000, "100", side="bid")
    await market.tell(0, "execution", 3000, "100.2", side="ask")
    await market.tell(0, "execution", 5000, "101", side="bid")
    await market.tell(0, "execution", 1, "101", side="ask")
    now = at(0)

    async def ids(**arguments: Any) -> list[str]:
        return [level.id for level in await market.memories.levels("X", at=now, **arguments)]

    assert await ids() == ["X@101", "X@100.2", "X@100"]
    assert await ids(near="100", bps=20) == ["X@100.2", "X@100"]
    assert await ids(near="100", bps=19.9) == ["X@100"]
    assert await ids(side="bid") == ["X@101", "X@100"]
    assert await ids(side="ask") == ["X@101", "X@100.2"]
    assert await ids(side="both") == ["X@101", "X@100.2", "X@100"]
    assert await ids(minimum=0.5) == ["X@101", "X@100.2"]
    assert await ids(limit=1) == ["X@101"]
    assert await market.memories.levels("Y", at=now) == []
    [strongest, *_] = await market.memories.levels("X", at=now)
    assert strongest.importance == close_to(strongest.strength * strongest.confidence)
    assert strongest.side == "both"


async def test_a_level_can_be_read_as_it_was(market: Market) -> None:
    await market.tell(0, "execution", 1000)
    await market.tell(1000, "execution", 1)
    assert await market.strength(500) == close_to(0.45 * 0.95)
    [then] = await market.memories.levels("X", at=at(500))
    assert then.strength == close_to(0.45 * 0.95)
    assert await market.memories.levels("X", at=at(-1)) == []


async def test_history_tells_what_each_item_did(market: Market) -> None:
    await market.tell(0, "execution", 600)
    await market.tell(1, "execution", 400)
    await market.tell(2, "rejection", 3)
    history = await market.memories.history("X@100")
    assert [(entry.effect, entry.strength) for entry in history] == [
        ("boosted", close_to(0.75)),
        ("created", close_to(0.45)),
        ("waiting", 0.0),
    ]
    assert [entry.at for entry in history] == [at(2), at(1), at(0)]
    assert len(await market.memories.history("X@100", limit=1)) == 1


async def test_unknown_and_wrong_requests_are_named(market: Market) -> None:
    with pytest.raises(NotFound, match="no memory 'X@1'"):
        await market.memories.level("X@1")
    with pytest.raises(NotFound, match="no memory 'X@1'"):
        await market.memories.history("X@1")
    with pytest.raises(InvalidInput, match="side='up': give bid, ask"):
        await market.memories.levels("X", side="up")
    with pytest.raises(InvalidInput, match="near='cheap'"):
        await market.memories.levels("X", near="cheap")
    with pytest.raises(InvalidInput, match="near='0'"):
        await market.memories.levels("X", near="0")
    with pytest.raises(InvalidInput, match="bps=-1"):
        await market.memories.levels("X", near="1", bps=-1)
    with pytest.raises(InvalidInput, match="source=' '"):
        await market.memories.observe([], source=" ")


async def test_reads_write_nothing(market: Market) -> None:
    await market.tell(0, "execution", 1000)
    for name, arguments in (
        ("memories/get", {"id": "X@100", "wall": 0, "active": 0}),
        ("memories/history", {"id": "X@100", "limit": 10}),
    ):
        from asterism import statements

        statement = statements.load(name)
        offered = market.graph.database._parameters(statement, arguments)
        result = await market.graph.database.driver.execute_query(statement.text, offered)
        assert not result.summary.counters.contains_updates
