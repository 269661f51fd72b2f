"""Sources, tolerances, denial in sleep, blocks that lift, first weeks, and types by default."""

import itertools
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from asterism.clock import FixedClock
from asterism.graph import Graph
from asterism.settings import StarsSettings
from asterism.stars import detection
from tests.support.stars_oracle import decayed
from tests.support.stars_world import (
    add,
    close,
    day_number,
    days,
    established,
    link,
    read_pair,
    run,
    set_star,
    shape,
)

pytestmark = pytest.mark.verify_stars

EXACT: Any = {"abs": 1e-9, "rel": 0}


@pytest.mark.slow
async def test_a_source_counts_once_in_24_hours_for_each_type(
    graph: Graph, clock: FixedClock
) -> None:
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    confirmed = await graph.stars.evidence("a", "b", "user_confirms", source="user")
    assert (confirmed.outcome, confirmed.evidence_count) == ("capped", 2)
    clock.advance(hours=23)
    again = await graph.stars.evidence("a", "b", "user_confirms", source="user")
    assert again.outcome == "duplicate"
    assert "counted once in 24 hours per source and type" in again.why
    assert "source=" in again.why
    assert "--source" in again.why
    clock.advance(hours=1)
    later = await graph.stars.evidence("a", "b", "user_confirms", source="user")
    assert (later.outcome, later.evidence_count) == ("capped", 3)


async def test_evidence_with_an_id_that_has_counted_says_so(graph: Graph) -> None:
    await add(graph, "a", "b")
    await graph.stars.evidence("a", "b", "user_confirms", source="x", id="e")
    again = await graph.stars.evidence("a", "b", "user_confirms", source="y", id="e")
    assert again.outcome == "duplicate"
    assert "'e'" in again.why
    assert "24 hours" not in again.why


@pytest.mark.slow
@pytest.mark.parametrize("order", list(itertools.permutations([0.1, 0.2, 0.3])))
async def test_a_sum_that_reaches_a_band_reaches_it_in_any_order(
    graph: Graph, order: tuple[float, ...]
) -> None:
    total = sum(order)
    await add(graph, "a", "b")
    await established(graph, "a", "b", "RESONANCE", total, 8, "NASCENT")
    await shape(graph, "a", "b", strength=total - 1e-16)
    await close(graph)
    assert (await read_pair(graph, "a", "b")).state == "MODERATE"
    assert (await graph.stars.assign_type("a", "b", "TENSION")).state == "MODERATE"


@pytest.mark.slow
@pytest.mark.parametrize("edge", [0.2, 0.4, 0.6, 0.8])
async def test_a_band_begins_a_billionth_below_its_edge(graph: Graph, edge: float) -> None:
    bands = {0.2: "FORMING", 0.4: "WEAK", 0.6: "MODERATE", 0.8: "STRONG"}
    await add(graph, "a", "b")
    for strength, inside in ((edge - 1e-10, True), (edge - 1e-8, False)):
        await established(graph, "a", "b", "RESONANCE", strength, 8, "NASCENT")
        await close(graph)
        assert ((await read_pair(graph, "a", "b")).state == bands[edge]) is inside


@pytest.mark.slow
async def test_four_gains_of_the_daily_cap_make_a_moderate_connection(
    graph: Graph, clock: FixedClock
) -> None:
    await add(graph, "a", "b")
    for day in range(4):
        for source in "xy":
            await graph.stars.evidence("a", "b", "user_confirms", source=f"{source}{day}")
        await close(graph)
        clock.advance(days=1)
    made = await read_pair(graph, "a", "b")
    assert made.strength == pytest.approx(0.6, **EXACT)
    assert made.state == "MODERATE"


def test_detectors_compare_with_the_same_tolerance() -> None:
    settings = StarsSettings()
    engaged = np.zeros((2, 30), dtype=bool)
    engaged[:, :24] = True
    for progress, blocks in ((0.05 - 1e-11, False), (0.05 - 1e-7, True)):
        closes = np.vstack([np.full(31, 0.5), np.full(31, 0.5)])
        closes[1, -1] += progress
        series = detection.Histories(closes, engaged)
        detected = detection.blocking(series, np.array([0]), np.array([1]), settings)
        assert bool(detected[0]) is blocks


@pytest.mark.slow
async def test_denial_in_sleep_goes_by_the_state_it_fell_asleep_in(
    graph: Graph, clock: FixedClock
) -> None:
    await add(graph, "a", "b", "c", created_at=clock.now() - timedelta(days=10))
    await established(graph, "a", "b", "RESONANCE", 0.35, 8, "FORMING")
    await established(graph, "a", "c", "RESONANCE", 0.5, 8, "WEAK")
    await graph.stars.retire("a", "b")
    await graph.stars.retire("a", "c")
    assert await graph.stars.disconnect("a", "b") is None
    left = await graph.stars.disconnect("a", "c")
    assert left is not None
    assert left.state == "DORMANT"
    assert left.strength == pytest.approx(0.35, **EXACT)
    # asleep since it was WEAK: weaker now, it still only loses strength
    again = await graph.stars.disconnect("a", "c")
    assert again is not None
    assert again.strength == pytest.approx(0.20, **EXACT)


@pytest.mark.slow
async def test_denial_goes_by_the_state_of_the_sleep_not_of_the_last_engagement(
    graph: Graph, clock: FixedClock
) -> None:
    await add(graph, "a", "b", created_at=clock.now())
    await add(graph, "old")
    await established(graph, "a", "b", "CAUSATION", 0.42, 8, "WEAK")
    await days(graph, clock, 30)
    changes = (await graph.stars.history("a", "b")).changes
    assert [(c.before, c.after) for c in changes][-1] == ("FORMING", "DORMANT")
    assert await graph.stars.disconnect("a", "b") is None


async def blocked(graph: Graph, *walls: tuple[str, float]) -> None:
    await add(graph, "b", brightness=0.9)
    for wall, strength in walls:
        await add(graph, wall)
        await established(graph, wall, "b", "BLOCKS", strength, 8, "MODERATE")
    await close(graph)


async def ceiling(graph: Graph) -> float:
    return (await graph.stars.get("b")).effective_max


@pytest.mark.slow
async def test_a_retired_block_is_lifted_at_once(graph: Graph) -> None:
    await blocked(graph, ("wall", 0.8), ("fence", 0.6))
    assert await ceiling(graph) == pytest.approx(0.6, **EXACT)
    await graph.stars.retire("wall", "b")
    assert await ceiling(graph) == pytest.approx(0.7, **EXACT)
    await graph.stars.retire("fence", "b")
    assert await ceiling(graph) == 1.0


@pytest.mark.slow
async def test_a_denied_block_is_lifted_at_once(graph: Graph) -> None:
    await blocked(graph, ("wall", 0.8))
    await graph.stars.disconnect("wall", "b")
    assert await ceiling(graph) == pytest.approx(1 - 0.65 / 2, **EXACT)
    await shape(graph, "wall", "b", strength=0.1)
    assert await graph.stars.disconnect("wall", "b") is None
    assert await ceiling(graph) == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("turned", [False, True])
async def test_a_block_of_another_type_or_turned_round_is_lifted_at_once(
    graph: Graph, turned: bool
) -> None:
    await blocked(graph, ("wall", 0.8))
    if turned:
        await graph.stars.assign_type("b", "wall", "BLOCKS")
    else:
        await graph.stars.connect("wall", "b", "TENSION")
    assert await ceiling(graph) == 1.0


@pytest.mark.slow
async def test_a_block_ends_with_its_blocker(graph: Graph) -> None:
    await blocked(graph, ("wall", 0.8))
    await graph.stars.remove("wall")
    assert await ceiling(graph) == 1.0


@pytest.mark.slow
async def test_a_block_is_lifted_when_its_blocker_turns_dark_or_is_integrated(
    graph: Graph,
) -> None:
    await blocked(graph, ("wall", 0.8))
    await graph.stars.flag_dark("wall")
    for kind in ("engagement", "shadow_task", "acknowledged"):
        await graph.stars.confront("wall", kind)
    assert await ceiling(graph) == pytest.approx(0.8, **EXACT)


@pytest.mark.slow
async def test_a_block_is_lifted_by_the_close_that_puts_its_blocker_to_sleep(
    graph: Graph, clock: FixedClock
) -> None:
    await blocked(graph, ("wall", 0.8))
    await set_star(graph, "wall", engaged_day=day_number(clock.now()) - 70)
    clock.advance(days=1)
    await close(graph)
    assert (await graph.stars.get("wall")).state == "DORMANT"
    assert (await ceiling(graph), (await graph.stars.blockers("b"))[0].active) == (1.0, False)


async def two_constellations(graph: Graph, young: str, old: str) -> None:
    created = graph.clock.now() - timedelta(days=2)
    await add(graph, young, constellation="young", brightness=0.6, created_at=created)
    await add(graph, old, constellation="old", brightness=0.6)


@pytest.mark.parametrize(("young", "old"), [("a", "b"), ("b", "a")])
async def test_one_young_constellation_is_enough_for_excavation(
    graph: Graph, young: str, old: str
) -> None:
    await two_constellations(graph, young, old)
    created = await graph.stars.evidence("a", "b", "co_mention_session", source="x")
    assert created.outcome == "created"
    assert created.strength == pytest.approx(0.0384, **EXACT)


@pytest.mark.slow
@pytest.mark.parametrize(("young", "old"), [("a", "b"), ("b", "a")])
@pytest.mark.parametrize("first", ["a", "b"])
async def test_excavation_slows_decay_whichever_way_a_connection_points(
    graph: Graph, young: str, old: str, first: str
) -> None:
    today = day_number(graph.clock.now())
    await two_constellations(graph, young, old)
    second = "b" if first == "a" else "a"
    await link(graph, first, second, "CAUSATION", strength=0.6, engaged_day=today - 9)
    for id in "ab":
        await set_star(graph, id, engaged_day=today - 9)
    await close(graph)
    expected = decayed(0.6, "CAUSATION", 9, excavating=True)
    assert (await read_pair(graph, "a", "b")).strength == pytest.approx(expected, **EXACT)


@pytest.mark.slow
async def test_a_type_without_a_clear_pattern_is_reported_as_the_default(graph: Graph) -> None:
    today = day_number(graph.clock.now())
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    window = list(range(today - 30, today))
    await set_star(
        graph, "a", daily_closes=[0.3, 0.4, 0.5, 0.4] * 7 + [0.3, 0.4], closed_day=today - 1
    )
    await set_star(
        graph, "b", daily_closes=[0.4, 0.5, 0.4, 0.3] * 7 + [0.4, 0.5], closed_day=today - 1
    )
    for id in "ab":
        await set_star(graph, id, engaged_days=window)
    await shape(graph, "a", "b", type_source="DETECTED", type_evaluated_day=today - 9)
    await graph.stars.evaluate_types(graph.clock.now().date())
    looked = await read_pair(graph, "a", "b")
    assert looked.corr is not None
    assert (looked.type, looked.type_source) == ("RESONANCE", "DEFAULT")
    assert looked.why.startswith("RESONANCE by default")
    assert "detected" not in looked.why
    assert looked.confidence == pytest.approx(0.3 * looked.evidence_eff / 8, **EXACT)


@pytest.mark.slow
async def test_a_type_that_lost_its_pattern_changes_by_the_rule_default(graph: Graph) -> None:
    today = day_number(graph.clock.now())
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    await graph.stars.assign_type("a", "b", "TENSION")
    await shape(graph, "a", "b", type_source="DETECTED", type_evaluated_day=today - 9)
    await shape(graph, "a", "b", type_changed_day=today - 20)
    [change] = await graph.stars.evaluate_types(graph.clock.now().date())
    assert (change.before, change.after, change.rule) == ("TENSION", "RESONANCE", "default")
    rows = await run(graph, "MATCH (:Star {realm: $realm})-[r]->() RETURN r.type_source AS source")
    assert rows == [{"source": "DEFAULT"}]
