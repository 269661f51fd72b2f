"""The path by the vector index: the same edges, certified, audited, and left when it fails."""

from typing import Any

import pytest

from asterism.consolidation.index_search import IndexSearch
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.consolidation_oracle import corpus, double
from tests.support.raw import run_cypher
from tests.test_consolidation import remember, weights

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("by_cosine")]

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
async def test_the_index_path_finds_the_edges_of_the_exact_path(
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


async def test_a_run_that_fails_its_audit_is_computed_exactly(
    open_graph: OpenGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index that has lost half of its entries."""
    nearest = IndexSearch.add_nearest

    async def forgetful(self: IndexSearch, rows: list[int], count: int) -> dict[int, float]:
        result = await nearest(self, rows, count)
        for id in sorted(self.candidates)[::2]:
            del self.candidates[id]
        return dict.fromkeys(result, -1.0)

    exact, _ = await grown(open_graph)
    monkeypatch.setattr(IndexSearch, "add_nearest", forgetful)
    sizes = {"index_enumerated": 0, "audit_share": 0.2}
    graph, report = await grown(open_graph, path="index", **sizes)
    assert report.runs[-1].path == "exact"
    assert any("this run was computed exactly" in message for message in report.warnings)
    assert await weights(graph) == await weights(exact)


async def test_too_many_vectors_for_the_memory_go_by_the_index(open_graph: OpenGraph) -> None:
    graph, report = await grown(open_graph, matrix_mb=1)
    assert [run.path for run in report.runs] == ["exact", "exact"]
    await run_cypher(
        graph, "MATCH (c:Cursor {realm: $realm, id: 'consolidation'}) SET c.promoted_seq = 10000"
    )
    await graph.memories.remember(TEXTS[5].text, id="another", category="message")
    assert (await graph.consolidation.consolidate()).runs[0].path == "index"
