"""The days that `fading` forecasts are those that closing the days brings."""

import random
from datetime import timedelta
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.graph import Graph
from tests.support.stars_oracle import HALF_LIFE, RANK, STAR_HALF_LIFE, band
from tests.support.stars_world import add, close, day_number, days, established, link, run, set_star

pytestmark = pytest.mark.verify_stars

PAIRS = [(f"a{n}", f"b{n}") for n in range(12)]
RING = [(f"r{n}", f"r{(n + 1) % 6}") for n in range(6)]


async def random_star(graph: Graph, chance: random.Random, id: str) -> None:
    """A star of any state and brightness that nobody engaged for some days."""
    today = day_number(graph.clock.now())
    young = chance.random() < 0.3
    created = graph.clock.now() - timedelta(days=2 if young else 30)
    await graph.stars.add(
        id,
        id=id,
        domain=chance.choice(list(STAR_HALF_LIFE)),
        brightness=chance.choice([0.3, 0.6, 0.7, round(chance.uniform(0.05, 1), 3)]),
        state=chance.choice(["FLICKERING", "FLICKERING", "BRIGHT", "DIM", "DARK"]),
        constellation="young" if young else "old",
        created_at=created,
    )
    engaged = today - chance.randrange(2 if young else 12)
    calm = {"run_days": chance.randrange(4), "variance": chance.uniform(0, 0.12)}
    await set_star(graph, id, engaged_day=engaged, engaged_days=[engaged], **calm)
    if chance.random() < 0.2:
        await graph.stars.engage(id, gains=[chance.uniform(0, 0.06)], losses=chance.uniform(0, 0.1))


async def random_world(graph: Graph, chance: random.Random) -> None:
    today = day_number(graph.clock.now())
    for id in sorted({id for pair in PAIRS + RING for id in pair}):
        await random_star(graph, chance, id)
    for a, b in PAIRS + RING:
        ages = sorted((chance.randrange(50) for _ in range(chance.randrange(1, 12))), reverse=True)
        evidence = sum(1.0 if age <= 30 else 0.5 for age in ages)
        strength = chance.choice([0.2, 0.4, 0.6, 0.8, chance.uniform(0.1, 1)])
        state = band(strength, evidence)
        await link(
            graph,
            a,
            b,
            chance.choice(["RESONANCE", *HALF_LIFE]),
            strength=strength,
            evidence_days=[today - age for age in ages],
            evidence_eff=evidence,
            evidence_recount_day=None,
            state=state,
            engaged_state=chance.choice([state, "WEAK", "STRONG"]),
            engaged_day=today - chance.randrange(5),
        )


async def happened(graph: Graph, first: int, today: int, before: dict[str, int]) -> dict[str, Any]:
    """Days from today on which each connection fell asleep, and fell a band while awake."""
    rows = await run(
        graph,
        "MATCH (c:ConnectionChange {realm: $realm, field: 'state'}) WHERE c.day >= $first "
        "RETURN c.pair_key AS pair, c.day AS day, c.to AS state ORDER BY c.at, c.id",
        first=first,
    )
    sleeps = {row["pair"]: row["day"] for row in rows if row["state"] == "DORMANT"}
    falls: dict[str, int] = {}
    for row in rows:
        lower = 0 < RANK[row["state"]] < before[row["pair"]]
        if lower and row["day"] < sleeps[row["pair"]]:
            falls.setdefault(row["pair"], row["day"])
    left = {pair: max(0, day - today) for pair, day in falls.items()}
    return {pair: (max(0, day - today), left.get(pair)) for pair, day in sleeps.items()}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_fading_names_the_days_on_which_connections_really_sleep(
    graph: Graph, clock: FixedClock, seed: int
) -> None:
    await random_world(graph, random.Random(seed))
    first = day_number(clock.now())
    if seed == 2:
        await close(graph)
        first += 1
    if seed == 3:
        clock.advance(days=2)
    today = day_number(clock.now())
    fading = await graph.stars.fading(limit=100)
    assert len(fading) == len(PAIRS + RING)
    assert [f.sleeps_in for f in fading] == sorted(f.sleeps_in for f in fading)
    foretold = {"|".join(sorted((f.a, f.b))): (f.sleeps_in, f.falls_in) for f in fading}
    before = {"|".join(sorted((f.a, f.b))): RANK[f.state] for f in fading}
    clock.advance(days=62)
    await close(graph)
    assert foretold == await happened(graph, first, today, before)


@pytest.mark.slow
@pytest.mark.parametrize(("brightness", "sleeps"), [(0.6, 14), (0.3, 30)])
async def test_the_sleep_of_a_star_ends_the_wait_of_its_connection(
    graph: Graph, clock: FixedClock, brightness: float, sleeps: int
) -> None:
    for id in "ab":
        created = clock.now()
        await add(
            graph, id, domain="soul", brightness=brightness, state="FLICKERING", created_at=created
        )
    await established(graph, "a", "b", "RESONANCE", 0.7, 8, "MODERATE")
    for left in (sleeps, sleeps - 1):
        [fading] = await graph.stars.fading()
        assert fading.sleeps_in == left
        await days(graph, clock, 0)
        clock.advance(days=1)
    clock.advance(days=sleeps - 3)
    await close(graph)
    assert await graph.stars.fading() != []
    clock.advance(days=1)
    await close(graph)
    assert await graph.stars.fading() == []


@pytest.mark.slow
async def test_fading_writes_nothing(graph: Graph) -> None:
    await random_world(graph, random.Random(4))
    before = await run(graph, "MATCH (s:Star {realm: $realm}) RETURN s{.*} AS s ORDER BY s.id")
    await graph.stars.fading()
    after = await run(graph, "MATCH (s:Star {realm: $realm}) RETURN s{.*} AS s ORDER BY s.id")
    assert after == before
