"""`asterism explore` as a person types it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from engine.graph import Graph

ASTERISM = (sys.executable, "-c", "from engine.cli import main; main()")


def typed(graph: Graph, environment: dict[str, str], *words: str) -> Any:
    command = [*ASTERISM, *words, "--realm", graph.realm]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_question_on_the_command_line(
    graph: Graph, environment: dict[str, str], tmp_path: Path
) -> None:
    def asterism(*words: str) -> str:
        done = typed(graph, environment, *words)
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

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
    asked = ("explore", "Where does the lighthouse key hang?", "--as", "ada", "--min-score", "0.02")
    dry = json.loads(asterism(*asked, "--dry-run", "--json"))
    assert (dry["dry_run"], dry["committed"]) == (True, False)
    assert dry["narratives"][0]["id"] == "key"
    picture = tmp_path / "walk.html"
    told = asterism(*asked, "--html", str(picture))
    assert "The lighthouse key hangs behind the clock" in told
    assert "2 hops of 1 SubEntities in 3 reads; changed 2 nodes" in told
    assert "lighthouse" in picture.read_text(encoding="utf-8")
    assert asterism(*asked, "--dry-run", "--page").count("Query: Where") == 1
    [run] = json.loads(asterism("exploration", "runs", "--json"))
    assert run["id"] in asterism("exploration", "runs")
    assert "2 nodes and 2 links restored" in asterism("exploration", "undo", run["id"])
    assert "undone" in asterism("exploration", "runs")


async def test_a_refusal_is_one_line_and_an_exit_code(
    graph: Graph, environment: dict[str, str]
) -> None:
    await graph.stars.add("sea", domain="health")
    unknown = typed(graph, environment, "explore", "where?", "--as", "nobody")
    assert unknown.returncode == 1
    assert "NotFound: no actor 'nobody'" in unknown.stderr
    empty = typed(graph, environment, "explore", " ", "--as", "nobody", "--json")
    assert empty.returncode == 2
    assert json.loads(empty.stderr)["error"] == "InvalidInput"
