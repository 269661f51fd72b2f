"""Options and arguments that several commands share."""

from datetime import datetime
from typing import Annotated, Any

import typer

TIMES = "ISO 8601; without a zone it is in ASTERISM_TIMEZONE, or UTC."


def option(help: str, *names: str, **rules: Any) -> Any:
    """Return what typer reads of an option: its help, its names if not its own, its rules."""
    return typer.Option(*names, help=help, **rules)


def argument(help: str, **rules: Any) -> Any:
    """Return what typer reads of an argument."""
    return typer.Argument(help=help, **rules)


class OptionGroup:
    """Base of dataclasses whose fields are options of a command, named as a part names them."""

    def typed(self) -> dict[str, Any]:
        """Return what was typed, and what has a default."""
        return {name: value for name, value in vars(self).items() if value is not None}


AsJson = Annotated[bool, option("Print one JSON document, for machines.", "--json")]
InRealm = Annotated[str, option("The realm to work in.", "--realm", envvar="ASTERISM_REALM")]
SkipConfirmation = Annotated[bool, option("Do not ask.", "--yes", "-y")]
Mode = Annotated[str, option("Permissions of the file; 644 lets others read it.", "--mode")]
AtTime = Annotated[str | None, option(f"As of this time; none: now. {TIMES}")]
AtMost = Annotated[int, option("At most so many.", min=1)]
AtLeast = Annotated[float, option("Only what is at least this strong.")]


def confirm(question: str, skip: bool) -> None:
    """Ask a question on stderr, and end the command unless the answer is yes."""
    if not skip:
        typer.confirm(question, abort=True, err=True)


def parse_time(argument: str, text: str | None, *, end: bool = False) -> datetime | None:
    """Return the time that was typed. With `end`, a plain date is its last moment."""
    from asterism.clock import aware

    return None if text is None else aware(text, argument, end=end)
