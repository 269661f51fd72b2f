"""Writes docs/reference/commands.md: every command with its arguments and options.

`python docs/commands.py` writes it anew from the commands themselves.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from asterism.cli import app

PAGE = Path(__file__).parent / "reference" / "commands.md"
OPENING = """# Commands

Every command with its arguments and options, written by `docs/commands.py` from the commands
themselves. Each takes `--help` too. A command ends with exit code 0 when it worked, 2 when an
argument is refused, 1 after any other refusal.
"""


def main() -> None:
    PAGE.write_text(text(), encoding="utf-8")


def text() -> str:
    """Return the page."""
    sections = [_section(path, command) for path, command in _commands(typer.main.get_command(app))]
    return "\n".join([OPENING, *sections])


def _commands(command: Any, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the commands that do something, with their names."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield path, command
        return
    for name in sorted(inner, key=lambda name: hasattr(inner[name], "commands")):
        yield from _commands(inner[name], *path, name)


def _section(path: tuple[str, ...], command: Any) -> str:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    usage = " ".join([*path, *(_argument(each) for each in arguments)])
    lines = [f"## asterism {usage}", "", _plain(command.help or ""), ""]
    lines += ["| | | default |", "|---|---|---|"]
    lines += [_row(parameter) for parameter in command.params if parameter.name != "help"]
    return "\n".join(lines) + "\n"


def _argument(parameter: Any) -> str:
    name = str(parameter.name).upper()
    return name if parameter.required else f"[{name}]"


def _row(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        names = f"`{str(parameter.name).upper()}`"
    else:
        options = [*parameter.opts, *parameter.secondary_opts]
        names = ", ".join(f"`{option}`" for option in options)
    help = _plain(parameter.help or "").replace("|", "\\|")
    default = "" if parameter.default in (None, False, "") else f"`{parameter.default}`"
    if parameter.envvar:
        default = f"`{parameter.envvar}`, else {default}"
    return f"| {names} | {help} | {default} |"


def _plain(help: str) -> str:
    return help.replace("\\[", "[").replace("<", "\\<")


if __name__ == "__main__":
    main()
