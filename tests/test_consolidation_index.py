"""The path by the vector index: the same edges, certified, audited, and left when it fails."""

from typing import Any

import pytest

from engine.consolidation.index import Lookup
from engine.graph import Graph
from tests.conftest import OpenGraph
from tests.consolidation_oracle import corpus, double
from tests.test_consolidation import remember, weights

TEXTS = corpus(140, 32, seed=71, clusters=12)


async def grown(open_graph: OpenGraph, **settings: Any) -> tuple[Graph, Any]:
    graph: Graph = await open_graph(
        embedder=double(TEXTS), settings={"consolidation": {"batch": 70} | settings}
    )
    await remember(graph, TEXTS)
    return graph, await graph.consolidation.consolidate()


@pytest.mark.parametrize(
    ("nearest", "deepest", "enumerated"), [(50, 400, 5000), (10, 40, 0), (4, 4, 0)]
)
async def test_it_finds_what_the_exact_path_finds(
    open_graph: OpenGraph, nearest: int, deepest: int, enumerated: int
) -> None:
    exact, _ = await grown(open_graph)
    sizes = {"index_nearest": nearest, "index_deepest": deepest, "index_enumerated": enumerated}
    graph, report = await grown(open_graph, path="index", audit_share=1.0, **sizes)
    last = report.runs[-1]
    assert last.path == "index"
    assert last.audit_recall == 1.0
    assert last.certified is not None
    assert last.certified == 1.0 or nearest < 50
    assert await weights(graph) == pytest.approx(await weights(exact), abs=1e-9)


async def test_what_the_audit_finds_lacking_is_computed_exactly(
    open_graph: OpenGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index that has lost half of its entries."""
    nearest = Lookup.nearest

    async def forgetful(self: Lookup, rows: list[int], count: int) -> dict[int, float]:
        found = await nearest(self, rows, count)
        for id in sorted(self.pool)[::2]:
            del self.pool[id]
        return dict.fromkeys(found, -1.0)

    exact, _ = await grown(open_graph)
    monkeypatch.setattr(Lookup, "nearest", forgetful)
    sizes = {"index_enumerated": 0, "audit_share": 0.2}
    graph, report = await grown(open_graph, path="index", **sizes)
    assert report.runs[-1].path == "exact"
    assert any("this run was computed exactly" in said for said in report.warnings)
    assert await weights(graph) == await weights(exact)


async def test_too_many_vectors_for_the_memory_go_by_the_index(open_graph: OpenGraph) -> None:
    graph, report = await grown(open_graph, matrix_mb=1)
    assert [run.path for run in report.runs] == ["exact", "exact"]
    await graph.database.driver.execute_query(
        "MATCH (c:Cursor {realm: $realm, id: 'consolidation'}) SET c.promoted_seq = 10000",
        realm=graph.realm,
    )
    await graph.memories.remember(TEXTS[5].text, id="another", category="message")
    assert (await graph.consolidation.consolidate()).runs[0].path == "index"
