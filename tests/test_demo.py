"""The demo: a world of every part, built once, told as often as one likes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine import demo
from engine.cli.demo import STATEMENTS
from engine.errors import Conflict
from engine.graph import Graph
from tests.conftest import Server, asterism

CAUSAL = {"ATTEMPTED", "CAUSES", "PROMPTS"}
STARS = {"RESONANCE", "TENSION", "CAUSATION", "GROWTH_EDGE", "SHADOW_MIRROR", "BLOCKS"}
EDGES = {"SIMILAR", "SUPPORTS", "CONTRADICTS", "ELABORATES", "CO_OCCURS", "OUTCOME"}
NUMBER = re.compile(r"\d+\.\d+")


async def test_one_walk_crosses_every_kind_of_relationship(demo_graph: Graph) -> None:
    walk = await demo_graph.exploration.explore(**demo.QUESTION, dry_run=True)
    ways = [path.steps for finding in walk.narratives for path in finding.paths]
    taken = [{step.type for step in steps} for steps in ways]
    assert any(way & CAUSAL and way & STARS and way & EDGES and "LINK" in way for way in taken)
    assert {steps[-1].node for steps in ways} & {"meridian-lost", "lamp-lit"}
    [run] = await demo_graph.exploration.runs()
    assert (run.actor, run.query) == ("ada", demo.QUESTION["query"])


async def test_its_statements_find_something(demo_graph: Graph) -> None:
    for statement in STATEMENTS:
        found = await demo_graph.database.driver.execute_query(statement)
        assert found.records, statement


async def test_every_rule_holds_in_it(demo_graph: Graph) -> None:
    [report] = await demo_graph.maintenance.run("verify")
    assert report.offenders == []


def test_what_is_told_is_what_the_page_tells(demo_told: dict[str, Any]) -> None:
    """Another processor may differ in a last digit."""
    [page] = re.findall(r"```text\n(.*?)```", Path("docs/demo.md").read_text(), re.DOTALL)
    lines = [
        line
        for chapter in demo_told["chapters"]
        for line in ("", chapter["title"], *(f"  {line}" for line in chapter["lines"]))
    ]
    story = "\n".join(lines[1:]) + "\n"
    assert NUMBER.split(story) == NUMBER.split(page)
    figures = [[float(found) for found in NUMBER.findall(text)] for text in (story, page)]
    assert figures[0] == pytest.approx(figures[1], abs=0.011)


def test_a_second_time_it_only_tells(server: Server, demo_told: dict[str, Any]) -> None:
    again = json.loads(asterism(server, "demo", "--json"))
    assert again["chapters"][2] == demo_told["chapters"][2]
    assert again["statements"] == demo_told["statements"]


async def test_what_is_not_the_demo_is_left_alone(graph: Graph) -> None:
    assert not await demo.standing(graph)
    kept = await graph.memories.remember("My own note in a realm of this name.")
    with pytest.raises(Conflict, match="asterism demo --reset"):
        await demo.standing(graph)
    assert (await graph.memories.get(kept.id)).text == kept.text
