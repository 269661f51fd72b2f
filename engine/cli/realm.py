"""`asterism realm list`, `stats` and `delete`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli import output
from engine.cli.output import AsJson, Unasked

if TYPE_CHECKING:
    from engine.realms import Realms, RealmSummary

app = typer.Typer(no_args_is_help=True, help="Separate worlds on one server.")

Name = Annotated[str, typer.Argument(help="The realm's name.")]
StatsName = Annotated[str, typer.Argument(envvar="ASTERISM_REALM", help="The realm's name.")]


@app.command("list")
def list_(json: AsJson = False) -> None:
    """List every realm on the server, and the model its vectors were made with."""

    async def ask() -> None:
        async with all_realms() as realms_:
            realms = await realms_.list()
        if json:
            output.as_json(realms)
            return
        rows = [
            [
                realm.name,
                f"{realm.created_at:%Y-%m-%d %H:%M}" if realm.created_at else None,
                realm.model,
                realm.dimensions,
                ", ".join(_standing(realm)),
            ]
            for realm in realms
        ]
        output.table(["realm", "created", "model", "dimensions", ""], rows)

    asyncio.run(ask())


@app.command()
def stats(name: StatsName = "default", json: AsJson = False) -> None:
    """Count a realm's nodes by label and its relationships by type."""

    async def ask() -> None:
        async with all_realms() as realms:
            found = await realms.stats(name)
            if not found.nodes:
                await realms.require(name)
        if json:
            output.as_json(found)
            return
        rows = [[label, count] for label, count in found.nodes.items()]
        rows += [[f"-[{type}]->", count] for type, count in found.relationships.items()]
        output.table([f"in {found.name}", "count"], rows)

    asyncio.run(ask())


@app.command()
def delete(
    name: Name,
    yes: Unasked = False,
    json: AsJson = False,
) -> None:
    """Delete a realm with everything in it."""
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TextColumn

    if not yes:
        typer.confirm(f"Delete realm {name!r} and everything in it?", abort=True, err=True)

    async def work() -> None:
        columns = (TextColumn("Deleting"), MofNCompleteColumn())
        async with all_realms() as realms:
            found = await realms.stats(name)
            total = sum(found.relationships.values()) + sum(found.nodes.values())
            with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
                task = progress.add_task("", total=total)
                gone = await realms.delete(
                    name, on_progress=lambda count: progress.advance(task, count)
                )
        if json:
            output.as_json(gone)
        elif gone.nodes:
            output.say(
                f"Deleted {gone.nodes} nodes and {gone.relationships} relationships "
                f"of {output.plain(name)}."
            )
        else:
            output.say(_unknown(name))

    asyncio.run(work())


def _standing(realm: "RealmSummary") -> list[str]:
    """Return what a person has to know of a realm before using it."""
    marks = {"unfinished import": realm.unfinished, "damaged": realm.damaged}
    return [name for name, applies in marks.items() if applies]


@asynccontextmanager
async def all_realms() -> AsyncIterator["Realms"]:
    """The realms of the server; looking at them makes none."""
    from engine import connection, schema
    from engine.clock import SystemClock
    from engine.realms import Realms
    from engine.settings import valid_settings

    async with connection.opened(valid_settings(None), "default", SystemClock()) as database:
        await schema.apply(database)
        yield Realms(database)


def _unknown(name: str) -> str:
    return f"There is no realm {output.plain(name)}; `asterism realm list` shows which there are."
