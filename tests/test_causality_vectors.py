"""Vectors of recorded lines: made when they are needed, of the words that a line has by then."""

from collections.abc import Sequence

import pytest

from asterism.errors import AsterismError
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.exploration_world import Toy

DOOR = [
    (0, "Ann", "I open the heavy door."),
    (1, "DM", "It opens slowly."),
    (2, "Ann", "I climb the stair."),
    (3, "DM", "It ends at a hatch."),
]
CHANGED = [*DOOR[:3], (3, "DM", "It ends at a wall of ice.")]


class FailingEmbedder(Toy):
    """A model that cannot be used, as without its file."""

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        raise AsterismError("this model is out of reach")


async def unembedded(graph: Graph) -> list[str]:
    """Return the texts of recorded lines without a vector."""
    result = await graph.database.driver.execute_query(
        "MATCH (node:Intent|Consequence {realm: $realm}) WHERE node.embedding IS NULL "
        "RETURN node.text AS text ORDER BY node.anchor_index",
        realm=graph.realm,
    )
    return [record["text"] for record in result.records]


async def test_recording_waits_for_no_model(open_graph: OpenGraph) -> None:
    graph = await open_graph(embedder=FailingEmbedder(384))
    report = await graph.causality.record("door", DOOR, dm="DM")
    assert report.unembedded == 4
    again = await graph.causality.record("door", DOOR, dm="DM")
    assert (again.changed, again.unembedded) == (False, 4)
    with pytest.raises(AsterismError, match="out of reach"):
        await graph.causality.find("what is behind the door?")
    assert len(await graph.causality.links("door")) == 2


@pytest.mark.slow
async def test_a_question_embeds_what_waits_and_reports_it(graph: Graph) -> None:
    await graph.causality.record("door", DOOR, dm="DM")
    await graph.causality.record("words", CHANGED, dm="DM", embed=False)
    counts: list[int] = []
    best = (await graph.causality.find("how is the door?", k=1, on_progress=counts.append))[0]
    assert best.session_id == "door"
    assert sum(counts) == 2 + 2 + 1  # the actor too
    assert await unembedded(graph) == [text for _, _, text in CHANGED]
    assert await graph.causality.embed() == 0


@pytest.mark.slow
async def test_a_vector_of_words_that_changed_meanwhile_is_not_stored(graph: Graph) -> None:
    await graph.causality.record("door", DOOR, dm="DM")
    rows = await graph.database.rows(
        "causality/texts_without_vector", session_id="door", after=-1, limit=1000
    )
    assert (await graph.causality.record("door", CHANGED, dm="DM")).unembedded == 4
    vectors = await graph.embedding.documents([row["text"] for row in rows])
    stored = await graph.database.one(
        "causality/save_embeddings",
        session_id="door",
        model=graph.embedding.embedder.name,
        rows=[row | {"vector": vector} for row, vector in zip(rows, vectors, strict=True)],
    )
    assert stored["stored"] == 3 + 1
    await graph.database.rows("causality/finish_vectors", session_id="door")
    assert await unembedded(graph) == [CHANGED[3][2]]
    assert await graph.causality.embed() == 1
    assert await unembedded(graph) == []


@pytest.mark.slow
async def test_maintenance_and_literal_explorations_embed_what_waits(graph: Graph) -> None:
    await graph.causality.record("door", DOOR, dm="DM")
    [job] = await graph.maintenance.run("consolidate")
    assert job.changed["lines_embedded"] == 5
    await graph.causality.record("door", CHANGED, dm="DM")
    await graph.exploration.explore("ann", "what is up there?", mode="literal", dry_run=True)
    assert await unembedded(graph) == [CHANGED[3][2]]
    await graph.exploration.explore("ann", "what is up there?", mode="literal")
    assert await unembedded(graph) == []


@pytest.mark.slow
async def test_a_session_that_is_gone_waits_for_nothing(graph: Graph) -> None:
    await graph.causality.record("door", DOOR, dm="DM", remember_session=True)
    await graph.causality.forget("door")
    assert await graph.causality.embed() == 0
    result = await graph.database.driver.execute_query(
        "MATCH (session:Session {realm: $realm, id: 'door'}) RETURN session.unembedded AS waiting",
        realm=graph.realm,
    )
    assert [record["waiting"] for record in result.records] == [None]
