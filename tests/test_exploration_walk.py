"""Walks through a real graph: the end-to-end vectors, a second reading, the invariants."""

import copy
import math
from collections import defaultdict
from itertools import pairwise
from typing import Any

import pytest

from asterism.exploration import Event, EventType, Exploration
from asterism.exploration import formulas as f
from asterism.exploration.result import Branch
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.comparison import approximately
from tests.support.exploration_oracle import Link
from tests.support.exploration_world import (
    I3,
    Q3,
    Toy,
    contents,
    load,
    node,
    oracle_walk,
    random_world,
    s1,
    s2,
)

Q4, I4 = [1.0, 0.2, 0.1, 0.0], [0.6, 0.8, 0.2, 0.1]
NARROW = {"min_link_score": 0.02}


async def ask(graph: Graph, q: list[float], i: list[float], **options: Any) -> Exploration:
    options = {"actor": "A", "mode": "literal"} | options
    return await graph.exploration.explore(
        query="who knows?", query_embedding=q, intention_embedding=i, **options
    )


@pytest.fixture
async def three(open_graph: OpenGraph) -> Graph:
    graph: Graph = await open_graph(embedder=Toy(3))
    return graph


@pytest.fixture
async def four(open_graph: OpenGraph) -> Graph:
    graph: Graph = await open_graph(embedder=Toy(4))
    return graph


def event_data(
    events: list[Event], type: EventType, subentity: str | None = None
) -> list[dict[str, Any]]:
    return [e.data for e in events if e.type is type and subentity in (None, e.subentity)]


async def test_the_first_vector_of_the_source_walks_as_printed(three: Graph) -> None:
    await load(three, s1())
    events: list[Event] = []
    exploration = await ask(
        three, Q3, I3, settings=NARROW | {"trace": "trace"}, on_event=events.append
    )
    moved: dict[str | None, list[Event]] = defaultdict(list)
    for event in events:
        if event.type is EventType.MOVED:
            moved[event.subentity].append(event)
    [first] = moved["0"]
    assert (first.tick, first.data["link"], first.data["score"]) == (1, "k1", approximately(0.6156))
    assert first.data["focus"] == approximately([0.931651, 0.162497, 0.324994])
    assert first.data["progress"] == approximately(0.842819)
    thing, second, third = moved["0.0"]
    assert (thing.tick, thing.data["node"], thing.data["score"]) == (
        2,
        "T",
        approximately(0.443232),
    )
    assert thing.data["focus"] == approximately([0.857468, 0.416124, 0.302636])
    assert (second.data["link"], second.data["score"]) == ("k4", approximately(0.047161))
    assert second.data["factors"]["divergence"] == approximately(0.6823, 1e-4)
    assert (third.tick, third.data["link"], third.data["forward"]) == (4, "k6", False)
    assert third.data["score"] == approximately(0.056525)
    [narrative] = moved["0.1"]
    assert (narrative.data["node"], narrative.data["score"]) == ("N1", approximately(0.290628))
    [dead] = event_data(events, EventType.ANOMALY, "0.1")
    assert (dead["anomaly"], dead["score"]) == ("LOW_SCORE_DEAD_END", approximately(0.009928))
    finds = [
        (d["node"], d["alignment"], d["weight"]) for d in event_data(events, EventType.RESONATED)
    ]
    assert finds == [
        ("N1", approximately(1.0), approximately(0.666667)),
        ("N2", approximately(0.96), approximately(0.765306)),
        ("N1", approximately(1.0), approximately(0.275786)),
    ]
    assert (exploration.reads, exploration.subentities, exploration.hops) == (4, 3, 5)
    assert exploration.satisfaction == approximately(0.827634)
    assert exploration.found == {"N1": approximately(1.0), "N2": approximately(0.96)}
    assert (exploration.outcome, exploration.created, exploration.committed) == (
        "satisfied",
        [],
        True,
    )


async def test_the_first_vector_of_the_source_changes_the_graph_as_printed(three: Graph) -> None:
    await load(three, s1())
    exploration = await ask(three, Q3, I3, settings=NARROW)
    nodes, links = await contents(three)
    energy = {id: nodes[id]["energy"] for id in ("A", "M", "T", "N1", "N2", "P")}
    assert energy == approximately(
        {"A": 0, "M": 0.25, "T": 0.333333, "N1": 0.537415, "N2": 0.375, "P": 0}
    )
    weight = {id: nodes[id]["weight"] - 1 for id in ("M", "T", "N1", "N2")}
    assert weight == approximately({"M": 0.125, "T": 0.166667, "N1": 1.211160, "N2": 0.952806})
    assert links["k1"]["embedding"] == approximately([0.60056, 0.01537, 0.43505], 1e-5)
    assert links["k3"]["embedding"] == approximately([0.69229, 0.00922, -0.51], 1e-5)
    assert links["k4"]["embedding"] == approximately([0.03072, 0.70304, -0.51], 1e-5)
    assert links["k6"]["embedding"] == approximately([0.4832, 0.6144, 0.54], 1e-5)
    weights = [links[id]["weight"] for id in ("k1", "k2", "k3", "k5", "k6")]
    assert weights == approximately([1.08276, 1, 1.04138, 1, 2.04138], 1e-5)
    assert exploration.changes.energy == approximately(sum(energy.values()))
    assert not exploration.changes.planned


async def test_the_second_vector_of_the_source_creates_a_narrative_as_printed(three: Graph) -> None:
    await load(three, s2())
    events: list[Event] = []
    exploration = await ask(three, Q3, I3, intention="find the truth", on_event=events.append)
    hops = event_data(events, EventType.MOVED)
    assert [hop["score"] for hop in hops] == approximately([0.5472, 0.290628])
    assert [hop["progress"] for hop in hops] == approximately([0.912441, 0.071770])
    assert hops[-1]["awareness"] == approximately((0.5, 0.3))
    [created] = exploration.created
    nodes, links = await contents(three)
    new = nodes[created.id]
    assert (new["name"], new["weight"], new["energy"]) == (
        "find the truth: A",
        approximately(1.0),
        approximately(1.0),
    )
    assert (new["embedding_model"], new["kind"]) == ("toy-3", "narrative")
    assert new["embedding"] == approximately([0.891876, 0.451184, 0.031478])
    assert (nodes["T"]["energy"], nodes["P"]["energy"]) == approximately((0.25, 0.333333))
    assert (nodes["T"]["weight"], nodes["P"]["weight"]) == approximately((1.05, 1.166667))
    joined = {(row["a"], row["b"]): row for row in links.values()}
    there, on = joined["A", created.id], joined[created.id, "P"]
    assert (there["hierarchy"], there["permanence"]) == approximately((0.1, 0.15))
    assert (on["hierarchy"], on["permanence"]) == approximately((-0.3, 0.666667))
    assert there["polarity"] == on["polarity"] == [0.8, 0.2]
    assert there["embedding"] == approximately(f.unit([0.891876, 0.451184, 1.031478]).tolist())
    assert links["k1"]["embedding"] == approximately([0.700549, 0.010395, 0.510725])
    assert links["k2"]["embedding"] == approximately([0.565620, 0.683314, 0.003022])
    assert (links["k1"]["weight"], links["k2"]["weight"]) == approximately((1.1, 0.6))
    assert exploration.found == {created.id: 1.0}
    assert (exploration.outcome, exploration.narratives[0].status) == ("exhausted", "created")
    assert new["content"] == "Intention: find the truth\nPath: A → T → P\nFound: P"


CONFIGS: list[dict[str, Any]] = [
    {"min_link_score": 0.02},
    {"min_link_score": 0.005, "novelty_threshold": 0.97},
    {"min_link_score": 0.02, "directed": True},
    {"min_link_score": 0.02, "strict_seed": True},
    {"min_link_score": 0.02, "color_scope": "own", "absorb": False},
    {"min_link_score": 0.01, "max_depth": 3, "max_children": 2},
    {"min_link_score": 0.02, "min_branch_links": 4, "satisfaction_threshold": 0.6},
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(14))
async def test_random_graphs_end_as_in_the_oracle(four: Graph, seed: int) -> None:
    world = random_world(seed, moments=0.25 if seed % 2 else 0.5)
    config = CONFIGS[seed % len(CONFIGS)]
    await load(four, world)
    oracle = oracle_walk(copy.deepcopy(world), Q4, I4, **config)
    events: list[Event] = []
    exploration = await ask(
        four, Q4, I4, actor="n0", settings=config | {"trace": "step"}, on_event=events.append
    )
    names = {f"new {created.by}": created.id for created in exploration.created}
    expected = {names.get(id, id): value for id, value in oracle.findings.items()}
    assert exploration.satisfaction == approximately(oracle.satisfaction)
    assert exploration.found == approximately(expected, 1e-5)
    assert set(names) == {draft["key"] for draft in oracle.created}
    assert [reused.id for reused in exploration.reused if reused.id not in names.values()] == [
        id for id in oracle.reused if not id.startswith("new ")
    ]
    assert exploration.reads == oracle.reads
    nodes, links = await contents(four)
    for node_after in oracle.nodes.values():
        assert (nodes[node_after.id]["energy"], nodes[node_after.id]["weight"]) == approximately(
            (node_after.energy, node_after.weight), 1e-5
        )
    for link in oracle.links.values():
        assert links[link.id]["weight"] == approximately(link.weight, 1e-5)
        assert links[link.id]["embedding"] == approximately(link.embedding, 1e-5)
    for draft in oracle.created:
        new = nodes[names[draft["key"]]]
        assert new["energy"] == new["weight"] == approximately(draft["energy"])
        assert new["embedding"] == approximately(draft["embedding"], 1e-5)
        [there] = [r for r in links.values() if r["b"] == new["id"] and r["a"] == draft["spawn"]]
        assert (there["hierarchy"], there["permanence"]) == approximately(
            (draft["hierarchy"], draft["permanence"])
        )
        assert there["joy_sadness"] == approximately(draft["joy"])
    assert_invariants(exploration, events, config)


def assert_invariants(
    exploration: Exploration, events: list[Event], config: dict[str, Any]
) -> None:
    """Assert the invariants of every walk, by its events and its result alone."""
    tree = {branch.id: branch for branch in exploration.tree.with_descendants()}
    parents = {child.id: branch.id for branch in tree.values() for child in branch.children}
    assert {branch.id: branch.parent for branch in tree.values() if branch.parent} == parents  # I-2
    injected = sum(d["energy"] for d in event_data(events, EventType.INJECTED))
    injected += sum(d["energy"] for d in event_data(events, EventType.ABSORBED))
    assert exploration.changes.energy == approximately(injected)  # I-5
    assert all(0 <= value <= 1 for value in exploration.found.values())  # I-16
    assert {created.id for created in exploration.created} <= set(exploration.found)  # I-15
    assert len(event_data(events, EventType.MOVED)) == exploration.hops  # I-12
    reused = {reused.by for reused in exploration.reused}
    for branch in tree.values():
        assert_branch(branch, events, config)
        if branch.parent:  # I-7, I-18
            assert max(branch.found.values()) >= 0.9 or branch.crystallized or branch.id in reused
            above = tree[branch.parent].found
            assert all(above[id] >= value for id, value in branch.found.items())
    for data in event_data(events, EventType.SCORED):
        assert_choice(data, config["min_link_score"])


def assert_branch(branch: Branch, events: list[Event], config: dict[str, Any]) -> None:
    """Assert the invariants of one SubEntity: its path, its satisfaction, its awareness."""
    assert len(branch.path) == branch.depth <= config.get("max_depth", 10)  # I-3, I-19
    links = [step.link for step in branch.path]
    assert len(links) == len(set(links))  # I-23
    own = [event for event in events if event.subentity == branch.id]
    satisfaction = [e.data["satisfaction"] for e in own if "satisfaction" in e.data]
    assert satisfaction == sorted(satisfaction)  # I-4
    assert satisfaction[-1] <= 1
    moves = [event for event in own if event.type is EventType.MOVED]
    assert len({event.tick for event in moves}) == len(moves) == branch.hops  # at most one a tick
    sums = (0.0, 0.0)
    for event in moves:  # I-11
        sums = f.awareness(sums, event.data["hierarchy"])
        assert event.data["awareness"] == approximately(sums)


def assert_choice(data: dict[str, Any], least: float) -> None:
    """Assert the invariants of one choice."""
    scores = [(-candidate["score"], candidate["link"]) for candidate in data["candidates"]]
    assert scores == sorted(scores)  # I-24
    for candidate in data["candidates"]:
        factors = candidate["factors"].values()
        assert all(0 <= factor <= 1 for factor in factors)  # I-9
        assert candidate["score"] == approximately(math.prod(factors), 1e-12)  # I-17
        assert candidate["chosen"] == (candidate["why_not"] is None)
    dead = data["verdict"] == "dead_end"
    assert dead == (not scores or -scores[0][0] < least)  # I-22


async def test_the_same_question_gives_the_same_events(four: Graph) -> None:
    """I-27: whatever the times of reads, and whoever listens."""
    await load(four, random_world(3, moments=0.5))
    streams: list[list[Event]] = []
    for _ in range(2):
        events: list[Event] = []
        await ask(four, Q4, I4, actor="n0", settings=NARROW, dry_run=True, on_event=events.append)
        streams.append(events)
    assert streams[0] == streams[1]
    assert len(streams[0]) > 20


@pytest.mark.slow
async def test_only_the_intention_can_change_the_path(three: Graph) -> None:
    """I-26."""
    nodes = [
        node("A", "actor", [0, 0, 1]),
        node("B", "space", [0, 1, 0]),
        node("C", "space", [0, 0, 1]),
    ]
    links = [
        Link("b", "A", "B", [0.6, 0.8, 0], (0.9, 0.5), 0.1),
        Link("c", "A", "C", [0.6, 0, 0.8], (0.9, 0.5), 0.1),
    ]
    await load(three, (nodes, links))
    ends = [
        (await ask(three, [1, 0, 0], intention, dry_run=True)).tree.path[0].node
        for intention in ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0])
    ]
    assert ends == ["B", "C"]


async def test_a_narrative_at_the_last_depth_is_resonated_and_content_is_not_absorbed(
    three: Graph,
) -> None:
    nodes = [
        node("A", "actor", [0, 0, 1]),
        node("T", "thing", [0.8, 0.6, 0], content="the very words"),
        node("N", "narrative", [0.8, 0.6, 0]),
    ]
    links = [
        Link("t", "A", "T", [0.8, 0, -0.6], (0.9, 0.5), 0.1),
        Link("n", "T", "N", [0.8, 0.1, 0.6], (0.9, 0.5), 0.1),
    ]
    await load(three, (nodes, links))
    events: list[Event] = []
    one = await ask(three, Q3, I3, settings={"max_depth": 1}, dry_run=True, on_event=events.append)
    assert not event_data(events, EventType.ABSORBED)
    assert one.outcome == "max_depth"
    assert one.reads == 1
    two = await ask(three, Q3, I3, settings={"max_depth": 2, "absorb": False}, dry_run=True)
    assert two.found == {"N": approximately(1.0)}
    assert two.outcome == "max_depth"


async def test_five_hops_without_progress_end_in_fatigue(three: Graph) -> None:
    """E-17, G12: after five hops of next to no progress it reflects, before any read."""
    nodes = [node("A", "actor", [0.8, 0.6, 0])]
    nodes += [node(f"s{at}", "space", [0.8, 0.6, 0]) for at in range(9)]
    ids = [node_after.id for node_after in nodes]
    links = [
        Link(f"k{at}", a, b, [0.8, 0.6, 0], (0.9, 0.5), 0.1)
        for at, (a, b) in enumerate(pairwise(ids))
    ]
    await load(three, (nodes, links))
    exploration = await ask(three, Q3, I3, settings={"min_link_score": 0.0})
    assert (exploration.outcome, exploration.hops, exploration.reads) == ("fatigued", 6, 6)
    assert len(exploration.created) == 1


async def test_content_that_fits_and_is_new_becomes_a_narrative(three: Graph) -> None:
    nodes = [node("A", "actor", [0, 0, 1]), node("T", "thing", [0.8, 0.6, 0], content="words")]
    links = [Link("t", "A", "T", [0.3, -0.3, 0.9], (1, 0.5), 0.0)]
    await load(three, (nodes, links))
    events: list[Event] = []
    exploration = await ask(three, Q3, I3, on_event=events.append)
    [absorbed] = event_data(events, EventType.ABSORBED)
    assert absorbed["alignment"] == approximately(1.0)
    assert absorbed["novelty"] > 0.7
    assert exploration.tree.reason == "absorbed"
    assert len(exploration.created) == 1
    nodes_now, _ = await contents(three)
    assert nodes_now["T"]["energy"] == approximately(0.25 + 0.5)


async def test_a_walk_that_starts_at_a_narrative_resonates_first(three: Graph) -> None:
    await load(three, s1())
    events: list[Event] = []
    exploration = await ask(
        three, Q3, I3, start="N1", settings=NARROW, dry_run=True, on_event=events.append
    )
    assert event_data(events, EventType.RESONATED)[0]["node"] == "N1"
    assert exploration.start == "N1"
    assert exploration.found["N1"] == 1.0


async def test_a_moment_with_one_good_link_does_not_branch(three: Graph) -> None:
    nodes = [
        node("M", "moment", [0, 0, 1]),
        node("B", "space", [0, 1, 0]),
        node("C", "space", [0, 0, 1]),
        node("A", "actor", [0, 0, 1]),
    ]
    links = [
        Link("b", "M", "B", [0.8, 0.6, 0], (0.9, 0.5), 0.1),
        Link("c", "M", "C", [0.8, 0.6, 0], (0.2, 0.5), 0.1),
    ]
    await load(three, (nodes, links))
    exploration = await ask(three, Q3, I3, start="M", dry_run=True)
    assert exploration.subentities == 1
    assert [step.node for step in exploration.tree.path] == ["B"]


async def test_budgets_end_a_walk_gracefully(four: Graph) -> None:
    await load(four, random_world(3, moments=0.6))
    small = NARROW | {"max_subentities": 3}
    few = await ask(four, Q4, I4, actor="n0", settings=small, dry_run=True)
    assert few.subentities <= 3
    short = await ask(four, Q4, I4, actor="n0", settings=NARROW | {"max_ticks": 2}, dry_run=True)
    assert (short.ticks, short.outcome) == (2, "budget")


async def test_of_too_many_links_those_nearest_to_the_query_are_scored(three: Graph) -> None:
    nodes = [node("A", "actor", [0, 0, 1])] + [node(f"t{n}", "thing", [0, 1, 0]) for n in range(9)]
    links = [
        Link(f"k{n}", "A", f"t{n}", [0.1 + n / 10, 0.5, 0], (0.1 if n > 6 else 0.9, 0.5), 0.1)
        for n in range(9)
    ]
    await load(three, (nodes, links))
    exploration = await ask(
        three, Q3, I3, settings={"max_links": 4, "min_link_score": 0.01}, dry_run=True
    )
    assert exploration.truncated
    assert exploration.choices[0].count == 4
    assert exploration.tree.path[0].node == "t6"


async def test_centred_divergence_compares_without_what_siblings_share(three: Graph) -> None:
    await load(three, s1())
    plain: list[Event] = []
    centred: list[Event] = []
    for events, on in ((plain, False), (centred, True)):
        config = NARROW | {"centered_divergence": on, "trace": "step"}
        await ask(three, Q3, I3, settings=config, dry_run=True, on_event=events.append)
    first = [
        event_data(events, EventType.SCORED, "0.0")[0]["candidates"][0]
        for events in (plain, centred)
    ]
    assert first[0]["factors"]["divergence"] == approximately(0.682308)
    # Without q and i only the third axis is left, where link and sibling point apart.
    assert first[1]["factors"]["divergence"] == approximately(1.0)
