"""Detection of causes, predictions that come true or not, and the questions people ask."""

from datetime import timedelta
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.errors import Conflict
from asterism.graph import Graph
from asterism.stars import EvidenceItem
from tests.support.stars_world import (
    add,
    close,
    day_number,
    days,
    established,
    link,
    read_pair,
    run,
    shape,
    star,
)

pytestmark = pytest.mark.verify_stars

EXACT: Any = {"abs": 1e-9, "rel": 0}


async def events(graph: Graph, star: str, hours: list[float], delta: float) -> None:
    """Brightness events of a star, so many hours before today's midnight."""
    midnight = graph.clock.now().replace(hour=0)
    for hour in hours:
        at = midnight - timedelta(hours=hour)
        await run(
            graph,
            "CREATE (:BrightnessEvent {realm: $realm, id: $id, star: $star, at: $at, day: $day, "
            "delta: $delta}) RETURN 1 AS one",
            id=f"{star} {hour}",
            star=star,
            at=at,
            day=day_number(at),
            delta=delta,
        )


async def led(graph: Graph, clock: FixedClock, delta: float) -> None:
    """B follows A by 24 hours, eight times, in the direction of `delta`."""
    await add(graph, "a", "b")
    await graph.stars.connect("b", "a")
    starts = [80.0 * n for n in range(1, 9)]
    await events(graph, "a", starts, 0.12)
    await events(graph, "b", [hour - 24 for hour in starts], delta)
    await shape(graph, "a", "b", type_evaluated_day=day_number(clock.now()) - 7)


@pytest.mark.slow
async def test_the_connections_of_a_star_come_strongest_first(graph: Graph) -> None:
    await add(graph, "sea", "sail", "storm")
    await link(graph, "sea", "storm", "TENSION", strength=0.3)
    await link(graph, "sea", "sail", "GROWTH_EDGE", strength=0.6)
    connections = await graph.stars.connections("sea")
    assert [(pair.type, pair.strength) for pair in connections] == [
        ("GROWTH_EDGE", 0.6),
        ("TENSION", 0.3),
    ]
    assert await graph.stars.connections("sea", limit=1) == connections[:1]


@pytest.mark.slow
@pytest.mark.parametrize(("delta", "type"), [(0.15, "GROWTH_EDGE"), (-0.15, "CAUSATION")])
async def test_steady_lags_make_a_cause(
    graph: Graph, clock: FixedClock, delta: float, type: str
) -> None:
    await led(graph, clock, delta)
    report = await graph.stars.close_day(clock.now().date())
    [change] = report.type_changes
    assert (change.a, change.b, change.after) == ("a", "b", type)
    connection = await read_pair(graph, "a", "b")
    assert connection.mean_lag_h == pytest.approx(24.0)
    assert connection.evidence_count == 2
    clock.advance(days=7)
    assert (await graph.stars.close_day(clock.now().date())).detected == 0


async def cause(graph: Graph) -> None:
    await add(graph, "a", "b", brightness=0.5)
    await established(graph, "a", "b", "CAUSATION", 0.6, 8, "MODERATE")
    await shape(graph, "a", "b", mean_lag_h=24.0, causation_confidence=0.976190, causation_sign=-1)


@pytest.mark.slow
async def test_a_prediction_that_comes_true_strengthens_its_cause(
    graph: Graph, clock: FixedClock
) -> None:
    await cause(graph)
    await graph.stars.engage("a", losses=0.12)
    await close(graph)
    [prediction] = await graph.stars.predictions(status="OPEN")
    assert (prediction.cause, prediction.effect, prediction.sign) == ("a", "b", 1)
    assert prediction.confidence == pytest.approx(0.585714, abs=5e-7)
    assert prediction.expected_at - prediction.issued_at == timedelta(hours=24)
    clock.advance(days=1)
    for _ in range(2):
        await graph.stars.engage("b", gains=[0.06])
        clock.advance(days=1)
    before = (await read_pair(graph, "a", "b")).strength
    await graph.stars.engage("a")
    await close(graph)
    assert (await read_pair(graph, "a", "b")).strength == pytest.approx(before + 0.05, **EXACT)
    [rate] = await graph.stars.hit_rates()
    assert (rate.verified, rate.expired, rate.hit_rate) == (1, 0, 1.0)
    assert (await read_pair(graph, "a", "b")).evidence_count == 8


@pytest.mark.slow
async def test_a_prediction_runs_out_after_72_hours(graph: Graph, clock: FixedClock) -> None:
    await cause(graph)
    await graph.stars.engage("a", losses=0.12)
    await days(graph, clock, 2)
    assert len(await graph.stars.predictions(status="OPEN", star="b")) == 1
    clock.advance(days=1)
    report = await graph.stars.close_day(clock.now().date())
    assert (report.predictions_expired, report.predictions_verified) == (1, 0)


@pytest.mark.slow
async def test_a_cause_without_a_lag_predicts_nothing(graph: Graph) -> None:
    await add(graph, "a", "b", brightness=0.5)
    await established(graph, "a", "b", "CAUSATION", 0.6, 8, "MODERATE")
    await graph.stars.engage("a", losses=0.12)
    await close(graph)
    assert await graph.stars.predictions() == []


@pytest.mark.slow
async def test_small_changes_add_up_to_an_event(graph: Graph, clock: FixedClock) -> None:
    await add(graph, "a", brightness=0.5)
    for expected in (0, 0, 1, 1):
        await graph.stars.engage("a", gains=[0.04])
        rows = await run(graph, "MATCH (e:BrightnessEvent {realm: $realm}) RETURN e.delta AS d")
        assert len(rows) == expected
        clock.advance(days=1)
    assert rows[0]["d"] == pytest.approx(0.12, **EXACT)


@pytest.mark.slow
async def test_what_if_spreads_and_stops_at_the_origin(graph: Graph) -> None:
    await add(graph, "a", "b", "c")
    for pair in (("a", "b"), ("b", "c"), ("a", "c")):
        await established(graph, *pair, "RESONANCE", 1.0, 8, "STRONG")
    before = await graph.realms.stats()
    ripples = await graph.stars.what_if("a", 0.2)
    along = {tuple(ripple.path): ripple.effect for ripple in ripples}
    assert along == {
        ("a", "b"): pytest.approx(0.03, **EXACT),
        ("a", "c"): pytest.approx(0.03, **EXACT),
        ("a", "b", "c"): pytest.approx(0.015, **EXACT),
        ("a", "c", "b"): pytest.approx(0.015, **EXACT),
        ("a", "b", "c", "a"): pytest.approx(0.0075, **EXACT),
        ("a", "c", "b", "a"): pytest.approx(0.0075, **EXACT),
    }
    assert len(await graph.stars.what_if("a", 0.2, hops=1)) == 2
    assert await graph.realms.stats() == before


@pytest.mark.slow
async def test_why_ranks_the_evidence_of_a_day(graph: Graph) -> None:
    await add(graph, "a", "b")
    await graph.stars.evidence("a", "b", "causation_detected", source="x")
    await graph.stars.evidence("a", "b", "tars_confirmed", source="y")
    why = await graph.stars.why("b", "a")
    assert {e.type: (e.rank, e.capped) for e in why.evidence} == {
        "causation_detected": (2, False),
        "tars_confirmed": (1, True),
    }
    assert sum(e.applied_gain for e in why.evidence) == pytest.approx(0.15, **EXACT)


@pytest.mark.slow
async def test_history_has_changes_and_weekly_strengths(graph: Graph, clock: FixedClock) -> None:
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    await graph.stars.assign_type("a", "b", "TENSION")
    await days(graph, clock, 14)
    history = await graph.stars.history("a", "b")
    assert [(c.field, c.before, c.after) for c in history.changes] == [
        ("type", "RESONANCE", "TENSION"),
        ("state", "NASCENT", "DORMANT"),
    ]
    assert history.changes[1].rule == "idle 7 days"
    assert len(history.weekly) == 3


@pytest.mark.slow
async def test_fading_counts_the_days_left(graph: Graph, clock: FixedClock) -> None:
    await add(graph, "a", "b", created_at=clock.now())
    await add(graph, "old")
    await established(graph, "a", "b", "TENSION", 0.75, 6, "MODERATE")
    [fading] = await graph.stars.fading()
    assert (fading.sleeps_in, fading.falls_in) == (45, 14)


@pytest.mark.slow
async def test_influences_loops_and_overview_of_a_small_world(graph: Graph) -> None:
    await add(graph, "a", "b", "c", brightness=0.5)
    await add(graph, "d", brightness=0.2, state="DARK")
    for pair in (("a", "b"), ("b", "c"), ("c", "a")):
        await established(graph, *pair, "CAUSATION", 0.5, 8, "WEAK")
    await established(graph, "d", "a", "SHADOW_MIRROR", 0.7, 8, "MODERATE")
    for id in "abcd":
        await graph.stars.engage(id)
    await close(graph)
    [drain] = await graph.stars.influences("a")
    assert drain.star == "d"
    assert drain.drain == pytest.approx(0.0056, **EXACT)
    assert drain.drain == pytest.approx((await star(graph, "a"))["drain"], **EXACT)
    [loop] = await graph.stars.loops()
    assert sorted(loop.stars) == ["a", "b", "c"]
    overview = await graph.stars.overview()
    assert overview.connections == 4
    assert overview.density == pytest.approx(4 / 6)
    assert overview.by_type == {"CAUSATION": 3, "SHADOW_MIRROR": 1}
    assert (await graph.stars.list(state="DARK"))[0].id == "d"


@pytest.mark.slow
async def test_evidence_in_bulk_equals_evidence_one_by_one(open_graph: Any) -> None:
    one, other = await open_graph(), await open_graph()
    ids = ["a", "b", "c", "d"]
    evidence = [
        (a, b, type, f"{type} {n}")
        for n in range(2)
        for a in ids
        for b in ids
        if a < b
        for type in ("co_mention_session", "tars_confirmed")
    ]
    for graph in (one, other):
        await add(graph, *ids)
        await add(graph, "asleep", state="DORMANT")
    singly = [await one.stars.evidence(a, b, t, source=s) for a, b, t, s in evidence]
    items = [EvidenceItem(a=a, b=b, type=t, source=s) for a, b, t, s in evidence]
    outcomes = await other.stars.evidence_many(
        [*items, {"a": "a", "b": "asleep", "type": "user_confirms", "source": "x"}]
    )
    assert outcomes[:-1] == [connection.outcome for connection in singly]
    assert isinstance(outcomes[-1], Conflict)
    for a, b, *_ in evidence:
        left, right = await read_pair(one, a, b), await read_pair(other, a, b)
        assert left.strength == pytest.approx(right.strength, **EXACT)
        assert left.evidence_count == right.evidence_count


@pytest.mark.slow
async def test_a_weekly_scan_connects_stars_with_a_common_neighbour(
    graph: Graph, clock: FixedClock
) -> None:
    await add(graph, "a", "b", "near", "far", brightness=0.3, domain="soul")
    await link(graph, "a", "near", "RESONANCE")
    await link(graph, "b", "near", "RESONANCE")
    for day in range(8):
        for id in ("a", "b", "far"):
            await graph.stars.engage(id, gains=[0.01 * (1 + day % 3)])
        await close(graph)
        clock.advance(days=1)
    made = await read_pair(graph, "a", "b")
    assert (made.type, made.type_source, made.evidence_count) == ("RESONANCE", "DETECTED", 1)
    assert made.strength == pytest.approx(0.05, **EXACT)
    assert await graph.stars.connection("a", "far") is None


@pytest.mark.slow
async def test_the_strongest_connections_of_a_star_come_first(graph: Graph) -> None:
    await add(graph, "a", "b", "c", "d")
    for other, strength in (("b", 0.3), ("c", 0.7), ("d", 0.5)):
        await link(graph, "a", other, "RESONANCE", strength=strength)
    strongest = await graph.stars.connections("a", limit=2)
    assert [connection.b for connection in strongest] == ["c", "d"]
