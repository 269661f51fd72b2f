"""Life of the one server of a data directory: started, found, restarted and stopped."""

import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from asterism.errors import LocalServerError
from asterism.local import attempts, database_files, downloads, launch, processes, server_health
from asterism.local.downloads import OnBytes
from asterism.local.home import Home, State, write_private
from asterism.settings import LocalSettings

USER = "neo4j"
STOP_SECONDS = 60.0
PORT_ATTEMPTS = 5
LOCK_SECONDS = 900.0  # a first start downloads: whoever waits for it waits this long

_REMEDY = (
    "put the right one back. If it is lost: `asterism backup DIR`, move the data directory away, "
    "and `asterism restore` into a new one"
)


def start(home: Home, settings: LocalSettings, on_bytes: OnBytes | None = None) -> State:
    """Return the running server of this data directory, started if need be."""
    state = running(home)
    if state and server_health.has_started(home) and processes.listens(state.bolt_port):
        return state
    home.prepare()
    with exclusive(home):
        undo_unfinished(home)
        return start_locked(home, settings, on_bytes)


def start_locked(home: Home, settings: LocalSettings, on_bytes: OnBytes | None = None) -> State:
    """Do what `start` does, while holding the lock."""
    state = start_unchecked(home, settings, on_bytes)
    _check_password(home, state, time.monotonic() + settings.start_seconds)
    return state


def start_unchecked(home: Home, settings: LocalSettings, on_bytes: OnBytes | None = None) -> State:
    """Do what `start_locked` does, whatever the password file holds."""
    jars = downloads.server_jars(on_bytes)
    downloads.model_jar(on_bytes)
    archived = True

    def attempt() -> State:
        state = running(home)  # one whose start was given up may still be on its way
        if state is None:
            state = _launch(home, settings, jars, archived=archived)
            home.write_state(state)
        import_module("neo4j")  # while Java starts, since the database is asked next
        server_health.await_ports(home, state, settings.start_seconds)
        if archived:
            launch.make_archive_if_missing(jars)
        else:
            launch.discard_archive(jars)
        return state

    def repeats(error: Exception) -> bool:
        nonlocal archived
        failed = isinstance(error, LocalServerError) and running(home) is None
        if not failed:
            return False
        # Only a start without the archive that works shows that it is to blame.
        suspect = archived and server_health.java_broke_at_start(home)
        if suspect and launch.uses_archive(jars):
            archived = False
            return True
        # Somebody else may take a port between our look and the server's.
        return server_health.port_taken(home)

    return attempts.call(attempt, PORT_ATTEMPTS, repeats)


def start_or_restart(home: Home, settings: LocalSettings, on_bytes: OnBytes | None = None) -> State:
    """Return the running server, started if it is down, restarted if its database stopped."""
    before = running(home)
    state = start(home, settings, on_bytes)
    if state != before or not server_health.has_stopped(state, (USER, password(home))):
        return state
    with exclusive(home):
        current = running(home)  # another process may have restarted it meanwhile
        if current and server_health.has_stopped(current, (USER, password(home))):
            server_health.require_room(home)
            settings = _on_same_ports(settings, current)
            stop_locked(home)
        return start_locked(home, settings)


def running(home: Home) -> State | None:
    """Return the server that was started here and still lives."""
    state = home.read_state()
    return state if state and processes.process(home, state) else None


def crashed(home: Home) -> bool:
    """Tell whether a server was started here, never stopped, and is gone all the same."""
    return home.read_state() is not None and running(home) is None


def problem(home: Home, state: State) -> str:
    """Return why the database of a running server takes no work, with the remedy, or nothing."""
    try:
        stopped = server_health.has_stopped(state, (USER, password(home)))
    except LocalServerError:  # no password, no look
        stopped = False
    if not stopped:
        return ""
    return server_health.disk_problem(home) or "its database has stopped: `asterism up` restarts it"


def stop(home: Home) -> bool:
    """Stop the server. Returns False if none was running."""
    if not home.root.is_dir():
        return False
    with exclusive(home):
        return stop_locked(home)


def stop_locked(home: Home) -> bool:
    """Do what `stop` does, while holding the lock."""
    state = home.read_state()
    process = processes.process(home, state) if state else None
    if process:
        _terminate(process)
    home.forget_state()
    _end_orphans(home)
    return process is not None


def undo_unfinished(home: Home) -> None:
    """Put back a database that was set aside, while holding the lock."""
    if running(home) is None:
        _end_orphans(home)  # one that works on the files that are exchanged here
    database_files.put_back(home)


@contextmanager
def paused(home: Home, settings: LocalSettings, result: str) -> Iterator[None]:
    """Stop a running server for a while. An error of its return says what was done all the same."""
    state = running(home)
    if state:
        settings = _on_same_ports(settings, state)
    was_running = stop_locked(home)
    try:
        yield
    except BaseException:
        if was_running:
            with suppress(LocalServerError):
                start_locked(home, settings)
        raise
    if was_running:
        try:
            start_locked(home, settings)
        except LocalServerError as error:
            raise LocalServerError(
                f"{result}, but the server did not come back: {error}"
            ) from error


@contextmanager
def hidden(
    home: Home,
    settings: LocalSettings,
    *,
    java_options: Sequence[str] = (),
    patience: float = STOP_SECONDS,
) -> Iterator[State]:
    """Run the server where no other process finds it, while holding the lock.

    Options of Java's take the place of those of the archive of classes. It has `patience` seconds
    to end before it is killed.
    """
    anywhere = settings.model_copy(update={"bolt_port": 0, "http_port": 0})
    jars = downloads.server_jars()
    state = _launch(home, anywhere, jars, archived=not java_options, java_options=java_options)
    try:
        server_health.await_ports(home, state, settings.start_seconds)
        _check_password(home, state, time.monotonic() + settings.start_seconds)
        yield state
    finally:
        if process := processes.process(home, state):
            _terminate(process, patience)


def password(home: Home) -> str:
    """Return the password of this data directory's server."""
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


def wrong_password(home: Home) -> str:
    return f"the password in {home.password_file} is not this server's: {_REMEDY}"


@contextmanager
def exclusive(home: Home) -> Iterator[None]:
    """Hold the lock under which one process starts, stops, dumps or loads this server."""
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


def _on_same_ports(settings: LocalSettings, state: State) -> LocalSettings:
    """Return settings with which whoever knows the server's address finds it there again."""
    ports = {"bolt_port": state.bolt_port, "http_port": state.http_port}
    return settings.model_copy(update=ports)


def _launch(
    home: Home,
    settings: LocalSettings,
    jars: Path,
    *,
    archived: bool = True,
    java_options: Sequence[str] = (),
) -> State:
    _end_orphans(home)
    ports_and_heap = launch.write_config(home, settings)
    _set_first_password(home, jars)
    return launch.start_process(
        home, jars, ports_and_heap, archived=archived, java_options=java_options
    )


def _terminate(process: psutil.Process, patience: float = STOP_SECONDS) -> None:
    with suppress(psutil.NoSuchProcess):
        process.terminate()
        if processes.wait_for_end(process, patience):
            return
        process.kill()
        if not processes.wait_for_end(process, STOP_SECONDS):
            raise LocalServerError(
                f"the server, process {process.pid}, does not even end when it is killed: "
                "see what holds it, such as a disk that does not answer, then try again"
            )


def _end_orphans(home: Home) -> None:
    """End servers that nobody knows of: their start was killed before it wrote its state."""
    for process in psutil.process_iter():
        try:
            if processes.home_argument(home) in process.cmdline():
                process.kill()
                processes.wait_for_end(process, STOP_SECONDS)
        except (psutil.Error, ProcessLookupError):
            continue


def _set_first_password(home: Home, jars: Path) -> None:
    """Make a random password before the very first start, in a file only its owner can read."""
    if (home.data / "databases" / "system").exists():
        password(home)
        return
    server_health.require_first_room(home)
    if not home.password_file.exists() or not password(home):
        # Hexadecimal: no dash in front that would read as an option.
        write_private(home.password_file, secrets.token_hex(20))
    # Read from the file by the command itself: an argument would show in the process list.
    launch.admin(home, jars, "dbms", "set-initial-password", f"@{home.password_file}")


def _check_password(home: Home, state: State, deadline: float) -> None:
    from neo4j.exceptions import AuthError

    try:
        server_health.await_database(home, state, (USER, password(home)), deadline)
    except AuthError as error:
        raise LocalServerError(wrong_password(home)) from error
