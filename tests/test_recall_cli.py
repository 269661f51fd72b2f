"""`asterism recall`, as a person types it."""

import json
import subprocess
import sys
import uuid

import pytest

from engine.graph import Graph
from tests.conftest import OpenGraph

LINES = ["Lyra keeps the lighthouse key.", "Mira sells herring at the pier.", "It rained."]


@pytest.fixture
async def town(open_graph: OpenGraph) -> Graph:
    graph: Graph = await open_graph(realm=f"cli-{uuid.uuid4().hex[:12]}")
    items = [{"id": f"m{number}", "text": text} for number, text in enumerate(LINES)]
    await graph.memories.remember_many(items)
    return graph


def run(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "engine", "recall", *words],
        env=environment | {"COLUMNS": "120", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


async def test_a_question_is_answered_with_reasons(
    town: Graph, environment: dict[str, str]
) -> None:
    question = "Who can open the lighthouse?"
    at = ["--realm", town.realm]
    shown = run(environment, question, *at)
    assert shown.returncode == 0, shown.stderr
    assert LINES[0] in shown.stdout.splitlines()[0]
    assert "m0: means the same" in shown.stdout
    told = json.loads(run(environment, question, "-k", "1", "--json", *at).stdout)
    assert [hit["id"] for hit in told["hits"]] == ["m0"]
    assert {"parts", "paths", "score", "strength"} <= told["hits"][0].keys()
    reason = run(environment, question, "-k", "1", "--why-not", "m2", *at)
    assert "m2 is at rank 3" in reason.stdout
    assert "no word in common" in reason.stdout
    prompt = run(environment, question, "--context", *at)
    assert prompt.stdout.splitlines()[0].endswith("] Lyra keeps the lighthouse key.")


async def test_nothing_found_says_what_to_do(
    open_graph: OpenGraph, environment: dict[str, str]
) -> None:
    graph: Graph = await open_graph()
    await graph.stars.add("sea", domain="health")
    shown = run(environment, "Who?", "--realm", graph.realm)
    assert (shown.returncode, "asterism memory add" in shown.stdout) == (0, True)


@pytest.mark.parametrize(
    ("words", "named"),
    [((" ",), "query"), (("x", "--at", "noon"), "at"), (("x", "--minimum", "7"), "minimum")],
)
async def test_a_bad_question_is_refused(
    graph: Graph, environment: dict[str, str], words: tuple[str, ...], named: str
) -> None:
    await graph.stars.add("sea", domain="health")
    refused = run(environment, *words, "--realm", graph.realm)
    assert refused.returncode == 2
    assert named in refused.stderr
