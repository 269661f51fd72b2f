"""`asterism inspect`: statements to paste into Neo4j Browser, and all of them as saved queries."""

from pathlib import Path
from typing import Annotated

import typer

from engine.cli import output
from engine.cli.output import AsJson, InRealm


def inspect(
    name: Annotated[str | None, typer.Argument(help="Which; none: list them all.")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="A value, such as star_id=sea; may be repeated."),
    ] = None,
    zip_: Annotated[
        Path | None,
        typer.Option("--zip", help="Write all of them here, to drop into Browser."),
    ] = None,
    style: Annotated[
        Path | None,
        typer.Option(help="Write the style sheet here, to drop into Browser."),
    ] = None,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Print a statement to paste into Neo4j Browser, with its values in place; nothing is run.

    --zip and --style write the two files that make Browser yours; one that is there is replaced.
    """
    from engine.view import pasting

    if zip_ is not None and style is not None:
        raise typer.BadParameter("--zip and --style are two files: ask for one at a time")
    if style is not None:
        _style(style, json)
    elif zip_ is not None:
        count = pasting.save(zip_, realm)
        if json:
            output.as_json({"file": str(zip_), "queries": count})
        else:
            output.say(f"{count} queries in {output.plain(zip_)}: drop it into Neo4j Browser.")
    elif name is None:
        _list(json)
    else:
        text = pasting.pasted(name, realm, dict(_value(given) for given in set_ or ()))
        output.as_json({"name": name, "text": text}) if json else output.raw(text, newline=False)


def _style(file: Path, json: bool) -> None:
    from engine.view import drawing
    from engine.view.style import sheet

    done = drawing.save(file, sheet().read_text(encoding="utf-8"), "style")
    if json:
        output.as_json({"file": str(file)})
    else:
        output.say(f"{done} {output.plain(file)}: drop it into Neo4j Browser.")


def _list(json: bool) -> None:
    from engine.view import pasting

    found = [pasting.load(name) for name in pasting.names()]
    rows = [[each.name.partition("/")[2], each.summary] for each in found]
    if json:
        output.as_json([{"name": name, "summary": summary} for name, summary in rows])
    else:
        output.table(["name", "what it shows"], rows)


def _value(given: str) -> tuple[str, str]:
    from engine.errors import InvalidInput

    name, equals, value = given.partition("=")
    if not equals:
        raise InvalidInput("set", given, "write NAME=VALUE, such as star_id=sea")
    return name.strip(), value
