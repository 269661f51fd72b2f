"""Use keeps what is used, and what has faded is named instead of being left out unseen."""

import asyncio
import json
import math
from datetime import timedelta
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.memories import Memory
from tests.conftest import OpenGraph
from tests.support.command_line import CommandLine
from tests.support.hours_world import spend
from tests.support.raw import run_cypher

KEY = "Lyra keeps the lighthouse key."
QUESTION = "Who keeps the key?"
FACTS = ("strength", "archive_in_hours", "interaction_count", "last_interaction", "state")


def facts(memory: Memory) -> list[Any]:
    more = memory.resurrection_count, memory.last_reinforced_hours
    return [*(getattr(memory, name) for name in FACTS), *more]


async def test_what_a_context_hands_out_counts_as_used(graph: Graph, clock: FixedClock) -> None:
    texts = await graph.memories.remember(KEY)
    await spend(graph, clock, hours=300)
    assert (await graph.memories.get(texts.id)).strength < 0.8
    assert KEY in await graph.recall.context(QUESTION)
    used = await graph.memories.get(texts.id)
    assert (used.strength, used.interaction_count) == (1.0, 1)
    assert used.last_interaction == used.used_at == clock.now()
    assert used.last_reinforced_hours == pytest.approx(300)
    assert used.archive_in_hours == pytest.approx(693 * math.log2(20))


async def test_touch_records_the_hits_that_a_caller_hands_out(
    graph: Graph, clock: FixedClock
) -> None:
    ids = [(await graph.memories.remember(f"Key {n} hangs on the nail.")).id for n in range(3)]
    assert await graph.recall.touch([ids[0], ids[1], ids[0]]) == ()
    assert await graph.recall.touch(ids[1:]) == ()
    counts = [(await graph.memories.get(id)).interaction_count for id in ids]
    assert counts == [1, 1, 1]  # once an hour each
    assert await graph.recall.touch([]) == await graph.recall.touch(["nobody"]) == ()
    with pytest.raises(InvalidInput, match="ids=''"):
        await graph.recall.touch([""])


@pytest.mark.slow
async def test_a_context_uses_what_fits_and_only_with_touch(
    graph: Graph, clock: FixedClock
) -> None:
    ids = [(await graph.memories.remember(f"Key {n} hangs on the nail.")).id for n in range(4)]
    await graph.recall.find(QUESTION)
    await graph.recall.context(QUESTION, touch=False)
    assert {(await graph.memories.get(id)).interaction_count for id in ids} == {0}
    text = await graph.recall.prompt(QUESTION, tokens=25)
    assert 0 < len(text.ids) < 4
    for id in ids:
        assert (await graph.memories.get(id)).interaction_count == (id in text.ids)
    await graph.recall.find(QUESTION, touch=True)
    assert {(await graph.memories.get(id)).interaction_count for id in ids} == {1}


@pytest.mark.slow
async def test_use_counts_once_an_hour(graph: Graph, clock: FixedClock) -> None:
    texts = await graph.memories.remember(KEY)
    counts = []
    for minutes in (0, 10, 49, 1, 59, 1):
        clock.advance(minutes=minutes)
        await asyncio.gather(*(graph.recall.context(QUESTION) for _ in range(3)))
        counts.append((await graph.memories.get(texts.id)).interaction_count)
    assert counts == [1, 1, 1, 2, 2, 3]
    clock.advance(days=-30)  # a clock that was ahead keeps nothing from being used
    await graph.recall.context(QUESTION)
    assert (await graph.memories.get(texts.id)).interaction_count == 4


@pytest.mark.slow
@pytest.mark.parametrize("hours", [0, 5, 3100])
@pytest.mark.parametrize("more", [{}, {"text_revive_full": False}, {"text_clock": "wall"}])
async def test_use_does_what_a_reinforcement_does(
    open_graph: OpenGraph, clock: FixedClock, hours: int, more: dict[str, Any]
) -> None:
    """Two statements, one formula."""
    graph = await open_graph(settings={"memories": more})
    touched = await graph.memories.remember(KEY)
    other = await graph.memories.remember("The lamp is green.")
    await spend(graph, clock, hours=hours)
    await graph.recall.find(QUESTION, k=1, touch=True, archived=True)
    reinforced = await graph.memories.reinforce(other.id)
    assert facts(await graph.memories.get(touched.id)) == facts(reinforced)
    result = await run_cypher(
        graph,
        "MATCH (m:Text {realm: $realm}) RETURN count(DISTINCT [m.archive_at, m.anchor, m.strength])"
        " AS states, count(m) AS texts",
    )
    if hours or more != {}:
        assert result[0]["states"] == 1


@pytest.mark.slow
async def test_an_allergy_is_known_half_a_year_later(graph: Graph, clock: FixedClock) -> None:
    """It is remembered once and never used, and the realm is open eight hours a day."""
    memory = await graph.memories.remember("I am allergic to peanuts.")
    assert memory.lasts == "durable"
    for day in range(183):
        await graph.memories.remember(f"On day {day} we had soup number {day} for lunch.")
        await spend(graph, clock, hours=8)
        clock.advance(hours=16)
    result = await graph.recall.find("Which food must I not eat, am I allergic?", k=3)
    assert memory.id in [hit.id for hit in result.hits]


@pytest.mark.slow
async def test_many_who_ask_at_once_never_stop_each_other(graph: Graph, clock: FixedClock) -> None:
    items = [{"text": f"Key {n} hangs on nail {n}.", "id": f"k{n}"} for n in range(20)]
    await graph.memories.remember_many(items)
    for _ in range(3):
        clock.advance(hours=1)
        answers = await asyncio.gather(
            *(graph.recall.prompt(f"Where hangs key {n}?") for n in range(12))
        )
        assert [answer.warnings for answer in answers] == [()] * 12
    counts = [(await graph.memories.get(f"k{n}")).interaction_count for n in range(20)]
    assert counts == [3] * 20


@pytest.mark.slow
async def test_an_answer_comes_even_if_its_use_can_not_be_recorded(
    graph: Graph, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody holds the memory for longer than the writing waits."""
    texts = await graph.memories.remember(KEY)
    await graph.recall.find(QUESTION)
    monkeypatch.setattr(graph.recall, "_database", graph.database.limited(1.0))
    driver = graph.database.driver
    async with driver.session() as session, await session.begin_transaction() as locked:
        await locked.run("MATCH (m:Text {realm: $realm}) SET m.locked_at = 1", realm=graph.realm)
        result = await graph.recall.find(QUESTION, touch=True)
        text = await graph.recall.context(QUESTION)
    assert [hit.id for hit in result.hits] == [texts.id]
    assert KEY in text
    [warning] = result.warnings
    assert warning.startswith("what was found could not be noted as used")
    assert warning in caplog.text
    assert (await graph.memories.get(texts.id)).interaction_count == 0


@pytest.mark.slow
async def test_archived_memories_that_would_answer_are_named(
    graph: Graph, clock: FixedClock
) -> None:
    old = await graph.memories.remember(KEY, lasts="ephemeral", id="old")
    new = await graph.memories.remember("Tam sells rye in the market.", id="new")
    await spend(graph, clock, hours=70)
    result = await graph.recall.find(QUESTION)
    assert [hit.id for hit in result.hits] == [new.id]
    [faded] = result.faded
    assert (faded.id, faded.text) == (old.id, KEY)
    assert faded.score > result.hits[0].score
    removed = 14 * math.log2(20)
    assert faded.archived_hours_ago == pytest.approx(70 - removed, abs=0.02)
    assert faded.archived_at is not None
    expected = clock.now() - timedelta(hours=70 - removed)
    assert abs(faded.archived_at - expected) < timedelta(minutes=2)
    await graph.memories.archive()
    assert (await graph.recall.find(QUESTION)).faded == (faded,)
    assert (await graph.recall.find(QUESTION, archived=True)).faded == ()
    await graph.memories.reinforce(old.id)
    again = await graph.recall.find(QUESTION)
    assert (again.hits[0].id, again.faded) == (old.id, ())


@pytest.mark.slow
async def test_archived_memories_below_the_hits_are_not_named(
    graph: Graph, clock: FixedClock
) -> None:
    for n in range(6):
        await graph.memories.remember(f"Lyra keeps key {n}.", lasts="ephemeral", id=f"old{n}")
    await graph.memories.remember("The mill grinds barley.", lasts="ephemeral", id="mill")
    await spend(graph, clock, hours=70)
    for n in range(3):
        await graph.memories.remember(f"Lyra keeps the key to gate {n}.", id=f"new{n}")
    result = await graph.recall.find("Which key does Lyra keep?", k=3)
    assert {hit.id[:3] for hit in result.hits} == {"new"}
    assert len(result.faded) <= 3
    assert "mill" not in {faded.id for faded in result.faded}
    many = await graph.recall.find("Which key does Lyra keep?", k=10)
    assert len(many.faded) == 3
    assert {faded.id[:3] for faded in many.faded} == {"old"}
    scores = [faded.score for faded in many.faded]
    assert scores == sorted(scores, reverse=True)
    both = await graph.recall.find("Which key does Lyra keep?", k=10, archived=True)
    ranked = [hit.id for hit in both.hits if hit.id not in {h.id for h in many.hits}]
    assert {faded.id for faded in many.faded} <= set(ranked[:6])
    reason = await graph.recall.why_not("Which key does Lyra keep?", "old0")
    assert reason.missing == ("it has faded: ask with archived=True",)


@pytest.mark.slow
async def test_a_realm_where_all_has_faded_says_so(graph: Graph, clock: FixedClock) -> None:
    texts = await graph.memories.remember(KEY, lasts="ephemeral")
    await spend(graph, clock, hours=70)
    result = await graph.recall.find(QUESTION)
    assert (result.hits, [faded.id for faded in result.faded]) == ((), [texts.id])
    assert (await graph.recall.find(QUESTION, minimum_strength=0.5)).faded == ()
    assert (await graph.recall.find(QUESTION, tags=["other"])).faded == ()


@pytest.mark.slow
async def test_the_command_names_what_has_faded_and_how_to_bring_it_back(
    graph: Graph, clock: FixedClock, command_line: CommandLine
) -> None:
    words = ["recall", QUESTION, "--realm", graph.realm]
    command_line.output("memory", "add", KEY, "--lasts", "ephemeral", "--id", "old", *words[2:])
    output = json.loads(command_line.output("memory", "show", "old", "--json", *words[2:]))
    assert (output["lasts"], output["half_life_hours"]) == ("ephemeral", pytest.approx(14))
    text = command_line.output(*words, "--context")
    assert KEY in text
    output = json.loads(command_line.output("memory", "show", "old", "--json", *words[2:]))
    assert output["interaction_count"] == 1
    await spend(graph, clock, hours=100)
    printed = command_line.output(*words)
    assert "asterism memory reinforce old" in printed
    assert "Lyra keeps the lighthouse key." in printed
    document = json.loads(command_line.output(*words, "--json"))
    assert [faded["id"] for faded in document["faded"]] == ["old"]
