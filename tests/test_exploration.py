"""Explorations as a person uses them: adding, asking, reading the answer, and refusals."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.embedding import OnnxEmbedder
from asterism.errors import AsterismError, Conflict, InvalidInput, NotFound
from asterism.exploration import Event, EventType, Exploration, Kind, Outcome
from asterism.exploration import formulas as f
from asterism.graph import Graph
from asterism.settings import ExplorationSettings
from tests.conftest import OpenGraph
from tests.support.comparison import approximately
from tests.support.exploration_oracle import Link
from tests.support.exploration_world import I3, Q3, Toy, ask, contents, load, node, rows, s1, s2

NARROW = {"min_link_score": 0.02}


@pytest.fixture
async def three(open_graph: OpenGraph) -> Graph:
    opened: Graph = await open_graph(embedder=Toy(3))
    return opened


@pytest.mark.slow
async def test_a_node_and_a_link_are_as_they_were_given(three: Graph) -> None:
    ada = await three.exploration.add("actor", "Ada", id="ada", embedding=[0, 0, 1])
    key = await three.exploration.add(
        Kind.THING, "key", content="a brass key", permanence=0.2, weight=2.0, energy=0.5
    )
    link = await three.exploration.link(
        "ada", key.id, synthesis="holds", polarity=(0.9, 0.4), hierarchy=-0.3, trust_disgust=0.7
    )
    assert (ada.kind, ada.permanence, key.weight) == ("actor", 0.5, 2.0)
    nodes, links = await contents(three)
    assert nodes["ada"]["embedding"] == [0, 0, 1]
    assert nodes[key.id]["embedding"] == approximately(Toy(3).embed_query("a brass key"))
    assert nodes[key.id]["embedding_model"] == "toy-3"
    assert (nodes[key.id]["kind"], nodes[key.id]["caption"]) == ("thing", "key")
    stored = links[link.id]
    assert (stored["a"], stored["b"], stored["polarity"]) == ("ada", key.id, [0.9, 0.4])
    assert (stored["weight"], stored["energy"], stored["trust_disgust"]) == (1.0, 0.0, 0.7)
    assert stored["embedding"] == approximately(Toy(3).embed_query("holds"))
    await three.exploration.link("ada", key.id, id="second")
    _, links = await contents(three)
    assert "embedding" not in links["second"]


REFUSED: dict[str, tuple[Callable[[Graph], Any], type[AsterismError], str]] = {
    "kind": (lambda g: g.exploration.add("memory", "x"), InvalidInput, "kind="),
    "name": (lambda g: g.exploration.add("thing", ""), InvalidInput, "name="),
    "weight": (lambda g: g.exploration.add("thing", "x", weight=-1), InvalidInput, "weight="),
    "dimension": (
        lambda g: g.exploration.add("thing", "x", embedding=[1.0, 2.0]),
        InvalidInput,
        "has 3 numbers, not 2",
    ),
    "nothing": (
        lambda g: g.exploration.add("thing", "x", embedding=[0.0, 0.0, 0.0]),
        InvalidInput,
        "not all zero",
    ),
    "word": (lambda g: g.exploration.add("thing", "x", wieght=1), InvalidInput, "wieght"),
    "taken": (lambda g: g.exploration.add("thing", "x", id="T"), Conflict, "id='T'.*already"),
    "end": (lambda g: g.exploration.link("A", "nowhere"), NotFound, "no node 'nowhere'"),
    "polarity": (
        lambda g: g.exploration.link("A", "T", polarity=(2, 0)),
        InvalidInput,
        "polarity",
    ),
    "link taken": (lambda g: g.exploration.link("A", "T", id="k1"), Conflict, "link of this id"),
    "load": (
        lambda g: g.exploration.load(nodes=[{"kind": "thing", "name": "n"}, {"kind": "x"}]),
        InvalidInput,
        r"nodes\[1\]\.",
    ),
    "load end": (
        lambda g: g.exploration.load([{"kind": "thing", "name": "n"}], [{"a": "A", "b": "no"}]),
        NotFound,
        "no node 'no'",
    ),
    "load twice": (
        lambda g: g.exploration.load([{"kind": "thing", "name": "n", "id": "n"}] * 2),
        InvalidInput,
        r"nodes\[1\]\.id='n': it is given twice",
    ),
    "actor": (lambda g: ask(g, actor="nobody"), NotFound, "no actor 'nobody'"),
    "not an actor": (lambda g: ask(g, actor="T"), NotFound, "no actor 'T'"),
    "actor beside start": (lambda g: ask(g, actor="nobody", start="T"), NotFound, "no actor"),
    "start": (lambda g: ask(g, start="elsewhere"), NotFound, "no start 'elsewhere'"),
    "query": (lambda g: ask(g, query="  "), InvalidInput, "query='  '"),
    "intention": (lambda g: ask(g, intention=""), InvalidInput, "intention=''"),
    "vector": (lambda g: ask(g, query_embedding=[1.0]), InvalidInput, "query_embedding="),
    "timeout": (lambda g: ask(g, timeout=0), InvalidInput, "timeout=0"),
    "setting": (lambda g: ask(g, settings={"max_dept": 2}), InvalidInput, "settings.max_dept"),
    "value": (lambda g: ask(g, settings={"max_depth": 0}), InvalidInput, "settings.max_depth"),
    "limit": (lambda g: g.exploration.runs(0), InvalidInput, "limit=0"),
}


@pytest.mark.slow
async def test_bad_arguments_are_refused_before_anything_is_written(three: Graph) -> None:
    """I-10."""
    await load(three, s2())
    before = await three.realms.stats()
    for name, (act, kind, message) in REFUSED.items():
        with pytest.raises(kind, match=message):
            await act(three)
        assert await three.realms.stats() == before, name


@pytest.mark.slow
async def test_loading_again_adds_what_is_missing(three: Graph) -> None:
    steps: list[tuple[str, int, int]] = []
    nodes, links = s1()
    first = rows(nodes[:4], links[:1])
    await three.exploration.load(first["nodes"], first["links"])
    whole = rows(nodes, links)
    loaded = await three.exploration.load(
        whole["nodes"], whole["links"], on_progress=lambda *record: steps.append(record)
    )
    assert (loaded.nodes, loaded.links) == (2, 5)
    assert (loaded.existing_nodes, loaded.existing_links) == (4, 1)
    assert steps == [("nodes", 2, 2), ("links", 5, 5)]


async def test_loads_come_in_batches(open_graph: OpenGraph) -> None:
    graph = await open_graph(embedder=Toy(3), settings={"exploration": {"batch": 4}})
    steps: list[tuple[str, int, int]] = []
    whole = rows(*s1())
    await graph.exploration.load(
        whole["nodes"], whole["links"], on_progress=lambda *record: steps.append(record)
    )
    assert steps == [("nodes", 4, 6), ("nodes", 6, 6), ("links", 4, 6), ("links", 6, 6)]


@pytest.mark.slow
async def test_an_id_of_two_kinds_needs_a_label(three: Graph) -> None:
    await three.exploration.add("actor", "Ada", id="A")
    await three.exploration.add("thing", "Vega", id="vega")
    await three.stars.add("Vega", domain="purpose", id="vega")
    with pytest.raises(Conflict, match="Star and Thing at once"):
        await three.exploration.link("A", "vega")
    with pytest.raises(Conflict, match="start_label="):
        await ask(three, start="vega")
    await three.exploration.link("A", "vega", labels=(None, "Star"), polarity=(1, 1))
    exploration = await ask(three, start="vega", start_label="Star", dry_run=True)
    assert exploration.tree.path[0].node == "A"


@pytest.mark.slow
async def test_a_result_explains_each_step_and_choice(three: Graph) -> None:
    await load(three, s1())
    exploration = await ask(three, settings=NARROW)
    best = exploration.narratives[0]
    assert (best.id, best.status, best.query_alignment) == ("N1", "existing", approximately(0.8))
    assert best.found_by == ["0.0", "0.1"]
    long, direct = best.paths
    assert [step.link for step in long.steps] == ["k1", "k3", "k4", "k6"]
    assert [step.link for step in direct.steps] == ["k1", "k2"]
    assert [step.direction for step in long.steps] == ["forward"] * 3 + ["backward"]
    assert long.steps[0].decisive == "alignment"
    assert long.steps[0].start == exploration.start == "A"
    first = exploration.choices[0]
    assert [candidate.link for candidate in first.candidates] == ["k1", "k5"]
    assert first.candidates[0].why_not is None
    assert first.candidates[1].why_not == "alignment 0.090 below 0.3"
    bands = {measure.name: measure.band for measure in exploration.health}
    assert set(bands) == {
        "efficiency",
        "satisfaction_per_step",
        "divergence",
        "alignment",
        "backtracks",
        "anomalies",
    }
    assert bands["efficiency"] == "ok"
    assert json.loads(exploration.model_dump_json())["narratives"][0]["id"] == "N1"
    assert (
        Exploration.model_validate_json(exploration.model_dump_json(exclude={"why_empty"}))
        == exploration
    )
    assert exploration.why_empty == []


@pytest.mark.slow
async def test_an_empty_answer_says_where_it_ended(three: Graph) -> None:
    nodes = [node("A", "actor", [0, 0, 1]), node("T", "thing", [0, 0, 1])]
    await load(three, (nodes, [Link("k", "A", "T", [0.1, 0.5, 0.8])]))
    exploration = await ask(three)
    assert (exploration.narratives, exploration.created, exploration.hops) == ([], [], 0)
    assert exploration.why_empty == [
        "0 ended at A after 0 hops: dead_end, the best link scored 0.0448, below min_link_score "
        "0.1 (alignment 0.179 below 0.3)"
    ]
    assert exploration.outcome is Outcome.EXHAUSTED
    await three.exploration.add("actor", "Bo", id="B")
    alone = await ask(three, actor="B")
    assert alone.why_empty == ["0 ended at Bo after 0 hops: no_links"]


@pytest.mark.slow
async def test_the_page_shows_answers_paths_and_gaps(three: Graph) -> None:
    await load(three, s1())
    exploration = await ask(three, settings=NARROW, dry_run=True)
    page = exploration.text()
    assert page.startswith("Query: who?\nIntention: who?\n\nAnswer:\n- N1 (existing, 1.00)")
    assert "  → M (moment, 0.616)\n    → T (thing, 0.443)\n      → N2 (narrative, 0.047)" in page
    assert "- A → M: permanence 0.10" in page
    assert page.endswith("5 of 5 nodes shown.")
    few = exploration.text(most=3)
    assert "3 of 5 nodes shown." in few
    assert "→ N1" in few


async def test_tensions_are_where_trust_and_disgust_meet(three: Graph) -> None:
    nodes = [
        node("M", "moment", [0, 0, 1]),
        node("A", "actor", [0, 0, 1]),
        node("T", "narrative", [0.8, 0.6, 0]),
        node("B", "space", [0.8, 0.6, 0]),
    ]
    links = [
        Link("a", "M", "T", [0.9, 0.3, 0.4], (1, 0.5), 0.0),
        Link("b", "M", "B", [0.9, 0.3, -0.4], (1, 0.5), 0.0),
        Link("c", "B", "T", [0.9, 0.6, 0.0], (1, 0.5), 0.0),
    ]
    items = rows(nodes, links)
    for link, feeling in zip(items["links"], (0.9, 0.0, -0.9), strict=True):
        link["trust_disgust"] = feeling
    await three.exploration.load(items["nodes"], items["links"])
    exploration = await ask(three, start="M", settings={"min_link_score": 1e-4}, dry_run=True)
    assert "Tensions:\n- T" in exploration.text()
    assert exploration.tree.children[0].emotions["trust_disgust"] != 0


@pytest.mark.slow
async def test_a_stream_has_every_event_and_the_result(three: Graph) -> None:
    await load(three, s1())
    stream = three.exploration.stream(
        "A", "who?", mode="literal", query_embedding=Q3, intention_embedding=I3, settings=NARROW
    )
    events = [event async for event in stream]
    exploration = await stream.result()
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert events[0].type is EventType.STARTED
    assert [event.type for event in events[-2:]] == [EventType.COMMITTED, EventType.FINISHED]
    assert {event.run for event in events} == {exploration.run_id}
    links_taken = [event.data["link"] for event in events if event.type is EventType.MOVED]
    assert links_taken == ["k1", "k3", "k2", "k4", "k6"]
    assert stream.dropped == 0
    record = json.loads(events[3].model_dump_json())
    assert record["subentity"] == "0"


async def test_a_slow_reader_misses_details_only(open_graph: OpenGraph) -> None:
    graph = await open_graph(embedder=Toy(3), settings={"exploration": {"event_queue": 3}})
    await load(graph, s1())
    stream = graph.exploration.stream(
        "A", "who?", mode="literal", query_embedding=Q3, settings=NARROW
    )
    first = await anext(stream)
    await stream.result()
    assert first.type is EventType.STARTED
    assert stream.dropped > 0
    events: list[Event] = []
    async for event in graph.exploration.stream(
        "A", "who?", mode="literal", query_embedding=Q3, settings=NARROW, on_event=events.append
    ):
        assert event.type
    assert events[-1].type is EventType.FINISHED


async def test_an_async_listener_is_awaited(three: Graph) -> None:
    await load(three, s2())
    types: list[str] = []

    async def listen(event: Event) -> None:
        types.append(event.type.value)

    await ask(three, on_event=listen)
    assert types[0] == "started"
    assert types[-1] == "finished"


@pytest.mark.slow
async def test_an_error_reaches_whoever_reads_the_stream(three: Graph) -> None:
    with pytest.raises(NotFound, match="no actor 'nobody'"):
        async for _ in three.exploration.stream("nobody", "who?"):
            pass


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trace", "few"), [("summary", {"started", "ended", "committed", "finished"}), ("event", None)]
)
async def test_the_trace_level_selects_the_events(
    three: Graph, trace: str, few: set[str] | None
) -> None:
    await load(three, s2())
    events: list[Event] = []
    await ask(three, settings={"trace": trace}, on_event=events.append)
    types = {event.type.value for event in events}
    assert types == few if few else types > {"tick", "scored", "moved", "injected"}


async def test_settings_may_be_a_settings_object(three: Graph) -> None:
    await load(three, s1())
    exploration = await ask(three, settings=ExplorationSettings(min_link_score=0.02, max_depth=2))
    assert exploration.outcome is Outcome.EXHAUSTED or exploration.tree.depth <= 2


@pytest.mark.slow
async def test_runs_are_listed_newest_first(three: Graph, clock: FixedClock) -> None:
    await load(three, s2())
    first = await ask(three, intention="one")
    clock.advance(minutes=1)
    second = await ask(three, intention="two")
    runs = await three.exploration.runs()
    assert [run.id for run in runs] == [second.run_id, first.run_id]
    assert (runs[1].intention, runs[1].created, runs[1].hops) == ("one", 1, 2)
    assert runs[0].at == clock.now()
    assert len(await three.exploration.runs(limit=1)) == 1


@pytest.mark.slow
async def test_a_walk_crosses_all_parts(graph: Graph) -> None:
    """From a person over an intent, a consequence and a star to a memory: one walkable graph."""
    lines = [(0, "Lyra", "I unlock the lighthouse door."), (1, "DM", "The lighthouse door opens.")]
    await graph.causality.record("s", lines, dm="DM", players=["Lyra"])
    star = await graph.stars.add("lighthouse", domain="purpose", id="lighthouse")
    memory = await graph.memories.remember(
        "Lyra keeps the key of the lighthouse door behind the clock.", id="key"
    )
    [link] = await graph.causality.links("s")
    run = graph.database.driver.execute_query
    record = await run(
        "MATCH (c:Consequence) WHERE c.realm = $realm RETURN c.id AS id", realm=graph.realm
    )
    consequence = record.records[0]["id"]
    await graph.exploration.link(
        consequence, star.id, synthesis="the lighthouse door", polarity=(0.9, 0.5)
    )
    await graph.exploration.link(
        star.id, memory.id, synthesis="the key of the lighthouse", polarity=(0.9, 0.5)
    )
    [vector] = await graph.embedding.documents([memory.text or ""])
    await run(
        "MATCH (m:Memory {realm: $realm, id: 'key'}) SET m.embedding = $vector",
        realm=graph.realm,
        vector=vector,
    )
    exploration = await graph.exploration.explore(
        "lyra",
        "Who has the key of the lighthouse door?",
        mode="literal",
        settings={"min_link_score": 0.005},
    )
    steps = [(step.type, step.kind.value) for step in exploration.narratives[0].paths[0].steps]
    assert steps == [
        ("ATTEMPTED", "moment"),
        ("CAUSES", "moment"),
        ("LINK", "thing"),
        ("LINK", "narrative"),
    ]
    assert exploration.narratives[0].id == "key"
    assert exploration.narratives[0].content == memory.text
    assert link.actor == "lyra"
    types = await run(
        "MATCH (n)-[r]->() WHERE n.realm = $realm AND r.revision > 0 "
        "RETURN DISTINCT type(r) AS type",
        realm=graph.realm,
    )
    assert [row["type"] for row in types.records] == ["LINK"]  # other parts' are theirs to write
    again = await graph.exploration.undo(exploration.run_id)
    assert again.kept == []


@pytest.mark.slow
async def test_relationships_of_other_parts_are_walked_by_rule(three: Graph) -> None:
    run = three.database.driver.execute_query
    await run(
        "CREATE (a:Actor {realm: $realm, id: 'A', name: 'A', embedding: [0.0, 0.0, 1.0]}) "
        "CREATE (x:Star {realm: $realm, id: 'x', name: 'x', embedding: [1.0, 0.0, 0.0]}) "
        "CREATE (y:Star {realm: $realm, id: 'y', name: 'y', embedding: [1.0, 0.0, 0.0]}) "
        "CREATE (c:Consequence {realm: $realm, id: 'c', embedding: [1.0, 0.0, 0.0]}) "
        "CREATE (m:Memory:Text {realm: $realm, id: 'm', text: 'm'}) "
        "CREATE (a)-[:LINK {realm: $realm, id: 'weighed', weight: 3.0}]->(x) "
        "CREATE (a)-[:RESONANCE {realm: $realm, id: 'strong', strength: 0.7}]->(y) "
        "CREATE (a)-[:GROWTH_EDGE {realm: $realm, id: 'odd', strength: 7.0}]->(y) "
        "CREATE (c)-[:CAUSES {score: 2.0}]->(a) CREATE (a)-[:SIMILAR {edge_id: 'e'}]->(m) "
        "CREATE (a)-[:NEXT]->(y) CREATE (a)-[:MENTIONS]->(y)",
        realm=three.realm,
    )
    exploration = await ask(three, dry_run=True)
    by_link = {c.link: c.factors.model_dump() for c in exploration.choices[0].candidates}
    plain = {"novelty": 1, "divergence": 1, "alignment": approximately(0.95)}
    assert by_link == {
        "weighed": plain | {"polarity": 0.5, "permanence": 0.25},
        "strong": plain | {"polarity": 0.7, "permanence": 1},
        "odd": plain | {"polarity": 0.5, "permanence": 1},
        "c CAUSES A": plain | {"polarity": 0.3, "permanence": 1},
        "e": plain | {"alignment": 0.5, "polarity": 0.5, "permanence": 1},
    }


async def test_cosines_are_calibrated_by_the_model(graph: Graph, embedder: OnnxEmbedder) -> None:
    """With a calibrated model the database lifts its cosines as the formulas do."""
    await graph.exploration.add("actor", "Ada", id="ada")
    await graph.exploration.add("narrative", "The key hangs behind the clock.", id="key")
    await graph.exploration.link("ada", "key", id="k", synthesis="where the key is")
    zero = (await graph.embedding.calibration()).mean
    exploration = await graph.exploration.explore(
        "ada", "Where is the key?", mode="literal", dry_run=True
    )
    query = embedder.embed_query("Where is the key?")
    [link, narrative] = embedder.embed_documents(
        ["where the key is", "The key hangs behind the clock."]
    )
    assert zero > 0.3
    factors = exploration.choices[0].candidates[0].factors
    assert factors.alignment == approximately(f.calibrated_cosine(query, link, zero), 1e-5)
    assert exploration.found["key"] == approximately(
        f.calibrated_cosine(query, narrative, zero), 1e-5
    )


@pytest.mark.slow
async def test_explorations_of_one_realm_leave_other_realms_alone(open_graph: OpenGraph) -> None:
    """Every public method, beside a realm that has the same ids."""
    mine, other = await open_graph(embedder=Toy(3)), await open_graph(embedder=Toy(3))
    for graph in (mine, other):
        await load(graph, s2())
    before, stats = await contents(other), await other.realms.stats()
    exploration = await ask(mine)
    await mine.exploration.add("narrative", "new", embedding=[0.9, 0.4, 0.0])
    await mine.exploration.link("A", "P", id="new")
    await ask(mine, intention="again")
    async for _ in mine.exploration.stream("A", "who?", mode="literal", query_embedding=Q3):
        pass
    await mine.exploration.undo(exploration.run_id)
    assert await contents(other) == before
    assert await other.realms.stats() == stats
    assert await other.exploration.runs() == []
    with pytest.raises(NotFound):
        await other.exploration.undo(exploration.run_id)
    created = await ask(other)
    assert len(created.created) == 1  # the narratives of the other realm are not near
    elsewhere = await open_graph(embedder=Toy(3))
    with pytest.raises(NotFound, match="no actor"):
        await ask(elsewhere)
