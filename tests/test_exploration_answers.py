"""Results as people see them: partial results of a timeout, and the gaps of a page."""

import json
import time
from typing import Any

import pytest

from asterism.cli.explore import late
from asterism.errors import ExplorationTimeout
from asterism.exploration import Event, EventType
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.exploration_oracle import Link
from tests.support.exploration_world import Q3, Toy, load, node, s1
from tests.support.raw import run_cypher

NARROW = {"min_link_score": 0.02}


@pytest.fixture
async def graph(open_graph: OpenGraph) -> Graph:
    opened: Graph = await open_graph(embedder=Toy(3))
    return opened


@pytest.mark.slow
async def test_the_command_prints_the_partial_result_of_a_timeout(
    graph: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    await load(graph, s1())
    seconds, ticks = 0, 0

    def dawdle(event: Event) -> None:
        nonlocal ticks
        if event.type is EventType.TICK:
            ticks = event.tick
            if ticks == 3:
                time.sleep(seconds + 0.2)

    while ticks < 3:
        seconds = max(1, seconds * 3)  # the machine may need more for three ticks
        ticks = 0
        with pytest.raises(ExplorationTimeout) as caught:
            await graph.exploration.explore(
                "A",
                "who?",
                mode="literal",
                query_embedding=Q3,
                settings=NARROW,
                timeout=seconds,
                on_event=dawdle,
            )
    refusal = late(caught.value, json=False)
    assert str(refusal) == (
        f"the exploration went on for longer than {seconds} s, so nothing was written: "
        "give it more with --timeout"
    )
    printed = capsys.readouterr().out
    assert "What was found before the time was up" in printed
    assert "N1" in printed
    assert "would change" in printed
    late(caught.value, json=True)
    document: Any = json.loads(capsys.readouterr().out)
    assert (document["committed"], document["narratives"][0]["id"]) == (False, "N1")


@pytest.mark.slow
async def test_a_page_lists_only_speculative_links_as_gaps(graph: Graph) -> None:
    nodes = [node("A", "actor", [0, 0, 1]), node("B", "thing", [1, 0, 0.5])]
    nodes += [node("C", "narrative", [1, 0, 0])]
    await load(graph, (nodes, [Link("unsure", "A", "B", [0.5, 0.5, 0.7], (1, 1), 0.1, 0, 1)]))
    await run_cypher(
        graph,
        "MATCH (b:Thing {realm: $realm, id: 'B'}), (c:Narrative {realm: $realm, id: 'C'}) "
        "CREATE (b)-[:CAUSES {score: 2.0}]->(c)",
    )
    exploration = await graph.exploration.explore(
        "A", "who?", mode="literal", query_embedding=Q3, settings=NARROW, dry_run=True
    )
    assert [step.type for step in exploration.narratives[0].paths[0].steps] == ["LINK", "CAUSES"]
    page = exploration.text()
    assert "- A → B: permanence 0.10" in page
    assert "B → C: permanence" not in page
