"""Sessions whose lines are memories too: joined, updated, forgotten."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.errors import InvalidInput
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.command_line import CommandLine
from tests.support.raw import run_cypher

EVENING = datetime(2026, 2, 20, 19, tzinfo=UTC)
LINES = [
    (0, "Ann", "I climb the stair to Lyra."),
    (1, "DM", "It ends at a hatch."),
    (2, "Bob", "I kick the hatch."),
    (3, "DM", "It bursts open."),
    (4, "Bob", ""),
    (5, "Ann", "What a noise."),
]
OPTIONS: dict[str, Any] = {"dm": "DM", "embed": False, "remember_session": True}


@pytest.fixture
async def hatch(open_graph: OpenGraph) -> Graph:
    """A recorded session whose lines are remembered."""
    graph: Graph = await open_graph(clock=FixedClock(datetime(2026, 3, 1, tzinfo=UTC)))
    report = await graph.causality.record("hatch", LINES, at=EVENING, **OPTIONS)
    assert report.remembered is not None
    counts = report.remembered.model_dump(exclude_defaults=True)
    assert counts == {"new": 5, "left_out": 1, "joined": 4}
    return graph


@pytest.mark.slow
async def test_lines_are_memories_that_describe_what_was_recorded(hatch: Graph) -> None:
    page = await hatch.memories.list(order="oldest")
    assert [memory.text for memory in page.items] == [text for _, _, text in LINES if text]
    first = page.items[0]
    assert (first.speaker, first.session, first.category) == ("Ann", "hatch", "line")
    assert first.metadata == {"source": "transcript", "line": 0}
    assert page.items[0].first_seen == EVENING
    mentions = await run_cypher(
        hatch,
        "MATCH (m:Memory {realm: $realm, id: 'hatch:line:0'})-[:MENTIONS]->(n) "
        "RETURN n.key AS key ORDER BY key",
        realm=hatch.realm,
    )
    assert [row["key"] for row in mentions] == ["ann", "lyra"]
    links = await hatch.causality.links("hatch")
    chains = await hatch.causality.causes("hatch:line:3")
    assert chains == await hatch.causality.causes(links[1].consequence_id or "")
    answer = await hatch.recall.find("What bursts open?", k=1, causes=True)
    assert [step.anchor_index for step in answer.hits[0].causes[0].steps] == [0, 1, 2, 3]


@pytest.mark.slow
async def test_the_same_again_changes_nothing(hatch: Graph) -> None:
    before = await hatch.memories.list()
    stats = await hatch.realms.stats()
    report = await hatch.causality.record("hatch", LINES, **OPTIONS)
    assert report.remembered is not None
    counts = report.remembered.model_dump(exclude_defaults=True)
    assert counts == {"unchanged": 5, "left_out": 1, "joined": 4}
    assert await hatch.memories.list() == before
    assert await hatch.realms.stats() == stats


@pytest.mark.slow
async def test_a_corrected_transcript_corrects_its_memories(hatch: Graph) -> None:
    corrected = [*LINES[:3], (3, "DM", "It bursts into splinters.")]
    report = await hatch.causality.record("hatch", corrected, **OPTIONS)
    assert report.remembered is not None
    counts = report.remembered.model_dump(exclude_defaults=True)
    assert counts == {"unchanged": 3, "changed": 1, "forgotten": 1, "joined": 4}
    assert (await hatch.memories.get("hatch:line:3")).text == "It bursts into splinters."
    other = [*corrected, (6, "Ann", "I look through the hatch."), (7, "DM", "You see the lamp.")]
    plain = OPTIONS | {"remember_session": False, "params": {"k_local": 4}}
    assert (await hatch.causality.record("hatch", other, **plain)).remembered is None
    assert await hatch.causality.causes("hatch:line:3")


@pytest.mark.slow
async def test_a_forgotten_session_says_which_memories_stay(hatch: Graph) -> None:
    await hatch.memories.remember("We laughed a lot.", session="hatch")
    forgotten = await hatch.causality.forget("hatch")
    assert (forgotten.memories, forgotten.memories_stay) == (0, 5)
    assert await hatch.memories.count() == 6
    await hatch.causality.record("hatch", LINES, **OPTIONS)
    forgotten = await hatch.causality.forget("hatch", memories=True)
    assert (forgotten.memories, forgotten.memories_stay) == (5, 0)
    assert await hatch.memories.count() == 1
    with pytest.raises(InvalidInput, match="memories"):
        await hatch.causality.forget("hatch", memories="all")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="remember_session"):
        await hatch.causality.record("hatch", LINES, **(OPTIONS | {"remember_session": "yes"}))


@pytest.mark.slow
async def test_a_forgotten_line_leaves_the_recording(hatch: Graph) -> None:
    receipt = await hatch.memories.forget("hatch:line:3")
    assert receipt.relationships["DESCRIBES"] == 1
    assert len(await hatch.causality.links("hatch")) == 2


@pytest.mark.slow
async def test_joins_are_kept_in_an_export(
    hatch: Graph, tmp_path: Path, open_graph: OpenGraph
) -> None:
    file = tmp_path / "hatch.jsonl.gz"
    await hatch.realms.export(file)
    other = await open_graph()
    await other.realms.load(file)
    chains = await hatch.causality.causes("hatch:line:3")
    assert await other.causality.causes("hatch:line:3") == chains


@pytest.mark.slow
def test_the_command_line_remembers(
    graph: Graph, environment: dict[str, str], tmp_path: Path
) -> None:
    command = CommandLine(environment, ("--realm", graph.realm)).run
    file = tmp_path / "hatch.txt"
    file.write_text("".join(f"{who}: {text}\n" for _, who, text in LINES if text))
    shown = command("transcript", str(file), "--no-embed", "--remember", "--json")
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["remembered"]["new"] == 5
    forgotten = command("causal", "forget", "hatch", "--yes")
    assert "5 memories of its lines stay" in forgotten.stdout
