"""Log and spans of statements: name, realm, rows and time, never a text or a parameter.

The log is `logging.getLogger("asterism.statements")`. Spans go to OpenTelemetry where the program
has loaded it, which costs nothing otherwise.
"""

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

LOG = logging.getLogger("asterism.statements")
# A library is silent where nobody has set up logging.
LOG.addHandler(logging.NullHandler())

SYSTEM = "neo4j"
TRACER = "asterism"


@dataclass
class Observation:
    """Number of rows of a statement that is running, for its log entry and its span."""

    rows: int = 0


@contextmanager
def observed(
    name: str, realm: str, database: str | None, slow_ms: float | None
) -> Iterator[Observation]:
    """Time a statement, log it, at WARNING if it was slow, and record a span.

    The span is nobody's parent, since what reads a stream may leave it in another task.
    """
    observation = Observation()
    span = _start_span(name, realm, database)
    start = time.perf_counter()
    outcome = "failed"
    try:
        yield observation
        outcome = ""
    except BaseException as error:
        outcome = type(error).__name__
        raise
    finally:
        milliseconds = 1000 * (time.perf_counter() - start)
        _log(name, realm, observation.rows, milliseconds, outcome, slow_ms)
        if span is not None:
            _end_span(span, observation.rows, outcome)


def transaction_span(name: str, realm: str, database: str | None) -> AbstractContextManager[Any]:
    """Return a context in which the spans of statements have this one as their parent."""
    trace: Any = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return nullcontext()
    manager: AbstractContextManager[Any] = trace.get_tracer(TRACER).start_as_current_span(
        f"transaction {name}",
        kind=trace.SpanKind.INTERNAL,
        attributes=_attributes(name, realm, database),
        record_exception=False,  # the message of an error may quote a text
        set_status_on_exception=False,
    )
    return manager


def _log(
    name: str, realm: str, rows: int, milliseconds: float, outcome: str, slow_ms: float | None
) -> None:
    slow = slow_ms is not None and milliseconds >= slow_ms
    level = logging.WARNING if slow else logging.DEBUG
    if not LOG.isEnabledFor(level):
        return
    fields = {"statement": name, "realm": realm, "milliseconds": milliseconds, "rows": rows}
    end = f", ended by {outcome}" if outcome else ""
    words = "%sstatement %s in realm %r: %d rows in %.1f ms%s"
    beginning = "slow " if slow else ""
    LOG.log(level, words, beginning, name, realm, rows, milliseconds, end, extra=fields)


def _start_span(name: str, realm: str, database: str | None) -> Any:
    trace: Any = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return None
    attributes = _attributes(name, realm, database)
    return trace.get_tracer(TRACER).start_span(
        name, kind=trace.SpanKind.CLIENT, attributes=attributes
    )


def _end_span(span: Any, rows: int, outcome: str) -> None:
    span.set_attribute("db.response.returned_rows", rows)
    if outcome:
        trace: Any = sys.modules["opentelemetry.trace"]
        span.set_attribute("error.type", outcome)
        span.set_status(trace.Status(trace.StatusCode.ERROR, outcome))
    span.end()


def _attributes(name: str, realm: str, database: str | None) -> dict[str, str]:
    named = {"db.namespace": database} if database else {}
    return {
        "db.system.name": SYSTEM,
        "db.operation.name": name,
        "db.query.summary": name,
        "asterism.realm": realm,
        **named,
    }
