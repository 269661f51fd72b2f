"""The local server: started once, found again, brought back, and every fault named."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from pydantic import ValidationError

from asterism import connection
from asterism.errors import DatabaseUnavailable, InvalidInput, LocalServerError
from asterism.graph import Graph
from asterism.local import config, launch, processes, server, server_health
from asterism.local.home import Home, State
from asterism.settings import LocalSettings
from tests.conftest import SMALL, SMALL_VARIABLES
from tests.support import held_java, own_ports
from tests.support.prepared_home import copied
from tests.support.raw import run_cypher

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def home(quick_folder: Path, pattern: Home) -> Iterator[Home]:
    """A data directory of this file's own."""
    own = copied(pattern, quick_folder / "home with a space")
    yield own
    server.stop(own)


@pytest.fixture
def state(home: Home) -> State:
    """Its server, running."""
    return server.start(home, SMALL)


@pytest.fixture
def here(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Makes it the data directory of this process."""
    monkeypatch.setenv("ASTERISM_HOME", str(home.root))
    for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_USER", "NEO4J_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    return home


def kill(state: State) -> None:
    """Kill the server, as a power cut would."""
    process = psutil.Process(state.pid)
    process.send_signal(signal.SIGKILL)
    assert processes.wait_for_end(process, 1800)


def test_the_password_is_random_and_only_the_owners(home: Home, state: State) -> None:
    assert home.password_file.stat().st_mode & 0o777 == 0o600
    assert len(server.password(home)) >= 24
    assert server.password(home) not in " ".join(psutil.Process(state.pid).cmdline())
    assert server.password(home) not in (home.conf / "neo4j.conf").read_text()


def test_the_server_listens_on_this_machine_only(state: State) -> None:
    listening = [
        connection.laddr
        for connection in psutil.Process(state.pid).net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN
    ]
    assert {address.port for address in listening} >= {state.bolt_port, state.http_port}
    assert {address.ip.removeprefix("::ffff:") for address in listening} == {"127.0.0.1"}


def test_browser_learns_the_address_of_bolt(state: State) -> None:
    """Its login form is filled from this answer, also when the port is not the usual one."""
    page = state.browser.removesuffix("browser/")
    request = urllib.request.Request(page, headers={"Accept": "application/json"})
    with urllib.request.urlopen(request, timeout=600) as answer:
        assert json.load(answer)["bolt_direct"] == state.uri
    with urllib.request.urlopen(state.browser, timeout=600) as answer:
        assert b"Neo4j Browser" in answer.read()


def test_a_second_start_finds_the_same_server(home: Home, state: State) -> None:
    assert server.start(home, SMALL) == state


def test_the_server_outlives_the_process_that_started_it(home: Home, state: State) -> None:
    parent = psutil.Process(state.pid).parent()
    assert parent is None or parent.pid != os.getpid()


async def test_a_server_killed_while_idle_comes_back_with_the_next_call(here: Home) -> None:
    async with Graph.open(realm="idle", settings={"local": SMALL}) as graph:
        before = here.read_state()
        assert before is not None
        await graph.embedding.calibration()
        kill(before)
        stats = await graph.realms.stats()
        after = here.read_state()
        assert stats.nodes == {"EmbeddingModel": 1, "Realm": 1}
        assert after is not None
        assert (after.pid != before.pid, after.uri) == (True, before.uri)


async def test_a_server_killed_while_writing_keeps_what_was_acknowledged(here: Home) -> None:
    acknowledged: list[str] = []
    enough = asyncio.Event()

    async def write(number: int) -> None:
        async with Graph.open(realm=f"w{number}", settings={"local": SMALL}) as graph:
            for _ in range(400):
                name = f"{number}-{len(acknowledged)}"
                try:
                    await graph.database.within(name).rows(
                        "embedding/claim", name=name, dimensions=1, mean=0.0, spread=1.0
                    )
                except DatabaseUnavailable:
                    continue
                acknowledged.append(name)
                if len(acknowledged) == 100:
                    enough.set()

    async def cut() -> None:
        await enough.wait()
        crashed = here.read_state()
        assert crashed is not None
        await asyncio.to_thread(kill, crashed)

    await asyncio.gather(write(1), write(2), write(3), cut())
    async with Graph.open(settings={"local": SMALL}) as graph:
        result = await run_cypher(graph, "MATCH (m:EmbeddingModel) RETURN collect(m.name) AS names")
        assert set(acknowledged) <= set(result[0]["names"])
        assert len(acknowledged) > 1000


async def test_a_server_taken_down_on_purpose_stays_down(here: Home) -> None:
    async with Graph.open(settings={"local": SMALL}) as graph:
        assert server.stop(here)
        with pytest.raises(DatabaseUnavailable, match="start it with `asterism up`"):
            await graph.realms.list()
        assert server.running(here) is None


def test_two_starts_at_once_make_one_server(here: Home) -> None:
    server.stop(here)
    command = [sys.executable, "-m", "asterism", "up", "--json"]
    small = os.environ | SMALL_VARIABLES
    started = [
        subprocess.Popen(command, env=small, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    documents = [json.loads(process.communicate()[0]) for process in started]
    assert [process.returncode for process in started] == [0, 0]
    assert documents[0]["pid"] == documents[1]["pid"]


def test_a_stale_process_number_is_no_obstacle(home: Home, state: State) -> None:
    kill(state)
    home.write_state(replace(state, pid=os.getpid()))
    home.lock_file.write_text("left behind")
    assert server.running(home) is None
    assert server.crashed(home)
    again = server.start(home, SMALL)
    assert again.pid not in (state.pid, os.getpid())
    assert again.bolt_port == state.bolt_port


def test_a_damaged_state_file_is_no_obstacle(home: Home, state: State) -> None:
    """Nobody knows of the running server then: it is ended, and one that is known started."""
    home.state_file.write_text('{"pid": ')
    assert server.running(home) is None
    again = server.start(home, SMALL)
    assert server.running(home) == again
    assert processes.process(home, state) is None or again == state


async def test_a_server_that_is_slow_to_answer_is_waited_for(
    here: Home, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine it may get no turn for seconds, and has not died for that."""
    monkeypatch.setattr(connection, "REACH_SECONDS", 0.6)  # for a server elsewhere
    process = psutil.Process(state.pid)
    process.suspend()
    opened = asyncio.ensure_future(Graph.open(realm="slow", settings={"local": SMALL}))
    try:
        assert await asyncio.wait({opened}, timeout=0.8) == (set(), {opened})
    finally:
        process.resume()
    graph = await opened
    await graph.close()
    assert server.running(here) == state


def test_stopping_twice_is_no_error(home: Home, state: State) -> None:
    assert server.stop(home) is True
    assert server.stop(home) is False
    assert server.stop(Home(home.root / "never-made")) is False


def test_occupied_ports_are_left_to_their_owners(home: Home) -> None:
    server.stop(home)
    bolt_port, http_port = own_ports.SPARE
    ports = {"bolt_port": bolt_port, "http_port": http_port}
    with (
        socket.create_server(("127.0.0.1", bolt_port)),
        socket.create_server(("127.0.0.1", http_port)),
    ):
        moved = server.start(home, SMALL.model_copy(update=ports))
        assert not {moved.bolt_port, moved.http_port} & set(ports.values())
        assert server.start(home, SMALL) == moved
    server.stop(home)
    settled = server.start(home, SMALL.model_copy(update=ports))
    assert {settled.bolt_port, settled.http_port} == set(ports.values())


async def test_a_password_file_of_another_server_is_named(here: Home, state: State) -> None:
    right = server.password(here)
    try:
        here.password_file.write_text("the-password-of-another-server")
        with pytest.raises(DatabaseUnavailable, match=r"is not this server's.*asterism restore"):
            await Graph.open()
        await asyncio.to_thread(server.stop, here)
        with pytest.raises(LocalServerError, match=r"is not this server's.*asterism restore"):
            await asyncio.to_thread(server.start, here, SMALL)
    finally:
        here.password_file.write_text(right)


def test_a_lost_password_file_is_named(home: Home, state: State) -> None:
    right = server.password(home)
    server.stop(home)
    home.password_file.unlink()
    try:
        with pytest.raises(
            LocalServerError, match=r"password file .* is missing.*asterism restore"
        ):
            server.start(home, SMALL)
    finally:
        home.password_file.touch(0o600)
        home.password_file.write_text(right)


def test_a_server_that_cannot_start_tells_what_it_said(tmp_path: Path) -> None:
    broken = Home(tmp_path / "broken")
    broken.prepare()
    (broken.data / "dbms").write_text("a file where a folder should be")
    with pytest.raises(LocalServerError, match="set-initial-password failed"):
        server.start(broken, SMALL)
    assert server.running(broken) is None


def give_up_a_start(home: Home, folder: Path) -> Path:
    """Start a server that comes no further until the returned file is deleted, and give it up."""
    server.stop(home)
    barrier = folder / "barrier"
    hasty = SMALL.model_copy(update={"start_seconds": 0.2})
    with pytest.MonkeyPatch.context() as patch:
        for name, value in held_java.variables(barrier).items():
            patch.setenv(name, value)
        with pytest.raises(LocalServerError, match=r"did not answer within 0 s.*console\.log"):
            server.start(home, hasty)
    while not barrier.exists():
        time.sleep(0.02)
    return barrier


def test_a_start_that_takes_too_long_is_given_up_with_the_log(home: Home, tmp_path: Path) -> None:
    barrier = give_up_a_start(home, tmp_path)
    given_up = server.running(home)
    barrier.unlink()
    assert server.start(home, SMALL) == given_up


def test_a_start_that_was_given_up_and_lost_its_port_is_repeated_on_another(
    home: Home, tmp_path: Path
) -> None:
    barrier = give_up_a_start(home, tmp_path)
    given_up = server.running(home)
    assert given_up
    with socket.create_server(("127.0.0.1", given_up.bolt_port)):
        barrier.unlink()
        state = server.start(home, SMALL)
    assert state.bolt_port != given_up.bolt_port


def test_a_process_that_ends_at_once_is_reported(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.stop(home)
    monkeypatch.setenv("JDK_JAVA_OPTIONS", "-XX:NoSuchOption")
    with pytest.raises(LocalServerError, match=r"did not start[^\n]*\n.*NoSuchOption"):
        server.start(home, SMALL)
    assert home.read_state() is None
    assert not server_health.java_broke_at_start(home)  # the archive of classes is not to blame


def test_settings_of_neo4j_reach_its_configuration(home: Home) -> None:
    chosen = SMALL.model_copy(update={"neo4j": {"db.transaction.timeout": "9m"}})
    launch.write_config(home, chosen)
    assert "db.transaction.timeout=9m\n" in (home.conf / "neo4j.conf").read_text()


def test_settings_of_neo4j_leave_what_asterism_sets_itself() -> None:
    with pytest.raises(InvalidInput, match=r"local.neo4j.*have settings of their own"):
        config.text(7687, 7474, 512, 64, {"server.bolt.listen_address": "0.0.0.0:7687"})
    with pytest.raises(ValidationError):
        LocalSettings(neo4j={"db.transaction.timeout": "9m\nserver.jvm.additional=-Xmx1g"})


def test_a_password_file_cut_short_is_written_anew(quick_folder: Path) -> None:
    """A first start killed while writing it. The password never reads as an option."""
    new_home = Home(quick_folder / "fresh")
    new_home.prepare()
    new_home.password_file.touch()
    new_home.password_file.with_suffix(".draft").write_text("-half")
    try:
        server.start(new_home, SMALL)
        assert server.password(new_home).isalnum()
        assert len(server.password(new_home)) >= 24
        assert new_home.password_file.stat().st_mode & 0o777 == 0o600
    finally:
        server.stop(new_home)


def test_a_folder_named_engine_is_no_obstacle(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.stop(home)
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)
    state = server.start(home, SMALL)
    assert psutil.Process(state.pid).cwd() == str(home.root)


@pytest.mark.parametrize("place", ["/proc/asterism", "a-file/home"])
def test_a_data_directory_that_cannot_be_written_is_named(place: str, tmp_path: Path) -> None:
    (tmp_path / "a-file").touch()
    with pytest.raises(LocalServerError, match=r"can't write to the data directory.*ASTERISM_HOME"):
        server.start(Home(tmp_path / place), SMALL)


def test_whoever_holds_the_lock_too_long_is_named(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LOCK_SECONDS", 0.1)
    inside, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with server.exclusive(home):
            inside.set()
            leave.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    inside.wait()
    try:
        with pytest.raises(LocalServerError, match="another process has been starting"):
            server.stop(home)
    finally:
        leave.set()
        holder.join()


@pytest.mark.parametrize(
    ("gigabytes", "heap_mb", "page_cache_mb"),
    [(1, 512, 64), (2, 512, 64), (4, 512, 512), (16, 2048, 2048), (64, 4096, 12288)],
)
def test_memory_is_a_quarter_of_the_machine(
    gigabytes: int, heap_mb: int, page_cache_mb: int
) -> None:
    assert config.memory(LocalSettings(), gigabytes * 2**30) == (heap_mb, page_cache_mb)


def test_memory_is_that_of_the_machine_at_most() -> None:
    assert 0 < config.machine_bytes() <= psutil.virtual_memory().total


def test_memory_can_be_set_but_not_beyond_the_machine() -> None:
    chosen = LocalSettings(heap_mb=700, page_cache_mb=300)
    assert config.memory(chosen, 4 * 2**30) == (700, 300)
    with pytest.raises(InvalidInput, match="must fit into 1024 MB"):
        config.memory(LocalSettings(heap_mb=2000), 2**30)
