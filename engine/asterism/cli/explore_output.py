"""Prints explorations in the terminal."""

from typing import TYPE_CHECKING

from asterism.cli import output

if TYPE_CHECKING:
    from asterism.exploration import Connection, Exploration, Finding

SHOWN = 5


def print_walk(walk: "Exploration") -> None:
    """Print findings with their paths, what joins them, and what became of the graph."""
    if walk.mode == "guided":
        _print_guided(walk)
    else:
        _print_literal(walk)
    if walk.committed:
        output.print_dim(f"asterism exploration undo {walk.run_id}")


def _print_guided(walk: "Exploration") -> None:
    hits = [finding for finding in walk.narratives if finding.origin == "recall"]
    for finding in hits[:SHOWN]:
        _print_hit(finding)
    if more := [finding.id for finding in hits[SHOWN:]]:
        output.print_dim(f"and {len(more)} more, as recall has them: {', '.join(more)}", indent=6)
    for connection in walk.connections:
        _print_connection(connection)
    for finding in walk.narratives[len(hits) :]:
        _print_path(finding)
    for reason in walk.why_empty:
        output.print_warning(reason)
    output.print_text("")
    for sentence in walk.summary:
        output.print_text(sentence[0].upper() + sentence[1:] + ".")
    if walk.committed and hits:
        output.print_dim(f"asterism exploration confirm {walk.run_id} {hits[0].id}")


def _print_hit(finding: "Finding") -> None:
    escape = output.escape
    date = f"{finding.at:%Y-%m-%d}  " if finding.at else ""
    output.print_markup(
        f"\n[dim]{finding.query_alignment:.2f}[/dim]  {escape(_line(finding))}\n"
        f"      [dim]{date}{escape(finding.id)}: {escape(finding.why)}[/dim]"
    )


def _print_connection(connection: "Connection") -> None:
    escape = output.escape
    output.print_markup(
        f"\n[bold]joined by: {escape(', '.join(connection.joined_by))}[/bold]\n"
        f"      {escape(' '.join(connection.text_a.split()))}\n"
        f"      {escape(' '.join(connection.text_b.split()))}"
    )


def _print_path(finding: "Finding") -> None:
    escape = output.escape
    if not finding.paths:
        output.print_markup(f"\n[dim]besides:[/dim] {escape(_line(finding))}")
        return
    ways = " → ".join(f"{step.why}: {step.node}" for step in finding.paths[0].steps)
    output.print_markup(
        f"\n[dim]walked to:[/dim] {escape(_line(finding))}\n"
        f"      [dim]from {escape(finding.paths[0].start)}, {escape(ways)}[/dim]"
    )


def _line(finding: "Finding") -> str:
    return " ".join((finding.content or finding.name).split())


def _print_literal(walk: "Exploration") -> None:
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
