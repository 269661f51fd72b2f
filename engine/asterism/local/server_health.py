"""Health of the local server: waits until it works, and tells why it does not."""

import shutil
import time
from pathlib import Path

from asterism.errors import DatabaseUnavailable, LocalServerError
from asterism.local import processes
from asterism.local.home import Home, State

POLL_SECONDS = 0.02
AUTH_SECONDS = 2.0  # three refusals in five seconds, and the server refuses everybody
MEGABYTE = 1_000_000
LEAST_BYTES = 128 * MEGABYTE  # the store grows by 64 MB at a time, and so does its log
FIRST_BYTES = 600 * MEGABYTE  # an empty database and its logs take 510 MB
PORT_TAKEN = ("BindException", "Address already in use", "AddressAlreadyInUse")
# Java that refuses an option "could not be created": nothing has broken.
JAVA_BROKE = (
    "A fatal error has been detected by the Java Runtime",
    "Error occurred during initialization of VM",
)

Auth = tuple[str, str]


def console_log(home: Home) -> Path:
    return home.logs / "console.log"


def await_ports(home: Home, state: State, seconds: float) -> None:
    """Wait until this very process answers on both ports and has finished its start."""
    deadline = time.monotonic() + seconds
    while True:
        process = processes.process(home, state)
        if process is None:
            home.forget_state()
            raise did_not_start(home, "the process ended")
        if has_started(home) and processes.serves(process, state):  # to list sockets costs more
            return
        if time.monotonic() > deadline:
            raise did_not_start(home, f"it did not answer within {seconds:.0f} s")
        time.sleep(POLL_SECONDS)


def await_database(home: Home, state: State, auth: Auth, deadline: float) -> None:
    """Wait until the database takes transactions. A wrong password raises AuthError."""
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    while True:
        try:
            _begin(state, auth)
            return
        except AuthError:
            if has_started(home) or time.monotonic() > deadline:
                raise
            time.sleep(AUTH_SECONDS)
        except (DriverError, Neo4jError) as error:
            full = isinstance(error, Neo4jError) and free_bytes(home) < LEAST_BYTES
            if full or time.monotonic() > deadline:
                reason = error.message if isinstance(error, Neo4jError) else str(error)
                raise did_not_start(home, reason or "no reason told") from error
            time.sleep(POLL_SECONDS)


def has_started(home: Home) -> bool:
    """Tell whether the server has finished its start: before, it may refuse a right password."""
    lines = _log_lines(home)
    return not lines or any(line.endswith("INFO  Started.") for line in lines)


def has_stopped(state: State, auth: Auth) -> bool:
    """Tell whether a server answers, but its database takes no transactions."""
    from neo4j import GraphDatabase
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    try:
        # Not `_begin`: a database that broke down while it ran refuses queries only.
        with GraphDatabase.driver(state.uri, auth=auth) as driver, driver.session() as session:
            session.run("RETURN 1").consume()
    except AuthError:
        return False
    except Neo4jError:
        return True
    except DriverError:
        return False
    return False


def port_taken(home: Home) -> bool:
    """Tell whether the last start failed for a port that another program took first."""
    return any(word in line for line in _log_lines(home) for word in PORT_TAKEN)


def java_broke(printed: str) -> bool:
    """Tell from what it printed whether Java itself broke."""
    return any(words in printed for words in JAVA_BROKE)


def java_broke_at_start(home: Home) -> bool:
    """Tell whether that was so in the last start of the server."""
    return java_broke("\n".join(_log_lines(home)))


def free_bytes(home: Home) -> int:
    """Return the bytes that are free on the disk of the data directory."""
    return shutil.disk_usage(home.root).free


def disk_problem(home: Home, least: int = LEAST_BYTES) -> str:
    """Return the trouble with room on the disk and its remedy, empty if there is none."""
    free = free_bytes(home)
    if free >= least:
        return ""
    return (
        f"the disk of the server is full: {free / MEGABYTE:.0f} MB are free in {home.root}. "
        f"Free some, so that {least / MEGABYTE:.0f} MB are, then repeat: "
        "the server comes back by itself"
    )


def require_room(home: Home) -> None:
    """Refuse to restart a database that has no room to work in."""
    if problem := disk_problem(home):
        raise DatabaseUnavailable(problem)


def require_first_room(home: Home) -> None:
    """Refuse to make a database where it has no room."""
    if problem := disk_problem(home, FIRST_BYTES):
        raise LocalServerError(f"{problem}. Or point ASTERISM_HOME at a larger disk")


def did_not_start(home: Home, why: str) -> LocalServerError:
    """Return the error of a failed start, with the last words of the server."""
    lines = _log_lines(home)
    errors = [line for line in lines if "ERROR" in line or "Caused by" in line] or lines
    last = "\n".join(f"  {line[:200]}" for line in errors[-5:])
    problem = disk_problem(home)
    return LocalServerError(
        f"the local server did not start ({why}). {problem + '. ' if problem else ''}"
        f"See {console_log(home)}, or run `asterism doctor`. It last said:\n{last}"
    )


def _begin(state: State, auth: Auth) -> None:
    """Begin a transaction and end it: refused until the database is up, cheap on a cold server."""
    from neo4j import GraphDatabase

    with GraphDatabase.driver(state.uri, auth=auth) as driver, driver.session() as session:
        session.begin_transaction().close()


def _log_lines(home: Home) -> list[str]:
    try:
        return console_log(home).read_text(errors="replace").splitlines()
    except OSError:
        return []
