"""Output of `asterism star ...`: tables of results, connections and stars in a line or two."""

from datetime import datetime
from typing import Any

from engine.cli import output

OUTCOMES = {
    "created": "a new connection",
    "counted": "the evidence counted",
    "capped": "the evidence counted, up to what a connection may gain in a day",
    "candidate": "not connected yet: it waits for another co-mention",
    "duplicate": "the evidence did not count again",
    "late": "the evidence is recorded, but too old to count",
}


def listed(found: list[Any], columns: list[str], json: bool, empty: str) -> None:
    """Print results as a table of these of their fields; none: say what is missing."""
    if json:
        output.as_json(found)
        return
    if not found:
        output.say(f"[dim]{output.plain(empty)}[/dim]")
        return
    output.table(columns, [[cell(getattr(each, name)) for name in columns] for each in found])


def cell(value: Any) -> str:
    """Return a value as a cell of a table shows it."""
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return "" if value is None else str(value)


def directed(connection: Any) -> bool:
    """Whether a connection points from one star to the other."""
    return connection.type in ("CAUSATION", "GROWTH_EDGE", "BLOCKS")


def told(found: Any, json: bool, first: str = "") -> None:
    """Print a connection: how it stands, what became of what was said, and why.

    The ends of an undirected type come in the order in which they were typed.
    """
    if json:
        output.as_json(found)
        return
    ends = (found.b, found.a) if first == found.b and not directed(found) else (found.a, found.b)
    pair = output.plain(f" {'→' if directed(found) else '–'} ".join(ends))
    outcome = f": {OUTCOMES[found.outcome]}" if found.outcome else ""
    standing = f"{found.type}, {found.state}, strength {found.strength:.3f}"
    output.say(f"[bold]{pair}[/bold] {standing}{outcome}")
    output.say(f"  {output.plain(found.why)}")


def stands(found: Any, json: bool) -> None:
    """Print how a star stands after what was done."""
    if json:
        output.as_json(found)
    else:
        note = f" ({output.plain(found.note)})" if found.note else ""
        output.say(f"{output.plain(found.name)} is {found.state} at {found.brightness:.3f}.{note}")
