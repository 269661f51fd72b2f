"""Pinned questions: kept, asked again after every change, and told when an answer changes."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.errors import InvalidInput, NotFound
from asterism.graph import Graph
from asterism.maintenance import Job
from tests.conftest import OpenGraph
from tests.support.command_line import CommandLine
from tests.support.raw import realm_contents, run_cypher

QUESTION = "Where is the key?"
TEXTS = {
    "stair": "The key lies under the third stair.",
    "lamp": "The lamp oil is in the shed.",
    "boat": "The boat leaves at noon.",
    "old": "The door had a brass lock once, and a key for it.",
}


async def remember(graph: Graph, **more: str) -> None:
    texts = TEXTS | more
    await graph.memories.remember_many({"id": id, "text": text} for id, text in texts.items())


@pytest.mark.slow
async def test_a_pinned_question_is_kept_with_its_memories(graph: Graph, clock: FixedClock) -> None:
    await remember(graph)
    pinned = await graph.recall.expect(f"  {QUESTION} ", must=["stair"], must_not=["boat"], k=2)
    assert (pinned.question, pinned.k, pinned.must) == (QUESTION, 2, ("stair",))
    assert (pinned.must_not, pinned.holds, pinned.forgotten) == (("boat",), True, 0)
    assert pinned.created_at == pinned.checked_at == clock.now()
    assert await graph.recall.expectations() == [pinned]
    again = await graph.recall.expect(QUESTION, must=["stair", "old"], k=3)
    assert (again.id, again.must, again.must_not) == (pinned.id, ("stair", "old"), ())
    other = await graph.recall.expect(QUESTION, must=["stair"], tags=["home"])
    assert (other.id != pinned.id, other.holds, other.filter) == (True, False, {"tags": ["home"]})
    assert [each.id for each in await graph.recall.expectations()] == [pinned.id, other.id]
    await graph.recall.unexpect(other.id)
    with pytest.raises(NotFound, match="no pinned question"):
        await graph.recall.unexpect(other.id)
    assert [each.id for each in await graph.recall.expectations()] == [pinned.id]


@pytest.mark.slow
async def test_a_check_says_what_broke_with_ranks_and_reasons(graph: Graph) -> None:
    await remember(graph)
    await graph.recall.expect(QUESTION, must=["stair"], must_not=["boat"], k=1)
    [check] = await graph.recall.check()
    assert (check.holds, check.held_before, check.reason) == (True, True, "")
    assert [(each.id, each.rank, each.rank_before) for each in check.memories] == [
        ("stair", 1, 1),
        ("boat", None, None),
    ]
    newer = "Where is the key? The key is at the neighbours' place."
    await graph.memories.remember(newer, id="new")
    await graph.recall.find(QUESTION)  # which embeds it
    before = await realm_contents(graph)
    [check] = await graph.recall.check()
    assert (check.holds, check.held_before) == (False, True)
    stair = check.memories[0]
    assert (stair.holds, stair.rank, stair.rank_before) == (False, 2, 1)
    assert check.reason.startswith("stair is at rank 2, before at 1")
    assert [row["properties"] for row in await realm_contents(graph)] == [
        row["properties"] for row in before
    ], "a check records nothing"
    await graph.recall.expect(QUESTION, must_not=["new"], k=1)
    [check] = await graph.recall.check()
    assert "new is at rank 1: it must not be among the first 1; means the same" in check.reason
    assert check.model_dump(mode="json")["held_before"] is False


@pytest.mark.slow
async def test_consolidation_tells_which_answers_changed_and_a_dry_run_foretells_it(
    graph: Graph,
) -> None:
    await remember(graph)
    await graph.consolidation.consolidate()
    repeated = TEXTS["stair"].replace(" third ", "  third ")
    await graph.memories.remember(repeated, id="again")
    pinned = await graph.recall.expect(QUESTION, must=["stair", "again"], k=3)
    assert pinned.holds
    before = await realm_contents(graph)
    dry = await graph.consolidation.consolidate(dry_run=True)
    assert [pair.id for pair in dry.duplicates] == ["again"]
    assert await realm_contents(graph) == before, "a dry run writes nothing"
    report = await graph.consolidation.consolidate()
    for changes in (dry.answers_changed, report.answers_changed):
        [change] = changes
        assert (change.expectation, change.holds) == (pinned.id, False)
        assert "again is not ranked" in change.reason
        assert "it repeats another memory" in change.reason
        assert str(change).startswith(f"'{QUESTION}' is broken: again")
    [kept] = await graph.recall.expectations()
    assert kept.holds is False
    assert (await graph.consolidation.consolidate()).answers_changed == []
    await graph.memories.forget("stair")
    report = await graph.consolidation.consolidate()
    assert [str(change) for change in report.answers_changed] == [f"'{QUESTION}' holds again"]


@pytest.mark.slow
async def test_a_dry_run_embeds_what_it_needs_and_takes_it_back(graph: Graph) -> None:
    await remember(graph)
    pinned = await graph.recall.expect(QUESTION, must=["stair"], k=1)
    await graph.memories.remember("Where is the key? Here is the key.", id="here")
    before = await realm_contents(graph)
    dry = await graph.consolidation.consolidate(dry_run=True)
    assert await realm_contents(graph) == before
    assert [change.expectation for change in dry.answers_changed] == [pinned.id]


@pytest.mark.slow
async def test_maintenance_tells_which_answers_changed(graph: Graph, clock: FixedClock) -> None:
    await remember(graph)
    await graph.recall.expect(QUESTION, must=["stair"], k=1)
    await graph.memories.remember("Where is the key? Here is the key.", id="here")
    reports = {report.job: report for report in await graph.maintenance.run()}
    assert reports[Job.CONSOLIDATE].changed["answers"] == 1
    assert "is broken: stair is at rank 2" in reports[Job.CONSOLIDATE].message
    assert reports[Job.PRUNE].message == ""
    assert reports[Job.VERIFY].ok
    await graph.memories.forget("here")
    [report] = await graph.maintenance.run(Job.PRUNE)
    assert (report.changed["answers"], report.message) == (1, f"'{QUESTION}' holds again")
    await graph.memories.forget("stair")
    assert (await graph.consolidation.rebuild()).answers_changed == []


@pytest.mark.slow
async def test_a_forgotten_memory_leaves_its_questions_which_say_so(graph: Graph) -> None:
    await remember(graph)
    await graph.recall.expect(QUESTION, must=["stair", "old"], must_not=["boat"], k=3)
    receipt = await graph.memories.forget("stair")
    assert (receipt.expectations, receipt.left) == (1, {})
    await graph.memories.forget("boat")
    [pinned] = await graph.recall.expectations()
    assert (pinned.must, pinned.must_not, pinned.forgotten) == (("old",), (), 2)
    [check] = await graph.recall.check()
    assert check.holds
    assert [each.rank_before for each in check.memories] == [2]
    contents = str(await run_cypher(graph, "MATCH (n:Expectation {realm: $realm}) RETURN n"))
    assert "stair" not in contents
    assert (await graph.memories.forget("lamp")).expectations == 0


@pytest.mark.slow
async def test_filters_are_kept(graph: Graph) -> None:
    await remember(graph)
    await graph.memories.remember("The key is at sea.", id="sea", tags=["sea"], session="s")
    pinned = await graph.recall.expect(
        QUESTION,
        must=["sea"],
        must_not=["stair"],
        tags=["sea"],
        session="s",
        since=datetime(2026, 1, 1, tzinfo=UTC),
        until=None,
    )
    assert pinned.filter == {"since": "2026-01-01T00:00:00+00:00", "tags": ["sea"], "session": "s"}
    assert pinned.holds
    set_filter = 'MATCH (each:Expectation {realm: $realm}) SET each.filter = \'{"until": "soon"}\''
    await run_cypher(graph, set_filter)
    [check] = await graph.recall.check()
    assert (check.holds, check.memories) == (False, ())
    assert check.reason.startswith("until='soon'")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        ({"question": " "}, "query=' '"),
        ({"must": "stair"}, "must='stair': give a list"),
        ({"must": [1]}, "must=1"),
        ({"must": []}, "must="),
        ({"must_not": ["stair"]}, "must_not='stair': it is in `must` as well"),
        ({"k": 0}, "k=0"),
        ({"tag": "x"}, "tag='x': give some of at, archived"),
        ({"touch": True}, "touch=True"),
        ({"since": "soon"}, "since='soon'"),
        ({"tags": [object()]}, "filter="),
    ],
)
async def test_a_question_that_can_not_be_kept_is_refused(
    graph: Graph, arguments: dict[str, Any], refusal: str
) -> None:
    await remember(graph)
    fields: dict[str, Any] = {"question": QUESTION, "must": ["stair"]} | arguments
    with pytest.raises(InvalidInput) as error:
        await graph.recall.expect(**fields)
    assert str(error.value).startswith(refusal)
    assert await graph.recall.expectations() == []


async def test_memories_have_to_be_there_and_no_realm_is_made(graph: Graph) -> None:
    with pytest.raises(NotFound, match="no memory 'nowhere'"):
        await graph.recall.expect(QUESTION, must=["nowhere"])
    assert await graph.recall.expectations() == []
    assert await graph.recall.check() == []
    assert graph.realm not in {realm.name for realm in await graph.realms.list()}


@pytest.mark.slow
async def test_many_pin_and_forget_at_once(graph: Graph) -> None:
    texts = {f"m{number}": f"Key number {number} is here." for number in range(12)}
    await remember(graph, **texts)
    pins = [graph.recall.expect(f"Where is key {id}?", must=[id, "stair"]) for id in texts]
    forgets = [graph.memories.forget(id) for id in list(texts)[::2]]
    await asyncio.gather(*pins, *forgets, graph.consolidation.consolidate(), return_exceptions=True)
    ids = set(list(texts)[1::2]) | set(TEXTS)
    pinned = await graph.recall.expectations()
    assert {id for each in pinned for id in each.must} <= ids
    rows = await run_cypher(
        graph,
        "MATCH (each:Expectation {realm: $realm}) "
        "RETURN size(each.must) AS must, size(each.must_ranks) AS ranks",
    )
    assert all(row["must"] == row["ranks"] for row in rows)


@pytest.mark.slow
async def test_an_export_holds_them(graph: Graph, open_graph: OpenGraph, tmp_path: Path) -> None:
    await remember(graph)
    await graph.recall.expect(QUESTION, must=["stair"], k=1)
    file = tmp_path / "realm.jsonl"
    await graph.realms.export(file)
    other = await open_graph()
    await other.realms.load(file)
    assert await other.recall.expectations() == await graph.recall.expectations()
    assert [check.holds for check in await other.recall.check()] == [True]
    assert (await other.realms.stats()).nodes["Expectation"] == 1


@pytest.mark.slow
async def test_the_command_pins_lists_checks_and_removes(
    graph: Graph, environment: dict[str, str]
) -> None:
    command_line = CommandLine(environment, ("--realm", graph.realm))
    await remember(graph)
    assert "No question is pinned" in command_line.output("expect", "--check")
    text = command_line.output("expect", QUESTION, "stair", "--not", "boat", "-k", "1")
    assert text.endswith("It holds now.\n")
    assert command_line.document("expect", "--list")[0]["must"] == ["stair"]
    assert "stair" in command_line.output("expect", "--list")
    assert command_line.output("expect", "--check").startswith("holds")
    await graph.memories.remember("Where is the key? Here is the key.", id="here")
    assert "pinned questions changed" in command_line.output("consolidate", "--dry-run")
    broken = command_line.run("expect", "--check")
    assert broken.returncode == 1
    assert "stair is at rank 2, before at 1" in broken.stdout
    await graph.memories.forget("boat")
    assert "1 of its memories were forgotten" in command_line.run("expect", "--check").stdout
    assert "forgotten" in command_line.output("expect", "--list")
    [pinned] = await graph.recall.expectations()
    assert command_line.document("expect", "--remove", pinned.id) == {"removed": pinned.id}
    assert command_line.run("expect", "--list", "--check").returncode == 2
    assert command_line.run("expect").returncode == 2


@pytest.mark.slow
async def test_a_loaded_realm_says_which_answers_changed(
    graph: Graph, open_graph: OpenGraph, tmp_path: Path
) -> None:
    await remember(graph, far="A far memory of the harbour.")
    for question, id in ((QUESTION, "stair"), ("When does the boat leave?", "boat")):
        await graph.recall.expect(question, must=[id], k=1)
    await graph.realms.export(tmp_path / "realm.jsonl")
    same: Graph = await open_graph()
    assert (await same.realms.load(tmp_path / "realm.jsonl")).answers_changed == ()
    # Where words count and vectors do not, a text with more of the question's words comes first.
    await graph.memories.remember("Where is it? Is the key where the key is?", id="wordy")
    await graph.realms.export(tmp_path / "wordy.jsonl")
    other: Graph = await open_graph(settings={"recall": {"words": 9.0}})
    [change] = (await other.realms.load(tmp_path / "wordy.jsonl")).answers_changed
    assert (change.question, change.holds) == (QUESTION, False)
    assert change.reason.startswith("stair is at rank 2, before at 1")
    recorded = [each.holds for each in await other.recall.expectations()]
    assert recorded == [True, True], "a loaded realm is what the file says"
    second = f"{other.realm}-beside"
    try:
        loaded = await other.realms.load(tmp_path / "wordy.jsonl", name=second)
        assert loaded.answers_changed == (), "the questions of another realm are asked there"
    finally:
        await other.realms.delete(second)
