"""Text memories: remembered once, fading on their clock, strengthened by use, forgotten whole."""

import asyncio
import math
from datetime import UTC, datetime
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.graph import Graph
from asterism.memories.text_items import TextItem, identity, parse, tier
from tests.conftest import OpenGraph
from tests.support.hours_world import BY_TAGS, TIERS, spend
from tests.support.raw import run_cypher

KEY = "Lyra keeps the lighthouse key."
NASTY = "'}) DETACH DELETE n // ` $realm \" \\u0027 ★"


async def test_a_text_is_stored_word_for_word(graph: Graph, clock: FixedClock) -> None:
    memory = await graph.memories.remember(
        KEY,
        tags=["Lighthouse", " lyra ", "lyra", ""],
        category="fact",
        actor="ada",
        session="s1",
        speaker="Lyra",
        about="The key",
    )
    assert memory == await graph.memories.get(memory.id)
    assert (memory.text, memory.tags, memory.category) == (KEY, ("lighthouse", "lyra"), "fact")
    assert (memory.actor, memory.session, memory.speaker) == ("ada", "s1", "Lyra")
    assert (memory.about, memory.kind, memory.waiting) == ("The key", "text", True)
    assert (memory.strength, memory.state, memory.first_seen) == (1.0, "active", clock.now())


async def test_the_same_again_is_the_same_memory(graph: Graph) -> None:
    first = await graph.memories.remember(KEY)
    again = await graph.memories.remember(f" {KEY.upper()}")
    assert again == first.model_copy(update={"unchanged": True})
    elsewhere = await graph.memories.remember(KEY, session="s1")
    assert elsewhere.id != first.id
    assert (await graph.realms.stats()).nodes["Text"] == 2


def test_an_id_follows_from_what_was_said_by_whom_and_where() -> None:
    ids = {
        identity(parse(TextItem(text="Yes.", **more)))
        for more in (
            {},
            {"speaker": "a"},
            {"session": "a"},
            {"about": "a"},
            {"at": datetime(2026, 1, 1, tzinfo=UTC)},
        )
    }
    assert len(ids) == 5
    assert identity(parse({"text": "Yes.", "id": "mine"})) == "mine"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tags", "category", "expected"),
    [
        (("self/constitutional", "self/goal"), "", "permanent"),
        (("self/value",), "observation", "durable"),
        ((), "mind", "durable"),
        ((), "observation", "ephemeral"),
        (("lyra",), "fact", "standard"),
    ],
)
async def test_each_tier_fades_at_its_rate(
    open_graph: OpenGraph,
    clock: FixedClock,
    tags: tuple[str, ...],
    category: str,
    expected: str,
) -> None:
    graph = await open_graph(settings={"memories": BY_TAGS})
    assert tier(tags, category) == expected
    memory = await graph.memories.remember(KEY, tags=tags, category=category)
    assert memory.tier == expected
    await spend(graph, clock, hours=10)
    left = (await graph.memories.get(memory.id)).strength
    assert left == pytest.approx(math.exp(-TIERS[expected] * 10), abs=1e-9)


async def test_it_fades_only_while_the_realm_is_used(
    open_graph: OpenGraph, server: Any, clock: FixedClock, embedder: Any
) -> None:
    keeper = await open_graph(realm="hours", settings={"memories": BY_TAGS})
    memory = await keeper.memories.remember(KEY)
    await spend(keeper, clock, hours=3)
    clock.advance(days=30)
    options: dict[str, Any] = {"auth": server.auth, "clock": clock, "embedder": embedder}
    async with Graph.open(server.uri, realm="hours", **options) as second:
        await spend(second, clock, hours=2)
        now = (await second.memories.get(memory.id)).strength
    assert now == pytest.approx(math.exp(-0.01 * 5), abs=1e-9)
    async with Graph.open(server.uri, realm="hours", **options) as third:
        assert (await third.memories.get(memory.id)).strength == pytest.approx(now, abs=1e-9)


async def test_on_the_wall_clock_it_fades_all_the_time(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    graph = await open_graph(settings={"memories": BY_TAGS | {"text_clock": "wall"}})
    memory = await graph.memories.remember(KEY)
    assert memory.archive_at is not None
    lasts = (memory.archive_at - clock.now()).total_seconds() / 3600
    assert lasts == pytest.approx(math.log(20) / 0.01, abs=1e-3)
    clock.advance(hours=299)
    assert (await graph.memories.get(memory.id)).state == "active"
    clock.advance(hours=1)
    assert (await graph.memories.get(memory.id)).state == "archived"
    assert await graph.memories.archive() == 1


async def test_the_archive_job_knows_both_clocks(open_graph: OpenGraph, clock: FixedClock) -> None:
    graph = await open_graph(settings={"memories": BY_TAGS})
    memory = await graph.memories.remember(KEY)
    await spend(graph, clock, hours=299)
    assert await graph.memories.archive() == 0
    await spend(graph, clock, hours=1)
    assert await graph.memories.archive() == 1
    assert "Archived" in (await graph.realms.stats()).nodes
    again = await graph.memories.reinforce(memory.id)
    assert (again.strength, again.state, again.resurrection_count) == (1.0, "active", 1)
    assert "Archived" not in (await graph.realms.stats()).nodes


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["recall", "repetition", "confirmation", "outcome"])
async def test_use_brings_it_back_to_full_strength(
    graph: Graph, clock: FixedClock, kind: str
) -> None:
    memory = await graph.memories.remember(KEY)
    await spend(graph, clock, hours=50)
    used = await graph.memories.reinforce(memory.id, kind)
    assert (used.strength, used.interaction_count) == (1.0, 1)
    [entry] = await graph.memories.history(memory.id)
    assert (entry.kind, entry.effect, entry.strength) == (kind, "boosted", 1.0)


async def test_a_caption_stays_as_it_was_written(graph: Graph) -> None:
    memory = await graph.memories.remember(KEY)
    for _ in range(2):
        await graph.memories.reinforce(memory.id)
    result = await run_cypher(graph, "MATCH (m:Text {realm: $realm}) RETURN m.caption AS caption")
    assert result[0]["caption"] == KEY


async def test_contradictions_and_bad_outcomes_cost_confidence(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    graph = await open_graph(settings={"memories": BY_TAGS})
    memory = await graph.memories.remember(KEY)
    assert memory.confidence == 0.5
    await spend(graph, clock, hours=10)
    wrong = await graph.memories.reinforce(memory.id, "contradiction")
    assert wrong.confidence == pytest.approx(1 / 3)
    assert wrong.strength == pytest.approx(math.exp(-0.1), abs=1e-9)
    right = await graph.memories.reinforce(memory.id, "confirmation")
    assert right.confidence == pytest.approx(2 / 4)
    half = await graph.memories.reinforce(memory.id, "outcome", quantity=0.5)
    assert half.confidence == pytest.approx(2.5 / 5)


async def test_a_return_by_a_fifth_is_a_setting(open_graph: OpenGraph, clock: FixedClock) -> None:
    graph = await open_graph(settings={"memories": BY_TAGS | {"text_revive_full": False}})
    memory = await graph.memories.remember(KEY)
    await spend(graph, clock, hours=400)
    back = await graph.memories.reinforce(memory.id)
    assert back.strength == pytest.approx(math.exp(-4) + 0.2, abs=1e-9)


async def test_an_event_with_an_id_counts_once(graph: Graph) -> None:
    memory = await graph.memories.remember(KEY)
    for _ in range(3):
        used = await graph.memories.reinforce(memory.id, event_id="seen on monday")
    assert used.interaction_count == 1


async def test_wrong_uses_are_named(graph: Graph) -> None:
    memory = await graph.memories.remember(KEY)
    with pytest.raises(InvalidInput, match="one of recall, confirmation"):
        await graph.memories.reinforce(memory.id, "applause")
    with pytest.raises(InvalidInput, match="from 0"):
        await graph.memories.reinforce(memory.id, "outcome", quantity=2)
    with pytest.raises(NotFound, match="no memory 'nobody'"):
        await graph.memories.reinforce("nobody")


async def test_many_texts_are_taken_as_plain_words_too(graph: Graph) -> None:
    receipt = await graph.memories.remember_many(["Ada rang.", {"text": "Bob left."}, "", 7])
    assert receipt.accepted == 2
    assert [(each.index, each.reason.partition(":")[0]) for each in receipt.rejected] == [
        (2, "text=''"),
        (3, "item=7"),
    ]
    assert {hit.text for hit in (await graph.recall.find("Who rang?")).hits} == {
        "Ada rang.",
        "Bob left.",
    }


@pytest.mark.parametrize("items", ["Ada rang.", b"Ada rang.", {"text": "Ada rang."}])
async def test_one_text_in_place_of_many_is_refused(graph: Graph, items: Any) -> None:
    """Its letters, or its fields, would be texts."""
    with pytest.raises(InvalidInput, match=r"items=.*give a list of texts") as refusal:
        await graph.memories.remember_many(items)
    assert refusal.value.argument == "items"


@pytest.mark.slow
async def test_thousands_are_remembered_in_batches(open_graph: OpenGraph) -> None:
    graph = await open_graph(settings={"memories": {"batch": 300}})
    counts: list[int] = []
    items: list[Any] = [{"text": f"memory number {n}", "tags": ["n"]} for n in range(1000)]
    items[10] = {"text": "  "}
    items[20] = {"txt": "?"}
    items[30] = items[31]
    items[40] = {"text": "other words", "id": identity(parse(items[41]))}
    receipt = await graph.memories.remember_many(items, on_progress=counts.append)
    assert (receipt.accepted, receipt.duplicate, receipt.received) == (996, 1, 1000)
    assert [rejected.index for rejected in receipt.rejected] == [10, 20, 41]
    assert sum(counts) == 998
    again = await graph.memories.remember_many(items[50:])
    assert (again.accepted, again.duplicate) == (0, 950)


async def test_an_item_without_text_is_refused_before_anything_is_written(graph: Graph) -> None:
    with pytest.raises(InvalidInput, match="text='  ': give the words"):
        await graph.memories.remember("  ")
    with pytest.raises(InvalidInput, match="id=' '"):
        await graph.memories.remember(KEY, id=" ")
    with pytest.raises(InvalidInput, match=r"at=.*aware"):
        await graph.memories.remember(KEY, at=datetime(2026, 1, 1))
    await graph.memories.remember(KEY, id="taken")
    with pytest.raises(Conflict, match="'taken' holds another text"):
        await graph.memories.remember("Something else.", id="taken")
    assert (await graph.realms.stats()).nodes["Text"] == 1


async def test_forgetting_removes_everything_and_counts_it(graph: Graph) -> None:
    first = await graph.memories.remember(KEY)
    second = await graph.memories.remember("The lamp is green.")
    await graph.memories.reinforce(first.id)
    await run_cypher(
        graph,
        "MATCH (a:Memory {realm: $realm, id: $a}), (b:Memory {realm: $realm, id: $b}) "
        "CREATE (a)-[:SUPPORTS {realm: $realm}]->(b), (b)-[:SUPPORTS {realm: $realm}]->(a), "
        "(a)-[:SIMILAR {realm: $realm, edge_id: 'e'}]->(b)",
        a=first.id,
        b=second.id,
    )
    receipt = await graph.memories.forget(first.id)
    assert (receipt.memories, receipt.evidence) == (1, 1)
    assert receipt.relationships == {"SUPPORTS": 2, "SIMILAR": 1}
    with pytest.raises(NotFound):
        await graph.memories.get(first.id)
    stats = await graph.realms.stats()
    assert (stats.nodes["Memory"], stats.relationships) == (1, {"HAS_TERM": 2})
    assert (await graph.memories.forget(first.id)).memories == 0


async def test_an_injection_in_a_text_is_only_a_text(graph: Graph) -> None:
    before = await graph.memories.remember(KEY)
    nasty = await graph.memories.remember(NASTY, tags=[NASTY], session=NASTY, id=NASTY)
    assert (await graph.memories.get(NASTY)).text == nasty.text == NASTY
    assert (await graph.memories.forget(NASTY)).memories == 1
    assert await graph.memories.get(before.id) == before


@pytest.mark.slow
async def test_memories_of_two_realms_never_meet(graph: Graph, open_graph: OpenGraph) -> None:
    other = await open_graph()
    mine = await graph.memories.remember(KEY, id="one")
    theirs = await other.memories.remember("Another world.", id="one")
    item = {"event_id": "e", "ts": graph.clock.now(), "symbol": "X", "price": "1", "side": "bid"}
    evidence = item | {"kind": "execution", "quantity": 5000}
    for place in (graph, other):
        assert (await place.memories.observe([evidence], source="s")).accepted == 1
    await graph.memories.observe([evidence | {"event_id": "f"}], source="s")
    await graph.memories.decay_pass()
    await graph.memories.reinforce("one", "contradiction")
    await graph.memories.archive()
    assert await other.memories.get("one") == theirs
    assert (await other.memories.level("X@1")).interaction_count == 1
    assert len(await other.memories.history("X@1")) == 1
    assert len(await other.memories.levels("X")) == 1
    await graph.memories.forget("one")
    assert await other.memories.get("one") == theirs
    assert mine.text != theirs.text


async def test_callers_beside_each_other_count_the_hours_once(
    graph: Graph, clock: FixedClock
) -> None:
    await graph.memories.remember("The key hangs behind the clock.")  # which makes the realm
    await graph.memories.hours.reading()
    clock.advance(minutes=9)
    readings = await asyncio.gather(*(graph.memories.hours.reading() for _ in range(30)))
    assert set(readings) == {9 * 60 * 1_000_000}
    await asyncio.gather(*(graph.memories.hours.add() for _ in range(30)))
    row = await graph.database.row("memories/active_hours")
    assert row is not None
    assert row["active"] == 9 * 60 * 1_000_000
    assert await graph.memories.hours.reading() == 9 * 60 * 1_000_000
