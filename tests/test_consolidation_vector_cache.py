"""Vectors kept beside the store: used when they agree with it, read again when they do not."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from asterism.consolidation.vector_cache import FILE
from asterism.graph import Graph
from asterism.local.home import vectors
from asterism.realm_names import realm_key
from tests.conftest import OpenGraph
from tests.support.consolidation_oracle import Oracle, Text, corpus, double
from tests.support.raw import run_cypher
from tests.test_consolidation import remember, weights

pytestmark = pytest.mark.usefixtures("by_cosine")

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
    """Open the realm as another process would, go on, and return where the vectors came from."""
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
    [folder] = vectors().glob(f"{realm_key(graph.realm)}-*")
    return folder


def execute(graph: Graph, statement: str) -> list[Any]:
    with closing(sqlite3.connect(folder(graph) / FILE)) as connection, connection:
        return connection.execute(statement).fetchall()


def vector_bytes(graph: Graph) -> int:
    [(size,)] = execute(graph, "SELECT sum(length(vector)) FROM memory")
    return int(size)


@pytest.mark.slow
async def test_the_next_process_reads_the_cache(open_graph: OpenGraph, half: Graph) -> None:
    assert oct(folder(half).stat().st_mode & 0o777) == "0o700"
    assert await again(open_graph, half, TEXTS[60:]) == "kept beside the store"
    await whole(half)
    assert oct((folder(half) / FILE).stat().st_mode & 0o777) == "0o600"
    assert vector_bytes(half) == 4 * 16 * (await half.consolidation.consolidate()).active_after


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["flip", "cut", "words", "description", "gone"])
async def test_a_damaged_cache_is_read_again_from_the_database(
    open_graph: OpenGraph, half: Graph, damage: str
) -> None:
    file = folder(half) / FILE
    if damage == "flip":
        content = bytearray(file.read_bytes())
        content[100] ^= 1
        file.write_bytes(content)
    elif damage == "cut":
        os.truncate(file, 64)
    elif damage == "words":
        execute(half, "UPDATE memory SET tags = replace(tags, '[', '{')")
    elif damage == "description":
        execute(half, "DELETE FROM progress")
    else:
        execute(half, "DROP TABLE memory")
    source = await again(open_graph, half, TEXTS[60:])
    assert source.startswith("read from the database: damaged")
    await whole(half)
    assert await again(open_graph, half, [Text(TEXTS[0].text, TEXTS[0].vector, id="x")]) == (
        "kept beside the store"
    )


@pytest.mark.slow
async def test_a_cache_of_another_time_is_read_again(open_graph: OpenGraph, half: Graph) -> None:
    """As after a restore: the files know a run that the database does not."""
    await run_cypher(
        half,
        "MATCH (r:Run {realm: $realm}) WITH r ORDER BY r.promoted_to DESC LIMIT 1 DETACH DELETE r",
    )
    assert await again(open_graph, half, TEXTS[60:]) == "rebuilt: outdated"
    await whole(half)


@pytest.mark.slow
async def test_memories_added_by_others_are_read_from_the_database(
    open_graph: OpenGraph, half: Graph
) -> None:
    assert await again(open_graph, half, TEXTS[60:]) == "kept beside the store"
    more = [Text(TEXTS[0].text, TEXTS[0].vector, (), "message", "more")]
    await remember(half, more)
    report = await half.consolidation.consolidate()
    assert report.runs[0].vectors == "in memory"
    assert report.runs[0].active_before == report.active_after - 1
    assert len(await half.consolidation.edges("more")) == 5


@pytest.mark.slow
async def test_forgotten_memories_get_no_edges(open_graph: OpenGraph) -> None:
    graph = await open_graph(embedder=double(TEXTS))
    await remember(graph, TEXTS[:30])
    await graph.consolidation.consolidate()
    for text in TEXTS[:10]:
        await graph.memories.forget(text.id)
    remaining = [
        text for text in TEXTS[10:30] if (await graph.memories.get(text.id)).state == "active"
    ]
    await remember(graph, TEXTS[60:])
    await graph.consolidation.consolidate()
    forgotten = {text.id for text in TEXTS[:10]}
    assert not any(set(pair) & forgotten for pair in await weights(graph))
    report = await graph.consolidation.rebuild()
    assert report.active_before == report.active_after
    oracle = Oracle()
    oracle.batch([*remaining, *TEXTS[60:]], 0.0)
    assert await weights(graph) == pytest.approx(oracle.edges, abs=1e-6)
    assert vector_bytes(graph) == 4 * 16 * report.active_after


@pytest.mark.slow
async def test_a_folder_that_can_not_be_written_is_a_warning(
    open_graph: OpenGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vectors").write_text("in the way")
    graph = await open_graph(embedder=double(TEXTS))
    await remember(graph, TEXTS[:5])
    monkeypatch.setenv("ASTERISM_HOME", str(tmp_path))
    report = await graph.consolidation.consolidate()
    assert report.promoted == 5
    assert any("could not be kept in" in message for message in report.warnings)


@pytest.mark.slow
async def test_a_deleted_realm_leaves_no_vectors(half: Graph) -> None:
    assert folder(half).is_dir()
    await half.realms.delete(half.realm)
    assert list(vectors().glob(f"{realm_key(half.realm)}-*")) == []
