"""The edge cases of the specification, and refusals that leave nothing behind."""

import math
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.errors import AsterismError, Conflict, InvalidInput, NotFound
from asterism.graph import Graph
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
    star,
)

pytestmark = pytest.mark.verify_stars

EXACT: Any = {"abs": 1e-9, "rel": 0}
Call = Callable[[Graph], Awaitable[Any]]

REFUSED: list[tuple[type[AsterismError], str, Call]] = [
    (InvalidInput, "itself", lambda g: g.stars.connect("a", "a")),
    (NotFound, "nobody", lambda g: g.stars.connect("a", "nobody")),
    (NotFound, "nobody", lambda g: g.stars.engage("nobody")),
    (NotFound, "nobody", lambda g: g.stars.get("nobody")),
    (NotFound, "nobody", lambda g: g.stars.connections("nobody")),
    (NotFound, "a|b", lambda g: g.stars.disconnect("a", "b")),
    (NotFound, "a|b", lambda g: g.stars.retire("a", "b")),
    (NotFound, "a|b", lambda g: g.stars.assign_type("a", "b", "TENSION")),
    (InvalidInput, "type=", lambda g: g.stars.connect("a", "b", "FRIENDSHIP")),
    (InvalidInput, "type=", lambda g: g.stars.evidence("a", "b", "rumour", source="x")),
    (InvalidInput, "source=", lambda g: g.stars.evidence("a", "b", "user_confirms", source=" ")),
    (InvalidInput, "domain=", lambda g: g.stars.add("x", domain="sport")),
    (InvalidInput, "state=", lambda g: g.stars.add("x", domain="soul", state="SLEEPY")),
    (InvalidInput, "brightness=", lambda g: g.stars.add("x", domain="soul", brightness=1.5)),
    (InvalidInput, "brightness=", lambda g: g.stars.add("x", domain="soul", brightness=math.nan)),
    (InvalidInput, "id=", lambda g: g.stars.add("x", domain="soul", id="a|b")),
    (InvalidInput, "name=", lambda g: g.stars.add("", domain="soul")),
    (Conflict, "already exists", lambda g: g.stars.add("x", domain="soul", id="a")),
    (InvalidInput, "gains=", lambda g: g.stars.engage("a", gains=[math.inf])),
    (InvalidInput, "gains=", lambda g: g.stars.engage("a", gains=[-0.1])),
    (InvalidInput, "losses=", lambda g: g.stars.engage("a", losses=math.nan)),
    (InvalidInput, "kind=", lambda g: g.stars.confront("a", "shout")),
    (InvalidInput, "limit=", lambda g: g.stars.connections("a", limit=0)),
    (InvalidInput, "day=", lambda g: g.stars.close_day(g.clock.now().date() + timedelta(days=1))),
    (InvalidInput, "delta=", lambda g: g.stars.what_if("a", math.inf)),
    (
        InvalidInput,
        "future",
        lambda g: g.stars.evidence(
            "a", "b", "user_confirms", source="x", at=g.clock.now() + timedelta(seconds=1)
        ),
    ),
    (
        InvalidInput,
        "aware",
        lambda g: g.stars.engage("a", at=g.clock.now().replace(tzinfo=None)),
    ),
    (InvalidInput, "48 hours", lambda g: g.stars.engage("a", at=g.clock.now() - timedelta(days=3))),
]


@pytest.mark.slow
@pytest.mark.parametrize(("error", "words", "call"), REFUSED)
async def test_refusals_name_the_argument_and_write_nothing(
    graph: Graph, error: type[AsterismError], words: str, call: Call
) -> None:
    await add(graph, "a", "b")
    before = await graph.realms.stats()
    with pytest.raises(error, match=words.replace("|", r"\|")):
        await call(graph)
    assert await graph.realms.stats() == before


@pytest.mark.slow
async def test_another_realm_sees_and_changes_nothing(open_graph: Any) -> None:
    here, there = await open_graph(), await open_graph()
    await add(here, "a", "b")
    await here.stars.connect("a", "b")
    with pytest.raises(NotFound):
        await there.stars.connect("a", "b")
    await add(there, "a", "b", brightness=0.4)
    assert await there.stars.connection("a", "b") is None
    await there.stars.engage("a", gains=[0.05])
    await close(there)
    assert (await here.stars.get("a")).brightness == 1.0
    assert [star.id for star in await there.stars.list()] == ["a", "b"]
    with pytest.raises(NotFound):
        await there.stars.why("a", "b")
    assert await there.stars.fading() == []


@pytest.mark.slow
async def test_the_same_evidence_and_the_same_source_count_once(
    graph: Graph, clock: FixedClock
) -> None:
    await add(graph, "a", "b")
    first = await graph.stars.evidence("a", "b", "tars_confirmed", source="x", id="e")
    assert first.outcome == "created"
    for source, id in (("y", "e"), ("x", None)):
        repeated = await graph.stars.evidence("b", "a", "tars_confirmed", source=source, id=id)
        assert (repeated.outcome, repeated.strength) == ("duplicate", first.strength)
    clock.advance(hours=24)
    later = await graph.stars.evidence("a", "b", "tars_confirmed", source="x")
    assert (later.outcome, later.evidence_count) == ("counted", 2)


@pytest.mark.slow
async def test_old_observations_are_stored_but_do_not_count(
    graph: Graph, clock: FixedClock
) -> None:
    await add(graph, "a", "b")
    made = await graph.stars.connect("a", "b")
    old = clock.now() - timedelta(hours=48, seconds=1)
    late = await graph.stars.evidence("a", "b", "user_confirms", source="x", at=old)
    assert (late.outcome, late.strength, late.evidence_count) == ("late", made.strength, 1)
    counted = {e.type: e.counted for e in (await graph.stars.why("a", "b")).evidence}
    assert counted == {"user_creates": True, "user_confirms": False}


@pytest.mark.slow
async def test_evidence_a_day_late_counts_today_and_ages_from_then(
    graph: Graph, clock: FixedClock
) -> None:
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    clock.advance(days=3)
    observed_at = clock.now() - timedelta(hours=40)
    counted = await graph.stars.evidence("a", "b", "tars_confirmed", source="x", at=observed_at)
    assert counted.outcome == "counted"
    [link] = await run(
        graph, "MATCH (:Star {realm: $realm})-[r]->() RETURN r.evidence_days AS d, r.gains_day AS g"
    )
    assert link["g"] == day_number(clock.now())
    assert link["d"][-1] == day_number(observed_at)


@pytest.mark.slow
async def test_shared_evidence_gives_half_to_the_others(graph: Graph) -> None:
    await add(graph, "a", "b")
    made = await graph.stars.evidence("a", "b", "causation_detected", source="x", secondary=True)
    assert made.strength == pytest.approx(0.0432, **EXACT)


@pytest.mark.slow
async def test_two_co_mentions_within_a_week_make_a_connection(
    graph: Graph, clock: FixedClock
) -> None:
    await add(graph, "a", "b")
    one = await graph.stars.evidence("a", "b", "co_mention_session", source="x")
    assert (one.outcome, one.state, one.strength) == ("candidate", "NASCENT", 0.0)
    assert await graph.stars.connection("a", "b") is None
    clock.advance(days=7)
    two = await graph.stars.evidence("a", "b", "co_mention_session", source="y")
    assert two.outcome == "candidate"
    clock.advance(days=3)
    three = await graph.stars.evidence("b", "a", "co_mention_session", source="z")
    assert (three.outcome, three.evidence_count) == ("created", 2)
    assert three.strength == pytest.approx(0.0256 + 0.01792, **EXACT)


@pytest.mark.slow
async def test_denial_ends_a_young_connection_and_weakens_an_old_one(graph: Graph) -> None:
    await add(graph, "a", "b", "c")
    await graph.stars.connect("a", "b")
    assert await graph.stars.disconnect("b", "a") is None
    assert await graph.stars.connection("a", "b") is None
    [past] = (await graph.stars.history("a", "b")).past
    assert (past.strength, past.reason) == (0.15, "denied by the user")
    await established(graph, "a", "c", "RESONANCE", 0.5, 8, "WEAK")
    denied = await graph.stars.disconnect("a", "c")
    assert denied is not None
    assert denied.strength == pytest.approx(0.35, **EXACT)
    assert denied.state == "FORMING"


@pytest.mark.slow
@pytest.mark.parametrize(("wait", "strength"), [(6, 0.075 + 0.15), (7, 0.15)])
async def test_a_connection_made_again_within_a_week_gets_half_back(
    graph: Graph, clock: FixedClock, wait: int, strength: float
) -> None:
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b", "TENSION")
    await graph.stars.disconnect("a", "b")
    clock.advance(days=wait)
    again = await graph.stars.connect("a", "b")
    assert again.strength == pytest.approx(strength, **EXACT)
    [facts] = await run(
        graph,
        "MATCH (:Star {realm: $realm})-[r]->() RETURN r.type_hint AS hint, r.previous_types AS was",
    )
    assert facts == {"hint": "TENSION", "was": ["TENSION"] if wait < 7 else []}


@pytest.mark.slow
async def test_a_retired_connection_sleeps_until_new_evidence(
    graph: Graph, clock: FixedClock
) -> None:
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    assert (await graph.stars.retire("a", "b")).state == "DORMANT"
    await graph.stars.engage("a")
    assert (await read_pair(graph, "a", "b")).state == "DORMANT"
    woken = await graph.stars.evidence("a", "b", "user_confirms", source="x")
    assert woken.state == "NASCENT"
    await graph.stars.retire("a", "b")
    assert (await graph.stars.connect("a", "b")).state == "NASCENT"


@pytest.mark.slow
async def test_the_users_type_stays_whatever_the_data_says(graph: Graph) -> None:
    today = day_number(graph.clock.now())
    await add(graph, "a", "b")
    await link(graph, "a", "b", "TENSION", type_evaluated_day=today - 9)
    rising = [0.3 + day / 100 for day in range(30)]
    for id in ("a", "b"):
        window = list(range(today - 30, today))
        await set_star(graph, id, daily_closes=rising, closed_day=today - 1, engaged_days=window)
    await close(graph)
    connection = await read_pair(graph, "a", "b")
    assert (connection.type, connection.type_source) == ("TENSION", "USER")
    assert connection.computed_type == "RESONANCE"
    assert "the data says RESONANCE" in connection.why
    assert connection.evidence_count == 2


@pytest.mark.slow
async def test_a_sleeping_star_takes_its_connections_along_and_brings_them_back(
    graph: Graph, clock: FixedClock
) -> None:
    await add(graph, "a", brightness=0.65, state="FLICKERING", created_at=clock.now())
    await add(graph, "b")
    await established(graph, "a", "b", "RESONANCE", 0.7, 8, "MODERATE")
    await days(graph, clock, 14)
    asleep = await read_pair(graph, "a", "b")
    assert (asleep.state, asleep.dormant_reason) == ("DORMANT", "STAR")
    assert (await graph.stars.get("a")).state == "DORMANT"
    before = (await graph.stars.get("a")).brightness
    clock.advance(days=1)
    await close(graph)
    assert (await graph.stars.get("a")).brightness < before
    assert (await graph.stars.engage("a")).state == "FLICKERING"
    assert (await read_pair(graph, "a", "b")).state == "WEAK"


@pytest.mark.parametrize("state", ["NASCENT", "DORMANT"])
async def test_a_new_or_sleeping_star_takes_no_connection(graph: Graph, state: str) -> None:
    await add(graph, "a", state=state)
    await add(graph, "b")
    with pytest.raises(Conflict, match=state):
        await graph.stars.connect("a", "b")
    assert await graph.stars.connection("a", "b") is None


@pytest.mark.slow
async def test_an_acknowledged_star_is_lifted(graph: Graph) -> None:
    nascent = await graph.stars.add("new", domain="wealth", id="n", state="NASCENT")
    assert (nascent.brightness, nascent.variance) == (0.1, 0.3)
    await close(graph)
    assert (await graph.stars.get("n")).state == "NASCENT"
    star = await graph.stars.acknowledge("n")
    assert (star.brightness, star.state) == (0.3, "FLICKERING")


@pytest.mark.slow
async def test_two_dark_stars_drain_each_other(graph: Graph) -> None:
    await add(graph, "a", "b", brightness=0.5)
    await established(graph, "a", "b", "RESONANCE", 0.6, 8, "MODERATE")
    await shape(graph, "a", "b", type_source="DETECTED")
    await graph.stars.flag_dark("b")
    await graph.stars.flag_dark("a")
    mirror = await read_pair(graph, "a", "b")
    assert (mirror.type, mirror.a) == ("SHADOW_MIRROR", "a")
    await close(graph)
    for id in ("a", "b"):
        assert (await star(graph, id))["drain"] == pytest.approx(0.01 * 0.6 * 0.5, **EXACT)


@pytest.mark.slow
async def test_integration_turns_mirrors_to_resonance_and_halves_its_blocks(graph: Graph) -> None:
    await add(graph, "d", "x", "y", brightness=0.5)
    await established(graph, "d", "x", "RESONANCE", 0.6, 8, "MODERATE")
    await shape(graph, "d", "x", type_source="DETECTED")
    await established(graph, "d", "y", "BLOCKS", 0.6, 8, "MODERATE")
    for _ in range(3):
        dark = await graph.stars.contradict("d")
    assert dark.state == "DARK"
    assert (await read_pair(graph, "d", "x")).type == "SHADOW_MIRROR"
    assert (await read_pair(graph, "d", "y")).type == "BLOCKS"
    for kind in ("engagement", "shadow_task", "acknowledged"):
        await graph.stars.confront("d", kind)
    assert (await read_pair(graph, "d", "x")).type == "RESONANCE"
    assert (await read_pair(graph, "d", "y")).strength == pytest.approx(0.3, **EXACT)
    assert (await graph.stars.get("d")).contradictions == 0


@pytest.mark.slow
async def test_an_automatic_change_of_type_locks_it(graph: Graph, clock: FixedClock) -> None:
    today = day_number(clock.now())
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    window = list(range(today - 30, today))
    up = [0.3 + day / 100 for day in range(30)]
    await set_star(graph, "a", daily_closes=up, closed_day=today - 1, engaged_days=window)
    await set_star(graph, "b", daily_closes=up[::-1], closed_day=today - 1, engaged_days=window)
    await shape(graph, "a", "b", type_evaluated_day=today - 7)
    [change] = await graph.stars.evaluate_types(clock.now().date())
    assert (change.before, change.after) == ("RESONANCE", "TENSION")
    assert await graph.stars.evaluate_types(clock.now().date()) == []
    await set_star(graph, "b", daily_closes=up)
    await shape(graph, "a", "b", type_evaluated_day=today - 7)
    assert await graph.stars.evaluate_types(clock.now().date()) == []
    await shape(graph, "a", "b", type_evaluated_day=today - 7, type_changed_day=today - 14)
    [change] = await graph.stars.evaluate_types(clock.now().date())
    assert change.after == "RESONANCE"
    # detections are recorded once a day at most
    assert (await read_pair(graph, "a", "b")).evidence_count == 2


@pytest.mark.slow
async def test_a_strength_that_is_no_number_ends_the_connection(graph: Graph) -> None:
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    await shape(graph, "a", "b", strength=math.nan)
    await set_star(graph, "a", brightness=math.nan, previous_brightness=0.8)
    await graph.stars.engage("a")
    report = await graph.stars.close_day(graph.clock.now().date())
    assert report.dissolved == 1
    assert await graph.stars.connection("a", "b") is None
    assert (await graph.stars.get("a")).brightness == pytest.approx(0.8, **EXACT)


@pytest.mark.slow
async def test_an_empty_realm_has_empty_answers(graph: Graph) -> None:
    report = await graph.stars.close_day(graph.clock.now().date())
    assert (report.stars, report.connections) == (0, 0)
    assert await graph.stars.list() == []
    overview = await graph.stars.overview()
    assert (overview.stars, overview.density) == (0, 0.0)
    await graph.stars.add("only", domain="soul", id="a")
    await close(graph)
    assert (await graph.stars.overview()).isolated == ["a"]
    assert await graph.stars.verify() == []


@pytest.mark.slow
async def test_removing_a_star_archives_its_connections(graph: Graph) -> None:
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    await graph.stars.remove("a")
    with pytest.raises(NotFound):
        await graph.stars.get("a")
    [past] = (await graph.stars.history("a", "b")).past
    assert past.reason == "a was removed"


@pytest.mark.slow
async def test_sleeping_newcomers_can_be_archived(graph: Graph, clock: FixedClock) -> None:
    await add(graph, "a", "b", created_at=clock.now())
    await graph.stars.connect("a", "b")
    await days(graph, clock, 6)
    assert await graph.stars.archive() == 0
    clock.advance(days=62)
    await close(graph)
    assert await graph.stars.archive() == 1
    assert await graph.stars.connection("a", "b") is None


async def test_a_limit_of_connections_per_star_can_be_set(open_graph: Any) -> None:
    graph = await open_graph(settings={"stars": {"connections_per_star": 1}})
    await add(graph, "a", "b", "c")
    await graph.stars.connect("a", "b")
    with pytest.raises(Conflict, match="1 connections"):
        await graph.stars.connect("a", "c")


async def test_a_limit_of_connections_per_constellation_can_be_set(open_graph: Any) -> None:
    graph = await open_graph(settings={"stars": {"connections_per_constellation": 2}})
    await add(graph, "a", "b", "c", "d")
    await graph.stars.connect("a", "b")
    await graph.stars.connect("b", "c")
    with pytest.raises(Conflict, match="the constellation has 2 connections"):
        await graph.stars.connect("c", "d")
    await add(graph, "x", "y", constellation="elsewhere")
    assert await graph.stars.connect("x", "y")


@pytest.mark.slow
async def test_in_a_crowded_constellation_evidence_counts_half(open_graph: Any) -> None:
    gains = []
    for above in (None, 1):
        graph = await open_graph(settings={"stars": {"half_rate_above": above}})
        await add(graph, "a", "b", "c")
        await graph.stars.connect("a", "b")
        await graph.stars.connect("b", "c")
        before = await graph.stars.connection("a", "b")
        await graph.stars.evidence("a", "b", "co_mention_response", source="one")
        after = await graph.stars.connection("a", "b")
        gains.append(after.strength - before.strength)
    assert gains[1] == pytest.approx(gains[0] / 2, abs=1e-9)


@pytest.mark.slow
async def test_a_change_spills_over_further_hops_if_the_setting_says_so(
    open_graph: Any, clock: FixedClock
) -> None:
    """D-46: half of it for each further hop, times that hop's strength."""
    spills = []
    start = clock.now()
    for hops in (1, 2, 3):
        clock.set(start)
        graph = await open_graph(settings={"stars": {"cascade_hops": hops}})
        await add(graph, "a", "b", "c", "d", brightness=0.5)
        for a, b in ("ab", "bc", "cd"):
            await established(graph, a, b, "RESONANCE", 0.8, 8, "STRONG")
        for id in "bcd":
            await graph.stars.engage(id)
        await graph.stars.engage("a", gains=[0.05])
        await close(graph)
        spills.append([(await star(graph, id))["spill"] for id in "bcd"])
    hop = 0.05 * 0.15 * 0.8
    assert spills[0] == pytest.approx([hop, 0.0, 0.0], abs=1e-9)
    assert spills[1] == pytest.approx([hop, hop * 0.4, 0.0], abs=1e-9)
    assert spills[2] == pytest.approx([hop, hop * 0.4, hop * 0.16], abs=1e-9)


@pytest.mark.slow
async def test_stars_added_long_after_the_last_close_break_no_rule(
    graph: Graph, clock: FixedClock
) -> None:
    await add(graph, "a", "b")
    await close(graph)
    clock.advance(days=9)
    await add(graph, "c")
    await graph.stars.connect("a", "c")
    assert await graph.stars.verify() == []
