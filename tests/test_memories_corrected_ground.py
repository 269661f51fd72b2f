"""A corrected memory marks what stands on it, until that is confirmed."""

import asyncio
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from asterism.clock import FixedClock
from asterism.errors import InvalidInput, NotFound
from asterism.graph import Graph
from asterism.maintenance import JobReport
from asterism.memories import GroundKind
from tests.conftest import OpenGraph
from tests.support.command_line import CommandLine
from tests.support.raw import run_cypher
from tests.support.sessions import CHEST
from tests.support.stars_world import add

MAY = datetime(2024, 5, 3, 12, tzinfo=UTC)
MARK = "stands on a corrected memory: old was superseded by new on 3 May 2024"
UPDATE = """
import asyncio, sys
from asterism.graph import Graph

async def main():
    async with Graph.open(realm=sys.argv[1]) as graph:
        for number in range(int(sys.argv[2]), 100_000):
            content = {"text": f"The ferry leaves from pier {number}.", "category": f"c{number}"}
            content |= {"tags": [f"t{number}"], "metadata": {"number": number}}
            await graph.memories.update("ferry", **content)
            print(number, flush=True)

asyncio.run(main())
"""


async def town(graph: Graph, clock: FixedClock) -> None:
    """Fill the graph with an edge, a narrative, a causal link and a star on a corrected memory."""
    clock.set(MAY)
    await graph.memories.remember("Mara lives in Porto.", id="old")
    await graph.memories.remember("She loves the river in front of her house.", id="river")
    await graph.memories.remember("The mill grinds rye.", id="mill")
    await graph.memories.connect("river", "old", "SUPPORTS")
    await graph.memories.connect("river", "mill", "ELABORATES")
    await add(graph, "home")
    await graph.causality.record("chest", CHEST.lines, dm=CHEST.dm, players=["Ann", "Bob", "Cy"])
    [consequence, *_] = await run_cypher(
        graph, "MATCH (c:Consequence {realm: $realm}) RETURN c.id AS id ORDER BY id"
    )
    places = [
        {"kind": "narrative", "name": "A house by the Douro", "id": "house"},
        {"kind": "thing", "name": "the boat", "id": "boat"},
    ]
    usual = {"polarity": (1, 0.5), "permanence": 0.1, "b": "old"}
    ends = {"told": "house", "moored": "boat", "caused": consequence["id"], "lived": "home"}
    links = [{"a": a, "id": id} | usual for id, a in ends.items()]
    await graph.exploration.load(places, links)


async def corrected(graph: Graph, clock: FixedClock) -> None:
    """Fill the graph, and correct the memory."""
    await town(graph, clock)
    await graph.memories.correct("old", "Mara lives in Lisbon.", id="new")


async def verified(graph: Graph) -> JobReport:
    [report] = await graph.maintenance.run("verify")
    assert report.ok
    return report


@pytest.mark.slow
async def test_what_stands_on_a_corrected_memory_is_listed_with_its_mark(
    graph: Graph, clock: FixedClock
) -> None:
    await town(graph, clock)
    assert await graph.memories.corrected_ground() == []
    await graph.memories.correct("old", "Mara lives in Lisbon.", id="new")
    ground = await graph.memories.corrected_ground()
    assert {(one.kind, one.other, one.type) for one in ground if one.id != "caused"} == {
        (GroundKind.EDGE, "river", "SUPPORTS"),
        (GroundKind.NARRATIVE, "house", "LINK"),
        (GroundKind.STAR, "home", "LINK"),
        (GroundKind.LINK, "boat", "LINK"),
    }
    assert [one.kind for one in ground if one.id == "caused"] == [GroundKind.CAUSAL]
    assert {one.why for one in ground} == {MARK}
    [edge] = [one for one in ground if one.kind is GroundKind.EDGE]
    assert edge.other_text.startswith("She loves the river")
    assert (edge.old_text, edge.new_text) == ("Mara lives in Porto.", "Mara lives in Lisbon.")
    assert edge.at == MAY
    assert await graph.memories.corrected_ground("old") == ground
    assert await graph.memories.corrected_ground("mill") == []
    assert len(await graph.memories.corrected_ground(limit=2)) == 2


@pytest.mark.slow
async def test_confirmed_once_nothing_is_marked_and_taken_back_it_is_forgotten(
    graph: Graph, clock: FixedClock
) -> None:
    await corrected(graph, clock)
    assert [await graph.memories.confirm("old") for _ in range(2)] == [5, 0]
    assert await graph.memories.corrected_ground() == []
    [edge] = await graph.consolidation.edges("old", types=["SUPPORTS"])
    assert edge.corrected == ()
    await graph.memories.unsupersede("old")
    await graph.memories.supersede("old", "new")
    assert len(await graph.memories.corrected_ground()) == 5


@pytest.mark.slow
async def test_a_successor_that_is_forgotten_leaves_the_confirmation(
    graph: Graph, clock: FixedClock
) -> None:
    await corrected(graph, clock)
    await graph.memories.confirm("old")
    await graph.memories.correct("new", "Mara lives in Faro.", id="newest")
    await graph.memories.forget("new")
    assert (await graph.memories.get("old")).superseded_by == "newest"
    assert await graph.memories.corrected_ground() == []


@pytest.mark.slow
async def test_edges_and_their_explanation_have_the_mark(graph: Graph, clock: FixedClock) -> None:
    await corrected(graph, clock)
    await graph.consolidation.consolidate()
    marks = {edge.other: edge.corrected for edge in await graph.consolidation.edges("river")}
    assert (marks["old"], marks["mill"]) == ((MARK,), ())
    for ends in (("river", "old"), ("old", "river")):
        assert (await graph.consolidation.explain(*ends)).corrected == (MARK,)
    assert (await graph.consolidation.explain("river", "mill")).corrected == ()


@pytest.mark.slow
async def test_an_edge_within_a_chain_of_corrections_stands_on_nothing_that_changed(
    graph: Graph, clock: FixedClock
) -> None:
    await graph.memories.remember("Mara lives in Porto.", id="old")
    await graph.memories.correct("old", "Mara lives in Lisbon.", id="new")
    await graph.memories.correct("new", "Mara lives in Faro.", id="newest")
    await graph.memories.connect("newest", "old", "CONTRADICTS")
    await graph.memories.connect("new", "old", "CONTRADICTS")
    assert await graph.memories.corrected_ground() == []
    for edge in await graph.consolidation.edges("old"):
        assert edge.corrected == ()
    assert (await graph.consolidation.explain("new", "old")).corrected == ()


@pytest.mark.slow
async def test_a_change_in_the_future_marks_nothing_before_it_comes(
    graph: Graph, clock: FixedClock
) -> None:
    await town(graph, clock)
    tomorrow = clock.now() + timedelta(days=1)
    await graph.memories.correct("old", "Mara lives in Lisbon.", id="new", valid_from=tomorrow)
    assert await graph.memories.corrected_ground() == []
    clock.advance(days=2)
    assert len(await graph.memories.corrected_ground()) == 5


@pytest.mark.slow
async def test_verify_notes_it_and_is_ok(graph: Graph, clock: FixedClock) -> None:
    await town(graph, clock)
    assert (await verified(graph)).message == "every rule holds"
    await graph.memories.correct("old", "Mara lives in Lisbon.", id="new")
    message = (await verified(graph)).message
    assert message.startswith("every rule holds; 5 stand on corrected memories (")
    assert "causal 1" in message
    assert "asterism memory corrected" in message
    await graph.memories.confirm("old")
    assert (await verified(graph)).message == "every rule holds"


@pytest.mark.slow
async def test_verify_notes_no_more_than_it_lists(open_graph: OpenGraph, clock: FixedClock) -> None:
    graph: Graph = await open_graph(settings={"maintenance": {"offenders": 2}})
    await corrected(graph, clock)
    assert "at least 2 stand on corrected" in (await verified(graph)).message


async def test_only_what_was_superseded_is_confirmed(open_graph: OpenGraph) -> None:
    graph: Graph = await open_graph()
    with pytest.raises(NotFound):
        await graph.memories.confirm("old")
    assert await graph.memories.corrected_ground("old") == []
    assert await run_cypher(graph, "MATCH (n {realm: $realm}) RETURN n") == []
    await graph.memories.remember("Mara lives in Porto.", id="old")
    with pytest.raises(InvalidInput, match="nothing supersedes it"):
        await graph.memories.confirm("old")
    with pytest.raises(NotFound):
        await graph.memories.confirm("nobody")
    with pytest.raises(InvalidInput, match="limit"):
        await graph.memories.corrected_ground(limit=0)


@pytest.mark.slow
async def test_the_commands_list_and_confirm(
    graph: Graph, clock: FixedClock, environment: dict[str, str]
) -> None:
    await corrected(graph, clock)
    commands = CommandLine(environment, ("--realm", graph.realm))
    ground = await asyncio.to_thread(commands.document, "memory", "corrected")
    assert {one["why"] for one in ground} == {MARK}
    shown = await asyncio.to_thread(commands.output, "memory", "corrected", "old")
    assert "narrative" in shown
    edges = await asyncio.to_thread(commands.document, "memory", "edges", "river")
    assert [MARK] in [edge["corrected"] for edge in edges]
    confirmed = await asyncio.to_thread(commands.document, "memory", "confirm", "old")
    assert confirmed == {"old": "old", "confirmed": 5}
    shown = await asyncio.to_thread(commands.output, "memory", "corrected")
    assert "Nothing stands on a corrected memory." in shown


@pytest.mark.slow
async def test_a_copy_of_a_realm_keeps_corrections_and_what_updates_changed(
    graph: Graph, clock: FixedClock, open_graph: OpenGraph, tmp_path: Path
) -> None:
    await corrected(graph, clock)
    await graph.memories.update("river", text="She loves the sea.", metadata={"page": 3})
    await graph.memories.correct("new", "Mara lives in Faro.", id="newest", reason="she moved")
    await graph.memories.confirm("old")
    file, again = tmp_path / "realm.jsonl", tmp_path / "again.jsonl"
    await graph.realms.export(file)
    copy: Graph = await open_graph()
    await copy.realms.load(file)
    questions = (
        "MATCH (new:Memory {realm: $realm})-[link:SUPERSEDES]->(old:Memory) "
        "RETURN new.id AS new, properties(link) AS link, old.superseded_by AS by ORDER BY new",
        "MATCH (e:Evidence {realm: $realm}) WHERE e.before IS NOT NULL "
        "RETURN e.memory_id AS id, e.before AS before",
    )
    for question in questions:
        expected = await run_cypher(graph, question)
        assert expected
        assert await run_cypher(copy, question) == expected
    for id in ("river", "old", "new", "newest"):
        assert await copy.memories.history(id) == await graph.memories.history(id)
    assert await copy.memories.corrected_ground() == await graph.memories.corrected_ground()
    await copy.realms.export(again)
    assert again.read_bytes() == file.read_bytes()


@pytest.mark.slow
async def test_a_kill_in_the_middle_of_an_update_leaves_the_old_or_the_new(
    graph: Graph, environment: dict[str, str]
) -> None:
    await graph.memories.remember("The ferry leaves from pier 0.", id="ferry")
    number = 0
    for rounds in range(1, 4):
        reported = await asyncio.to_thread(
            update_and_kill, graph.realm, number + 1, 4 * rounds, environment
        )
        ferry = await graph.memories.get("ferry")
        number = int(str(ferry.metadata["number"]))
        assert number in (reported, reported + 1)
        assert (ferry.text, ferry.category, ferry.tags) == (
            f"The ferry leaves from pier {number}.",
            f"c{number}",
            (f"t{number}",),
        )
        entries = await graph.memories.history("ferry")
        changed = [e.before["text"] for e in entries if e.before]
        assert sorted(changed) == sorted(
            f"The ferry leaves from pier {earlier}." for earlier in range(number)
        )
        assert (await verified(graph)).offenders == []


def update_and_kill(realm: str, first: int, lines: int, environment: dict[str, str]) -> int:
    """Let a process update without end, kill it after some updates, and return its last one."""
    process = subprocess.Popen(
        [sys.executable, "-c", UPDATE, realm, str(first)],
        env=environment | {"PYTHONPATH": os.getcwd()},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    numbers = [int(process.stdout.readline()) for _ in range(lines)]
    process.send_signal(signal.SIGKILL)
    numbers += [int(line) for line in process.stdout]
    assert process.wait() == -signal.SIGKILL
    process.stdout.close()
    return numbers[-1]
