"""Pairs that may belong together: correlation in Cypher as numpy has it, mentions, shared links."""

import random
from datetime import timedelta

import numpy as np
import pytest

from asterism.clock import FixedClock
from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.stars.detection import BrightnessSeries, correlations, histories
from tests.conftest import OpenGraph
from tests.support.command_line import CommandLine

pytestmark = pytest.mark.verify_stars


async def _stars(graph: Graph, *ids: str) -> None:
    for id in ids:
        await graph.stars.add(id.title(), id=id, domain="soul", brightness=0.5)


async def _days(graph: Graph, clock: FixedClock, gains: dict[str, list[float]]) -> None:
    """Close as many days as there are gains, where each star gains what is in its list."""
    for day in range(len(next(iter(gains.values())))):
        for id, values in gains.items():
            await graph.stars.engage(id, gains=[max(values[day], 0.0)], losses=max(-values[day], 0))
        clock.advance(days=1)
        await graph.stars.close_day(clock.now().date() - timedelta(days=1))


@pytest.mark.slow
async def test_stars_that_move_together_or_apart_are_proposed(
    graph: Graph, clock: FixedClock
) -> None:
    await _stars(graph, "sea", "sail", "storm")
    wave = [0.05, -0.04, 0.05, 0.03, -0.05, 0.05, -0.03, 0.05, 0.04, -0.05]
    gains = {"sea": wave, "sail": wave, "storm": [-step for step in wave]}
    await _days(graph, clock, gains)
    proposed = {(pair.a, pair.b): pair for pair in await graph.stars.hypotheses()}
    assert set(proposed) >= {("sail", "sea"), ("sea", "storm"), ("sail", "storm")}
    assert proposed["sail", "sea"].type == "RESONANCE"
    assert proposed["sail", "sea"].why == "their brightness moves together (r = 1.00)"
    assert proposed["sea", "storm"].type == "TENSION"
    assert "opposite directions" in proposed["sea", "storm"].why


@pytest.mark.slow
async def test_the_correlation_is_that_of_numpy(graph: Graph, clock: FixedClock) -> None:
    """The statement and the evaluation of types compute one formula, S-18."""
    names = ["a", "b", "c", "d"]
    await _stars(graph, *names)
    chance = random.Random(7)
    gains = {name: [chance.uniform(-0.05, 0.05) for _ in range(12)] for name in names}
    await _days(graph, clock, gains)
    rows = await graph.database.rows("stars/brightness_series", ids=names, points=90)
    day = (clock.now().date() - timedelta(days=1)).toordinal() - 719163
    table = histories(sorted(BrightnessSeries(**row) for row in rows), day, 30)
    first, second = np.triu_indices(4, 1)
    expected = correlations(table, first, second, 5)
    settings = graph.settings.section("stars") | {"hypothesis_score": 0.0}
    proposals = await graph.database.rows(
        "stars/hypotheses", day=day + 1, limit=10, settings=settings
    )
    values = {(row["a"], row["b"]): row["correlation"] for row in proposals}
    for a, b, r in zip(first, second, expected, strict=True):
        assert values[names[a], names[b]] == pytest.approx(r, abs=1e-9)


@pytest.mark.slow
async def test_co_mentions_and_shared_memories_are_hints_for_a_pair(
    graph: Graph, clock: FixedClock
) -> None:
    await _stars(graph, "sea", "sail", "key", "door")
    clock.advance(days=8)
    await graph.stars.evidence("sea", "sail", "co_mention_response", source="chat")
    for id in ("one", "two"):
        await graph.memories.remember(f"The key of the door, {id}.", id=id)
        await graph.exploration.link(id, "key")
        await graph.exploration.link("door", id)
    proposed = await graph.stars.hypotheses()
    assert [(pair.a, pair.b, pair.shared, pair.mentions) for pair in proposed] == [
        ("door", "key", 2, 0),
        ("sail", "sea", 0, 1),
    ]
    assert proposed[0].score == pytest.approx(0.75)
    assert proposed[0].why == "both linked to 2 of your memories or intents"
    assert proposed[1].why == "mentioned together once"


@pytest.mark.slow
async def test_the_first_days_of_a_constellation_have_more_hypotheses(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    """Half the threshold and twice the number in the first seven days, by either constellation."""
    graph = await open_graph(settings={"stars": {"hypothesis_score": 0.6}})
    ids = [f"s{number}" for number in range(6)]
    await _stars(graph, *ids)
    await graph.memories.remember("All of them.", id="all")
    for id in ids:
        await graph.exploration.link("all", id)
    young = await graph.stars.hypotheses(limit=3)
    assert len(young) == 6
    assert all(pair.excavating and pair.score == pytest.approx(0.5) for pair in young)
    clock.advance(days=8)
    await graph.stars.close_day(clock.now().date() - timedelta(days=1))
    assert await graph.stars.hypotheses(limit=3) == []


@pytest.mark.slow
async def test_a_denied_pair_is_not_proposed_again(graph: Graph, clock: FixedClock) -> None:
    await _stars(graph, "sea", "sail")
    await graph.memories.remember("The sea and the sail.", id="both")
    for id in ("sea", "sail"):
        await graph.exploration.link("both", id)
    assert len(await graph.stars.hypotheses()) == 1
    await graph.stars.connect("sea", "sail")
    assert await graph.stars.hypotheses() == []
    await graph.stars.disconnect("sea", "sail")
    assert await graph.stars.hypotheses() == []


@pytest.mark.slow
async def test_confirming_gives_evidence(graph: Graph, command_line: CommandLine) -> None:
    await _stars(graph, "sea", "sail")
    await graph.memories.remember("The sea and the sail.", id="both")
    for id in ("sea", "sail"):
        await graph.exploration.link("both", id)
    printed = command_line.output("star", "hypotheses", "--realm", graph.realm)
    assert "sail" in printed
    assert "linked to 1" in printed
    await graph.stars.confirm("sea", "sail")
    why = await graph.stars.why("sea", "sail")
    assert [piece.type for piece in why.evidence] == ["tars_confirmed"]
    with pytest.raises(InvalidInput, match="limit"):
        await graph.stars.hypotheses(limit=0)
