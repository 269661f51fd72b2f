"""`asterism realm list`, `stats`, `delete` and `reembed`."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from asterism.cli import output
from asterism.cli.options import SkipConfirmation, argument, confirm, option
from asterism.cli.progress import columns_bar, stage_bar
from asterism.cli.runner import Answer, command

if TYPE_CHECKING:
    from asterism.realms import RealmDeleted, Realms, RealmStats, RealmSummary
    from asterism.reembedding import Reembedded

T = TypeVar("T")

app = typer.Typer(no_args_is_help=True, help="Separate worlds on one server.")

Name = Annotated[str, argument("The realm's name.")]
NameOrSet = Annotated[str, argument("The realm's name.", envvar="ASTERISM_REALM")]


@command(app)
def list_(answer: Answer) -> None:
    """List every realm on the server, and the model its vectors were made with."""
    realms = with_realms(lambda realms: realms.list())
    columns = {
        "realm": "name",
        "created": "created_at",
        "model": "model",
        "dimensions": "dimensions",
        "": _trouble,
    }
    answer.table(realms, columns)


@command(app)
def stats(answer: Answer, name: NameOrSet = "default") -> None:
    """Count a realm's nodes by label and its relationships by type."""

    async def count(realms: "Realms") -> "RealmStats":
        counts = await realms.stats(name)
        if not counts.nodes:
            await realms.require(name)
        return counts

    counts = with_realms(count)
    rows = [[label, count] for label, count in counts.nodes.items()]
    rows += [[f"-[{type}]->", count] for type, count in counts.relationships.items()]
    headings = [f"in {counts.name}", "count"]
    answer.show(counts, lambda: output.print_table(headings, rows))


@command(app)
def delete(answer: Answer, name: Name, yes: SkipConfirmation = False) -> None:
    """Delete a realm with everything in it."""
    confirm(f"Delete realm {name!r} and everything in it?", skip=yes)

    async def work(realms: "Realms") -> "RealmDeleted":
        from rich.progress import MofNCompleteColumn

        counts = await realms.stats(name)
        total = sum(counts.relationships.values()) + sum(counts.nodes.values())
        with columns_bar("Deleting", MofNCompleteColumn(), total=total) as update:
            return await realms.delete(name, on_progress=lambda count: update(advance=count))

    deleted = with_realms(work)
    text = f"There is no realm {name}; `asterism realm list` shows which there are."
    if deleted.nodes:
        numbers = f"{deleted.nodes} nodes and {deleted.relationships} relationships"
        text = f"Deleted {numbers} of {name}."
    answer.show(deleted, text)


@command(app)
def reembed(
    answer: Answer,
    name: NameOrSet = "default",
    *,
    model: Annotated[str, option("Its name, such as bge-small-zh, or a folder, file or address.")],
) -> None:
    """Replace all vectors of a realm by those of another model.

    Questions are answered meanwhile. Interrupted, repeat the command: it goes on where it stopped.
    The next `asterism consolidate` scores the edges anew.
    """

    async def work() -> "Reembedded":
        from asterism.graph import Graph

        with stage_bar("Embedding") as step:
            async with Graph.open(realm=name) as graph:
                return await graph.realms.reembed(model, on_progress=step)

    report = asyncio.run(work())
    numbers = ", ".join(f"{count} {kind}" for kind, count in report.vectors.items() if count)
    lines = [f"{report.realm} has vectors of {report.model} now ({numbers or 'none to make'})."]
    if report.without_text:
        kinds = ", ".join(f"{count} {kind}" for kind, count in report.without_text.items())
        lines.append(
            f"Without a vector, since they have no text or were written just now: {kinds}."
        )
    lines += [str(change) for change in report.answers_changed]
    if report.before not in (None, report.model):
        lines.append("`asterism consolidate` scores the edges anew.")
    answer.show(report, "\n".join(lines))


def _trouble(realm: "RealmSummary") -> str:
    """Return what a person has to know of a realm before using it."""
    marks = {"unfinished import": realm.unfinished, "damaged": realm.damaged}
    return ", ".join(name for name, applies in marks.items() if applies)


def with_realms(call: "Callable[[Realms], Awaitable[T]]") -> T:
    """Make a call on the realms of the server, and make no realm by it."""

    async def work() -> T:
        async with all_realms() as realms:
            return await call(realms)

    return asyncio.run(work())


@asynccontextmanager
async def all_realms() -> AsyncIterator["Realms"]:
    """Open the realms of the server, and make no realm by it."""
    from asterism import connection, schema
    from asterism.clock import SystemClock
    from asterism.realms import Realms
    from asterism.settings import valid_settings

    async with connection.opened(valid_settings(None), "default", SystemClock()) as database:
        await schema.apply(database)
        yield Realms(database)
