"""Vectors kept beside the store: used when they agree with it, read again when they do not."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.graph import Graph
from engine.local.home import vectors
from engine.realms import realm_key
from tests.conftest import OpenGraph
from tests.consolidation_oracle import Oracle, Text, corpus, double
from tests.test_consolidation import remember, weights

TEXTS = corpus(90, 16, seed=61)


@pytest.fixture
async def half(open_graph: OpenGraph) -> Graph:
    """A realm of which two thirds are consolidated."""
    graph: Graph = await open_graph(embedder=double(TEXTS))
    await remember(graph, TEXTS[:30])
    await graph.consolidation.consolidate()
    await remember(graph, TEXTS[30:60])
    await graph.consolidation.consolidate()
    return graph


async def again(open_graph: OpenGraph, graph: Graph, texts: Sequence[Text]) -> Any:
    """Another process would open the realm like this and go on; how it got the vectors."""
    other: Graph = await open_graph(realm=graph.realm, embedder=double(TEXTS))
    await remember(other, texts)
    report = await other.consolidation.consolidate()
    return report.runs[0].vectors


async def whole(graph: Graph) -> None:
    """The edges are those of three batches, however the vectors were reached."""
    oracle = Oracle()
    for first in (0, 30, 60):
        oracle.batch(TEXTS[first : first + 30], 0.0)
    assert await weights(graph) == pytest.approx(oracle.edges, abs=1e-6)


def folder(graph: Graph) -> Path:
    [found] = vectors().glob(f"{realm_key(graph.realm)}-*")
    return found


async def test_the_next_process_finds_them(open_graph: OpenGraph, half: Graph) -> None:
    assert oct(folder(half).stat().st_mode & 0o777) == "0o700"
    assert await again(open_graph, half, TEXTS[60:]) == "kept beside the store"
    await whole(half)
    [data] = folder(half).glob("*.vectors")
    assert data.stat().st_size == 4 * 16 * (await half.consolidation.consolidate()).active_after


@pytest.mark.parametrize("damage", ["flip", "cut", "words", "description", "gone"])
async def test_what_is_damaged_is_read_again(
    open_graph: OpenGraph, half: Graph, damage: str
) -> None:
    kept = folder(half)
    [data], [rows] = kept.glob("*.vectors"), kept.glob("*.rows")
    if damage == "flip":
        changed = bytearray(data.read_bytes())
        changed[100] ^= 1
        data.write_bytes(changed)
    elif damage == "cut":
        os.truncate(data, 64)
    elif damage == "words":
        rows.write_text(rows.read_text().replace("fact", "fict"))
    elif damage == "description":
        (kept / "matrix.json").write_text("{")
    else:
        data.unlink()
    told = await again(open_graph, half, TEXTS[60:])
    assert told.startswith("read from the database: damaged")
    await whole(half)
    assert await again(open_graph, half, [Text(TEXTS[0].text, TEXTS[0].vector, id="x")]) == (
        "kept beside the store"
    )


async def test_what_is_of_another_time_is_read_again(open_graph: OpenGraph, half: Graph) -> None:
    """As after a restore: the files know a run that the database does not."""
    await half.database.driver.execute_query(
        "MATCH (r:Run {realm: $realm}) WITH r ORDER BY r.promoted_to DESC LIMIT 1 DETACH DELETE r",
        realm=half.realm,
    )
    assert await again(open_graph, half, TEXTS[60:]) == "rebuilt: outdated"
    await whole(half)


async def test_what_others_added_is_read_from_there(open_graph: OpenGraph, half: Graph) -> None:
    assert await again(open_graph, half, TEXTS[60:]) == "kept beside the store"
    more = [Text(TEXTS[0].text, TEXTS[0].vector, (), "message", "more")]
    await remember(half, more)
    report = await half.consolidation.consolidate()
    assert report.runs[0].vectors == "in memory"
    assert report.runs[0].active_before == report.active_after - 1
    assert len(await half.consolidation.edges("more")) == 5


async def test_what_is_forgotten_is_no_partner_any_more(open_graph: OpenGraph) -> None:
    graph = await open_graph(embedder=double(TEXTS))
    await remember(graph, TEXTS[:30])
    await graph.consolidation.consolidate()
    for text in TEXTS[:10]:
        await graph.memories.forget(text.id)
    kept = [text for text in TEXTS[10:30] if (await graph.memories.get(text.id)).state == "active"]
    await remember(graph, TEXTS[60:])
    await graph.consolidation.consolidate()
    gone = {text.id for text in TEXTS[:10]}
    assert not any(set(pair) & gone for pair in await weights(graph))
    report = await graph.consolidation.rebuild()
    assert report.active_before == report.active_after
    oracle = Oracle()
    oracle.batch([*kept, *TEXTS[60:]], 0.0)
    assert await weights(graph) == pytest.approx(oracle.edges, abs=1e-6)
    [data] = folder(graph).glob("*.vectors")
    assert data.stat().st_size == 4 * 16 * report.active_after


async def test_a_folder_that_can_not_be_written_is_told(
    open_graph: OpenGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vectors").write_text("in the way")
    graph = await open_graph(embedder=double(TEXTS))
    await remember(graph, TEXTS[:5])
    monkeypatch.setenv("ASTERISM_HOME", str(tmp_path))
    report = await graph.consolidation.consolidate()
    assert report.promoted == 5
    assert any("could not be kept in" in said for said in report.warnings)


async def test_a_deleted_realm_leaves_no_vectors(half: Graph) -> None:
    assert folder(half).is_dir()
    await half.realms.delete(half.realm)
    assert list(vectors().glob(f"{realm_key(half.realm)}-*")) == []
