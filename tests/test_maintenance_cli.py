"""`asterism maintain` and `asterism jobs`, as a person, a log and a service manager meet them."""

import asyncio
import json
import signal
import subprocess
from pathlib import Path

import pytest

from asterism.graph import Graph
from asterism.maintenance import Job
from tests.conftest import OpenGraph
from tests.support.command_line import ASTERISM
from tests.support.raw import run_cypher
from tests.test_cli_memory import Run, realm, run

__all__ = ["realm", "run"]


def keeping(environment: dict[str, str], *words: str) -> subprocess.Popen[str]:
    """The loop, in a process of its own."""
    return subprocess.Popen(
        [*ASTERISM, "maintain", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
async def test_maintain_runs_every_job_once_and_stores_its_history(
    run: Run, open_graph: OpenGraph
) -> None:
    graph: Graph = await open_graph()
    where = ("--realm", graph.realm)
    completed = run("maintain", *where)
    assert completed.returncode == 0, completed.stderr
    assert [line.split()[0] for line in completed.stdout.splitlines()[:6]] == list(Job)
    assert "every rule holds" in completed.stdout
    await graph.memories.remember("Lyra keeps the lighthouse key.", id="key")
    await run_cypher(graph, "MATCH (m:Memory {realm: $realm}) SET m.strength = 7.0")
    wrong = run("maintain", "verify", *where)
    assert wrong.returncode == 1
    assert "strength is in range" in wrong.stdout
    completed = run("maintain", "verify", *where, "--json")
    assert completed.returncode == 1
    [report] = json.loads(completed.stdout)
    assert report["offenders"][0]["id"] == "key"
    history = json.loads(run("jobs", "history", *where, "--limit", "3", "--json").stdout)
    assert [entry["job"] for entry in history] == ["verify", "verify", "stats"]
    assert history[0] == report
    assert "strength is in range" in run("jobs", "history", *where).stdout


@pytest.mark.slow
async def test_each_job_is_printed_as_soon_as_it_has_ended(
    graph: Graph, environment: dict[str, str]
) -> None:
    """While the third is kept waiting, the first two have been told."""
    lease = "MERGE (c:Cursor {realm: $realm, id: 'maintenance/consolidate'}) SET c.locked_at = null"
    driver = graph.database.driver
    await driver.execute_query(lease, realm=graph.realm)
    async with driver.session() as session:
        blocker = await session.begin_transaction()
        await blocker.run(lease, realm=graph.realm)
        process = keeping(environment, "--realm", graph.realm)
        assert process.stdout is not None
        first = [await asyncio.to_thread(process.stdout.readline) for _ in range(2)]
        assert process.poll() is None
        await blocker.commit()
    rest, _ = await asyncio.to_thread(process.communicate)
    assert process.returncode == 0
    assert [line.split()[0] for line in [*first, *rest.splitlines()]] == list(Job)


@pytest.mark.slow
def test_the_jobs_are_listed_without_a_server(run: Run) -> None:
    nowhere = {"NEO4J_URI": "bolt://127.0.0.1:1"}
    table = run("jobs", "list", **nowhere).stdout
    assert all(job in table for job in Job)
    jobs = json.loads(run("jobs", "list", "--json", **nowhere).stdout)
    assert [entry["job"] for entry in jobs] == list(Job)


def test_scripts_are_exported_without_a_server(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "some" / "jobs"
    nowhere = {"NEO4J_URI": "bolt://127.0.0.1:1"}
    written = json.loads(run("jobs", "export", str(folder), "--json", **nowhere).stdout)
    assert sorted(written) == sorted(map(str, folder.iterdir()))
    assert run("jobs", "export", str(folder), **nowhere).stdout.split() == written


@pytest.mark.parametrize("words", [("tidy",), ("--every", "soon"), ("tidy", "--every", "1h")])
def test_a_mistyped_job_or_interval_is_refused_with_a_remedy(
    run: Run, words: tuple[str, ...]
) -> None:
    completed = run("maintain", *words)
    assert completed.returncode == 2
    assert (
        "give one of stars-close-day" in completed.stderr
        or "30s, 15m, 1h or 1d" in completed.stderr
    )


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_terminated_loop_ends_after_the_running_job(
    environment: dict[str, str], realm: str, how: signal.Signals
) -> None:
    process = keeping(environment, "--every", "1s", "--json", "--realm", realm)
    assert process.stdout is not None
    first = [json.loads(process.stdout.readline()) for _ in range(8)]
    assert [report["job"] for report in first] == [*Job, Job.CLOSE_DAY, Job.ARCHIVE]
    process.send_signal(how)
    completed, complaints = process.communicate()
    assert (process.returncode, complaints) == (0, "")
    rest = [json.loads(line) for line in completed.splitlines()]
    assert all(report["ok"] and report["finished_at"] for report in rest)


@pytest.mark.slow
def test_an_absent_server_is_reported_and_tried_again(environment: dict[str, str]) -> None:
    nowhere = environment | {"NEO4J_URI": "bolt://127.0.0.1:1", "NO_COLOR": "1"}
    process = keeping(nowhere, "stats", "--every", "1s")
    assert process.stderr is not None
    complaints = [process.stderr.readline() for _ in range(2)]
    assert all("DatabaseUnavailable: bolt://127.0.0.1:1" in line for line in complaints)
    process.terminate()
    process.communicate()
    assert process.returncode == 0


@pytest.mark.slow
def test_the_loop_prints_a_log_for_people(environment: dict[str, str], realm: str) -> None:
    process = keeping(environment | {"NO_COLOR": "1"}, "stats", "--every", "1h", "--realm", realm)
    assert process.stdout is not None
    line = process.stdout.readline()
    assert "stats" in line
    assert "1 Realm" in line
    process.terminate()
    process.communicate()
    assert process.returncode == 0
