"""`asterism star ...`: add, list, show, evidence, connect, why; more beside it."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli import asking, output
from engine.cli.output import AsJson, InRealm

if TYPE_CHECKING:
    from engine.graph import Graph

app = typer.Typer(no_args_is_help=True, help="What a person cares about, and how it connects.")

Id = Annotated[str, typer.Argument(help="The star's id.")]
A = Annotated[str, typer.Argument(help="One star's id; of a directed type, the one that acts.")]
B = Annotated[str, typer.Argument(help="The other star's id.")]
Limit = Annotated[int, typer.Option("--limit", "-n", help="How many at most.")]


def listed(found: list[Any], columns: list[str], json: bool) -> None:
    """Print results as a table of these of their fields."""
    if json:
        output.as_json(found)
        return
    output.table(columns, [[_cell(getattr(each, name)) for name in columns] for each in found])


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return "" if value is None else str(value)


def told(found: Any, json: bool) -> None:
    """Print a connection: how it stands, what became of what was said, and why."""
    if json:
        output.as_json(found)
        return
    outcome = f" ({found.outcome})" if found.outcome else ""
    pair = output.plain(f"{found.a} – {found.b}")
    output.say(f"[bold]{pair}[/bold] {found.state} {found.strength:.3f}{outcome}")
    output.say(f"  {output.plain(found.why)}")


def stands(found: Any, json: bool) -> None:
    """Print how a star stands after what was done."""
    if json:
        output.as_json(found)
    else:
        output.say(f"{output.plain(found.name)} is {found.state} at {found.brightness:.3f}.")


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="What it is called.")],
    domain: Annotated[
        str, typer.Option(help="health, relationships, wealth, purpose or soul.")
    ] = "purpose",
    id: Annotated[str | None, typer.Option("--id", help="Its id; none: one is made.")] = None,
    brightness: Annotated[float | None, typer.Option(help="From 0.05 to 1; none: 0.3.")] = None,
    state: Annotated[str, typer.Option(help="The state it begins in.")] = "FLICKERING",
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Add a star."""
    found = asking.run(
        realm,
        lambda graph: graph.stars.add(
            name, domain=domain, id=id, brightness=brightness, state=state
        ),
    )
    if json:
        output.as_json(found)
    else:
        output.say(f"Added [bold]{output.plain(found.name)}[/bold] as {output.plain(found.id)}.")


@app.command("list")
def list_(
    state: Annotated[str | None, typer.Option(help="Only those in this state.")] = None,
    limit: Limit = 50,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """List stars, brightest first."""
    found = asking.run(realm, lambda graph: graph.stars.list(state=state, limit=limit))
    listed(found, ["id", "name", "domain", "state", "brightness", "connections"], json)


@app.command()
def show(id: Id, limit: Limit = 20, realm: InRealm = "default", json: AsJson = False) -> None:
    """Show a star, its strongest connections, and how their strength went by the week."""

    async def ask(graph: "Graph") -> tuple[Any, list[Any], list[Any]]:
        stars = graph.stars
        star = await stars.get(id)
        links = await stars.connections(id, limit=limit)
        return star, links, [await stars.history(link.a, link.b) for link in links]

    star, links, histories = asking.run(realm, ask)
    if json:
        output.as_json({"star": star, "connections": links})
        return
    output.pairs(
        f"{star.name} ({star.id})",
        {
            "domain": star.domain,
            "state": star.state,
            "brightness": f"{star.brightness:.3f} {output.bars([star.brightness])}",
            "ceiling": f"{star.effective_max:.2f}",
            "last engaged": _cell(star.last_engaged),
        },
    )
    rows = [
        [
            link.b if link.a == id else link.a,
            link.type if link.a == id else f"{link.type} (from)",
            link.state,
            f"{link.strength:.3f}",
            output.bars(history.weekly[-30:]),
            f"{link.confidence:.2f}",
        ]
        for link, history in zip(links, histories, strict=True)
    ]
    output.table(["connected with", "type", "state", "strength", "by week", "confidence"], rows)


@app.command()
def engage(
    id: Id,
    gain: Annotated[list[float] | None, typer.Option(help="What raised it; repeatable.")] = None,
    losses: Annotated[float, typer.Option(help="What it cost.")] = 0.0,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Engage a star: what raised it today, and what it cost."""
    found = asking.run(realm, lambda graph: graph.stars.engage(id, gains=gain or [], losses=losses))
    stands(found, json)


@app.command()
def evidence(
    a: A,
    b: B,
    type: Annotated[str, typer.Argument(help="For example user_confirms.")],
    source: Annotated[str, typer.Option(help="Where it comes from.")] = "user",
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Tell evidence for a connection."""
    told(asking.run(realm, lambda graph: graph.stars.evidence(a, b, type, source=source)), json)


@app.command()
def connect(
    a: A,
    b: B,
    type: Annotated[str | None, typer.Option(help="How they belong together.")] = None,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Connect two stars."""
    told(asking.run(realm, lambda graph: graph.stars.connect(a, b, type)), json)


@app.command()
def why(a: A, b: B, realm: InRealm = "default", json: AsJson = False) -> None:
    """Say why two stars are connected, and what changed since."""
    found = asking.run(realm, lambda graph: graph.stars.why(a, b))
    if json:
        output.as_json(found)
        return
    if found.connection is None:
        output.say(output.plain(f"{a} and {b} are not connected."))
    else:
        told(found.connection, False)
    columns = ["observed_at", "type", "source", "raw_gain", "applied_gain", "rank", "capped"]
    listed(found.evidence, columns, False)
    listed(found.changes, ["at", "field", "before", "after", "strength", "rule"], False)


@app.command()
def fading(limit: Limit = 20, realm: InRealm = "default", json: AsJson = False) -> None:
    """List what fades next if nothing happens."""
    found = asking.run(realm, lambda graph: graph.stars.fading(limit))
    listed(found, ["a", "b", "type", "state", "strength", "sleeps_in", "falls_in"], json)


@app.command("what-if")
def what_if(
    id: Id,
    delta: Annotated[float, typer.Argument(help="Its change of brightness, such as 0.2.")],
    hops: Annotated[int, typer.Option(help="How far it may spread: 1 to 3.")] = 3,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Show what a change of a star would do to others, without writing anything."""
    found = asking.run(realm, lambda graph: graph.stars.what_if(id, delta, hops))
    listed(found, ["star", "name", "hop", "type", "effect", "path"], json)
