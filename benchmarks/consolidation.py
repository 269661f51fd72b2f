"""Consolidation beside elfmem 0.20, same texts and vectors in one run; growth; 100,000 active.

`python -m benchmarks.consolidation [PYTHON [ACTIVE]]`: a Python that has elfmem 0.20.0 (without it
one is made for the occasion), and how many active memories the largest measurement has.
"""

import asyncio
import json
import math
import subprocess
import sys
import tempfile
import time
import tracemalloc
import uuid
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.table import Measurement, publish
from engine.clock import SystemClock
from engine.consolidation.blocks import Blocks, Facts, Floats32, Vocabulary, blocks
from engine.consolidation.decide import Batch, batch_pairs, compare, decide, pair_ids
from engine.consolidation.pairs import Rules
from engine.consolidation.wording import wording
from engine.embedding import Calibration
from engine.graph import Graph
from engine.local import server
from engine.local.home import Home
from engine.settings import ConsolidationSettings, LocalSettings

PEER = "elfmem==0.20.0"
DIMENSIONS, CLUSTERS = 384, 40
MANY = 100_000
BATCH = 1000
SIZES = ((0, 100), (1000, 100), (1000, 2000), (0, 4000))
PARITY = {"profile": "peer", "batch": 2000}
ROUNDS = 5
QUESTIONS = 50


@dataclass(frozen=True)
class Corpus:
    """Texts in clusters, with two or three tags of forty and one of three categories."""

    items: list[dict[str, Any]]
    vectors: Floats32

    def write(self, folder: Path) -> None:
        np.save(folder / "vectors.npy", self.vectors)
        (folder / "items.json").write_text(json.dumps(self.items))

    def blocks(self, first: int, last: int, vocabulary: Vocabulary) -> Blocks:
        facts = [
            Facts(item["id"], item["tags"], item["category"], number)
            for number, item in enumerate(self.items[first:last])
        ]
        return blocks(facts, self.vectors[first:last], vocabulary)


class Known:
    """Gives each text its vector."""

    name, dimensions = "benchmark", DIMENSIONS

    def __init__(self, corpus: Corpus) -> None:
        rows = zip(corpus.items, corpus.vectors, strict=True)
        self._vectors = {item["text"]: vector for item, vector in rows}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self._vectors[text].tolist() for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def corpus(count: int) -> Corpus:
    random = np.random.default_rng(7)
    centres = random.standard_normal((CLUSTERS, DIMENSIONS))
    vectors = centres[random.integers(0, CLUSTERS, count)]
    vectors = vectors + 0.75 * random.standard_normal((count, DIMENSIONS))
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    tags, kinds = random.integers(0, 40, (count, 3)), random.integers(0, 3, count)
    items = [
        {
            "text": f"memory number {row}",
            "id": f"m{row:07}",
            "tags": sorted({f"tag{tag}" for tag in tags[row].tolist()}),
            "category": ("knowledge", "decision", "plan")[int(kinds[row])],
        }
        for row in range(count)
    ]
    return Corpus(items, vectors.astype(np.float32))


async def ours(uri: str, auth: tuple[str, str], corpus: Corpus, active: int, fresh: int) -> Any:
    """A whole run on the server, and its edges by text."""
    realm = f"bench-{uuid.uuid4().hex[:8]}"
    options: dict[str, Any] = {"auth": auth, "embedder": Known(corpus), "clock": SystemClock()}
    async with Graph.open(uri, realm=realm, settings={"consolidation": PARITY}, **options) as graph:
        if active:
            await graph.memories.remember_many(corpus.items[:active])
            await graph.consolidation.consolidate()
        await graph.memories.remember_many(corpus.items[active : active + fresh])
        start = time.perf_counter()
        report = await graph.consolidation.consolidate()
        seconds = time.perf_counter() - start
        if len(report.runs) > 1:  # the peer takes all in one batch
            await graph.consolidation.rebuild()
        rows = await graph.database.driver.execute_query(
            "MATCH (a:Memory {realm: $realm})-[e:SIMILAR]->(b) "
            "RETURN a.text AS a, b.text AS b, e.weight AS weight",
            realm=realm,
        )
        edges = {frozenset((row["a"], row["b"])): row["weight"] for row in rows.records}
        recall = await asked(graph, [item["text"] for item in corpus.items[: active + fresh]])
        await graph.realms.delete(realm)
        return seconds, report, edges, recall


async def asked(graph: Graph, texts: list[str]) -> float:
    """Median milliseconds of a question, once the statements are planned."""
    times = []
    for text in texts[:: max(1, len(texts) // QUESTIONS)]:
        start = time.perf_counter()
        await graph.recall.find(text)
        times.append((time.perf_counter() - start) * 1000)
    return median(times)


def computed(corpus: Corpus, active: int, fresh: int, settings: ConsolidationSettings) -> float:
    """CPU seconds of everything between reading and writing, on the same texts."""
    vocabulary, rules = Vocabulary(), Rules(settings, Calibration())
    known = corpus.blocks(0, active, vocabulary)
    texts = {item["id"]: item["text"] for item in corpus.items}
    start = time.process_time()
    batch = Batch(corpus.blocks(active, active + fresh, vocabulary), [False] * fresh, 0.0)
    found = [compare(batch, known, rules)]
    among = batch_pairs(batch, rules)
    said = {id: wording(texts[id]) for id in pair_ids(batch, found, among)}
    decide(batch, found, rules, among, said)
    return time.process_time() - start


def peer(python: Path, folder: Path, active: int, fresh: int) -> Any:
    script = Path(__file__).with_name("peer_consolidation.py")
    command = [str(python), str(script), str(folder), str(active), str(fresh)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout.splitlines()[-1])
    edges = {frozenset((a, b)): weight for a, b, weight in told.pop("edges")}
    return told, edges


def peers_python(folder: Path) -> Path:
    """An environment of elfmem's own: it does not belong among ours."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    subprocess.run([str(python), "-m", "pip", "install", "-q", PEER], check=True)
    return python


async def beside(
    uri: str, auth: tuple[str, str], corpus: Corpus, python: Path, folder: Path
) -> list[Measurement]:
    """Whole runs and computing, side by side; parity of every edge."""
    lines: list[Measurement] = []
    await ours(uri, auth, corpus, 1000, 1000)  # plans and the compiler of the server are warm
    for active, fresh in SIZES:
        told, theirs = peer(python, folder, active, fresh)
        rounds = [await ours(uri, auth, corpus, active, fresh) for _ in range(_rounds(fresh))]
        seconds = median(found[0] for found in rounds)
        report, mine, recall = rounds[-1][1:]
        settings = ConsolidationSettings.model_validate(PARITY)
        cpu = median(computed(corpus, active, fresh, settings) for _ in range(3))
        name = f"{fresh:,} into {active:,}"
        steps: dict[str, float] = {}
        for run in report.runs:
            for step, took in run.seconds.items():
                steps[step] = steps.get(step, 0.0) + took
        shown = " ".join(f"{step} {took:.2f}" for step, took in steps.items())
        wall, work = told["wall"], told["compute"]
        lines += [
            Measurement(f"{name}: whole run", seconds, "s", f"elfmem {wall:.2f}"),
            Measurement(f"{name}: whole run, times faster", wall / seconds, "x", shown),
            Measurement(f"{name}: computing", cpu, "CPU s", f"elfmem {work:.2f}"),
            Measurement(f"{name}: computing, times less CPU", work / cpu, "x"),
        ]
        lines += _parity(name, mine, theirs)
        slower = told["recall"]
        lines += [
            Measurement(f"{name}: a question, p50", recall, "ms", f"elfmem {slower:.1f}"),
            Measurement(f"{name}: a question, times faster", slower / recall, "x"),
        ]
    return lines


def _rounds(fresh: int) -> int:
    return ROUNDS if fresh <= 100 else 1


def _parity(name: str, mine: Any, theirs: Any) -> list[Measurement]:
    common = mine.keys() & theirs.keys()
    apart = max((abs(mine[pair] - theirs[pair]) for pair in common), default=0.0)
    differ = len(mine.keys() ^ theirs.keys())
    return [
        Measurement(f"{name}: edges of both", len(common), "edges", f"{differ} of one alone"),
        Measurement(f"{name}: weights apart", apart, "", "limit 1e-6"),
    ]


def growth(corpus: Corpus, largest: int) -> list[Measurement]:
    """One batch into more and more active memories, and the memory that the largest takes."""
    settings = ConsolidationSettings()
    sizes = [largest // 10, largest // 4, largest // 2, largest]
    computed(corpus, sizes[0], BATCH, settings)
    times = [median(computed(corpus, size, BATCH, settings) for _ in range(3)) for size in sizes]
    exponent = _slope([math.log(size) for size in sizes], [math.log(took) for took in times])
    lines = [
        Measurement(f"{BATCH:,} into {size:,}: computing", took, "CPU s")
        for size, took in zip(sizes, times, strict=True)
    ]
    return [
        *lines,
        Measurement("exponent of computing on active", exponent, "", "limit 1.15"),
        Measurement("memory it takes", _peak(corpus, largest, settings), "MB", "limit 1,000"),
    ]


async def writes(uri: str, auth: tuple[str, str], corpus: Corpus) -> list[Measurement]:
    """How the commit grows with what it writes."""
    points = []
    for fresh in (250, 500, 1000, 2000):
        _, report, edges, _ = await ours(uri, auth, corpus, 0, fresh)
        points.append((len(edges), report.runs[0].seconds["write"]))
    exponent = _slope([math.log(count) for count, _ in points], [math.log(s) for _, s in points])
    lines = [Measurement(f"commit of {count:,} edges", took, "s") for count, took in points]
    return [*lines, Measurement("exponent of the commit on edges", exponent, "", "limit 1.1")]


def _slope(x: list[float], y: list[float]) -> float:
    return float(np.polyfit(x, y, 1)[0])


def _peak(corpus: Corpus, active: int, settings: ConsolidationSettings) -> float:
    """The most that one batch needs, vectors of the active memories aside."""
    tracemalloc.start()
    computed(corpus, active, BATCH, settings)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


async def measure(
    uri: str, auth: tuple[str, str], python: Path, folder: Path, largest: int
) -> list[Measurement]:
    small = corpus(6000)
    small.write(folder)
    lines = await beside(uri, auth, small, python, folder)
    lines += await writes(uri, auth, small)
    return lines + growth(corpus(largest + BATCH), largest)


def main(python: Path | None = None, largest: int = MANY) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        chosen = python or peers_python(folder / "peer")
        home = Home(folder / "home")
        try:
            state = server.start(home, LocalSettings())
            auth = (server.USER, server.password(home))
            lines = asyncio.run(measure(state.uri, auth, chosen, folder, largest))
            publish("consolidation", lines)
        finally:
            server.stop(home)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(Path(given[0]) if given else None, int(given[1]) if len(given) > 1 else MANY)
