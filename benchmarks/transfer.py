"""Transfer: time, file size and memory of an import and an export.

    python -m benchmarks.transfer [SIZE ...]

SIZE is a number of memories, each with a text, a vector of 384 numbers and one edge. The file is
made here, imported, and exported again, and both files have to be the same. Memory is that of the
process that imports or exports, each in one of its own.
"""

import asyncio
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from asterism import connection, schema
from asterism.clock import SystemClock
from asterism.realms import Realms
from asterism.settings import valid_settings
from asterism.transfer import Header, Model, realm_file, rows
from asterism.transfer.property_values import encode
from benchmarks.table import Measurement, publish

REALM = "bench-transfer"
SIZES = (10_000,)
MB = 1 << 20
NOON = {"type": "ZONED DATETIME NOT NULL", "text": "2026-03-02T12:00:00Z"}


def lines(size: int) -> Iterator[bytes]:
    """Yield the lines of a realm with memories in a chain."""
    cloud = np.random.default_rng(7)
    model = {"name": "bench", "dimensions": 384, "mean": 0.0, "spread": 0.065, "caption": "bench"}
    yield rows.line({"labels": ["EmbeddingModel"], "properties": model})
    for number in range(size):
        vector = cloud.normal(size=384).astype(np.float32).astype(np.float64).tolist()
        node: dict[str, Any] = {"id": _id(number), "text": f"Case {number} of the harbour office."}
        node |= {"embedding": vector, "kind": "text", "strength": 1.0}
        node["remembered_at"] = NOON
        yield rows.node_line(["Memory", "Text"], list(node.items()), REALM)
    properties = encode({"created_at": NOON, "n": size}.items(), REALM)
    yield rows.line({"labels": ["Realm"], "properties": properties})
    for number in range(size - 1):
        edge = encode({"realm": REALM, "edge_id": _id(number), "weight": 0.5}.items(), REALM)
        ends = {"from": ["Memory", _id(number)], "to": ["Memory", _id(number + 1)]}
        yield rows.line(ends | {"type": "SIMILAR", "properties": edge})


def _id(number: int) -> str:
    return f"m{number:09}"


def header(size: int) -> Header:
    """Return the first line of such a file."""
    model = Model(name="bench", dimensions=384, mean=0.0, spread=0.065)
    return Header(
        schema_version=schema.version(),
        engine=realm_file.engine_version(),
        realm=REALM,
        model=model,
        nodes=size + 2,
        relationships=size - 1,
    )


def work(verb: str, path: Path) -> tuple[float, float, float]:
    """Return seconds, memory before and most memory of one import or export in this process."""

    async def inside() -> tuple[float, float, float]:
        async with connection.opened(valid_settings(None), REALM, SystemClock()) as database:
            await schema.apply(database)
            realms = Realms(database)
            before, start = _most_memory(), time.perf_counter()
            if verb == "import":
                await realms.load(path)
            elif verb == "export":
                await realms.export(path)
            else:
                await realms.delete(REALM)
            return time.perf_counter() - start, before, _most_memory()

    return asyncio.run(inside())


def _most_memory() -> float:
    """Return the most MB that this process has used."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def once(size: int, folder: Path) -> list[Measurement]:
    """Measure one import and one export, each in a process of its own."""
    first, again = folder / "first.jsonl", folder / "again.jsonl"
    realm_file.write(first, header(size), lines(size))
    measurements: list[Measurement] = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context, max_tasks_per_child=1) as processes:
        for verb, path in (("delete", first), ("import", first), ("export", again)):
            seconds, before, most = processes.submit(work, verb, path).result()
            note = f"{2 * size / seconds:,.0f} lines/s; memory {before:.0f} MB before, "
            note += f"{most:.0f} MB at most; a file of {path.stat().st_size / MB:.0f} MB"
            measurements.append(Measurement(f"{verb} {size:,} memories", seconds, "s", note))
        processes.submit(work, "delete", first).result()
    if first.read_bytes() != again.read_bytes():
        raise SystemExit("the exported file is not the imported one")
    return measurements[1:]


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()] or SIZES
    measurements: list[Measurement] = []
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            measurements += once(size, Path(folder))
    publish("transfer", measurements)


if __name__ == "__main__":
    main()
