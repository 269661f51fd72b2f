"""`asterism explore` and `asterism exploration ...`: walking, and looking at what was walked."""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli import asking, output
from engine.cli.output import AsJson, InRealm, Mode

if TYPE_CHECKING:
    from engine.errors import ExplorationTimeout
    from engine.exploration import Event, Exploration

app = typer.Typer(no_args_is_help=True, help="What explorations walk on, and what they changed.")


def register(top: typer.Typer) -> None:
    """Add the command and the group at the top level."""
    top.command()(explore)
    top.add_typer(app, name="exploration")


def explore(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    actor: Annotated[str, typer.Option("--as", help="Who asks: an actor's id.")],
    intention: Annotated[str | None, typer.Option(help="Why; without it, the query.")] = None,
    start: Annotated[str | None, typer.Option(help="Start here, not at the actor.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Walk, and change nothing.")] = False,
    timeout: Annotated[float | None, typer.Option(help="Seconds; past them, nothing.")] = None,
    least: Annotated[
        float | None, typer.Option("--min-score", help="The worst link worth walking.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write a picture of the walk here.")] = None,
    page: Annotated[bool, typer.Option("--page", help="Print the walk as a page to read.")] = False,
    mode: Mode = "600",
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Send SubEntities through the graph, and see what they find."""
    from engine.cli.live import LiveTree
    from engine.errors import ExplorationTimeout
    from engine.private_files import parsed_mode
    from engine.view import drawing

    permissions = parsed_mode(mode)
    if html is not None:
        drawing.writable(html, "html")
    settings = {} if least is None else {"min_link_score": least}
    options: dict[str, Any] = {"start": start, "dry_run": dry_run, "timeout": timeout}
    live = nullcontext(lambda event: None) if json else LiveTree(query)
    try:
        with live as on_event:
            told: Callable[[Event], Any] = on_event
            found: Exploration = asking.run(
                realm,
                lambda graph: graph.exploration.explore(
                    actor, query, intention, settings=settings, on_event=told, **options
                ),
            )
    except ExplorationTimeout as error:
        raise late(error, json=json) from error
    if html is not None:
        from engine.exploration import picture

        drawing.save(html, picture.html(found), mode=permissions)
    if json:
        output.as_json(found)
    elif page:
        output.raw(found.text())
    else:
        _tell(found)


def late(error: "ExplorationTimeout", *, json: bool) -> "ExplorationTimeout":
    """Show what was found before the time was up, and return the refusal for a command line."""
    from engine.errors import ExplorationTimeout

    partial: Any = error.partial
    if json and partial is not None:
        output.as_json(partial)
    elif partial is not None:
        output.say("\n[yellow]What was found before the time was up; nothing was written:[/yellow]")
        _tell(partial)
    what, _, _ = str(error).partition(": ")
    return ExplorationTimeout(f"{what}: give it more with --timeout", partial)


@app.command("runs")
def runs(
    limit: Annotated[int, typer.Option(min=1, help="Runs at most.")] = 20,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """List the latest explorations."""
    found = asking.run(realm, lambda graph: graph.exploration.runs(limit))
    if json:
        output.as_json(found)
        return
    for run in found:
        when = f"[dim]{run.at:%Y-%m-%d %H:%M}[/dim]"
        output.say(f"{output.plain(run.id)}  {when}  {_run_line(run)}")


@app.command("undo")
def undo(
    run: Annotated[str, typer.Argument(help="The run's id; `exploration runs` lists them.")],
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Restore what a run changed, where nothing touched it since."""
    undone = asking.run(realm, lambda graph: graph.exploration.undo(run))
    if json:
        output.as_json(undone)
        return
    restored = f"{undone.nodes} nodes and {undone.links} links restored"
    output.say(f"{restored}, {undone.narratives} narratives removed.")
    for kept in undone.kept:
        output.say(f"  left as it is: {kept.what} {output.plain(kept.id)}, {kept.reason}")


@app.command("add")
def add(
    kind: Annotated[str, typer.Argument(help="actor, moment, narrative, space or thing.")],
    name: Annotated[str, typer.Argument(help="What it is called.")],
    id: Annotated[str | None, typer.Option(help="Its id; without it one is made.")] = None,
    content: Annotated[str, typer.Option(help="Its text.")] = "",
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Add a node to walk on."""
    node = asking.run(
        realm,
        lambda graph: graph.exploration.add(kind, name, id=id, content=content),
        may_be_new=True,
    )
    if json:
        output.as_json(node)
    else:
        output.say(f"Added {node.kind.value} {output.plain(node.name)} ({output.plain(node.id)}).")


@app.command("link")
def link(
    a: Annotated[str, typer.Argument(help="An id.")],
    b: Annotated[str, typer.Argument(help="Another.")],
    synthesis: Annotated[str, typer.Argument(help="What joins them, in a few words.")] = "",
    forward: Annotated[float, typer.Option(min=0, max=1, help="Ease from the first.")] = 0.5,
    backward: Annotated[float, typer.Option(min=0, max=1, help="Ease back to it.")] = 0.5,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Link two nodes."""
    pair = (forward, backward)
    made = asking.run(
        realm, lambda graph: graph.exploration.link(a, b, synthesis=synthesis, polarity=pair)
    )
    if json:
        output.as_json(made)
    else:
        output.say(f"Linked {output.plain(a)} and {output.plain(b)} ({made.id}).")


@app.command("load")
def load(
    file: Annotated[Path, typer.Argument(help="JSON with the lists nodes and links.")],
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Add thousands of nodes and links from a file."""
    from rich.progress import Progress

    from engine.cli.causal import document
    from engine.errors import InvalidInput

    given = document(file, "file")
    if not isinstance(given, dict) or not given.keys() <= {"nodes", "links"}:
        raise InvalidInput("file", str(file), "give an object with the lists nodes and links")
    with Progress(transient=True, disable=json) as progress:
        bars: dict[str, Any] = {}

        def step(what: str, done: int, total: int) -> None:
            bars.setdefault(what, progress.add_task(what, total=total))
            progress.update(bars[what], completed=done)

        nodes, links = given.get("nodes", []), given.get("links", [])
        loaded = asking.run(
            realm,
            lambda graph: graph.exploration.load(nodes, links, on_progress=step),
            may_be_new=True,
        )
    if json:
        output.as_json(loaded)
        return
    for id in loaded.dropped_links:
        output.say(f"  not linked: {output.plain(id)}, an end of it was removed meanwhile")
    known = loaded.existing_nodes + loaded.existing_links
    output.say(f"{loaded.nodes} nodes and {loaded.links} links added, {known} were there.")


def _tell(found: "Exploration") -> None:
    """Findings with their paths, and what became of the graph."""
    for finding in found.narratives:
        how = f"{finding.alignment:.2f} {finding.status.value}"
        output.say(f"\n[bold]{output.plain(finding.name)}[/bold]  [dim]{how}[/dim]")
        for path in finding.paths[:3]:
            names = [f"{output.plain(step.name)} ({step.score:.2f})" for step in path.steps]
            output.say(f"  [dim]{output.plain(found.start)} → {' → '.join(names)}[/dim]")
        if finding.content:
            output.say(f"  {output.plain(' '.join(finding.content.split())[:160])}")
    for reason in found.why_empty:
        output.say(f"[yellow]{output.plain(reason)}[/yellow]")
    changes = found.changes
    what = "would change" if changes.planned else "changed"
    output.say(
        f"\n{found.outcome.value}, satisfaction {found.satisfaction:.2f}: {found.hops} hops of "
        f"{found.subentities} SubEntities in {found.reads} reads; {what} {len(changes.nodes)} "
        f"nodes and {len(changes.links)} links, {len(found.created)} narratives are new."
    )
    if found.committed:
        output.say(f"[dim]asterism exploration undo {output.plain(found.run_id)}[/dim]")


def _run_line(run: Any) -> str:
    what = f"{run.found} found, {run.created} new" + (", undone" if run.undone_at else "")
    return f"{output.plain(run.actor)}: {output.plain(run.query)} [dim]{run.outcome}, {what}[/dim]"
