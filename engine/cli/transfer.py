"""`asterism export` and `asterism import`: a realm as a file."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from engine.cli import output
from engine.cli.output import AsJson, InRealm, Mode
from engine.cli.realm import all_realms

EXPORT = """Write a realm to one file, exactly: nodes, relationships, vectors.

One JSON line each, packed if the name ends in .gz. The same content is always the same file, so
files can be compared. A file that is there already is refused; with --force it is replaced, once
the new one is whole.
"""
IMPORT = """Fill an empty realm from a file that `asterism export` wrote.

The file is checked whole before anything is written. Interrupted, the realm is listed as
unfinished: repeat the command, or delete the realm. A realm that holds anything is left alone.
"""
STEP = 100

File = Annotated[Path, typer.Argument(help="The file; .gz packs it.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")]
Filled = Annotated[
    str, typer.Option("--realm", envvar="ASTERISM_REALM", help="The realm to fill; it is made.")
]


def register(app: typer.Typer) -> None:
    app.command("export", help=EXPORT)(export)
    app.command("import", help=IMPORT)(import_)


def export(
    file: File,
    force: Force = False,
    mode: Mode = "600",
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    from engine.private_files import parsed_mode

    permissions = parsed_mode(mode)
    if not force:
        _refuse_existing(file)

    async def work() -> None:
        async with all_realms() as realms:
            with _progress("Exporting") as step:
                done = await realms.export(file, name=realm, on_progress=step, mode=permissions)
        if json:
            output.as_json(done.model_dump(mode="json"))
            return
        output.say(
            f"Exported {done.nodes} nodes and {done.relationships} relationships of "
            f"{output.plain(realm)} to {output.plain(done.file)}."
        )

    asyncio.run(work())


def import_(file: File, realm: Filled = "default", json: AsJson = False) -> None:
    async def work() -> None:
        async with all_realms() as realms:
            with _progress("Importing") as step:
                done = await realms.load(file, name=realm, on_progress=step)
        if json:
            output.as_json(done.model_dump(mode="json"))
            return
        output.say(
            f"Imported {done.nodes} nodes and {done.relationships} relationships into "
            f"{output.plain(realm)}."
        )

    asyncio.run(work())


def _refuse_existing(file: Path) -> None:
    from engine.errors import InvalidInput

    if file.exists() and not file.is_dir():  # of a folder, the export itself says what is wrong
        raise InvalidInput("file", str(file), "it exists: give another name, or pass --force")


@contextmanager
def _progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr, which is left out where nobody looks."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)

        def step(done: int, total: int) -> None:
            if done % STEP == 0 or done == total:
                progress.update(task, completed=done, total=total)

        yield step
