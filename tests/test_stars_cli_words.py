"""What `asterism star` prints where there is nothing, or something a person may misread."""

import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from engine.clock import FixedClock
from engine.graph import Graph
from tests.stars_world import add

ASTERISM = (sys.executable, "-c", "from engine.cli import main; main()")
Typed = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
async def typed(graph: Graph, clock: FixedClock, environment: dict[str, str]) -> Typed:
    """The command, in the test's realm with two stars; it goes by the clock of the machine."""
    clock.set(datetime.now(UTC))
    await add(graph, "sea", "sail", brightness=0.5)

    def words(*words: str) -> subprocess.CompletedProcess[str]:
        command = [*ASTERISM, "star", *words, "--realm", graph.realm]
        wide = environment | {"COLUMNS": "160", "NO_COLOR": "1"}
        return subprocess.run(command, env=wide, capture_output=True, text=True, check=False)

    return words


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
def test_what_is_unknown_ends_with_one(typed: Typed, words: tuple[str, ...], named: str) -> None:
    done = typed(*words)
    assert done.returncode == 1
    assert done.stdout == ""
    assert f"NotFound: no {named}" in done.stderr


def test_a_connection_is_printed_as_it_was_typed(typed: Typed) -> None:
    printed = typed("connect", "sea", "sail", "--type", "tension").stdout
    assert printed.startswith("sea – sail TENSION, NASCENT, strength 0.150: a new connection")
    for id in ("sea", "sail"):
        assert "(from)" not in typed("show", id).stdout
    printed = typed("assign-type", "sail", "sea", "blocks").stdout
    assert printed.startswith("sail → sea BLOCKS, NASCENT")
    assert "BLOCKS (from)" in typed("show", "sea").stdout
    assert "(from)" not in typed("show", "sail").stdout


def test_evidence_that_does_not_count_again_says_how_to_count(typed: Typed) -> None:
    typed("connect", "sea", "sail")
    assert "counted" in typed("evidence", "sea", "sail", "user_confirms").stdout
    again = typed("evidence", "sea", "sail", "user_confirms").stdout
    assert "the evidence did not count again" in again
    assert "counted once in 24 hours per source and type" in again
    assert "--source" in again
    told = typed("evidence", "sea", "sail", "user_confirms", "--source", "diary").stdout
    assert "the evidence counted" in told
    assert "once in 24 hours per source and type" in typed("evidence", "--help").stdout


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


@pytest.mark.parametrize("loss", ["--loss", "--losses"])
def test_losses_and_gains_repeat(typed: Typed, loss: str) -> None:
    printed = typed("engage", "sea", "--gain", "0.02", "--gains", "0.01", loss, "0.1", loss, "0.1")
    assert printed.stdout == "sea is BRIGHT at 0.330.\n"


def test_acts_that_change_nothing_say_so(typed: Typed) -> None:
    for words in (("acknowledge", "sea"), ("confront", "sea", "engagement")):
        assert "nothing changed, but it counts as engaged today" in typed(*words).stdout
