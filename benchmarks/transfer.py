"""Transfer: time, file size and memory of an import and an export, and how both grow.

    python -m benchmarks.transfer [SIZE ...]

SIZE is a number of texts, each with a vector of 384 numbers, names, words, a session and an edge.
The file is made here, imported, and exported again, and both files have to be the same. Memory is
that of the process that imports or exports, each in one of its own. What the smaller sizes have
imported stays in other realms of the server until the end.
"""

import asyncio
import math
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from asterism import connection, schema, search_index
from asterism.clock import SystemClock
from asterism.database import Row
from asterism.realm_names import realm_key
from asterism.realms import NoRealm, Realms
from asterism.settings import RecallSettings, valid_settings
from asterism.transfer import Header, Model, realm_file, rows
from benchmarks.table import Measurement, publish

REALM = "bench-transfer"
SIZES = (2_500, 10_000)
MB = 1 << 20
IN_SESSION = 20
TIED_WORDS = RecallSettings().tied_words
NOON = {"type": "ZONED DATETIME NOT NULL", "text": "2026-03-02T12:00:00Z"}
MEMORY: Row = {
    **{"kind": "text", "state": "live", "clock": "active", "decay": "exp", "tier": "durable"},
    **{"category": "", "tags": [], "tag_keys": search_index.tag_keys(REALM, []), "marks": []},
    **{"realm_key": realm_key(REALM), "indexed": True, "embedding_model": "bench"},
    **{"anchor": 0, "archive_at": 10_782_346_211_125, "archive_below": 0.05, "strength": 1.0},
    **{"rate": 2.7783677271121746e-07, "confidence": 0.5, "interaction_count": 0},
    **{"cosine_deviation": 0.02488015248084957, "cosine_mean": 0.871161244432178},
}
EDGE: Row = {"realm": REALM, "weight": 0.5, "cosine": 0.625, "origin": "similarity"}
EDGE |= {"created_at": NOON, "reinforcement_count": 0}


def nodes(size: int, index: Row) -> Iterator[bytes]:
    """Yield the lines of a realm of texts with their names, words and sessions."""
    cloud = np.random.default_rng(7)
    model = {"name": "bench", "dimensions": 384, "mean": 0.0, "spread": 0.065, "caption": "bench"}
    yield _node("EmbeddingModel", model)
    for number in range(size):
        vector = cloud.normal(size=384).astype(np.float32).astype(np.float64).tolist()
        yield _node("Memory", _text(number) | {"embedding": vector}, "Text")
    for name in index["names"]:
        yield _node("Name", {"key": name["key"], "memory_count": len(name["places"])})
    for term in index["terms"]:
        yield _node("Term", {"stem": term["stem"], "memory_count": len(term["places"])})
    for number in range(-(-size // IN_SESSION)):
        yield _node("Session", {"id": f"s{number}", "arrivals": IN_SESSION})
    yield _node("Realm", {"created_at": NOON, "text_count": size})


def relationships(size: int, index: Row) -> Iterator[bytes]:
    """Yield the lines of what joins the texts of such a realm."""
    for name in index["names"]:
        yield from _all_joined(name["places"], "MENTIONS", ("Name", name["key"]))
        yield from _all_joined(name["subject"], "ABOUT", ("Name", name["key"]))
    for term in index["terms"]:
        if len(term["places"]) <= TIED_WORDS:
            yield from _all_joined(term["places"], "HAS_TERM", ("Term", term["stem"]))
    for number in range(size):
        yield _joined(number, "IN_SESSION", ("Session", f"s{number // IN_SESSION}"))
    for number in range(size - 1):
        following = ("Memory", _id(number + 1))
        if (number + 1) % IN_SESSION:
            yield _joined(number, "NEXT", following)
        yield _joined(number, "SIMILAR", following, edge_id=_id(number), **EDGE)


def _all_joined(numbers: list[int], type: str, end: tuple[str, str]) -> Iterator[bytes]:
    return (_joined(number, type, end) for number in numbers)


def _text(number: int) -> Row:
    """Return the properties of one text, as many as a consolidated memory has."""
    text = f"Ansel{number % 997} of the harbour office filed case {number} for Rome{number % 89}."
    facts = {
        "id": _id(number),
        "text": text,
        "passage": text,
        "caption": text[:40],
        "session": f"s{number // IN_SESSION}",
        "arrival": 1_795_137_548_602_436_039 + number,
        "promoted_seq": number + 1,
        "digest": f"{number:032x}",
        "first_seen": NOON,
        "remembered_at": NOON,
        "locked_at": NOON,
    }
    return facts | MEMORY


def _node(label: str, properties: Row, *further: str) -> bytes:
    return rows.node_line([label, *further], properties, REALM)


def _joined(number: int, type: str, end: tuple[str, str], **properties: Any) -> bytes:
    return rows.relationship_line(type, ("Memory", _id(number)), end, properties, REALM)


def _id(number: int) -> str:
    return sha256(str(number).encode()).hexdigest()[:16]


def file(path: Path, size: int) -> int:
    """Write the file of a realm of some size, and return its number of lines."""
    unsaid = {"about": None, "speaker": None}
    index = search_index.index_rows([unsaid | _text(number) for number in range(size)])
    node_count = 2 + size + -(-size // IN_SESSION) + len(index["names"]) + len(index["terms"])
    relationship_count = sum(1 for _ in relationships(size, index))
    model = Model(name="bench", dimensions=384, mean=0.0, spread=0.065)
    header = Header(
        schema_version=schema.version(),
        engine=realm_file.engine_version(),
        realm=REALM,
        model=model,
        nodes=node_count,
        relationships=relationship_count,
    )
    realm_file.write(path, header, chain(nodes(size, index), relationships(size, index)))
    return node_count + relationship_count


def work(verb: str, path: Path, realm: str) -> tuple[float, float, float]:
    """Return seconds, memory before and most memory of one import or export in this process."""

    async def inside() -> tuple[float, float, float]:
        async with connection.opened(valid_settings(None), realm, SystemClock()) as database:
            await schema.apply(database)
            realms = Realms(database)
            before, start = _most_memory(), time.perf_counter()
            if verb == "import":
                await realms.load(path)
            elif verb == "export":
                await realms.export(path)
            else:
                await realms.delete(realm)
            return time.perf_counter() - start, before, _most_memory()

    return asyncio.run(inside())


def _most_memory() -> float:
    """Return the most MB that this process has used."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def once(size: int, folder: Path) -> tuple[list[Measurement], dict[str, float]]:
    """Measure one import and one export, each in a process of its own."""
    first, again, realm = folder / "first.jsonl", folder / "again.jsonl", f"{REALM}-{size}"
    count = file(first, size)
    measurements: list[Measurement] = []
    spent: dict[str, float] = {}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context, max_tasks_per_child=1) as processes:
        for verb, path in (("import", first), ("export", again)):
            seconds, before, most = processes.submit(work, verb, path, realm).result()
            spent[verb] = seconds
            note = f"{size / seconds:,.0f} memories/s, {count / seconds:,.0f} lines/s; memory "
            note += (
                f"{before:.0f} MB before, {most:.0f} MB at most; {path.stat().st_size / MB:.0f} MB"
            )
            measurements.append(Measurement(f"{verb} {size:,} memories", seconds, "s", note))
    if sorted(first.read_bytes().splitlines()[1:-1]) != sorted(
        again.read_bytes().splitlines()[1:-1]
    ):
        raise SystemExit("the exported lines are not the imported ones")
    return measurements, spent


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()] or SIZES
    measurements: list[Measurement] = []
    spent: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            for size in sizes:
                lines_of_size, seconds = once(size, Path(folder))
                measurements += lines_of_size
                spent.append(seconds)
        finally:
            for size in sizes:
                asyncio.run(delete(f"{REALM}-{size}"))
    for verb in ("import", "export") if len(sizes) > 1 else ():
        growth = math.log(spent[-1][verb] / spent[0][verb]) / math.log(sizes[-1] / sizes[0])
        note = f"{sizes[0]:,} to {sizes[-1]:,} memories; 1 is linear; limit 1.1"
        measurements.append(Measurement(f"{verb}, exponent", growth, "", note))
    publish("transfer", measurements)


async def delete(realm: str) -> None:
    """Delete a realm, if it is there."""
    async with connection.opened(valid_settings(None), realm, SystemClock()) as database:
        with suppress(NoRealm):
            await Realms(database).delete(realm)


if __name__ == "__main__":
    main()
