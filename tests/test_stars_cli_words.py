"""Output of `asterism star` where there is nothing, or something a person may misread."""

import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

import pytest

from asterism.clock import FixedClock
from asterism.graph import Graph
from tests.support.command_line import CommandLine
from tests.support.stars_world import add

pytestmark = pytest.mark.verify_stars

Typed = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
async def typed(graph: Graph, clock: FixedClock, environment: dict[str, str]) -> Typed:
    """The command, in the test's realm with two stars. It goes by the clock of the machine."""
    clock.set(datetime.now(UTC))
    await add(graph, "sea", "sail", brightness=0.5)
    return partial(CommandLine(environment, ("--realm", graph.realm)).run, "star")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("why", "sea", "typo"), "star 'typo'"),
        (("why", "sea", "sail"), "pair 'sea|sail'"),
        (("show", "typo"), "star 'typo'"),
        (("predictions", "--star", "typo"), "star 'typo'"),
        (("evidence", "sea", "typo", "user_confirms"), "star 'typo'"),
    ],
)
def test_an_unknown_star_or_pair_ends_with_exit_code_1(
    typed: Typed, words: tuple[str, ...], named: str
) -> None:
    completed = typed(*words)
    assert completed.returncode == 1
    assert completed.stdout == ""
    assert f"NotFound: no {named}" in completed.stderr


@pytest.mark.slow
def test_a_connection_is_printed_as_it_was_typed(typed: Typed) -> None:
    printed = typed("connect", "sea", "sail", "--type", "tension").stdout
    assert printed.startswith("sea – sail TENSION, NASCENT, strength 0.150: a new connection")
    for id in ("sea", "sail"):
        assert "(from)" not in typed("show", id).stdout
    printed = typed("assign-type", "sail", "sea", "blocks").stdout
    assert printed.startswith("sail → sea BLOCKS, NASCENT")
    assert "BLOCKS (from)" in typed("show", "sea").stdout
    assert "(from)" not in typed("show", "sail").stdout


@pytest.mark.slow
def test_evidence_that_does_not_count_again_says_how_to_count(typed: Typed) -> None:
    typed("connect", "sea", "sail")
    assert "counted" in typed("evidence", "sea", "sail", "user_confirms").stdout
    again = typed("evidence", "sea", "sail", "user_confirms").stdout
    assert "the evidence did not count again" in again
    assert "counted once in 24 hours per source and type" in again
    assert "--source" in again
    printed = typed("evidence", "sea", "sail", "user_confirms", "--source", "diary").stdout
    assert "the evidence counted" in printed
    assert "once in 24 hours per source and type" in typed("evidence", "--help").stdout


@pytest.mark.slow
def test_empty_tables_say_what_is_missing(typed: Typed) -> None:
    assert "Not connected yet" in typed("show", "sea").stdout
    assert "it is not connected" in typed("what-if", "sea", "0.1").stdout
    assert "Nothing blocks it." in typed("blockers", "sea").stdout
    assert "No prediction" in typed("predictions").stdout
    assert "No connection is awake" in typed("fading").stdout
    assert "No star to list" in typed("list", "--state", "dark").stdout
    typed("connect", "sea", "sail")
    why = typed("why", "sea", "sail").stdout
    assert "Evidence\n" in why
    assert "have not changed so far" in why
    assert "acts from FORMING on" in typed("what-if", "sea", "0.1").stdout
    assert "No connection took another type." in typed("close-day").stdout


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["--loss", "--losses"])
def test_losses_and_gains_repeat(typed: Typed, loss: str) -> None:
    printed = typed("engage", "sea", "--gain", "0.02", "--gains", "0.01", loss, "0.1", loss, "0.1")
    assert printed.stdout == "sea is BRIGHT at 0.330.\n"


@pytest.mark.slow
def test_commands_that_change_nothing_say_so(typed: Typed) -> None:
    for words in (("acknowledge", "sea"), ("confront", "sea", "engagement")):
        assert "nothing changed, but it counts as engaged today" in typed(*words).stdout
