"""The arithmetic of a walk, by its vectors; no database."""

import math
from itertools import accumulate, pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exploration import formulas as f
from engine.exploration.cluster import render_cluster
from engine.exploration.colouring import Tint, color_path, strokes
from engine.exploration.gate import Narrative, judge
from engine.exploration.model import Kind
from engine.exploration.plan import Crystal
from engine.exploration.states import MULTIPLIERS, STRICT_TRANSITIONS, TRANSITIONS, State
from engine.exploration.subentity import Place

Q, WHY = [1, 0, 0, 0], [0.6, 0.8, 0, 0]
E1, E2 = [0.8, 0.6, 0, 0], [0.5, 0.5, 0.5, 0.5]
E3, E4 = [0, 0, 0.6, 0.8], [-0.8, 0.6, 0, 0]
S1, S2 = [0.28, 0.96, 0, 0], [0, 0.6, 0, 0.8]

numbers = st.floats(-1, 1, allow_nan=False, width=32)
vectors = st.lists(numbers, min_size=4, max_size=4)
shares = st.floats(0, 1)


def near(expected: object) -> object:
    return pytest.approx(expected, abs=1e-6)


def test_cosine_and_what_has_none() -> None:
    """E-1."""
    assert f.cosine(Q, E1) == near(0.8)
    assert f.cosine(WHY, E1) == near(0.96)
    assert f.cosine(E1, E2) == near(0.7)
    assert f.cosine(Q, E4) == near(-0.8)
    for nothing in ([0, 0, 0, 0], [], None, [1.0]):
        assert f.cosine(Q, nothing) == 0.0


def test_alignment_is_clamped() -> None:
    """E-2."""
    assert [f.alignment(Q, WHY, e) for e in (E1, E2, E3, E4)] == near([0.84, 0.55, 0, 0])


def test_novelty_of_a_path() -> None:
    """E-3."""
    assert f.novelty(E1, [E2, E3]) == near(0.3)
    assert f.novelty(E1, [E4]) == 1.0
    assert f.novelty(E1, []) == 1.0


def test_divergence_from_siblings() -> None:
    """E-4."""
    assert f.novelty(E1, [S1, S2]) == near(0.2)
    assert f.novelty(E1, []) == 1.0


@pytest.mark.parametrize(
    ("pair", "forward", "expected"),
    [
        ((0.9, 0.3), True, 0.9),
        ((0.9, 0.3), False, 0.3),
        (0.7, False, 0.7),
        (None, True, 0.5),
        ((1.4, -1), True, 1.0),
        ((1.4, -1), False, 0.0),
    ],
)
def test_polarity_depends_on_the_direction(
    pair: float | f.Pair | None, forward: bool, expected: float
) -> None:
    """E-5."""
    assert f.polarity(pair, forward) == expected


def test_permanence_factor() -> None:
    """E-6."""
    assert f.permanence_factor(0.2) == near(0.8)
    assert f.permanence_factor(None, weight=3.0) == near(0.25)


def test_score_is_the_product() -> None:
    """E-7."""
    loose = f.permanence_factor(0.2)
    full = f.score(
        f.alignment(Q, WHY, E1), 0.9, loose, f.novelty(E1, [E2, E3]), f.novelty(E1, [S1, S2])
    )
    assert full == near(0.036288)
    assert f.score(f.alignment(Q, WHY, E1), 0.9, loose, 1, 1) == near(0.6048)
    assert f.score(f.alignment(Q, WHY, E1), 0.3, loose, 1, 1) == near(0.2016)


def test_equal_scores_are_ordered_by_id_and_the_least_passes() -> None:
    """E-8."""
    assert f.ranked([(0.1, "b"), (0.1, "a"), (0.2, "c")]) == [(0.2, "c"), (0.1, "a"), (0.1, "b")]
    assert not f.dead_end([0.1], 0.1)
    assert f.dead_end([0.0999], 0.1)
    assert f.dead_end([], 0.0)


def test_a_link_leads_to_its_other_end() -> None:
    """E-9."""
    assert f.target(("a", "b"), "b") == "a"
    assert f.target(("a", "b"), "c") is None
    assert f.target(("a", "a"), "a") is None


@pytest.mark.parametrize(
    ("scores", "count"),
    [
        ([0.40, 0.25, 0.19, 0.18], 2),
        ([0.40, 0.25, 0.20, 0.20], 3),
        ([0.40, 0.19], 1),
        ([0.0, 0.0], 0),
        ([], 0),
    ],
)
def test_branch_candidates(scores: list[float], count: int) -> None:
    """E-10."""
    assert f.branches(scores) == count


@pytest.mark.parametrize(
    ("satisfaction", "depth", "expected"),
    [(0, 1, 0.5), (0, 3, 0.75), (0.4, 3, 0.45), (0.8, 9, 0.18), (1, 5, 0), (0, 0, 0)],
)
def test_criticality(satisfaction: float, depth: int, expected: float) -> None:
    """E-11."""
    assert f.criticality(satisfaction, depth) == near(expected)


def test_injection_by_state() -> None:
    """E-12."""
    states = (State.SEEKING, State.ABSORBING, State.RESONATING, State.CRYSTALLIZING)
    assert [f.injection(0.4, 3, state) for state in states] == near([0.225, 0.45, 0.9, 0.675])
    assert f.injection(0.4, 3, State.MERGING) == 0


def test_heat_of_an_arrival_and_of_a_resonance() -> None:
    """E-13, E-14."""
    energy = f.injection(0, 1, State.SEEKING)
    assert (0.1 + energy, 1.2 + energy * 0.6) == near((0.35, 1.35))
    _, satisfaction = f.resonate({}, "n", 0.8, 0.0)
    assert f.injection(satisfaction, 2, State.RESONATING) == near(0.740741)


def test_focus() -> None:
    """E-15, E-16."""
    pos = [0, 1, 0, 0]
    full = f.focus(Q, WHY, pos, [[0.6, 0, 0.8, 0], [1, 0, 0, 0]], [E1, E2])
    assert full.tolist() == near([0.807862, 0.578533, 0.109452, 0.026060])
    assert f.cosine(full, WHY) == near(0.947544)
    assert f.focus(Q, WHY, pos, [], []).tolist() == near([0.739940, 0.672673, 0, 0])
    assert f.focus(Q, WHY, None, [], []).tolist() == near(f.unit([0.55, 0.2, 0, 0]).tolist())


def deltas(series: list[float]) -> list[float]:
    return [
        f.progress(now, before) for before, now in zip([None, *series[:-1]], series, strict=True)
    ]


def test_fatigue_looks_at_the_change_since_the_last_hop() -> None:
    """E-16, E-17."""
    slow = deltas([0.60, 0.62, 0.63, 0.63, 0.63, 0.63, 0.63])
    assert slow == near([0.6, 0.02, 0.01, 0, 0, 0, 0])
    assert [f.fatigued(slow[:n]) for n in range(8)] == [False] * 6 + [True] * 2
    falling = deltas([0.9, 0.5, 0.4, 0.34, 0.30, 0.26, 0.22, 0.18, 0.14])
    assert not f.fatigued(falling[:8])
    assert f.fatigued(falling)


def test_awareness_counts_what_is_steep() -> None:
    """E-18."""
    seen: f.Pair = (0.0, 0.0)
    for hierarchy in (0.7, -0.5, 0.2, -0.2, 0.21, -0.9):
        seen = f.awareness(seen, hierarchy)
    assert seen == near((0.91, 1.4))
    assert f.effective_hierarchy(0.25, forward=False) == -0.25


def test_emotions_move_with_the_weight() -> None:
    """E-19."""
    assert f.felt([0.3], [-0.4], 3)[0] == near(-0.225)


def test_absorbing() -> None:
    """E-20."""
    node = f.unit([0.6, 0.8, 0.5, 0])
    aligned = f.cosine(WHY, node)
    assert aligned == near(0.894427)
    assert (f.novelty(node, [E3]), f.novelty(node, [E1])) == near((0.731672, 0.141350))
    assert f.absorbs(aligned, f.novelty(node, [E3]))
    assert not f.absorbs(aligned, f.novelty(node, [E1]))
    assert not f.absorbs(0.7, 1.0)


def test_resonating() -> None:
    """E-21."""
    found: dict[str, float] = {}
    satisfaction, told = 0.0, []
    for id, value in (("a", 0.8), ("b", 0.9), ("c", 0.85)):
        found, satisfaction = f.resonate(found, id, value, satisfaction)
        told.append(satisfaction)
    assert told == near([0.444444, 0.777778, 1.0])
    found, first = f.resonate({}, "a", 1.0, 0.0)
    assert (first, f.resonate(found, "b", 1.0, first)[1]) == near((0.5, 0.833333))


def test_a_child_arrives_one_deeper() -> None:
    """E-22."""
    assert f.injection(0.0, 2, State.SEEKING) == near(0.333333)


def test_joining_takes_the_best() -> None:
    """E-23."""
    assert f.joined([{"n": 0.4}, {"n": 0.7}]) == {"n": 0.7}


def path() -> list[tuple[Tint, float | None]]:
    return [
        (Tint(np.array([1.0, 0, 0, 0]), 1), 0.2),
        (Tint(np.array([0, 1.0, 0, 0]), 3, 0.5), 0.5),
        (Tint(np.array([0.6, 0.8, 0, 0]), 0), 0.9),
    ]


def test_backward_colouring() -> None:
    """E-24."""
    (l1, l2, l3), gained = color_path(path(), [0, 0, 0, 1], 0.0375)
    assert l1.vector is not None
    assert l2.vector is not None
    assert l3.vector is not None
    assert l3.vector.tolist() == near([0.42, 0.56, 0, 0.216])
    assert l2.vector.tolist() == near([0, 0.925, 0, 0.0216])
    assert l1.vector.tolist() == near([0.85, 0, 0, 0.006912])
    assert [l1.weight, l2.weight, l3.weight] == near([1.0375, 3.0375, 0.0375])
    assert gained == 0


def test_backward_colouring_with_energy() -> None:
    """E-24."""
    links, gained = color_path(path(), [0, 0, 0, 1], 0.1, inject=0.4)
    assert [link.weight for link in links] == near([1.3, 3.4, 0.1])
    assert [link.energy for link in links] == near([0.4, 0.9, 0.4])
    assert gained == near(0.5)


def test_colouring_without_and_with_negative_polarity() -> None:
    """E-24."""
    bare, _ = color_path([(link, None) for link, _ in path()], [0, 0, 0, 1], 0.0375)
    last = [link.vector[3] for link in bare if link.vector is not None]
    assert last == near([0.039322, 0.03072, 0.192])
    against, _ = color_path([(path()[2][0], -0.5)], [0, 0, 0, 1], 0.0)
    assert against[0].vector is not None
    assert against[0].vector.tolist() == near([0.42, 0.56, 0, 0.096])


def test_what_is_faint_adds_weight_only() -> None:
    """G19."""
    drawn = strokes([0.05] * 4, [0, 0, 0, 1], 0.1)
    assert [stroke.vector is None for stroke in drawn] == [True, True, False, False]
    assert drawn[0].on(Tint(np.array([1.0, 0, 0, 0]), 1)).weight == near(1.1)


def test_a_link_without_a_vector_takes_what_comes() -> None:
    [stroke] = strokes([0.5], [0, 0, 0, 1], 0.0)
    after = stroke.on(Tint(None, 1)).vector
    assert after is not None
    assert after.tolist() == near([0, 0, 0, 0.4])


def test_a_new_narrative_is_as_heavy_as_it_is_urgent() -> None:
    """E-25, E-26."""
    assert f.injection(0.3, 4, State.CRYSTALLIZING) == near(0.84)
    assert f.mean([0.5, -0.1, 0.3], 0.0) == near(0.233333)
    assert f.mean([0.2, 0.3, 0.7], 0.5) == near(0.4)
    assert (f.mean([], 0.0), f.mean([], 0.5)) == (0.0, 0.5)


@pytest.mark.parametrize(
    ("found", "expected"), [({}, True), ({"n": 0.89}, True), ({"n": 0.9}, False)]
)
def test_should_crystallize(found: dict[str, float], expected: bool) -> None:
    """E-27."""
    assert f.should_crystallize(found) is expected
    assert not f.should_crystallize(found | {"new": 1.0})


def test_the_gate() -> None:
    """E-28."""
    assert f.creates(0.8499)
    assert not f.creates(0.85)
    assert f.creates(None)


def named(id: str, kind: str = "thing", content: str = "") -> SimpleNamespace:
    return SimpleNamespace(id=id, name=id, kind=kind, content=content)


def test_a_path_as_text() -> None:
    """E-29."""
    text = render_cluster(
        named("A"), [named("T", content="old letter"), named("P")], named("P"), "why"
    )
    assert text == "Intention: why\nPath: A → T → P\n- T (thing): old letter\nFound: P"
    long = render_cluster(
        named("A"), [named("T", content="x" * 201), named("P")], named("P", content="y" * 301)
    )
    assert f"- T (thing): {'x' * 200}…\nFound: {'y' * 300}" in long
    again = render_cluster(named("A"), [named("T"), named("A"), named("T")], named("T"))
    assert again == "Path: A → T\nFound: T"


def test_the_older_forward_colouring() -> None:
    """E-30."""
    vector, energy, weight = f.forward_colouring([1, 0], 1, 0.5, 0.5, [0, 1], weigh=True)
    assert (vector, energy, weight) == (near([0.875, 0.125]), near(1.0), near(1.25))


def test_the_older_flow() -> None:
    """E-31."""
    there = f.flow(2, (0.8, 0.2), 1.5, -0.5, 0.6)
    back = f.flow(2, (0.8, 0.2), 1.5, -0.5, 0.6, forward=False)
    assert (there, back) == near((5.76, 0.96))
    assert f.apply_flow(1, 0.7) == near((0.7, 0.3))


def test_states_end_in_merging_and_reflecting_is_not_skipped() -> None:
    """I-1."""
    assert not TRANSITIONS[State.MERGING]
    merging = {state for state, ways in TRANSITIONS.items() if State.MERGING in ways}
    assert merging == {State.REFLECTING, State.CRYSTALLIZING}
    assert State.MERGING in STRICT_TRANSITIONS[State.RESONATING]
    assert set(MULTIPLIERS) == set(State) == set(TRANSITIONS)


@given(vectors, vectors, vectors, st.lists(vectors, max_size=4), st.lists(vectors, max_size=3))
def test_factors_and_score_are_shares(
    q: list[float],
    i: list[float],
    link: list[float],
    path: list[list[float]],
    beside: list[list[float]],
) -> None:
    """I-9."""
    factors = [f.alignment(q, i, link), f.novelty(link, path), f.novelty(link, beside)]
    assert all(-1e-9 <= factor <= 1 + 1e-9 for factor in (*factors, f.score(*factors)))


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.floats(0.01, 1)), max_size=12))
def test_satisfaction_never_falls(finds: list[tuple[str, float]]) -> None:
    """I-4, I-16."""
    found: dict[str, float] = {}
    satisfaction = 0.0
    for id, aligned in finds:
        found, after = f.resonate(found, id, aligned, satisfaction)
        assert satisfaction <= after <= 1
        satisfaction = after
    assert all(0 < value <= 1 for value in found.values())


@given(st.lists(st.tuples(st.floats(-1, 1), st.booleans()), max_size=8))
def test_awareness_never_falls(steps: list[tuple[float, bool]]) -> None:
    """I-11."""
    told = list(
        accumulate((f.effective_hierarchy(*s) for s in steps), f.awareness, initial=(0.0, 0.0))
    )
    assert all(a <= c and b <= d for (a, b), (c, d) in pairwise(told))


@given(st.lists(st.floats(-1, 1), max_size=10))
def test_fatigue_needs_five_small_steps(history: list[float]) -> None:
    """I-13."""
    assert f.fatigued(history) == (len(history) >= 5 and max(map(abs, history[-5:])) < 0.05)


@given(vectors, vectors, st.floats(0, 5), shares, shares)
def test_colouring_with_the_intention_never_turns_away_from_it(
    link: list[float], intention: list[float], weight: float, reverse: float, boost: float
) -> None:
    """I-25."""
    if not any(link) or not any(intention):
        return
    [after], _ = color_path([(Tint(np.array(link), weight), reverse)], intention, boost)
    assert after.weight == near(weight + boost)
    assert after.vector is not None
    if math.isclose(f.cosine(link, intention), -1, abs_tol=1e-6):
        return
    assert f.cosine(after.vector, intention) >= f.cosine(link, intention) - 1e-9


def place(id: str) -> Place:
    return Place(id, id, "Actor", Kind.ACTOR, id, "", None, 1.0, 0.0, 0.5)


@given(st.lists(vectors, max_size=6), st.lists(vectors, max_size=6), st.floats(0.3, 0.95))
def test_nothing_is_created_beside_what_is_near(
    planned: list[list[float]], known: list[list[float]], threshold: float
) -> None:
    """I-6, E-28: neither beside what exists nor beside each other; ids are unique."""
    crystals = [
        Crystal(f"0.{at}", "", "", np.array(v), 1, 1, (), place("a"), place("b"), 0, 0, 0)
        for at, v in enumerate(planned)
    ]
    near_by = [Narrative(f"n{at}", "", "", v) for at, v in enumerate(known)]
    verdicts = judge("r", crystals, {c.key: near_by for c in crystals}, threshold)
    made = [verdict for verdict in verdicts if verdict.created]
    assert len({verdict.id for verdict in made}) == len(made)
    for at, verdict in enumerate(made):
        others: list[f.Vector] = [*known, *(other.crystal.embedding for other in made[:at])]
        assert all(f.cosine(verdict.crystal.embedding, o) < threshold for o in others)
    for verdict in verdicts:
        if not verdict.created:
            assert verdict.worth >= threshold - 1e-6


@given(vectors, vectors, st.floats(0.1, 0.8))
def test_unrelated_texts_are_lifted_to_zero(a: list[float], b: list[float], zero: float) -> None:
    raw, lifted = f.cosine(a, b), f.likeness(a, b, zero)
    assert 0 <= lifted <= 1
    assert (lifted == 0) == (raw <= zero)
    assert f.likeness(a, b) == raw
