"""`verify` sees what breaks the rules of ceilings, own changes and sleep."""

from typing import Any

import pytest

from asterism.graph import Graph
from tests.support.stars_world import add, close, established, set_star, shape

pytestmark = pytest.mark.verify_stars

BLOCK = "only a block that holds lowers a ceiling"
MOVED = "a star moves others by what it really moved"
SLEPT = "what slept because of a star wakes with it"
BROKEN: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    (BLOCK, "b", {"effective_max": 0.95}, {"effective_max": 1.0}),
    (MOVED, "b", {"own_change": 0.06}, {"own_change": 0.0}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "id", "broken", "whole"), BROKEN)
async def test_a_star_that_breaks_a_rule_is_named(
    graph: Graph, rule: str, id: str, broken: dict[str, Any], whole: dict[str, Any]
) -> None:
    await add(graph, "b", brightness=0.9)
    await graph.stars.engage("b")
    await close(graph)
    assert await graph.stars.verify() == []
    await set_star(graph, id, **broken)
    assert [(offence.rule, offence.id) for offence in await graph.stars.verify()] == [(rule, id)]
    await set_star(graph, id, **whole)


@pytest.mark.slow
async def test_a_connection_that_sleeps_beside_two_stars_awake_is_named(graph: Graph) -> None:
    await add(graph, "a", "b")
    await established(graph, "a", "b", "RESONANCE", 0.7, 8, "MODERATE")
    await shape(graph, "a", "b", state="DORMANT", dormant_reason="STAR")
    assert [(o.rule, o.id) for o in await graph.stars.verify()] == [(SLEPT, "a|b")]
    await shape(graph, "a", "b", dormant_reason="INACTIVE")
