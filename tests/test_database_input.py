"""Values that no server can take are refused by name, whichever call it comes in."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from asterism.errors import AsterismError, InvalidInput
from asterism.graph import Graph

HALF = "\ud800"
Call = Callable[[Graph], Awaitable[Any]]
CALLS: dict[str, Call] = {
    "memories.get": lambda graph: graph.memories.get(HALF),
    "memories.history": lambda graph: graph.memories.history(HALF),
    "memories.forget": lambda graph: graph.memories.forget(HALF),
    "memories.levels": lambda graph: graph.memories.levels(HALF),
    "memories.connect": lambda graph: graph.memories.connect(HALF, "b", "SUPPORTS"),
    "stars.get": lambda graph: graph.stars.get(HALF),
    "stars.add": lambda graph: graph.stars.add(HALF, domain="soul"),
    "stars.evidence": lambda graph: graph.stars.evidence("a", "b", "user_confirms", source=HALF),
    "stars.list": lambda graph: graph.stars.list(limit=10**30),
    "causality.links": lambda graph: graph.causality.links(HALF),
    "causality.chain": lambda graph: graph.causality.chain(HALF),
    "consolidation.edges": lambda graph: graph.consolidation.edges(HALF),
    "consolidation.explain": lambda graph: graph.consolidation.explain(HALF, "b"),
    "recall.find": lambda graph: graph.recall.find(HALF),
    "recall.why_not": lambda graph: graph.recall.why_not("lamp", HALF),
    "exploration.explore": lambda graph: graph.exploration.explore(HALF, "lamp"),
    "exploration.undo": lambda graph: graph.exploration.undo(HALF),
    "exploration.runs": lambda graph: graph.exploration.runs(10**30),
    "maintenance.history": lambda graph: graph.maintenance.history(2**63),
    "view.look": lambda graph: graph.view.look("memory", HALF),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CALLS))
async def test_what_can_not_be_sent_is_refused_by_name(graph: Graph, name: str) -> None:
    with pytest.raises(InvalidInput, match=r"^[a-z_]+="):
        await CALLS[name](graph)


async def test_the_culprit_is_found_however_deep(graph: Graph) -> None:
    with pytest.raises(InvalidInput, match=r"^rows='.ud800': it holds half a character"):
        await graph.database.rows(
            "memory_vectors/store_vectors", rows=[{"id": [HALF]}], model="none"
        )
    with pytest.raises(InvalidInput, match=r"^limit=9223372036854775808: .* 64 bits"):
        await graph.database.rows("memory_vectors/texts_without_vector", limit=2**63)
    with pytest.raises(AsterismError):  # and the connection goes on after that
        await graph.memories.get("nobody")
