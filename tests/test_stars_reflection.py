"""The journal: entries tied to stars, evidence proposed from entries, sentences behind it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from asterism.clock import FixedClock
from asterism.errors import InvalidInput, NotFound
from asterism.graph import Graph
from asterism.stars.models import EvidenceType
from tests.conftest import OpenGraph
from tests.support.command_line import CommandLine

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ENTRIES = {
    "swim": "Swam in the cold bay before work, and slept like a stone.",
    "lines": "After the morning swim the drawing went by itself.",
    "ink": "Bought ink. My sketchbook is nearly full.",
    "mother": "Called mother about the garden.",
}


@pytest.fixture
async def journal(open_graph: OpenGraph) -> Graph:
    """Three stars and four entries, of which one mentions two stars."""
    graph: Graph = await open_graph(clock=FixedClock(NOON))
    await graph.stars.add("Cold swims", domain="health", id="swims", aliases=["swim", "swam"])
    await graph.stars.add(
        "Drawing", domain="soul", id="drawing", aliases=["sketchbook"], description="By hand."
    )
    await graph.stars.add("Mother", domain="relationships", id="mother")
    for day, (id, text) in enumerate(ENTRIES.items()):
        at = NOON - timedelta(days=9 - day)
        await graph.memories.remember(text, id=id, at=at, session="march" if day < 3 else None)
    return graph


@pytest.mark.slow
async def test_evidence_is_proposed_from_entries_and_counts_once(journal: Graph) -> None:
    proposed = await journal.stars.reflect()
    [text] = proposed.proposals
    assert (text.a, text.b, text.type) == ("drawing", "swims", EvidenceType.CO_MENTION_RESPONSE)
    assert text.memories == ("lines",)
    assert text.why == ENTRIES["lines"]
    assert not proposed.applied
    with pytest.raises(NotFound):
        await journal.stars.why("swims", "drawing")
    applied = await journal.stars.reflect(apply=True)
    assert applied.counted == 1
    reasons = await journal.stars.why("swims", "drawing")
    assert [origin.text for item in reasons.evidence for origin in item.origins] == [
        ENTRIES["lines"]
    ]
    assert (await journal.stars.reflect(apply=True)).proposals == ()
    again = await journal.stars.why("swims", "drawing")
    assert again == reasons


@pytest.mark.slow
async def test_a_session_without_such_a_text_is_a_co_mention(journal: Graph) -> None:
    await journal.memories.remember("Mother waved from the pier.", id="wave", session="march")
    await journal.stars.reflect(apply=True)
    types = {
        (each.a, each.b): (each.type, each.memories)
        for each in (await journal.stars.reflect()).proposals
    }
    assert types == {}
    reasons = await journal.stars.why("mother", "swims")
    assert [item.type for item in reasons.evidence] == [EvidenceType.CO_MENTION_SESSION]
    texts = [origin.id for origin in reasons.evidence[0].origins]
    assert texts == ["swim", "wave"]


@pytest.mark.slow
async def test_why_leads_to_the_sentences_of_evidence_by_hand(journal: Graph) -> None:
    report = await journal.causality.record(
        "table", [(0, "Ann", "I draw the bay."), (1, "DM", "It looks cold.")], dm="DM"
    )
    stars = journal.stars
    link = await stars.connect("swims", "drawing")
    assert link.strength > 0
    await stars.evidence("swims", "drawing", "user_confirms", source="me", memory="swim")
    intent = report.links[0].id
    await stars.evidence("swims", "drawing", "tars_confirmed", source="table", intent=intent)
    origins = [
        (origin.kind, origin.text)
        for item in (await stars.why("swims", "drawing")).evidence
        for origin in item.origins
    ]
    assert sorted(origins) == [("intent", "I draw the bay."), ("memory", ENTRIES["swim"])]
    with pytest.raises(NotFound, match="nowhere"):
        await stars.evidence("swims", "mother", "user_confirms", source="me", memory="nowhere")
    assert await stars.connection("swims", "mother") is None
    await journal.memories.remember("Frost.", id="frost")
    await stars.evidence("swims", "mother", "user_confirms", source="me", memory="frost")
    walk = await journal.exploration.explore(
        None, "What do I know of cold swims?", start="frost", dry_run=True, timeout=600
    )
    assert "swims" in {node.id for node in walk.nodes}


@pytest.mark.slow
async def test_forgetting_an_entry_leaves_its_evidence_and_says_so(journal: Graph) -> None:
    await journal.stars.evidence("swims", "drawing", "user_confirms", source="me", memory="lines")
    strength = (await journal.stars.why("swims", "drawing")).connection
    receipt = await journal.memories.forget("lines")
    assert receipt.star_evidence == 1
    assert not receipt.left
    reasons = await journal.stars.why("swims", "drawing")
    assert reasons.connection == strength
    assert [item.origins for item in reasons.evidence] == [[]]


@pytest.mark.slow
async def test_intents_are_read_as_entries_are(journal: Graph) -> None:
    lines = [(0, "Ann", "I swim to the pier with my sketchbook."), (1, "DM", "It gets wet.")]
    await journal.causality.record("pier", lines, dm="DM", embed=False)
    [proposal] = [each for each in (await journal.stars.reflect()).proposals if each.intents]
    assert (proposal.a, proposal.b, proposal.session) == ("drawing", "swims", "pier")
    recent = await journal.stars.reflect(since=NOON - timedelta(days=1))
    assert recent.proposals == ()


@pytest.mark.slow
async def test_a_star_changes_its_names_and_keeps_them_in_an_export(
    journal: Graph, tmp_path: Path, open_graph: OpenGraph
) -> None:
    star = await journal.stars.update("mother", aliases=["Mum"], description="Every Sunday.")
    assert (star.name, star.aliases, star.description) == ("Mother", ("Mum",), "Every Sunday.")
    await journal.stars.reflect(apply=True)
    file = tmp_path / "journal.jsonl.gz"
    await journal.realms.export(file)
    other = await open_graph(clock=FixedClock(NOON))
    await other.realms.load(file)
    assert await other.stars.get("mother") == star
    assert await other.stars.why("swims", "drawing") == await journal.stars.why("swims", "drawing")
    with pytest.raises(InvalidInput, match="aliases"):
        await journal.stars.update("mother", aliases="Mum")
    with pytest.raises(InvalidInput, match="name"):
        await journal.stars.update("mother")
    with pytest.raises(NotFound):
        await journal.stars.update("father", name="Father")


@pytest.mark.slow
async def test_the_job_of_the_day_reflects_where_it_is_set(open_graph: OpenGraph) -> None:
    clock = FixedClock(NOON)
    graph = await open_graph(clock=clock, settings={"stars": {"reflect": True}})
    for id in ("sea", "ink"):
        await graph.stars.add(id, domain="soul", id=id)
    await graph.memories.remember("Ink as blue as the sea.")
    [report] = await graph.maintenance.run("stars-close-day")
    assert report.changed["reflected"] == 1
    assert (await graph.stars.reflect()).proposals == ()


@pytest.mark.slow
async def test_the_command_line_reflects(journal: Graph, environment: dict[str, str]) -> None:
    command = CommandLine(environment, ("--realm", journal.realm)).run
    shown = command("star", "reflect")
    assert shown.returncode == 0, shown.stderr
    assert "asterism star reflect --apply" in shown.stdout
    await journal.stars.reflect(apply=True)
    assert "No text shows evidence" in command("star", "reflect").stdout
    assert ENTRIES["lines"] in command("star", "why", "swims", "drawing").stdout
    named = command("star", "update", "mother", "--alias", "Mum", "--description", "Sundays.")
    assert named.returncode == 0, named.stderr
    assert "Mum" in command("star", "show", "mother").stdout
