"""Stars: evidence, the daily close over synthetic constellations, type evaluation.

    python -m benchmarks.stars [CONNECTIONS ...]      default: 10000 100000 1000000

The close is compared with a bare sweep: one property written on the same relationships, in the same
batches.
"""

import asyncio
import random
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import psutil

from asterism.clock import FixedClock
from asterism.graph import Graph
from benchmarks.table import Measurement, publish
from benchmarks.timing import seconds

Row = dict[str, Any]
SIZES = (10_000, 100_000, 1_000_000)
START = datetime(2026, 3, 2, 12, tzinfo=UTC)
BATCH = 5_000
TYPES = ("RESONANCE", "TENSION", "CAUSATION", "GROWTH_EDGE", "SHADOW_MIRROR", "BLOCKS")
BANDS = (
    ("STRONG", 0.8, 8),
    ("MODERATE", 0.6, 5),
    ("WEAK", 0.4, 3),
    ("FORMING", 0.2, 2),
    ("NASCENT", 0, 0),
)
RANKS = {"NASCENT": 1, "FORMING": 2, "WEAK": 3, "MODERATE": 4, "STRONG": 5}

MAKE_STARS = """CYPHER 25
UNWIND $rows AS row
CREATE (s:Star:Flickering) SET s = row, s.created_at = $at, s.last_engaged = $at"""
MAKE_CONNECTIONS = """CYPHER 25
UNWIND $rows AS row
MATCH (a:Star {realm: $realm, id: row.a}), (b:Star {realm: $realm, id: row.b})
CREATE (a)-[r:$(row.type)]->(b)
SET r = row.properties, r.created_at = $at, r.last_engaged = $at"""
MAKE_DUE = """CYPHER 25
MATCH (a:Star)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
WHERE a.realm = $realm AND a.bucket >= 0
WITH r LIMIT $most
SET r.type_evaluated_day = r.type_evaluated_day - 7"""
BARE_SWEEP = """CYPHER 25
MATCH (a:Star) WHERE a.realm = $realm AND a.bucket >= 0
CALL (a) {
  MATCH (a)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
  SET r.swept = $value
} IN 2 CONCURRENT TRANSACTIONS OF 500 ROWS
RETURN count(*) AS stars"""


async def measure(sizes: tuple[int, ...]) -> list[Measurement]:
    """Measure everything."""
    lines = await evidence()
    for size in sizes:
        lines += await close(size)
    return lines


async def evidence() -> list[Measurement]:
    """Measure evidence one by one and in bulk."""
    async with _graph("bench-evidence") as (graph, _):
        for number in range(100):
            await graph.stars.add(f"star {number}", domain="soul", id=f"s{number:03}")
        pairs = [(f"s{i:03}", f"s{(i + k) % 100:03}") for k in (1, 2, 3) for i in range(100)]
        for a, b in pairs:
            await graph.stars.connect(a, b)

        async def singly() -> None:
            for a, b in pairs:
                await graph.stars.evidence(a, b, "tars_confirmed", source="one")

        async def in_bulk() -> None:
            items = [
                {"a": a, "b": b, "type": "tars_confirmed", "source": f"bulk {n}"}
                for n in range(5)
                for a, b in pairs
            ]
            await graph.stars.evidence_many(items)

        single, bulk = await seconds(singly()), await seconds(in_bulk())
    return [
        _line("evidence, one by one", len(pairs), single),
        _line("evidence, in bulk", 5 * len(pairs), bulk),
    ]


async def close(size: int) -> list[Measurement]:
    """Measure the daily close over so many connections, and the evaluation of their types."""
    async with _graph(f"bench-close-{size}") as (graph, clock):
        await fill(graph, size)
        bare = min([await seconds(_bare_sweep(graph, value)) for value in (1, 2)])
        await graph.stars.close_day(clock.now().date())
        clock.advance(days=1)
        first = await graph.stars.close_day(clock.now().date())
        clock.advance(days=1)
        second = await graph.stars.close_day(clock.now().date())
        closing = min(first.seconds, second.seconds)
        return [
            _line(f"bare sweep, {size:,} connections", size, bare),
            _line(f"close_day, {size:,} connections", size, closing),
            Measurement(f"close_day / bare sweep, {size:,}", closing / bare, "x"),
            await _types(graph, clock, size),
        ]


async def _types(graph: Graph, clock: FixedClock, size: int) -> Measurement:
    """Measure the evaluation of all types, or of the first hundred thousand."""
    await graph.database.driver.execute_query(MAKE_DUE, realm=graph.realm, most=100_000)
    evaluated = min(size, 100_000)
    duration = await seconds(graph.stars.evaluate_types(clock.now().date()))
    return _line("evaluation of types", evaluated, duration)


async def _bare_sweep(graph: Graph, value: int) -> None:
    async with graph.database.driver.session() as session:
        result = await session.run(BARE_SWEEP, realm=graph.realm, value=value)
        await result.consume()


async def fill(graph: Graph, size: int) -> None:
    """Create a tenth as many stars as connections, each with a month of evidence in a year."""
    chance = random.Random(size)
    today = (START.date() - datetime(1970, 1, 1).date()).days
    await graph.stars.add("first", domain="soul", id="first", created_at=START - timedelta(days=20))
    count = size // 10
    await _write(graph, MAKE_STARS, (_star(graph.realm, n, today, chance) for n in range(count)))
    apart = chance.sample(range(1, count // 2), 10)
    pairs = (sorted((a, (a + step) % count)) for a in range(count) for step in apart)
    await _write(
        graph, MAKE_CONNECTIONS, (_connection(graph.realm, a, b, today, chance) for a, b in pairs)
    )


async def _write(graph: Graph, text: str, rows: Iterator[Row]) -> None:
    while batch := list(islice(rows, BATCH)):
        await graph.database.driver.execute_query(
            text,
            {"rows": batch, "realm": graph.realm, "at": START},
        )


def _star(realm: str, number: int, today: int, chance: random.Random) -> Row:
    level = chance.uniform(0.1, 1.0)
    days = [today - chance.randrange(6, 30), today - chance.randrange(1, 6)]
    return {
        "realm": realm,
        "id": f"s{number:07}",
        "name": f"star {number}",
        "domain": chance.choice(["health", "relationships", "wealth", "purpose", "soul"]),
        "constellation_id": "default",
        "state": "FLICKERING",
        "brightness": level,
        "previous_brightness": level,
        "own_change": 0.0,
        "variance": 0.05,
        "run_days": 0,
        "effective_max": 1.0,
        "impact_multiplier": 1.0,
        "contradictions": 0,
        "is_anti_pattern": False,
        "confrontation": 0.0,
        "confrontation_counts": [0, 0, 0],
        "engaged_day": days[-1],
        "engaged_days": days,
        "daily_closes": [chance.uniform(0.1, 1.0) for _ in range(90)],
        "closed_day": today - 1,
        "own_day": today - 1,
        "change_since_event": 0.0,
        "bucket": number % 256,
    }


def _connection(realm: str, a: int, b: int, today: int, chance: random.Random) -> Row:
    first, second = f"s{a:07}", f"s{b:07}"
    newest = today - chance.randrange(1, 365)
    days = [*sorted(newest - chance.randrange(30) for _ in range(7)), newest]
    effective = 0.5 * sum((day >= today - 30) + (day >= today - 60) for day in days)
    strength = chance.uniform(0.1, 0.9)
    state = next(name for name, low, few in BANDS if strength >= low and effective >= few)
    return {
        "a": first,
        "b": second,
        "type": chance.choices(TYPES, (50, 15, 10, 10, 10, 5))[0],
        "properties": {
            "realm": realm,
            "id": f"{first}|{second}",
            "pair_key": f"{first}|{second}",
            "constellation_id": "default",
            "strength": strength,
            "confidence": 0.4,
            "evidence_count": 8,
            "evidence_eff": effective,
            "evidence_days": days,
            "irregularity": 0.2,
            "state": state,
            "state_rank": RANKS[state],
            "engaged_state": state,
            "engaged_day": days[-1],
            "decayed_day": today - 1,
            "type_source": "DETECTED",
            "type_evaluated_day": today,
            "evidence_at_last_eval": 8,
            "previous_types": [],
            "block_active": False,
            "weekly_strengths": [],
            "gains_today": [],
            "strength_gained_today": 0.0,
        },
    }


@asynccontextmanager
async def _graph(realm: str) -> AsyncIterator[tuple[Graph, FixedClock]]:
    """Open a graph in an empty realm and delete the realm at the end."""
    clock = FixedClock(START)
    async with Graph.open(realm=realm, clock=clock) as graph:
        await graph.realms.delete(realm)
        yield graph, clock
        await graph.realms.delete(realm)


def _line(name: str, count: int, duration: float) -> Measurement:
    memory = psutil.Process().memory_info().rss / 2**20
    comment = f"{count:,} rows in {duration:.2f} s, Python {memory:.0f} MB"
    return Measurement(name, count / duration, "rows/s", comment)


def main(sizes: tuple[int, ...] = SIZES) -> None:
    publish("stars", asyncio.run(measure(sizes)))


if __name__ == "__main__":
    main(tuple(int(size) for size in sys.argv[1:]) or SIZES)
