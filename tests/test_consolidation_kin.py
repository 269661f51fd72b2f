"""Kin: texts are joined by how much they stand out in their realm and by their rare words."""

import json
import random
import uuid
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from asterism.clock import wall
from asterism.consolidation import kin_edges, realm_scale
from asterism.graph import Graph
from asterism.settings import ConsolidationSettings
from tests.conftest import OpenGraph
from tests.support.kin_oracle import KinOracle, Note
from tests.support.raw import run_cypher

NOTES = [  # but for the one that says what another one says
    note
    for line in (Path(__file__).parent.parent / "seed" / "memories.jsonl").read_text().splitlines()
    if (note := json.loads(line))["id"] != "piet-scales-again"
]
NEWEST = {note["id"] for note in NOTES[50:]}
TOLERANCE = 1e-6


def items(notes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"id": note["id"], "text": note["text"], "tags": note.get("tags", []),
         "category": note.get("category", "")}
        for note in notes
    ]  # fmt: skip


async def joined(graph: Graph) -> dict[tuple[str, str], float]:
    rows = await run_cypher(
        graph,
        "MATCH (a:Memory {realm: $realm})-[e:SIMILAR]->(b) "
        "RETURN a.id AS low, b.id AS high, e.weight AS weight",
    )
    return {(row["low"], row["high"]): row["weight"] for row in rows}


async def oracle_of(graph: Graph) -> KinOracle:
    """Return plain loops over the texts of a realm, with the calibration of its model."""
    rows = await run_cypher(
        graph,
        "MATCH (m:Memory {realm: $realm}) WHERE m.promoted_seq > 0 RETURN m.id AS id, "
        "m.text AS text, m.embedding AS vector, m.tags AS tags, m.category AS category",
    )
    [model] = await run_cypher(
        graph, "MATCH (m:EmbeddingModel {realm: $realm}) RETURN m.mean AS mean, m.spread AS spread"
    )
    notes = [
        Note(row["id"], row["text"], row["vector"], row["tags"] or [], row["category"] or "")
        for row in rows
    ]
    return KinOracle(notes, model["mean"], model["spread"])


@pytest.mark.slow
async def test_one_batch_equals_plain_loops_and_the_database(open_graph: OpenGraph) -> None:
    """A thousand pairs and all edges: loops, the fast path and Cypher agree."""
    graph = await open_graph()
    await graph.memories.remember_many(items(NOTES))
    report = await graph.consolidation.consolidate()
    oracle = await oracle_of(graph)
    assert await joined(graph) == pytest.approx(oracle.edges(), abs=TOLERANCE)
    assert report.edges_created == len(oracle.edges()) > 20
    pairs = list(combinations(sorted(oracle.notes), 2))
    random.Random(1).shuffle(pairs)
    rows = await graph.database.rows("consolidation/score", pairs=[list(p) for p in pairs[:1000]])
    assert len(rows) == 1000
    for row in rows:
        pair = row["first_id"], row["second_id"]
        assert row["kin"] == pytest.approx(oracle.kin(*pair), abs=TOLERANCE)
        assert row["score"] == pytest.approx(oracle.score(*pair), abs=TOLERANCE)
        parts = [row[f"from_{name}"] for name in ("cosine", "tags", "category", "hours")]
        assert parts == pytest.approx(oracle.parts(*pair), abs=TOLERANCE)
    stored = await graph.database.rows(
        "consolidation/score", pairs=[list(pair) for pair in await joined(graph)]
    )
    weights = {(row["first_id"], row["second_id"]): row["score"] for row in stored}
    assert weights == pytest.approx(await joined(graph), abs=TOLERANCE)


@pytest.mark.slow
async def test_the_order_of_arrival_changes_little(open_graph: OpenGraph) -> None:
    """One batch against one by one and against three other orders, in tens."""
    batch = await open_graph()
    await batch.memories.remember_many(items(NOTES))
    await batch.consolidation.consolidate()
    expected = set(await joined(batch))
    for seed, step in ((0, 1), (1, 10), (2, 10), (3, 10)):
        notes = [*NOTES]
        if seed:
            random.Random(seed).shuffle(notes)
        graph = await open_graph()
        await graph.memories.remember_many(items(notes))
        while (await graph.consolidation.consolidate(step)).waiting_after:
            pass
        edges = set(await joined(graph))
        assert len(edges & expected) >= 0.8 * len(edges | expected)


@pytest.mark.slow
async def test_a_job_of_the_database_joins_the_same_without_python(open_graph: OpenGraph) -> None:
    graphs = [await open_graph(), await open_graph()]
    first, second = items(NOTES[:40]), items(NOTES[40:])
    again = {"id": "again", "text": NOTES[0]["text"] + "!"}
    for graph in graphs:
        for batch in (first, [*second, again]):
            await graph.memories.remember_many(batch)
            await graph.recall.find("the lamp")  # gives every text its vector
            if graph is graphs[0]:
                await graph.consolidation.consolidate()
                continue
            rows = await run_job(graph)
            assert rows[0]["promoted"] == len(batch) - (batch is not first)
            assert await run_job(graph) == []
    assert await joined(graphs[1]) == pytest.approx(await joined(graphs[0]), abs=TOLERANCE)
    assert (await graphs[1].memories.get("again")).waiting
    report = await graphs[1].consolidation.consolidate()
    assert [pair.of for pair in report.duplicates] == [NOTES[0]["id"]]
    assert set(await joined(graphs[1])) == set(await joined(graphs[0]))
    assert (await graphs[1].maintenance.run("verify"))[0].offenders == []


async def run_job(graph: Graph) -> list[dict[str, Any]]:
    return await graph.database.rows(
        "consolidation/consolidate", run=uuid.uuid4().hex, profile="test", moment=wall()
    )


@pytest.mark.slow
async def test_the_vector_index_finds_the_same_kin(open_graph: OpenGraph) -> None:
    edges = []
    for path in ("exact", "index"):
        graph = await open_graph(settings={"consolidation": {"path": path, "audit_share": 1.0}})
        for batch in (items(NOTES[:50]), items(NOTES[50:])):
            await graph.memories.remember_many(batch)
            report = await graph.consolidation.consolidate()
        edges.append({pair for pair in await joined(graph) if set(pair) & NEWEST})
        assert report.runs[-1].path == path
        assert report.runs[-1].audit_recall == (1.0 if path == "index" else None)
    assert len(edges[0]) > 5
    assert edges[0] == edges[1]


@pytest.mark.slow
async def test_an_explanation_names_what_both_share(open_graph: OpenGraph) -> None:
    graph = await open_graph()
    await graph.memories.remember_many(items(NOTES))
    await graph.consolidation.consolidate()
    verdicts = set()
    stored = await joined(graph)
    closest = max(stored, key=lambda pair: (stored[pair], pair))
    for other in [note["id"] for note in NOTES if note["id"] != closest[0]]:
        explained = await graph.consolidation.explain(closest[0], other)
        verdicts.add(explained.verdict.value)
        pair = min(closest[0], other), max(closest[0], other)
        assert (explained.verdict == "edge") == (pair in stored)
        assert explained.kin is not None
        assert explained.score is not None
        if explained.verdict == "guard":
            assert explained.kin < 0.30
            assert explained.score == 0
            assert "kin" in explained.reason
    assert {"edge", "guard"} <= verdicts
    explained = await graph.consolidation.explain(*closest)
    [edge] = [
        edge for edge in await graph.consolidation.edges(closest[0]) if edge.other == closest[1]
    ]
    assert edge.shared == explained.shared
    assert edge.shared
    assert (edge.kin, edge.words) == (explained.kin, explained.words)
    texts = [(await graph.memories.get(id)).text.lower() for id in closest]
    assert all(any(word.lower() in text for text in texts) for word in edge.shared)
    [row] = await graph.database.rows("consolidation/score", pairs=[list(closest)])
    assert explained.score == pytest.approx(row["score"], abs=TOLERANCE)


@pytest.mark.slow
async def test_new_texts_of_a_large_realm_look_for_partners_among_all(
    open_graph: OpenGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Edges that are there stay, and the scale is measured again after a quarter more."""
    monkeypatch.setattr(kin_edges, "SAMPLE", 20)
    monkeypatch.setattr(realm_scale, "SAMPLE", 20)
    graph = await open_graph()
    measured = []
    for first, last in ((0, 40), (40, 48), (48, 60)):
        before = set(await joined(graph))
        await graph.memories.remember_many(items(NOTES[first:last]))
        report = await graph.consolidation.consolidate()
        assert before <= set(await joined(graph))
        assert report.displaced == 0
        new = {note["id"] for note in NOTES[first:last]}
        assert all(set(pair) & new for pair in set(await joined(graph)) - before)
        [row] = await graph.database.rows("consolidation/read_scale")
        measured.append(row["texts"])
    assert measured == [40, 40, 60]


@pytest.mark.slow
async def test_an_edge_that_was_used_outlives_closer_ones(open_graph: OpenGraph) -> None:
    """In a small realm an edge goes when its ends found closer ones, unless it was used."""
    kept = []
    for used in (False, True):
        graph = await open_graph()
        await graph.memories.remember_many(items(NOTES[:20]))
        await graph.consolidation.consolidate()
        early = await joined(graph)
        if used:
            for pair in early:
                await graph.consolidation.seen_together(pair, session="monday")
        await graph.memories.remember_many(items(NOTES[20:]))
        preview = await graph.consolidation.consolidate(dry_run=True)
        report = await graph.consolidation.consolidate()
        left = set(early) - set(await joined(graph))
        assert report.displaced == len(left)
        assert report.edges_created == len(set(await joined(graph)) - set(early))
        counts = preview.edges_created, preview.displaced
        assert counts == (report.edges_created, report.displaced)
        kept.append(not left)
    assert kept == [False, True]


@pytest.mark.slow
async def test_literal_cosine_is_a_setting(open_graph: OpenGraph) -> None:
    settings = ConsolidationSettings(signal="cosine")
    assert (settings.edge_score_threshold, ConsolidationSettings().edge_score_threshold) == (
        0.40,
        0.33,
    )
    assert ConsolidationSettings(profile="peer").signal == "cosine"
    graph = await open_graph(settings={"consolidation": {"signal": "cosine"}})
    await graph.memories.remember_many(items(NOTES[:30]))
    await graph.consolidation.consolidate()
    weights = await joined(graph)
    rows = await graph.database.rows("consolidation/score", pairs=[list(pair) for pair in weights])
    scores = {(row["first_id"], row["second_id"]): row["score"] for row in rows}
    assert scores == pytest.approx(weights, abs=TOLERANCE)
    assert min(weights.values()) >= 0.40
