"""Guided explorations: never below recall, connections, narratives, and what people confirm."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.exploration import Exploration
from asterism.exploration.render import html_page
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.exploration_world import Q3, Toy
from tests.support.raw import run_cypher

NOTES = {
    "xray": "The x-ray of Fuji's hip shows an old fracture that has healed badly.",
    "diet": "Fuji must lose four kilos before the summer, says the vet.",
    "stair": "Grandfather slipped on the stairs and bruised his arm.",
    "bar": "Bought a grab bar for the bathroom at the hardware store.",
    "choir": "The choir rehearses the Requiem on Thursdays at eight.",
    "solo": "Ingrid sings the solo in the Requiem this year.",
    "roof": "The roofer wants 4.200 euros for the north side of the roof.",
    "gutter": "The gutter leaks again where the ladder stood.",
    "tax": "The tax return is due at the end of July.",
    "run": "Ran twelve kilometres along the river before breakfast.",
    "bread": "The sourdough needs a warmer place to rise.",
    "train": "The night train to Lisbon leaves at ten past nine.",
}
DOG = "Does the old dog have a fracture, and must it lose weight?"
CLOSE = {"join_alignment": 0.1}
FROM_ONE = {"findings": 1, "starts": 1, "least_alignment": 0.0}
QUESTION = "What did the picture of the hip show?"
DAY = datetime(2026, 2, 1, 9, tzinfo=UTC)


async def fill(graph: Graph) -> None:
    await graph.memories.remember_many(
        [{"id": id, "text": text, "at": DAY} for id, text in NOTES.items()]
    )


@pytest.fixture
async def notes(graph: Graph) -> Graph:
    await fill(graph)
    return graph


async def ask(graph: Graph, query: str = QUESTION, **options: Any) -> Exploration:
    return await graph.exploration.explore(None, query, **options)


def ids(exploration: Exploration, origin: str = "recall") -> list[str]:
    return [each.id for each in exploration.narratives if each.origin == origin]


async def state(graph: Graph) -> list[Any]:
    return await run_cypher(
        graph,
        "MATCH (n {realm: $realm}) OPTIONAL MATCH (n)-[r]->(m) "
        "RETURN labels(n) AS labels, properties(n) AS properties, type(r) AS type, "
        "properties(r) AS between, m.id AS to ORDER BY elementId(n), elementId(r)",
    )


@pytest.mark.slow
async def test_findings_begin_with_what_recall_finds(notes: Graph) -> None:
    for question in (QUESTION, "Who sings?", "When does the train leave?", "Where is my hat?"):
        recall = await notes.recall.find(question, k=10)
        exploration = await ask(notes, question, dry_run=True)
        assert ids(exploration) == [hit.id for hit in recall.hits]
        assert [each.score for each in exploration.narratives[:10]] == pytest.approx(
            [hit.score for hit in recall.hits], abs=1e-6
        )
        assert exploration.reads <= 6
        assert exploration.outcome == "found"


@pytest.mark.slow
async def test_every_finding_has_its_values_for_question_and_intention(notes: Graph) -> None:
    exploration = await ask(notes, intention="help the dog to lose weight", dry_run=True)
    first = exploration.narratives[0]
    assert first.id == "xray"
    assert first.query_alignment > 0.2
    by_id = {each.id: each for each in exploration.narratives}
    assert by_id["diet"].alignment > by_id["diet"].query_alignment
    assert exploration.found[first.id] == first.query_alignment
    assert all(each.why for each in exploration.narratives)


@pytest.mark.slow
async def test_texts_that_share_a_rare_name_are_joined(notes: Graph) -> None:
    exploration = await ask(notes, DOG, settings=CLOSE)
    [connection] = exploration.connections
    assert {connection.a, connection.b} == {"xray", "diet"}
    assert connection.joined_by == ["Fuji"]
    assert connection.text_a == NOTES[connection.a]
    assert "Joined by: Fuji" in exploration.created[0].content


@pytest.mark.slow
async def test_what_the_question_names_joins_nothing(notes: Graph) -> None:
    exploration = await ask(notes, DOG.replace("the old dog", "Fuji"), settings=CLOSE)
    assert exploration.connections == ()
    assert exploration.created == []


@pytest.mark.slow
async def test_lines_of_talk_are_not_joined(graph: Graph) -> None:
    items = [
        {"id": id, "text": text, "speaker": "Marta" if id == "diet" else None, "at": DAY}
        for id, text in NOTES.items()
    ]
    await graph.memories.remember_many(items)
    exploration = await ask(graph, DOG, settings=CLOSE)
    assert exploration.connections == ()


@pytest.mark.slow
async def test_a_walk_goes_on_over_names_and_says_so(notes: Graph) -> None:
    exploration = await ask(notes, dry_run=True, settings=FROM_ONE)
    assert ids(exploration) == ["xray"]
    [finding] = [each for each in exploration.narratives if each.id == "diet"]
    assert finding.origin == "walk"
    [step] = finding.paths[0].steps
    assert (step.start, step.type, step.why) == ("xray", "NAME", "shares the name Fuji")
    assert step.score == pytest.approx(
        step.factors.alignment
        * step.factors.polarity
        * step.factors.permanence
        * step.factors.novelty
        * step.factors.divergence
    )


@pytest.mark.slow
async def test_a_node_without_a_vector_attracts_nothing(notes: Graph) -> None:
    await notes.exploration.add("actor", "Marta", id="marta")
    fresh = await notes.memories.remember("Something else that nobody has embedded yet.")
    await notes.exploration.link("marta", fresh.id, polarity=(1, 1), permanence=0)
    await run_cypher(
        notes,
        "MATCH (m:Memory {realm: $realm, id: $id}) SET m.embedding = null, m.unembedded = null",
        id=fresh.id,
    )
    exploration = await notes.exploration.explore("marta", QUESTION, dry_run=True)
    assert fresh.id not in exploration.found
    assert exploration.narratives[0].id == "xray"


@pytest.mark.slow
async def test_archived_and_superseded_memories_are_not_walked(notes: Graph) -> None:
    assert "diet" in (await ask(notes, dry_run=True, settings=FROM_ONE)).found
    await notes.memories.supersede("diet", "bread", at=DAY)
    assert "diet" not in (await ask(notes, dry_run=True, settings=FROM_ONE)).found


@pytest.mark.slow
async def test_other_parts_are_starts(notes: Graph) -> None:
    await notes.stars.add("Sing in the choir", domain="soul", id="choir-star")
    await notes.exploration.add("thing", "the old piano", id="piano")
    await notes.exploration.link("choir-star", "solo", synthesis="who sings it")
    exploration = await ask(notes, "What does the choir sing?", dry_run=True)
    starts = {start.id: start for start in exploration.starts}
    assert starts["choir-star"].label == "Star"
    assert "choir" in starts["choir-star"].why
    assert "piano" not in starts
    pair = next(each for each in exploration.connections if "choir-star" in (each.a, each.b))
    assert pair.joined_by == ["a link: who sings it"]


@pytest.mark.slow
async def test_a_narrative_of_a_person_is_found(notes: Graph) -> None:
    await notes.exploration.add(
        "narrative", "Hips", id="own", content="Hips of old dogs break and heal badly."
    )
    exploration = await ask(notes, dry_run=True)
    assert ids(exploration, "start") == ["own"]


@pytest.mark.slow
async def test_an_actor_is_one_more_start_if_something_is_joined_to_it(notes: Graph) -> None:
    await notes.exploration.add("actor", "Marta", id="marta")
    alone = await notes.exploration.explore("marta", QUESTION, dry_run=True)
    assert "marta" not in {start.id for start in alone.starts}
    await notes.exploration.link("marta", "choir")
    joined = await notes.exploration.explore("marta", QUESTION, dry_run=True)
    assert "marta" in {start.id for start in joined.starts}
    assert ids(joined) == ids(alone)
    with pytest.raises(NotFound, match="no actor 'nobody'"):
        await notes.exploration.explore("nobody", QUESTION)


@pytest.mark.slow
async def test_a_walk_may_start_at_one_node_alone(notes: Graph) -> None:
    exploration = await ask(notes, start="choir", dry_run=True)
    assert [start.id for start in exploration.starts] == ["choir"]
    assert ids(exploration)[0] == "xray"
    with pytest.raises(NotFound, match="no start 'nowhere'"):
        await ask(notes, start="nowhere")


@pytest.mark.slow
async def test_an_empty_realm_says_that_nothing_fits(graph: Graph) -> None:
    exploration = await ask(graph, dry_run=True)
    assert exploration.outcome == "nothing"
    assert exploration.why_empty != []
    assert "found nothing" in exploration.text()


@pytest.mark.slow
async def test_a_narrative_can_be_read_and_listed(notes: Graph) -> None:
    exploration = await ask(notes, keep=True, intention="tell the vet")
    [created] = exploration.created
    [summary] = await notes.exploration.narratives()
    assert summary.question == created.name == QUESTION
    assert summary.content.splitlines()[0] == (f"Question: {QUESTION} (2 March 2026, tell the vet)")
    assert f"“{NOTES['xray']}” (1 February 2026, xray)" in summary.content
    assert summary.quotes[0].id == "xray"
    assert not summary.is_confirmed


@pytest.mark.slow
async def test_an_answer_is_written_once_and_never_quoted(notes: Graph) -> None:
    first = await ask(notes, keep=True)
    second = await ask(notes, keep=True)
    assert [each.id for each in second.reused] == [first.created[0].id]
    assert second.created == []
    assert len(await notes.exploration.narratives()) == 1
    assert first.created[0].id not in second.found
    await notes.exploration.undo(second.run_id)
    assert len(await notes.exploration.narratives()) == 1
    assert (await notes.exploration.undo(first.run_id)).narratives == 1
    assert await notes.exploration.narratives() == []


@pytest.mark.slow
async def test_what_is_confirmed_comes_first_for_the_same_question(notes: Graph) -> None:
    question = "Who sings?"
    before = await notes.recall.find(question, k=10)
    last = before.hits[1].id
    run = await ask(notes, question)
    result = await notes.exploration.confirm(run.run_id, [last])
    assert (result.confirmed, result.changed) == ([last], [last])
    assert (await notes.exploration.confirm(run.run_id, [last])).changed == []
    after = await notes.recall.find(question, k=10)
    assert after.hits[0].id == last
    assert f"confirmed for: {question}" in after.hits[0].why
    parts = after.hits[0].parts
    assert parts.confirmed == pytest.approx(0.2, abs=1e-3)
    assert ids(await ask(notes, question, dry_run=True))[0] == last
    other = await notes.recall.find("When is the tax return due?", k=5)
    assert all(hit.parts.confirmed == 0 for hit in other.hits)
    [summary] = await notes.exploration.narratives()
    assert summary.is_confirmed


@pytest.mark.slow
async def test_what_is_confirmed_comes_first_from_however_far_down(notes: Graph) -> None:
    question = "Who sings the solo on 3 May?"
    before = (await notes.recall.find(question, k=12)).hits
    low = [before[-1].id, before[-2].id]
    await notes.exploration.confirm((await ask(notes, question)).run_id, low)
    after = (await notes.recall.find(question, k=12)).hits
    assert [hit.id for hit in after] == [*reversed(low), *(hit.id for hit in before[:-2])]
    assert after[1].score == pytest.approx(after[2].score, abs=1e-5)
    other_day = (await notes.recall.find("Who sings the solo on 5 May?", k=12)).hits
    assert other_day[0].id == "solo"


@pytest.mark.slow
async def test_what_is_confirmed_and_over_does_not_come_before_its_successor(notes: Graph) -> None:
    question = "Who sings the solo?"
    await notes.exploration.confirm((await ask(notes, question)).run_id, ["tax"])
    assert (await notes.recall.find(question, k=3)).hits[0].id == "tax"
    await notes.memories.supersede("tax", "run", at=DAY)
    hits = [hit.id for hit in (await notes.recall.find(question, k=12)).hits]
    assert hits[0] == "solo"
    assert hits.index("run") < hits.index("tax")


@pytest.mark.slow
async def test_an_answer_is_raised_no_higher_than_a_setting_says(open_graph: OpenGraph) -> None:
    graph = await open_graph(settings={"recall": {"confirmed_top": 1.01}})
    await fill(graph)
    question = "Who sings the solo?"
    last = (await graph.recall.find(question, k=12)).hits[-1]
    await graph.exploration.confirm((await ask(graph, question)).run_id, [last.id])
    after = (await graph.recall.find(question, k=12)).hits
    assert after[0].id == "solo"
    [lifted] = [hit for hit in after if hit.id == last.id]
    assert lifted.parts.confirmed == pytest.approx(0.2, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["unconfirm", "undo"])
async def test_confirmation_can_be_taken_back(notes: Graph, way: str) -> None:
    question = "What do I do on Thursdays?"
    before = await notes.recall.find(question, k=10)
    run = await ask(notes, question)
    await notes.exploration.confirm(run.run_id, [before.hits[-1].id, before.hits[-2].id])
    if way == "undo":
        await notes.exploration.undo(run.run_id)
    else:
        one = await notes.exploration.unconfirm(run.run_id, [before.hits[-1].id])
        assert one.confirmed == [before.hits[-2].id]
        rest = await notes.exploration.unconfirm(run.run_id)
        assert rest.confirmed == []
    assert await notes.recall.find(question, k=10) == before
    assert await notes.exploration.narratives() == []


@pytest.mark.slow
async def test_bad_confirmations_are_refused(notes: Graph) -> None:
    run = await ask(notes)
    with pytest.raises(InvalidInput, match="ids"):
        await notes.exploration.confirm(run.run_id, [])
    with pytest.raises(InvalidInput, match="ids"):
        await notes.exploration.confirm(run.run_id, "xray")
    with pytest.raises(NotFound, match="no memory 'nothing'"):
        await notes.exploration.confirm(run.run_id, ["xray", "nothing"])
    with pytest.raises(NotFound, match="no run"):
        await notes.exploration.confirm("no run", ["xray"])
    await notes.exploration.undo(run.run_id)
    with pytest.raises(Conflict, match="was undone"):
        await notes.exploration.confirm(run.run_id, ["xray"])


@pytest.mark.slow
async def test_undo_restores_everything(notes: Graph) -> None:
    await notes.recall.find(QUESTION)
    before = await nodes_without_locks(notes)
    run = await ask(notes, keep=True)
    assert await nodes_without_locks(notes) != before
    await notes.exploration.undo(run.run_id)
    assert await nodes_without_locks(notes) == before


async def nodes_without_locks(graph: Graph) -> list[Any]:
    rows = await run_cypher(
        graph,
        "MATCH (n:Memory|Narrative {realm: $realm}) "
        "RETURN n.id AS id, n.energy AS energy, n.weight AS weight ORDER BY id",
    )
    return [(row["id"], row["energy"] or 0.0, row["weight"]) for row in rows]


@pytest.mark.slow
async def test_a_dry_run_writes_nothing(notes: Graph) -> None:
    await notes.recall.find(QUESTION)
    before = await state(notes)
    exploration = await ask(notes, keep=True, dry_run=True)
    assert exploration.created != []
    assert exploration.changes.planned
    assert await state(notes) == before
    assert (await ask(notes, keep=True, dry_run=True)).found == exploration.found


@pytest.mark.slow
async def test_runs_at_the_same_time_write_one_answer(notes: Graph) -> None:
    runs = await asyncio.gather(*(ask(notes, keep=True) for _ in range(5)))
    assert sum(len(run.created) for run in runs) == 1
    assert sum(len(run.reused) for run in runs) == 4
    [summary] = await notes.exploration.narratives()
    [created] = [each for run in runs for each in run.created]
    assert [quote.id for quote in summary.quotes] == list(created.quotes)


@pytest.mark.slow
async def test_fifty_unconfirmed_runs_change_no_answer(notes: Graph) -> None:
    questions = [
        f"{word} about {text}"
        for word in ("What is", "Tell me")
        for text in ("the roof", "the choir", "Fuji's hip", "the train", "bread")
    ]
    before = [await notes.recall.find(question, k=10) for question in questions]
    walks = [await ask(notes, question, dry_run=True) for question in questions]
    for at in range(50):
        await ask(notes, questions[at % len(questions)], keep=at % 2 == 0)
    assert [await notes.recall.find(question, k=10) for question in questions] == before
    after = [await ask(notes, question, dry_run=True) for question in questions]
    for earlier, later in zip(walks, after, strict=True):
        assert later.found == earlier.found
        assert later.connections == earlier.connections
        assert [each.paths for each in later.narratives] == [
            each.paths for each in earlier.narratives
        ]


@pytest.mark.slow
async def test_places_of_the_findings_may_go_to_what_was_walked_to(notes: Graph) -> None:
    settings = {"least_alignment": 0.0, "findings": 9, "starts": 9}
    plain = await ask(notes, dry_run=True, settings=settings)
    mixed = await ask(notes, dry_run=True, settings=settings | {"walk_places": 2})
    assert [each.id for each in mixed.narratives[:8]] == [each.id for each in plain.narratives[:8]]
    assert set(mixed.found) == set(plain.found)


async def test_bad_arguments_are_refused(graph: Graph) -> None:
    with pytest.raises(InvalidInput, match="mode"):
        await ask(graph, mode="wild")
    with pytest.raises(InvalidInput, match="actor"):
        await ask(graph, mode="literal")
    with pytest.raises(InvalidInput, match="timeout"):
        await ask(graph, timeout=True)
    with pytest.raises(InvalidInput, match="query"):
        await ask(graph, "\ud800")


@pytest.mark.slow
async def test_vectors_of_the_caller_are_used(open_graph: OpenGraph) -> None:
    graph: Graph = await open_graph(embedder=Toy(3))
    await graph.memories.remember("aab", id="first")
    exploration = await ask(graph, "who?", query_embedding=Q3, dry_run=True)
    assert ids(exploration) == ["first"]


@pytest.mark.slow
async def test_pages_say_in_words_what_happened(notes: Graph) -> None:
    exploration = await ask(notes, DOG, settings=CLOSE)
    page = exploration.text()
    for words in ("Found:", "joined by: Fuji", "Narrative:", "started at the 5 best memories"):
        assert words in page
    picture = html_page(exploration)
    assert "joined by Fuji" in picture
    document = exploration.model_dump(mode="json")
    assert document["summary"] == exploration.summary
