"""Memories: a capture end to end, reads around a price, the archive job, memory of the adapter.

`python -m benchmarks.memories [CAPTURE] [LEVELS]`: a raw capture, and the number of levels in the
larger reads and archive jobs.
"""

import asyncio
import math
import sys
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import quantiles
from typing import Any

from asterism.clock import FixedClock
from asterism.graph import Graph
from asterism.memories.market.exchange_capture import Capture
from asterism.memories.market.models import Evidence
from asterism.memories.market.price_grid import CELL, TICK_DECIMALS
from asterism.settings import MemoriesSettings
from asterism.timestamps import to_micros
from benchmarks.servers import OwnServer, own_server
from benchmarks.table import Measurement, publish
from benchmarks.timing import timed

CAPTURE = Path(__file__).parents[2] / "shared" / "data" / "market" / "ethusdt_20240808.gz"
FEW, MANY = 10_000, 1_000_000
PER_SYMBOL = 2000
BATCH = 5000
LARGE_USD = 250_000
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
    """Costs of reading one capture into the graph."""

    events: int
    items: int
    seconds: float
    flushes: int
    writes: int
    lags: list[int]


async def replay(graph: Graph, path: Path, minimum_usd: float) -> Replay:
    """Pass every message of a capture through the adapter and into the database."""
    capture = Capture(path, settings=MemoriesSettings(book_minimum_usd=minimum_usd))
    pending: list[int] = []  # for each item that is not applied, the flushes before it
    lags: list[int] = []
    flushes = 0

    def items() -> Iterator[Evidence]:
        for item in capture:
            pending.append(flushes)
            yield item

    def count_flush(applied: int) -> None:
        nonlocal flushes
        flushes += 1
        lags.extend(flushes - before for before in pending[:applied])
        del pending[:applied]

    start = time.perf_counter()
    receipt = await graph.memories.observe(items(), source="replay", on_progress=count_flush)
    seconds = time.perf_counter() - start
    writes = await _writes(graph)
    return Replay(capture.events, receipt.accepted, seconds, len(writes), sum(writes), lags)


async def _writes(graph: Graph) -> list[int]:
    """Count the nodes that each flush wrote by the number that an item has in it."""
    answer = await graph.database.driver.execute_query(LOGGED, realm=graph.realm)
    flushes: list[set[str]] = []
    for record in answer.records:
        if record["number"] == 0:
            flushes.append(set())
        flushes[-1].add(record["memory"])
    return [len(nodes) for nodes in flushes]


def replay_lines(costs: Replay, book: str) -> list[Measurement]:
    """Return the lines of a replay."""
    lag = quantiles(costs.lags, n=100)[98]
    speed, rate = costs.events / costs.seconds, f"{costs.items / costs.seconds:,.0f}/s"
    return [
        Measurement(f"raw events, {book}", costs.events, "events"),
        Measurement("raw events, end to end", speed, "events/s", "at least 10,000"),
        Measurement("evidence items", costs.items, "items", rate),
        Measurement("flushes", costs.flushes, ""),
        Measurement("node writes per flush", costs.writes / costs.flushes, "nodes", "one a node"),
        Measurement("lag p99", lag, "flushes", "limit 2"),
    ]


def adapter(path: Path) -> list[Measurement]:
    """Measure the adapter alone, and its memory for a tenth of a file and for the whole."""
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


async def create_levels(graph: Graph, count: int, symbol: str, *, archive_at: int) -> None:
    """Create levels, some thousand a symbol, without the evidence behind them."""
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
        "anchor": to_micros(NOW),
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


async def read_time(graph: Graph, symbols: int) -> tuple[float, float]:
    """Return median and p99 milliseconds of the levels within 50 basis points of a price."""
    times = []
    for number in range(WARM + READS):
        symbol = f"N{number * 37 % symbols}"
        price = f"{100 * 1.0006 ** (number * 7 % PER_SYMBOL):.4f}"
        times.append(await timed(graph.memories.levels(symbol, near=price, bps=50, at=NOW)))
    cuts = quantiles(times[WARM:], n=100)
    return cuts[49], cuts[98]


async def reads_and_archive(graph: Graph, count: int, few: int) -> list[Measurement]:
    """Measure reads and the archive job, first with few levels, then with many."""
    later = to_micros(NOW + timedelta(hours=3))
    lines, total, p99 = [], 0, {}
    await graph.memories.archive(NOW)  # the server plans the statement once
    for size in (few, count):
        await create_levels(graph, size - total, "M" if total else "N", archive_at=later)
        total = size
        median, p99[size] = await read_time(graph, few // PER_SYMBOL)
        lines += [
            Measurement(f"near price, {size:,} levels, p50", median, "ms"),
            Measurement(f"near price, {size:,} levels, p99", p99[size], "ms", "limit 10"),
        ]
        for due in (0, DUE, DUE * 10):
            await _create_due_levels(graph, due, f"D{size}-{due}-")
            start = time.perf_counter()
            archived = await graph.memories.archive(NOW)
            ms = (time.perf_counter() - start) * 1000
            name = f"archive, {size:,} levels, {due:,} due"
            lines.append(Measurement(name, ms, "ms", f"{archived:,} archived"))
    ratio = p99[count] / p99[few]
    return [*lines, Measurement("p99, many / few levels", ratio, "x", "limit 2")]


async def _create_due_levels(graph: Graph, count: int, symbol: str) -> None:
    due = to_micros(NOW) - 60_000_000
    await create_levels(graph, count, symbol, archive_at=due)
    await graph.database.driver.execute_query(
        "CYPHER 25 MATCH (m:Memory {realm: $realm, clock: 'wall'}) WHERE m.archive_at <= $due "
        "SET m.anchor = $due - 10000000000",
        realm=graph.realm,
        due=due,
    )


async def measure(server: OwnServer, path: Path | None, count: int) -> list[Measurement]:
    """Measure everything, each piece in a realm of its own."""
    lines: list[Measurement] = []
    clock = FixedClock(NOW)
    if path is not None:
        books = (("all of the order book", 0.0), ("its large levels only", LARGE_USD))
        for book, minimum_usd in books:
            async with server.graph(clock=clock) as graph:
                lines += replay_lines(await replay(graph, path, minimum_usd), book)
        lines += adapter(path)
    async with server.graph(clock=clock) as graph:
        lines += await reads_and_archive(graph, count, min(FEW, count))
    return lines


def main(path: Path = CAPTURE, count: int = MANY) -> None:
    capture = path if path.is_file() else None
    if capture is None:
        print(f"no capture at {path}: its figures are left out; give its path as an argument")
    with own_server() as server:
        publish("memories", asyncio.run(measure(server, capture, count)))


if __name__ == "__main__":
    words = sys.argv[1:]
    main(Path(words[0]) if words else CAPTURE, int(words[1]) if len(words) > 1 else MANY)
