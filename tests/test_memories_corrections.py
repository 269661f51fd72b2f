"""A memory that is corrected stays as history, below what is true now."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from asterism.clock import FixedClock
from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.graph import Graph
from asterism.recall import Recall
from tests.conftest import OpenGraph
from tests.support.raw import run_cypher

QUESTION = "Where does Ansel Moor live?"
OLD = "Ansel Moor lives in Porto."
NEW = "Ansel Moor lives in Lisbon now."


def ids(answer: Recall) -> list[str]:
    return [hit.id for hit in answer.hits]


async def fill(graph: Graph) -> None:
    """Remember texts about other things."""
    await graph.memories.remember_many(
        [
            {"text": "Ansel Moor keeps bees behind the mill."},
            {"text": "The tide table of Grey Island is painted green."},
            {"text": "Lyra lives in the lighthouse with two cats."},
            {"text": "Where the rye is sold, nobody knows."},
        ]
    )


async def moved(graph: Graph, clock: FixedClock) -> tuple[str, str]:
    """Remember where somebody lives, and ten days later that he has moved."""
    await fill(graph)
    old = await graph.memories.remember(OLD, tags=["home"], speaker="Ansel", category="fact")
    clock.advance(days=10)
    new = await graph.memories.correct(old.id, NEW, reason="he moved")
    return old.id, new.id


@pytest.mark.slow
async def test_a_correction_takes_over_the_fields_of_the_old_memory(
    graph: Graph, clock: FixedClock
) -> None:
    old_id, new_id = await moved(graph, clock)
    old, new = await graph.memories.get(old_id), await graph.memories.get(new_id)
    assert (new.text, new.tags, new.speaker, new.category) == (NEW, ("home",), "Ansel", "fact")
    assert new.lasts == old.lasts
    assert (old.superseded_by, new.supersedes) == (new_id, (old_id,))
    assert old.valid_to == new.valid_from == clock.now()
    rows = await run_cypher(
        graph,
        "MATCH (:Memory {realm: $realm, id: $new})-[link:SUPERSEDES]->(:Memory {id: $old}) "
        "RETURN link.reason AS reason, link.at AS at",
        old=old_id,
        new=new_id,
    )
    assert [(row["reason"], row["at"].to_native()) for row in rows] == [("he moved", clock.now())]


@pytest.mark.slow
async def test_the_successor_comes_first_and_the_old_memory_says_what_superseded_it(
    graph: Graph, clock: FixedClock
) -> None:
    old, new = await moved(graph, clock)
    answer = await graph.recall.find(QUESTION)
    places = ids(answer)
    assert places[0] == new
    assert places.index(old) > 0
    by_id = {hit.id: hit for hit in answer.hits}
    assert by_id[old].superseded_by == new
    assert f"superseded by {new} on 12 March 2026" in by_id[old].why
    assert by_id[old].valid_to == by_id[new].valid_from == clock.now()
    assert by_id[new].superseded_by is None
    for hit in answer.hits:
        parts = hit.parts.model_dump()
        parts.pop("cosine")
        assert sum(parts.values()) == pytest.approx(hit.score)


@pytest.mark.slow
async def test_before_the_change_the_old_memory_is_first_and_unmarked(
    graph: Graph, clock: FixedClock
) -> None:
    old, new = await moved(graph, clock)
    before = clock.now() - timedelta(days=1)
    clock.advance(days=10)
    answer = await graph.recall.find(QUESTION, at=before)
    assert ids(answer)[0] == old
    assert new not in ids(answer)
    [first] = answer.hits[:1]
    assert first.superseded_by is None
    assert "supersede" not in first.why
    assert first.parts.superseded == 0


@pytest.mark.slow
async def test_a_successor_in_quite_other_words_comes_with_the_memory_that_it_superseded(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    graph: Graph = await open_graph(settings={"recall": {"pool": 3}})
    old = await graph.memories.remember(OLD)
    await graph.memories.remember_many(
        [{"text": f"Ansel Moor's neighbour {n} lives in street {n}."} for n in range(30)]
    )
    new = await graph.memories.correct(old.id, "Gone to the capital for good!", about="Moving")
    answer = await graph.recall.find(QUESTION, k=2)
    assert ids(answer)[0] == new.id
    assert f"supersedes {old.id}" in answer.hits[0].why
    assert answer.hits[0].parts.succession > 0


@pytest.mark.slow
async def test_a_superseded_memory_that_only_a_hop_leads_to_brings_its_successor(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    graph: Graph = await open_graph(settings={"recall": {"pool": 2}})
    await graph.memories.remember("The captain of the Marigold is Ansel Moor.", id="captain")
    await graph.memories.remember("Ansel Moor first saw daylight in a hut.", id="hut")
    await graph.memories.remember_many(
        [{"text": f"The Marigold had captain {n} on trip {n}."} for n in range(12)]
    )
    new = await graph.memories.correct("hut", "It was a palace, not so small.")
    answer = await graph.recall.find("Where was the captain of the Marigold born?", k=6)
    [successor] = [hit for hit in answer.hits if hit.id == new.id]
    assert successor.supersedes == ("hut",)


@pytest.mark.slow
async def test_a_chain_gives_its_latest_first_and_each_time_its_own(
    graph: Graph, clock: FixedClock
) -> None:
    await fill(graph)
    first = await graph.memories.remember("The price of rye is 4 crowns.")
    chain, times = [first.id], [clock.now()]
    for price in (5, 6, 7):
        clock.advance(days=30)
        newer = await graph.memories.correct(chain[-1], f"The price of rye is {price} crowns.")
        chain.append(newer.id)
        times.append(clock.now())
    clock.advance(days=1)
    question = "What is the price of rye?"
    assert ids(await graph.recall.find(question))[0] == chain[-1]
    for id, time in zip(chain, times, strict=True):
        answer = await graph.recall.find(question, at=time + timedelta(days=1))
        assert ids(answer)[0] == id
        assert answer.hits[0].superseded_by is None


async def test_correcting_an_old_version_corrects_the_latest(
    graph: Graph, clock: FixedClock
) -> None:
    old, new = await moved(graph, clock)
    clock.advance(days=1)
    latest = await graph.memories.correct(old, "Ansel Moor lives in Faro.")
    assert (await graph.memories.get(new)).superseded_by == latest.id
    assert (await graph.memories.get(old)).superseded_by == new


@pytest.mark.slow
async def test_a_way_back_is_a_new_memory(graph: Graph, clock: FixedClock) -> None:
    old, new = await moved(graph, clock)
    clock.advance(days=1)
    again = await graph.memories.correct(new, OLD)
    assert again.id not in (old, new)
    assert ids(await graph.recall.find(QUESTION))[0] == again.id


@pytest.mark.slow
async def test_what_says_a_superseded_text_again_is_no_duplicate_of_it(
    graph: Graph, clock: FixedClock
) -> None:
    old, new = await moved(graph, clock)
    await graph.consolidation.consolidate()
    clock.advance(days=1)
    again = await graph.memories.correct(new, OLD)
    repeated = await graph.memories.remember(OLD, id="repeated", speaker="Ansel")
    await graph.consolidation.consolidate()
    assert (await graph.memories.get(again.id)).duplicate_of is None
    assert (await graph.memories.get(repeated.id)).duplicate_of in (None, again.id)
    assert ids(await graph.recall.find(QUESTION))[0] in (again.id, repeated.id)
    assert (await graph.memories.get(old)).superseded_by == new


async def test_the_same_correction_again_changes_nothing(graph: Graph, clock: FixedClock) -> None:
    old, new = await moved(graph, clock)
    before = await graph.memories.get(old), await graph.memories.get(new)
    clock.advance(days=1)
    assert (await graph.memories.correct(old, NEW, reason="he moved")).id == new
    await graph.memories.supersede(old, new, reason="again")
    after = await graph.memories.get(old), await graph.memories.get(new)
    assert [memory.valid_to for memory in before] == [memory.valid_to for memory in after]
    rows = await run_cypher(
        graph, "MATCH (:Memory {realm: $realm})-[link:SUPERSEDES]->() RETURN link.reason AS reason"
    )
    assert [row["reason"] for row in rows] == ["he moved"]


async def test_two_memories_that_are_there_are_joined_from_when_the_new_one_was_said(
    graph: Graph, clock: FixedClock
) -> None:
    old = await graph.memories.remember(OLD, at="2025-01-01")
    new = await graph.memories.remember(NEW, at="2025-06-01")
    assert (await graph.memories.supersede(old.id, new.id)).supersedes == (old.id,)
    assert (await graph.memories.get(old.id)).valid_to == datetime(2025, 6, 1, tzinfo=UTC)
    late = await graph.memories.remember("Ansel Moor lives in Rome.", valid_from="2025-08-01")
    await graph.memories.supersede(new.id, late.id)
    assert (await graph.memories.get(new.id)).valid_to == datetime(2025, 8, 1, tzinfo=UTC)
    later = await graph.memories.remember("Ansel Moor lives in Oslo.")
    await graph.memories.supersede(late.id, later.id, at="2025-12-24")
    assert (await graph.memories.get(late.id)).valid_to == datetime(2025, 12, 24, tzinfo=UTC)


async def test_an_earlier_end_stays_and_a_later_one_comes_back(
    graph: Graph, clock: FixedClock
) -> None:
    ended = await graph.memories.remember(OLD, valid_to="2026-01-01")
    open_ended = await graph.memories.remember("Ansel is 40.", valid_to="2027-01-01")
    ends = [ended.valid_to, open_ended.valid_to]
    for memory, text in ((ended, NEW), (open_ended, "Ansel is 41.")):
        await graph.memories.correct(memory.id, text)
    assert (await graph.memories.get(ended.id)).valid_to == ends[0]
    assert (await graph.memories.get(open_ended.id)).valid_to == clock.now()
    for memory, end in zip((ended, open_ended), ends, strict=True):
        restored = await graph.memories.unsupersede(memory.id)
        assert (restored.superseded_by, restored.valid_to) == (None, end)


@pytest.mark.slow
async def test_superseding_can_be_undone_and_done_again(graph: Graph, clock: FixedClock) -> None:
    old, new = await moved(graph, clock)
    for _ in range(2):
        restored = await graph.memories.unsupersede(old)
        assert (restored.superseded_by, restored.valid_to) == (None, None)
    successor = await graph.memories.get(new)
    assert (successor.supersedes, successor.valid_from) == ((), None)
    assert "supersede" not in (await graph.recall.find(QUESTION)).hits[0].why
    assert (await graph.memories.correct(old, NEW)).id == new
    assert (await graph.memories.get(old)).superseded_by == new


@pytest.mark.slow
async def test_wrong_corrections_are_refused_by_name(graph: Graph, clock: FixedClock) -> None:
    old, new = await moved(graph, clock)
    other = await graph.memories.remember("Something else.")
    count = "MATCH (n {realm: $realm}) RETURN count(n) AS nodes"
    before = await run_cypher(graph, count)
    with pytest.raises(InvalidInput, match="does not supersede itself"):
        await graph.memories.supersede(old, old)
    with pytest.raises(InvalidInput, match=f"'{old}': '{new}' supersedes it"):
        await graph.memories.supersede(new, old)
    with pytest.raises(Conflict, match=f"superseded by '{new}' already"):
        await graph.memories.supersede(old, other.id)
    for ends in ((old, "nobody"), ("nobody", old)):
        with pytest.raises(NotFound, match="nobody"):
            await graph.memories.supersede(*ends)
    with pytest.raises(NotFound, match="nobody"):
        await graph.memories.correct("nobody", "Text.")
    with pytest.raises(NotFound, match="nobody"):
        await graph.memories.unsupersede("nobody")
    with pytest.raises(InvalidInput, match="text"):
        await graph.memories.correct(old, "  ")
    with pytest.raises(InvalidInput, match="reason"):
        await graph.memories.supersede(old, new, reason="")
    with pytest.raises(InvalidInput, match="valid_from"):
        await graph.memories.correct(old, "Text.", valid_from="soon")
    with pytest.raises(Conflict, match="holds another text"):
        await graph.memories.correct(old, "Text.", id=other.id)
    assert await run_cypher(graph, count) == before


async def test_a_price_level_is_not_corrected(graph: Graph, clock: FixedClock) -> None:
    trade = {"event_id": "1", "ts": clock.now(), "symbol": "X", "price": "100", "quantity": 3000}
    await graph.memories.observe([trade | {"kind": "execution", "side": "ask"}], source="s")
    [level] = await graph.memories.levels("X")
    text = await graph.memories.remember(OLD)
    with pytest.raises(InvalidInput, match=r"memories\.observe"):
        await graph.memories.correct(level.id, "No.")
    with pytest.raises(InvalidInput, match=r"new=.*price level"):
        await graph.memories.supersede(text.id, level.id)


async def test_a_correction_in_a_realm_that_is_not_there_creates_none(
    open_graph: OpenGraph,
) -> None:
    graph: Graph = await open_graph()
    for call in (
        graph.memories.correct("a", "Text."),
        graph.memories.supersede("a", "b"),
        graph.memories.unsupersede("a"),
    ):
        with pytest.raises(NotFound):
            await call
    assert await run_cypher(graph, "MATCH (n {realm: $realm}) RETURN n", realm=graph.realm) == []


@pytest.mark.slow
async def test_what_is_not_valid_yet_is_left_out_and_what_is_over_ranks_lower(
    graph: Graph, clock: FixedClock
) -> None:
    await fill(graph)
    memory = await graph.memories.remember(OLD, valid_from="2026-03-10", valid_to="2026-03-20")
    assert memory.valid_from == datetime(2026, 3, 10, tzinfo=UTC)
    assert memory.valid_to == datetime(2026, 3, 20, 23, 59, 59, 999999, tzinfo=UTC)
    assert memory.id not in ids(await graph.recall.find(QUESTION))
    reasons = (await graph.recall.why_not(QUESTION, memory.id)).missing
    assert any("valid only from 10 March 2026" in reason for reason in reasons)
    clock.advance(days=10)
    valid = (await graph.recall.find(QUESTION)).hits[0]
    assert valid.id == memory.id
    assert valid.parts.superseded == 0
    clock.advance(days=10)
    [over] = [hit for hit in (await graph.recall.find(QUESTION)).hits if hit.id == memory.id]
    assert over.parts.superseded < 0
    assert "valid until 20 March 2026" in over.why
    again = await graph.recall.find(QUESTION, at=clock.now() - timedelta(days=8))
    assert again.hits[0].parts.superseded == 0


async def test_validity_is_checked_compared_and_told_late(graph: Graph) -> None:
    with pytest.raises(InvalidInput, match=r"valid_from.*before `valid_to`"):
        await graph.memories.remember(OLD, valid_from="2026-02-01", valid_to="2026-01-01")
    with pytest.raises(InvalidInput, match="valid_to"):
        await graph.memories.remember(OLD, valid_to="soon")
    told_late = await graph.memories.remember(OLD, valid_from="2010-01-01")
    assert told_late.valid_from == datetime(2010, 1, 1, tzinfo=UTC)
    with pytest.raises(Conflict, match="valid_from"):
        await graph.memories.remember(OLD, valid_from="2011-01-01")
    receipt = await graph.memories.remember_many(
        [{"text": "A", "valid_to": "2026-05-01"}, {"text": "B", "valid_to": "x"}]
    )
    assert (receipt.accepted, len(receipt.rejected)) == (1, 1)
    await graph.memories.correct(told_late.id, NEW)
    assert (await graph.memories.remember(OLD, valid_to="2030-01-01")).id == told_late.id


@pytest.mark.slow
async def test_five_contradictions_matter_and_are_named(graph: Graph, clock: FixedClock) -> None:
    await fill(graph)
    wrong = await graph.memories.remember("Ansel Moor lives in Porto, I think.")
    right = await graph.memories.remember("Ansel Moor lives in a town by the sea.")
    assert ids(await graph.recall.find(QUESTION))[0] == wrong.id
    for number in range(5):
        await graph.memories.reinforce(wrong.id, "contradiction", event_id=str(number))
    answer = await graph.recall.find(QUESTION)
    assert ids(answer)[0] == right.id
    [hit] = [hit for hit in answer.hits if hit.id == wrong.id]
    assert "contradicted 5 times, confidence 0.1" in hit.why
    assert hit.parts.doubted < 0
    assert hit.confidence == pytest.approx(1 / 7)


@pytest.mark.slow
async def test_corrections_of_one_memory_at_once_form_one_chain(
    graph: Graph, clock: FixedClock
) -> None:
    old = await graph.memories.remember(OLD)
    made = await asyncio.gather(
        *(graph.memories.correct(old.id, f"Ansel Moor lives in house {n}.") for n in range(20))
    )
    memories = [await graph.memories.get(memory.id) for memory in made]
    heads = [memory for memory in memories if memory.superseded_by is None]
    assert len(heads) == 1
    chain = {memory.id: memory.superseded_by for memory in memories}
    step, length = (await graph.memories.get(old.id)).superseded_by, 0
    while step is not None:
        step, length = chain[step], length + 1
    assert length == 20
    [first] = (await graph.recall.find(QUESTION)).hits[:1]
    assert first.id == heads[0].id
