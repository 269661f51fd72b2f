"""Share of changed and of repeated texts that consolidation archives as duplicates.

`benchmarks/duplicate_pairs.json` holds 40 pairs of each, half English, half German.
"""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from asterism.consolidation import ConsolidationReport
from asterism.graph import Graph
from benchmarks.servers import OwnServer, own_server
from benchmarks.table import Measurement, publish

PAIRS = Path(__file__).with_name("duplicate_pairs.json")
Pair = dict[str, str]


def pairs(kind: str) -> list[Pair]:
    """Return the pairs of a kind: changed or repeated."""
    chosen: list[Pair] = json.loads(PAIRS.read_text())[kind]
    return chosen


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
            pair = await graph.consolidation.explain(f"first {at}", f"second {at}")
            count += pair.cosine is not None and pair.cosine >= limit
    return count


async def measure(server: OwnServer) -> list[Measurement]:
    """Measure both kinds of pairs, each in a realm of its own."""
    measurements = []
    for kind in ("changed", "repeated"):
        async with server.graph() as graph:
            chosen = pairs(kind)
            report = await consolidate_pairs(graph, chosen)
            archived = {item.id for item in report.duplicates}
            similar = await near_enough(graph, chosen, archived)
            await graph.realms.delete(graph.realm)
        share = len(archived) / max(1, similar)
        comment = f"{len(archived)} of {similar} with near vectors, {len(chosen)} pairs"
        measurements.append(Measurement(f"{kind}, archived", share, "", comment))
    return measurements


def main() -> None:
    with own_server() as server:
        publish("duplicates", asyncio.run(measure(server)))


if __name__ == "__main__":
    main()
