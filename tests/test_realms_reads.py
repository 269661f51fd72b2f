"""Reading makes no realm, and the first write does, whatever happened to the realm before."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.errors import NotFound
from asterism.graph import Graph
from tests.conftest import OpenGraph, Server
from tests.support.stars_world import add, run
from tests.test_cli_consolidation import output_of
from tests.test_cli_memory import Run, realm
from tests.test_cli_memory import run as run_cli

__all__ = ["realm", "run_cli"]

Call = Callable[[Graph], Awaitable[Any]]

READS: dict[str, Call] = {
    "stars.get": lambda g: g.stars.get("a"),
    "stars.list": lambda g: g.stars.list(),
    "stars.overview": lambda g: g.stars.overview(),
    "stars.connection": lambda g: g.stars.connection("a", "b"),
    "stars.connections": lambda g: g.stars.connections("a"),
    "stars.why": lambda g: g.stars.why("a", "b"),
    "stars.fading": lambda g: g.stars.fading(),
    "stars.blockers": lambda g: g.stars.blockers("a"),
    "stars.predictions": lambda g: g.stars.predictions(),
    "stars.what_if": lambda g: g.stars.what_if("a", 0.1),
    "stars.history": lambda g: g.stars.history("a", "b"),
    "stars.hit_rates": lambda g: g.stars.hit_rates(),
    "stars.influences": lambda g: g.stars.influences("a"),
    "stars.loops": lambda g: g.stars.loops(),
    "stars.verify": lambda g: g.stars.verify(),
    "memories.get": lambda g: g.memories.get("a"),
    "memories.history": lambda g: g.memories.history("a"),
    "memories.level": lambda g: g.memories.level("a"),
    "memories.levels": lambda g: g.memories.levels("XUSDT"),
    "recall.find": lambda g: g.recall.find("where?"),
    "recall.context": lambda g: g.recall.context("where?"),
    "recall.prompt": lambda g: g.recall.prompt("where?"),
    "recall.why_not": lambda g: g.recall.why_not("where?", "a"),
    "exploration.runs": lambda g: g.exploration.runs(),
    "exploration.explore": lambda g: g.exploration.explore("a", "where?", dry_run=True),
    "consolidation.edges": lambda g: g.consolidation.edges("a"),
    "consolidation.explain": lambda g: g.consolidation.explain("a", "b"),
    "consolidation.consolidate": lambda g: g.consolidation.consolidate(dry_run=True),
    "causality.sessions": lambda g: g.causality.sessions(),
    "causality.links": lambda g: g.causality.links("s"),
    "causality.chain": lambda g: g.causality.chain("i"),
    "causality.events": lambda g: g.causality.events("s"),
    "causality.metrics": lambda g: g.causality.metrics("s"),
    "causality.trace": lambda g: g.causality.trace("s"),
    "causality.trace_document": lambda g: g.causality.trace_document("s"),
    "maintenance.history": lambda g: g.maintenance.history(),
    "view.look": lambda g: g.view.look(),
    "view.look at": lambda g: g.view.look("star", "a"),
    "view.timeline": lambda g: g.view.timeline("star", "a"),
    "realms.list": lambda g: g.realms.list(),
    "realms.stats": lambda g: g.realms.stats(),
    "embedding.query": lambda g: g.embedding.query("where?"),
    "embedding.peek": lambda g: g.embedding.peek(),
}


async def nodes(graph: Graph) -> int:
    [row] = await run(graph, "MATCH (n) WHERE n.realm = $realm RETURN count(n) AS nodes")
    return int(row["nodes"])


@pytest.mark.slow
async def test_no_read_makes_a_realm(
    open_graph: OpenGraph, clock: FixedClock, server: Server
) -> None:
    graph = await open_graph()
    for name, read in READS.items():
        clock.advance(hours=1)  # the time that a graph is open is written down now and then
        with suppress(NotFound):
            await read(graph)
        assert await nodes(graph) == 0, name
    async with Graph.open(server.uri, auth=server.auth, realm=graph.realm, clock=clock):
        clock.advance(hours=1)  # and when it is closed
    assert await nodes(graph) == 0
    assert graph.realm not in {realm.name for realm in await graph.realms.list()}


@pytest.mark.slow
async def test_what_is_absent_answers_emptily(graph: Graph, tmp_path: Path) -> None:
    assert (await graph.recall.find("where?")).hits == ()
    assert await graph.stars.list() == []
    with pytest.raises(NotFound):
        await graph.memories.get("a")
    with pytest.raises(NotFound, match="no realm"):
        await graph.realms.export(tmp_path / "x.jsonl")


WRITES: dict[str, Call] = {
    "a text": lambda g: g.memories.remember("The lighthouse is white.", id="m"),
    "a star": lambda g: add(g, "sea"),
    "an actor": lambda g: g.exploration.add("actor", "Ada", id="ada"),
    "vectors": lambda g: g.embedding.documents(["The lighthouse is white."]),
    "a session": lambda g: g.causality.record(
        "s", [(0, "DM", "A door."), (1, "Ann", "I open it.")], dm="DM", players=["Ann"]
    ),
    "a price": lambda g: g.memories.observe(
        [
            {"event_id": "e", "ts": g.clock.now() - timedelta(minutes=1), "symbol": "X",
             "price": "1", "kind": "execution", "side": "ask", "quantity": 1000}
        ],
        source="desk",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("what", WRITES)
async def test_the_first_write_makes_the_realm_also_after_another_process_deleted_it(
    what: str, graph: Graph, open_graph: OpenGraph
) -> None:
    other = await open_graph()
    for _ in range(2):
        await WRITES[what](graph)
        realms = {realm.name: realm for realm in await graph.realms.list()}
        assert realms[graph.realm].created_at == graph.clock.now()
        assert not realms[graph.realm].damaged
        await other.realms.delete(graph.realm)
        graph.embedding.forget()  # as a process would that is started now
        assert await nodes(graph) == 0


@pytest.mark.slow
async def test_writers_that_come_together_make_one_realm(open_graph: OpenGraph) -> None:
    name = f"test-{uuid.uuid4().hex[:12]}"
    graphs = [await open_graph(realm=name) for _ in range(4)]
    await asyncio.gather(
        *(graph.memories.remember(f"Number {at}.") for at, graph in enumerate(graphs))
    )
    [row] = await run(
        graphs[0], "MATCH (r:Realm {realm: $realm}) RETURN count(r) AS c, sum(r.text_count) AS n"
    )
    assert (row["c"], row["n"]) == (1, 4)


NOTHING_TO_WRITE: dict[str, Call] = {
    "connect": lambda g: g.stars.connect("a", "b", "TENSION"),
    "acknowledge": lambda g: g.stars.acknowledge("a"),
    "remove": lambda g: g.stars.remove("a"),
    "forget": lambda g: g.memories.forget("a"),
    "reinforce": lambda g: g.memories.reinforce("a"),
    "archive": lambda g: g.memories.archive(),
    "undo": lambda g: g.exploration.undo("a"),
    "consolidate": lambda g: g.consolidation.consolidate(),
    "forget a session": lambda g: g.causality.forget("s"),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", NOTHING_TO_WRITE)
async def test_a_write_that_finds_nothing_to_write_makes_no_realm(what: str, graph: Graph) -> None:
    with suppress(NotFound):
        await NOTHING_TO_WRITE[what](graph)
    assert await nodes(graph) == 0


READING_COMMANDS = (
    ("recall", "where?"),
    ("star", "list"),
    ("star", "show", "a"),
    ("memory", "show", "a"),
    ("memory", "levels", "XUSDT"),
    ("causal", "sessions"),
    ("realm", "stats"),
)


@pytest.mark.slow
@pytest.mark.parametrize("words", READING_COMMANDS, ids=" ".join)
def test_a_command_that_reads_says_that_there_is_no_such_realm(
    words: tuple[str, ...], run_cli: Run, realm: str
) -> None:
    output_of(run_cli("memory", "add", "Lyra keeps the key.", "--realm", realm))
    typo = realm[:-1]
    where = (typo,) if words[0] == "realm" else ("--realm", typo)
    refused = run_cli(*words, *where)
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert f"there is no realm '{typo}': did you mean {realm}" in refused.stderr
    assert f'"{typo}"' not in output_of(run_cli("realm", "list", "--json"))
