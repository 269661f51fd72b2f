"""Lists of memories: pages, counts, and what passes a filter."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.clock import FixedClock
from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.memories import Memory
from asterism.memories.listing import MOST_MARKED
from tests.support.bulk_memories import remember_bulk
from tests.support.filter_oracle import filters, items, passes

START = datetime(2025, 1, 1, tzinfo=UTC)


async def all_pages(graph: Graph, **arguments: Any) -> list[Memory]:
    """Read page after page, as a caller does."""
    memories: list[Memory] = []
    after: str | None = None
    while True:
        page = await graph.memories.list(after=after, **arguments)
        memories += page.items
        after = page.next
        if after is None:
            return memories


@pytest.mark.slow
async def test_an_empty_realm_has_an_empty_list(graph: Graph) -> None:
    page = await graph.memories.list()
    assert (page.items, page.next) == ((), None)
    assert await graph.memories.count() == 0
    assert [each async for each in graph.memories.each(tags=["none"])] == []
    assert graph.realm not in {realm.name for realm in await graph.realms.list()}


@pytest.mark.slow
async def test_pages_are_in_the_order_of_time_or_id(graph: Graph) -> None:
    """Memories of one time are in the order of their ids."""
    times = {"a": 3, "b": 1, "c": 1, "d": 2, "e": 1}
    for id, day in times.items():
        await graph.memories.remember(f"Text {id}.", id=id, at=START + timedelta(days=day))
    for limit in (1, 2, 3, 5, 10):
        for order, expected in {"newest": "adecb", "oldest": "bceda", "id": "abcde"}.items():
            memories = await all_pages(graph, limit=limit, order=order)
            assert "".join(memory.id for memory in memories) == expected
    [first, *_] = (await graph.memories.list()).items
    assert first == await graph.memories.get("a")


async def test_the_list_is_of_texts_alone(graph: Graph) -> None:
    level = {"event_id": "t1", "ts": START, "symbol": "XUSDT", "price": "100.50"}
    level |= {"kind": "execution", "side": "ask", "quantity": 3000}
    await graph.memories.observe([level], source="desk")
    text = await graph.memories.remember("The lamp burns.")
    for order in ("newest", "oldest", "id"):
        assert [memory.id for memory in await all_pages(graph, order=order)] == [text.id]
    assert await graph.memories.count() == 1


@pytest.mark.slow
async def test_what_a_filter_lists_and_counts_is_what_passes_in_python(graph: Graph) -> None:
    drawn: list[dict[str, Any]] = []
    questions: list[dict[str, Any]] = []

    @settings(max_examples=10, database=None, derandomize=True)
    @given(st.lists(items, min_size=4, max_size=4), st.lists(filters, min_size=8, max_size=8))
    def draw(some_items: list[dict[str, Any]], some_filters: list[dict[str, Any]]) -> None:
        drawn.extend(some_items)
        questions.extend(some_filters)

    draw()
    texts = [{"id": f"m{n:02}", "text": f"Text {n}."} | item for n, item in enumerate(drawn)]
    await graph.memories.remember_many(texts)
    memories = await all_pages(graph, order="id")
    assert len(memories) == len(texts)
    for conditions in questions:
        expected = [memory for memory in memories if passes(memory, conditions)]
        assert await all_pages(graph, order="id", limit=3, **conditions) == expected, conditions
        assert await graph.memories.count(**conditions) == len(expected)


@pytest.mark.slow
async def test_times_states_and_strengths_narrow_a_list(graph: Graph, clock: FixedClock) -> None:
    await graph.memories.remember("It rains.", id="rain", lasts="ephemeral", at=START)
    for _ in range(1200):
        clock.advance(minutes=9)
        graph.memories.hours.note()
    await graph.memories.remember("It shines.", id="shine")
    assert await ids(graph, state="archived") == ["rain"]
    assert await ids(graph, state="active") == ["shine"]
    assert await ids(graph, state="waiting") == ["shine", "rain"]
    assert await ids(graph, state=["superseded", "duplicate"]) == []
    assert await ids(graph, maximum_strength=0.5) == ["rain"]
    assert await ids(graph, minimum_strength=0.5) == ["shine"]
    assert await ids(graph, until=START) == ["rain"]
    assert await ids(graph, since=START + timedelta(seconds=1)) == ["shine"]
    assert await ids(graph, since=START, until="2025-01-01", order="oldest") == ["rain"]
    assert await ids(graph, ids=["shine", "none"]) == ["shine"]
    assert await graph.memories.count(until=START) == 1


async def ids(graph: Graph, **conditions: Any) -> list[str]:
    return [memory.id for memory in await all_pages(graph, **conditions)]


@pytest.mark.slow
async def test_duplicates_are_listed(graph: Graph) -> None:
    for id in ("one", "two"):
        await graph.memories.remember("The lamp burns.", id=id, tags=["light"])
    await graph.consolidation.consolidate()
    assert await ids(graph, tags=["light"], order="id") == ["one", "two"]
    [repeat] = await ids(graph, state="duplicate")
    assert await ids(graph, state="duplicate", tags=["light"]) == [repeat]
    assert await graph.memories.count(tags=["light"]) == 2
    assert await graph.memories.count(tags=["light"], state="active") == 1


@pytest.mark.slow
async def test_a_filter_with_many_matches_is_paged_too(graph: Graph) -> None:
    """More than are read by their marks, thinly spread."""
    count = 3 * MOST_MARKED
    many = ({"id": f"m{n}", "text": "x", "tags": [["a", "a", "b"][n % 3]]} for n in range(count))
    await remember_bulk(graph, many)
    memories = await all_pages(graph, tags=["a"], limit=900)
    assert len({memory.id for memory in memories}) == len(memories) == 2 * MOST_MARKED
    assert await graph.memories.count(tags=["a"]) == 2 * MOST_MARKED
    assert len([each async for each in graph.memories.each(tags=["b"])]) == MOST_MARKED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 10_001}, "limit"),
        ({"order": "best"}, "order"),
        ({"after": "there"}, "after"),
        ({"after": 3}, "after"),
        ({"after": "WzEsIDIsIDNd"}, "after"),
        ({"tag": "work"}, "tag"),
    ],
)
async def test_impossible_arguments_of_a_list_are_refused(
    graph: Graph, arguments: dict[str, Any], argument: str
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await graph.memories.list(**arguments)
    assert refusal.value.argument == argument


async def test_a_page_of_another_order_is_refused(graph: Graph) -> None:
    for id in ("one", "two"):
        await graph.memories.remember(f"The lamp {id}.", id=id)
    page = await graph.memories.list(limit=1)
    with pytest.raises(InvalidInput, match="in the order newest: keep it"):
        await graph.memories.list(after=page.next, order="id")


@pytest.mark.slow
async def test_a_long_list_is_whole_while_others_write(graph: Graph) -> None:
    """No row twice, and none missed that was there throughout."""
    count, size = 100_000, 500
    many = ({"id": f"m{n:06}", "text": f"Text {n}."} for n in range(count))
    await remember_bulk(graph, many)
    going = True

    async def write() -> None:
        number = 0
        while going:
            number += 1
            await graph.memories.remember(f"Later {number}.", id=f"m{number:06}-later")
            at = START + timedelta(hours=number)
            await graph.memories.remember(f"Earlier {number}.", id=f"a{number}", at=at)
            await graph.memories.reinforce(f"m{number * 97 % count:06}")
            if number % 3 == 0:
                await graph.memories.forget(f"a{number - 1}")

    writer = asyncio.create_task(write())
    try:
        memories = [memory.id for memory in await all_pages(graph, limit=size)]
        assert len(set(memories)) == len(memories)
        assert {f"m{n:06}" for n in range(count)} <= set(memories)
    finally:
        going = False
        await writer
