"""`asterism view`: a part of the graph as a picture or a table, its strength as a chart."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from asterism.cli import output
from asterism.cli.options import Mode, argument, option
from asterism.cli.runner import Runner, command

if TYPE_CHECKING:
    from asterism.view import Subgraph

LARGEST_TABLE = 20


@command()
def view(
    runner: Runner,
    kind: Annotated[
        str | None, argument("star, memory, run or session; none: the whole realm.")
    ] = None,
    id: Annotated[str | None, argument("Its id.")] = None,
    html: Annotated[Path | None, option("Write an interactive picture here.")] = None,
    chart: Annotated[Path | None, option("Write strength over time here, as .svg or .png.")] = None,
    limit: Annotated[
        int | None, option("Nodes, or lines, at most.", "--limit", "-n", min=1)
    ] = None,
    mode: Mode = "600",
) -> None:
    r"""Look at what is around a star or a memory, at a run, a session, or at the strongest of all.

    A file that is there is replaced. Pictures need no network: send them as they are. Charts are of
    a star's connections or of a price level, and need the extra asterism\[charts].
    """
    from asterism.private_files import parsed_mode
    from asterism.view import drawing, output_files

    permissions = parsed_mode(mode)
    if html is not None and chart is not None:
        raise typer.BadParameter("--html and --chart are two pictures: ask for one at a time")
    if chart is not None:
        _draw_chart(runner, kind, id, limit, chart, permissions)
        return
    if html is not None:
        output_files.refuse_unwritable(html, "html")
    subgraph = runner.run(lambda graph: graph.view.look(kind, id, limit=limit))
    if html is None:
        runner.show(subgraph, lambda: _print_subgraph(subgraph))
    else:
        verb = output_files.save(html, drawing.subgraph_page(subgraph), mode=permissions)
        text = f"{verb} {html}: {_size_text(subgraph)}. Open it in any browser."
        runner.show(subgraph, text)


def _draw_chart(
    runner: Runner, kind: str | None, id: str | None, limit: int | None, file: Path, mode: int
) -> None:
    from asterism.errors import InvalidInput
    from asterism.view import charts

    if kind is None or id is None:
        remedy = "say of what: asterism view star ID --chart FILE"
        raise InvalidInput("chart", str(file), remedy)
    charts.refuse_undrawable(file)
    timeline = runner.run(lambda graph: graph.view.timeline(kind, id, limit=limit))
    verb = charts.draw(timeline, file, mode)
    points = sum(len(line.points) for line in timeline.lines)
    runner.show(timeline, f"{verb} {file}: {len(timeline.lines)} lines, {points} points.")


def _print_subgraph(subgraph: "Subgraph") -> None:
    """Print the strongest nodes and relationships, and how to see them."""
    names = {node.key: node.caption for node in subgraph.nodes}
    title = output.escape(subgraph.title)
    output.print_markup(f"[bold]{title}[/bold]: {_size_text(subgraph)}")
    nodes = [[node.caption, node.labels[-1], f"{node.strength:.2f}"] for node in subgraph.nodes]
    output.print_table(["node", "label", "strength"], nodes[:LARGEST_TABLE])
    relationships = [
        [names[each.start], each.type, names[each.end], f"{each.strength:.2f}"]
        for each in subgraph.relationships
    ]
    output.print_table(["from", "type", "to", "strength"], relationships[:LARGEST_TABLE])
    if max(len(nodes), len(relationships)) > LARGEST_TABLE:
        output.print_dim(f"The first {LARGEST_TABLE} of each; --json tells all.")
    output.print_dim("As a picture: the same with --html FILE")


def _size_text(subgraph: "Subgraph") -> str:
    return f"{len(subgraph.nodes)} nodes, {len(subgraph.relationships)} relationships"
