"""The printed vectors of S-1 to S-34 and B-1 to B-6: pure ones here, the others through a graph."""

from datetime import timedelta
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.clock import FixedClock
from asterism.graph import Graph
from asterism.settings import StarsSettings
from asterism.stars import detection
from asterism.stars.detection import Events
from tests.support.stars_oracle import decayed, effective, irregularity, ranked_total
from tests.support.stars_world import (
    add,
    close,
    day_number,
    established,
    link,
    read_pair,
    set_star,
    shape,
    star,
)

pytestmark = pytest.mark.verify_stars

EXACT: Any = {"abs": 1e-9, "rel": 0}
PRINTED: Any = {"abs": 5e-10, "rel": 0}
SETTINGS = StarsSettings()


def correlation(x: list[float], y: list[float]) -> float:
    mask = np.ones((1, len(x)), dtype=bool)
    return float(detection.pearson(np.array([x]), np.array([y]), mask, 5)[0])


def lags(hours: list[float]) -> detection.Lags:
    """One event of A, and one of B after each of these lags."""
    one = Events(np.array([0.0]), np.array([0.1]))
    return detection.lags(one, Events(np.array(hours), np.full(len(hours), 0.1)), SETTINGS)


def test_correlation_of_two_series() -> None:
    a = [0.2, 0.3, 0.4, 0.5, 0.6]
    assert correlation(a, [0.1, 0.25, 0.2, 0.4, 0.35]) == pytest.approx(0.860946032, abs=5e-10)
    assert correlation(a, [0.5, 0.45, 0.46, 0.40, 0.41]) == pytest.approx(-0.900749517, abs=5e-10)


def test_correlation_is_undefined_for_few_points_or_no_variance() -> None:
    assert np.isnan(correlation([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]))
    assert np.isnan(correlation([0.3] * 7, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]))


@pytest.mark.parametrize(
    ("hours", "confidence"),
    [
        ([20, 24, 28], 0.125),
        ([22, 26, 24, 20, 28], 0.364583333),
        ([23, 24, 25, 24, 24, 23, 25, 24], 0.976190476),
        ([10, 40, 70], 0.0),
        ([24, 24], 0.0),
        ([0.0, 24, 72.0], 0.0),
    ],
)
def test_steady_lags_give_confidence(hours: list[float], confidence: float) -> None:
    assert lags(hours).confidence == pytest.approx(confidence, abs=5e-10)


def test_the_sign_of_lags_is_the_majority_and_a_tie_is_negative() -> None:
    cause = Events(np.array([0.0]), np.array([0.1]))
    for deltas, sign in (([0.1, 0.1, -0.1], 1), ([-0.1, -0.1, 0.1], -1), ([1, -1, 1, -1], -1)):
        hours = np.arange(1.0, len(deltas) + 1)
        assert detection.lags(cause, Events(hours, np.array(deltas)), SETTINGS).sign == sign


@pytest.mark.parametrize(("about", "blocks"), [(14, True), (10, False)])
def test_a_block_is_detected_while_the_blocker_is_active_on_most_stuck_days(
    about: int, blocks: bool
) -> None:
    """B is engaged 24 of 30 days and rises by 0.02, A is active on 14 or 10 of 20 stuck days."""
    rises = np.array([0.0] * 20 + [0.005] * 4 + [0.0] * 6)
    engaged = np.zeros((2, 30), dtype=bool)
    engaged[1, :24] = True
    engaged[0, :about] = True
    closes = np.vstack([np.full(31, 0.5), 0.3 + np.concatenate([[0.0], np.cumsum(rises)])])
    series = detection.Histories(closes, engaged)
    a, b = np.array([0]), np.array([1])
    assert bool(detection.blocking(series, a, b, SETTINGS)[0]) is blocks


def test_daily_closes_are_aligned_to_the_days_of_the_window() -> None:
    star = detection.BrightnessSeries("a", "BRIGHT", [0.1, 0.2, 0.3], 101, [60, 99, 100])
    series = detection.histories([star], 100, 4)
    assert series.closes[0].tolist()[3:] == [0.1, 0.2]
    assert np.isnan(series.closes[0][:3]).all()
    assert series.engaged[0].tolist() == [False, False, True, True]


async def test_strength_is_clamped_and_capped_per_day(graph: Graph) -> None:
    await add(graph, "a", "b")
    created = await graph.stars.connect("a", "b")
    assert created.strength == pytest.approx(0.15, **EXACT)
    await shape(graph, "a", "b", strength=0.98, gains_day=None)
    again = await graph.stars.evidence("a", "b", "user_confirms", source="x")
    assert (again.strength, again.outcome) == (1.0, "capped")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("type", "idle", "start", "expected"),
    [
        ("RESONANCE", 0, 0.6, 0.0),
        ("RESONANCE", 3, 0.6, 0.003966953),
        ("RESONANCE", 9, 0.6, 0.007933906),
        ("RESONANCE", 9, 0.8, 0.014425283),
        ("TENSION", 9, 0.8, 0.020506245),
        ("BLOCKS", 9, 0.8, 0.020506245),
        ("CAUSATION", 9, 0.8, 0.030508324),
        ("GROWTH_EDGE", 9, 0.8, 0.009653840),
        ("SHADOW_MIRROR", 9, 0.8, 0.007254303),
        ("RESONANCE", 9, 0.05, 0.0),
        ("RESONANCE", 9, 0.0075, 0.0),
    ],
)
async def test_a_connection_decays_by_half_life_activity_and_floor(
    graph: Graph, type: str, idle: int, start: float, expected: float
) -> None:
    today = day_number(graph.clock.now())
    await add(graph, "a", "b")
    await link(graph, "a", "b", type, strength=start, engaged_day=today - idle, state="STRONG")
    await close(graph)
    assert start - (await read_pair(graph, "a", "b")).strength == pytest.approx(expected, **PRINTED)


@pytest.mark.parametrize(("days", "left"), [(7, 0.709257), (14, 0.637685), (30, 0.519755)])
def test_days_of_decay_are_single_steps(days: int, left: float) -> None:
    s = 0.8
    for _ in range(days):
        s = decayed(s, "RESONANCE", 9)
    assert s == pytest.approx(left, abs=5e-7)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strength", "pieces", "state"),
    [
        (0.85, 8, "STRONG"),
        (0.85, 7, "MODERATE"),
        (0.85, 4, "WEAK"),
        (0.85, 2, "FORMING"),
        (0.85, 1, "NASCENT"),
        (0.1999, 9, "NASCENT"),
        (0.4, 9, "WEAK"),
        (0.3999, 9, "FORMING"),
    ],
)
async def test_the_state_needs_strength_and_evidence(
    graph: Graph, strength: float, pieces: int, state: str
) -> None:
    await add(graph, "a", "b")
    await established(graph, "a", "b", "RESONANCE", strength, pieces, "NASCENT")
    await close(graph)
    assert (await read_pair(graph, "a", "b")).state == state


@pytest.mark.slow
async def test_evidence_counts_in_full_then_half_then_not_at_all(graph: Graph) -> None:
    today = day_number(graph.clock.now())
    ages = [2, 10, 30, 31, 45, 60, 61, 200]
    await add(graph, "a", "b")
    await link(graph, "a", "b", "RESONANCE", evidence_days=[today - age for age in ages])
    await close(graph)
    assert (await read_pair(graph, "a", "b")).evidence_eff == pytest.approx(4.5, **EXACT)
    assert effective([-age for age in ages], 0) == 4.5


def test_irregular_evidence_days_give_a_share_of_variance() -> None:
    assert irregularity([0, 3, 6, 10, 12, 15]) == pytest.approx(0.052631579, abs=5e-10)
    assert irregularity([0, 1, 2, 3, 15]) == pytest.approx(0.682652, abs=5e-7)


async def test_confidence_needs_much_and_regular_evidence(graph: Graph) -> None:
    today = day_number(graph.clock.now())
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    days = [today - back for back in (15, 12, 9, 5, 3)]
    await shape(graph, "a", "b", evidence_days=days, type_source="DETECTED")
    connection = await graph.stars.evidence("a", "b", "tars_confirmed", source="x")
    assert connection.evidence_eff == 6.0
    assert connection.confidence == pytest.approx(0.5 * 0.75 * (1 - 0.052631578947), **EXACT)


LITERAL = {
    "co_mention_response": (0.0075, 0.00525, 0.01125, 0.015, 0.05),
    "co_mention_session": (0.0256, 0.01792, 0.0384, 0.032, 0.08),
    "correlation_detected": (0.05, 0.035, 0.075, 0.05, 0.10),
    "user_confirms": (0.36, 0.252, 0.54, 0.18, 0.20),
    "user_creates": (0.625, 0.4375, 0.9375, 0.25, 0.25),
    "tars_confirmed": (0.1575, 0.11025, 0.23625, 0.105, 0.15),
    "causation_detected": (0.0864, 0.06048, 0.1296, 0.072, 0.12),
}


async def raw_gains(graph: Graph, clock: FixedClock, *, stale: bool) -> dict[str, float]:
    """The raw gain of each type on a connection of its own."""
    gains = {}
    for number, type in enumerate(LITERAL):
        a, b = f"{number}a", f"{number}b"
        await add(graph, a, b)
        await graph.stars.connect(a, b)
        before = day_number(clock.now()) - (6 if stale else 7)
        await shape(graph, a, b, gains_day=before, gains_today=[], strength_gained_today=0.0)
        await graph.stars.evidence(a, b, type, source="s", id=f"e{number}")
        why = await graph.stars.why(a, b)
        gains[type] = next(e.raw_gain for e in why.evidence if e.id == f"e{number}")
    return gains


@pytest.mark.slow
async def test_fresh_evidence_gives_the_printed_gains(graph: Graph, clock: FixedClock) -> None:
    gains = await raw_gains(graph, clock, stale=False)
    assert gains == pytest.approx({type: row[0] for type, row in LITERAL.items()}, abs=1e-9)


@pytest.mark.slow
async def test_evidence_within_a_week_gives_seven_tenths(graph: Graph, clock: FixedClock) -> None:
    stale = await raw_gains(graph, clock, stale=True)
    assert stale == pytest.approx({type: row[1] for type, row in LITERAL.items()}, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "column"), [("single", 3), ("canonical", 4)])
async def test_other_gain_modes_leave_factors_out(
    open_graph: Any, clock: FixedClock, mode: str, column: int
) -> None:
    graph = await open_graph(settings={"stars": {"gain_mode": mode}})
    gains = await raw_gains(graph, clock, stale=False)
    assert gains == pytest.approx({type: row[column] for type, row in LITERAL.items()}, abs=1e-9)


async def test_excavation_raises_gains(graph: Graph) -> None:
    await add(graph, "a", "b", created_at=graph.clock.now())
    created = await graph.stars.evidence("a", "b", "co_mention_session", source="x")
    assert created.outcome == "created"
    assert created.strength == pytest.approx(0.0384, **EXACT)


@pytest.mark.slow
async def test_excavation_slows_decay_for_seven_days(graph: Graph, clock: FixedClock) -> None:
    today = day_number(clock.now())
    begun = clock.now() - timedelta(days=6)
    await add(graph, "a", "b", created_at=begun)
    await link(graph, "a", "b", "RESONANCE", strength=0.6, state="WEAK", engaged_day=today - 9)
    await set_star(graph, "a", engaged_day=today - 9)
    await set_star(graph, "b", engaged_day=today - 9)
    await close(graph)
    assert 0.6 - (await read_pair(graph, "a", "b")).strength == pytest.approx(
        0.003966953, **PRINTED
    )
    clock.advance(days=1)
    before = (await read_pair(graph, "a", "b")).strength
    await close(graph)
    expected = decayed(before, "RESONANCE", 10)
    assert (await read_pair(graph, "a", "b")).strength == pytest.approx(expected, **EXACT)


async def test_gains_of_a_day_are_ranked_by_size(graph: Graph) -> None:
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    today = day_number(graph.clock.now())
    gains = [0.0075, 0.01792, 0.035, 0.06048]
    total = ranked_total(gains)
    await shape(
        graph,
        "a",
        "b",
        gains_day=today,
        gains_today=gains,
        strength_gained_today=total,
        strength=0.3,
    )
    # a stale session adds the fifth gain, 0.01792
    connection = await graph.stars.evidence("a", "b", "co_mention_session", source="x")
    assert connection.strength - 0.3 + total == pytest.approx(0.089398, **EXACT)


async def test_gains_may_be_ranked_by_arrival(open_graph: Any) -> None:
    graph = await open_graph(settings={"stars": {"diminishing": "sequential"}})
    today = day_number(graph.clock.now())
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    await shape(
        graph,
        "a",
        "b",
        gains_day=today,
        gains_today=[0.0075, 0.01792, 0.035, 0.06048],
        strength_gained_today=0.0348,
        strength=0.3,
    )
    connection = await graph.stars.evidence("a", "b", "co_mention_session", source="x")
    assert connection.strength - 0.3 + 0.0348 == pytest.approx(0.036592, **EXACT)


@given(st.lists(st.floats(0.001, 0.6), min_size=1, max_size=8))
def test_a_further_gain_never_lowers_the_total_of_a_day(gains: list[float]) -> None:
    totals = [min(ranked_total(gains[:n]), 0.15) for n in range(1, len(gains) + 1)]
    assert all(later >= earlier - 1e-12 for earlier, later in pairwise(totals))
    assert ranked_total(gains) == pytest.approx(ranked_total(list(reversed(gains))))


@given(st.floats(0, 1), st.sampled_from(["RESONANCE", "CAUSATION", "BLOCKS"]), st.integers(0, 99))
def test_decay_stays_in_range_and_never_raises(s: float, kind: str, idle: int) -> None:
    left = decayed(s, kind, idle)
    assert 0 <= left <= s
    assert left >= min(s, 0.05)


Case = SimpleNamespace
EFFECTS = [
    Case(type="RESONANCE", s=0.7, gains=[0.06], multiplier=10 / 6, losses=0.0, effect=0.0105),
    Case(type="RESONANCE", s=0.7, gains=[], multiplier=1.0, losses=0.1, effect=-0.00525),
    Case(type="TENSION", s=0.5, gains=[0.06], multiplier=10 / 6, losses=0.0, effect=-0.004),
    Case(type="TENSION", s=0.5, gains=[0.05], multiplier=1.0, losses=0.0, effect=0.0),
]


@pytest.mark.slow
@pytest.mark.parametrize("case", EFFECTS)
async def test_resonance_spills_over_and_tension_drains(
    graph: Graph, case: SimpleNamespace
) -> None:
    await add(graph, "a", "b", brightness=0.5)
    await established(graph, "a", "b", case.type, case.s, 8, "MODERATE")
    await set_star(graph, "a", impact_multiplier=case.multiplier)
    await graph.stars.engage("a", gains=case.gains, losses=case.losses)
    await graph.stars.engage("b")
    await close(graph)
    assert (await graph.stars.get("b")).brightness - 0.5 == pytest.approx(case.effect, **EXACT)


@pytest.mark.slow
async def test_a_growth_edge_raises_gains_of_the_next_day(graph: Graph, clock: FixedClock) -> None:
    await add(graph, "a", "b", brightness=0.6)
    await established(graph, "a", "b", "GROWTH_EDGE", 0.65, 8, "MODERATE")
    await close(graph)
    assert (await graph.stars.get("b")).impact_multiplier == pytest.approx(1.13, **EXACT)
    clock.advance(days=1)
    await set_star(graph, "b", brightness=0.6)
    await graph.stars.engage("b", gains=[0.10], losses=0.01)
    await close(graph)
    assert (await graph.stars.get("b")).brightness == pytest.approx(0.6578, **EXACT)


@pytest.mark.slow
async def test_a_dark_star_drains_the_other_end_of_its_mirror(graph: Graph) -> None:
    await add(graph, "a", brightness=0.5)
    await add(graph, "d", brightness=0.2, state="DARK")
    await established(graph, "a", "d", "SHADOW_MIRROR", 0.7, 8, "MODERATE")
    await graph.stars.engage("a")
    await graph.stars.engage("d")
    await close(graph)
    assert (await graph.stars.get("a")).brightness == pytest.approx(0.5 - 0.0056, **EXACT)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("s", "ceiling"), [(0.40, 0.80), (0.45, 0.775), (0.60, 0.70), (0.80, 0.60), (1.0, 0.50)]
)
async def test_a_block_lowers_the_ceiling_at_the_close(
    graph: Graph, s: float, ceiling: float
) -> None:
    await add(graph, "a", "b")
    await established(graph, "a", "b", "BLOCKS", s, 8, "MODERATE")
    await close(graph)
    blocked = await graph.stars.get("b")
    assert blocked.effective_max == pytest.approx(ceiling, **EXACT)
    assert blocked.brightness <= ceiling
    [blocker] = await graph.stars.blockers("b")
    assert (blocker.active, blocker.bright_possible) == (True, s <= 0.6)


@pytest.mark.slow
@pytest.mark.parametrize(("s", "ceiling"), [(0.35, 0.825), (0.29, 1.0)])
async def test_a_block_ends_below_its_release(graph: Graph, s: float, ceiling: float) -> None:
    await add(graph, "a", "b")
    await established(graph, "a", "b", "BLOCKS", s, 8, "FORMING")
    await shape(graph, "a", "b", block_active=True)
    await close(graph)
    assert (await graph.stars.get("b")).effective_max == pytest.approx(ceiling, **EXACT)


@pytest.mark.slow
async def test_effects_are_capped_per_star_and_day(graph: Graph) -> None:
    await add(graph, "t", brightness=0.7)
    others = [f"o{n}" for n in range(8)]
    for other in others:
        await add(graph, other, brightness=0.5)
        await established(graph, "t", other, "RESONANCE", 0.9, 8, "STRONG")
        await set_star(graph, other, impact_multiplier=3.0)
        await graph.stars.engage(other, gains=[0.06])
    await graph.stars.engage("t")
    await close(graph)
    assert (await star(graph, "t"))["spill"] == pytest.approx(0.10, **EXACT)
    assert (await graph.stars.get("t")).brightness == pytest.approx(0.8, **EXACT)


@pytest.mark.slow
async def test_stars_with_many_connections_form_new_ones_more_slowly(graph: Graph) -> None:
    others = [f"o{n:02}" for n in range(12)]
    await add(graph, "hub", *others)
    gains = []
    for other in others:
        await graph.stars.connect("hub", other)
        [record] = (await graph.stars.why("hub", other)).evidence
        gains.append(record.raw_gain / 0.625)
    assert gains == pytest.approx([1.0] * 11 + [10 / 11], abs=1e-9)


async def test_one_day_decays_then_takes_the_state(graph: Graph, clock: FixedClock) -> None:
    today = day_number(clock.now())
    await add(graph, "a", "b")
    await established(graph, "a", "b", "RESONANCE", 0.6, 5, "MODERATE")
    await shape(graph, "a", "b", engaged_day=today - 20)
    await set_star(graph, "a", engaged_day=today - 3)
    await close(graph)
    connection = await read_pair(graph, "a", "b")
    assert connection.strength == pytest.approx(0.596033047, **PRINTED)
    assert connection.state == "WEAK"


@pytest.mark.slow
@pytest.mark.parametrize(("since", "new", "due"), [(6, 2, False), (7, 0, True), (1, 3, True)])
async def test_types_are_reviewed_after_a_week_or_three_pieces_of_evidence(
    graph: Graph, since: int, new: int, due: bool
) -> None:
    today = day_number(graph.clock.now())
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    await shape(
        graph,
        "a",
        "b",
        type_evaluated_day=today - since,
        evidence_count=5,
        evidence_at_last_eval=5 - new,
    )
    report = await graph.stars.close_day(graph.clock.now().date())
    assert report.evaluated == int(due)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("b", "domain", "fades"),
    [(0.8, "health", 0.059542949), (0.6, "purpose", 0.007933906), (0.2, "health", 0.001488574)],
)
async def test_a_star_fades_by_the_half_life_of_its_domain(
    graph: Graph, clock: FixedClock, b: float, domain: str, fades: float
) -> None:
    await add(graph, "a", domain=domain, brightness=b)
    await close(graph)
    assert b - (await graph.stars.get("a")).brightness == pytest.approx(fades, **PRINTED)


async def test_variance_follows_the_changes_of_brightness(graph: Graph) -> None:
    await add(graph, "a", brightness=0.5)
    await set_star(graph, "a", variance=0.10, impact_multiplier=2.0)
    await graph.stars.engage("a", gains=[0.04])
    await close(graph)
    star = await graph.stars.get("a")
    assert star.brightness == pytest.approx(0.58, **EXACT)
    assert star.variance == pytest.approx(0.094, **EXACT)


@pytest.mark.slow
async def test_seven_calm_days_settle_a_star(graph: Graph, clock: FixedClock) -> None:
    new: dict[str, Any] = {"state": "FLICKERING", "created_at": clock.now()}
    await add(graph, "up", brightness=0.95, **new)
    await add(graph, "down", brightness=0.4, **new)
    for day in range(7):
        states = [(await graph.stars.get(id)).state for id in ("up", "down")]
        assert states == ["FLICKERING", "FLICKERING"], day
        await close(graph)
        clock.advance(days=1)
    assert (await graph.stars.get("up")).state == "BRIGHT"
    assert (await graph.stars.get("down")).state == "DIM"


@pytest.mark.slow
async def test_confrontation_integrates_a_dark_star(graph: Graph) -> None:
    await add(graph, "a", brightness=0.4)
    assert (await graph.stars.flag_dark("a")).state == "DARK"
    await graph.stars.confront("a", "engagement")
    assert (await graph.stars.confront("a", "shadow_task")).confrontation == pytest.approx(0.8)
    integrated = await graph.stars.confront("a", "acknowledged")
    assert (integrated.state, integrated.confrontation) == ("DIM", 0.0)
    await close(graph)
    assert (await graph.stars.get("a")).state == "DIM"
