"""`asterism explore` and `asterism exploration ...`: walks, their runs, and the nodes they need."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asterism.cli import output
from asterism.cli.options import Mode, argument, option
from asterism.cli.runner import Runner, command

if TYPE_CHECKING:
    from asterism.errors import ExplorationTimeout
    from asterism.exploration import Exploration

app = typer.Typer(no_args_is_help=True, help="What explorations walk on, and what they changed.")


@command()
def explore(
    runner: Runner,
    query: Annotated[str, argument("What to look for.")],
    actor: Annotated[str, option("Who asks: an actor's id.", "--as")],
    intention: Annotated[str | None, option("Why; without it, the query.")] = None,
    start: Annotated[str | None, option("Start here, not at the actor.")] = None,
    dry_run: Annotated[bool, option("Walk, and change nothing.", "--dry-run")] = False,
    timeout: Annotated[float | None, option("Seconds; past them, nothing.")] = None,
    least: Annotated[float | None, option("The worst link worth walking.", "--min-score")] = None,
    html: Annotated[Path | None, option("Write a picture of the walk here.")] = None,
    page: Annotated[bool, option("Print the walk as a page to read.", "--page")] = False,
    mode: Mode = "600",
) -> None:
    """Send SubEntities through the graph, and see what they find."""
    from asterism.cli.live_tree import LiveTree
    from asterism.errors import ExplorationTimeout
    from asterism.private_files import parsed_mode
    from asterism.view import output_files

    permissions = parsed_mode(mode)
    if html is not None:
        output_files.refuse_unwritable(html, "html")
    options: dict[str, Any] = {"start": start, "dry_run": dry_run, "timeout": timeout}
    options["settings"] = {} if least is None else {"min_link_score": least}
    tree: Any = nullcontext(lambda event: None) if runner.json else LiveTree(query)
    try:
        with tree as on_event:
            options["on_event"] = on_event
            walk = runner.run(
                lambda graph: graph.exploration.explore(actor, query, intention, **options)
            )
    except ExplorationTimeout as error:
        raise late(error, json=runner.json) from error
    if html is not None:
        from asterism.exploration.render import html_page

        output_files.save(html, html_page(walk), mode=permissions)
    runner.show(walk, lambda: output.print_text(walk.text()) if page else _print_walk(walk))


def late(error: "ExplorationTimeout", *, json: bool) -> "ExplorationTimeout":
    """Print what was found before the time was up, and return the refusal for a command line."""
    from asterism.errors import ExplorationTimeout

    partial: Any = error.partial
    if json and partial is not None:
        output.print_json(partial)
    elif partial is not None:
        output.print_text("")
        output.print_warning("What was found before the time was up; nothing was written:")
        _print_walk(partial)
    what, _, _ = str(error).partition(": ")
    return ExplorationTimeout(f"{what}: give it more with --timeout", partial)


@command(app)
def runs(runner: Runner, limit: Annotated[int, option("Runs at most.", min=1)] = 20) -> None:
    """List the latest explorations."""
    rows = runner.run(lambda graph: graph.exploration.runs(limit))
    runner.show(rows, lambda: _print_runs(rows))


def _print_runs(runs: list[Any]) -> None:
    for run in runs:
        result = f"{run.outcome}, {run.found} found, {run.created} new"
        result += ", undone" if run.undone_at else ""
        output.print_markup(
            f"{output.escape(run.id)}  [dim]{run.at:%Y-%m-%d %H:%M}[/dim]  "
            f"{output.escape(run.actor)}: {output.escape(run.query)} [dim]{result}[/dim]"
        )


@command(app)
def undo(
    runner: Runner, run: Annotated[str, argument("The run's id; `exploration runs` lists them.")]
) -> None:
    """Restore what a run changed, where nothing touched it since."""
    undone = runner.run(lambda graph: graph.exploration.undo(run))
    lines = [f"{undone.nodes} nodes and {undone.links} links restored, "]
    lines[0] += f"{undone.narratives} narratives removed."
    lines += [f"  left as it is: {each.what} {each.id}, {each.reason}" for each in undone.kept]
    runner.show(undone, "\n".join(lines))


@command(app)
def add(
    runner: Runner,
    kind: Annotated[str, argument("actor, moment, narrative, space or thing.")],
    name: Annotated[str, argument("What it is called.")],
    id: Annotated[str | None, option("Its id; without it one is made.")] = None,
    content: Annotated[str, option("Its text.")] = "",
) -> None:
    """Add a node to walk on."""
    node = runner.run(
        lambda graph: graph.exploration.add(kind, name, id=id, content=content), may_create=True
    )
    runner.show(node, f"Added {node.kind.value} {node.name} ({node.id}).")


@command(app)
def link(
    runner: Runner,
    a: Annotated[str, argument("An id.")],
    b: Annotated[str, argument("Another.")],
    synthesis: Annotated[str, argument("What joins them, in a few words.")] = "",
    forward: Annotated[float, option("Ease from the first.", min=0, max=1)] = 0.5,
    backward: Annotated[float, option("Ease back to it.", min=0, max=1)] = 0.5,
) -> None:
    """Link two nodes."""
    polarity = (forward, backward)
    edge = runner.run(
        lambda graph: graph.exploration.link(a, b, synthesis=synthesis, polarity=polarity)
    )
    runner.show(edge, f"Linked {a} and {b} ({edge.id}).")


@command(app)
def load(
    runner: Runner, file: Annotated[Path, argument("JSON with the lists nodes and links.")]
) -> None:
    """Add thousands of nodes and links from a file."""
    from asterism.cli.causal import read_json
    from asterism.cli.progress import stage_bar
    from asterism.errors import InvalidInput

    content = read_json(file, "file")
    if not isinstance(content, dict) or not content.keys() <= {"nodes", "links"}:
        raise InvalidInput("file", str(file), "give an object with the lists nodes and links")
    nodes, links = content.get("nodes", []), content.get("links", [])
    with stage_bar("Loading") as step:
        loaded = runner.run(
            lambda graph: graph.exploration.load(nodes, links, on_progress=step), may_create=True
        )
    lines = [
        f"  not linked: {id}, an end of it was removed meanwhile" for id in loaded.dropped_links
    ]
    existing = loaded.existing_nodes + loaded.existing_links
    lines.append(f"{loaded.nodes} nodes and {loaded.links} links added, {existing} were there.")
    runner.show(loaded, "\n".join(lines))


def _print_walk(walk: "Exploration") -> None:
    """Print findings with their paths, and what became of the graph."""
    escape = output.escape
    for finding in walk.narratives:
        rank = f"{finding.alignment:.2f} {finding.status.value}"
        output.print_markup(f"\n[bold]{escape(finding.name)}[/bold]  [dim]{rank}[/dim]")
        for path in finding.paths[:3]:
            names = [walk.start, *(f"{step.name} ({step.score:.2f})" for step in path.steps)]
            output.print_dim(" → ".join(names), indent=2)
        if finding.content:
            output.print_text(f"  {' '.join(finding.content.split())[:160]}")
    for reason in walk.why_empty:
        output.print_warning(reason)
    changes = walk.changes
    what = "would change" if changes.planned else "changed"
    output.print_text(
        f"\n{walk.outcome.value}, satisfaction {walk.satisfaction:.2f}: {walk.hops} hops of "
        f"{walk.subentities} SubEntities in {walk.reads} reads; {what} {len(changes.nodes)} "
        f"nodes and {len(changes.links)} links, {len(walk.created)} narratives are new."
    )
    if walk.committed:
        output.print_dim(f"asterism exploration undo {walk.run_id}")
