"""Translates what the driver raises into errors that say what happened and what to do."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from neo4j.exceptions import (
    AuthError,
    ConnectionPoolError,
    ConstraintError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from asterism.errors import AsterismError, Conflict, DatabaseUnavailable, InvalidInput
from asterism.retries import BUSY_SECONDS, lost, passes, stopped

__all__ = ["code", "curable", "sendable", "stopped", "translated", "unsure"]

LONGEST_REASON = 300
UNSURE = (
    "so it may or may not have happened: look before you repeat it; "
    "what carries an id of its own can be repeated"
)
STOPPED = (
    "the server's database has stopped and needs a restart, most often because its disk was full: "
    "free some, then restart the server"
)


@contextmanager
def translated(name: str) -> Iterator[None]:
    """Raise an AsterismError in place of the driver's error, which stays its cause."""
    try:
        yield
    except (DriverError, Neo4jError) as error:
        raise _translation(name, error) from error


@contextmanager
def sendable(parameters: Mapping[str, Any]) -> Iterator[None]:
    """Raise InvalidInput for a parameter that no server can take, named and shown."""
    try:
        yield
    except (UnicodeEncodeError, OverflowError) as error:
        for name, value in parameters.items():
            for culprit, remedy in _unsendable(value):
                raise InvalidInput(name, culprit, remedy) from error
        raise


def code(error: BaseException) -> str:
    """Return the server's code of the error that caused this one, or nothing."""
    cause = error.__cause__
    return (cause.code or "") if isinstance(cause, Neo4jError) else ""


def unsure(error: BaseException | None) -> bool:
    """Tell whether nobody knows if what failed was committed."""
    broken = isinstance(error, Neo4jError) and str(error.code).endswith(".TransactionCommitFailed")
    return broken or isinstance(error, IncompleteCommit)


def curable(error: BaseException | None) -> bool:
    """Tell whether a local server may be well again once it has started, or started anew."""
    # While it starts, it may refuse a right password.
    return lost(error) or stopped(error) or isinstance(error, AuthError)


def _translation(name: str, error: DriverError | Neo4jError) -> AsterismError:
    if isinstance(error, Neo4jError):
        return _of_server(name, error)
    if isinstance(error, IncompleteCommit):
        return DatabaseUnavailable(
            f"the connection broke while {name} was being committed, {UNSURE}"
        )
    if isinstance(error, (ServiceUnavailable, SessionExpired)):
        return DatabaseUnavailable(
            f"the server does not answer ({_reason(str(error))}): "
            "start it with `asterism up`, or check NEO4J_URI"
        )
    if isinstance(error, ConnectionPoolError):
        return _busy(name)
    return AsterismError(f"{name} failed: {_reason(str(error))}")


def _of_server(name: str, error: Neo4jError) -> AsterismError:
    code, reason = error.code or "", _reason(error.message or "")
    if isinstance(error, AuthError):
        return DatabaseUnavailable(
            "the server refuses these credentials: check NEO4J_USERNAME and NEO4J_PASSWORD, "
            f"or pass auth=(user, password) ({reason})"
        )
    if isinstance(error, ConstraintError):
        return Conflict(f"{name}: {reason}")
    if unsure(error):
        return DatabaseUnavailable(
            f"the server's database stopped while {name} was being committed, {UNSURE}"
        )
    if stopped(error) or lost(error):
        return DatabaseUnavailable(STOPPED)
    if code.endswith(".DatabaseNotFound"):
        return DatabaseUnavailable(
            f"{reason}: check NEO4J_DATABASE, or leave it out for the default one"
        )
    if "OutOfMemory" in code:
        return DatabaseUnavailable(
            f"the server has too little memory for {name}, nothing was written: do less at once, "
            "or give it more (ASTERISM_LOCAL_HEAP_MB for the local server)"
        )
    return _busy(name) if passes(error) else AsterismError(f"{name} failed: {reason}")


def _busy(name: str) -> DatabaseUnavailable:
    return DatabaseUnavailable(
        f"the server is busy with others who change the same things: {name} was tried again for "
        f"{BUSY_SECONDS:.0f} s, nothing was written; repeat it"
    )


def _reason(text: str) -> str:
    """Return the server's own sentence on one line."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]}..."


def _unsendable(value: Any) -> Iterator[tuple[Any, str]]:
    """Find text that can't be encoded and numbers beyond 64 bits, however deep."""
    if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
        yield value, "it holds half a character: decode it anew"
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        yield value, "give a number of at most 64 bits"
    elif isinstance(value, (Mapping, list, tuple)):
        inner = value.values() if isinstance(value, Mapping) else value
        for each in inner:
            yield from _unsendable(each)
