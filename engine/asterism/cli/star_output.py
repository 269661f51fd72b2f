"""Lines of text for stars and connections."""

from typing import Any

from asterism.cli import output
from asterism.cli.runner import Runner

OUTCOMES = {
    "created": "a new connection",
    "counted": "the evidence counted",
    "capped": "the evidence counted, up to what a connection may gain in a day",
    "candidate": "not connected yet: it waits for another co-mention",
    "duplicate": "the evidence did not count again",
    "late": "the evidence is recorded, but too old to count",
}


def is_directed(connection: Any) -> bool:
    """Tell whether a connection points from one star to the other."""
    return connection.type in ("CAUSATION", "GROWTH_EDGE", "BLOCKS")


def show_connection(runner: Runner, connection: Any, first: str = "") -> None:
    """Answer with a connection, its ends in the order in which they were typed."""
    runner.show(connection, lambda: print_connection(connection, first))


def print_connection(connection: Any, first: str = "") -> None:
    """Print the state of a connection, what became of its evidence, and its reason."""
    ends = [connection.a, connection.b]
    if first == connection.b and not is_directed(connection):
        ends.reverse()
    pair = output.escape(f" {'→' if is_directed(connection) else '–'} ".join(ends))
    outcome = f": {OUTCOMES[connection.outcome]}" if connection.outcome else ""
    state = f"{connection.type}, {connection.state}, strength {connection.strength:.3f}"
    output.print_markup(f"[bold]{pair}[/bold] {state}{outcome}")
    output.print_text(f"  {connection.why}")


def show_star(runner: Runner, star: Any) -> None:
    """Answer with a star: its state and brightness."""
    note = f" ({star.note})" if star.note else ""
    runner.show(star, f"{star.name} is {star.state} at {star.brightness:.3f}.{note}")
