"""`asterism star ...`: add, list, show, evidence, connect, why; more beside it."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli import asking, output
from engine.cli.output import AsJson, InRealm
from engine.cli.star_output import cell, directed, listed, stands, told

if TYPE_CHECKING:
    from engine.graph import Graph

app = typer.Typer(no_args_is_help=True, help="What a person cares about, and how it connects.")

Id = Annotated[str, typer.Argument(help="The star's id.")]
A = Annotated[str, typer.Argument(help="One star's id; of a directed type, the one that acts.")]
B = Annotated[str, typer.Argument(help="The other star's id.")]
EVIDENCE = (
    "One of co_mention_response, co_mention_session, user_confirms, user_creates, tars_confirmed, "
    "correlation_detected, causation_detected."
)
TYPES = (
    "RESONANCE, TENSION, CAUSATION, GROWTH_EDGE, SHADOW_MIRROR or BLOCKS; none: what the data "
    "shows, else RESONANCE."
)
Limit = Annotated[int, typer.Option("--limit", "-n", help="How many at most.")]


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
        may_be_new=True,
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
    columns = ["id", "name", "domain", "state", "brightness", "connections"]
    listed(found, columns, json, "No star to list: add one with asterism star add.")


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
            "last engaged": cell(star.last_engaged),
        },
    )
    rows = [
        [
            link.b if link.a == id else link.a,
            f"{link.type} (from)" if directed(link) and link.b == id else link.type,
            link.state,
            f"{link.strength:.3f}",
            output.bars(history.weekly[-30:]),
            f"{link.confidence:.2f}",
        ]
        for link, history in zip(links, histories, strict=True)
    ]
    if rows:
        output.table(["connected with", "type", "state", "strength", "by week", "confidence"], rows)
    else:
        output.say("[dim]Not connected yet: connect it with asterism star connect.[/dim]")


@app.command()
def engage(
    id: Id,
    gain: Annotated[
        list[float] | None,
        typer.Option(
            "--gain",
            "--gains",
            help="What raised it, 0 to 1; repeatable. A day's gains count up to the daily cap.",
        ),
    ] = None,
    loss: Annotated[
        list[float] | None,
        typer.Option("--loss", "--losses", help="What it cost, 0 to 1; repeatable."),
    ] = None,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Engage a star: what raised it today, and what it cost."""
    found = asking.run(
        realm, lambda graph: graph.stars.engage(id, gains=gain or [], losses=loss or 0.0)
    )
    stands(found, json)


@app.command()
def evidence(
    a: A,
    b: B,
    type: Annotated[str, typer.Argument(help=EVIDENCE)],
    source: Annotated[
        str,
        typer.Option(help="Where it comes from; another source counts on its own."),
    ] = "user",
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Record evidence for a connection.

    Evidence counts once in 24 hours per source and type. Name another source with --source to
    count what somebody, or something, else says.
    """
    told(asking.run(realm, lambda graph: graph.stars.evidence(a, b, type, source=source)), json, a)


@app.command()
def connect(
    a: A,
    b: B,
    type: Annotated[str | None, typer.Option(help=TYPES)] = None,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Connect two stars, or confirm that they are connected: once in 24 hours."""
    told(asking.run(realm, lambda graph: graph.stars.connect(a, b, type)), json, a)


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
        told(found.connection, False, a)
    columns = ["observed_at", "type", "source", "raw_gain", "applied_gain", "rank", "capped"]
    output.say("[bold]Evidence[/bold]")
    listed(found.evidence, columns, False, "No evidence is on record.")
    columns = ["at", "field", "before", "after", "strength", "rule"]
    output.say("[bold]Changes[/bold]")
    listed(found.changes, columns, False, "Its state and its type have not changed so far.")


@app.command()
def fading(limit: Limit = 20, realm: InRealm = "default", json: AsJson = False) -> None:
    """List what fades next if nothing happens."""
    found = asking.run(realm, lambda graph: graph.stars.fading(limit))
    columns = ["a", "b", "type", "state", "strength", "sleeps_in", "falls_in"]
    listed(found, columns, json, "No connection is awake, so none can fade.")


@app.command("what-if")
def what_if(
    id: Id,
    delta: Annotated[float, typer.Argument(help="Its change of brightness, such as 0.2.")],
    hops: Annotated[int, typer.Option(help="How far it may spread: 1 to 3.")] = 3,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Show what a change of a star would do to others, without writing anything."""

    async def ask(graph: "Graph") -> tuple[list[Any], list[Any]]:
        return await graph.stars.what_if(id, delta, hops), await graph.stars.connections(id)

    found, links = asking.run(realm, ask)
    empty = "Nothing would change: only RESONANCE and TENSION carry a change of brightness."
    if any(link.type in ("RESONANCE", "TENSION") and link.state == "NASCENT" for link in links):
        empty = "Nothing would change: its connections are NASCENT, and one acts from FORMING on."
    elif not links:
        empty = "Nothing would change: it is not connected."
    listed(found, ["star", "name", "hop", "type", "effect", "path"], json, empty)
