"""Causality: time of extraction, speed of recording, memory of Python and of the server.

A million lines take some minutes. `python -m benchmarks.causality 100000` leaves them out.
"""

import asyncio
import random
import sys
import time
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil

from asterism.causality import Extraction, Line, Transcript, extract
from asterism.causality.transcripts import readers
from asterism.graph import Graph
from benchmarks.servers import OwnServer, own_server
from benchmarks.table import Measurement, publish
from benchmarks.timing import seconds

SESSION_FILE = Path(__file__).parent.parent / "tests" / "transcripts" / "drowned_bell.csv"
DM = "Petra"
SESSION_LINES = 2500
EVENING_LINES = 4000
STEPS = 10  # at which memory is read
SIZES = (100_000, 1_000_000)
EXTRACTED = (1_000, 10_000, 100_000)
BARE = "UNWIND $rows AS row CREATE (line:Moment) SET line = row"


@cache
def session_lines() -> list[Line]:
    """Return the lines of a session that a person wrote."""
    return readers.read(SESSION_FILE)


def session(name: str, lines: int, seed: int) -> Transcript:
    """Return lines of the session in another order, numbered so that no two are equal."""
    rng, originals = random.Random(seed), session_lines()
    chosen = [rng.choice(originals) for _ in range(lines)]
    players = sorted({line.author_name for line in originals} - {DM})
    numbered = [
        (number, line.author_name, f"{line.content} {number % 97}")
        for number, line in enumerate(chosen)
    ]
    return Transcript.of((name, numbered, DM, players))


def extraction() -> list[Measurement]:
    """Measure the processor time of the pure kernel, and how it grows with the lines."""
    measurements, per_thousand = [], {}
    extract(session("warm", 1_000, 0))
    for lines in EXTRACTED:
        transcript = session("timed", lines, lines)
        rounds = [_processor(transcript) for _ in range(3)]
        per_thousand[lines] = min(rounds) * 1000 / (lines / 1000)
        name = f"extract {lines} lines, per 1,000"
        measurements.append(Measurement(name, per_thousand[lines], "ms", "limit 250"))
    for less, more in pairwise(EXTRACTED):
        ratio = per_thousand[more] / per_thousand[less] * 10
        measurements.append(Measurement(f"time of {more} / of {less}", ratio, "x", "limit 12"))
    return measurements


def _processor(transcript: Transcript) -> float:
    start = time.process_time()
    extract(transcript)
    return time.process_time() - start


async def recording(server: OwnServer, lines: int, *, utterances: bool) -> list[Measurement]:
    """Record sessions of 2,500 lines, one transaction each, without embeddings.

    The memory of Python is read ten times on the way, so that growth shows.
    """
    rows, duration, python, neo4j = 0, 0.0, psutil.Process(), psutil.Process(server.pid)
    sessions = max(1, lines // SESSION_LINES)
    lines = sessions * SESSION_LINES
    sizes, server_sizes = list[int](), list[int]()
    async with server.graph(f"bench-{lines}-{utterances}") as graph:
        for number in range(sessions):
            transcript = session(f"s{number}", SESSION_LINES, number)
            start = time.perf_counter()
            report = await graph.causality.record(
                transcript.session_id,
                transcript.lines,
                dm=transcript.dm,
                players=transcript.players,
                embed=False,
                utterances=utterances,
            )
            duration += time.perf_counter() - start
            rows += count_rows(report.extraction, report.prompts, utterances)
            if (number + 1) * STEPS // sessions > number * STEPS // sessions:
                sizes.append(python.memory_info().rss)
                server_sizes.append(neo4j.memory_info().rss)
    content = "with lines" if utterances else "links only"
    name = f"record {lines:,} lines, {content}"
    on_the_way = ", ".join(f"{size / 1e6:.0f}" for size in sizes)
    return [
        Measurement(name, duration, "s", "extraction included"),
        Measurement(f"{name}: a second", lines / duration, "lines/s"),
        Measurement(f"{name}: written", rows / duration, "rows/s", f"{rows:,} rows"),
        Measurement(f"{name}: Python at most", max(sizes) / 1e6, "MB", on_the_way),
        Measurement(f"{name}: Python, end / first tenth", sizes[-1] / sizes[0], "x", "flat is 1"),
        Measurement(f"{name}: Neo4j at most", max(server_sizes) / 1e6, "MB"),
    ]


def count_rows(extraction: Extraction, prompts: int, utterances: bool) -> int:
    """Count the nodes and relationships of one session."""
    metrics = extraction.metrics
    nodes = metrics.intents + metrics.consequences
    lines = extraction.lines + nodes if utterances else 0
    return nodes + metrics.intents + metrics.claimed + prompts + lines


async def evening(server: OwnServer) -> list[Measurement]:
    """Record one long evening, embed it, record it as memories, each beside bare writing."""
    lines: list[Measurement] = []
    for turn in ("warm", "first", "second"):
        graphs = (server.graph(f"bench-{turn}-{name}") for name in ("links", "memories"))
        for graph, remembers in zip(graphs, (False, True), strict=True):
            async with graph:
                measured = await _evening(graph, remembers=remembers)
                await graph.realms.delete(graph.realm)
            lines += [] if turn == "warm" else measured
    best = {line.name: line for line in sorted(lines, key=lambda line: -line.value)}
    return [best[name] for name in dict.fromkeys(line.name for line in lines)]


async def _evening(graph: Graph, *, remembers: bool) -> list[Measurement]:
    """Record one evening, as memories or with vectors made afterwards, and write it barely."""
    transcript = session("evening", EVENING_LINES, 2)
    await graph.embedding.documents(["warm"])
    options: dict[str, Any] = {"dm": transcript.dm, "players": transcript.players}
    options["remember_session"] = remembers
    start = time.process_time()
    written = await seconds(graph.causality.record("evening", transcript.lines, **options))
    python = time.process_time() - start
    rows = [
        {"realm": graph.realm, "id": str(number), "text": line.content}
        for number, line in enumerate(transcript.lines)
    ]
    bare = await seconds(graph.database.driver.execute_query(BARE, rows=rows))
    name = f"record {EVENING_LINES:,} lines{' and remember them' if remembers else ''}"
    comment = f"limit 5, {python:.1f} of it in Python, {written / bare:.1f}x bare writing"
    lines = [Measurement(name, written, "s", comment)]
    if not remembers:
        embedded = await seconds(graph.causality.embed())
        lines += [
            Measurement("bare nodes of their texts", bare, "s", "one statement, indexed"),
            Measurement("their vectors, by the next question", embedded, "s", "not waited for"),
        ]
    return lines


def main(sizes: tuple[int, ...] = SIZES) -> None:
    lines = extraction()
    with own_server() as server:
        lines += asyncio.run(evening(server))
        publish("causality", lines)
        for size in sizes:
            for utterances in (False, True):
                lines += asyncio.run(recording(server, size, utterances=utterances))
                publish("causality", lines)


if __name__ == "__main__":
    main(tuple(int(size) for size in sys.argv[1:]) or SIZES)
