"""Texts that are remembered again, and limits: nothing is dropped in silence."""

import asyncio
from datetime import UTC, date, datetime
from typing import Any

import pytest

from asterism.errors import Conflict, InvalidInput
from asterism.graph import Graph
from asterism.memories import Memory
from tests.conftest import OpenGraph
from tests.support.consolidation_oracle import Text, at, double
from tests.support.market_world import Market
from tests.support.raw import run_cypher

LEO = "Leonor is vegetarian."
WHEN = datetime(2026, 1, 1, 9, tzinfo=UTC)


@pytest.mark.slow
async def test_tags_of_a_repeated_text_are_added_and_found(graph: Graph) -> None:
    await graph.memories.remember(LEO, id="leo", tags=["food"])
    again = await graph.memories.remember(LEO, id="leo", tags=["friends"])
    assert again.tags == ("food", "friends")
    for tag in ("food", "friends"):
        answer = await graph.recall.find("Who eats no meat?", tags=[tag])
        assert [hit.id for hit in answer.hits] == ["leo"]
    assert (await graph.memories.remember(LEO, id="leo")).tags == ("food", "friends")
    items = [{"text": LEO, "id": "leo", "tags": [tag]} for tag in ("b", "a", "b", "food")]
    receipt = await graph.memories.remember_many(items)
    assert (receipt.accepted, receipt.duplicate, receipt.tagged) == (0, 4, 1)
    assert (await graph.memories.get("leo")).tags == ("a", "b", "food", "friends")
    receipt = await graph.memories.remember_many(items)
    assert (receipt.duplicate, receipt.tagged, receipt.rejected) == (4, 0, [])


async def test_tags_within_one_call_are_added_too(graph: Graph) -> None:
    items = [{"text": LEO, "tags": ["one"]}, {"text": LEO.upper(), "tags": ["two"]}]
    receipt = await graph.memories.remember_many(items)
    assert (receipt.accepted, receipt.duplicate, receipt.tagged) == (1, 1, 1)
    assert (await graph.memories.remember(LEO)).tags == ("one", "two")


@pytest.mark.slow
async def test_many_writers_of_tags_lose_none(graph: Graph) -> None:
    tags = [f"t{number}" for number in range(8)]
    await asyncio.gather(*(graph.memories.remember(LEO, id="leo", tags=[tag]) for tag in tags))
    assert (await graph.memories.get("leo")).tags == tuple(tags)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("field", "old", "new", "reason"),
    [
        (
            "category",
            "fact",
            "plan",
            "category='plan': id 'leo' is remembered with category='fact'",
        ),
        ("category", "", "fact", "category='fact': id 'leo' is remembered with category=None"),
        ("actor", "ann", "bob", "actor='bob': id 'leo' is remembered with actor='ann'"),
        ("session", "a", "b", "session='b': id 'leo' is remembered with session='a'"),
        ("speaker", None, "Ann", "speaker='Ann': id 'leo' is remembered with speaker=None"),
        ("about", "Leo", "Leonor", "about='Leonor': id 'leo' is remembered with about='Leo'"),
        (
            "lasts",
            None,
            "permanent",
            "lasts='permanent': id 'leo' is remembered with lasts='durable'",
        ),
        ("at", None, WHEN, "at='2026-01-01T09:00:00+00:00': id 'leo' is remembered with at="),
    ],
)
async def test_another_value_is_a_conflict_and_nothing_is_written(
    graph: Graph, field: str, old: Any, new: Any, reason: str
) -> None:
    first = await graph.memories.remember(LEO, id="leo", tags=["food"], **{field: old})
    with pytest.raises(Conflict) as caught:
        await graph.memories.remember(LEO, id="leo", tags=["friends"], **{field: new})
    assert reason in str(caught.value)
    assert f"leave {field} out, give another id, or forget 'leo' first" in str(caught.value)
    assert await graph.memories.get("leo") == first
    item = {"text": LEO, "id": "leo", "tags": ["friends"], field: new}
    receipt = await graph.memories.remember_many([{"text": "Other."}, item])
    assert (receipt.accepted, receipt.duplicate) == (1, 0)
    assert [(each.index, each.event_id) for each in receipt.rejected] == [(1, "leo")]
    assert reason in receipt.rejected[0].reason
    assert await graph.memories.get("leo") == first


async def test_equal_calls_are_one_memory_with_or_without_an_id(graph: Graph) -> None:
    fields: dict[str, Any] = {
        "category": "fact",
        "about": "Leonor",
        "at": WHEN,
        "speaker": "Ann",
        "actor": "ann",
    }
    for id in ("leo", None):
        first = await graph.memories.remember(LEO, id=id, tags=["food"], **fields)
        again = await graph.memories.remember(LEO, id=id, tags=["FOOD "], **fields)
        assert again == first.model_copy(update={"unchanged": True})
        assert not first.unchanged
    own: Memory = await graph.memories.remember(LEO, category="fact")
    assert await graph.memories.remember(LEO) == own.model_copy(update={"unchanged": True})
    assert not (await graph.memories.remember(LEO, tags=["food"])).unchanged
    with pytest.raises(Conflict, match=r"category='plan'.*category='fact'"):
        await graph.memories.remember(LEO, category="plan")


async def test_texts_that_differ_within_one_call_are_rejected(graph: Graph) -> None:
    items = [{"text": LEO, "category": "fact"}, {"text": LEO, "category": "plan"}]
    receipt = await graph.memories.remember_many(items)
    assert (receipt.accepted, [each.index for each in receipt.rejected]) == (1, [1])
    assert (await graph.memories.remember(LEO)).category == "fact"


@pytest.mark.slow
async def test_consolidation_reads_tags_that_were_added_later(open_graph: OpenGraph) -> None:
    """Edges are scored with them, in this process and in another, and the index finds them."""
    texts = [Text("bread", at(1.0), id="bread"), Text("dough", at(0.5), id="dough")]
    options = {"embedder": double(texts), "settings": {"consolidation": {"signal": "cosine"}}}
    graph: Graph = await open_graph(**options)
    other: Graph = await open_graph(realm=graph.realm, **options)
    await graph.memories.remember_many([text.item for text in texts])
    for one in (graph, other):
        await one.consolidation.consolidate()
        await one.consolidation.rebuild()
    for text in texts:
        await graph.memories.remember(text.text, id=text.id, tags=["baking"])
    for one in (other, graph):
        await one.consolidation.rebuild()
        [edge] = await one.consolidation.edges("bread")
        assert edge.components is not None
        assert edge.components.tags == pytest.approx(0.20)
    [report] = await graph.maintenance.run("verify")
    assert report.offenders == []


@pytest.mark.parametrize("tags", ["home", ""])
async def test_one_text_is_no_list_of_tags(graph: Graph, tags: str) -> None:
    with pytest.raises(InvalidInput, match=f"tags='{tags}': give a list of tags"):
        await graph.memories.remember("The boat is blue.", tags=tags)
    receipt = await graph.memories.remember_many([{"text": "The boat is blue.", "tags": tags}])
    assert "give a list of tags" in receipt.rejected[0].reason
    assert (await graph.realms.stats()).nodes.get("Memory", 0) == 0
    memory = await graph.memories.remember("The boat is blue.", tags={"home", "Sea "})  # type: ignore[arg-type]
    assert memory.tags == ("home", "sea")


async def test_a_price_level_grows_by_evidence_alone(market: Market) -> None:
    graph = market.graph
    trade = {"event_id": "t1", "ts": graph.clock.now(), "symbol": "XUSDT", "price": "100.50"}
    trade |= {"kind": "execution", "side": "ask", "quantity": 3000}
    await graph.memories.observe([trade], source="desk")
    [level] = await graph.memories.levels("XUSDT")
    for kind in ("recall", "contradiction"):
        with pytest.raises(InvalidInput, match=r"id='XUSDT@100.5.*memories.observe"):
            await graph.memories.reinforce(level.id, kind)
    assert await graph.memories.get(level.id) == level
    assert len(await graph.memories.history(level.id)) == 1


def distinct(size: int) -> str:
    """So many bytes of words of which none comes twice."""
    return " ".join(f"w{number:06x}" for number in range(size // 8))


@pytest.mark.slow
@pytest.mark.parametrize("field", ["text", "about", "speaker", "category", "actor"])
async def test_a_field_that_is_too_long_is_refused_before_anything_is_written(
    graph: Graph, field: str
) -> None:
    item: dict[str, Any] = {"text": "Short."} | {field: distinct(10_000_000)}
    with pytest.raises(InvalidInput, match=f"{field}=.*1,048,576 are allowed: split it"):
        await graph.memories.remember(**item)
    receipt = await graph.memories.remember_many([item, {"text": "Short."}])
    assert (receipt.accepted, len(receipt.rejected)) == (1, 1)


async def test_the_longest_text_is_a_setting_in_bytes(open_graph: OpenGraph) -> None:
    graph: Graph = await open_graph(settings={"memories": {"text_bytes": 10}})
    await graph.memories.remember("ä" * 5)
    with pytest.raises(InvalidInput, match="11 bytes, and 10 are allowed"):
        await graph.memories.remember("ä" * 5 + "b")


@pytest.mark.slow
async def test_a_long_text_is_indexed_by_its_first_words(open_graph: OpenGraph) -> None:
    graph: Graph = await open_graph(settings={"memories": {"noted_words": 4}})
    await graph.memories.remember("Ada lends Ben boats. Lyra mends nets.", id="long", session="s")
    await graph.memories.remember("Lyra sails.", id="short")
    rows = await run_cypher(
        graph,
        "MATCH (m:Memory {realm: $realm, id: 'long'})-[:MENTIONS|HAS_TERM]->(n) "
        "RETURN coalesce(n.key, n.stem) AS word ORDER BY word",
    )
    assert [row["word"] for row in rows] == ["ada", "ada", "ben", "ben", "boat", "lend"]
    more: Graph = await open_graph(realm=graph.realm)
    await more.memories.forget("long")
    [report] = await more.maintenance.run("verify")
    assert report.offenders == []
    stats = await more.realms.stats()
    assert (stats.nodes["Name"], stats.nodes["Term"]) == (1, 2)


@pytest.mark.slow
async def test_a_megabyte_of_distinct_words_does_not_stall_the_server(graph: Graph) -> None:
    text = "Ada keeps the key of the tower. " + distinct((1 << 20) - 40)
    await graph.memories.remember(text, id="long")
    await graph.memories.remember_many(
        [{"text": f"{number} {text[:-10]}", "id": f"long {number}"} for number in range(2)]
    )
    await graph.consolidation.consolidate()
    answer = await graph.recall.find("Who keeps the key of the tower?", k=3)
    assert {hit.id for hit in answer.hits} == {"long", "long 0", "long 1"}
    assert (await graph.realms.stats()).nodes["Term"] <= 20_010


@pytest.mark.parametrize("at", ["2026-01-01", date(2026, 1, 1), "2026-01-01T00:00"])
async def test_times_are_taken_as_text_and_dates(graph: Graph, at: Any) -> None:
    memory = await graph.memories.remember("The boat is blue.", at=at)
    assert memory.first_seen == datetime(2026, 1, 1, tzinfo=UTC)
    assert (await graph.memories.get(memory.id, at="2026-01-02")).id == memory.id


async def test_a_time_that_is_none_is_refused_by_name(graph: Graph) -> None:
    with pytest.raises(InvalidInput, match=r"^at='soon': give a time as ISO 8601"):
        await graph.memories.remember("The boat is blue.", at="soon")
