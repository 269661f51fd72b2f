"""The command line: what a person types, what they see, and what machines get."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from asterism.local import server as local_server
from asterism.local.home import Home
from tests.conftest import SMALL_VARIABLES
from tests.support.command_line import CommandLine

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def home(quick_folder: Path) -> Iterator[Home]:
    """A data directory of this file's own."""
    own = Home(quick_folder / "home")
    yield own
    local_server.stop(own)


@pytest.fixture
def local(home: Home) -> Run:
    """The command, on the local server of that directory."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
    environment = inherited | SMALL_VARIABLES | {"ASTERISM_HOME": str(home.root)}
    return CommandLine(environment).process


@pytest.fixture
def remote(environment: dict[str, str]) -> Run:
    """The command, on the tests' server."""
    return CommandLine(environment).run


@pytest.mark.slow
def test_a_servers_life_from_first_to_last(local: Run, home: Home, tmp_path: Path) -> None:
    assert "No local server is running" in local("status").stdout
    up = local("up")
    assert up.returncode == 0, up.stderr
    assert "is up" in up.stdout
    assert "/browser/" in up.stdout
    assert "asterism status --show-password" in up.stdout
    again = json.loads(local("up", "--json").stdout)
    assert again["was_running"] is True

    status = json.loads(local("status", "--json", "--show-password").stdout)
    assert status["password"] == local_server.password(home)
    assert "password" not in json.loads(local("status", "--json").stdout)
    assert status["browser"] in local("status").stdout
    assert Path(status["logs"]).is_dir()
    chain = [check["name"] for check in json.loads(local("doctor", "--json").stdout)["checks"]]
    assert chain[:4] == ["python", "java", "disk", "files"]
    assert chain[4:5] == ["archive"]
    assert chain[5:] == ["settings", "memory", "model", "server", "schema"]  # no text, no realm
    assert json.loads(local("browser", "--no-open", "--json").stdout)["pid"] == again["pid"]

    written = json.loads(local("backup", str(tmp_path), "--json").stdout)
    assert written["bytes"] == Path(written["file"]).stat().st_size
    refused = local("restore", written["file"])
    assert refused.returncode == 1
    assert "--force" in refused.stderr
    assert local("restore", written["file"], "--force").returncode == 0

    assert "Neo4j is down" in local("down").stdout
    assert json.loads(local("down", "--json").stdout) == {"stopped": False}


@pytest.mark.slow
def test_doctor_finds_nothing_wrong_and_says_so(remote: Run, demo_realm: str) -> None:
    completed = remote("doctor")
    assert completed.returncode == 0, completed.stdout
    assert "Everything works." in completed.stdout
    checks = json.loads(remote("doctor", "--json", ASTERISM_REALM=demo_realm).stdout)["checks"]
    names = [check["name"] for check in checks]
    assert names == ["python", "settings", "model", "server", "schema", "realm", "language"]
    assert "'demo' holds vectors of bge-small-en-v1.5-q, 384 dimensions" in checks[-2]["detail"]


@pytest.mark.slow
def test_doctor_says_what_to_do_about_each_broken_link(local: Run, tmp_path: Path) -> None:
    down = local("doctor", ASTERISM_HOME=str(tmp_path))
    assert down.returncode == 1
    assert "To do: run `asterism up`" in down.stdout
    empty = local("doctor", "--json", ASTERISM_CACHE=str(tmp_path / "empty"))
    failed = {c["name"]: c["remedy"] for c in json.loads(empty.stdout)["checks"] if not c["ok"]}
    assert failed["files"] == "run `asterism up`: it downloads them"
    misspelt = local("doctor", ASTERISM_LOCAL_HEEP_MB="1")
    assert "did you mean ASTERISM_LOCAL_HEAP_MB?" in misspelt.stdout
    lost = local("doctor", NEO4J_URI="bolt://127.0.0.1:1", NEO4J_PASSWORD="x")
    assert "can't be reached" in lost.stdout


@pytest.mark.slow
def test_realms_are_listed_counted_and_deleted(remote: Run, environment: dict[str, str]) -> None:
    name = "cli [bold]realm"
    script = f"""
import asyncio
from asterism.graph import Graph

async def main():
    async with Graph.open(realm={name!r}) as graph:
        await graph.embedding.documents(["hello"])

asyncio.run(main())
"""
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)
    assert name in remote("realm", "list").stdout
    [summary] = [
        realm
        for realm in json.loads(remote("realm", "list", "--json").stdout)
        if realm["name"] == name
    ]
    assert summary["model"] == "bge-small-en-v1.5-q"
    assert json.loads(remote("realm", "stats", name, "--json").stdout)["nodes"]["Realm"] == 1
    assert "EmbeddingModel" in remote("realm", "stats", name).stdout
    unconfirmed = remote("realm", "delete", name)
    assert unconfirmed.returncode == 1
    assert "Deleted 2 nodes" in remote("realm", "delete", name, "--yes").stdout
    assert "There is no realm cli [bold]realm" in remote("realm", "delete", name, "--yes").stdout
    deleted = remote("realm", "delete", name, "--yes", "--json")
    assert json.loads(deleted.stdout) == {"name": name, "nodes": 0, "relationships": 0}


def test_refusals_have_their_exit_codes(remote: Run) -> None:
    usage = remote("realm", "stats", " x")
    assert usage.returncode == 2
    assert "InvalidInput: realm=' x'" in usage.stderr
    assert remote("no-such-command").returncode == 2
    machine = remote("realm", "list", "--json", NEO4J_PASSWORD="wrong")
    assert machine.returncode == 1
    assert json.loads(machine.stderr)["error"] == "DatabaseUnavailable"
    assert machine.stdout == ""


@pytest.mark.slow
def test_a_look_at_the_realms_makes_none(remote: Run) -> None:
    absent = remote("realm", "stats", "typo")
    assert "there is no realm 'typo'" in absent.stderr
    assert absent.returncode == 1
    assert "there is no realm '[/y]'" in remote("realm", "stats", ASTERISM_REALM="[/y]").stderr
    names = [realm["name"] for realm in json.loads(remote("realm", "list", "--json").stdout)]
    assert not {"typo", "[/y]"} & set(names)


@pytest.mark.slow
def test_commands_of_the_local_server_mention_another_one(local: Run, tmp_path: Path) -> None:
    refused = local(
        "backup",
        str(tmp_path),
        NEO4J_URI="bolt://elsewhere:7687",
        ASTERISM_HOME=str(tmp_path / "no"),
    )
    assert refused.returncode == 1
    assert "graphs open bolt://elsewhere:7687, not this local server" in refused.stderr
    assert "nothing to back up" in refused.stderr


@pytest.mark.slow
def test_a_folder_that_cannot_be_used_is_one_clear_line(local: Run, tmp_path: Path) -> None:
    assert "can't write to the data directory" in local("up", ASTERISM_HOME="/proc/no").stderr
    (tmp_path / "conf-is-a-file" / "neo4j").mkdir(parents=True)
    (tmp_path / "conf-is-a-file" / "neo4j" / "conf").touch()
    refused = local("up", ASTERISM_HOME=str(tmp_path / "conf-is-a-file"))
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr


def test_the_version_is_printed(remote: Run) -> None:
    assert remote("--version").stdout.startswith("asterism 0.")


def test_help_shows_the_usage_of_every_command(remote: Run) -> None:
    for words in ([], ["up"], ["status"], ["realm"], ["realm", "delete"], ["restore"]):
        helped = remote(*words, "--help")
        assert helped.returncode == 0
        assert "Usage: asterism" in helped.stdout
    assert "doctor" in remote().stdout + remote().stderr
