"""Edges as they are read: explained, fading, pruned, drawn by hand, made by use."""

import math
from typing import Any

import pytest

from engine.clock import FixedClock
from engine.errors import InvalidInput, NotFound
from engine.graph import Graph
from tests.conftest import OpenGraph
from tests.consolidation_oracle import Text, at, corpus, double
from tests.hours_world import BY_TAGS, spend
from tests.test_consolidation import consolidated, remember, weights


async def test_every_pair_is_explained(open_graph: OpenGraph, clock: FixedClock) -> None:
    """What explains agrees with what was decided, for edges and for all other pairs."""
    texts = corpus(40, 16, seed=51)
    graph = await open_graph(embedder=double(texts))
    await remember(graph, texts[:20])
    await graph.consolidation.consolidate()
    await spend(graph, clock, hours=5)
    await remember(graph, texts[20:])
    report = await graph.consolidation.consolidate()
    stored, seen = await weights(graph), set()
    settings = graph.settings.consolidation
    for a in texts[:9]:
        for b in texts[14:26]:
            told = await graph.consolidation.explain(a.id, b.id)
            seen.add(told.verdict.value)
            pair = (min(a.id, b.id), max(a.id, b.id))
            assert (told.verdict == "edge") == (pair in stored)
            if told.score is None:
                assert told.verdict == "duplicate"
                continue
            assert told.components is not None
            assert told.cosine is not None
            if told.verdict == "edge":
                assert told.score == pytest.approx(stored[pair], abs=1e-9)
                assert told.components.total == pytest.approx(told.score, abs=1e-9)
            elif told.verdict == "guard":
                assert told.cosine < settings.minimum_cosine_for_edge
                assert (told.score, told.limit) == (0.0, 0.30)
            elif told.verdict == "threshold":
                assert told.score < settings.edge_score_threshold
                assert told.needed_cosine is not None
                assert told.cosine < told.needed_cosine
            else:
                assert told.verdict == "cap"
                assert told.limit is not None
                assert told.score <= told.limit + 1e-9
            assert told.run
    assert {"edge", "guard", "threshold", "cap"} <= seen
    late = await graph.consolidation.explain(texts[0].id, texts[25].id)
    assert (late.hours_apart, late.run) == (5.0, report.runs[0].run)


async def test_what_has_not_been_decided_says_so(graph: Graph) -> None:
    a = await graph.memories.remember("a")
    b = await graph.memories.remember("b")
    assert (await graph.consolidation.explain(a.id, b.id)).verdict == "waiting"
    with pytest.raises(NotFound, match="no memory 'nobody'"):
        await graph.consolidation.explain(a.id, "nobody")
    with pytest.raises(InvalidInput, match="name two memories"):
        await graph.consolidation.explain(a.id, a.id)
    item = {"event_id": "e", "ts": graph.clock.now(), "symbol": "X", "price": "1", "side": "bid"}
    await graph.memories.observe([item | {"kind": "execution", "quantity": 5000}], source="s")
    told = await graph.consolidation.explain(a.id, "X@1")
    assert told.verdict == "waiting"
    other = await graph.consolidation.explain("X@1", a.id)
    assert (other.verdict, other.reason) == (
        "no_text",
        "X@1 is no text: only texts are joined by themselves",
    )


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
    told = await graph.consolidation.explain("old", "new")
    assert (told.verdict, told.run) == ("edge", report.runs[0].run)
    assert told.score == pytest.approx(0.4975, abs=1e-6)


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
    found = {edge.other: edge for edge in await graph.consolidation.edges("short")}
    for other, rate in (("long", 0.010), ("brief", 0.050)):
        edge = found[other]
        left = edge.weight * math.exp(-rate / 2 * 40)
        assert edge.effective_weight == pytest.approx(left, abs=1e-9)
    assert [edge.other for edge in await graph.consolidation.edges("short", limit=1)] == ["long"]
    assert await graph.consolidation.edges("short", minimum=0.9) == []
    assert await graph.consolidation.edges("short", types=["supports"]) == []
    with pytest.raises(InvalidInput, match="types='LIKES': give some of SIMILAR"):
        await graph.consolidation.edges("short", types=["likes"])


async def test_what_has_faded_is_pruned_and_what_people_said_stays(
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


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"type": "SIMILAR"}, "type='SIMILAR': give one of SUPPORTS"),
        ({"b": "one"}, "is not connected to itself"),
        ({"weight": 0.0}, r"weight=0\.0: give a weight above 0"),
        ({"weight": 1.5}, r"weight=1\.5"),
    ],
)
async def test_a_wrong_connection_is_named(graph: Graph, change: dict[str, Any], said: str) -> None:
    await graph.memories.remember("one", id="one")
    await graph.memories.remember("two", id="two")
    given = {"a": "one", "b": "two", "type": "SUPPORTS"} | change
    with pytest.raises(InvalidInput, match=said):
        await graph.memories.connect(**given)
    with pytest.raises(NotFound, match="remember both first"):
        await graph.memories.connect("one", "nobody", "SUPPORTS")
    assert await _edges(graph) == {}


async def test_what_comes_up_together_three_times_is_joined(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    texts = [Text("a", at(1.0), id="a"), Text("b", at(0.5), id="b"), Text("c", at(0.0, 3), id="c")]
    graph, _ = await consolidated(open_graph, texts, settings={"memories": BY_TAGS})
    for session in ("monday", "monday", "tuesday"):
        together = await graph.consolidation.seen_together("abc", session=session)
        assert (together.noted, together.joined) == (2, 0)
    await spend(graph, clock, hours=2)
    together = await graph.consolidation.seen_together("abc", session="friday")
    assert (together.reinforced, together.noted, together.joined) == (1, 0, 2)
    found = {edge.other: edge for edge in await graph.consolidation.edges("a")}
    assert (found["c"].type, found["c"].weight, found["c"].origin) == (
        "CO_OCCURS",
        0.55,
        "together",
    )
    assert (found["b"].type, found["b"].reinforcement_count) == ("SIMILAR", 3)
    assert (await graph.realms.stats()).nodes.get("Candidate", 0) == 0
    await spend(graph, clock, hours=10)
    left = {edge.other: edge for edge in await graph.consolidation.edges("a")}
    assert left["b"].effective_weight == pytest.approx(left["b"].weight * math.exp(-0.05), abs=1e-9)


async def test_few_pairs_are_noted_at_a_time(open_graph: OpenGraph, clock: FixedClock) -> None:
    graph = await open_graph(settings={"consolidation": {"co_occurs_staged": 10}})
    ids = [(await graph.memories.remember(f"text {n}", id=f"m{n}")).id for n in range(6)]
    await graph.consolidation.seen_together(ids[:2], session="a")
    clock.advance(minutes=1)
    await graph.consolidation.seen_together(ids[:2], session="b")
    together = await graph.consolidation.seen_together(ids, session="c")
    assert (together.noted, together.joined, together.evicted) == (14, 1, 5)
    assert (await graph.realms.stats()).nodes["Candidate"] == 9
    with pytest.raises(InvalidInput, match="name the session"):
        await graph.consolidation.seen_together(ids, session=" ")
    with pytest.raises(InvalidInput, match="at most 50"):
        await graph.consolidation.seen_together(map(str, range(60)), session="d")
    assert (await graph.consolidation.seen_together(ids[:1], session="d")).noted == 0


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
    """How many edges of each type there are, the ties to words aside."""
    found = (await graph.realms.stats()).relationships
    return {type: count for type, count in found.items() if type != "HAS_TERM"}
