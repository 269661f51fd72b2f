"""The demo: a world of every part, built once, told as often as one likes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from asterism import demo
from asterism.cli.demo import STATEMENTS
from asterism.errors import Conflict
from asterism.graph import Graph
from tests.support.command_line import CommandLine
from tests.support.raw import run_cypher

CAUSAL = {"ATTEMPTED", "CAUSES", "PROMPTS"}
STARS = {"RESONANCE", "TENSION", "CAUSATION", "GROWTH_EDGE", "SHADOW_MIRROR", "BLOCKS"}
EDGES = {"SIMILAR", "SUPPORTS", "CONTRADICTS", "ELABORATES", "CO_OCCURS", "OUTCOME"}
STEP = re.compile(r"-([A-Z_]+)→")
NUMBER = re.compile(r"\d+\.\d+")


@pytest.mark.slow
async def test_one_walk_crosses_every_kind_of_relationship(
    demo_graph: Graph, demo_told: dict[str, Any]
) -> None:
    """The walk of the story: a later one starts from what this one left."""
    lines = "\n".join(demo_told["chapters"][-1]["lines"])
    types = set(STEP.findall(lines))
    assert types & CAUSAL
    assert types & STARS
    assert types & EDGES
    assert "LINK" in types
    [run] = await demo_graph.exploration.runs()
    assert (run.actor, run.query) == ("ada", demo.QUESTION["query"])


@pytest.mark.slow
async def test_the_statements_of_the_demo_find_something(demo_graph: Graph) -> None:
    for statement in STATEMENTS:
        answer = await run_cypher(demo_graph, statement)
        assert answer, statement


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who let the lamp go out?", {"brother"}),
        ("Where is the second key?", {"chapel-key", "keeper-lyra"}),
        ("Who owes money to whom?", {"lyra-debt", "lyra-debt-paid"}),
    ],
)
async def test_the_questions_of_the_page_are_answered_first(
    demo_graph: Graph, question: str, answers: set[str]
) -> None:
    answer = await demo_graph.recall.find(question)
    assert {hit.id for hit in answer.hits[: len(answers)]} == answers


@pytest.mark.slow
async def test_every_rule_holds_in_the_demo(demo_graph: Graph) -> None:
    [report] = await demo_graph.maintenance.run("verify")
    assert report.offenders == []


def test_the_story_is_that_of_the_page(demo_told: dict[str, Any]) -> None:
    """Another processor may differ in a last digit."""
    [page] = re.findall(r"```text\n(.*?)```", Path("docs/demo.md").read_text(), re.DOTALL)
    lines = [
        line
        for chapter in demo_told["chapters"]
        for line in ("", chapter["title"], *(f"  {line}" for line in chapter["lines"]))
    ]
    story = "\n".join(lines[1:]) + "\n"
    assert NUMBER.split(story) == NUMBER.split(page)
    figures = [[float(number) for number in NUMBER.findall(text)] for text in (story, page)]
    assert figures[0] == pytest.approx(figures[1], abs=0.011)


@pytest.mark.slow
def test_the_demo_run_again_tells_the_same_story(
    command_line: CommandLine, demo_told: dict[str, Any]
) -> None:
    again = json.loads(command_line.output("demo", "--json"))
    assert again["chapters"][2] == demo_told["chapters"][2]
    assert again["statements"] == demo_told["statements"]


async def test_a_realm_with_other_content_is_left_alone(graph: Graph) -> None:
    assert not await demo.is_built(graph)
    note = await graph.memories.remember("My own note in a realm of this name.")
    with pytest.raises(Conflict, match="asterism demo --reset"):
        await demo.is_built(graph)
    assert (await graph.memories.get(note.id)).text == note.text
