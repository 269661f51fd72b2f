"""A realm gets another model: all vectors follow, a kill loses nothing, readers go on."""

import asyncio
import os
import signal
import subprocess
import sys
from typing import Any

import pytest

from asterism import reembedding
from asterism.embedding import OnnxEmbedder
from asterism.errors import Conflict, InvalidInput
from asterism.graph import Graph
from tests.conftest import OpenGraph, Server
from tests.test_embedding import Letters

NOTES = {
    "vet": "何医生周日休息，急诊要去古墩路。",
    "cat": "猫叫豆包，三岁，有点胖。",
    "bridge": "大桥刷成了绿色。",
    "school": "顾老师教朵朵写毛笔字。",
}


class Vowels(Letters):
    """Another small model, of other dimensions."""

    name = "vowels"
    dimensions = 7

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[float(text.count(letter)) + 0.1 for letter in "aeiouys"] for text in texts]


async def everything(graph: Graph) -> None:
    """Fill a realm with every kind of node that has a vector."""
    await graph.memories.remember_many([{"id": id, "text": text} for id, text in NOTES.items()])
    await graph.causality.record(
        "door", [(0, "DM", "A door."), (1, "Ann", "I open it!"), (2, "DM", "It creaks.")],
        dm="DM", players=["Ann"],
    )  # fmt: skip
    await graph.causality.embed()
    await graph.exploration.add("actor", "Bea", id="bea", content="A thief.")
    await graph.exploration.add("space", "cellar", id="cellar")
    await graph.exploration.add("thing", "given", id="plain", embedding=[0.2] * 5)
    await graph.exploration.link("bea", "cellar", id="with text", synthesis="hides there")
    await graph.exploration.link("bea", "plain", id="without")
    await graph.consolidation.consolidate()


async def sizes(graph: Graph) -> dict[str, set[int]]:
    """Return the dimensions of all vectors, by label or type."""
    result = await graph.database.driver.execute_query(
        "MATCH (n {realm: $realm}) WHERE n.embedding IS NOT NULL "
        "RETURN labels(n)[0] AS kind, collect(DISTINCT size(n.embedding)) AS sizes "
        "UNION ALL MATCH ()-[n:LINK {realm: $realm}]->() WHERE n.embedding IS NOT NULL "
        "RETURN 'LINK' AS kind, collect(DISTINCT size(n.embedding)) AS sizes",
        {"realm": graph.realm},
    )
    return {row["kind"]: set(row["sizes"]) for row in result.records}


async def faults(graph: Graph) -> list[dict[str, Any]]:
    """Return what breaks a rule of the realm, that of one model among them."""
    rows = await graph.database.rows("maintenance/verify/realms")
    return [row for row in rows if "model" in row["rule"]]


@pytest.mark.slow
async def test_every_vector_of_a_realm_follows(open_graph: OpenGraph) -> None:
    graph = await open_graph(embedder=Letters())
    await everything(graph)
    before = await sizes(graph)
    assert before.keys() >= {"Memory", "Intent", "Consequence", "Actor", "Space", "Thing", "LINK"}
    report = await graph.realms.reembed(Vowels())
    assert (report.before, report.model, report.dimensions) == ("letters", "vowels", 7)
    after = await sizes(graph)
    assert after == {kind: {7} for kind in before}
    assert sum(report.vectors.values()) >= 10
    assert report.without_text == {}
    assert await faults(graph) == []
    hits = (await graph.recall.find("何医生")).hits
    assert hits[0].id == "vet"


@pytest.mark.slow
async def test_the_edges_are_scored_anew_by_the_next_consolidation(open_graph: OpenGraph) -> None:
    graph = await open_graph(embedder=Letters())
    await everything(graph)
    await graph.realms.reembed(Vowels())
    report = await graph.consolidation.consolidate()
    assert any("vowels" in warning for warning in report.warnings)
    assert not any("vowels" in each for each in (await graph.consolidation.consolidate()).warnings)


@pytest.mark.slow
async def test_pinned_questions_are_asked_and_reported(open_graph: OpenGraph) -> None:
    graph = await open_graph(embedder=None)
    await graph.memories.remember_many([{"id": id, "text": text} for id, text in NOTES.items()])
    first = (await graph.recall.find("小猫病了找谁？", k=1)).hits[0].id
    await graph.recall.expect("小猫病了找谁？", must=[first], k=1)
    report = await graph.realms.reembed("bge-small-zh")
    now = (await graph.recall.find("小猫病了找谁？", k=1)).hits[0].id
    assert [change.question for change in report.answers_changed] == (
        [] if now == first else ["小猫病了找谁？"]
    )
    assert graph.embedding.embedder.name == "bge-small-zh-v1.5-q"


@pytest.mark.slow
async def test_a_realm_that_is_open_elsewhere_follows_without_being_opened_anew(
    open_graph: OpenGraph,
) -> None:
    graph = await open_graph(embedder=None)
    await graph.memories.remember_many([{"id": id, "text": text} for id, text in NOTES.items()])
    reader = await open_graph(realm=graph.realm, embedder=None)
    await reader.recall.find("猫")
    work = asyncio.create_task(graph.realms.reembed("all-minilm-l6-v2"))
    answered = 0
    while not work.done():
        assert len((await reader.recall.find("Neo4j 猫")).hits) == len(NOTES)
        answered += 1
    await work
    assert answered > 3
    assert (await reader.recall.find("猫")).hits
    assert reader.embedding.embedder.name == "all-minilm-l6-v2-q"
    assert await sizes(graph) == {"Memory": {384}}
    assert await faults(graph) == []


@pytest.mark.slow
async def test_what_is_written_meanwhile_gets_a_vector_of_the_new_model(
    open_graph: OpenGraph,
) -> None:
    graph = await open_graph(embedder=Letters())
    await everything(graph)

    def write(stage: str, count: int, total: int) -> None:
        if stage == "embedding" and not late:
            late.append(asyncio.create_task(remember()))

    async def remember() -> None:
        await graph.memories.remember("It came late.", id="late")
        await graph.memories.update("cat", text="The cat is thin now.")
        await graph.recall.find("late")

    late: list[asyncio.Task[None]] = []
    await graph.realms.reembed(Vowels(), on_progress=write)
    await asyncio.gather(*late)
    assert (await graph.recall.find("It came late.")).hits[0].id == "late"
    assert (await sizes(graph))["Memory"] == {7}
    assert await faults(graph) == []


@pytest.mark.slow
async def test_a_model_that_is_there_already_changes_nothing(open_graph: OpenGraph) -> None:
    graph = await open_graph(embedder=Letters())
    await everything(graph)
    assert (await graph.realms.reembed(Letters())).vectors == {}
    with pytest.raises(InvalidInput, match="bge-small-zh"):
        await graph.realms.reembed("bge-small-zz")


@pytest.mark.slow
async def test_an_export_amid_the_change_has_the_present_model_alone(
    open_graph: OpenGraph, tmp_path: Any
) -> None:
    graph = await open_graph(embedder=Letters())
    await everything(graph)
    await graph.database.rows("reembedding/begin", model="vowels")
    work = reembedding.Reembedding(graph.database, Vowels(), lambda *_: None)
    await work._count_all()
    await work._make()
    await graph.realms.export(tmp_path / "realm.jsonl")
    assert "_next" not in (tmp_path / "realm.jsonl").read_text("utf-8")
    await graph.database.rows("reembedding/announce", model="vowels")
    with pytest.raises(Conflict, match="being replaced"):
        await graph.realms.export(tmp_path / "other.jsonl")
    with pytest.raises(Conflict, match="finish that first"):
        await graph.realms.reembed("bge-small-zh")
    assert (await graph.realms.reembed(Vowels())).model == "vowels"


KILLED = """
import asyncio, os, sys
from asterism import reembedding
from asterism.graph import Graph
from tests.test_reembedding import Vowels
uri, user, password, realm, stage, at = sys.argv[1:]
reembedding.PAGE = reembedding.STORED_ROWS = 2
count = 0
def die(name, done, total):
    global count
    count += name == stage
    if count > int(at):
        os.kill(os.getpid(), 9)
async def main():
    async with Graph.open(uri, auth=(user, password), realm=realm) as graph:
        await graph.realms.reembed(Vowels(), on_progress=die)
asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize(("stage", "at"), [("embedding", 2), ("replacing", 0), ("replacing", 4)])
async def test_killed_at_any_point_it_goes_on_where_it_stopped(
    open_graph: OpenGraph, server: Server, stage: str, at: int
) -> None:
    graph = await open_graph(embedder=Letters())
    await everything(graph)
    command = [sys.executable, "-c", KILLED, server.uri, *server.auth, graph.realm, stage, str(at)]
    killed = await asyncio.to_thread(subprocess.run, command, env=dict(os.environ))
    assert killed.returncode == -signal.SIGKILL
    if stage == "embedding":
        graph.embedding.forget()
        assert (await graph.recall.find("何医生")).hits[0].id == "vet"
    embedded: list[str] = []

    class Counting(Vowels):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            embedded.extend(texts)
            return super().embed_documents(texts)

    await graph.realms.reembed(Counting())
    assert all(size == {7} for size in (await sizes(graph)).values())
    assert await faults(graph) == []
    if stage == "replacing":  # all vectors were there, so none was made again
        assert not set(embedded) & {text.lower() for text in NOTES.values()}
    other = OnnxEmbedder(model="all-minilm-l6-v2")
    assert (await graph.realms.reembed(other)).before == "vowels"
