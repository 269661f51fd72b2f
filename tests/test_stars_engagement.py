"""Evidence engages stars, and only a brightness that really changes moves others."""

from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.errors import Conflict
from asterism.graph import Graph
from tests.support.stars_world import (
    add,
    close,
    day_number,
    days,
    established,
    read_pair,
    run,
    set_star,
    star,
)

pytestmark = pytest.mark.verify_stars

EXACT: Any = {"abs": 1e-9, "rel": 0}
ENGAGING = [
    "co_mention_response",
    "co_mention_session",
    "user_confirms",
    "user_creates",
    "tars_confirmed",
]


@pytest.mark.slow
@pytest.mark.parametrize("type", ["user_confirms", "co_mention_session", None])
async def test_a_connection_that_is_confirmed_every_day_never_sleeps(
    graph: Graph, clock: FixedClock, type: str | None
) -> None:
    for id in "ab":
        await graph.stars.add(id, id=id, domain="purpose")
    for _ in range(60):
        if type is None:
            await graph.stars.connect("a", "b")
        else:
            await graph.stars.evidence("a", "b", type, source="diary")
        await close(graph)
        clock.advance(days=1)
        assert (await read_pair(graph, "a", "b")).state != "DORMANT"
        assert {(await graph.stars.get(id)).state for id in "ab"}.isdisjoint({"DORMANT"})


async def idle_pair(graph: Graph) -> None:
    """Two connected stars that nobody engaged for nine days."""
    today = day_number(graph.clock.now())
    await add(graph, "a", "b", brightness=0.6, state="FLICKERING")
    await established(graph, "a", "b", "RESONANCE", 0.5, 8, "WEAK")
    for id in "ab":
        await set_star(graph, id, engaged_day=today - 9, engaged_days=[today - 9])


@pytest.mark.slow
@pytest.mark.parametrize("type", ENGAGING)
async def test_counted_evidence_engages_both_stars(graph: Graph, type: str) -> None:
    await idle_pair(graph)
    today = day_number(graph.clock.now())
    await graph.stars.evidence("a", "b", type, source="x")
    for id in "ab":
        properties = await star(graph, id)
        assert properties["engaged_day"] == today
        assert properties["engaged_days"][-1] == today
        assert properties["last_engaged"].to_native() == graph.clock.now()
    await close(graph)
    for id in "ab":
        assert (await graph.stars.get(id)).brightness == pytest.approx(0.6, **EXACT)


@pytest.mark.slow
@pytest.mark.parametrize("type", ["correlation_detected", "causation_detected"])
async def test_computed_evidence_engages_no_star(graph: Graph, type: str) -> None:
    await idle_pair(graph)
    before = [await star(graph, id) for id in "ab"]
    counted = await graph.stars.evidence("a", "b", type, source="x")
    assert counted.evidence_count == 9
    assert [await star(graph, id) for id in "ab"] == before
    await close(graph)
    for id in "ab":
        assert (await graph.stars.get(id)).brightness < 0.6


@pytest.mark.slow
async def test_evidence_that_does_not_count_engages_no_star(
    graph: Graph, clock: FixedClock
) -> None:
    await add(graph, "a", "b", "c", brightness=0.6)
    before = [await star(graph, id) for id in "ab"]
    waiting = await graph.stars.evidence("a", "b", "co_mention_session", source="x")
    assert waiting.outcome == "candidate"
    assert [await star(graph, id) for id in "ab"] == before


@pytest.mark.slow
async def test_evidence_wakes_its_stars_and_what_slept_because_of_them(
    graph: Graph, clock: FixedClock
) -> None:
    await add(graph, "a", "b", "c", brightness=0.65, state="FLICKERING", created_at=clock.now())
    await established(graph, "a", "b", "RESONANCE", 0.7, 8, "MODERATE")
    await established(graph, "a", "c", "RESONANCE", 0.7, 8, "MODERATE")
    await days(graph, clock, 8)
    await graph.stars.engage("c")
    await days(graph, clock, 7)
    assert [(await graph.stars.get(id)).state for id in "abc"][:2] == ["DORMANT", "DORMANT"]
    for other in "bc":
        assert (await read_pair(graph, "a", other)).dormant_reason == "STAR"
    confirmed = await graph.stars.evidence("a", "b", "user_confirms", source="x")
    assert (confirmed.evidence_count, confirmed.state != "DORMANT") == (9, True)
    assert [(await graph.stars.get(id)).state for id in "ab"] == ["FLICKERING", "FLICKERING"]
    assert (await read_pair(graph, "a", "c")).state != "DORMANT"
    rules = {change.rule for change in (await graph.stars.history("a", "c")).changes}
    assert "a woke" in rules


@pytest.mark.slow
async def test_a_batch_of_evidence_wakes_as_single_pieces_do(
    open_graph: Any, clock: FixedClock
) -> None:
    one, other = await open_graph(), await open_graph()
    items = [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d"), ("a", "x")]
    rows = [{"a": a, "b": b, "type": "user_confirms", "source": "s"} for a, b in items]
    for graph in (one, other):
        await add(graph, *"abcd", brightness=0.65)
        await add(graph, "x", state="DORMANT")
        for a, b in ("ab", "bc", "cd", "da"):
            await established(graph, a, b, "RESONANCE", 0.7, 8, "MODERATE")
        for id in "abcd":
            await set_star(graph, id, engaged_day=0)
        await close(graph)
        assert {(await graph.stars.get(id)).state for id in "abcd"} == {"DORMANT"}
    singly: list[Any] = []
    for a, b in items[:4]:
        singly.append((await one.stars.evidence(a, b, "user_confirms", source="s")).outcome)
    outcomes = await other.stars.evidence_many(rows)
    assert outcomes[:4] == singly
    assert isinstance(outcomes[4], Conflict)
    for a, b in items[:4]:
        left, right = await read_pair(one, a, b), await read_pair(other, a, b)
        assert (left.state, left.strength) == (right.state, right.strength)
        assert left.state != "DORMANT"


CEILINGS = [("RESONANCE", 1.0), ("TENSION", 1.0)]


@pytest.mark.slow
@pytest.mark.parametrize(("type", "brightness"), CEILINGS)
async def test_a_star_at_its_ceiling_moves_nobody(
    graph: Graph, clock: FixedClock, type: str, brightness: float
) -> None:
    await add(graph, "a", brightness=brightness)
    await add(graph, "b", brightness=0.5)
    await established(graph, "a", "b", type, 0.7, 8, "MODERATE")
    for _ in range(5):
        await graph.stars.engage("a", gains=[0.06])
        await graph.stars.engage("b")
        await close(graph)
        clock.advance(days=1)
    assert (await graph.stars.get("b")).brightness == pytest.approx(0.5, **EXACT)
    assert (await star(graph, "a"))["own_change"] == 0.0
    assert await run(graph, "MATCH (e:BrightnessEvent {realm: $realm}) RETURN e.id AS id") == []


@pytest.mark.slow
async def test_a_star_at_the_floor_pulls_nobody_down(graph: Graph, clock: FixedClock) -> None:
    await add(graph, "a", brightness=0.05)
    await add(graph, "b", brightness=0.9)
    await established(graph, "a", "b", "RESONANCE", 1.0, 8, "STRONG")
    for _ in range(3):
        await graph.stars.engage("a", losses=1.0)
        await graph.stars.engage("b")
        await close(graph)
        clock.advance(days=1)
    assert (await graph.stars.get("b")).brightness == pytest.approx(0.9, **EXACT)
    assert await run(graph, "MATCH (e:BrightnessEvent {realm: $realm}) RETURN e.id AS id") == []


@pytest.mark.slow
async def test_a_star_under_a_block_lifts_nobody(graph: Graph, clock: FixedClock) -> None:
    await add(graph, "wall", "a", brightness=0.9)
    await add(graph, "b", brightness=0.5)
    await established(graph, "wall", "a", "BLOCKS", 0.8, 8, "STRONG")
    await established(graph, "a", "b", "RESONANCE", 0.7, 8, "MODERATE")
    for id in ("wall", "a", "b"):
        await graph.stars.engage(id)
    await graph.stars.engage("a", gains=[0.06])
    await close(graph)
    cut = await star(graph, "a")
    assert (cut["brightness"], cut["own_change"]) == pytest.approx((0.6, -0.3), **EXACT)
    before = (await graph.stars.get("b")).brightness
    for _ in range(3):
        clock.advance(days=1)
        for id in ("wall", "a", "b"):
            await graph.stars.engage(id, gains=[0.06] if id == "a" else [])
        await close(graph)
    assert (await graph.stars.get("a")).brightness == pytest.approx(0.6, **EXACT)
    assert (await graph.stars.get("b")).brightness == pytest.approx(before, **EXACT)
    assert await run(graph, "MATCH (e:BrightnessEvent {realm: $realm}) RETURN e.id AS id") == []


@pytest.mark.slow
async def test_what_a_star_gains_below_its_ceiling_still_counts(graph: Graph) -> None:
    await add(graph, "a", brightness=0.97)
    await add(graph, "b", brightness=0.5)
    await established(graph, "a", "b", "RESONANCE", 0.7, 8, "MODERATE")
    await graph.stars.engage("a", gains=[0.06])
    await graph.stars.engage("b")
    await close(graph)
    lifted = (await graph.stars.get("b")).brightness - 0.5
    assert lifted == pytest.approx(0.03 * 0.15 * 0.7, **EXACT)


@pytest.mark.slow
async def test_the_clamp_of_a_day_comes_once_after_everything(graph: Graph) -> None:
    """B-1: a gain above the ceiling still pays for the drain of the same day."""
    await add(graph, "a", brightness=1.0)
    await add(graph, "d", brightness=0.2, state="DARK")
    await established(graph, "a", "d", "SHADOW_MIRROR", 0.7, 8, "MODERATE")
    await graph.stars.engage("a", gains=[0.06])
    await graph.stars.engage("d")
    await close(graph)
    assert (await graph.stars.get("a")).brightness == 1.0
