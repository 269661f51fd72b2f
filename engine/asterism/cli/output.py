"""Printing of text and tables for people and of JSON for machines, safe on any terminal."""

import json
import re
import sys
from collections.abc import Sequence
from typing import Any

import typer

BARS = "▁▂▃▄▅▆▇█"
# Controls that can steer a terminal: C0 and C1 but tab and newline, and marks of text direction.
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def print_json(document: Any) -> None:
    """Print a result, a list of results or a plain value as one JSON document."""
    typer.echo(json_text(document), nl=False)


def json_text(document: Any) -> str:
    """Return a JSON document as text, its control characters escaped."""
    text = json.dumps(document, indent=2, default=_plain_value, ensure_ascii=False)
    return CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def _plain_value(value: Any) -> Any:
    dump = getattr(value, "model_dump", None)
    return dump(mode="json") if dump else str(value)


def print_text(text: object, *, newline: bool = True) -> None:
    """Print text as it is, control characters aside."""
    typer.echo(printable(text), nl=newline)


def print_markup(text: str) -> None:
    """Print a line in which [bold] and the like are rich markup."""
    from rich.console import Console

    Console(highlight=False, soft_wrap=True).print(printable(text))


def print_dim(text: object, indent: int = 0) -> None:
    """Print a line of plain text in a faint colour."""
    print_markup(f"{' ' * indent}[dim]{escape(text)}[/dim]")


def print_warning(text: object) -> None:
    """Print a line of plain text in yellow."""
    print_markup(f"[yellow]{escape(text)}[/yellow]")


def print_data(text: str) -> None:
    """Print text for machines: exactly into a file or pipe, printable on a terminal."""
    typer.echo(printable(text) if sys.stdout.isatty() else text, nl=False)


def printable(text: object) -> str:
    """Replace the characters that can steer a terminal."""
    return CONTROLS.sub("\ufffd", str(text))


def escape(text: object) -> str:
    """Escape [brackets], which are markup to rich, and replace control characters."""
    from rich.markup import escape

    return escape(printable(text))


def print_fields(title: str, values: dict[str, Any]) -> None:
    """Print names and values as two aligned columns under a title."""
    print_markup(f"[bold]{escape(title)}[/bold]")
    width = max((len(name) for name in values), default=0)
    for name, value in values.items():
        shown = round(value, 4) if isinstance(value, float) else value
        print_markup(f"  [dim]{name:<{width}}[/dim]  {escape(shown)}")


def print_table(headings: Sequence[str], rows: Sequence[Sequence[Any]], limit: int = 0) -> None:
    """Print rows under headings, the first ones if there is a limit, or that there are none."""
    if not rows:
        print_dim("Nothing to show.")
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for heading in headings:  # cells are folded, not cut: an id has to be whole to be copied
        table.add_column(escape(heading), overflow="fold")
    for row in rows[: limit or None]:
        table.add_row(*(escape("" if value is None else value) for value in row))
    Console().print(table)
    if limit and len(rows) > limit:
        print_dim(f"and {len(rows) - limit} more; --json tells them all")


def amount(count: int, noun: str) -> str:
    """Return a number with a noun, in the plural unless it is one."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def shorten(text: str, width: int) -> str:
    """Return a text in at most so many characters, its end cut off with an ellipsis."""
    return text if len(text) <= width else text[: width - 1] + "…"


def bars(values: list[float]) -> str:
    """Return numbers from 0 to 1 as a row of bars."""
    top = len(BARS) - 1
    return "".join(BARS[round(min(max(value, 0.0), 1.0) * top)] for value in values)


def print_error(error: Exception, *, as_json: bool) -> None:
    """Print a refusal to stderr."""
    if as_json:
        document = {"error": type(error).__name__, "message": str(error)}
        typer.echo(json.dumps(document), err=True)
        return
    from rich.console import Console

    Console(stderr=True, soft_wrap=True, highlight=False).print(
        f"[bold red]{type(error).__name__}[/bold red]: {escape(error)}"
    )
