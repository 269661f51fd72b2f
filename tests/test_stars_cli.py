"""`asterism star` as a person types it."""

import json
import subprocess
import sys
from typing import Any

from engine.cli.output import bars
from engine.graph import Graph

ASTERISM = (sys.executable, "-c", "from engine.cli import main; main()")


def test_a_life_of_two_stars_on_the_command_line(graph: Graph, environment: dict[str, str]) -> None:
    def asterism(*words: str) -> str:
        command = [*ASTERISM, "star", *words, "--realm", graph.realm]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def document(*words: str) -> Any:
        return json.loads(asterism(*words, "--json"))

    assert "as sea" in asterism("add", "The sea", "--id", "sea", "--domain", "soul")
    asterism("add", "Sailing", "--id", "sail", "--brightness", "0.8")
    assert document("connect", "sail", "sea", "--type", "GROWTH_EDGE")["outcome"] == "created"
    assert document("evidence", "sail", "sea", "user_confirms", "--source", "diary")["a"] == "sail"
    assert "RESONANCE" not in asterism("show", "sail")
    assert document("engage", "sea", "--gain", "0.05")["brightness"] == 0.35
    assert [star["id"] for star in document("list")] == ["sail", "sea"]
    assert len(document("why", "sea", "sail")["evidence"]) == 2
    assert document("close-day")["days"] == 1
    assert "closed already" in asterism("close-day")
    assert document("fading")[0]["sleeps_in"] == 7
    assert document("what-if", "sail", "0.2") == []
    assert "GROWTH_EDGE" in asterism("show", "sea")


def test_a_refusal_is_one_line_and_an_exit_code(graph: Graph, environment: dict[str, str]) -> None:
    command = [*ASTERISM, "star", "add", "x", "--domain", "sport"]
    done = subprocess.run(
        [*command, "--realm", graph.realm],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("InvalidInput: domain='sport': choose one of health")


def test_bars() -> None:
    assert bars([0.0, 0.5, 1.0, 2.0]) == "▁▅██"
