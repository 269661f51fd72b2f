"""`asterism observe` and `asterism memory`, as a person types them, and what a kill leaves."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from asterism.graph import Graph
from asterism.realm_names import realm_key
from tests.conftest import OpenGraph
from tests.support.captures import Recording, at, milliseconds
from tests.support.command_line import CommandLine
from tests.support.raw import run_cypher

Run = Callable[..., subprocess.CompletedProcess[str]]
WHEN = "2026-03-01T00:00:30Z"


@pytest.fixture
def run(environment: dict[str, str]) -> Run:
    """The command, on the tests' server."""
    return CommandLine(environment).run


@pytest.fixture
async def realm(open_graph: OpenGraph) -> str:
    """The name of a realm that is there and empty until the test ends."""
    name = f"cli-{uuid.uuid4().hex[:12]}"
    graph = await open_graph(realm=name)
    await graph.database.rows("realms/open", realm_key=realm_key(name))
    return name


def item(number: int, t: float, price: str, quantity: float = 100.0, **more: Any) -> str:
    fields = {"event_id": f"e{number:05}", "ts": at(t).isoformat(), "symbol": "X", "price": price}
    return json.dumps(fields | {"kind": "execution", "side": "bid", "quantity": quantity} | more)


def written(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def prices(count: int) -> list[str]:
    """Prices so far apart that each is a level of its own."""
    return [f"{100 + n}" for n in range(count)]


async def state(graph: Graph) -> list[dict[str, Any]]:
    """Every level with all that it holds, but for when it was last locked."""
    answer = await run_cypher(
        graph,
        "MATCH (m:Memory {realm: $realm}) "
        "RETURN m {.*, realm: null, locked_at: null} AS m ORDER BY m.id",
    )
    return [record["m"] for record in answer]


async def observing(
    path: Path, graph: Graph, environment: dict[str, str], *more: str
) -> asyncio.subprocess.Process:
    """A process that observes a file."""
    words = ["-m", "asterism", "observe", str(path), "--realm", graph.realm, *more]
    return await asyncio.create_subprocess_exec(
        sys.executable, *words, env=environment, stdout=asyncio.subprocess.DEVNULL
    )


async def evidence(graph: Graph) -> int:
    return (await graph.realms.stats()).nodes.get("Evidence", 0)


@pytest.mark.slow
def test_a_capture_is_observed_once_and_its_levels_are_charted(
    run: Run, command_line: CommandLine, realm: str, tmp_path: Path
) -> None:
    recording = Recording("XUSDT")
    recording.trade(0, "100.5", "30")
    recording.depth(1, bids=[["100", "5000"]])
    recording.lines.append("12 nonsense [bold]")
    recording.depth(21, bids=[["100", "0"]])
    path = str(recording.write(tmp_path / "x.gz"))
    completed = run("observe", path, "--realm", realm, "--json", "--source", "desk")
    assert completed.returncode == 0, completed.stderr
    receipt = json.loads(completed.stdout)
    assert receipt["format"] == "capture"
    assert receipt["source"].startswith("desk:")
    assert (receipt["lines"], receipt["events"], receipt["bad_lines"]) == (4, 3, 1)
    assert (receipt["accepted"], receipt["duplicate"], receipt["rejected"]) == (3, 0, 0)
    assert receipt["bad"][0]["line"] == 3
    again = run("observe", path, "--realm", realm, "--source", "desk")
    assert "0 of 3 items of evidence are new" in again.stdout
    assert "line 3" in again.stdout

    levels = json.loads(
        run("memory", "near", "XUSDT", "100", "--at", WHEN, "--realm", realm, "--json").stdout
    )
    assert [level["center"] for level in levels] == ["100"] or len(levels) == 2
    chart = run("memory", "levels", "XUSDT", "--at", WHEN, "--realm", realm, "--limit", "1").stdout
    assert "100.5" in chart
    assert "█" in chart
    ascii_chart = command_line.process(
        *("memory", "levels", "XUSDT", "--at", WHEN, "--realm", realm), PYTHONIOENCODING="ascii"
    )
    assert "####" in ascii_chart.stdout
    assert "--at TIME" in run("memory", "levels", "[bold]", "--realm", realm).stdout


@pytest.mark.slow
def test_a_file_of_evidence_tells_what_was_refused(run: Run, realm: str, tmp_path: Path) -> None:
    lines = [item(0, 0, "100"), item(1, 1, "0"), "{broken", "", item(2, 2, "100", 1000.0)]
    path = str(written(tmp_path / "items.jsonl", [*lines, item(0, 0, "100")]))
    receipt = json.loads(run("observe", path, "--realm", realm, "--json").stdout)
    assert (receipt["format"], receipt["source"][:5]) == ("evidence", "file:")
    assert (receipt["accepted"], receipt["duplicate"], receipt["rejected"]) == (2, 1, 1)
    assert receipt["rejected_items"][0]["event_id"] == "e00001"
    assert receipt["bad"] == [{"line": 3, "reason": receipt["bad"][0]["reason"]}]
    output = run("observe", path, "--realm", realm).stdout
    assert "item 2 e00001" in output
    assert "price: a number above 0" in output


@pytest.mark.slow
def test_trades_are_observed_by_their_columns(run: Run, realm: str, tmp_path: Path) -> None:
    rows = ["when,cost,size,side", f"{milliseconds(0)},100,20,sell"]
    path = str(written(tmp_path / "t.csv", rows))
    words = ("--time", "when", "--price", "cost", "--quantity", "size", "--symbol", "X")
    completed = run("observe", path, *words, "--realm", realm, "--json")
    assert json.loads(completed.stdout)["accepted"] == 1, completed.stderr
    level = json.loads(
        run("memory", "show", "X@100", "--at", WHEN, "--realm", realm, "--json").stdout
    )
    assert level["taker_sell_usd"] == 2000
    assert level["strength"] == pytest.approx(0.5 * (1 - 0.003), abs=1e-9)


@pytest.mark.slow
def test_refusals_name_what_is_wrong(run: Run, realm: str, tmp_path: Path) -> None:
    path = str(written(tmp_path / "x", ["1 {}", "2 []"]))
    for words, message in (
        (("observe", path), "line 1"),
        (("observe", str(tmp_path / "none")), "none"),
        (("observe", path, "--format", "tape"), "format='tape'"),
        (("observe", path, "--contract-usd", "free"), "contract-usd='free'"),
        (("memory", "levels", "X", "--at", "noon"), "at='noon'"),
        (("memory", "near", "X", "cheap"), "near='cheap'"),
    ):
        completed = run(*words, "--realm", realm)
        assert completed.returncode == 2, completed.stderr
        assert message in completed.stderr.replace("\n", "")
    missing = run("memory", "show", "X@1", "--realm", realm, "--json")
    assert missing.returncode == 1
    assert json.loads(missing.stderr)["error"] == "NotFound"


@pytest.mark.slow
def test_a_text_is_added_shown_and_forgotten(run: Run, realm: str) -> None:
    text = "The door [red]is[/red] blue [/]"
    added = json.loads(
        run("memory", "add", text, "--tag", "door", "--realm", realm, "--json").stdout
    )
    assert (added["text"], added["tags"]) == (text, ["door"])
    printed = run("memory", "show", added["id"], "--realm", realm)
    assert text in printed.stdout
    again = run("memory", "add", text, "--tag", "door", "--realm", realm).stdout
    assert "Stored before: nothing changed" in again
    assert text in again
    assert run("memory", "forget", "unknown", "--realm", realm).stderr.count("unknown") == 1
    assert run("memory", "forget", added["id"], "--realm", realm).returncode == 1
    receipt = run("memory", "forget", added["id"], "--yes", "--realm", realm)
    assert "Forgot" in receipt.stdout
    second = run("memory", "forget", added["id"], "--yes", "--realm", realm, "--json")
    assert json.loads(second.stdout)["memories"] == 0
    nothing = run("memory", "forget", "--tag", "door", "--realm", realm)
    assert nothing.stdout.startswith("No text passes"), nothing.stderr


@pytest.mark.slow
def test_a_text_is_told_whole_and_used(run: Run, realm: str) -> None:
    where = ("--realm", realm)
    origin = ("--session", "s1", "--speaker", "lyra", "--about", "key", "--at", "2025-06-01T10:00Z")
    words = ("memory", "add", "Under the third stair.", "--id", "[/x]", *origin, *where)
    added = json.loads(run(*words, "--json").stdout)
    assert (added["session"], added["speaker"], added["about"]) == ("s1", "lyra", "key")
    assert added["first_seen"] == "2025-06-01T10:00:00Z"
    assert "[/x]" in run(*words).stdout
    used = run("memory", "reinforce", "[/x]", *where)
    assert used.stdout.startswith("[/x] is active at 1.0000, confidence 0."), used.stderr
    bad = ("memory", "reinforce", "[/x]", "outcome", "--quantity", "0", "--event-id", "e1", *where)
    once, again = (json.loads(run(*bad, "--json").stdout) for _ in range(2))
    assert once["confidence"] < 0.5
    assert again["interaction_count"] == once["interaction_count"]
    for more, message in (
        (("applause",), "kind='applause'"),
        (("--at", "soon"), "at='soon"),
    ):
        refused = run("memory", "reinforce", "[/x]", *more, *where)
        assert refused.returncode == 2
        assert message in refused.stderr
    assert run("memory", "reinforce", "none", *where).returncode == 1


@pytest.mark.slow
def test_a_history_is_listed_and_faded_levels_are_archived(
    run: Run, realm: str, tmp_path: Path
) -> None:
    path = str(written(tmp_path / "i.jsonl", [item(0, 0, "100", 2000.0), item(1, 5, "100")]))
    run("observe", path, "--realm", realm)
    output = run("memory", "history", "X@100", "--realm", realm).stdout
    assert output.index("boosted") < output.index("created")
    [newest, _] = json.loads(run("memory", "history", "X@100", "--realm", realm, "--json").stdout)
    assert newest["strength"] == pytest.approx(0.6, abs=1e-9)
    late = ("memory", "archive", "--at", "2026-03-02T00:00:00Z", "--realm", realm)
    assert json.loads(run(*late, "--json").stdout) == {"archived": 1}
    assert "Archived 0 memories" in run(*late).stdout


@pytest.mark.slow
async def test_killed_while_observing_and_replayed_it_ends_as_if_nothing_had_happened(
    environment: dict[str, str], open_graph: OpenGraph, tmp_path: Path
) -> None:
    lines = [
        item(n, n * 3, prices(40)[n * 7 % 40], 400.0 + n % 5 * 200, sequence=n) for n in range(600)
    ]
    path = written(tmp_path / "items.jsonl", lines)
    small = environment | {"ASTERISM_MEMORIES_BATCH": "3"}
    killed, whole = await open_graph(), await open_graph()
    for enough in (1, 150):
        process = await observing(path, killed, small, "--source", "feed")
        while await evidence(killed) < enough:
            assert process.returncode is None
        os.kill(process.pid, signal.SIGKILL)
        assert await process.wait() == -signal.SIGKILL
        assert 0 < await evidence(killed) < len(lines)
    for graph in (killed, whole):
        process = await observing(path, graph, environment, "--source", "feed")
        assert await process.wait() == 0
        assert await evidence(graph) == len(lines)
    assert await state(killed) == await state(whole)


@pytest.mark.slow
async def test_eight_processes_on_one_symbol_end_as_one_does(
    environment: dict[str, str], open_graph: OpenGraph, tmp_path: Path
) -> None:
    lines = [item(n, n, prices(12)[n % 12], float(n)) for n in range(480)]
    parts = [written(tmp_path / f"part{n}.jsonl", lines[n::8]) for n in range(8)]
    many, one = await open_graph(), await open_graph()
    small = environment | {"ASTERISM_MEMORIES_BATCH": "10"}
    processes = [await observing(part, many, small) for part in parts]
    assert [await process.wait() for process in processes] == [0] * 8
    await one.memories.observe([json.loads(line) for line in lines], source="one")
    counted = ["id", "execution_count", "volume_usd", "taker_sell_usd", "interaction_count"]
    counted += ["largest_event_usd", "side", "last_interaction", "state"]
    assert [[m[name] for name in counted] for m in await state(many)] == [
        [m[name] for name in counted] for m in await state(one)
    ]
