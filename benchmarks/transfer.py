"""A realm to a file and back: how long it takes, how large the file is, how much memory it needs.

    python -m benchmarks.transfer [SIZE ...]

SIZE is a number of memories, each with a text, a vector of 384 numbers and one edge. The file is
made here, imported, and exported again: it has to be the same. Memory is this process's, above what
it needed before; the server's own is what it was given.
"""

import asyncio
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from benchmarks.table import Measurement, publish
from engine import connection, schema
from engine.clock import SystemClock
from engine.realms import Realms
from engine.settings import valid_settings
from engine.transfer import Header, Model, file, rows
from engine.transfer.values import encoded

REALM = "bench-transfer"
SIZES = (10_000,)
MB = 1 << 20


class Peak:
    """The most memory this process has needed, looked at all the time."""

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._over = threading.Event()
        self._before = self.most = self._process.memory_info().rss
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def _look(self) -> None:
        while not self._over.wait(0.02):
            self.most = max(self.most, self._process.memory_info().rss)

    def end(self) -> float:
        """How much more it was than at the beginning, in MB."""
        self._over.set()
        self._thread.join()
        return (self.most - self._before) / MB


def lines(size: int) -> Iterator[bytes]:
    """A realm of memories in a chain."""
    cloud = np.random.default_rng(7)
    model = {"name": "bench", "dimensions": 384, "mean": 0.0, "spread": 0.065, "caption": "bench"}
    yield rows.line({"labels": ["EmbeddingModel"], "properties": model})
    for number in range(size):
        vector = cloud.normal(size=384).astype(np.float32).astype(np.float64).tolist()
        told: dict[str, Any] = {"id": _id(number), "text": f"Case {number} of the harbour office."}
        told |= {"embedding": vector, "kind": "text", "strength": 1.0, "number": number}
        told["at"] = {"type": "ZONED DATETIME NOT NULL", "text": "2026-03-02T12:00:00Z"}
        yield rows.node_line(["Memory", "Text"], list(told.items()), REALM)
    yield rows.line({"labels": ["Realm"], "properties": {"n": size}})
    for number in range(size - 1):
        edge = encoded({"realm": REALM, "edge_id": _id(number), "weight": 0.5}.items(), REALM)
        ends = {"from": ["Memory", _id(number)], "to": ["Memory", _id(number + 1)]}
        yield rows.line(ends | {"type": "SIMILAR", "properties": edge})


def _id(number: int) -> str:
    return f"m{number:09}"


def header(size: int) -> Header:
    """The first line of such a file."""
    model = Model(name="bench", dimensions=384, mean=0.0, spread=0.065)
    return Header(
        schema_version=schema.version(),
        engine=file.engine_version(),
        realm=REALM,
        model=model,
        nodes=size + 2,
        relationships=size - 1,
    )


async def measured(name: str, size: int, work: Awaitable[Any], note: str) -> list[Measurement]:
    peak, start = Peak(), time.perf_counter()
    await work
    seconds, memory = time.perf_counter() - start, peak.end()
    rate = f"{2 * size / seconds:,.0f} lines/s"
    return [
        Measurement(f"{name} {size:,} memories", seconds, "s", f"{rate}{note}"),
        Measurement(f"{name} {size:,} memories, memory", memory, "MB"),
    ]


async def once(size: int, folder: Path) -> list[Measurement]:
    """There and back."""
    first, again = folder / "first.jsonl", folder / "again.jsonl"
    file.write(first, header(size), lines(size), lambda: None)
    note = f", a file of {first.stat().st_size / MB:.0f} MB"
    settings = valid_settings(None)
    async with connection.opened(settings, REALM, SystemClock()) as database:
        await schema.apply(database)
        realms = Realms(database)
        await realms.delete(REALM)
        found = await measured("import", size, realms.load(first), note)
        found += await measured("export", size, realms.export(again), note)
        await realms.delete(REALM)
    if first.read_bytes() != again.read_bytes():
        raise SystemExit("the exported file is not the imported one")
    return found


def main() -> None:
    """Run, print, write."""
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()] or SIZES
    found: list[Measurement] = []
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            found += asyncio.run(once(size, Path(folder)))
    publish("transfer", found)


if __name__ == "__main__":
    main()
