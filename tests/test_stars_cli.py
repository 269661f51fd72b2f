"""`asterism star` as a person types it."""

import subprocess
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from asterism.cli.output import bars
from asterism.clock import SystemClock
from asterism.graph import Graph
from tests.support.command_line import CommandLine
from tests.support.stars_world import close
from tests.test_stars_questions import cause

pytestmark = pytest.mark.verify_stars

Typed = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def clock() -> SystemClock:
    """The clock that commands go by."""
    return SystemClock()


@pytest.fixture
def typed(graph: Graph, environment: dict[str, str]) -> Typed:
    """The command, in the test's realm."""

    return partial(CommandLine(environment, ("--realm", graph.realm)).run, "star")


@pytest.fixture
def asterism(graph: Graph, environment: dict[str, str]) -> Callable[..., str]:
    """Return the output of a command."""
    return partial(CommandLine(environment, ("--realm", graph.realm)).output, "star")


@pytest.fixture
def document(graph: Graph, environment: dict[str, str]) -> Callable[..., Any]:
    """Return the JSON of a command."""
    return partial(CommandLine(environment, ("--realm", graph.realm)).document, "star")


@pytest.mark.slow
def test_a_life_of_two_stars_on_the_command_line(
    asterism: Callable[..., str], document: Callable[..., Any]
) -> None:
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
    assert "sleeps in days" in asterism("fading")
    assert document("what-if", "sail", "0.2") == []
    assert "GROWTH_EDGE" in asterism("show", "sea")


@pytest.mark.slow
def test_brackets_in_names_and_ids_stay_as_they_are(
    typed: Typed, asterism: Callable[..., str], document: Callable[..., Any]
) -> None:
    name, id, other = "[/x] [draft] novel", "[bold]a[/i]", "[/b]"
    assert f"Added {name} as {id}." in asterism("add", name, "--id", id, "--brightness", "0.8")
    asterism("add", "\\[b]", "--id", other)
    assert name in asterism("list")
    assert asterism("show", id).startswith(f"{name} ({id})")
    assert asterism("show", other).startswith(f"\\[b] ({other})")
    assert asterism("engage", id, "--gain", "0.1").startswith(f"{name} is ")
    assert f"no pair '{id}|{other}'" in typed("why", id, other).stderr
    assert f"{other} – {id} " in asterism("connect", other, id, "--type", "TENSION")
    assert document("why", id, other)["connection"]["why"] in asterism("why", id, other)
    assert f"{id} and {other} are not connected any more." in asterism("disconnect", id, other)
    assert f"Removed {id}." in asterism("remove", id, "--yes")


@pytest.mark.slow
def test_a_star_is_acknowledged_contradicted_flagged_and_confronted(
    typed: Typed, asterism: Callable[..., str], document: Callable[..., Any]
) -> None:
    asterism("add", "The sea", "--id", "sea", "--state", "NASCENT")
    assert "The sea is FLICKERING at 0.300." in asterism("acknowledge", "sea")
    assert document("contradict", "sea")["contradictions"] == 1
    assert document("flag-dark", "sea")["state"] == "DARK"
    assert "confronted 0." in asterism("confront", "sea", "acknowledged")
    while (faced := document("confront", "sea", "shadow_task"))["state"] == "DARK":
        assert faced["confrontation"] < 1
    assert "The sea is DIM at" in asterism("contradict", "sea")
    refused = typed("confront", "sea", "quarrel")
    assert refused.returncode == 2
    assert "kind='quarrel': choose one of engagement" in refused.stderr


@pytest.mark.slow
def test_a_connection_is_typed_retired_and_ended(
    typed: Typed, asterism: Callable[..., str], document: Callable[..., Any]
) -> None:
    asterism("add", "The sea", "--id", "sea")
    asterism("add", "Sailing", "--id", "sail")
    asterism("connect", "sail", "sea", "--type", "TENSION")
    assert document("assign-type", "sail", "sea", "BLOCKS")["type"] == "BLOCKS"
    [blocker] = document("blockers", "sea")
    assert blocker["blocker"] == "sail"
    assert "Sailing" in asterism("blockers", "sea")
    assert document("blockers", "sail") == []
    assert "type='LOVE': choose one of RES" in typed("assign-type", "sea", "sail", "LOVE").stderr
    assert "DORMANT" in asterism("retire", "sea", "sail")
    assert document("connect", "sea", "sail")["state"] != "DORMANT"
    for _ in range(30):
        if document("disconnect", "sea", "sail") is None:
            break
    assert document("why", "sea", "sail")["connection"] is None
    assert typed("retire", "sea", "sail").returncode == 1


@pytest.mark.slow
def test_a_star_is_removed_after_confirmation(typed: Typed, document: Callable[..., Any]) -> None:
    document("add", "The sea", "--id", "sea")
    question = typed("remove", "sea")
    assert question.returncode == 1
    assert "Remove star 'sea' and end its connections?" in question.stderr
    assert document("remove", "sea", "--yes") == {"removed": "sea"}
    assert document("list") == []
    assert "NotFound" in typed("remove", "sea", "-y").stderr


@pytest.mark.slow
async def test_predictions_are_listed(
    graph: Graph, asterism: Callable[..., str], document: Callable[..., Any], typed: Typed
) -> None:
    await cause(graph)
    await graph.stars.engage("a", losses=0.12)
    await close(graph)
    [open_one] = document("predictions", "--star", "b", "--status", "OPEN")
    assert (open_one["cause"], open_one["effect"], open_one["sign"]) == ("a", "b", 1)
    assert "OPEN" in asterism("predictions", "-n", "1")
    assert document("predictions", "--status", "EXPIRED") == []
    assert "status='SOON': choose one of OPEN" in typed("predictions", "--status", "SOON").stderr


@pytest.mark.slow
def test_a_refusal_is_one_line_and_an_exit_code(typed: Typed) -> None:
    completed = typed("add", "x", "--domain", "sport")
    assert completed.returncode == 2
    assert completed.stderr.startswith("InvalidInput: domain='sport': choose one of health")


def test_numbers_become_a_row_of_bars() -> None:
    assert bars([0.0, 0.5, 1.0, 2.0]) == "▁▅██"
