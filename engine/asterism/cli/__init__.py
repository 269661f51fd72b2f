"""The command `asterism`: one sub-command for everything a person would type."""

import atexit
import gc
import sys
from typing import Annotated

import typer

from asterism.cli import (
    causal,
    consolidate,
    demo,
    expect,
    explore,
    inspect,
    maintain,
    mcp,
    memory,
    memory_changes,
    memory_import,
    observe,
    output,
    realm,
    recall,
    server,
    star_connections,
    transcript,
    transfer,
    view,
)
from asterism.cli.options import option
from asterism.cli.runner import name_of
from asterism.errors import AsterismError, InvalidInput

COMMANDS = (
    *(server.up, server.down, server.status, server.doctor, server.browser),
    *(server.backup, server.restore, server.rewrite),
    *(transcript.transcript, explore.explore, demo.demo),
    *(observe.observe, recall.recall, expect.expect, view.view, inspect.inspect),
    *(consolidate.consolidate, maintain.maintain, mcp.mcp, transfer.export, transfer.import_),
)
GROUPS = {
    "exploration": explore.app,
    "jobs": maintain.jobs,
    "memory": memory_changes.app,
    "realm": realm.app,
    "causal": causal.app,
    "star": star_connections.app,
}

NEW_OBJECTS = 20_000  # most commands end before there is garbage worth looking for

app = typer.Typer(
    name="asterism",
    no_args_is_help=True,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="A living knowledge engine on Neo4j. Start with `asterism demo`; when something is wrong, "
    "`asterism doctor` says what and what to do.",
)
memory.app.command("import")(memory_import.import_texts)
for function in COMMANDS:
    app.command(name_of(function))(function)
for name, group in GROUPS.items():
    app.add_typer(group, name=name)


@app.callback()
def top(
    version: Annotated[
        bool, option("Show the version and exit.", "--version", is_eager=True)
    ] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed_version

        typer.echo(f"asterism {installed_version('asterism')}")
        raise typer.Exit


def main() -> None:
    """Run the command line, and end a refusal with one clear line and an exit code."""
    gc.set_threshold(NEW_OBJECTS)
    atexit.register(gc.freeze)  # Python's last look for garbage takes an eighth of a second
    try:
        app(prog_name="asterism")
    except (AsterismError, OSError) as error:
        output.print_error(error, as_json="--json" in sys.argv)
        sys.exit(2 if isinstance(error, InvalidInput) else 1)
    except KeyboardInterrupt:
        sys.exit(130)
