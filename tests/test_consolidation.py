"""Consolidation on a real server: what waits becomes connected, once, and reported."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from neo4j.exceptions import ConstraintError

from asterism.clock import FixedClock
from asterism.consolidation import ConsolidationReport
from asterism.consolidation.edge_score import edge_id
from asterism.embedding import Calibration
from asterism.errors import AsterismError, InvalidInput
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.consolidation_oracle import Double, Oracle, Text, at, corpus, double
from tests.support.hours_world import spend
from tests.support.raw import realm_contents, run_cypher

pytestmark = pytest.mark.usefixtures("by_cosine")

Edges = dict[tuple[str, str], float]


async def stored(graph: Graph) -> list[dict[str, Any]]:
    """Every SIMILAR edge, by a query of the test's own."""
    return await run_cypher(
        graph,
        "MATCH (a:Memory {realm: $realm})-[e:SIMILAR]->(b) "
        "RETURN a.id AS a, b.id AS b, properties(e) AS e ORDER BY a, b",
    )


async def weights(graph: Graph) -> Edges:
    return {(row["a"], row["b"]): row["e"]["weight"] for row in await stored(graph)}


async def remember(graph: Graph, texts: Sequence[Text]) -> None:
    receipt = await graph.memories.remember_many([text.item for text in texts])
    assert receipt.accepted == len(texts)


async def consolidated(
    open_graph: OpenGraph, texts: Sequence[Text], **options: Any
) -> tuple[Graph, ConsolidationReport]:
    graph: Graph = await open_graph(embedder=double(texts), **options)
    await remember(graph, texts)
    return graph, await graph.consolidation.consolidate()


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["seed", "peer"])
async def test_batches_over_time_equal_an_independent_calculation(
    open_graph: OpenGraph, clock: FixedClock, profile: str
) -> None:
    """Three batches, hours apart, one memory used in between."""
    texts = corpus(150, 16, seed=21)
    graph = await open_graph(
        embedder=double(texts), settings={"consolidation": {"profile": profile}}
    )
    settings = graph.settings.consolidation
    oracle = Oracle(settings.minimum_cosine_for_edge, settings.edge_score_threshold)
    hours = 0.0
    for number, step in enumerate((0.0, 7.5, 90.0)):
        await spend(graph, clock, hours=step)
        hours += step
        batch = texts[number * 50 : number * 50 + 50]
        await remember(graph, batch)
        report = await graph.consolidation.consolidate()
        before = len(oracle.edges)
        oracle.batch(batch, hours)
        assert report.edges_created == len(oracle.edges) - before
        assert report.embedded == len(batch)
        used = oracle.active[number * 10]
        await graph.memories.reinforce(used.text.id)
        used.hours = hours
    assert await weights(graph) == pytest.approx(oracle.edges, abs=1e-6)
    archived = [text.id for text in texts if text.id in oracle.rejected]
    assert archived
    for id in archived:
        memory = await graph.memories.get(id)
        assert (memory.state, memory.duplicate_of) == ("archived", oracle.rejected[id])
    assert (await graph.realms.stats()).nodes["Archived"] == len(archived)


@pytest.mark.slow
async def test_edges_of_every_memory_are_those_of_the_database(open_graph: OpenGraph) -> None:
    texts = corpus(60, 16, seed=5)
    graph, report = await consolidated(open_graph, texts)
    collected: Edges = {}
    for text in texts:
        for edge in await graph.consolidation.edges(text.id):
            assert (edge.type, edge.origin) == ("SIMILAR", "similarity")
            assert edge.components is not None
            assert edge.components.total == pytest.approx(edge.weight, abs=1e-9)
            assert edge.weight == edge.effective_weight
            collected[(min(text.id, edge.other), max(text.id, edge.other))] = edge.weight
    assert collected == await weights(graph)
    assert report.edges_created == len(collected)


@pytest.mark.slow
async def test_an_edge_is_written_as_its_pair_and_carries_its_parts(open_graph: OpenGraph) -> None:
    texts = [
        Text("Second", at(1.0), ["a", "b"], "fact", "z1"),
        Text("First", at(0.5), ["a", "b"], "fact", "a1"),
    ]
    graph, report = await consolidated(open_graph, texts)
    [row] = await stored(graph)
    assert (row["a"], row["b"], row["e"]["edge_id"]) == ("a1", "z1", edge_id("a1", "z1"))
    assert row["e"]["weight"] == pytest.approx(0.725, abs=1e-6)
    parts = [row["e"][f"from_{part}"] for part in ("cosine", "tags", "category", "hours")]
    assert parts == pytest.approx([0.275, 0.20, 0.15, 0.10], abs=1e-6)
    assert sum(parts) == pytest.approx(row["e"]["weight"], abs=1e-9)
    assert row["e"]["run"] == report.runs[0].run
    run = await run_cypher(
        graph,
        "MATCH (r:Run {realm: $realm}) RETURN r.kind AS kind, r.edges_created AS edges, "
        "r.promoted_to AS upto, r.model AS model",
    )
    assert run[0] == {
        "kind": "consolidation",
        "edges": 1,
        "upto": 2,
        "model": "double",
    }
    again = (
        "MATCH (a:Memory {realm: $realm, id: 'a1'}), (b:Memory {realm: $realm, id: 'z1'}) "
        "CREATE (b)-[:SIMILAR {realm: $realm, edge_id: $id}]->(a)"
    )
    with pytest.raises(ConstraintError):
        await run_cypher(graph, again, id=edge_id("z1", "a1"))


@pytest.mark.slow
@pytest.mark.parametrize(("cosine", "edges"), [(0.28, 0), (0.3001, 1)])
async def test_below_the_guard_nothing_else_counts(
    open_graph: OpenGraph, cosine: float, edges: int
) -> None:
    texts = [Text("a", at(1.0), ["x"], "c"), Text("b", at(cosine), ["x"], "c")]
    _, report = await consolidated(open_graph, texts)
    assert report.edges_created == edges


@pytest.mark.slow
async def test_tags_alone_decide_and_hours_alone_decide(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    """Of another category: one to an old memory, with and without a tag, one within a batch."""
    old = [Text("old", at(1.0), ["a"], "old")]
    new = [
        Text("shared", at(0.5, 1), ["a"], "new"),
        Text("apart", at(0.5, 2), [], "new2"),
        Text("late", at(0.62, 3), [], "new3"),
    ]
    graph = await open_graph(embedder=double(old + new))
    await remember(graph, old)
    await graph.consolidation.consolidate()
    await spend(graph, clock, hours=90)
    await remember(graph, new)
    await graph.consolidation.consolidate()
    mine = (await graph.memories.remember("old", tags=["a"], category="old")).id
    result = await graph.consolidation.edges(mine)
    assert [round(edge.weight, 6) for edge in result] == [0.52]
    batch = [Text("one", at(1.0), [], "p"), Text("two", at(0.62, 3), [], "q")]
    _, report = await consolidated(open_graph, batch)
    assert report.edges_created == 1


@pytest.mark.slow
@pytest.mark.parametrize(("hours", "stale"), [(0, 0.58), (8, 0.5407), (24, 0.4811), (100, 0.4800)])
async def test_memories_of_one_batch_are_no_hours_apart(
    open_graph: OpenGraph, clock: FixedClock, hours: float, stale: float
) -> None:
    texts = [Text("a", at(1.0), [], "c"), Text("b", at(0.6), [], "c")]
    for mode, weight in (("run", 0.58), ("stale", stale)):
        graph = await open_graph(
            embedder=double(texts), settings={"consolidation": {"inbatch_hours": mode}}
        )
        await spend(graph, clock, hours=hours)
        await remember(graph, texts)
        await graph.consolidation.consolidate()
        assert list((await weights(graph)).values()) == pytest.approx([weight], abs=5e-5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cosine", "category", "edges"),
    [(0.45, "c", 0), (0.4546, "c", 1), (0.6454, "d", 0), (0.6455, "d", 1)],
)
async def test_a_new_memory_needs_a_higher_cosine_to_an_old_one(
    open_graph: OpenGraph, clock: FixedClock, cosine: float, category: str, edges: int
) -> None:
    old, new = Text("old", at(1.0), [], "c"), Text("new", at(cosine), [], category)
    graph = await open_graph(embedder=double([old, new]))
    await remember(graph, [old])
    await graph.consolidation.consolidate()
    await spend(graph, clock, hours=90)
    await remember(graph, [new])
    assert (await graph.consolidation.consolidate()).edges_created == edges


@pytest.mark.slow
async def test_use_of_a_memory_moves_its_hours(open_graph: OpenGraph, clock: FixedClock) -> None:
    graph, _ = await consolidated(open_graph, [Text("a", at(1.0), id="a")])
    await spend(graph, clock, hours=3)
    used = await graph.memories.reinforce("a")
    assert (used.learned_at_hours, used.last_reinforced_hours) == (0.0, 3.0)
    clock.advance(hours=1)
    wrong = await graph.memories.reinforce("a", "contradiction")
    assert wrong.last_reinforced_hours == 3.0


@pytest.mark.slow
async def test_a_second_run_writes_nothing(open_graph: OpenGraph) -> None:
    graph, first = await consolidated(open_graph, corpus(40, 8, seed=3))
    assert first.waiting_after == 0
    before = await realm_contents(graph)
    again = await graph.consolidation.consolidate()
    assert (again.runs, again.edges_created, again.promoted) == ([], 0, 0)
    assert await realm_contents(graph) == before


@pytest.mark.slow
async def test_nothing_at_all_writes_nothing_at_all(graph: Graph) -> None:
    before = await realm_contents(graph)
    report = await graph.consolidation.consolidate()
    assert (report.waiting_before, report.active_after, report.runs) == (0, 0, [])
    assert (await graph.consolidation.rebuild()).edges_created == 0
    assert await realm_contents(graph) == before


@pytest.mark.slow
async def test_first_in_first_out_and_only_so_many(open_graph: OpenGraph) -> None:
    texts = [Text(f"text {n}", at(0.1 * n, n % 7 + 1), id=f"x{n}") for n in range(9)]
    graph = await open_graph(embedder=double(texts), settings={"consolidation": {"batch": 4}})
    for text in texts:
        await graph.memories.remember(text.text, id=text.id)
    report = await graph.consolidation.consolidate(6)
    assert [run.promoted for run in report.runs] == [4, 2]
    assert (report.waiting_before, report.waiting_after, report.active_after) == (9, 3, 6)
    waiting = {text.id: (await graph.memories.get(text.id)).waiting for text in texts}
    assert [id for id, waits in waiting.items() if waits] == ["x6", "x7", "x8"]
    assert (await graph.consolidation.consolidate()).promoted == 3
    with pytest.raises(InvalidInput, match="limit=0: give how many"):
        await graph.consolidation.consolidate(0)


@pytest.mark.slow
async def test_near_duplicates_by_how_near_they_are(open_graph: OpenGraph) -> None:
    texts = [
        Text("first", at(1.0), id="first"),
        Text("First!", at(0.96, 1), id="same"),
        Text("second", at(0.97, 5), id="newer"),
        Text("nearly", at(0.92, 2), id="nearly"),
        Text("other", at(0.89, 3), id="other"),
        Text("said again", at(0.99, 4), (), "message", "said"),
        Text("Said again.", at(0.99, 4), (), "message", "twice"),
    ]
    graph, report = await consolidated(open_graph, texts)
    assert [(item.id, item.of) for item in report.duplicates] == [("same", "first")]
    assert report.duplicates[0].cosine == pytest.approx(0.96, abs=1e-6)
    pairs = {(item.id, item.other) for item in report.near_duplicates}
    assert pairs == {("newer", "first"), ("nearly", "first")}
    assert report.promoted == 6
    same, nearly = await graph.memories.get("same"), await graph.memories.get("nearly")
    assert (same.state, same.duplicate_of, same.waiting) == ("archived", "first", False)
    assert (nearly.state, nearly.near_duplicates) == ("active", ("first",))
    assert await graph.consolidation.edges("same") == []
    again = await graph.memories.reinforce("same")
    assert (again.state, again.archive_at) == ("archived", None)
    assert (await graph.realms.stats()).nodes["Archived"] == 1


@pytest.mark.slow
async def test_the_first_of_two_duplicates_stays(open_graph: OpenGraph) -> None:
    """The third is like the second alone, which is rejected: so it is let in."""
    angle = math.acos(0.96)
    turned = [[math.cos(n * angle), math.sin(n * angle)] for n in range(3)]
    texts = [Text("text" + n * ".", vector, id=f"m{2 - n}") for n, vector in enumerate(turned)]
    _, report = await consolidated(open_graph, texts)
    assert [(item.id, item.of) for item in report.duplicates] == [("m1", "m2")]
    assert report.promoted == 2


@pytest.mark.slow
async def test_bad_vectors_are_reported_and_the_rest_completes(open_graph: OpenGraph) -> None:
    bad: dict[str, list[float]] = {
        "zero": [0.0, 0.0],
        "nan": [math.nan, 1.0],
        "infinite": [math.inf, 1.0],
        "short": [1.0],
        "long": [1.0, 0.0, 0.0],
    }
    good = {"one": [2.0, 0.0], "two": [0.3, 0.4], "tiny": [-3e-30, 3e-30], "huge": [1e30, -1e30]}
    embedder = Double(bad | good, 2)
    graph = await open_graph(embedder=embedder)
    await graph.memories.remember_many(
        [{"text": name, "id": name} for name in [*bad, *good, "unknown", "again"]]
    )
    report = await graph.consolidation.consolidate()
    reasons = {item.id: item.reason for item in report.set_aside}
    assert reasons.keys() == {*bad, "unknown", "again"}
    assert (reasons["zero"], reasons["nan"]) == (
        "the vector is zero",
        "the vector holds NaN or infinity",
    )
    assert reasons["short"] == "the vector has 1 numbers, the model 2"
    assert "KeyError('unknown')" in reasons["unknown"]
    assert (report.promoted, report.waiting_after) == (len(good), 0)
    assert "7 texts have no usable vector" in report.warnings[0]
    result = await weights(graph)
    assert result[("one", "two")] == pytest.approx(0.55 * 0.6 + 0.15 + 0.10, abs=1e-6)
    assert (await graph.memories.get("nan")).set_aside == reasons["nan"]
    explained = await graph.consolidation.explain("one", "zero")
    assert explained.verdict == "set_aside"

    embedder.vectors["again"] = [0.0, -1.0]
    await graph.memories.remember("again", id="again")
    assert (await graph.consolidation.consolidate()).promoted == 1
    embedder.vectors |= {"zero": [1.0, 0.01], "unknown": [0.0, 1.0]}
    rebuilt = await graph.consolidation.rebuild()
    assert rebuilt.waiting_after == len(bad) + 1
    second = await graph.consolidation.consolidate()
    assert {item.id for item in second.set_aside} == {"nan", "infinite", "short", "long"}


@pytest.mark.slow
async def test_a_model_that_fails_for_everything_changes_nothing(open_graph: OpenGraph) -> None:
    embedder = Double({"a": [1.0]}, 1)
    embedder.vectors = {}
    graph = await open_graph(embedder=embedder)
    await graph.memories.remember_many([{"text": "a"}, {"text": "b"}])
    with pytest.raises(AsterismError, match="fails for every text"):
        await graph.consolidation.consolidate()
    embedder.vectors = {"a": [1.0], "b": [-1.0]}
    assert (await graph.consolidation.consolidate()).promoted == 2


@pytest.mark.slow
async def test_strange_items_are_reported_and_the_rest_completes(open_graph: OpenGraph) -> None:
    long, many = "word " * 20_000, [f"tag {number}" for number in range(10_000)]
    vectors = {long: at(1.0), "many tags": at(0.5), "some": at(0.5, 2)}
    graph = await open_graph(embedder=Double(vectors, 8))
    receipt = await graph.memories.remember_many(
        [
            {"text": long, "id": "long"},
            {"text": "many tags", "tags": many, "id": "many"},
            {"text": "  ", "id": "empty"},
            {"text": "some", "tags": many[:10], "id": "some"},
            {"text": "other words", "id": "some"},
            {"text": "some", "id": "some"},
        ]
    )
    assert [item.event_id for item in receipt.rejected] == ["empty", "some"]
    report = await graph.consolidation.consolidate()
    assert (report.promoted, report.set_aside) == (3, [])
    assert len(await graph.consolidation.edges("long")) == 2


@pytest.mark.slow
async def test_a_hub_keeps_its_leaves_unless_there_is_a_ceiling(open_graph: OpenGraph) -> None:
    """Thirty leaves that resemble only the hub."""
    leaves = [Text(f"leaf {n}", at(0.7, n, 32), id=f"leaf{n:02}") for n in range(1, 31)]
    texts = [Text("hub", at(1.0, 1, 32), id="hub"), *leaves]
    for ceiling, degree in ((None, 30), (20, 20)):
        chosen = {"max_similar_degree": ceiling, "minimum_cosine_for_edge": 0.6}
        graph, _ = await consolidated(open_graph, texts, settings={"consolidation": chosen})
        assert len(await graph.consolidation.edges("hub")) == degree
        assert len(await graph.consolidation.edges("hub", limit=5)) == 5
        for leaf in leaves[25:]:
            edge = await graph.memories.connect("hub", leaf.id, "SUPPORTS")
            assert (edge.type, edge.weight) == ("SUPPORTS", 0.75)
        assert len(await graph.consolidation.edges("hub")) == degree + 5


@pytest.mark.slow
async def test_no_new_memory_proposes_more_than_its_best(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    old = [Text(f"old {n}", at(0.6, n, 16), (), "message", f"o{n:02}") for n in range(1, 13)]
    new = Text("new", at(1.0, 1, 16), (), "message", "new")
    graph = await open_graph(embedder=double([*old, new]))
    await remember(graph, old)
    await graph.consolidation.consolidate()
    await remember(graph, [new])
    report = await graph.consolidation.consolidate()
    assert report.edges_created == 5
    edges = await graph.consolidation.edges("new")
    assert [edge.other for edge in edges] == ["o01", "o02", "o03", "o04", "o05"]


@pytest.mark.slow
async def test_a_report_counts_what_has_really_grown(open_graph: OpenGraph) -> None:
    texts = corpus(90, 8, seed=13)
    graph = await open_graph(embedder=double(texts), settings={"consolidation": {"batch": 30}})
    await remember(graph, texts)
    report = await graph.consolidation.consolidate()
    assert len(report.runs) == 3
    assert sum(run.edges_created for run in report.runs) == report.edges_created
    assert (await graph.realms.stats()).relationships["SIMILAR"] == report.edges_created
    run = report.runs[-1]
    assert {"claim", "embed", "compute", "write"} <= run.seconds.keys()
    assert run.spread is not None
    assert report.spread == run.spread
    assert report.settings == graph.settings.consolidation
    assert report.model == "double"
    assert any("minimum_cosine_for_edge" in message for message in report.warnings)


@pytest.mark.slow
async def test_many_small_batches_differ_and_a_rebuild_makes_them_one(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    texts = corpus(100, 16, seed=8)
    one, _ = await consolidated(open_graph, texts)
    many = await open_graph(embedder=double(texts))
    for first in range(0, 100, 5):
        clock.advance(hours=1)
        await remember(many, texts[first : first + 5])
        await many.consolidation.consolidate()
    expected = await weights(one)
    assert await weights(many) != expected
    await many.consolidation.edges("m8-0000")
    report = await many.consolidation.rebuild()
    assert await weights(many) == expected
    assert report.edges_created > 0
    assert report.dropped > 0
    assert report.edges_created + report.existing == len(expected)
    again = await many.consolidation.rebuild()
    assert (again.edges_created, again.dropped, again.existing) == (0, 0, len(expected))
    assert await weights(many) == expected
    assert await weights(one) == expected


@pytest.mark.slow
async def test_each_text_is_embedded_once_ever(open_graph: OpenGraph) -> None:
    texts = corpus(40, 8, seed=2)
    embedder = double(texts)
    graph = await open_graph(embedder=embedder, settings={"consolidation": {"batch": 15}})
    await remember(graph, texts)
    report = await graph.consolidation.consolidate()
    assert sorted(embedder.embedded) == sorted(text.text.lower() for text in texts)
    assert report.embedded == len(texts)
    await graph.consolidation.rebuild()
    await graph.consolidation.explain(texts[0].id, texts[1].id)
    await graph.memories.remember(texts[0].text, id="another")
    await graph.consolidation.consolidate()
    assert len(embedder.embedded) == len(texts) + 1


@pytest.mark.slow
async def test_a_run_takes_the_same_number_of_statements_whatever_its_size(
    open_graph: OpenGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No look-up for each memory: tags come with the memories."""
    from asterism.database import Database, Transaction

    counts: list[str] = []
    for kind in (Database, Transaction):
        plain = kind.rows

        async def counted(self: Any, name: str, /, *, _plain: Any = plain, **more: Any) -> Any:
            counts.append(name)
            return await _plain(self, name, **more)

        monkeypatch.setattr(kind, "rows", counted)
    statement_counts = []
    for size in (80, 200):
        texts = corpus(size, 8, seed=6)
        quiet = {"consolidation": {"lease_s": 600}}  # a slow machine renews no lease meanwhile
        graph = await open_graph(embedder=double(texts), settings=quiet)
        await remember(graph, texts)
        counts.clear()
        await graph.consolidation.consolidate()
        statement_counts.append(len(counts))
    # One is left out where no word is rare.
    assert statement_counts[0] >= statement_counts[1] >= statement_counts[0] - 1


@pytest.mark.slow
async def test_a_dry_run_reports_and_writes_nothing(open_graph: OpenGraph) -> None:
    texts = corpus(50, 8, seed=4)
    graph = await open_graph(embedder=double(texts))
    await remember(graph, texts)
    before = await realm_contents(graph)
    dry = await graph.consolidation.consolidate(dry_run=True)
    after = await realm_contents(graph)
    assert [row for row in after if row["labels"] != ["EmbeddingModel"]] == before
    real = await graph.consolidation.consolidate()
    assert dry.dry_run
    for name in ("promoted", "edges_created", "duplicates", "near_duplicates", "embedded"):
        assert getattr(dry, name) == getattr(real, name)


@pytest.mark.slow
async def test_a_calibrated_model_is_scored_from_its_baseline_cosine(open_graph: OpenGraph) -> None:
    texts = corpus(60, 16, seed=31)
    graph = await open_graph(embedder=double(texts))
    await graph.database.rows("embedding/claim", name="double", dimensions=16, mean=0.4, spread=0.1)
    assert await graph.embedding.calibration() == Calibration(0.4, 0.1)
    await remember(graph, texts)
    report = await graph.consolidation.consolidate()
    oracle = Oracle(mean=0.4)
    oracle.batch(texts, 0.0)
    assert await weights(graph) == pytest.approx(oracle.edges, abs=1e-6)
    assert report.calibration_mean == 0.4


@pytest.mark.slow
async def test_progress_reports_each_stage(open_graph: OpenGraph) -> None:
    texts = corpus(20, 8, seed=4)
    graph = await open_graph(embedder=double(texts))
    await remember(graph, texts)
    collected: list[tuple[str, int, int]] = []
    await graph.consolidation.consolidate(on_progress=lambda *step: collected.append(step))
    assert ("embedding", 20, 20) in collected
    assert [stage for stage, *_ in collected] == ["embedding", "scoring", "writing"]


@pytest.mark.slow
async def test_no_edge_joins_two_realms(open_graph: OpenGraph) -> None:
    texts = corpus(40, 8, seed=41)
    mine, theirs = [await open_graph(embedder=double(texts)) for _ in range(2)]
    await remember(theirs, texts)
    before = await realm_contents(theirs)
    await remember(mine, texts)
    await mine.consolidation.consolidate()
    ids = [text.id for text in texts]
    await mine.memories.connect(ids[0], ids[1], "OUTCOME")
    await mine.consolidation.rebuild()
    await mine.consolidation.explain(ids[0], ids[1])
    for session in "abc":
        await mine.consolidation.seen_together(ids[:6], session=session)
    await mine.consolidation.prune()
    await mine.memories.forget(ids[0])
    assert await realm_contents(theirs) == before
    await theirs.consolidation.consolidate()
    oracle = Oracle()
    oracle.batch(texts, 0.0)
    assert await weights(theirs) == pytest.approx(oracle.edges, abs=1e-6)
    for text in texts:
        for edge in await theirs.consolidation.edges(text.id):
            assert edge.other in ids
    removed = await mine.realms.delete(mine.realm)
    assert removed.nodes > 0
    assert await realm_contents(mine) == []


@pytest.mark.slow
async def test_a_passage_is_what_is_embedded_where_there_is_one(open_graph: OpenGraph) -> None:
    graph = await open_graph(embedder=Double({"ada: hello there": [1.0, 0.0]}, 2))
    memory = await graph.memories.remember("hello there", at=datetime(2026, 1, 1, tzinfo=UTC))
    await run_cypher(
        graph,
        "MATCH (m:Memory {realm: $realm, id: $id}) SET m.passage = ' Ada: Hello there '",
        id=memory.id,
    )
    assert (await graph.consolidation.consolidate()).promoted == 1
