"""Memories: a real capture end to end, reads near a price, the archive job, flat memory.

`python -m benchmarks.memories [CAPTURE] [LEVELS]`: a raw capture, and how many levels the larger
reads and archive jobs have before them.
"""

import asyncio
import math
import sys
import tempfile
import time
import tracemalloc
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import quantiles
from typing import Any

from benchmarks.table import Measurement, publish
from engine.clock import FixedClock
from engine.graph import Graph
from engine.local import server
from engine.local.home import Home
from engine.memories.capture import Capture
from engine.memories.market import CELL
from engine.memories.model import Evidence, micros
from engine.memories.problems import TICK_DECIMALS
from engine.settings import LocalSettings, MemoriesSettings

CAPTURE = Path(__file__).parents[2] / "shared" / "data" / "market" / "ethusdt_20240808.gz"
FEW, MANY = 10_000, 1_000_000
PER_SYMBOL = 2000
BATCH = 5000
WALL_USD = 250_000
WARM = 200
READS = 500
DUE = 1000
NOW = datetime(2026, 3, 1, tzinfo=UTC)
MAKE = """CYPHER 25
UNWIND $rows AS row
CREATE (m:Memory:MarketLevel {realm: $realm})
SET m += $fixed, m += row"""

LOGGED = """CYPHER 25
MATCH (e:Evidence {realm: $realm})
RETURN e.number AS number, e.memory_id AS memory
ORDER BY e.moment, CASE e.kind WHEN 'persistence' THEN 0 WHEN 'execution' THEN 1
                               WHEN 'liquidation' THEN 2 ELSE 3 END, e.event_id"""


@dataclass(frozen=True)
class Replay:
    """What a capture cost."""

    events: int
    items: int
    seconds: float
    flushes: int
    writes: int
    lags: list[int]


async def replay(graph: Graph, path: Path, minimum_usd: float) -> Replay:
    """Every message of a capture, through the adapter and into the database."""
    capture = Capture(path, settings=MemoriesSettings(book_minimum_usd=minimum_usd))
    handed: list[int] = []
    lags: list[int] = []
    flushed = 0

    def timed() -> Iterator[Evidence]:
        for item in capture:
            handed.append(flushed)
            yield item

    def applied(count: int) -> None:
        nonlocal flushed
        flushed += 1
        lags.extend(flushed - at for at in handed[:count])
        del handed[:count]

    start = time.perf_counter()
    receipt = await graph.memories.observe(timed(), source="replay", on_progress=applied)
    seconds = time.perf_counter() - start
    writes = await _writes(graph)
    return Replay(capture.events, receipt.accepted, seconds, len(writes), sum(writes), lags)


async def _writes(graph: Graph) -> list[int]:
    """How many nodes each flush wrote: an item's number in its flush starts again with each."""
    found = await graph.database.driver.execute_query(LOGGED, realm=graph.realm)
    flushes: list[set[str]] = []
    for record in found.records:
        if record["number"] == 0:
            flushes.append(set())
        flushes[-1].add(record["memory"])
    return [len(nodes) for nodes in flushes]


def replayed(done: Replay, lines: list[Measurement], book: str) -> None:
    """What a replay's figures are called."""
    lag = quantiles(done.lags, n=100)[98]
    lines += [
        Measurement(f"raw events, {book}", done.events, "events"),
        Measurement(
            "raw events, end to end", done.events / done.seconds, "events/s", "at least 10,000"
        ),
        Measurement("evidence items", done.items, "items", f"{done.items / done.seconds:,.0f}/s"),
        Measurement("flushes", done.flushes, ""),
        Measurement("node writes per flush", done.writes / done.flushes, "nodes", "one a node"),
        Measurement("lag p99", lag, "flushes", "limit 2"),
    ]


def adapter(path: Path) -> list[Measurement]:
    """The adapter alone, and the memory it needs for a tenth of a file and for the whole."""
    capture = Capture(path)
    start = time.perf_counter()
    items = sum(1 for _ in capture)
    seconds = time.perf_counter() - start
    tenth, whole = _peak(path, items // 10), _peak(path, items)
    return [
        Measurement("raw events, adapter alone", capture.events / seconds, "events/s"),
        Measurement("Python memory, a tenth of the capture", tenth / 1e6, "MB"),
        Measurement("Python memory, all of it", whole / 1e6, "MB", f"{whole / tenth:.2f} x"),
    ]


def _peak(path: Path, items: int) -> int:
    tracemalloc.start()
    for _ in islice(Capture(path), items):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


async def levels(graph: Graph, count: int, symbol: str, *, archive_at: int) -> None:
    """That many levels, some thousand a symbol, without the evidence that would have made them."""
    fixed = {
        "kind": "market",
        "decay": "linear",
        "clock": "wall",
        "rate": 1e-4,
        "archive_below": 0.01,
        "state": "live",
        "strength": 0.6,
        "confidence": 0.7,
        "side": "bid",
        "anchor": micros(NOW),
        "archive_at": archive_at,
        "first_seen": NOW,
        "last_interaction": NOW,
        "interaction_count": 1,
        "resurrection_count": 0,
    }
    for first in range(0, count, BATCH):
        rows = [_level(symbol, number) for number in range(first, min(first + BATCH, count))]
        await graph.database.driver.execute_query(MAKE, rows=rows, fixed=fixed, realm=graph.realm)


def _level(symbol: str, number: int) -> dict[str, Any]:
    name, step = f"{symbol}{number // PER_SYMBOL}", number % PER_SYMBOL
    price = round(100 * 1.0006**step, 6)
    return {
        "id": f"{name}@{price}",
        "symbol": name,
        "center": f"{price}",
        "center_ticks": round(price * 10**TICK_DECIMALS),
        "bucket": math.floor(math.log(price) / CELL),
    }


async def near(graph: Graph, symbols: int) -> tuple[float, float]:
    """Milliseconds, median and p99, of the levels within 50 basis points of a price."""
    times = []
    for number in range(WARM + READS):
        symbol = f"N{number * 37 % symbols}"
        price = f"{100 * 1.0006 ** (number * 7 % PER_SYMBOL):.4f}"
        start = time.perf_counter()
        await graph.memories.levels(symbol, near=price, bps=50, at=NOW)
        times.append((time.perf_counter() - start) * 1000)
    cuts = quantiles(times[WARM:], n=100)
    return cuts[49], cuts[98]


async def reads_and_archive(graph: Graph, count: int, few: int) -> list[Measurement]:
    """Reads and the archive job, first with few levels, then with many."""
    ahead = micros(NOW + timedelta(hours=3))
    lines, made, p99 = [], 0, {}
    await graph.memories.archive(NOW)  # the plan is made once, whatever is due
    for size in (few, count):
        await levels(graph, size - made, "N" if not made else "M", archive_at=ahead)
        made = size
        median, p99[size] = await near(graph, few // PER_SYMBOL)
        lines += [
            Measurement(f"near price, {size:,} levels, p50", median, "ms"),
            Measurement(f"near price, {size:,} levels, p99", p99[size], "ms", "limit 10"),
        ]
        for due in (0, DUE, DUE * 10):
            await _faded(graph, due, f"D{size}-{due}-")
            start = time.perf_counter()
            archived = await graph.memories.archive(NOW)
            ms = (time.perf_counter() - start) * 1000
            said = f"{archived:,} archived"
            lines.append(Measurement(f"archive, {size:,} levels, {due:,} due", ms, "ms", said))
    ratio = p99[count] / p99[few]
    return [*lines, Measurement("p99, many / few levels", ratio, "x", "limit 2")]


async def _faded(graph: Graph, count: int, symbol: str) -> None:
    due = micros(NOW) - 60_000_000
    await levels(graph, count, symbol, archive_at=due)
    await graph.database.driver.execute_query(
        "CYPHER 25 MATCH (m:Memory {realm: $realm, clock: 'wall'}) WHERE m.archive_at <= $due "
        "SET m.anchor = $due - 10000000000",
        realm=graph.realm,
        due=due,
    )


async def measure(
    uri: str, auth: tuple[str, str], path: Path | None, count: int
) -> list[Measurement]:
    """All of it, in realms of its own."""
    lines: list[Measurement] = []
    name = uuid.uuid4().hex[:8]
    options: dict[str, Any] = {"auth": auth, "clock": FixedClock(NOW)}
    if path is not None:
        async with Graph.open(uri, realm=f"replay-{name}", **options) as graph:
            replayed(await replay(graph, path, 0.0), lines, "all of the order book")
        async with Graph.open(uri, realm=f"walls-{name}", **options) as graph:
            replayed(await replay(graph, path, WALL_USD), lines, "its large levels only")
        lines += adapter(path)
    async with Graph.open(uri, realm=f"levels-{name}", **options) as graph:
        lines += await reads_and_archive(graph, count, min(FEW, count))
    return lines


def main(path: Path = CAPTURE, count: int = MANY) -> None:
    there = path if path.is_file() else None
    if there is None:
        print(f"no capture at {path}: its figures are left out; give its path as an argument")
    with tempfile.TemporaryDirectory() as scratch:
        home = Home(Path(scratch, "home"))
        try:
            state = server.start(home, LocalSettings())
            auth = (server.USER, server.password(home))
            publish("memories", asyncio.run(measure(state.uri, auth, there, count)))
        finally:
            server.stop(home)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(Path(given[0]) if given else CAPTURE, int(given[1]) if len(given) > 1 else MANY)
