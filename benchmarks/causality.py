"""Causal links: extraction a thousand lines, recording rows a second, memory of both sides.

A million lines take some minutes; `python -m benchmarks.causality 100000` leaves them out.
"""

import asyncio
import random
import sys
import tempfile
import time
from functools import cache
from itertools import pairwise
from pathlib import Path

import psutil

from benchmarks.table import Measurement, publish
from engine.causality import Extraction, Line, Transcript, extract, readers
from engine.graph import Graph
from engine.local import server
from engine.local.home import Home
from engine.settings import LocalSettings

WRITTEN = Path(__file__).parent.parent / "tests" / "transcripts" / "drowned_bell.csv"
DM = "Petra"
SESSION_LINES = 2500
SIZES = (100_000, 1_000_000)
EXTRACTED = (1_000, 10_000, 100_000)


@cache
def spoken() -> list[Line]:
    """The lines of a session that a person wrote."""
    return readers.read(WRITTEN)


def session(name: str, lines: int, seed: int) -> Transcript:
    """Lines of a written session in another order, numbered so that no two are equal."""
    rng, written = random.Random(seed), spoken()
    said = [rng.choice(written) for _ in range(lines)]
    players = sorted({line.author_name for line in written} - {DM})
    numbered = [(at, line.author_name, f"{line.content} {at % 97}") for at, line in enumerate(said)]
    return Transcript.of((name, numbered, DM, players))


def extraction() -> list[Measurement]:
    """Processor time of the pure kernel, and whether it grows with the lines only."""
    found, per_thousand = [], {}
    extract(session("warm", 1_000, 0))
    for lines in EXTRACTED:
        transcript = session("timed", lines, lines)
        rounds = [_processor(transcript) for _ in range(3)]
        per_thousand[lines] = min(rounds) * 1000 / (lines / 1000)
        what = f"extract {lines} lines, per 1,000"
        found.append(Measurement(what, per_thousand[lines], "ms", "limit 250"))
    for less, more in pairwise(EXTRACTED):
        ratio = per_thousand[more] / per_thousand[less] * 10
        found.append(Measurement(f"time of {more} / of {less}", ratio, "x", "limit 12"))
    return found


def _processor(transcript: Transcript) -> float:
    start = time.process_time()
    extract(transcript)
    return time.process_time() - start


async def recording(home: Home, lines: int, *, utterances: bool) -> list[Measurement]:
    """Sessions of 2,500 lines, one transaction each, without embeddings."""
    state = server.start(home, LocalSettings())
    auth = (server.USER, server.password(home))
    rows, seconds, own, neo = 0, 0.0, psutil.Process(), psutil.Process(state.pid)
    peak = (own.memory_info().rss, neo.memory_info().rss)
    async with Graph.open(state.uri, auth=auth, realm=f"bench-{lines}-{utterances}") as graph:
        for at in range(lines // SESSION_LINES):
            transcript = session(f"s{at}", SESSION_LINES, at)
            start = time.perf_counter()
            report = await graph.causality.record(
                transcript.session_id,
                transcript.lines,
                dm=transcript.dm,
                players=transcript.players,
                embed=False,
                utterances=utterances,
            )
            seconds += time.perf_counter() - start
            rows += written(report.extraction, report.prompts, utterances)
            memory = own.memory_info().rss, neo.memory_info().rss
            peak = (max(peak[0], memory[0]), max(peak[1], memory[1]))
    kept = "with lines" if utterances else "links only"
    name = f"record {lines:,} lines, {kept}"
    return [
        Measurement(name, seconds, "s", "extraction included"),
        Measurement(f"{name}: written", rows / seconds, "rows/s", f"{rows:,} rows"),
        Measurement(f"{name}: Python at most", peak[0] / 1e6, "MB"),
        Measurement(f"{name}: Neo4j at most", peak[1] / 1e6, "MB"),
    ]


def written(found: Extraction, prompts: int, utterances: bool) -> int:
    """Nodes and relationships of one session."""
    measures = found.metrics
    nodes = measures.intents + measures.consequences
    lines = found.lines + nodes if utterances else 0
    return nodes + measures.intents + measures.claimed + prompts + lines


async def embedding(home: Home) -> list[Measurement]:
    """One session with its embeddings."""
    state = server.start(home, LocalSettings())
    auth = (server.USER, server.password(home))
    async with Graph.open(state.uri, auth=auth, realm="bench-embedding") as graph:
        await graph.embedding.documents(["warm"])
        transcript = session("embedded", SESSION_LINES, 1)
        start = time.perf_counter()
        report = await graph.causality.record(
            "embedded", transcript.lines, dm=transcript.dm, players=transcript.players
        )
        seconds = time.perf_counter() - start
        await graph.realms.delete(graph.realm)
    beside = f"{report.embedded} texts"
    return [Measurement(f"record {SESSION_LINES} lines, embedded", seconds, "s", beside)]


def main(sizes: tuple[int, ...] = SIZES) -> None:
    lines = extraction()
    with tempfile.TemporaryDirectory() as scratch:
        home = Home(Path(scratch, "home"))
        try:
            lines += asyncio.run(embedding(home))
            publish("causality", lines)
            for size in sizes:
                for utterances in (False, True):
                    lines += asyncio.run(recording(home, size, utterances=utterances))
                    publish("causality", lines)
        finally:
            server.stop(home)


if __name__ == "__main__":
    main(tuple(int(size) for size in sys.argv[1:]) or SIZES)
