"""The demo: a world of every part, built once, told as often as one likes."""

import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from engine import demo
from engine.cli.demo import STATEMENTS, tell
from engine.clock import FixedClock
from engine.errors import Conflict
from engine.exploration import Exploration
from engine.graph import Graph
from tests.conftest import Server

ASTERISM = (sys.executable, "-c", "from engine.cli import main; main()")
CAUSAL = {"ATTEMPTED", "CAUSES", "PROMPTS"}
STARS = {"RESONANCE", "TENSION", "CAUSATION", "GROWTH_EDGE", "SHADOW_MIRROR", "BLOCKS"}
EDGES = {"SIMILAR", "SUPPORTS", "CONTRADICTS", "ELABORATES", "CO_OCCURS", "OUTCOME"}


NUMBER = re.compile(r"\d+\.\d+")


def same_story(chapters: list[tuple[str, list[str]]]) -> None:
    """What is told is what the page tells; another processor may differ in a last digit."""
    [page] = re.findall(r"```text\n(.*?)```", Path("docs/demo.md").read_text(), re.DOTALL)
    lines = [line for title, told in chapters for line in ("", title, *(f"  {t}" for t in told))]
    story = "\n".join(lines[1:]) + "\n"
    assert NUMBER.split(story) == NUMBER.split(page)
    figures = [[float(found) for found in NUMBER.findall(text)] for text in (story, page)]
    assert figures[0] == pytest.approx(figures[1], abs=0.011)


@pytest.fixture
async def town(server: Server) -> AsyncIterator[Graph]:
    clock = FixedClock(demo.NOON)
    async with Graph.open(server.uri, auth=server.auth, realm=demo.REALM, clock=clock) as graph:
        yield graph
        await graph.realms.delete(demo.REALM)


async def built(graph: Graph) -> Exploration:
    assert isinstance(graph.clock, FixedClock)
    return await demo.build(graph, graph.clock, lambda what: None)


async def test_one_walk_crosses_every_kind_of_relationship(town: Graph) -> None:
    assert not await demo.standing(town)
    walk = await built(town)
    assert await demo.standing(town)
    assert walk.committed
    ways = [path.steps for finding in walk.narratives for path in finding.paths]
    taken = [{step.type for step in steps} for steps in ways]
    assert any(way & CAUSAL and way & STARS and way & EDGES and "LINK" in way for way in taken)
    ends = {steps[-1].node for steps in ways}
    assert any(end in ends for end in ("meridian-lost", "lamp-lit"))
    same_story(await tell(town, walk))
    for statement in STATEMENTS:
        found = await town.database.driver.execute_query(statement)
        assert found.records, statement
    assert await town.stars.verify() == []


async def test_what_is_not_the_demo_is_left_alone(town: Graph) -> None:
    kept = await town.memories.remember("My own note about a realm of this name.")
    with pytest.raises(Conflict, match="asterism demo --reset"):
        await demo.standing(town)
    assert (await town.memories.get(kept.id)).text == kept.text


def test_the_command_builds_tells_and_starts_over(environment: dict[str, str]) -> None:
    def told(*words: str) -> Any:
        ran = subprocess.run(
            [*ASTERISM, "demo", "--json", *words], env=environment, capture_output=True, text=True
        )
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    first, again = told("--reset"), told()
    assert [chapter["title"] for chapter in first["chapters"]] == [
        chapter["title"] for chapter in again["chapters"]
    ]
    assert first["chapters"][2] == again["chapters"][2]
    assert first["statements"] == STATEMENTS
