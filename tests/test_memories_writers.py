"""Many writers, crashes, and a kind of memory that nobody foresaw."""

import asyncio
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from asterism.base_model import Frozen
from asterism.graph import Graph
from asterism.memories.decay_passes import DecayPasses
from asterism.memories.evidence_rule import Applied, Location, MemoryUpdate, Step
from asterism.timestamps import to_micros
from tests.conftest import OpenGraph

pytestmark = pytest.mark.slow

START = datetime(2026, 2, 1, tzinfo=UTC)
WRITERS = 8
ITEMS = 400
OBSERVE = """
import asyncio, sys
from tests.test_memories_writers import items
from asterism.graph import Graph

async def main():
    async with Graph.open(realm=sys.argv[1], settings={"memories": {"batch": 10}}) as graph:
        for start in range(0, 400, 20):
            receipt = await graph.memories.observe(items()[start:start + 20], source="file")
            print(receipt.accepted, flush=True)

asyncio.run(main())
"""


def items() -> list[dict[str, Any]]:
    """Trades around a handful of prices, in order."""
    return [
        {
            "event_id": f"e{number:04}",
            "ts": START + timedelta(seconds=number),
            "symbol": "X",
            "price": f"{100 + number % 7}",
            "kind": "execution",
            "side": "ask" if number % 3 else "bid",
            "quantity": 100.0 + number,
        }
        for number in range(ITEMS)
    ]


async def states(graph: Graph) -> list[Any]:
    """Every level as it ends up."""
    return await graph.memories.levels("X", at=START + timedelta(seconds=ITEMS))


async def test_killed_while_observing_and_replayed_from_the_start(
    open_graph: OpenGraph, environment: dict[str, str]
) -> None:
    whole, cut = await open_graph(), await open_graph()
    await whole.memories.observe(items(), source="file")
    await asyncio.to_thread(observe_and_kill, cut.realm, environment)
    part = sum(level.interaction_count for level in await states(cut))
    assert 0 < part < ITEMS
    receipt = await cut.memories.observe(items(), source="file")
    assert (receipt.accepted, receipt.duplicate) == (ITEMS - part, part)
    assert await states(cut) == await states(whole)


def observe_and_kill(realm: str, environment: dict[str, str]) -> None:
    """A process that observes, ended without warning in the middle of it."""
    command = [sys.executable, "-c", OBSERVE, realm]
    process = subprocess.Popen(
        command, env=environment | {"PYTHONPATH": os.getcwd()}, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for _ in range(5):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()


async def test_eight_writers_on_one_symbol_equal_one(open_graph: OpenGraph) -> None:
    """All are at one instant, so that their order can't matter and the sums must be exact."""
    now = [item | {"ts": START} for item in items()]
    alone = await open_graph()
    await alone.memories.observe(now, source="one")
    crowd = await open_graph()
    graphs = [await open_graph(realm=crowd.realm) for _ in range(WRITERS)]
    receipts = await asyncio.gather(
        *(
            graph.memories.observe(now[part::WRITERS], source=f"writer {part}")
            for part, graph in enumerate(graphs)
        )
    )
    assert sum(receipt.accepted for receipt in receipts) == ITEMS
    assert [counted(level) for level in await states(crowd)] == [
        counted(level) for level in await states(alone)
    ]


def counted(level: Any) -> tuple[Any, ...]:
    return (
        level.id,
        level.interaction_count,
        round(level.volume_usd, 6),
        round(level.taker_buy_usd, 6),
        level.largest_event_usd,
        level.strength,
    )


async def test_eight_writers_of_the_same_items_count_them_once(open_graph: OpenGraph) -> None:
    crowd = await open_graph()
    graphs = [await open_graph(realm=crowd.realm) for _ in range(WRITERS)]
    receipts = await asyncio.gather(
        *(graph.memories.observe(items()[:100], source="same") for graph in graphs)
    )
    assert sum(receipt.accepted for receipt in receipts) == 100
    assert sum(level.interaction_count for level in await states(crowd)) == 100


async def test_eight_symbols_at_once_with_the_archive_job_beside_them(
    open_graph: OpenGraph,
) -> None:
    crowd = await open_graph()
    graphs = [await open_graph(realm=crowd.realm) for _ in range(WRITERS)]

    async def feed(number: int) -> None:
        for start in range(0, ITEMS, 50):
            part = [item | {"symbol": f"S{number}"} for item in items()[start : start + 50]]
            part = [item | {"event_id": f"{number}-{item['event_id']}"} for item in part]
            await graphs[number].memories.observe(part, source=f"feed {number}")

    async def job() -> None:
        for step in range(10):
            await crowd.memories.archive(START + timedelta(days=step))

    await asyncio.gather(*(feed(number) for number in range(WRITERS)), job())
    for number in range(WRITERS):
        levels = await crowd.memories.levels(f"S{number}", at=START + timedelta(seconds=ITEMS))
        assert sum(level.interaction_count for level in levels) == ITEMS


async def test_the_counters_of_levels_add_up_to_the_accepted_items(graph: Graph) -> None:
    bad = [item | {"quantity": -1.0, "event_id": f"bad{n}"} for n, item in enumerate(items()[:9])]
    receipt = await graph.memories.observe([*items(), *bad, *items()[:30]], source="s")
    assert (receipt.accepted, receipt.duplicate, len(receipt.rejected)) == (ITEMS, 30, 9)
    assert receipt.received == ITEMS + 39
    volume = sum(level.volume_usd for level in await states(graph))
    assert round(volume, 6) == sum(item["quantity"] for item in items())


class Practice(Frozen):
    """Somebody did something again."""

    event_id: str
    ts: datetime
    habit: str
    kind: str = "practice"
    quantity: float = 1.0
    sequence: None = None


class HabitRule:
    """A third kind of memory: habits, which a first practice makes and every other strengthens."""

    label = "Habit"

    def parse(self, raw: Any) -> Practice:
        return Practice.model_validate(raw)

    def order(self, item: Practice) -> tuple[Any, ...]:
        return item.ts, item.event_id

    def locate(self, item: Practice) -> Location:
        return Location(f"habit {item.habit}", id=f"habit-{item.habit}")

    def match(self, item: Practice, memories: list[MemoryUpdate]) -> MemoryUpdate | None:
        return next(iter(memories), None)

    def create(self, item: Practice) -> MemoryUpdate:
        at = to_micros(item.ts)
        decay = {"decay": "exp", "clock": "wall", "rate": 1e-6, "archive_below": 0.02}
        begin = {"strength": 0.2, "anchor": at, "confidence": 1.0, "state": "live"}
        properties = {"kind": "habit", "first_seen": item.ts} | decay | begin
        return MemoryUpdate(f"habit-{item.habit}", dict(properties), on_create=properties)

    def apply(self, memory: MemoryUpdate, item: Practice, passes: DecayPasses) -> None:
        memory.title = item.habit
        at = to_micros(item.ts)
        if memory.on_create and not memory.applied:
            memory.applied.append(Applied(item, "created", has_step=False))
        else:
            memory.steps.append(Step(at, at, gain=0.25))
            memory.applied.append(Applied(item, "boosted", has_step=True))
        memory.increment("interaction_count", 1)
        memory.update(last_interaction=item.ts)


async def test_a_third_kind_of_memory_is_a_rule_in_python(graph: Graph) -> None:
    days = [
        {"event_id": f"d{day}", "ts": START + timedelta(days=day), "habit": "rowing"}
        for day in range(3)
    ]
    receipt = await graph.memories.observe(days, source="diary", rule=HabitRule())
    assert receipt.accepted == 3
    assert (await graph.memories.observe(days, source="diary", rule=HabitRule())).duplicate == 3
    habit = await graph.memories.get("habit-rowing", at=START + timedelta(days=2))
    daily = 2.718281828459045 ** (-0.0864)
    assert abs(habit.strength - ((0.2 * daily + 0.25) * daily + 0.25)) < 1e-9
    assert (habit.kind, habit.interaction_count) == ("habit", 3)
    assert [entry.effect for entry in await graph.memories.history("habit-rowing")] == [
        "boosted",
        "boosted",
        "created",
    ]
    assert await graph.memories.archive(START + timedelta(days=60)) == 1
