"""Erasing by a filter: counted first, then whole, in batches, and what stays is untouched."""

import asyncio
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.memories import forgetting
from asterism.memory_filter import MemoryFilter
from tests.support.filter_oracle import filters, items, passes
from tests.support.raw import run_cypher
from tests.test_memories_forgetting import files_with

COUNTS = """MATCH (name:Name {realm: $realm})
WHERE name.memory_count <> COUNT { (name)<-[:MENTIONS]-() }
RETURN name.key AS key"""


async def remembered(graph: Graph, count: int) -> None:
    """Remember texts of two tags in conversations, each with a neighbour of the other tag."""
    await graph.memories.remember_many(
        {
            "id": f"m{number:02}",
            "text": f"Quendor number {number} ground {number % 5} sacks at the Mill.",
            "tags": ["odd" if number % 2 else "even"],
            "session": f"s{number // 6}",
        }
        for number in range(count)
    )


async def left(graph: Graph) -> list[str]:
    return [memory.id async for memory in graph.memories.each(order="id")]


@pytest.mark.slow
async def test_a_dry_run_counts_and_shows_examples(graph: Graph) -> None:
    await remembered(graph, 24)
    receipt = await graph.memories.forget_where(tags=["odd"])
    assert (receipt.dry_run, receipt.matching, receipt.memories) == (True, 12, 0)
    assert len(receipt.examples) == 10
    assert all("odd" in memory.tags for memory in receipt.examples)
    assert receipt.filter == "tags odd"
    assert len(await left(graph)) == 24


@pytest.mark.slow
async def test_all_that_passes_goes_and_nothing_else(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgetting, "BATCH", 5)
    await remembered(graph, 24)
    await graph.consolidation.consolidate()
    await graph.memories.reinforce("m01")
    await graph.memories.connect("m01", "m03", "SUPPORTS")
    await graph.memories.connect("m01", "m02", "SUPPORTS")
    [row] = await graph.database.rows("memory_vectors/stored_vectors", ids=["m01"])
    vector = np.asarray(row["vector"], np.float32).tobytes()
    assert files_with(vector)
    counts: list[int] = []
    receipt = await graph.memories.forget_where(
        tags=["odd"], dry_run=False, on_progress=counts.append
    )
    assert (receipt.matching, receipt.memories, receipt.vectors) == (12, 12, 12)
    assert receipt.evidence == 1
    assert receipt.relationships["SUPPORTS"] == 2
    assert counts == [5, 5, 2]
    assert (receipt.checked, receipt.left) == (True, {})
    assert files_with(vector) == []
    assert await left(graph) == [f"m{number:02}" for number in range(0, 24, 2)]
    assert await run_cypher(graph, COUNTS) == []
    [report] = await graph.maintenance.run("verify")
    assert report.offenders == []
    again = await graph.memories.forget_where(tags=["odd"], dry_run=False)
    assert (again.matching, again.memories, again.checked) == (0, 0, True)


@pytest.mark.slow
async def test_repeats_of_what_goes_stand_for_themselves(graph: Graph) -> None:
    for id, tag in (("one", "a"), ("two", "b"), ("three", "a")):
        await graph.memories.remember("The lamp burns.", id=id, tags=[tag], session="s")
    await graph.consolidation.consolidate()
    assert len(await left(graph)) == 3
    receipt = await graph.memories.forget_where(tags=["a"], dry_run=False)
    assert (receipt.memories, receipt.left) == (2, {})
    assert await left(graph) == ["two"]
    assert (await graph.memories.get("two")).duplicate_of is None
    [hit] = (await graph.recall.find("What burns?")).hits
    assert hit.id == "two"
    [report] = await graph.maintenance.run("verify")
    assert report.offenders == []


@pytest.mark.slow
async def test_what_goes_is_what_passes_in_python(graph: Graph) -> None:
    drawn: list[tuple[list[dict[str, Any]], dict[str, Any]]] = []

    @settings(max_examples=12, database=None, derandomize=True)
    @given(st.lists(items, min_size=4, max_size=8), filters)
    def draw(some_items: list[dict[str, Any]], some_filter: dict[str, Any]) -> None:
        drawn.append((some_items, some_filter))

    draw()
    for number, (some_items, conditions) in enumerate(drawn):
        texts = (
            {"id": f"{number}-{place}", "text": f"Text {place} of {number}."} | item
            for place, item in enumerate(some_items)
        )
        await graph.memories.remember_many(texts)
        if not conditions:
            continue
        memories = [memory async for memory in graph.memories.each()]
        expected = {memory.id for memory in memories if not passes(memory, conditions)}
        receipt = await graph.memories.forget_where(dry_run=False, **conditions)
        assert (receipt.memories, receipt.left) == (len(memories) - len(expected), {})
        assert set(await left(graph)) == expected


async def test_an_empty_filter_is_refused(graph: Graph) -> None:
    await graph.memories.remember("The lamp burns.")
    empty: list[dict[str, Any]] = [{}, {"tags": []}, {"filter": MemoryFilter()}, {"since": None}]
    for conditions in empty:
        with pytest.raises(InvalidInput, match="give a condition"):
            await graph.memories.forget_where(dry_run=False, **conditions)
    with pytest.raises(InvalidInput, match="dry_run"):
        await graph.memories.forget_where(dry_run="no", tags=["a"])  # type: ignore[arg-type]
    assert len(await left(graph)) == 1


@pytest.mark.slow
async def test_an_absent_realm_stays_absent(graph: Graph) -> None:
    receipt = await graph.memories.forget_where(tags=["odd"], dry_run=False)
    assert (receipt.matching, receipt.memories) == (0, 0)
    assert graph.realm not in {realm.name for realm in await graph.realms.list()}


@pytest.mark.slow
async def test_many_who_erase_and_remember_at_once_lose_nothing(graph: Graph) -> None:
    await remembered(graph, 40)

    async def write() -> None:
        for number in range(20):
            await graph.memories.remember(f"Quendor came on day {number}.", id=f"new {number}")

    await asyncio.gather(
        write(),
        *(graph.memories.forget_where(tags=["odd"], dry_run=False) for _ in range(3)),
        *(graph.memories.forget(f"m{number:02}") for number in range(0, 40, 4)),
    )
    assert await graph.memories.count() == 10 + 20
    assert await run_cypher(graph, COUNTS) == []
    [report] = await graph.maintenance.run("verify")
    assert report.offenders == []
