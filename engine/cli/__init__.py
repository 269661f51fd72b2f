"""The command `asterism`: one sub-command for everything a person would type."""

import sys

import typer

from engine.cli import memory, observe, output, realm, server
from engine.errors import AsterismError, InvalidInput

app = typer.Typer(
    name="asterism",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="A living knowledge engine on Neo4j. Start with `asterism up`; when something is wrong, "
    "`asterism doctor` says what and what to do.",
)
server.register(app)
app.command()(observe.observe)
app.add_typer(memory.app, name="memory")
app.add_typer(realm.app, name="realm")


def main() -> None:
    """Run the command line; every refusal becomes one clear line and an exit code."""
    try:
        app(prog_name="asterism")
    except AsterismError as error:
        output.fail(error, as_json="--json" in sys.argv)
        sys.exit(2 if isinstance(error, InvalidInput) else 1)
    except KeyboardInterrupt:
        sys.exit(130)
