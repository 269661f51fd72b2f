"""`asterism explore` as a person types it."""

import json
from pathlib import Path

import pytest

from asterism.graph import Graph
from tests.support.command_line import CommandLine


@pytest.mark.slow
def test_a_question_on_the_command_line(
    graph: Graph, environment: dict[str, str], tmp_path: Path
) -> None:
    asterism = CommandLine(environment, ("--realm", graph.realm)).output
    world = {
        "nodes": [
            {"kind": "actor", "name": "Ada", "id": "ada"},
            {"kind": "thing", "name": "lighthouse", "id": "lighthouse"},
            {"kind": "narrative", "name": "The lighthouse key hangs behind the clock", "id": "key"},
        ],
        "links": [{"a": "ada", "b": "lighthouse", "polarity": [1, 0.5], "permanence": 0}],
    }
    file = tmp_path / "world.json"
    file.write_text(json.dumps(world))
    assert "3 nodes and 1 links added, 0 were there" in asterism("exploration", "load", str(file))
    asterism("exploration", "link", "lighthouse", "key", "where its key hangs", "--forward", "1")
    assert "Bo (bo)" in asterism("exploration", "add", "actor", "Bo", "--id", "bo")
    words = ("explore", "Where does the lighthouse key hang?", "--as", "ada")
    question = (*words, "--literal", "--min-score", "0.02")
    dry = json.loads(asterism(*question, "--dry-run", "--json"))
    assert (dry["dry_run"], dry["committed"]) == (True, False)
    assert dry["narratives"][0]["id"] == "key"
    picture = tmp_path / "walk.html"
    printed = asterism(*question, "--html", str(picture))
    assert "The lighthouse key hangs behind the clock" in printed
    assert "2 hops of 1 SubEntities in 3 reads; changed 2 nodes" in printed
    assert "lighthouse" in picture.read_text(encoding="utf-8")
    assert asterism(*question, "--dry-run", "--page").count("Query: Where") == 1
    [run] = json.loads(asterism("exploration", "runs", "--json"))
    assert run["id"] in asterism("exploration", "runs")
    assert "2 nodes and 2 links restored" in asterism("exploration", "undo", run["id"])
    assert "undone" in asterism("exploration", "runs")


@pytest.mark.slow
async def test_a_refusal_is_one_line_and_an_exit_code(
    graph: Graph, environment: dict[str, str]
) -> None:
    await graph.stars.add("sea", domain="health")
    command_line = CommandLine(environment, ("--realm", graph.realm))
    unknown = command_line.run("explore", "where?", "--as", "nobody")
    assert unknown.returncode == 1
    assert "NotFound: no actor 'nobody'" in unknown.stderr
    empty = command_line.run("explore", " ", "--as", "nobody", "--json")
    assert empty.returncode == 2
    assert json.loads(empty.stderr)["error"] == "InvalidInput"


@pytest.mark.slow
async def test_an_answer_is_confirmed_on_the_command_line(
    graph: Graph, environment: dict[str, str]
) -> None:
    await graph.memories.remember("The lighthouse key hangs behind the clock.", id="key")
    await graph.memories.remember("The choir rehearses on Thursdays.", id="choir")
    command_line = CommandLine(environment, ("--realm", graph.realm))
    question = "Where does the lighthouse key hang?"
    printed = command_line.output("explore", question, "--keep")
    assert "key: means the same" in printed
    assert "Started at the 2 best memories for the question." in printed
    assert f"Wrote the narrative “{question}”." in printed
    [run] = await graph.exploration.runs()
    assert f"asterism exploration confirm {run.id} key" in printed
    assert "Confirmed for" in command_line.output("exploration", "confirm", run.id, "key")
    assert "confirmed, run" in command_line.output("exploration", "narratives")
    [hit] = (await graph.recall.find(question, k=1)).hits
    assert hit.confirmed_for == question
    assert "key" in command_line.output("exploration", "unconfirm", run.id)
    [hit] = (await graph.recall.find(question, k=1)).hits
    assert hit.confirmed_for is None
