"""How commands talk: a table or lines for people, one JSON document for machines."""

import json
import re
import sys
from typing import Annotated, Any

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document, for machines.")]
Unasked = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
InRealm = Annotated[
    str, typer.Option("--realm", envvar="ASTERISM_REALM", help="The realm to work in.")
]
Mode = Annotated[
    str, typer.Option("--mode", help="Permissions of the file; 644 lets others read it.")
]

TIMES = "ISO 8601; without a zone it is in ASTERISM_TIMEZONE, or UTC."
BARS = "▁▂▃▄▅▆▇█"
# What can steer a terminal: C0 and C1 controls but tab and newline, and marks of text direction.
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def as_json(document: Any) -> None:
    """Print a document for machines: results, lists of them, or plain values."""
    typer.echo(json_text(document), nl=False)


def json_text(document: Any) -> str:
    """Return a document for machines as text, control characters escaped."""
    text = json.dumps(document, indent=2, default=_plain_value, ensure_ascii=False)
    return CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def _plain_value(value: Any) -> Any:
    dump = getattr(value, "model_dump", None)
    return dump(mode="json") if dump else str(value)


def say(text: str) -> None:
    """Print a line for people; [bold] and the like are rich markup."""
    from rich.console import Console

    Console(highlight=False, soft_wrap=True).print(printable(text))


def raw(text: str, *, newline: bool = True) -> None:
    """Print text of the graph line by line as it is, control characters aside."""
    typer.echo(printable(text), nl=newline)


def data(text: str) -> None:
    """Print text for machines: exactly into a file or pipe, printable on a terminal."""
    typer.echo(printable(text) if sys.stdout.isatty() else text, nl=False)


def printable(text: object) -> str:
    """Replace what can steer a terminal: a stored text must not rewrite the screen."""
    return CONTROLS.sub("\ufffd", str(text))


def plain(text: object) -> str:
    """Escape [brackets], which `say` takes for markup, and replace control characters."""
    from rich.markup import escape

    return escape(printable(text))


def pairs(title: str, values: dict[str, Any]) -> None:
    """Print names and values as two aligned columns."""
    say(f"[bold]{plain(title)}[/bold]")
    width = max((len(name) for name in values), default=0)
    for name, value in values.items():
        say(f"  [dim]{name:<{width}}[/dim]  {plain(value)}")


def table(columns: list[str], rows: list[list[Any]]) -> None:
    """Print rows under headings, or that there are none."""
    if not rows:
        say("[dim]Nothing to show.[/dim]")
        return
    from rich.console import Console
    from rich.table import Table

    drawn = Table(*map(plain, columns), box=None, header_style="bold")
    for row in rows:
        drawn.add_row(*(plain("" if value is None else value) for value in row))
    Console().print(drawn)


def bars(values: list[float]) -> str:
    """Numbers from 0 to 1 as a row of bars."""
    top = len(BARS) - 1
    return "".join(BARS[round(min(max(value, 0.0), 1.0) * top)] for value in values)


def fail(error: Exception, *, as_json: bool) -> None:
    """Print a refusal to stderr."""
    if as_json:
        document = {"error": type(error).__name__, "message": str(error)}
        typer.echo(json.dumps(document), err=True)
        return
    from rich.console import Console

    Console(stderr=True, soft_wrap=True, highlight=False).print(
        f"[bold red]{type(error).__name__}[/bold red]: {plain(error)}"
    )
