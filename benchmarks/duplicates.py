"""Texts changed in one detail and texts said again: which of them consolidation archives.

`benchmarks/duplicate_pairs.json` holds 40 pairs of each, half English, half German.
"""

import asyncio
import json
import tempfile
import uuid
from collections.abc import Sequence
from pathlib import Path

from benchmarks.table import Measurement, publish
from engine.clock import SystemClock
from engine.consolidation import ConsolidationReport
from engine.graph import Graph
from engine.local import server
from engine.local.home import Home
from engine.settings import LocalSettings

PAIRS = Path(__file__).with_name("duplicate_pairs.json")
Pair = dict[str, str]


def pairs(kind: str) -> list[Pair]:
    """Return the pairs of a kind: changed or repeated."""
    found: list[Pair] = json.loads(PAIRS.read_text())[kind]
    return found


async def consolidate_pairs(graph: Graph, chosen: Sequence[Pair]) -> ConsolidationReport:
    """Remember the first texts and consolidate, then the second ones and report about those."""
    for side in ("first", "second"):
        items = [{"id": f"{side} {at}", "text": pair[side]} for at, pair in enumerate(chosen)]
        await graph.memories.remember_many(items)
        report = await graph.consolidation.consolidate()
    return report


async def near_enough(graph: Graph, chosen: Sequence[Pair], archived: set[str]) -> int:
    """Count the pairs whose vectors are as near as those of a duplicate."""
    limit, count = graph.settings.consolidation.near_duplicate_exact, len(archived)
    for at in range(len(chosen)):
        if f"second {at}" not in archived:
            told = await graph.consolidation.explain(f"first {at}", f"second {at}")
            count += told.cosine is not None and told.cosine >= limit
    return count


async def measure(uri: str, auth: tuple[str, str]) -> list[Measurement]:
    """Measure both kinds of pairs, each in a realm of its own."""
    found = []
    for kind in ("changed", "repeated"):
        realm = f"bench-{uuid.uuid4().hex[:8]}"
        async with Graph.open(uri, auth=auth, realm=realm, clock=SystemClock()) as graph:
            chosen = pairs(kind)
            report = await consolidate_pairs(graph, chosen)
            archived = {item.id for item in report.duplicates}
            near = await near_enough(graph, chosen, archived)
            await graph.realms.delete(realm)
        beside = f"{len(archived)} of {near} with near vectors, {len(chosen)} pairs"
        found.append(Measurement(f"{kind}, archived", len(archived) / max(1, near), "", beside))
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        try:
            state = server.start(home, LocalSettings())
            auth = (server.USER, server.password(home))
            publish("duplicates", asyncio.run(measure(state.uri, auth)))
        finally:
            server.stop(home)


if __name__ == "__main__":
    main()
