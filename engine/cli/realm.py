"""`asterism realm list`, `stats` and `delete`."""

import asyncio
from typing import Annotated

import typer

from engine.cli import output
from engine.cli.output import AsJson

app = typer.Typer(no_args_is_help=True, help="Separate worlds on one server.")

Name = Annotated[str, typer.Argument(help="The realm's name.")]


@app.command("list")
def list_(json: AsJson = False) -> None:
    """List every realm on the server, and the model its vectors were made with."""
    from engine.graph import Graph

    async def ask() -> None:
        async with Graph.open() as graph:
            realms = await graph.realms.list()
        if json:
            output.as_json([realm.model_dump(mode="json") for realm in realms])
            return
        rows = [
            [realm.name, f"{realm.created_at:%Y-%m-%d %H:%M}", realm.model, realm.dimensions]
            for realm in realms
        ]
        output.table(["realm", "created", "model", "dimensions"], rows)

    asyncio.run(ask())


@app.command()
def stats(name: Name = "default", json: AsJson = False) -> None:
    """Count a realm's nodes by label and its relationships by type."""
    from engine.graph import Graph

    async def ask() -> None:
        async with Graph.open() as graph:
            found = await graph.realms.stats(name)
        if json:
            output.as_json(found.model_dump(mode="json"))
            return
        rows = [[label, count] for label, count in found.nodes.items()]
        rows += [[f"-[{type}]->", count] for type, count in found.relationships.items()]
        output.table([f"in {found.name}", "count"], rows)

    asyncio.run(ask())


@app.command()
def delete(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: AsJson = False,
) -> None:
    """Delete a realm with everything in it."""
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TextColumn

    from engine.graph import Graph

    if not yes:
        typer.confirm(f"Delete realm {name!r} and everything in it?", abort=True, err=True)

    async def work() -> None:
        columns = (TextColumn("Deleting"), MofNCompleteColumn())
        async with Graph.open() as graph:
            found = await graph.realms.stats(name)
            total = sum(found.relationships.values()) + sum(found.nodes.values())
            with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
                task = progress.add_task("", total=total)
                gone = await graph.realms.delete(
                    name, on_progress=lambda count: progress.advance(task, count)
                )
        if json:
            output.as_json(gone.model_dump(mode="json"))
        elif gone.nodes:
            output.say(
                f"Deleted {gone.nodes} nodes and {gone.relationships} relationships of {name}."
            )
        else:
            output.say(f"There was no realm {name}; `asterism realm list` shows which there are.")

    asyncio.run(work())
