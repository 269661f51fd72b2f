"""`asterism inspect`: statements to paste into Neo4j Browser, and all of them as saved queries."""

from pathlib import Path
from typing import Annotated

import typer

from asterism.cli import output
from asterism.cli.options import argument, option
from asterism.cli.runner import Runner, command


@command()
def inspect(
    runner: Runner,
    name: Annotated[str | None, argument("Which; none: list them all.")] = None,
    set_: Annotated[
        list[str] | None, option("A value, such as star_id=sea; may be repeated.", "--set")
    ] = None,
    zip_: Annotated[
        Path | None, option("Write all of them here, to drop into Browser.", "--zip")
    ] = None,
    style: Annotated[
        Path | None, option("Write the style sheet here, to drop into Browser.")
    ] = None,
) -> None:
    """Print a statement to paste into Neo4j Browser, with its values in place. Nothing is run.

    --zip and --style write the two files that make Browser yours. One that is there is replaced.
    """
    from asterism.view import browser_queries

    if zip_ is not None and style is not None:
        raise typer.BadParameter("--zip and --style are two files: ask for one at a time")
    if style is not None:
        _save_style(runner, style)
    elif zip_ is not None:
        count = browser_queries.save(zip_, runner.realm)
        document = {"file": str(zip_), "queries": count}
        runner.show(document, f"{count} queries in {zip_}: drop it into Neo4j Browser.")
    elif name is None:
        statements = map(browser_queries.load, browser_queries.names())
        rows = [{"name": s.name.partition("/")[2], "summary": s.summary} for s in statements]
        columns = {"name": "name", "what it shows": "summary"}
        runner.table(rows, columns)
    else:
        text = browser_queries.with_values(name, runner.realm, dict(map(_assignment, set_ or ())))
        document = {"name": name, "text": text}
        runner.show(document, lambda: output.print_text(text, newline=False))


def _save_style(runner: Runner, file: Path) -> None:
    from asterism.view import output_files, style_sheet

    verb = output_files.save(file, style_sheet.path().read_text(encoding="utf-8"), "style")
    runner.show({"file": str(file)}, f"{verb} {file}: drop it into Neo4j Browser.")


def _assignment(text: str) -> tuple[str, str]:
    """Return the name and the value of NAME=VALUE."""
    from asterism.errors import InvalidInput

    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidInput("set", text, "write NAME=VALUE, such as star_id=sea")
    return name.strip(), value
