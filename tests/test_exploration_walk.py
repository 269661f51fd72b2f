"""Walks through a real graph: the end-to-end vectors, a second reading, the invariants."""

import copy
from collections import defaultdict
from itertools import pairwise
from typing import Any

import pytest

from engine.exploration import Event, EventType, Exploration
from engine.exploration import formulas as f
from engine.exploration.result import Branch, branches
from engine.graph import Graph
from tests.conftest import OpenGraph
from tests.exploration_oracle import Link
from tests.exploration_world import (
    I3,
    Q3,
    Toy,
    contents,
    foretold,
    load,
    node,
    random_world,
    s1,
    s2,
)

Q4, I4 = [1.0, 0.2, 0.1, 0.0], [0.6, 0.8, 0.2, 0.1]
NARROW = {"min_link_score": 0.02}


def near(expected: object, tolerance: float = 1e-6) -> object:
    return pytest.approx(expected, abs=tolerance)


async def ask(graph: Graph, q: list[float], i: list[float], **options: Any) -> Exploration:
    options.setdefault("actor", "A")
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


def told(
    events: list[Event], type: EventType, subentity: str | None = None
) -> list[dict[str, Any]]:
    return [e.data for e in events if e.type is type and subentity in (None, e.subentity)]


async def test_s1(three: Graph) -> None:
    await load(three, s1())
    events: list[Event] = []
    found = await ask(three, Q3, I3, settings=NARROW | {"trace": "trace"}, on_event=events.append)
    moved: dict[str | None, list[Event]] = defaultdict(list)
    for event in events:
        if event.type is EventType.MOVED:
            moved[event.subentity].append(event)
    [first] = moved["0"]
    assert (first.tick, first.data["link"], first.data["score"]) == (1, "k1", near(0.6156))
    assert first.data["focus"] == near([0.931651, 0.162497, 0.324994])
    assert first.data["progress"] == near(0.842819)
    thing, second, third = moved["0.0"]
    assert (thing.tick, thing.data["node"], thing.data["score"]) == (2, "T", near(0.443232))
    assert thing.data["focus"] == near([0.857468, 0.416124, 0.302636])
    assert (second.data["link"], second.data["score"]) == ("k4", near(0.047161))
    assert second.data["factors"]["divergence"] == near(0.6823, 1e-4)
    assert (third.tick, third.data["link"], third.data["forward"]) == (4, "k6", False)
    assert third.data["score"] == near(0.056525)
    [narrative] = moved["0.1"]
    assert (narrative.data["node"], narrative.data["score"]) == ("N1", near(0.290628))
    [dead] = told(events, EventType.ANOMALY, "0.1")
    assert (dead["anomaly"], dead["score"]) == ("LOW_SCORE_DEAD_END", near(0.009928))
    finds = [(d["node"], d["alignment"], d["weight"]) for d in told(events, EventType.RESONATED)]
    assert finds == [
        ("N1", near(1.0), near(0.666667)),
        ("N2", near(0.96), near(0.765306)),
        ("N1", near(1.0), near(0.275786)),
    ]
    assert (found.reads, found.subentities, found.hops) == (4, 3, 5)
    assert found.satisfaction == near(0.827634)
    assert found.found == {"N1": near(1.0), "N2": near(0.96)}
    assert (found.outcome, found.created, found.committed) == ("satisfied", [], True)


async def test_what_s1_leaves(three: Graph) -> None:
    await load(three, s1())
    found = await ask(three, Q3, I3, settings=NARROW)
    nodes, links = await contents(three)
    energy = {id: nodes[id]["energy"] for id in ("A", "M", "T", "N1", "N2", "P")}
    assert energy == near({"A": 0, "M": 0.25, "T": 0.333333, "N1": 0.537415, "N2": 0.375, "P": 0})
    weight = {id: nodes[id]["weight"] - 1 for id in ("M", "T", "N1", "N2")}
    assert weight == near({"M": 0.125, "T": 0.166667, "N1": 1.211160, "N2": 0.952806})
    assert links["k1"]["embedding"] == near([0.60056, 0.01537, 0.43505], 1e-5)
    assert links["k3"]["embedding"] == near([0.69229, 0.00922, -0.51], 1e-5)
    assert links["k4"]["embedding"] == near([0.03072, 0.70304, -0.51], 1e-5)
    assert links["k6"]["embedding"] == near([0.4832, 0.6144, 0.54], 1e-5)
    weights = [links[id]["weight"] for id in ("k1", "k2", "k3", "k5", "k6")]
    assert weights == near([1.08276, 1, 1.04138, 1, 2.04138], 1e-5)
    assert found.changes.energy == near(sum(energy.values()))
    assert not found.changes.planned


async def test_s2(three: Graph) -> None:
    await load(three, s2())
    events: list[Event] = []
    found = await ask(three, Q3, I3, intention="find the truth", on_event=events.append)
    hops = told(events, EventType.MOVED)
    assert [hop["score"] for hop in hops] == near([0.5472, 0.290628])
    assert [hop["progress"] for hop in hops] == near([0.912441, 0.071770])
    assert hops[-1]["awareness"] == near((0.5, 0.3))
    [created] = found.created
    nodes, links = await contents(three)
    new = nodes[created.id]
    assert (new["name"], new["weight"], new["energy"]) == (
        "find the truth: A",
        near(1.0),
        near(1.0),
    )
    assert (new["embedding_model"], new["kind"]) == ("toy-3", "narrative")
    assert new["embedding"] == near([0.891876, 0.451184, 0.031478])
    assert (nodes["T"]["energy"], nodes["P"]["energy"]) == near((0.25, 0.333333))
    assert (nodes["T"]["weight"], nodes["P"]["weight"]) == near((1.05, 1.166667))
    joined = {(row["a"], row["b"]): row for row in links.values()}
    there, on = joined["A", created.id], joined[created.id, "P"]
    assert (there["hierarchy"], there["permanence"]) == near((0.1, 0.15))
    assert (on["hierarchy"], on["permanence"]) == near((-0.3, 0.666667))
    assert there["polarity"] == on["polarity"] == [0.8, 0.2]
    assert there["embedding"] == near(f.unit([0.891876, 0.451184, 1.031478]).tolist())
    assert links["k1"]["embedding"] == near([0.700549, 0.010395, 0.510725])
    assert links["k2"]["embedding"] == near([0.565620, 0.683314, 0.003022])
    assert (links["k1"]["weight"], links["k2"]["weight"]) == near((1.1, 0.6))
    assert found.found == {created.id: 1.0}
    assert (found.outcome, found.narratives[0].status) == ("exhausted", "created")
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


@pytest.mark.parametrize("seed", range(14))
async def test_random_graphs_end_as_a_plain_reading_says(four: Graph, seed: int) -> None:
    world = random_world(seed, moments=0.25 if seed % 2 else 0.5)
    config = CONFIGS[seed % len(CONFIGS)]
    await load(four, world)
    oracle = foretold(copy.deepcopy(world), Q4, I4, **config)
    events: list[Event] = []
    found = await ask(
        four, Q4, I4, actor="n0", settings=config | {"trace": "step"}, on_event=events.append
    )
    names = {f"new {created.by}": created.id for created in found.created}
    expected = {names.get(id, id): value for id, value in oracle.found.items()}
    assert found.satisfaction == near(oracle.satisfaction)
    assert found.found == near(expected, 1e-5)
    assert set(names) == {plan["key"] for plan in oracle.created}
    assert [reused.id for reused in found.reused if reused.id not in names.values()] == [
        id for id in oracle.reused if not id.startswith("new ")
    ]
    assert found.reads == oracle.reads
    nodes, links = await contents(four)
    for known in oracle.nodes.values():
        assert (nodes[known.id]["energy"], nodes[known.id]["weight"]) == near(
            (known.energy, known.weight), 1e-5
        )
    for link in oracle.links.values():
        assert links[link.id]["weight"] == near(link.weight, 1e-5)
        assert links[link.id]["embedding"] == near(link.emb, 1e-5)
    for plan in oracle.created:
        new = nodes[names[plan["key"]]]
        assert new["energy"] == new["weight"] == near(plan["energy"])
        assert new["embedding"] == near(plan["emb"], 1e-5)
        [there] = [r for r in links.values() if r["b"] == new["id"] and r["a"] == plan["spawn"]]
        assert (there["hierarchy"], there["permanence"]) == near((plan["hier"], plan["perm"]))
        assert there["joy_sadness"] == near(plan["joy"])
    assert_invariants(found, events, config)


def assert_invariants(found: Exploration, events: list[Event], config: dict[str, Any]) -> None:
    """What holds for every walk, by its events and its result alone."""
    tree = {branch.id: branch for branch in branches(found.tree)}
    parents = {child.id: branch.id for branch in tree.values() for child in branch.children}
    assert {branch.id: branch.parent for branch in tree.values() if branch.parent} == parents  # I-2
    injected = sum(d["energy"] for d in told(events, EventType.INJECTED))
    injected += sum(d["energy"] for d in told(events, EventType.ABSORBED))
    assert found.changes.energy == near(injected)  # I-5
    assert all(0 <= value <= 1 for value in found.found.values())  # I-16
    assert {created.id for created in found.created} <= set(found.found)  # I-15
    assert len(told(events, EventType.MOVED)) == found.hops  # I-12
    reused = {reused.by for reused in found.reused}
    for branch in tree.values():
        assert_branch(branch, events, config)
        if branch.parent:  # I-7, I-18
            assert max(branch.found.values()) >= 0.9 or branch.crystallized or branch.id in reused
            above = tree[branch.parent].found
            assert all(above[id] >= value for id, value in branch.found.items())
    for data in told(events, EventType.SCORED):
        assert_choice(data, config["min_link_score"])


def assert_branch(branch: Branch, events: list[Event], config: dict[str, Any]) -> None:
    """One SubEntity: its path, its satisfaction, its awareness."""
    assert len(branch.path) == branch.depth <= config.get("max_depth", 10)  # I-3, I-19
    links = [step.link for step in branch.path]
    assert len(links) == len(set(links))  # I-23
    own = [event for event in events if event.subentity == branch.id]
    satisfaction = [e.data["satisfaction"] for e in own if "satisfaction" in e.data]
    assert satisfaction == sorted(satisfaction)  # I-4
    assert satisfaction[-1] <= 1
    moves = [event for event in own if event.type is EventType.MOVED]
    assert len({event.tick for event in moves}) == len(moves) == branch.hops  # ruling 1
    seen = (0.0, 0.0)
    for event in moves:  # I-11
        seen = f.awareness(seen, event.data["hierarchy"])
        assert event.data["awareness"] == near(seen)


def assert_choice(data: dict[str, Any], least: float) -> None:
    """What was weighed at one node."""
    scores = [(-candidate["score"], candidate["link"]) for candidate in data["candidates"]]
    assert scores == sorted(scores)  # I-24
    for candidate in data["candidates"]:
        factors = candidate["factors"].values()
        assert all(0 <= factor <= 1 for factor in factors)  # I-9
        assert candidate["score"] == near(f.score(*factors), 1e-12)  # I-17
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
    assert not told(events, EventType.ABSORBED)
    assert one.outcome == "max_depth"
    assert one.reads == 1
    two = await ask(three, Q3, I3, settings={"max_depth": 2, "absorb": False}, dry_run=True)
    assert two.found == {"N": near(1.0)}
    assert two.outcome == "max_depth"


async def test_who_gets_nowhere_tires(three: Graph) -> None:
    """E-17, G12: after five hops of next to no progress it reflects, before any read."""
    nodes = [node("A", "actor", [0.8, 0.6, 0])]
    nodes += [node(f"s{at}", "space", [0.8, 0.6, 0]) for at in range(9)]
    ids = [known.id for known in nodes]
    links = [
        Link(f"k{at}", a, b, [0.8, 0.6, 0], (0.9, 0.5), 0.1)
        for at, (a, b) in enumerate(pairwise(ids))
    ]
    await load(three, (nodes, links))
    found = await ask(three, Q3, I3, settings={"min_link_score": 0.0})
    assert (found.outcome, found.hops, found.reads) == ("fatigued", 6, 6)
    assert len(found.created) == 1


async def test_content_that_fits_and_is_new_becomes_a_narrative(three: Graph) -> None:
    nodes = [node("A", "actor", [0, 0, 1]), node("T", "thing", [0.8, 0.6, 0], content="words")]
    links = [Link("t", "A", "T", [0.3, -0.3, 0.9], (1, 0.5), 0.0)]
    await load(three, (nodes, links))
    events: list[Event] = []
    found = await ask(three, Q3, I3, on_event=events.append)
    [absorbed] = told(events, EventType.ABSORBED)
    assert absorbed["alignment"] == near(1.0)
    assert absorbed["novelty"] > 0.7
    assert found.tree.reason == "absorbed"
    assert len(found.created) == 1
    nodes_now, _ = await contents(three)
    assert nodes_now["T"]["energy"] == near(0.25 + 0.5)


async def test_a_walk_that_starts_at_a_narrative_resonates_first(three: Graph) -> None:
    await load(three, s1())
    events: list[Event] = []
    found = await ask(
        three, Q3, I3, start="N1", settings=NARROW, dry_run=True, on_event=events.append
    )
    assert told(events, EventType.RESONATED)[0]["node"] == "N1"
    assert found.start == "N1"
    assert found.found["N1"] == 1.0


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
    found = await ask(three, Q3, I3, start="M", dry_run=True)
    assert found.subentities == 1
    assert [step.node for step in found.tree.path] == ["B"]


async def test_budgets_end_a_walk_gracefully(four: Graph) -> None:
    await load(four, random_world(3, moments=0.6))
    small = NARROW | {"max_subentities": 3}
    few = await ask(four, Q4, I4, actor="n0", settings=small, dry_run=True)
    assert few.subentities <= 3
    short = await ask(four, Q4, I4, actor="n0", settings=NARROW | {"max_ticks": 2}, dry_run=True)
    assert (short.ticks, short.outcome) == (2, "budget")


async def test_with_more_links_than_the_limit_the_nearest_are_weighed(three: Graph) -> None:
    nodes = [node("A", "actor", [0, 0, 1])] + [node(f"t{n}", "thing", [0, 1, 0]) for n in range(9)]
    links = [
        Link(f"k{n}", "A", f"t{n}", [0.1 + n / 10, 0.5, 0], (0.1 if n > 6 else 0.9, 0.5), 0.1)
        for n in range(9)
    ]
    await load(three, (nodes, links))
    found = await ask(
        three, Q3, I3, settings={"max_links": 4, "min_link_score": 0.01}, dry_run=True
    )
    assert found.truncated
    assert found.choices[0].count == 4
    assert found.tree.path[0].node == "t6"


async def test_centred_divergence_compares_without_what_siblings_share(three: Graph) -> None:
    await load(three, s1())
    plain: list[Event] = []
    centred: list[Event] = []
    for events, on in ((plain, False), (centred, True)):
        config = NARROW | {"centered_divergence": on, "trace": "step"}
        await ask(three, Q3, I3, settings=config, dry_run=True, on_event=events.append)
    first = [
        told(events, EventType.SCORED, "0.0")[0]["candidates"][0] for events in (plain, centred)
    ]
    assert first[0]["factors"]["divergence"] == near(0.682308)
    # Without q and i only the third axis is left, where link and sibling point apart.
    assert first[1]["factors"]["divergence"] == near(1.0)
