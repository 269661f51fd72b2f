"""Edges as they are read: explained, fading, pruned, drawn by hand, made by use."""

import math
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.errors import InvalidInput, NotFound
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.consolidation_oracle import Text, at, corpus, double
from tests.support.hours_world import BY_TAGS, spend
from tests.test_consolidation import consolidated, remember, weights

pytestmark = pytest.mark.usefixtures("by_cosine")


@pytest.mark.slow
async def test_every_pair_is_explained(open_graph: OpenGraph, clock: FixedClock) -> None:
    """Explanations agree with what was decided, for edges and for all other pairs."""
    texts = corpus(40, 16, seed=51)
    graph = await open_graph(embedder=double(texts))
    await remember(graph, texts[:20])
    await graph.consolidation.consolidate()
    await spend(graph, clock, hours=5)
    await remember(graph, texts[20:])
    report = await graph.consolidation.consolidate()
    stored, verdicts = await weights(graph), set()
    settings = graph.settings.consolidation
    for a in texts[:9]:
        for b in texts[14:26]:
            explanation = await graph.consolidation.explain(a.id, b.id)
            verdicts.add(explanation.verdict.value)
            pair = (min(a.id, b.id), max(a.id, b.id))
            assert (explanation.verdict == "edge") == (pair in stored)
            if explanation.score is None:
                assert explanation.verdict == "duplicate"
                continue
            assert explanation.components is not None
            assert explanation.cosine is not None
            if explanation.verdict == "edge":
                assert explanation.score == pytest.approx(stored[pair], abs=1e-9)
                assert explanation.components.total == pytest.approx(explanation.score, abs=1e-9)
            elif explanation.verdict == "guard":
                assert explanation.cosine < settings.minimum_cosine_for_edge
                assert (explanation.score, explanation.limit) == (0.0, 0.30)
            elif explanation.verdict == "threshold":
                assert explanation.score < settings.edge_score_threshold
                assert explanation.needed_cosine is not None
                assert explanation.cosine < explanation.needed_cosine
            else:
                assert explanation.verdict == "cap"
                assert explanation.limit is not None
                assert explanation.score <= explanation.limit + 1e-9
            assert explanation.run
    assert {"edge", "guard", "threshold", "cap"} <= verdicts
    late = await graph.consolidation.explain(texts[0].id, texts[25].id)
    assert (late.hours_apart, late.run) == (5.0, report.runs[0].run)


@pytest.mark.slow
async def test_an_undecided_pair_says_why(graph: Graph) -> None:
    a = await graph.memories.remember("a")
    b = await graph.memories.remember("b")
    assert (await graph.consolidation.explain(a.id, b.id)).verdict == "waiting"
    with pytest.raises(NotFound, match="no memory 'nobody'"):
        await graph.consolidation.explain(a.id, "nobody")
    with pytest.raises(InvalidInput, match="name two memories"):
        await graph.consolidation.explain(a.id, a.id)
    item = {"event_id": "e", "ts": graph.clock.now(), "symbol": "X", "price": "1", "side": "bid"}
    await graph.memories.observe([item | {"kind": "execution", "quantity": 5000}], source="s")
    explanation = await graph.consolidation.explain(a.id, "X@1")
    assert explanation.verdict == "waiting"
    other = await graph.consolidation.explain("X@1", a.id)
    assert (other.verdict, other.reason) == (
        "no_text",
        "X@1 is no text: only texts are joined by themselves",
    )


@pytest.mark.slow
async def test_a_rebuild_explains_what_it_decided(open_graph: OpenGraph, clock: FixedClock) -> None:
    old, new = Text("old", at(1.0), [], "c", "old"), Text("new", at(0.45), [], "c", "new")
    graph = await open_graph(embedder=double([old, new]))
    await remember(graph, [old])
    await graph.consolidation.consolidate()
    await spend(graph, clock, hours=90)
    await remember(graph, [new])
    await graph.consolidation.consolidate()
    assert (await graph.consolidation.explain("old", "new")).verdict == "threshold"
    report = await graph.consolidation.rebuild()
    explanation = await graph.consolidation.explain("old", "new")
    assert (explanation.verdict, explanation.run) == ("edge", report.runs[0].run)
    assert explanation.score == pytest.approx(0.4975, abs=1e-6)


@pytest.mark.slow
async def test_an_edge_fades_with_the_slower_of_its_memories(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    texts = [
        Text("short", at(1.0), [], "observation", "short"),
        Text("long", at(0.8, 1), [], "fact", "long"),
        Text("brief", at(0.8, 2), [], "observation", "brief"),
    ]
    graph, _ = await consolidated(open_graph, texts, settings={"memories": BY_TAGS})
    await spend(graph, clock, hours=40)
    by_other = {edge.other: edge for edge in await graph.consolidation.edges("short")}
    for other, rate in (("long", 0.010), ("brief", 0.050)):
        edge = by_other[other]
        left = edge.weight * math.exp(-rate / 2 * 40)
        assert edge.effective_weight == pytest.approx(left, abs=1e-9)
    assert [edge.other for edge in await graph.consolidation.edges("short", limit=1)] == ["long"]
    assert await graph.consolidation.edges("short", minimum=0.9) == []
    assert await graph.consolidation.edges("short", types=["supports"]) == []
    with pytest.raises(InvalidInput, match="types='LIKES': give some of SIMILAR"):
        await graph.consolidation.edges("short", types=["likes"])


@pytest.mark.slow
async def test_faded_edges_are_pruned_and_those_of_people_stay(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    """0.45 of a standard memory is kept for 300.8 idle hours."""
    texts = [Text("a", at(1.0), id="a"), Text("b", at(0.36363636, 2), id="b")]
    graph, _ = await consolidated(open_graph, texts, settings={"memories": BY_TAGS})
    [weight] = (await weights(graph)).values()
    await graph.memories.connect("a", "b", "CONTRADICTS")
    lasts = math.log(weight / 0.10) / 0.005
    assert lasts == pytest.approx(300.8, abs=0.1)
    await spend(graph, clock, hours=lasts - 0.1)
    assert await graph.consolidation.prune() == 0
    await spend(graph, clock, hours=0.2)
    assert await graph.consolidation.prune() == 1
    [edge] = await graph.consolidation.edges("a")
    assert (edge.type, edge.weight, edge.effective_weight) == ("CONTRADICTS", 0.60, 0.60)
    assert (await graph.consolidation.explain("a", "b")).verdict == "cap"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("type", "weight"),
    [("SUPPORTS", 0.75), ("CONTRADICTS", 0.60), ("ELABORATES", 0.70), ("OUTCOME", 0.80)],
)
async def test_people_connect_what_they_like(graph: Graph, type: str, weight: float) -> None:
    a = (await graph.memories.remember("a")).id
    b = (await graph.memories.remember("b")).id
    first = await graph.memories.connect(a, b, type.lower())
    assert (first.type, first.weight, first.origin) == (type, weight, "agent")
    assert (first.start, first.end, first.other) == (a, b, b)
    assert await graph.memories.connect(a, b, type, weight=0.1) == first
    assert await _edges(graph) == {type: 1}
    assert [edge.other for edge in await graph.consolidation.edges(b)] == [a]
    assert [(edge.start, edge.end) for edge in await graph.consolidation.edges(b)] == [(a, b)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"type": "SIMILAR"}, "type='SIMILAR': give one of SUPPORTS"),
        ({"b": "one"}, "is not connected to itself"),
        ({"weight": 0.0}, r"weight=0\.0: give a weight above 0"),
        ({"weight": 1.5}, r"weight=1\.5"),
    ],
)
async def test_a_wrong_connection_is_named(
    graph: Graph, change: dict[str, Any], error: str
) -> None:
    await graph.memories.remember("one", id="one")
    await graph.memories.remember("two", id="two")
    arguments = {"a": "one", "b": "two", "type": "SUPPORTS"} | change
    with pytest.raises(InvalidInput, match=error):
        await graph.memories.connect(**arguments)
    with pytest.raises(NotFound, match="remember both first"):
        await graph.memories.connect("one", "nobody", "SUPPORTS")
    assert await _edges(graph) == {}


@pytest.mark.slow
async def test_what_comes_up_together_three_times_is_joined(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    texts = [Text("a", at(1.0), id="a"), Text("b", at(0.5), id="b"), Text("c", at(0.0, 3), id="c")]
    graph, _ = await consolidated(open_graph, texts, settings={"memories": BY_TAGS})
    for session in ("monday", "monday", "tuesday"):
        together = await graph.consolidation.seen_together("abc", session=session)
        assert (together.staged, together.joined) == (2, 0)
    await spend(graph, clock, hours=2)
    together = await graph.consolidation.seen_together("abc", session="friday")
    assert (together.reinforced, together.staged, together.joined) == (1, 0, 2)
    by_other = {edge.other: edge for edge in await graph.consolidation.edges("a")}
    assert (by_other["c"].type, by_other["c"].weight, by_other["c"].origin) == (
        "CO_OCCURS",
        0.55,
        "together",
    )
    assert (by_other["b"].type, by_other["b"].reinforcement_count) == ("SIMILAR", 3)
    assert (await graph.realms.stats()).nodes.get("Candidate", 0) == 0
    await spend(graph, clock, hours=10)
    left = {edge.other: edge for edge in await graph.consolidation.edges("a")}
    assert left["b"].effective_weight == pytest.approx(left["b"].weight * math.exp(-0.05), abs=1e-9)


@pytest.mark.slow
async def test_staged_pairs_are_limited(open_graph: OpenGraph, clock: FixedClock) -> None:
    graph = await open_graph(settings={"consolidation": {"co_occurs_staged": 10}})
    ids = [(await graph.memories.remember(f"text {n}", id=f"m{n}")).id for n in range(6)]
    await graph.consolidation.seen_together(ids[:2], session="a")
    clock.advance(minutes=1)
    await graph.consolidation.seen_together(ids[:2], session="b")
    together = await graph.consolidation.seen_together(ids, session="c")
    assert (together.staged, together.joined, together.evicted) == (14, 1, 5)
    assert (await graph.realms.stats()).nodes["Candidate"] == 9
    with pytest.raises(InvalidInput, match="name the session"):
        await graph.consolidation.seen_together(ids, session=" ")
    with pytest.raises(InvalidInput, match="at most 50"):
        await graph.consolidation.seen_together(map(str, range(60)), session="d")
    assert (await graph.consolidation.seen_together(ids[:1], session="d")).staged == 0


@pytest.mark.slow
async def test_ten_uses_halve_how_fast_an_edge_fades(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    texts = [Text("a", at(1.0), id="a"), Text("b", at(0.5), id="b")]
    graph, _ = await consolidated(open_graph, texts, settings={"memories": BY_TAGS})
    for number in range(10):
        await graph.consolidation.seen_together(["a", "b"], session=f"session {number}")
    await spend(graph, clock, hours=20)
    [edge] = await graph.consolidation.edges("a")
    assert edge.reinforcement_count == 10
    assert edge.effective_weight == pytest.approx(edge.weight * math.exp(-0.0025 * 20), abs=1e-9)


async def _edges(graph: Graph) -> dict[str, int]:
    """Return the count of edges by type, without those to words."""
    by_other = (await graph.realms.stats()).relationships
    return {type: count for type, count in by_other.items() if type != "HAS_TERM"}
