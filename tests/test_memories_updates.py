"""An update gives a memory another content under its id, and keeps what it was."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.command_line import CommandLine
from tests.support.raw import run_cypher

KEY = "Lyra keeps the lighthouse key."
TIES = """MATCH (memory:Memory {realm: $realm, id: $id})
RETURN [(memory)-[:MENTIONS]->(name) | name.key] AS names,
       [(memory)-[:HAS_TERM]->(term) | term.stem] AS terms,
       [(memory)-[:ABOUT]->(name) | name.key] AS subjects"""


async def searchable(graph: Graph, id: str) -> dict[str, list[str]]:
    [row] = await run_cypher(graph, TIES, id=id)
    return {name: sorted(values) for name, values in row.items()}


async def faults(graph: Graph) -> list[Any]:
    [report] = await graph.maintenance.run("verify")
    return list(report.offenders)


@pytest.mark.slow
async def test_an_updated_text_is_found_by_its_new_words_alone(graph: Graph) -> None:
    await graph.memories.remember("Rye is sold in the market.")
    memory = await graph.memories.remember(KEY, id="key", tags=["home"], session="s1")
    await graph.recall.find("key")
    updated = await graph.memories.update("key", text="Ansel Moor feeds the harbour seals.")
    assert (updated.id, updated.text, updated.tags) == ("key", updated.text, ("home",))
    assert updated.strength == memory.strength
    assert (updated.waiting, updated.unchanged) == (True, False)
    ties = await searchable(graph, "key")
    assert ties["subjects"] == ["ansel moor"]
    assert "lyra" not in ties["names"]
    assert not {"lyra", "lighthous"} & set(ties["terms"])
    answer = await graph.recall.find("Who feeds the seals?", k=1)
    assert answer.hits[0].id == "key"
    assert answer.hits[0].parts.cosine > 0.6
    fresh = await graph.memories.remember("Ansel Moor feeds the harbour seals.", id="other")
    same = await searchable(graph, fresh.id)
    assert same == ties


@pytest.mark.slow
async def test_every_field_can_be_changed_and_cleared(graph: Graph) -> None:
    fields: dict[str, Any] = {"tags": ["a"], "category": "c", "about": "Lyra", "speaker": "Mo"}
    await graph.memories.remember(KEY, id="key", **fields, metadata={"page": 3})
    updated = await graph.memories.update(
        "key", tags=["B"], category="d", about="Harbour", speaker="Jo", metadata={"page": 4}
    )
    assert (updated.text, updated.tags, updated.category) == (KEY, ("b",), "d")
    assert (updated.about, updated.speaker, updated.metadata) == ("Harbour", "Jo", {"page": 4})
    assert [hit.id for hit in (await graph.recall.find("key", tags=["b"])).hits] == ["key"]
    assert (await graph.recall.find("key", tags=["a"])).hits == ()
    assert [hit.id for hit in (await graph.recall.find("key", speaker="Jo")).hits] == ["key"]
    cleared = await graph.memories.update(
        "key", tags=(), category="", about="", speaker="", metadata={}
    )
    assert (cleared.text, cleared.tags, cleared.category) == (KEY, (), "")
    assert (cleared.about, cleared.speaker, cleared.metadata) == (None, None, {})


async def test_a_text_that_lasts_otherwise_keeps_its_strength(
    graph: Graph, clock: FixedClock
) -> None:
    before = await graph.memories.remember(KEY, lasts="ephemeral")
    after = await graph.memories.update(before.id, lasts="permanent")
    assert after.strength == pytest.approx(before.strength)
    assert (after.lasts, round(after.half_life_hours or 0)) == ("permanent", 69315)
    assert (after.archive_in_hours or 0) > 299_000
    assert not (await graph.memories.get(before.id)).unchanged


@pytest.mark.slow
async def test_the_history_has_what_it_was(graph: Graph, clock: FixedClock) -> None:
    await graph.memories.remember(KEY, id="key", tags=["home"], metadata={"page": 3})
    clock.advance(hours=1)
    await graph.memories.update("key", text="Mo keeps the key.")
    clock.advance(hours=1)
    await graph.memories.update("key", tags=[])
    second, first = await graph.memories.history("key")
    assert (first.kind, first.effect, first.at) == (
        "update",
        "updated",
        clock.now() - timedelta(hours=1),
    )
    assert first.before == {
        "text": KEY,
        "tags": ["home"],
        "metadata": {"page": 3},
        "lasts": "durable",
    }
    assert second.before is not None
    assert second.before["text"] == "Mo keeps the key."
    assert (await graph.memories.forget("key")).evidence == 2


async def test_the_same_content_changes_nothing_and_says_so(
    graph: Graph, clock: FixedClock
) -> None:
    await graph.memories.remember(KEY, id="key", tags=["home"])
    same = await graph.memories.update("key", text=KEY, tags=["Home "], lasts="durable")
    assert same.unchanged
    assert same.edited_at is None
    assert await graph.memories.history("key") == []
    assert (await graph.memories.update("key")).unchanged


@pytest.mark.slow
async def test_an_update_keeps_the_order_of_its_session_and_the_counts(graph: Graph) -> None:
    for number in range(3):
        await graph.memories.remember(f"Line {number} of Lyra.", id=f"m{number}", session="s")
    await graph.memories.update("m1", text="Ansel Moor speaks now.")
    rows = await run_cypher(
        graph,
        "MATCH (a:Memory {realm: $realm})-[:NEXT]->(b) RETURN a.id AS a, b.id AS b ORDER BY a.id",
    )
    assert rows == [{"a": "m0", "b": "m1"}, {"a": "m1", "b": "m2"}]
    assert await faults(graph) == []


@pytest.mark.slow
async def test_an_updated_text_waits_and_loses_what_rested_on_the_old_words(
    open_graph: OpenGraph,
) -> None:
    graph: Graph = await open_graph(settings={"consolidation": {"signal": "cosine"}})
    await graph.memories.remember_many(
        [
            {"id": "a", "text": "Ansel feeds the seals at noon.", "tags": ["sea"]},
            {"id": "b", "text": "Ansel feeds the seals at dusk.", "tags": ["sea"]},
            {"id": "c", "text": "Ansel feeds the seals at noon. "},
        ]
    )
    await graph.consolidation.consolidate()
    assert (await graph.memories.get("c")).duplicate_of == "a"
    assert [edge.other for edge in await graph.consolidation.edges("a")] == ["b"]
    updated = await graph.memories.update("a", text="The bank opens on Monday.")
    assert updated.waiting
    assert await graph.consolidation.edges("b") == []
    b, c = await graph.memories.get("b"), await graph.memories.get("c")
    assert (b.near_duplicates, b.updates, b.updated_by) == ((), (), ())
    assert (c.duplicate_of, c.waiting) == (None, True)
    assert await faults(graph) == []
    await graph.consolidation.consolidate()
    assert await faults(graph) == []
    assert [edge.other for edge in await graph.consolidation.edges("b")] == ["c"]
    assert await graph.consolidation.edges("a") == []


@pytest.mark.slow
async def test_a_duplicate_that_is_updated_is_a_text_of_its_own(graph: Graph) -> None:
    await graph.memories.remember_many(
        [{"id": "a", "text": KEY}, {"id": "b", "text": KEY, "session": "s"}]
    )
    await graph.consolidation.consolidate()
    assert (await graph.memories.get("b")).duplicate_of == "a"
    updated = await graph.memories.update("b", text="Rye is sold in the market.")
    assert (updated.duplicate_of, updated.state, updated.waiting) == (None, "active", True)
    assert (await graph.recall.find("Where is rye sold?", k=1)).hits[0].id == "b"
    assert await faults(graph) == []


@pytest.mark.slow
async def test_a_vector_of_the_old_words_is_not_stored(graph: Graph) -> None:
    await graph.memories.remember(KEY, id="key")
    await graph.memories.update("key", text="Rye is sold in the market.")
    vector = await graph.embedding.query(KEY)
    rows = [{"id": "key", "text": KEY, "vector": list(vector)}]
    stored = await graph.database.rows("memory_vectors/store_vectors", rows=rows, model="m")
    assert stored == []
    assert (await graph.recall.find("Where is rye sold?", k=1)).hits[0].parts.cosine > 0.6


async def test_what_can_not_be_updated_is_refused_by_name(graph: Graph, clock: FixedClock) -> None:
    await graph.memories.remember(KEY, id="key")
    for text in ("", "  "):
        with pytest.raises(InvalidInput, match="text"):
            await graph.memories.update("key", text=text)
    with pytest.raises(InvalidInput, match="lasts"):
        await graph.memories.update("key", lasts="long")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="tags"):
        await graph.memories.update("key", tags="home")
    with pytest.raises(NotFound, match="nobody"):
        await graph.memories.update("nobody", text="x")
    with pytest.raises(Conflict, match=r"memories\.update.*memories\.correct"):
        await graph.memories.remember("Another text.", id="key")
    trade = {"event_id": "1", "ts": clock.now(), "symbol": "X", "price": "100", "quantity": 3000}
    await graph.memories.observe([trade | {"kind": "execution", "side": "ask"}], source="s")
    [level] = await graph.memories.levels("X")
    with pytest.raises(InvalidInput, match=r"memories\.observe"):
        await graph.memories.update(level.id, text="x")


async def test_an_update_in_a_realm_that_is_not_there_creates_none(open_graph: OpenGraph) -> None:
    graph: Graph = await open_graph()
    with pytest.raises(NotFound):
        await graph.memories.update("a", text="x")
    assert await run_cypher(graph, "MATCH (n {realm: $realm}) RETURN n") == []


@pytest.mark.slow
async def test_forgetting_a_successor_makes_the_old_memory_valid_again(
    graph: Graph, clock: FixedClock
) -> None:
    old = await graph.memories.remember(KEY)
    new = await graph.memories.correct(old.id, "Mo keeps the lighthouse key.")
    receipt = await graph.memories.forget(new.id)
    assert (receipt.restored, receipt.relationships) == ((old.id,), {"SUPERSEDES": 1})
    restored = await graph.memories.get(old.id)
    assert (restored.superseded_by, restored.valid_to) == (None, None)
    assert await faults(graph) == []


@pytest.mark.slow
async def test_forgetting_the_middle_of_a_chain_joins_its_neighbours(
    graph: Graph, clock: FixedClock
) -> None:
    ids = [(await graph.memories.remember("Rye costs 4.")).id]
    for price in (5, 6):
        clock.advance(days=1)
        ids.append((await graph.memories.correct(ids[-1], f"Rye costs {price}.")).id)
    end = (await graph.memories.get(ids[0])).valid_to
    assert (await graph.memories.forget(ids[1])).restored == ()
    first = await graph.memories.get(ids[0])
    assert (first.superseded_by, first.valid_to) == (ids[2], end)
    assert (await graph.memories.get(ids[2])).supersedes == (ids[0],)
    assert (await graph.recall.find("What does rye cost?", k=1)).hits[0].id == ids[2]
    assert await faults(graph) == []


@pytest.mark.slow
async def test_the_history_has_the_whole_chain(graph: Graph, clock: FixedClock) -> None:
    ids = [(await graph.memories.remember("Rye costs 4.")).id]
    for price in (5, 6):
        clock.advance(days=1)
        text = f"Rye costs {price}."
        ids.append((await graph.memories.correct(ids[-1], text, reason=f"to {price}")).id)
    entries = [
        (entry.effect, entry.other, entry.reason) for entry in await graph.memories.history(ids[1])
    ]
    assert entries == [("superseded", ids[2], "to 6"), ("supersedes", ids[0], "to 5")]
    first = await graph.memories.history(ids[0])
    assert [entry.effect for entry in first] == [f"{ids[1]} superseded", "superseded"]


@pytest.mark.slow
async def test_thirty_writers_of_the_same_memories_leave_one_of_the_serial_results(
    graph: Graph,
) -> None:
    ids = [f"m{number}" for number in range(3)]
    await graph.memories.remember_many([{"id": id, "text": f"{KEY} {id}"} for id in ids])
    await graph.recall.find("key")

    async def work(number: int) -> None:
        id = ids[number % 3]
        if number % 5 == 4 and id == "m2":
            await graph.memories.forget(id)
        elif number % 2:
            await graph.memories.update(id, text=f"Text {number} of Lyra.")
        else:
            await graph.memories.correct(id, f"Correction {number} of Lyra.")

    results = await asyncio.gather(*(work(n) for n in range(30)), return_exceptions=True)
    assert [error for error in results if error and not isinstance(error, NotFound)] == []
    assert await faults(graph) == []
    for id in ids[:2]:
        memory = await graph.memories.get(id)
        assert memory.text is not None
        assert memory.text.startswith("Text ")
        assert memory.superseded_by is not None
        assert len(await graph.memories.history(id)) >= 10
    await graph.consolidation.consolidate()
    assert await faults(graph) == []


@pytest.mark.slow
async def test_a_context_gives_what_is_true_with_its_history_on_the_same_line(
    graph: Graph, clock: FixedClock
) -> None:
    first = await graph.memories.remember("Rye costs 4 crowns.")
    clock.advance(days=1)
    second = await graph.memories.correct(first.id, "Rye costs 5 crowns.")
    await graph.memories.remember("Rye was free.", valid_to="2026-01-31")
    text = await graph.recall.prompt("What does rye cost?")
    [free, cost] = sorted(text.lines, key=lambda line: "crowns" in line)
    assert cost == "[3 March 2026] Rye costs 5 crowns. (until 3 March 2026: Rye costs 4 crowns.)"
    assert free == "[3 March 2026] (until 31 January 2026) Rye was free."
    assert {first.id, second.id} < set(text.ids)
    short = await graph.recall.prompt("What does rye cost?", tokens=11)
    assert short.lines == ("[3 March 2026] Rye costs 5 crowns.",)
    assert short.dropped == 2


@pytest.mark.slow
async def test_the_commands_of_changes(graph: Graph, environment: dict[str, str]) -> None:
    commands = CommandLine(environment, ("--realm", graph.realm))
    words = ("memory", "add", "Rye costs 4.", "--id", "rye", "--from", "2026-01-01")
    added = await asyncio.to_thread(commands.document, *words)
    assert added["valid_from"].startswith("2026-01-01")

    async def document(*words: str) -> Any:
        return await asyncio.to_thread(commands.document, "memory", *words)

    updated = await document("update", "rye", "--text", "Rye costs 3.", "--tag", "food")
    assert (updated["text"], updated["tags"]) == ("Rye costs 3.", ["food"])
    same = await asyncio.to_thread(commands.output, "memory", "update", "rye", "--tag", "food")
    assert "nothing changed" in same
    new = await document(
        "correct", "rye", "Rye costs 5.", "--from", "2026-02-01", "--reason", "rain"
    )
    assert (new["supersedes"], new["tags"]) == (["rye"], ["food"])
    entries = await document("history", "rye")
    assert {entry["kind"] for entry in entries} == {"update", "correction"}
    assert (await document("unsupersede", "rye"))["superseded_by"] is None
    joined = await document("supersede", "rye", new["id"], "--at", "2026-02-03")
    assert joined["supersedes"] == ["rye"]
    shown = await asyncio.to_thread(commands.output, "memory", "show", "rye")
    assert new["id"] in shown
    history = await asyncio.to_thread(commands.output, "memory", "history", "rye")
    assert "superseded" in history
