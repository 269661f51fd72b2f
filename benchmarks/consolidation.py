"""Consolidation of marked notes, compared with elfmem 0.20 on the same texts, and its growth.

`python -m benchmarks.consolidation [PYTHON [ACTIVE]]`: a Python that has elfmem 0.20.0 (without it
one is installed in a temporary folder), and how many active memories the last measurement has.
"""

import asyncio
import json
import math
import subprocess
import sys
import time
import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from asterism.consolidation.arrays import (
    Floats32,
    MemoryArrays,
    MemoryFacts,
    Vocabulary,
    build_arrays,
)
from asterism.consolidation.decision import Batch, batch_pairs, compare, decide, wording_ids
from asterism.consolidation.exact_search import Rules
from asterism.consolidation.kin_edges import may_join
from asterism.consolidation.kin_search import KinSearch, claims_of
from asterism.consolidation.realm_scale import (
    RealmSample,
    measure_realm,
    measure_texts,
    sample_rows,
)
from asterism.consolidation.shared_words import WordPairs
from asterism.embedding import Calibration
from asterism.graph import Graph
from asterism.settings import ConsolidationSettings
from asterism.text.wording import wording
from benchmarks import joined_notes
from benchmarks.servers import OwnServer, own_server
from benchmarks.table import Measurement, publish

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
    """Texts in clusters, each with tags out of forty and one of three categories."""

    items: list[dict[str, Any]]
    vectors: Floats32

    def write(self, folder: Path) -> None:
        np.save(folder / "vectors.npy", self.vectors)
        (folder / "items.json").write_text(json.dumps(self.items))

    def arrays(self, first: int, last: int, vocabulary: Vocabulary) -> MemoryArrays:
        facts = [
            MemoryFacts(item["id"], item["tags"], item["category"], number)
            for number, item in enumerate(self.items[first:last])
        ]
        return build_arrays(facts, self.vectors[first:last], vocabulary)


class CorpusEmbedder:
    """Embedder that returns the vector of each text of a corpus."""

    name, dimensions = "benchmark", DIMENSIONS

    def __init__(self, corpus: Corpus) -> None:
        rows = zip(corpus.items, corpus.vectors, strict=True)
        self._vectors = {item["text"]: vector for item, vector in rows}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self._vectors[text].tolist() for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def make_corpus(count: int) -> Corpus:
    """Return so many texts, the same in every run."""
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


async def run_ours(server: OwnServer, corpus: Corpus, active: int, waiting: int) -> Any:
    """Run a whole consolidation on the server and return its time, report, edges and recall."""
    embedder = CorpusEmbedder(corpus)
    async with server.graph(embedder=embedder, settings={"consolidation": PARITY}) as graph:
        if active:
            await graph.memories.remember_many(corpus.items[:active])
            await graph.consolidation.consolidate()
        await graph.memories.remember_many(corpus.items[active : active + waiting])
        start = time.perf_counter()
        report = await graph.consolidation.consolidate()
        seconds = time.perf_counter() - start
        if len(report.runs) > 1:  # the peer takes all in one batch
            await graph.consolidation.rebuild()
        rows = await graph.database.driver.execute_query(
            "MATCH (a:Memory {realm: $realm})-[e:SIMILAR]->(b) "
            "RETURN a.text AS a, b.text AS b, e.weight AS weight",
            realm=graph.realm,
        )
        edges = {frozenset((row["a"], row["b"])): row["weight"] for row in rows.records}
        texts = [item["text"] for item in corpus.items[: active + waiting]]
        recall = await question_time(graph, texts)
        await graph.realms.delete(graph.realm)
        return seconds, report, edges, recall


async def question_time(graph: Graph, texts: list[str]) -> float:
    """Return the median milliseconds of a question, once the statements are planned."""
    times = []
    for text in texts[:: max(1, len(texts) // QUESTIONS)]:
        start = time.perf_counter()
        await graph.recall.find(text)
        times.append((time.perf_counter() - start) * 1000)
    return median(times)


def compute_time(
    corpus: Corpus, active: int, waiting: int, settings: ConsolidationSettings
) -> float:
    """Return the CPU seconds of everything between reading and writing, on the same texts."""
    vocabulary, rules = Vocabulary(), Rules(settings, Calibration())
    consolidated = corpus.arrays(0, active, vocabulary)
    texts = {item["id"]: item["text"] for item in corpus.items}
    start = time.process_time()
    batch = Batch(corpus.arrays(active, active + waiting, vocabulary), [False] * waiting, 0.0)
    comparisons = [compare(batch, consolidated, rules)]
    inner_pairs = batch_pairs(batch, rules)
    wordings = {id: wording(texts[id]) for id in wording_ids(batch, comparisons, inner_pairs)}
    decide(batch, comparisons, rules, inner_pairs, wordings)
    return time.process_time() - start


def kin_times(corpus: Corpus) -> tuple[float, float]:
    """Return the CPU seconds of measuring a corpus, and of searching kin of its last texts in it.

    A realm is measured again when it has grown by a quarter.
    """
    count = len(corpus.items)
    arrays = corpus.arrays(0, count, Vocabulary())
    start = time.process_time()
    sample = RealmSample(arrays.select(sample_rows(arrays.ids)), count)
    scale = measure_realm(sample, Calibration())
    texts = arrays.with_scales(*measure_texts(arrays, sample.arrays, scale))
    measured = time.process_time()
    nothing = WordPairs(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    rules = Rules(ConsolidationSettings(), Calibration())
    search = KinSearch(texts, scale, rules.guard, rules.settings.edge_degree_cap)
    new = np.arange(count - BATCH, count)
    best = search.best(new, nothing)
    best = best.where(np.nonzero(may_join(texts, best, rules))[0])
    claims = claims_of(best, new)
    search.best(claims.rows, nothing, claims)
    return measured - start, time.process_time() - measured


def run_peer(python: Path, folder: Path, active: int, waiting: int) -> Any:
    """Run elfmem on the same corpus and return its times and edges."""
    script = Path(__file__).with_name("peer_consolidation.py")
    command = [str(python), str(script), str(folder), str(active), str(waiting)]
    completed = subprocess.run(command, capture_output=True, text=True, check=True)
    times = json.loads(completed.stdout.splitlines()[-1])
    edges = {frozenset((a, b)): weight for a, b, weight in times.pop("edges")}
    return times, edges


def peer_environment(folder: Path) -> Path:
    """Install elfmem apart from our own environment and return its Python."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    subprocess.run([str(python), "-m", "pip", "install", "-q", PEER], check=True)
    return python


async def comparison(server: OwnServer, corpus: Corpus, python: Path) -> list[Measurement]:
    """Compare whole runs, computing and every edge with the peer's."""
    lines: list[Measurement] = []
    await run_ours(server, corpus, 1000, 1000)  # the server plans and compiles what it runs
    for active, waiting in SIZES:
        peer, theirs = run_peer(python, server.folder, active, waiting)
        rounds = [await run_ours(server, corpus, active, waiting) for _ in range(_rounds(waiting))]
        seconds = median(result[0] for result in rounds)
        report, mine, recall = rounds[-1][1:]
        settings = ConsolidationSettings.model_validate(PARITY)
        cpu = median(compute_time(corpus, active, waiting, settings) for _ in range(3))
        name = f"{waiting:,} into {active:,}"
        steps: dict[str, float] = {}
        for run in report.runs:
            for step, took in run.seconds.items():
                steps[step] = steps.get(step, 0.0) + took
        comment = " ".join(f"{step} {took:.2f}" for step, took in steps.items())
        wall, work = peer["wall"], peer["compute"]
        lines += [
            Measurement(f"{name}: whole run", seconds, "s", f"elfmem {wall:.2f}"),
            Measurement(f"{name}: whole run, times faster", wall / seconds, "x", comment),
            Measurement(f"{name}: computing", cpu, "CPU s", f"elfmem {work:.2f}"),
            Measurement(f"{name}: computing, times less CPU", work / cpu, "x"),
        ]
        lines += _parity(name, mine, theirs)
        slower = peer["recall"]
        lines += [
            Measurement(f"{name}: a question, p50", recall, "ms", f"elfmem {slower:.1f}"),
            Measurement(f"{name}: a question, times faster", slower / recall, "x"),
        ]
    return lines


def _rounds(waiting: int) -> int:
    return ROUNDS if waiting <= 100 else 1


def _parity(name: str, mine: Any, theirs: Any) -> list[Measurement]:
    common = mine.keys() & theirs.keys()
    apart = max((abs(mine[pair] - theirs[pair]) for pair in common), default=0.0)
    differ = len(mine.keys() ^ theirs.keys())
    return [
        Measurement(f"{name}: edges of both", len(common), "edges", f"{differ} of one alone"),
        Measurement(f"{name}: weights apart", apart, "", "limit 1e-6"),
    ]


def growth(corpus: Corpus, largest: int) -> list[Measurement]:
    """Measure one batch into more and more active memories, and the memory of the largest."""
    settings = ConsolidationSettings(signal="cosine")
    sizes = [largest // 10, largest // 4, largest // 2, largest]
    compute_time(corpus, sizes[0], BATCH, settings)
    times = [
        median(compute_time(corpus, size, BATCH, settings) for _ in range(3)) for size in sizes
    ]
    exponent = _slope([math.log(size) for size in sizes], [math.log(took) for took in times])
    lines = [
        Measurement(f"{BATCH:,} into {size:,}: computing", took, "CPU s")
        for size, took in zip(sizes, times, strict=True)
    ]
    measuring, searching = kin_times(corpus)
    ratio = f"{searching / times[-1]:.1f} times by cosine"
    return [
        *lines,
        Measurement(f"{largest:,}: measuring for kin", measuring, "CPU s", "a quarter more texts"),
        Measurement(f"{BATCH:,} into {largest:,}: searching by kin", searching, "CPU s", ratio),
        Measurement("exponent of computing on active", exponent, "", "limit 1.15"),
        Measurement("memory it takes", _peak(corpus, largest, settings), "MB", "limit 1,000"),
    ]


async def writes(server: OwnServer, corpus: Corpus) -> list[Measurement]:
    """Measure the commit by the number of edges that it writes."""
    points = []
    for waiting in (250, 500, 1000, 2000):
        _, report, edges, _ = await run_ours(server, corpus, 0, waiting)
        points.append((len(edges), report.runs[0].seconds["write"]))
    exponent = _slope([math.log(count) for count, _ in points], [math.log(s) for _, s in points])
    lines = [Measurement(f"commit of {count:,} edges", took, "s") for count, took in points]
    return [*lines, Measurement("exponent of the commit on edges", exponent, "", "limit 1.1")]


def _slope(x: list[float], y: list[float]) -> float:
    return float(np.polyfit(x, y, 1)[0])


def _peak(corpus: Corpus, active: int, settings: ConsolidationSettings) -> float:
    """Return the MB that one batch needs at most, without the vectors of the active memories."""
    tracemalloc.start()
    compute_time(corpus, active, BATCH, settings)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


async def measure(server: OwnServer, python: Path, largest: int) -> list[Measurement]:
    small = make_corpus(6000)
    small.write(server.folder)
    lines = await joined_notes.measure(server)
    lines += await comparison(server, small, python)
    lines += await writes(server, small)
    return lines + growth(make_corpus(largest + BATCH), largest)


def main(python: Path | None = None, largest: int = MANY) -> None:
    with own_server() as server:
        chosen = python or peer_environment(server.folder / "peer")
        publish("consolidation", asyncio.run(measure(server, chosen, largest)))


if __name__ == "__main__":
    words = sys.argv[1:]
    main(Path(words[0]) if words else None, int(words[1]) if len(words) > 1 else MANY)
