"""Edges among the notes and manuals of `benchmarks/data`, and how many join what belongs together.

`python -m benchmarks.joined_notes`. Whoever wrote the notes marked the pairs before anything was
measured.
"""

import asyncio
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from asterism.graph import Graph
from benchmarks.servers import OwnServer, own_server
from benchmarks.table import Measurement, publish

DATA = Path(__file__).parent / "data"
SETS = ("notes_person_a", "notes_person_b", "notes_german")
SIGNALS = ("kin", "cosine")
ORDERS = 3

Pair = frozenset[str]


@dataclass(frozen=True)
class MarkedTexts:
    """Texts as they are remembered, and the pairs that belong together."""

    items: list[dict[str, Any]]
    related: set[Pair]


def notes(name: str) -> MarkedTexts:
    """Return the notes of one person."""
    document = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    items = [
        {
            "id": note["id"],
            "text": note["text"],
            "tags": note["tags"],
            "at": datetime.fromisoformat(note["date"]).replace(hour=12, tzinfo=UTC),
        }
        for note in document["notes"]
    ]
    return MarkedTexts(items, {frozenset(pair) for pair in document["related"]})


def manuals() -> MarkedTexts:
    """Return the paragraphs of all manuals, those of one program belonging together."""
    document = json.loads((DATA / "manual_pages.json").read_text(encoding="utf-8"))
    items, related = [], set()
    for program in document["programs"]:
        ids = [paragraph["id"] for paragraph in program["paragraphs"]]
        related |= {frozenset((a, b)) for a in ids for b in ids if a < b}
        items += [{"id": each["id"], "text": each["text"]} for each in program["paragraphs"]]
    return MarkedTexts(items, related)


async def joined(
    server: OwnServer, items: Sequence[dict[str, Any]], signal: str, step: int | None = None
) -> set[Pair]:
    """Return the pairs that consolidation joins, of one batch or of so many texts at a time."""
    async with server.graph(settings={"consolidation": {"signal": signal}}) as graph:
        await graph.memories.remember_many(items)
        while (await graph.consolidation.consolidate(step)).waiting_after:
            pass
        pairs = await _pairs(graph)
        await graph.realms.delete(graph.realm)
        return pairs


async def _pairs(graph: Graph) -> set[Pair]:
    answer = await graph.database.driver.execute_query(
        "MATCH (a:Memory {realm: $realm})-[:SIMILAR]->(b) RETURN a.id AS a, b.id AS b",
        realm=graph.realm,
    )
    return {frozenset((row["a"], row["b"])) for row in answer.records}


async def measure(server: OwnServer) -> list[Measurement]:
    """Measure every set by both signals, and the order of arrival by the default one."""
    lines: list[Measurement] = []
    for name in SETS:
        texts = notes(name)
        for signal in SIGNALS:
            lines += _described(name, signal, texts, await joined(server, texts.items, signal))
    texts = manuals()
    for signal in SIGNALS:
        pairs = await joined(server, texts.items, signal)
        lines += _described("manual_pages", signal, texts, pairs)
        share = len(pairs) / len(texts.items)
        limit = "limit 1.6" if signal == "kin" else ""
        lines.append(Measurement(f"manual_pages, {signal}: edges a paragraph", share, "", limit))
    return lines + await _orders(server)


def _described(name: str, signal: str, texts: MarkedTexts, pairs: set[Pair]) -> list[Measurement]:
    count, right = len(texts.items), len(pairs & texts.related)
    alone = count - len(frozenset().union(*pairs))
    comment = f"{right} of {len(texts.related)} marked pairs, {alone} of {count} texts alone"
    lines = [Measurement(f"{name}, {signal}: edges", len(pairs), "edges", comment)]
    if pairs:
        share = right / len(pairs)
        lines.append(Measurement(f"{name}, {signal}: of them right", share, "", "by the marks"))
    return lines


async def _orders(server: OwnServer) -> list[Measurement]:
    """Measure how equal the edges are when texts come one by one or in other orders."""
    lines = []
    for name in SETS[:2]:
        items = notes(name).items
        batch = await joined(server, items, "kin")
        for order in range(ORDERS + 1):
            shuffled = [*items]
            if order:
                random.Random(order).shuffle(shuffled)
            pairs = await joined(server, shuffled, "kin", step=10 if order else 1)
            share = len(pairs & batch) / max(1, len(pairs | batch))
            how = f"order {order}, tens" if order else "one by one"
            lines.append(
                Measurement(f"{name}, {how}: equal edges", share, "", f"{len(pairs)} edges")
            )
    return lines


def main() -> None:
    with own_server() as server:
        publish("joined_notes", asyncio.run(measure(server)))


if __name__ == "__main__":
    main()
