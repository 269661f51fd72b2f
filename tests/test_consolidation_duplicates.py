"""Only what says the same is archived: changed texts stay, with the default model."""

import pytest

from asterism.graph import Graph
from asterism.memories import State
from benchmarks.duplicates import consolidate_pairs, near_enough, pairs
from tests.conftest import OpenGraph
from tests.support.consolidation_oracle import Text, at, double
from tests.support.raw import run_cypher

PLAN = pairs("changed")[0]
W_PAIRS = [pair for pair in pairs("changed") if pair["language"] == "en"][:8]


async def restore_query(graph: Graph, id: str) -> None:
    """Archive a text as if it repeated another: without its vector, as was once done."""
    await run_cypher(
        graph,
        "MATCH (m:Memory {realm: $realm, id: $id}) "
        "SET m:Archived, m.state = 'duplicate', m.duplicate_of = 'old', m.archive_at = null "
        "REMOVE m.waiting, m.promoted_seq, m.embedding, m.claimed_by",
        id=id,
    )


@pytest.mark.slow
async def test_the_new_dose_is_what_recall_answers(graph: Graph) -> None:
    old, new = PLAN["first"], PLAN["second"]
    await graph.memories.remember(old, id="old")
    await graph.consolidation.consolidate()
    await graph.memories.remember(new, id="new")
    report = await graph.consolidation.consolidate()
    assert report.duplicates == []
    assert [(item.id, item.of) for item in report.updates] == [("new", "old")]
    later, earlier = await graph.memories.get("new"), await graph.memories.get("old")
    assert (later.state, later.waiting, later.updates) == (State.ACTIVE, False, ("old",))
    assert (earlier.state, earlier.updated_by) == (State.ACTIVE, ("new",))
    [hit] = (await graph.recall.find(new, k=1)).hits
    assert hit.id == "new"
    assert "40 mg" in hit.text


@pytest.mark.slow
async def test_a_changed_detail_is_never_a_duplicate_in_whatever_way_it_comes(
    graph: Graph,
) -> None:
    """The pairs one after the other, and all at once in another session."""
    report = await consolidate_pairs(graph, W_PAIRS)
    assert report.duplicates == []
    assert report.promoted == len(W_PAIRS)
    for pair in W_PAIRS:
        [hit] = (await graph.recall.find(pair["second"], k=1)).hits
        assert hit.text == pair["second"]
    both = [
        {"text": pair[side] + " ", "id": f"{side} again {number}", "category": "message"}
        for number, pair in enumerate(W_PAIRS)
        for side in ("first", "second")
    ]
    await graph.memories.remember_many(both)
    report = await graph.consolidation.consolidate()
    assert (report.duplicates, report.promoted) == ([], len(both))
    marked = {(item.id, item.of) for item in report.updates}
    assert ("second again 0", "first again 0") in marked
    assert ("second again 0", "first 0") in marked
    assert ("second again 0", "second 0") not in marked


@pytest.mark.slow
async def test_the_pairs_of_the_benchmark_come_out_right(open_graph: OpenGraph) -> None:
    changed, repeated = await open_graph(), await open_graph()
    assert (await consolidate_pairs(changed, pairs("changed"))).duplicates == []
    report = await consolidate_pairs(repeated, pairs("repeated"))
    archived = {item.id: item.of for item in report.duplicates}
    assert archived == {id: id.replace("second", "first") for id in archived}
    assert len(archived) == await near_enough(repeated, pairs("repeated"), set(archived)) > 30


@pytest.mark.slow
async def test_a_duplicate_reinforces_its_original_once(graph: Graph) -> None:
    await graph.memories.remember("Dad takes levodopa at 8, 13 and 19.", id="first")
    await graph.consolidation.consolidate()
    for session, text in (
        ("monday", "dad takes levodopa at 8, 13 and 19"),
        ("tuesday", "Dad takes levodopa at 8, 13 and 19!"),
    ):
        await graph.memories.remember(text, id=session, session=session)
        report = await graph.consolidation.consolidate()
        assert [item.of for item in report.duplicates] == ["first"]
        assert (await graph.consolidation.consolidate()).runs == []
    await graph.consolidation.rebuild()
    first, copy = await graph.memories.get("first"), await graph.memories.get("monday")
    assert (first.interaction_count, copy.interaction_count) == (2, 0)
    assert [entry.kind for entry in await graph.memories.history("first")] == ["repetition"] * 2
    assert (copy.state, copy.duplicate_of) == (State.ARCHIVED, "first")


@pytest.mark.slow
async def test_a_duplicate_brings_a_faded_original_back(open_graph: OpenGraph) -> None:
    graph: Graph = await open_graph(settings={"memories": {"text_clock": "wall"}})
    await graph.memories.remember("The spare key hangs behind the blue door.", id="first")
    await graph.consolidation.consolidate()
    graph.clock.advance(days=150)  # type: ignore[attr-defined]
    assert (await graph.memories.get("first")).state is State.ARCHIVED
    await graph.memories.remember("the spare key hangs behind the blue door", id="again")
    assert len((await graph.consolidation.consolidate()).duplicates) == 1
    assert (await graph.memories.get("first")).state is State.ACTIVE
    result = await graph.recall.find("Where is the spare key?")
    assert [hit.id for hit in result.hits] == ["first"]


@pytest.mark.slow
async def test_a_duplicate_is_found_among_archived_memories(graph: Graph) -> None:
    statement = "The spare key hangs behind the blue door."
    await graph.memories.remember(statement, id="first")
    await graph.memories.remember("Mira sells herring at the harbour.", id="other")
    await graph.memories.remember(statement.upper(), id="again", session="talk", tags=["key"])
    await graph.consolidation.consolidate()
    rows = await graph.database.rows("memory_vectors/stored_vectors", ids=["first", "again"])
    assert [row["id"] for row in rows] == ["first", "again"]
    result = await graph.recall.find(statement, archived=True)
    assert {hit.id for hit in result.hits} == {"first", "again", "other"}
    result = await graph.recall.find(statement, archived=True, tags=["key"])
    assert [hit.id for hit in result.hits] == ["again"]
    assert (await graph.recall.why_not(statement, "again", archived=True)).rank is not None
    result = await graph.recall.find(statement)
    assert {hit.id for hit in result.hits} == {"first", "other"}
    [report] = await graph.maintenance.run("verify")
    assert report.offenders == []


@pytest.mark.slow
async def test_the_nearest_text_of_the_same_words_is_the_original(open_graph: OpenGraph) -> None:
    """A text of other words that is nearer hides no original, inside one batch and outside."""
    texts = [
        Text("Gate 7", at(1.0), id="seven"),
        Text("Gate 8", at(0.999, 2), id="eight"),
        Text("gate 8!", at(0.9999, 3), id="copy"),
        Text("GATE 8?", at(0.9999, 4), (), "message", "said"),
    ]
    for size in (1, 4):
        graph = await open_graph(
            embedder=double(texts), settings={"consolidation": {"batch": size}}
        )
        await graph.memories.remember_many([text.item for text in texts])
        report = await graph.consolidation.consolidate()
        assert [(item.id, item.of) for item in report.duplicates] == [("copy", "eight")]
        marked = {(item.id, item.of) for item in report.updates}
        assert marked == {("eight", "seven"), ("said", "seven")}


@pytest.mark.slow
async def test_what_speaker_and_time_tell_apart_is_no_duplicate(graph: Graph) -> None:
    statement = {"text": "I live in Porto, near the river, with two cats and a piano."}
    items = [
        statement | {"id": "ann", "speaker": "Ann"},
        statement | {"id": "bob", "speaker": "Bob"},
        statement | {"id": "then", "speaker": "Ann", "at": "2026-01-05T09:00:00Z"},
        statement | {"id": "same", "speaker": "Ann", "session": "tea"},
    ]
    await graph.memories.remember_many(items)
    report = await graph.consolidation.consolidate()
    assert [(item.id, item.of) for item in report.duplicates] == [("same", "ann")]


@pytest.mark.slow
async def test_a_wrongly_archived_text_is_reported_and_restored(graph: Graph) -> None:
    old, new = PLAN["first"], PLAN["second"]
    await graph.memories.remember(old, id="old")
    await graph.consolidation.consolidate()
    await graph.memories.remember(new, id="new", session="visit", tags=["doctor"])
    await graph.memories.remember(old.upper(), id="copy")
    await graph.consolidation.consolidate()
    for id in ("new", "copy"):
        await restore_query(graph, id)
    [report] = await graph.maintenance.run("verify")
    broken = {(offender.id, offender.invariant) for offender in report.offenders}
    assert ("new", "a duplicate says the same as its original") in broken
    assert ("copy", "a duplicate has a vector if its original has one") in broken
    rebuilt = await graph.consolidation.rebuild()
    assert (rebuilt.restored, rebuilt.waiting_after) == (["new"], 1)
    assert (await graph.consolidation.rebuild()).restored == []
    assert (await graph.memories.get("new")).waiting
    await graph.consolidation.consolidate()
    result = await graph.memories.get("new")
    assert (result.state, result.duplicate_of, result.updates) == (State.ACTIVE, None, ("old",))
    assert [hit.id for hit in (await graph.recall.find(new, k=1)).hits] == ["new"]
    assert [
        row["id"]
        for row in await graph.database.rows("memory_vectors/stored_vectors", ids=["copy"])
    ]


async def test_repetitions_of_a_forgotten_original_are_not_counted(graph: Graph) -> None:
    from asterism.consolidation.models import Duplicate
    from asterism.consolidation.repetitions import Repetitions

    repetitions = Repetitions(graph.database, await graph.memories.hours.reading())
    removed = [Duplicate(id="copy", of="nobody", cosine=1.0)]

    async def work(tx: object) -> bool:
        return await repetitions.count(tx, removed)  # type: ignore[arg-type]

    assert not await graph.database.transaction(work)


@pytest.mark.slow
@pytest.mark.parametrize("archived", [True, False])
async def test_a_dry_run_decides_as_a_run_does(graph: Graph, archived: bool) -> None:
    pair = pairs("repeated")[4] if archived else PLAN
    await graph.memories.remember(pair["first"], id="first")
    await graph.memories.remember(pair["second"], id="second")
    dry = await graph.consolidation.consolidate(dry_run=True)
    completed = await graph.consolidation.consolidate()
    assert (dry.duplicates, dry.updates) == (completed.duplicates, completed.updates)
    assert (len(completed.duplicates), len(completed.updates)) == (int(archived), int(not archived))
