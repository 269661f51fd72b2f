"""`asterism recall`, as a person types it."""

import json
import subprocess
import uuid

import pytest

from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.command_line import CommandLine

LINES = ["Lyra keeps the lighthouse key.", "Mira sells herring at the pier.", "It rained."]


@pytest.fixture
async def town(open_graph: OpenGraph) -> Graph:
    graph: Graph = await open_graph(realm=f"cli-{uuid.uuid4().hex[:12]}")
    items = [{"id": f"m{number}", "text": text} for number, text in enumerate(LINES)]
    await graph.memories.remember_many(items)
    return graph


def run(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return CommandLine(environment).run("recall", *words)


@pytest.mark.slow
async def test_a_question_is_answered_with_reasons(
    town: Graph, environment: dict[str, str]
) -> None:
    question = "Who can open the lighthouse?"
    at = ["--realm", town.realm]
    printed = run(environment, question, *at)
    assert printed.returncode == 0, printed.stderr
    assert LINES[0] in printed.stdout.splitlines()[0]
    assert "m0: means the same" in printed.stdout
    assert "likely: m0" in printed.stdout or "certain: m0" in printed.stdout
    document = json.loads(run(environment, question, "-k", "1", "--json", *at).stdout)
    assert [hit["id"] for hit in document["hits"]] == ["m0"]
    assert {"parts", "paths", "score", "strength"} <= document["hits"][0].keys()
    reason = run(environment, question, "-k", "1", "--why-not", "m2", *at)
    assert "m2 is at rank 3" in reason.stdout
    assert "no word in common" in reason.stdout
    prompt = run(environment, question, "--context", *at)
    assert prompt.stdout.splitlines()[0].endswith("] Lyra keeps the lighthouse key.")


@pytest.mark.slow
async def test_what_nothing_answers_is_said_first(town: Graph, environment: dict[str, str]) -> None:
    at = ["--realm", town.realm]
    printed = run(environment, "asdf qwer zxcv", *at)
    first, *rest = printed.stdout.splitlines()
    assert first.startswith("Nothing is remembered about this. No memory says asdf, qwer, zxcv.")
    assert "nothing: m" in "\n".join(rest)
    bare = run(environment, "asdf qwer zxcv", "--minimum-certainty", "likely", *at)
    assert bare.stdout.splitlines() == [first.removesuffix(" The nearest texts are:")]
    document = json.loads(run(environment, "asdf qwer zxcv", "--json", *at).stdout)
    assert (document["certainty"], document["hits"][0]["certainty"]) == ("nothing", "nothing")
    assert document["missing"] == ["asdf", "qwer", "zxcv"]
    prompt = run(environment, "asdf qwer zxcv", "--context", *at)
    assert prompt.stdout.strip() == "Nothing is remembered about this."
    closest = run(environment, "key", "--minimum-certainty", "certain", *at)
    assert "likely" in closest.stdout or "weak" in closest.stdout or "certain: m0" in closest.stdout


@pytest.mark.slow
async def test_nothing_found_says_what_to_do(
    open_graph: OpenGraph, environment: dict[str, str]
) -> None:
    graph: Graph = await open_graph()
    await graph.stars.add("sea", domain="health")
    printed = run(environment, "Who?", "--realm", graph.realm)
    assert (printed.returncode, "asterism memory add" in printed.stdout) == (0, True)


@pytest.mark.slow
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
