"""The command `asterism`: one sub-command for everything a person would type."""

import sys
from typing import Annotated

import typer

from engine.cli import (
    causal,
    consolidate,
    demo,
    explore,
    inspect,
    maintain,
    memory,
    observe,
    output,
    realm,
    recall,
    server,
    star,
    star_days,
    star_words,
    transcript,
    transfer,
    view,
)
from engine.errors import AsterismError, InvalidInput

app = typer.Typer(
    name="asterism",
    no_args_is_help=True,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="A living knowledge engine on Neo4j. Start with `asterism demo`; when something is wrong, "
    "`asterism doctor` says what and what to do.",
)
server.register(app)


@app.callback()
def top(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"asterism {installed('asterism')}")
        raise typer.Exit


transcript.register(app)
explore.register(app)
app.command()(demo.demo)
app.command()(observe.observe)
app.command()(recall.recall)
app.command()(view.view)
app.command()(inspect.inspect)
consolidate.register(app, memory.app)
maintain.register(app)
app.add_typer(memory.app, name="memory")
app.add_typer(realm.app, name="realm")
app.add_typer(causal.app, name="causal")
star_words.register(star.app)
star_days.register(star.app)
app.add_typer(star.app, name="star")
transfer.register(app)


def main() -> None:
    """Run the command line; every refusal becomes one clear line and an exit code."""
    try:
        app(prog_name="asterism")
    except AsterismError as error:
        output.fail(error, as_json="--json" in sys.argv)
        sys.exit(2 if isinstance(error, InvalidInput) else 1)
    except OSError as error:
        output.fail(error, as_json="--json" in sys.argv)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
