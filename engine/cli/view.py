"""`asterism view`: a part of the graph as a picture or a table, its strength as a chart."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli import asking, output
from engine.cli.output import AsJson, InRealm, Mode

if TYPE_CHECKING:
    from engine.view import Subgraph

SHOWN = 20


def view(
    kind: Annotated[
        str | None, typer.Argument(help="star, memory, run or session; none: the whole realm.")
    ] = None,
    id: Annotated[str | None, typer.Argument(help="Its id.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write an interactive picture here.")] = None,
    chart: Annotated[
        Path | None, typer.Option(help="Write strength over time here, as .svg or .png.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="Nodes, or lines, at most.")
    ] = None,
    mode: Mode = "600",
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    r"""Look at what is around a star or a memory, at a run, a session, or at the strongest of all.

    A file that is there is replaced. Pictures need no network: send them as they are. Charts are of
    a star's connections or of a price level, and need the extra asterism\[charts].
    """
    from engine.private_files import parsed_mode

    permissions = parsed_mode(mode)
    if chart is None:
        _picture(kind, id, html, permissions, limit, realm, json)
    elif html is None:
        _chart(kind, id, chart, permissions, limit, realm, json)
    else:
        raise typer.BadParameter("--html and --chart are two pictures: ask for one at a time")


def _picture(
    kind: str | None,
    id: str | None,
    html: Path | None,
    mode: int,
    limit: int | None,
    realm: str,
    json: bool,
) -> None:
    from engine.view import drawing

    if html is not None:
        drawing.writable(html, "html")
    found = asking.run(realm, lambda graph: graph.view.look(kind, id, limit=limit))
    done = "" if html is None else drawing.save(html, drawing.subgraph(found), mode=mode)
    if json:
        output.as_json(found)
    elif html is None:
        _tell(found)
    else:
        output.say(f"{done} {output.plain(html)}: {_counted(found)}. Open it in any browser.")


def _chart(
    kind: str | None,
    id: str | None,
    chart: Path,
    mode: int,
    limit: int | None,
    realm: str,
    json: bool,
) -> None:
    from engine.errors import InvalidInput
    from engine.view import charts

    if kind is None or id is None:
        raise InvalidInput("chart", str(chart), "say of what: asterism view star ID --chart FILE")
    charts.check(chart)
    found = asking.run(realm, lambda graph: graph.view.timeline(kind, id, limit=limit))
    done = charts.draw(found, chart, mode)
    if json:
        output.as_json(found)
    else:
        points = sum(len(line.points) for line in found.lines)
        output.say(f"{done} {output.plain(chart)}: {len(found.lines)} lines, {points} points.")


def _tell(found: "Subgraph") -> None:
    """The strongest of it, and how to see it."""
    names = {node.key: node.caption for node in found.nodes}
    output.say(f"[bold]{output.plain(found.title)}[/bold]: {_counted(found)}")
    rows = [[node.caption, node.labels[-1], f"{node.strength:.2f}"] for node in found.nodes]
    output.table(["node", "label", "strength"], rows[:SHOWN])
    joined = [
        [names[each.start], each.type, names[each.end], f"{each.strength:.2f}"]
        for each in found.relationships
    ]
    output.table(["from", "type", "to", "strength"], joined[:SHOWN])
    if len(rows) > SHOWN or len(joined) > SHOWN:
        output.say(f"[dim]The first {SHOWN} of each; --json tells all.[/dim]")
    output.say("[dim]As a picture: the same with --html FILE[/dim]")


def _counted(found: "Subgraph") -> str:
    return f"{len(found.nodes)} nodes, {len(found.relationships)} relationships"
