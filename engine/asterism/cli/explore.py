"""`asterism explore` and `asterism exploration ...`: walks, their runs, and the nodes they need."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asterism.cli import output
from asterism.cli.explore_output import print_walk
from asterism.cli.options import Mode, argument, option
from asterism.cli.runner import Runner, command

if TYPE_CHECKING:
    from asterism.errors import ExplorationTimeout

app = typer.Typer(no_args_is_help=True, help="What explorations walk on, and what they changed.")


@command()
def explore(
    runner: Runner,
    query: Annotated[str, argument("What to look for.")],
    actor: Annotated[str | None, option("Who asks: an actor's id.", "--as")] = None,
    intention: Annotated[str | None, option("Why; without it, the query.")] = None,
    start: Annotated[str | None, option("Walk on from here alone.")] = None,
    literal: Annotated[
        bool, option("Walk from the actor, by the source document.", "--literal")
    ] = False,
    keep: Annotated[bool, option("Write a narrative in any case.", "--keep")] = False,
    dry_run: Annotated[bool, option("Walk, and change nothing.", "--dry-run")] = False,
    timeout: Annotated[float | None, option("Seconds to give up after, writing nothing.")] = None,
    least: Annotated[
        float | None, option("Least score of a link it follows.", "--min-score")
    ] = None,
    html: Annotated[Path | None, option("Write a picture of the walk here.")] = None,
    page: Annotated[bool, option("Print the walk as a page to read.", "--page")] = False,
    mode: Mode = "600",
) -> None:
    """Find what answers a question, what joins the findings, and what lies around them."""
    from asterism.cli.live_tree import LiveTree
    from asterism.errors import ExplorationTimeout
    from asterism.private_files import parsed_mode
    from asterism.view import output_files

    permissions = parsed_mode(mode)
    if html is not None:
        output_files.refuse_unwritable(html, "html")
    options: dict[str, Any] = {"start": start, "dry_run": dry_run, "timeout": timeout}
    options |= {"mode": "literal" if literal else None, "keep": keep}
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
    runner.show(walk, lambda: output.print_text(walk.text()) if page else print_walk(walk))


def late(error: "ExplorationTimeout", *, json: bool) -> "ExplorationTimeout":
    """Print what was found before the time was up, and return the refusal for a command line."""
    from asterism.errors import ExplorationTimeout

    partial: Any = error.partial
    if json and partial is not None:
        output.print_json(partial)
    elif partial is not None:
        output.print_text("")
        output.print_warning("What was found before the time was up; nothing was written:")
        print_walk(partial)
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
def narratives(
    runner: Runner, limit: Annotated[int, option("Narratives at most.", min=1)] = 20
) -> None:
    """List the answers that explorations wrote, with what is confirmed."""
    rows = runner.run(lambda graph: graph.exploration.narratives(limit))
    runner.show(rows, lambda: _print_narratives(rows))


def _print_narratives(rows: list[Any]) -> None:
    for row in rows:
        head = "confirmed" if row.is_confirmed else "not confirmed"
        output.print_markup(
            f"\n[bold]{output.escape(row.question)}[/bold]  [dim]{head}, run {row.run_id}[/dim]"
        )
        for line in row.content.splitlines()[1:]:
            output.print_text(f"  {line}")


@command(app)
def confirm(
    runner: Runner,
    run: Annotated[str, argument("The run's id; `exploration runs` lists them.")],
    ids: Annotated[list[str], argument("Ids of the memories that answered the question.")],
) -> None:
    """Confirm what answered a question: recall has it higher for this question from now on."""
    result = runner.run(lambda graph: graph.exploration.confirm(run, ids))
    runner.show(result, f"Confirmed for “{result.question}”: {', '.join(result.confirmed)}.")


@command(app)
def unconfirm(
    runner: Runner,
    run: Annotated[str, argument("The run's id; `exploration runs` lists them.")],
    ids: Annotated[list[str] | None, argument("Ids of memories; without any, all.")] = None,
) -> None:
    """Withdraw what was confirmed as the answer to a question."""
    result = runner.run(lambda graph: graph.exploration.unconfirm(run, ids or None))
    withdrawn = ", ".join(result.changed) or "nothing"
    runner.show(result, f"Withdrawn for “{result.question}”: {withdrawn}.")


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
