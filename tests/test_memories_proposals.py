"""Proposals: what consolidation says may hold now, accepted, dismissed, and kept."""

from pathlib import Path

import pytest

from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.graph import Graph
from asterism.memories import Proposal, ProposalState
from tests.conftest import OpenGraph
from tests.support.raw import run_cypher

HOME = "I've got a small flat in Porto, near the river."
MOVED = "The boxes are gone at last: we live in Braga now, in a house with a garden."
YEAR = ("2024-01-05T09:00:00Z", "2024-06-07T09:00:00Z", "2024-11-02T09:00:00Z")


async def remember_move(graph: Graph, **fields: str) -> Proposal:
    """Remember a move of Ann's, consolidate, and return what is proposed."""
    ann = {"speaker": "Ann"} | fields
    await graph.memories.remember_many(
        [
            {"id": "old", "text": HOME, "at": YEAR[0]} | ann,
            {"id": "rain", "text": "It rained on the whole parade.", "at": YEAR[0]} | ann,
            {"id": "new", "text": MOVED, "at": YEAR[1]} | ann,
        ]
    )
    await graph.consolidation.consolidate()
    [proposal] = await graph.memories.proposals()
    return proposal


@pytest.mark.slow
async def test_a_move_in_other_words_is_proposed_with_what_differs(graph: Graph) -> None:
    proposal = await remember_move(graph)
    assert (proposal.id, proposal.new, proposal.old) == ("new:old", "new", "old")
    assert (proposal.new_text, proposal.old_text) == (MOVED, HOME)
    assert proposal.state is ProposalState.OPEN
    assert proposal.differs == "name"
    assert ("Porto" in proposal.before, "Braga" in proposal.after) == (True, True)
    assert "same subject (home)" in proposal.reason
    assert 0.5 <= proposal.confidence <= 1
    assert (await graph.memories.get("new")).updates == ("old",)


@pytest.mark.slow
async def test_the_later_text_updates_the_earlier_one_whichever_comes_first(graph: Graph) -> None:
    ann = {"speaker": "Ann"}
    await graph.memories.remember_many([{"id": "new", "text": MOVED, "at": YEAR[1]} | ann])
    await graph.consolidation.consolidate()
    await graph.memories.remember_many([{"id": "old", "text": HOME, "at": YEAR[0]} | ann])
    report = await graph.consolidation.consolidate()
    assert [(item.id, item.of) for item in report.updates] == [("new", "old")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "differs", "before", "after"),
    [
        ("Dad takes 5 mg of amlodipine.", "Dad takes 10 mg of amlodipine.", "number", "5", "10"),
        ("Yoga is on Tuesdays.", "Yoga is on Thursdays.", "date", "Tuesdays", "Thursdays"),
        ("We met at Ellen's house.", "We met at Dora's house.", "name", "Ellen's", "Dora's"),
        ("You can park in the yard.", "You can't park in the yard.", "negation", "", "can't"),
        ("Der Bus fährt um 7:25 Uhr.", "Der Bus fährt um 7:10 Uhr.", "number", "7:25", "7:10"),
    ],
)
async def test_nearly_the_same_words_are_proposed_with_the_detail(
    graph: Graph, old: str, new: str, differs: str, before: str, after: str
) -> None:
    for id, text in (("old", old), ("new", new)):
        await graph.memories.remember(text, id=id)
        await graph.consolidation.consolidate()
    [proposal] = await graph.memories.proposals()
    assert (proposal.differs, proposal.before, proposal.after) == (differs, before, after)


@pytest.mark.slow
async def test_another_speaker_or_subject_changes_nothing(graph: Graph) -> None:
    await graph.memories.remember(HOME, speaker="Ann", id="ann")
    await graph.memories.remember(MOVED, speaker="Bob", id="bob")
    await graph.memories.remember("The release is on 2 June.", about="Kestrel", id="kestrel")
    await graph.memories.remember("The release is on 9 May.", about="Heron", id="heron")
    report = await graph.consolidation.consolidate()
    assert report.updates == []
    assert await graph.memories.proposals() == []


@pytest.mark.slow
async def test_accepting_supersedes_once_however_often(graph: Graph) -> None:
    proposal = await remember_move(graph)
    for _ in range(2):
        accepted = await graph.memories.accept(proposal.id)
        assert accepted.state is ProposalState.ACCEPTED
        assert accepted.decided_at is not None
    old = await graph.memories.get("old")
    assert old.superseded_by == "new"
    assert await graph.memories.proposals() == []
    assert await graph.memories.proposals(state="accepted") == [accepted]
    assert await graph.memories.proposals(state=None) == [accepted]
    hits = (await graph.recall.find("Where does Ann live?")).hits
    ids = [hit.id for hit in hits]
    assert ids.index("new") < ids.index("old")
    with pytest.raises(Conflict, match="unsupersede"):
        await graph.memories.dismiss(proposal.id)


@pytest.mark.slow
async def test_what_was_accepted_can_be_taken_back_and_dismissed(graph: Graph) -> None:
    proposal = await remember_move(graph)
    await graph.memories.accept(proposal.id)
    await graph.memories.unsupersede("old")
    dismissed = await graph.memories.dismiss(proposal.id)
    assert dismissed.state is ProposalState.DISMISSED
    assert (await graph.memories.dismiss(proposal.id)) == dismissed
    assert (await graph.memories.get("old")).superseded_by is None


@pytest.mark.slow
async def test_what_is_dismissed_is_never_proposed_again(graph: Graph) -> None:
    proposal = await remember_move(graph)
    await graph.memories.dismiss(proposal.id)
    await run_cypher(  # as if it had just been remembered
        graph,
        "MATCH (m:Memory {realm: $realm, id: 'new'}) "
        "SET m.waiting = true REMOVE m.promoted_seq, m.consolidated_by",
    )
    report = await graph.consolidation.consolidate()
    assert (report.promoted, report.updates) == (1, [])
    assert await graph.memories.proposals() == []


async def test_a_person_who_supersedes_closes_the_proposal(graph: Graph) -> None:
    proposal = await remember_move(graph)
    await graph.memories.supersede("old", "new")
    assert await graph.memories.proposals() == []
    assert (await graph.memories.accept(proposal.id)).state is ProposalState.ACCEPTED


@pytest.mark.slow
async def test_what_is_corrected_already_is_not_proposed(graph: Graph) -> None:
    await graph.memories.remember("Ana takes 5 mg of amlodipine.", id="old")
    await graph.memories.correct("old", "Ana takes 10 mg of amlodipine.")
    assert (await graph.consolidation.consolidate()).updates == []
    assert await graph.memories.proposals(state=None) == []


@pytest.mark.slow
async def test_a_fact_that_changed_twice_ends_with_the_last_word_in_any_order(
    open_graph: OpenGraph,
) -> None:
    texts = ("10 euros", "12 euros", "15 euros")
    for order in ((0, 1, 2), (2, 1, 0)):
        graph = await open_graph()
        for number in order:
            await graph.memories.remember(
                f"A ticket to the museum costs {texts[number]}.", id=str(number), at=YEAR[number]
            )
        await graph.consolidation.consolidate()
        proposals = await graph.memories.proposals()
        assert {proposal.id for proposal in proposals} == {"1:0", "2:1", "2:0"}
        for id in ("2:0", "1:0", "2:1") if order[0] else ("1:0", "2:0", "2:1"):
            await graph.memories.accept(id)
        [hit] = (await graph.recall.find("What does a ticket cost?", k=1)).hits
        assert hit.id == "2"
        assert (await graph.memories.get("2")).superseded_by is None


@pytest.mark.slow
async def test_forgetting_either_end_removes_the_proposal(graph: Graph) -> None:
    proposal = await remember_move(graph)
    await graph.memories.forget("old")
    assert await graph.memories.proposals(state=None) == []
    with pytest.raises(NotFound, match=proposal.id):
        await graph.memories.accept(proposal.id)


@pytest.mark.slow
async def test_proposals_travel_with_the_realm(
    graph: Graph, open_graph: OpenGraph, tmp_path: Path
) -> None:
    proposal = await remember_move(graph)
    file = tmp_path / "realm.jsonl.gz"
    await graph.memories.dismiss(proposal.id)
    await graph.realms.export(file)
    other = await open_graph()
    await other.realms.load(file)
    [moved] = await other.memories.proposals(state="dismissed")
    assert moved.id == proposal.id


async def test_impossible_arguments_are_refused(graph: Graph) -> None:
    with pytest.raises(InvalidInput, match="state"):
        await graph.memories.proposals(state="closed")
    with pytest.raises(InvalidInput, match="limit"):
        await graph.memories.proposals(limit=0)
    for call in (graph.memories.accept, graph.memories.dismiss):
        with pytest.raises(NotFound, match="no proposal 'a:b'"):
            await call("a:b")


@pytest.mark.slow
async def test_the_setting_accepts_a_speakers_own_later_statement(open_graph: OpenGraph) -> None:
    graph = await open_graph(settings={"consolidation": {"accept_own": True}})
    await graph.memories.remember("I take 5 mg of amlodipine.", speaker="Ann", id="old")
    await graph.memories.remember("Dad takes 5 mg of levodopa.", id="nobody's")
    await graph.consolidation.consolidate()
    await graph.memories.remember("I take 10 mg of amlodipine now.", speaker="Ann", id="new")
    await graph.memories.remember("Dad takes 10 mg of levodopa now.", id="nobody's new")
    dry = await graph.consolidation.consolidate(dry_run=True)
    assert dry.accepted == []
    report = await graph.consolidation.consolidate()
    assert [(item.id, item.of) for item in report.accepted] == [("new", "old")]
    assert (await graph.memories.get("old")).superseded_by == "new"
    assert [item.id for item in await graph.memories.proposals()] == ["nobody's new:nobody's"]
    restored = await graph.memories.unsupersede("old")
    assert restored.superseded_by is None


async def test_a_dry_run_lists_proposals_and_writes_none(graph: Graph) -> None:
    await graph.memories.remember(HOME, speaker="Ann", id="old")
    await graph.memories.remember(MOVED, speaker="Ann", id="new")
    report = await graph.consolidation.consolidate(dry_run=True)
    assert [(item.id, item.of) for item in report.updates] == [("new", "old")]
    assert await graph.memories.proposals(state=None) == []
