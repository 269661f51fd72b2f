"""Causal links in a real graph: recorded, read back, measured, traced, forgotten."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from asterism.causality import Transcript, link_events
from asterism.clock import FixedClock
from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.graph import Graph
from tests.support.sessions import CHEST, SESSIONS, dialogue, extract, literally, sessions, written

BARE: dict[str, Any] = {"embed": False}


async def record(graph: Graph, transcript: Transcript, **more: Any) -> Any:
    """Record by the letter of the source, without embeddings unless they are asked for."""
    more["params"] = literally(more.get("params"))
    return await graph.causality.record(
        transcript.session_id,
        transcript.lines,
        dm=transcript.dm,
        players=transcript.players,
        masks=transcript.masks,
        **{**BARE, **more},
    )


async def contents(graph: Graph) -> tuple[list[Any], list[Any]]:
    """Everything in the realm but its locks, node by node and relationship by relationship."""
    driver = graph.database.driver
    nodes = await driver.execute_query(
        "MATCH (n) WHERE n.realm = $realm AND NOT n:Realm AND NOT n:EmbeddingModel "
        "AND NOT (n:Cursor AND n.id = 'texts') "
        "RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS props ORDER BY id",
        realm=graph.realm,
    )
    joined = await driver.execute_query(
        "MATCH (n)-[r]->(m) WHERE n.realm = $realm RETURN elementId(r) AS id, type(r) AS type, "
        "n.id AS start, m.id AS end, properties(r) AS props ORDER BY id",
        realm=graph.realm,
    )
    return [dict(row) for row in nodes.records], [dict(row) for row in joined.records]


def without_ids(extraction: tuple[list[Any], list[Any]]) -> list[str]:
    """The same, apart from which node was made first, and when."""
    cleaned = []
    for row in (*extraction[0], *extraction[1]):
        props = {k: v for k, v in row["props"].items() if k not in ("created_at_ms", "recorded_at")}
        rest = {k: v for k, v in row.items() if k not in ("id", "props", "labels")}
        cleaned.append(repr((rest, sorted(row.get("labels", ())), sorted(props.items()))))
    return sorted(cleaned)


@pytest.mark.slow
@pytest.mark.parametrize("name", SESSIONS)
async def test_links_come_back_as_they_were_written(graph: Graph, name: str) -> None:
    transcript, _ = written(name)
    report = await record(graph, transcript)
    extraction = extract(transcript, at=graph.clock.now())
    assert report.changed
    assert await graph.causality.links(name) == report.links == extraction.links
    counts = (await graph.realms.stats()).nodes
    measures = report.metrics
    assert counts["Intent"] == measures.intents
    assert counts["Consequence"] == measures.consequences == report.consequences
    assert counts["Strong"] == sum(link.intent_strength == "strong" for link in extraction.links)
    assert counts.get("Unclaimed", 0) == measures.unclaimed
    assert counts["Utterance"] == len(transcript.lines)
    joined = (await graph.realms.stats()).relationships
    assert joined["CAUSES"] == measures.claimed
    assert joined["ATTEMPTED"] == measures.intents
    assert joined["PROMPTS"] == report.prompts > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", SESSIONS)
async def test_the_graph_measures_what_python_measured(graph: Graph, name: str) -> None:
    transcript, _ = written(name)
    report = await record(graph, transcript)
    assert await graph.causality.metrics(name) == report.metrics
    assert await graph.causality.metrics() == report.metrics


@pytest.mark.slow
async def test_measures_of_all_sessions_add_up(graph: Graph) -> None:
    one = (await record(graph, written("bell")[0])).metrics
    other = (await record(graph, written("lighthouse")[0])).metrics
    both = await graph.causality.metrics()
    assert both.intents == one.intents + other.intents
    assert both.contested == one.contested + other.contested
    assert both.coverage == pytest.approx((one.claimed + other.claimed) / both.intents)
    assert [s.id for s in await graph.causality.sessions()] == ["bell", "lighthouse"]


@pytest.mark.slow
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(sessions(), st.booleans())
async def test_any_session_survives_the_round_trip(
    graph: Graph, transcript: Transcript, weak: bool
) -> None:
    assume(any(line.author_name == "DM" for line in transcript.lines))
    report = await record(graph, transcript, unclaimed_weak=weak, replace=True)
    remaining = [
        link for link in report.links if weak or link.claimed or link.intent_strength != "weak"
    ]
    stored = await graph.causality.links("random")
    stamped = [link.model_copy(update={"created_at_ms": 0}) for link in stored]
    assert stamped == [link.model_copy(update={"created_at_ms": 0}) for link in remaining]
    assert await graph.causality.metrics("random") == report.metrics


@pytest.mark.slow
async def test_recording_twice_changes_nothing(graph: Graph, clock: FixedClock) -> None:
    await record(graph, CHEST)
    before = await contents(graph)
    clock.advance(hours=1)
    again = await record(graph, CHEST)
    assert not again.changed
    assert await contents(graph) == before


@pytest.mark.slow
async def test_other_parameters_leave_nothing_of_the_old_run(graph: Graph) -> None:
    transcript, _ = written("lighthouse")
    await record(graph, transcript)
    before = await contents(graph)
    narrow = await record(graph, transcript, params={"max_line_gap": 1, "k_local": 1})
    assert narrow.changed
    assert await graph.causality.metrics("lighthouse") == narrow.metrics
    nodes, joined = await contents(graph)
    runs = {row["props"]["run_id"] for row in (*nodes, *joined) if "run_id" in row["props"]}
    assert runs == {narrow.run_id}
    await record(graph, transcript)
    assert without_ids(await contents(graph)) == without_ids(before)


@pytest.mark.slow
async def test_another_roster_takes_its_actors_with_it(graph: Graph) -> None:
    await record(graph, CHEST)
    renamed = CHEST.model_copy(update={"players": dialogue(("Ann", "x")).players})
    await record(graph, renamed)
    nodes, _ = await contents(graph)
    assert [n["props"]["id"] for n in nodes if "Actor" in n["labels"]] == ["ann"]
    assert [link.actor for link in await graph.causality.links("test")] == ["ann"]


@asynccontextmanager
async def a_failure_in_the_middle(graph: Graph) -> AsyncIterator[Transcript]:
    """A session whose second consequence the database refuses, after its intents are written."""
    driver, name = graph.database.driver, f"middle_{graph.realm.replace('-', '_')}"
    await driver.execute_query(
        "CREATE (n:Consequence {realm: $realm, id: 'in the way'}) "
        "SET n.session_id = 'test', n.anchor_index = 2",
        realm=graph.realm,
    )
    await driver.execute_query(
        f"CREATE CONSTRAINT {name} FOR (n:Consequence) "
        "REQUIRE (n.realm, n.anchor_index, n.session_id) IS UNIQUE"
    )
    try:
        yield dialogue(("Ann", "I open the heavy door."), ("DM", "[nods]"), ("DM", "Rain."))
    finally:
        await driver.execute_query(f"DROP CONSTRAINT {name}")
        await driver.execute_query(
            "MATCH (n:Consequence {realm: $realm, id: 'in the way'}) DELETE n", realm=graph.realm
        )


@pytest.mark.slow
async def test_a_failure_in_the_middle_keeps_the_old_run_whole(graph: Graph) -> None:
    await record(graph, CHEST)
    before = await contents(graph)
    async with a_failure_in_the_middle(graph) as other:
        with pytest.raises(Conflict, match="already exists with label `Consequence`"):
            await record(graph, other, replace=True)
    assert await contents(graph) == before
    assert (await record(graph, other, replace=True)).changed


IN_PARTS = {"causality": {"transaction_rows": 1, "write_batch": 7}}


@pytest.mark.slow
async def test_a_session_too_large_for_one_transaction_is_written_in_parts(
    graph: Graph, open_graph: Any
) -> None:
    parts = await open_graph(realm=f"{graph.realm}-parts", settings=IN_PARTS)
    transcript, _ = written("lighthouse")
    for params in ({}, {"k_local": 1}, {}):
        await record(parts, transcript, params=params)
    report = await record(graph, transcript)
    assert await parts.causality.links("lighthouse") == report.links
    assert (await parts.realms.stats()).relationships == (await graph.realms.stats()).relationships
    assert (await parts.realms.stats()).nodes == (await graph.realms.stats()).nodes
    assert not (await record(parts, transcript)).changed


@pytest.mark.slow
async def test_writing_in_parts_that_was_interrupted_is_completed(open_graph: Any) -> None:
    graph = await open_graph(settings=IN_PARTS)
    await record(graph, CHEST)
    async with a_failure_in_the_middle(graph) as other:
        with pytest.raises(Conflict, match="already exists with label `Consequence`"):
            await record(graph, other, replace=True)
    assert await graph.causality.sessions() == []
    with pytest.raises(NotFound):
        await graph.causality.links("test")
    report = await record(graph, other)
    assert await graph.causality.links("test") == report.links
    assert (await graph.realms.stats()).nodes["Intent"] == 1


@pytest.mark.slow
async def test_ten_writers_of_one_session_leave_one_run(graph: Graph) -> None:
    transcript, _ = written("lighthouse")
    params = [{"k_local": 1 + at % 2} for at in range(10)]
    reports = await asyncio.gather(*(record(graph, transcript, params=p) for p in params))
    metrics = await graph.causality.metrics("lighthouse")
    assert metrics in [report.metrics for report in reports]
    nodes, joined = await contents(graph)
    runs = {row["props"]["run_id"] for row in (*nodes, *joined) if "run_id" in row["props"]}
    assert len(runs) == 1


@pytest.mark.slow
async def test_sessions_of_the_same_players_are_recorded_side_by_side(graph: Graph) -> None:
    transcript, _ = written("lighthouse")
    sides = [transcript.model_copy(update={"session_id": f"side {at}"}) for at in range(6)]
    reports = await asyncio.gather(*(record(graph, side) for side in sides))
    assert {report.intents for report in reports} == {reports[0].intents}
    assert (await graph.causality.metrics()).intents == 6 * reports[0].intents
    assert (await graph.realms.stats()).nodes["Actor"] == 3


async def test_bad_input_writes_nothing(graph: Graph) -> None:
    lines = [(0, "Ann", "I open the door."), (1, "Admiral", "It opens.")]
    bad: list[dict[str, Any]] = [
        {"dm": None},
        {"dm": "Petra"},
        {"dm": "Admiral", "lines": lines[::-1]},
        {"dm": "Admiral", "masks": [(0, 5, "noise")]},
        {"dm": "Admiral", "params": {"k_local": -1}},
        {"dm": "Admiral", "intents": [(7, "declare")]},
        {"dm": "Admiral", "events": [("e", 5, 1)]},
        {"dm": "Admiral", "embed": "yes"},
    ]
    for case in bad:
        with pytest.raises(InvalidInput):
            await graph.causality.record(
                "bad", **{"lines": lines, "players": ["Ann"], **BARE, **case}
            )
    with pytest.raises(InvalidInput, match="record takes no embeded"):
        await graph.causality.record("bad", lines, dm="Admiral", embeded=False)
    assert await contents(graph) == ([], [])


@pytest.mark.slow
async def test_a_session_may_hold_no_intent(graph: Graph) -> None:
    report = await graph.causality.record("empty", [(0, "DM", "Hm.")], dm="DM", **BARE)
    assert report.metrics.coverage is None
    measures = await graph.causality.metrics("empty")
    assert measures == report.metrics
    assert measures.most_bidders is None
    assert await graph.causality.links("empty") == []


@pytest.mark.slow
async def test_a_session_without_a_recording_is_not_found(graph: Graph) -> None:
    causality = graph.causality
    for call in (
        causality.metrics,
        causality.trace,
        causality.events,
        causality.links,
        causality.forget,
    ):
        with pytest.raises(NotFound, match="no recorded session 'nowhere'"):
            await call("nowhere")
    with pytest.raises(NotFound, match="no intent or consequence 'nothing'"):
        await causality.chain("nothing")


@pytest.mark.slow
async def test_links_are_filtered_in_the_database(graph: Graph) -> None:
    transcript, _ = written("bell")
    links = (await record(graph, transcript)).links
    causality = graph.causality
    assert await causality.links("bell", actor="mara") == [
        link for link in links if link.actor == "mara"
    ]
    assert await causality.links("bell", strength="weak") == [
        link for link in links if link.intent_strength == "weak"
    ]
    close = await causality.links("bell", max_line_gap=3)
    assert close == [link for link in links if link.line_gap is not None and link.line_gap <= 3]
    with pytest.raises(InvalidInput, match="strength='mild'"):
        await causality.links("bell", strength="mild")


@pytest.mark.slow
async def test_chains_lead_on_through_prompts(graph: Graph) -> None:
    lines = [
        ("Ann", "I open the door."),
        ("DM", "Behind it is a stair."),
        ("Ann", "I climb the stair."),
        ("DM", "It ends at a hatch."),
        ("Bob", "I kick the hatch."),
        ("Ann", "Is it open?"),
        ("DM", "Yes."),
    ]
    links = (await record(graph, dialogue(*lines))).links
    [longest, *_] = await graph.causality.chain(links[0].id)
    assert [step.anchor_index for step in longest.steps] == [0, 1, 2, 3, 5, 6]
    assert [step.by for step in longest.steps[1:]] == ["causes", "prompts"] * 2 + ["causes"]
    assert longest.length == 5
    assert longest.steps[0].score is longest.steps[0].line_gap is None
    assert longest.steps[1].score == links[0].score
    [short] = await graph.causality.chain(links[0].id, depth=2)
    assert [step.anchor_index for step in short.steps] == [0, 1, 2]
    with pytest.raises(InvalidInput, match="depth=0"):
        await graph.causality.chain(links[0].id, depth=0)
    await record(graph, dialogue(*lines), prompts=False)
    assert [chain.length for chain in await graph.causality.chain(links[0].id)] == [1]


@pytest.mark.slow
async def test_an_unclaimed_intent_has_no_chain(graph: Graph) -> None:
    [link] = (await record(graph, dialogue(("Ann", "I open the door."), dm="DM"))).links
    assert await graph.causality.chain(link.id) == []


@pytest.mark.slow
async def test_a_trace_is_complete_from_the_stored_session(graph: Graph) -> None:
    transcript = Transcript.of(
        written("bell")[0].model_dump() | {"masks": [(215, 228, "ooc_hard")]}
    )
    report = await record(graph, transcript)
    text = await graph.causality.trace("bell")
    assert all(
        f"L{line.line_index} [excluded: ooc_hard]" in text for line in report.extraction.excluded
    )
    for candidate in report.extraction.candidates:
        parts = f"{candidate.distance_score:.9f} * (1 + 0.5 * {candidate.lexical_score:.9f})"
        assert f"{parts} + {candidate.answer_boost:g} = {candidate.final_score:.9f}" in text
    end = text[text.index("Unclaimed strong intents") :]
    for intent in report.metrics.unclaimed_strong:
        assert f"L{intent.anchor_index} {intent.actor} {intent.type} ({intent.reason})" in end
    document = await graph.causality.trace_document("bell")
    assert len(document["contested"]) == report.metrics.contested
    bidders = [len(line["bidders"]) for line in document["contested"]]
    assert max(bidders) == report.metrics.most_bidders
    contested = text[text.index("Contested consequences") :]
    for line in document["contested"]:
        assert all(f"L{index} " in contested for index in line["bidders"])
    assert document["intents"] == [t.model_dump(mode="json") for t in report.extraction.traces]


@pytest.mark.slow
async def test_a_trace_needs_the_lines(graph: Graph) -> None:
    report = await record(graph, CHEST, utterances=False)
    assert report.utterances == 0
    with pytest.raises(Conflict, match="utterances=True"):
        await graph.causality.trace("test")
    assert (await record(graph, CHEST)).utterances == 5
    assert "strong_precedence" in await graph.causality.trace("test")


@pytest.mark.slow
async def test_a_trace_shows_intents_detected_elsewhere(graph: Graph) -> None:
    intents = [{"index": 1, "type": "question"}]
    report = await record(graph, CHEST, intents=intents)
    assert [link.intent_type for link in report.links] == ["question"]
    document = await graph.causality.trace_document("test")
    assert [trace["kind"] for trace in document["intents"]] == ["question"]


@pytest.mark.slow
async def test_events_own_lines_and_find_links(graph: Graph) -> None:
    transcript, _ = written("bell")
    links = (await record(graph, transcript)).links
    events = [("street", 0, 105), ("fight", 285, 336), ("tower", 106, 340), ("late", 300, 301)]
    mapped = link_events(links, events)
    ranges = {name: (start, end) for name, start, end in events}
    for link in mapped:
        for event, index in (
            (link.intent_event_id, link.intent_anchor_index),
            (link.consequence_event_id, link.consequence_anchor_index),
        ):
            if event is not None and index is not None:
                assert ranges[event][0] <= index <= ranges[event][1]
    assert {link.intent_event_id for link in mapped} == {"street", "tower", "fight", None}
    assert any(link.intent_event_id != link.consequence_event_id for link in mapped)
    await graph.causality.assign_events("bell", events)
    for name in ("street", "tower", "fight"):
        owned = [
            link for link in mapped if name in (link.intent_event_id, link.consequence_event_id)
        ]
        assert await graph.causality.links("bell", event=name) == owned != []
    await record(graph, transcript, params={"max_line_gap": 2})
    assert await graph.causality.links("bell", event="fight") != []
    assert [event.event_id for event in await graph.causality.events("bell")]
    await record(graph, transcript, events=[])
    assert await graph.causality.links("bell", event="fight") == []


@pytest.mark.slow
async def test_intents_and_consequences_are_walkable(graph: Graph) -> None:
    report = await record(graph, CHEST, embed=True)
    assert report.unembedded == 3 + 2
    assert await graph.causality.embed() == 3 + 3 + 2
    assert await graph.causality.embed() == 0
    nodes, _ = await contents(graph)
    for node in nodes:
        labels = set(node["labels"])
        if labels & {"Intent", "Consequence", "Actor"}:
            props = node["props"]
            assert len(props["embedding"]) == graph.embedding.embedder.dimensions
            assert props["embedding_model"] == graph.embedding.embedder.name
            assert props["kind"] == ("actor" if "Actor" in labels else "moment")
            assert (props["weight"], props["energy"]) == (1.0, 0.0)
        assert 0 < len(node["props"]["caption"]) < 60
    again = await record(graph, CHEST, embed=True, params={"k_local": 1})
    assert again.unembedded == 0
    changed = dialogue(("Ann", "I search the new chest."), ("DM", "The old chest is locked."))
    assert (await record(graph, changed, embed=True, replace=True)).unembedded == 2
    assert (await record(graph, changed, embed=True)).unembedded == 2
    assert await graph.causality.embed() == 2
    assert (await record(graph, changed, embed=True)).unembedded == 0


@pytest.mark.slow
async def test_sessions_and_actors_of_other_parts_stay(graph: Graph) -> None:
    driver = graph.database.driver
    await driver.execute_query(
        "CREATE (:Session {realm: $realm, id: 'test', caption: 'kept'})"
        "<-[:IN_SESSION]-(:Memory {realm: $realm, id: 'm'}) "
        "CREATE (:Actor {realm: $realm, id: 'ann', name: 'Ann of Old', weight: 7.0})",
        realm=graph.realm,
    )
    await record(graph, CHEST)
    deleted = await graph.causality.forget("test")
    assert (deleted.intents, deleted.consequences, deleted.utterances, deleted.actors) == (
        3,
        2,
        5,
        2,
    )
    nodes, joined = await contents(graph)
    remaining = {node["props"]["id"]: node["props"] for node in nodes}
    assert remaining["ann"] == {
        "realm": graph.realm,
        "id": "ann",
        "name": "Ann of Old",
        "weight": 7.0,
    }
    assert remaining["test"] == {"realm": graph.realm, "id": "test", "caption": "kept"}
    assert [row["type"] for row in joined] == ["IN_SESSION"]


@pytest.mark.slow
async def test_forgetting_leaves_no_trace(graph: Graph) -> None:
    await record(graph, CHEST)
    await record(graph, written("lighthouse")[0])
    await graph.causality.forget("lighthouse")
    assert [session.id for session in await graph.causality.sessions()] == ["test"]
    await graph.causality.forget("test")
    assert await contents(graph) == ([], [])


@pytest.mark.slow
async def test_realms_never_mix(graph: Graph, open_graph: Any) -> None:
    other = await open_graph()
    mine = await record(graph, CHEST)
    theirs = await record(other, dialogue(("Ann", "I open the gate."), ("DM", "It opens.")))
    assert await graph.causality.links("test") == mine.links
    assert await other.causality.links("test") == theirs.links
    assert (await other.causality.metrics()).intents == 1
    assert [s.lines for s in await other.causality.sessions()] == [2]
    with pytest.raises(NotFound):
        await other.causality.chain(mine.links[1].id)
    assert (await graph.causality.chain(mine.links[0].id))[0].length == 1
    assert "gate" in await other.causality.trace("test")
    assert await other.causality.assign_events("test", [("e", 0, 1)]) == 2
    assert await graph.causality.events("test") == []
    assert await graph.causality.links("test", event="e") == []
    before = await contents(graph)
    await other.causality.forget("test")
    assert await contents(graph) == before


INSPECTED: dict[str, dict[str, Any]] = {
    "inspect/actor_consequences": {"session_id": "bell", "actor_id": "mara"},
    "inspect/contested_consequences": {"session_id": "bell"},
    "inspect/scene": {"session_id": "bell", "from": 100, "to": 140},
    "inspect/unclaimed_strong_intents": {"session_id": "bell"},
}


@pytest.mark.slow
async def test_saved_statements_show_the_session(graph: Graph) -> None:
    report = await record(graph, written("bell")[0])
    extraction = {
        name: await graph.database.rows(name, **arguments) for name, arguments in INSPECTED.items()
    }
    acts = [link for link in report.links if link.actor == "mara" and link.claimed]
    strong = [link for link in acts if link.intent_strength == "strong"]
    acts_of_mara = extraction["inspect/actor_consequences"]
    assert [row["line"] for row in acts_of_mara] == [link.intent_anchor_index for link in strong]
    contested = extraction["inspect/contested_consequences"]
    assert contested[0]["bid_count"] == report.metrics.most_bidders
    assert len(contested) == min(report.metrics.contested, 10)
    assert extraction["inspect/scene"]
    lost = [row["line"] for row in extraction["inspect/unclaimed_strong_intents"]]
    assert lost == [intent.anchor_index for intent in report.metrics.unclaimed_strong]
    chains = await graph.database.rows("inspect/causal_chains", intent_id=strong[0].id)
    assert chains
