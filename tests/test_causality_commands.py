"""The commands of causality: replacing, dry runs, traces into files, exports with events."""

import csv
import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from asterism.causality import link_events
from asterism.graph import Graph
from tests.support.command_line import CommandLine
from tests.support.sessions import CHEST, extract

SPOKEN = "".join(f"{line.author_name}: {line.content}\n" for line in CHEST.lines)
EVENTS = [{"event_id": "search", "start": 0, "end": 0}, {"event_id": "talk", "start": 1, "end": 3}]
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def command(environment: dict[str, str], graph: Graph) -> Command:
    """Return the command line, with the realm as an option."""

    return CommandLine(environment, ("--realm", graph.realm)).run


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A transcript as a file."""
    file = tmp_path / "cellar.txt"
    file.write_text(SPOKEN)
    return file


@pytest.mark.slow
def test_another_file_of_the_same_stem_replaces_nothing(
    command: Command, session: Path, graph: Graph
) -> None:
    first = command("transcript", str(session), "--literal", "--no-embed")
    assert first.returncode == 0, first.stderr
    assert f"asterism causal trace cellar --realm {graph.realm}" in first.stdout
    assert "Ann, Bob, Cy (everybody but the DM)" in first.stdout
    session.write_text("")
    empty = command("transcript", str(session), "--literal", "--no-embed")
    assert (empty.returncode, empty.stdout) == (2, "")
    assert "there is no line in it" in empty.stderr
    session.write_text("DM: A harbour.\nAnn: I row to the ship.\nDM: Slowly.\n")
    other = command("transcript", str(session), "--literal", "--no-embed")
    assert other.returncode == 1
    assert "--session" in other.stderr
    assert "--replace" in other.stderr
    replaced = command("transcript", str(session), "--literal", "--no-embed", "--replace", "--json")
    document = json.loads(replaced.stdout)
    assert (document["replaced"]["lines"], document["replaced"]["links"]) == (5, 3)
    grown = session.read_text() + "Ann: I climb aboard.\nDM: The deck is wet.\n"
    session.write_text(grown)
    again = command("transcript", str(session), "--literal", "--no-embed")
    assert "Recorded: replaced 3 lines and 0 links recorded at" in again.stdout


@pytest.mark.slow
def test_a_dry_run_measures_what_a_recording_measures(command: Command, session: Path) -> None:
    flags = ("--k-local", "1", "--strong-min", "0.9", "--weak-min", "0.9")
    for words, setting in ((flags, {}), ((), {"ASTERISM_CAUSALITY_K_LOCAL": "1"})):
        call = ("transcript", str(session), "--no-embed", "--json", *words)
        dry = json.loads(command(*call, "--dry-run", **setting).stdout)
        written = json.loads(command(*call, **setting).stdout)
        assert dry["metrics"] == written["metrics"]
        assert dry["metrics"]["coverage"] < 1


@pytest.mark.slow
def test_a_trace_goes_into_a_file(command: Command, session: Path, tmp_path: Path) -> None:
    out, events = tmp_path / "trace.txt", tmp_path / "events.json"
    events.write_text(json.dumps(EVENTS))
    dry = ("transcript", str(session), "--dry-run", "--events", str(events))
    printed = command(*dry, "--trace").stdout
    assert "strong declare of ann [event search]" in printed
    assert "Nothing was written." in printed
    filed = command(*dry, "--output", str(out))
    assert "Unclaimed strong intents" not in filed.stdout
    assert printed.startswith(out.read_text())
    assert json.loads(command(*dry, "--trace", "--json").stdout)["trace"]["events"] == EVENTS
    command("transcript", str(session), "--no-embed", "--events", str(events))
    stored = command("causal", "trace", "cellar", "--output", str(out))
    assert (stored.returncode, stored.stdout) == (0, "")
    assert "strong_precedence [event talk]" in out.read_text()
    nowhere = command("causal", "trace", "cellar", "--output", str(tmp_path / "no" / "file"))
    assert nowhere.returncode == 2
    assert "it can't be written" in nowhere.stderr


@pytest.mark.slow
def test_exports_carry_events(command: Command, session: Path, tmp_path: Path) -> None:
    events = tmp_path / "events.json"
    events.write_text(json.dumps(EVENTS))
    command("transcript", str(session), "--no-embed", "--events", str(events))
    mapped = link_events(extract(CHEST).links, EVENTS)
    owners = [(link.intent_event_id, link.consequence_event_id) for link in mapped]
    assert owners == [("search", "talk"), ("talk", None), ("talk", "talk")]

    def ids(rows: list[dict[str, str]]) -> list[tuple[str | None, str | None]]:
        return [(r["intent_event_id"] or None, r["consequence_event_id"] or None) for r in rows]

    table = command("causal", "links", "cellar", "--csv").stdout
    assert ids(list(csv.DictReader(io.StringIO(table)))) == owners
    lines = command("causal", "links", "cellar", "--jsonl").stdout.splitlines()
    assert ids([json.loads(line) for line in lines]) == owners
    assert ids(json.loads(command("causal", "links", "cellar", "--json").stdout)) == owners
    traced = json.loads(command("causal", "trace", "cellar", "--json").stdout)
    assert ids(traced["links"]) == owners


@pytest.mark.slow
def test_an_unknown_session_is_not_found(command: Command) -> None:
    command("memory", "add", "The ferry waits.")  # so that the realm is there
    for words in (("links",), ("trace",), ("metrics",), ("forget", "--yes")):
        missing = command("causal", *words, "nope")
        assert (missing.returncode, missing.stdout) == (1, "")
        assert "no recorded session 'nope'" in missing.stderr
