"""The arithmetic of a walk, by the vectors of the source document. No database needed."""

import math
from itertools import accumulate, pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.exploration import formulas as f
from asterism.exploration.commit_result import Narrative, decide_drafts
from asterism.exploration.models import Kind, State
from asterism.exploration.render import render_cluster
from asterism.exploration.state_machine import STRICT_TRANSITIONS, TRANSITIONS
from asterism.exploration.subentity import NodeSnapshot
from asterism.exploration.write_set import LinkState, NarrativeDraft, colour_backward
from tests.support import exploration_formulas as source
from tests.support.comparison import approximately
from tests.support.exploration_formulas import ChargedLink, colour_path

Q, WHY = [1, 0, 0, 0], [0.6, 0.8, 0, 0]
E1, E2 = [0.8, 0.6, 0, 0], [0.5, 0.5, 0.5, 0.5]
E3, E4 = [0, 0, 0.6, 0.8], [-0.8, 0.6, 0, 0]
S1, S2 = [0.28, 0.96, 0, 0], [0, 0.6, 0, 0.8]

numbers = st.floats(-1, 1, allow_nan=False, width=32)
vectors = st.lists(numbers, min_size=4, max_size=4)
shares = st.floats(0, 1)


def test_cosine_is_zero_where_there_is_none() -> None:
    """E-1."""
    assert f.cosine(Q, E1) == approximately(0.8)
    assert f.cosine(WHY, E1) == approximately(0.96)
    assert f.cosine(E1, E2) == approximately(0.7)
    assert f.cosine(Q, E4) == approximately(-0.8)
    for nothing in ([0, 0, 0, 0], [], None, [1.0]):
        assert f.cosine(Q, nothing) == 0.0


def test_alignment_is_within_zero_and_one() -> None:
    """E-2."""
    assert [source.alignment(Q, WHY, e) for e in (E1, E2, E3, E4)] == approximately(
        [0.84, 0.55, 0, 0]
    )


def test_novelty_is_measured_against_the_path() -> None:
    """E-3."""
    assert f.novelty(E1, [E2, E3]) == approximately(0.3)
    assert f.novelty(E1, [E4]) == 1.0
    assert f.novelty(E1, []) == 1.0


def test_divergence_is_measured_against_siblings() -> None:
    """E-4."""
    assert f.novelty(E1, [S1, S2]) == approximately(0.2)
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
    assert source.polarity(pair, forward) == expected


def test_a_missing_permanence_follows_from_the_weight() -> None:
    """E-6."""
    assert source.permanence_factor(0.2) == approximately(0.8)
    assert source.permanence_factor(None, weight=3.0) == approximately(0.25)


def test_a_score_is_the_product_of_its_factors() -> None:
    """E-7."""
    loose = source.permanence_factor(0.2)
    full = source.score(
        source.alignment(Q, WHY, E1), 0.9, loose, f.novelty(E1, [E2, E3]), f.novelty(E1, [S1, S2])
    )
    assert full == approximately(0.036288)
    assert source.score(source.alignment(Q, WHY, E1), 0.9, loose, 1, 1) == approximately(0.6048)
    assert source.score(source.alignment(Q, WHY, E1), 0.3, loose, 1, 1) == approximately(0.2016)


def test_equal_scores_are_ordered_by_id_and_the_minimum_passes() -> None:
    """E-8."""
    assert source.ranked([(0.1, "b"), (0.1, "a"), (0.2, "c")]) == [
        (0.2, "c"),
        (0.1, "a"),
        (0.1, "b"),
    ]
    assert not f.is_dead_end([0.1], 0.1)
    assert f.is_dead_end([0.0999], 0.1)
    assert f.is_dead_end([], 0.0)


def test_a_link_leads_to_its_other_end() -> None:
    """E-9."""
    assert source.target(("a", "b"), "b") == "a"
    assert source.target(("a", "b"), "c") is None
    assert source.target(("a", "a"), "a") is None


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
def test_a_branch_needs_half_of_the_best_score(scores: list[float], count: int) -> None:
    """E-10."""
    assert f.branch_count(scores) == count


@pytest.mark.parametrize(
    ("satisfaction", "depth", "expected"),
    [(0, 1, 0.5), (0, 3, 0.75), (0.4, 3, 0.45), (0.8, 9, 0.18), (1, 5, 0), (0, 0, 0)],
)
def test_criticality_grows_with_depth_and_falls_with_satisfaction(
    satisfaction: float, depth: int, expected: float
) -> None:
    """E-11."""
    assert f.criticality(satisfaction, depth) == approximately(expected)


def test_injection_depends_on_the_state() -> None:
    """E-12."""
    states = (State.SEEKING, State.ABSORBING, State.RESONATING, State.CRYSTALLIZING)
    assert [f.injection(0.4, 3, state) for state in states] == approximately(
        [0.225, 0.45, 0.9, 0.675]
    )
    assert f.injection(0.4, 3, State.MERGING) == 0


def test_an_arrival_adds_energy_and_a_resonance_adds_weight() -> None:
    """E-13, E-14."""
    energy = f.injection(0, 1, State.SEEKING)
    assert (0.1 + energy, 1.2 + energy * 0.6) == approximately((0.35, 1.35))
    _, satisfaction = f.resonate({}, "n", 0.8, 0.0)
    assert f.injection(satisfaction, 2, State.RESONATING) == approximately(0.740741)


def test_focus_mixes_query_intention_position_findings_and_path() -> None:
    """E-15, E-16."""
    pos = [0, 1, 0, 0]
    full = f.focus(Q, WHY, pos, [[0.6, 0, 0.8, 0], [1, 0, 0, 0]], [E1, E2])
    assert full.tolist() == approximately([0.807862, 0.578533, 0.109452, 0.026060])
    assert f.cosine(full, WHY) == approximately(0.947544)
    assert f.focus(Q, WHY, pos, [], []).tolist() == approximately([0.739940, 0.672673, 0, 0])
    assert f.focus(Q, WHY, None, [], []).tolist() == approximately(
        f.unit([0.55, 0.2, 0, 0]).tolist()
    )


def deltas(series: list[float]) -> list[float]:
    return [
        f.progress_entry(now, before)
        for before, now in zip([None, *series[:-1]], series, strict=True)
    ]


def test_fatigue_looks_at_the_change_since_the_last_hop() -> None:
    """E-16, E-17."""
    slow = deltas([0.60, 0.62, 0.63, 0.63, 0.63, 0.63, 0.63])
    assert slow == approximately([0.6, 0.02, 0.01, 0, 0, 0, 0])
    assert [f.is_fatigued(slow[:n]) for n in range(8)] == [False] * 6 + [True] * 2
    falling = deltas([0.9, 0.5, 0.4, 0.34, 0.30, 0.26, 0.22, 0.18, 0.14])
    assert not f.is_fatigued(falling[:8])
    assert f.is_fatigued(falling)


def test_awareness_sums_steep_hierarchy() -> None:
    """E-18."""
    sums: f.Pair = (0.0, 0.0)
    for hierarchy in (0.7, -0.5, 0.2, -0.2, 0.21, -0.9):
        sums = f.awareness(sums, hierarchy)
    assert sums == approximately((0.91, 1.4))
    assert f.effective_hierarchy(0.25, forward=False) == -0.25


def test_emotions_follow_heavy_links_more() -> None:
    """E-19."""
    assert f.blend_emotions([0.3], [-0.4], 3)[0] == approximately(-0.225)


def test_content_is_absorbed_if_it_fits_and_is_new() -> None:
    """E-20."""
    node = f.unit([0.6, 0.8, 0.5, 0])
    aligned = f.cosine(WHY, node)
    assert aligned == approximately(0.894427)
    assert (f.novelty(node, [E3]), f.novelty(node, [E1])) == approximately((0.731672, 0.141350))
    assert f.should_absorb(aligned, f.novelty(node, [E3]))
    assert not f.should_absorb(aligned, f.novelty(node, [E1]))
    assert not f.should_absorb(0.7, 1.0)


def test_each_resonance_adds_less_satisfaction() -> None:
    """E-21."""
    findings: dict[str, float] = {}
    satisfaction, values = 0.0, []
    for id, value in (("a", 0.8), ("b", 0.9), ("c", 0.85)):
        findings, satisfaction = f.resonate(findings, id, value, satisfaction)
        values.append(satisfaction)
    assert values == approximately([0.444444, 0.777778, 1.0])
    findings, first = f.resonate({}, "a", 1.0, 0.0)
    assert (first, f.resonate(findings, "b", 1.0, first)[1]) == approximately((0.5, 0.833333))


def test_a_child_arrives_one_deeper() -> None:
    """E-22."""
    assert f.injection(0.0, 2, State.SEEKING) == approximately(0.333333)


def test_joining_keeps_the_best_value_of_each_narrative() -> None:
    """E-23."""
    assert f.join_findings([{"n": 0.4}, {"n": 0.7}]) == {"n": 0.7}


def path() -> list[tuple[ChargedLink, float | None]]:
    return [
        (ChargedLink(LinkState(np.array([1.0, 0, 0, 0]), 1)), 0.2),
        (ChargedLink(LinkState(np.array([0, 1.0, 0, 0]), 3), 0.5), 0.5),
        (ChargedLink(LinkState(np.array([0.6, 0.8, 0, 0]), 0)), 0.9),
    ]


def vector(link: ChargedLink) -> list[float]:
    assert link.state.vector is not None
    values: list[float] = link.state.vector.tolist()
    return values


def test_colouring_fades_backward_along_the_path() -> None:
    """E-24."""
    (first, second, third), gained = colour_path(path(), [0, 0, 0, 1], 0.0375)
    assert vector(third) == approximately([0.42, 0.56, 0, 0.216])
    assert vector(second) == approximately([0, 0.925, 0, 0.0216])
    assert vector(first) == approximately([0.85, 0, 0, 0.006912])
    weights = [link.state.weight for link in (first, second, third)]
    assert weights == approximately([1.0375, 3.0375, 0.0375])
    assert gained == 0


def test_colouring_may_inject_energy_as_the_source_has_it() -> None:
    """E-24."""
    links, gained = colour_path(path(), [0, 0, 0, 1], 0.1, inject=0.4)
    assert [link.state.weight for link in links] == approximately([1.3, 3.4, 0.1])
    assert [link.energy for link in links] == approximately([0.4, 0.9, 0.4])
    assert gained == approximately(0.5)


def test_colouring_without_and_with_negative_polarity() -> None:
    """E-24."""
    bare, _ = colour_path([(link, None) for link, _ in path()], [0, 0, 0, 1], 0.0375)
    last = [vector(link)[3] for link in bare]
    assert last == approximately([0.039322, 0.03072, 0.192])
    against, _ = colour_path([(path()[2][0], -0.5)], [0, 0, 0, 1], 0.0)
    assert vector(against[0]) == approximately([0.42, 0.56, 0, 0.096])


def test_a_faint_colouring_adds_weight_only() -> None:
    """G19."""
    updates = colour_backward([0.05] * 4, [0, 0, 0, 1], 0.1)
    assert [update.vector is None for update in updates] == [True, True, False, False]
    assert updates[0].apply(LinkState(np.array([1.0, 0, 0, 0]), 1)).weight == approximately(1.1)


def test_a_link_without_a_vector_gets_the_colouring_vector() -> None:
    [update] = colour_backward([0.5], [0, 0, 0, 1], 0.0)
    after = update.apply(LinkState(None, 1)).vector
    assert after is not None
    assert after.tolist() == approximately([0, 0, 0, 0.4])


def test_a_new_narrative_is_as_heavy_as_it_is_urgent() -> None:
    """E-25, E-26."""
    assert f.injection(0.3, 4, State.CRYSTALLIZING) == approximately(0.84)
    assert f.mean([0.5, -0.1, 0.3], 0.0) == approximately(0.233333)
    assert f.mean([0.2, 0.3, 0.7], 0.5) == approximately(0.4)
    assert (f.mean([], 0.0), f.mean([], 0.5)) == (0.0, 0.5)


@pytest.mark.parametrize(
    ("findings", "expected"), [({}, True), ({"n": 0.89}, True), ({"n": 0.9}, False)]
)
def test_a_good_finding_prevents_crystallizing(findings: dict[str, float], expected: bool) -> None:
    """E-27."""
    assert f.should_crystallize(findings) is expected
    assert not f.should_crystallize(findings | {"new": 1.0})


def test_the_novelty_threshold_itself_is_not_novel() -> None:
    """E-28."""
    assert f.is_novel(0.8499)
    assert not f.is_novel(0.85)
    assert f.is_novel(None)


def named(id: str, kind: str = "thing", content: str = "") -> SimpleNamespace:
    return SimpleNamespace(id=id, name=id, kind=kind, content=content)


def test_a_path_is_rendered_as_text() -> None:
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


def test_the_older_forward_colouring_of_the_source() -> None:
    """E-30."""
    vector, energy, weight = source.forward_colouring([1, 0], 1, 0.5, 0.5, [0, 1], weigh=True)
    assert (vector, energy, weight) == (
        approximately([0.875, 0.125]),
        approximately(1.0),
        approximately(1.25),
    )


def test_the_older_flow_of_the_source() -> None:
    """E-31."""
    there = source.flow(2, (0.8, 0.2), 1.5, -0.5, 0.6)
    back = source.flow(2, (0.8, 0.2), 1.5, -0.5, 0.6, forward=False)
    assert (there, back) == approximately((5.76, 0.96))
    assert source.apply_flow(1, 0.7) == approximately((0.7, 0.3))


def test_states_end_in_merging_and_reflecting_is_not_skipped() -> None:
    """I-1."""
    assert not TRANSITIONS[State.MERGING]
    merging = {state for state, ways in TRANSITIONS.items() if State.MERGING in ways}
    assert merging == {State.REFLECTING, State.CRYSTALLIZING}
    assert State.MERGING in STRICT_TRANSITIONS[State.RESONATING]
    assert set(f.STATE_MULTIPLIERS) == set(State) == set(TRANSITIONS)


@given(vectors, vectors, vectors, st.lists(vectors, max_size=4), st.lists(vectors, max_size=3))
def test_factors_and_score_are_within_zero_and_one(
    q: list[float],
    i: list[float],
    link: list[float],
    path: list[list[float]],
    siblings: list[list[float]],
) -> None:
    """I-9."""
    factors = [source.alignment(q, i, link), f.novelty(link, path), f.novelty(link, siblings)]
    assert all(-1e-9 <= factor <= 1 + 1e-9 for factor in (*factors, source.score(*factors)))


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.floats(0.01, 1)), max_size=12))
def test_satisfaction_never_falls(finds: list[tuple[str, float]]) -> None:
    """I-4, I-16."""
    findings: dict[str, float] = {}
    satisfaction = 0.0
    for id, aligned in finds:
        findings, after = f.resonate(findings, id, aligned, satisfaction)
        assert satisfaction <= after <= 1
        satisfaction = after
    assert all(0 < value <= 1 for value in findings.values())


@given(st.lists(st.tuples(st.floats(-1, 1), st.booleans()), max_size=8))
def test_awareness_never_falls(steps: list[tuple[float, bool]]) -> None:
    """I-11."""
    values = list(
        accumulate((f.effective_hierarchy(*s) for s in steps), f.awareness, initial=(0.0, 0.0))
    )
    assert all(a <= c and b <= d for (a, b), (c, d) in pairwise(values))


@given(st.lists(st.floats(-1, 1), max_size=10))
def test_fatigue_needs_five_small_steps(history: list[float]) -> None:
    """I-13."""
    assert f.is_fatigued(history) == (len(history) >= 5 and max(map(abs, history[-5:])) < 0.05)


@given(vectors, vectors, st.floats(0, 5), shares, shares)
def test_colouring_with_the_intention_never_turns_away_from_it(
    link: list[float], intention: list[float], weight: float, reverse: float, boost: float
) -> None:
    """I-25."""
    if not any(link) or not any(intention):
        return
    [update] = colour_backward([reverse], intention, boost)
    after = update.apply(LinkState(np.array(link), weight))
    assert after.weight == approximately(weight + boost)
    assert after.vector is not None
    if math.isclose(f.cosine(link, intention), -1, abs_tol=1e-6):
        return
    assert f.cosine(after.vector, intention) >= f.cosine(link, intention) - 1e-9


def snapshot(id: str) -> NodeSnapshot:
    return NodeSnapshot(id, id, "Actor", Kind.ACTOR, id, "", None, 1.0, 0.0, 0.5)


def draft(rank: int, embedding: list[float]) -> NarrativeDraft:
    ends = snapshot("a"), snapshot("b")
    return NarrativeDraft(f"0.{rank}", "", "", np.array(embedding), 1, 1, (), *ends, 0, 0, 0)


@given(st.lists(vectors, max_size=6), st.lists(vectors, max_size=6), st.floats(0.3, 0.95))
def test_no_narrative_is_created_close_to_another(
    planned: list[list[float]], existing: list[list[float]], threshold: float
) -> None:
    """I-6, E-28: neither close to an existing one nor to each other. Ids are unique."""
    drafts = [draft(rank, embedding) for rank, embedding in enumerate(planned)]
    narratives = [Narrative(f"n{at}", "", "", embedding) for at, embedding in enumerate(existing)]
    decisions = decide_drafts("r", drafts, {each.key: narratives for each in drafts}, threshold)
    created = [decision for decision in decisions if decision.created]
    assert len({decision.id for decision in created}) == len(created)
    for at, decision in enumerate(created):
        others: list[f.Vector] = [*existing, *(other.draft.embedding for other in created[:at])]
        assert all(f.cosine(decision.draft.embedding, other) < threshold for other in others)
    for decision in decisions:
        if not decision.created:
            assert decision.alignment >= threshold - 1e-6


@given(vectors, vectors, st.floats(0.1, 0.8))
def test_a_calibrated_cosine_is_measured_from_the_baseline(
    a: list[float], b: list[float], baseline: float
) -> None:
    raw, calibrated = f.cosine(a, b), f.calibrated_cosine(a, b, baseline)
    assert 0 <= calibrated <= 1
    assert (calibrated == 0) == (raw <= baseline)
    assert f.calibrated_cosine(a, b) == raw
