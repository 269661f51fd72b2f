"""Stars under load: evidence, the daily close over synthetic constellations, type evaluation.

    python -m benchmarks.stars [connections ...]      default: 10000 100000 1000000

Prints a table, writes benchmarks/results/stars.json, and returns the rows. The close is compared
with a bare sweep: one property written on the same relationships, in the same batches.
"""

import asyncio
import json
import random
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import psutil

from engine.clock import FixedClock
from engine.graph import Graph

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
LOOKED_AT = """CYPHER 25
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


async def run(sizes: tuple[int, ...] = SIZES) -> list[Row]:
    """All benchmarks of the part."""
    rows = await evidence()
    for size in sizes:
        rows += await close(size)
    return rows


async def evidence() -> list[Row]:
    """Evidence, one by one and in bulk."""
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

        one, bulk = await _seconds(singly), await _seconds(in_bulk)
    return [
        _row("evidence, one by one", len(pairs), one),
        _row("evidence, in bulk", 5 * len(pairs), bulk),
    ]


async def close(size: int) -> list[Row]:
    """The daily close over so many connections, and the evaluation of their types."""
    async with _graph(f"bench-close-{size}") as (graph, clock):
        await _fill(graph, size)
        bare = min([await _bare(graph, value) for value in (1, 2)])
        await graph.stars.close_day(clock.now().date())
        clock.advance(days=1)
        quiet = await graph.stars.close_day(clock.now().date())
        clock.advance(days=1)
        second = await graph.stars.close_day(clock.now().date())
        seconds = min(quiet.seconds, second.seconds)
        rows = [
            _row("bare sweep of one property", size, bare),
            _row("close_day", size, seconds) | {"ratio": round(seconds / bare, 2)},
        ]
        rows.append(await _types(graph, clock, size))
    return rows


async def _types(graph: Graph, clock: FixedClock, size: int) -> Row:
    """The types of all connections, or of the first hundred thousand, looked at anew."""
    await graph.database.driver.execute_query(LOOKED_AT, realm=graph.realm, most=100_000)
    evaluated = min(size, 100_000)
    seconds = await _seconds(lambda: graph.stars.evaluate_types(clock.now().date()))
    return _row("evaluation of types", evaluated, seconds)


async def _bare(graph: Graph, value: int) -> float:
    async def sweep() -> None:
        async with graph.database.driver.session() as session:
            result = await session.run(BARE_SWEEP, realm=graph.realm, value=value)
            await result.consume()

    return await _seconds(sweep)


async def _fill(graph: Graph, size: int) -> None:
    """A year: a tenth as many stars as connections, each connection fed for a month of it."""
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
        "own_delta": 0.0,
        "variance": 0.05,
        "run_days": 0,
        "effective_max": 1.0,
        "impact_multiplier": 1.0,
        "contradictions": 0,
        "is_anti_pattern": False,
        "confrontation": 0.0,
        "confronted": [0, 0, 0],
        "engaged_day": days[-1],
        "engaged_days": days,
        "hist": [chance.uniform(0.1, 1.0) for _ in range(90)],
        "hist_end_day": today - 1,
        "own_day": today - 1,
        "event_ref": 0.0,
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
            "ev_days": days,
            "irregularity": 0.2,
            "state": state,
            "state_rank": RANKS[state],
            "engaged_state": state,
            "engaged_day": days[-1],
            "decayed_day": today - 1,
            "type_source": "DETECTED",
            "type_evaluated_day": today,
            "evidence_at_last_eval": 8,
            "prev_types": [],
            "block_active": False,
            "s_week": [],
            "gains_today": [],
            "strength_gained_today": 0.0,
        },
    }


class _graph:
    """A graph of its own realm, gone afterwards."""

    def __init__(self, realm: str) -> None:
        self._clock = FixedClock(START)
        self._graph = Graph.open(realm=realm, clock=self._clock)

    async def __aenter__(self) -> tuple[Graph, FixedClock]:
        await self._graph.__aenter__()
        await self._graph.realms.delete(self._graph.realm)
        return self._graph, self._clock

    async def __aexit__(self, *_: object) -> None:
        await self._graph.realms.delete(self._graph.realm)
        await self._graph.close()


async def _seconds(work: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began


def _row(name: str, count: int, seconds: float) -> Row:
    memory = psutil.Process().memory_info().rss / 2**20
    return {
        "benchmark": name,
        "rows": count,
        "seconds": round(seconds, 3),
        "rows_per_second": round(count / seconds),
        "python_mb": round(memory),
    }


def main() -> None:
    """Run, print, write."""
    sizes = tuple(int(size) for size in sys.argv[1:]) or SIZES
    rows = asyncio.run(run(sizes))
    for row in rows:
        ratio = f"  {row['ratio']}x bare" if "ratio" in row else ""
        print(
            f"{row['benchmark']:<30}{row['rows']:>10}{row['seconds']:>10.2f} s"
            f"{row['rows_per_second']:>10} rows/s{row['python_mb']:>6} MB{ratio}"
        )
    folder = Path(__file__).parent / "results"
    folder.mkdir(exist_ok=True)
    (folder / "stars.json").write_text(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
