"""Reasons of an answer: who said it, what lifts a memory by itself, and what says otherwise."""

import pytest

from asterism.graph import Graph
from tests.support.unrelated_notes import unrelated_notes

HARBOUR = "the harbour will be closed for the whole of next week."


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    ["What did Ansel say about the harbour?", "what has ansel moor told us of the harbour"],
)
async def test_a_speaker_whom_the_question_names_counts(graph: Graph, question: str) -> None:
    await graph.memories.remember(f"I heard that {HARBOUR}", id="mira", speaker="Mira")
    await graph.memories.remember(f"I heard that {HARBOUR}", id="ansel", speaker="Ansel Moor")
    await graph.memories.remember(f"I heard that {HARBOUR}", id="nobody")
    answer = await graph.recall.find(question)
    parts = {hit.id: hit.parts.speaker for hit in answer.hits}
    assert parts == {"ansel": graph.settings.recall.speaker, "mira": 0.0, "nobody": 0.0}
    assert answer.hits[0].id == "ansel"
    assert "was said by Ansel Moor, whom the question names" in answer.hits[0].why


@pytest.mark.slow
async def test_a_hop_to_what_the_named_speaker_said_counts_the_speaker_too(graph: Graph) -> None:
    texts = [{"id": f"n{i}", "text": f"Note {i}: the tide was low today."} for i in range(30)]
    await graph.memories.remember_many(
        [
            {"id": "ship", "text": "The ship that Mira boards is the Marigold of Ravensholm."},
            {"id": "said", "text": "Marigold leaks.", "speaker": "Mira"},
            *texts,
        ]
    )
    answer = await graph.recall.find("Which ship does Mira board?")
    leak = next(hit for hit in answer.hits if hit.id == "said")
    assert leak.parts.speaker == graph.settings.recall.speaker


@pytest.mark.slow
async def test_what_lifts_one_of_the_best_by_itself_has_a_part_and_a_reason(graph: Graph) -> None:
    await graph.memories.remember_many(
        [
            {"id": "fire", "text": "The fire at the mill was seen by Ansel Moor."},
            {"id": "boat", "text": "Ansel Moor owns a boat."},
            *unrelated_notes(30),
        ]
    )
    best = (await graph.recall.find("Who saw the fire at the mill?")).hits[0]
    assert best.id == "fire"
    assert best.parts.own > 0.1
    assert "ansel moor" in best.own
    assert "few others have its 'ansel moor'" in best.why
    parts = best.parts.model_dump()
    assert sum(parts.values()) - parts["cosine"] == pytest.approx(best.score, abs=1e-6)


async def test_common_words_of_a_small_realm_join_nothing(graph: Graph) -> None:
    await graph.memories.remember("Then I went to see the old mill, and it was the best.", id="a")
    await graph.memories.remember("Yesterday I bought the bread that was on the shelf.", id="b")
    for hit in (await graph.recall.find("What did I see at the mill?")).hits:
        assert (hit.parts.mention, hit.parts.subject, hit.parts.term) == (0.0, 0.0, 0.0)
        assert (hit.parts.own, hit.own, hit.paths) == (0.0, (), ())


@pytest.mark.slow
async def test_of_two_memories_that_contradict_both_come_and_say_which_is_newer(
    graph: Graph,
) -> None:
    await graph.memories.remember("The ferry leaves at nine.", id="old", at="2025-01-01T00:00Z")
    await graph.memories.remember("The ferry leaves at ten.", id="new", at="2025-02-01T00:00Z")
    await graph.memories.connect("new", "old", "CONTRADICTS")
    hits = {hit.id: hit for hit in (await graph.recall.find("When does the ferry leave?")).hits}
    assert (hits["old"].contradicted_by, hits["old"].contradicts) == (("new",), ())
    assert (hits["new"].contradicted_by, hits["new"].contradicts) == ((), ("old",))
    assert "newer says otherwise: new" in hits["old"].why
    assert "newer than old, which says otherwise" in hits["new"].why


@pytest.mark.slow
async def test_a_proposed_update_is_named_until_it_is_decided(graph: Graph) -> None:
    doses = ("Dad takes 5 mg of amlodipine.", "Dad takes 10 mg of amlodipine.")
    for month, text in enumerate(doses, start=1):
        await graph.memories.remember(text, id=f"m{month}", at=f"2025-0{month}-01T00:00Z")
    await graph.consolidation.consolidate()
    [proposal] = await graph.memories.proposals()
    assert await _said_otherwise(graph) == {"m1": ("m2",), "m2": ()}
    await graph.memories.dismiss(proposal.id)
    assert await _said_otherwise(graph) == {"m1": (), "m2": ()}


async def _said_otherwise(graph: Graph) -> dict[str, tuple[str, ...]]:
    answer = await graph.recall.find("How much amlodipine does Dad take?")
    return {hit.id: hit.contradicted_by for hit in answer.hits}
