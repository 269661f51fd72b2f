"""`asterism star ...`: stars themselves, what is said about one, and what becomes of it."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from asterism.cli import output
from asterism.cli.options import SkipConfirmation, argument, confirm, option
from asterism.cli.runner import Runner, cell, command
from asterism.cli.star_output import is_directed, show_star

if TYPE_CHECKING:
    from asterism.graph import Graph

app = typer.Typer(no_args_is_help=True, help="What a person cares about, and how it connects.")

Id = Annotated[str, argument("The star's id.")]
Limit = Annotated[int, option("How many at most.", "--limit", "-n")]
Gains = Annotated[
    list[float] | None,
    option(
        "What raised it, 0 to 1; repeatable. A day's gains count up to the daily cap.",
        "--gain",
        "--gains",
    ),
]
Aliases = Annotated[
    list[str] | None, option("Another name by which texts mention it; repeatable.", "--alias")
]
Losses = Annotated[
    list[float] | None, option("What it cost, 0 to 1; repeatable.", "--loss", "--losses")
]


@command(app)
def add(
    runner: Runner,
    name: Annotated[str, argument("What it is called.")],
    domain: Annotated[str, option("health, relationships, wealth, purpose or soul.")] = "purpose",
    id: Annotated[str | None, option("Its id; none: one is made.", "--id")] = None,
    brightness: Annotated[float | None, option("From 0.05 to 1; none: 0.3.")] = None,
    state: Annotated[str, option("The state it begins in.")] = "FLICKERING",
    alias: Aliases = None,
    description: Annotated[str, option("What it means to you.")] = "",
) -> None:
    """Add a star."""
    fields: dict[str, Any] = {"domain": domain, "id": id, "brightness": brightness, "state": state}
    fields |= {"aliases": alias or (), "description": description}
    star = runner.run(lambda graph: graph.stars.add(name, **fields), may_create=True)

    def show() -> None:
        bold = output.escape(star.name)
        output.print_markup(f"Added [bold]{bold}[/bold] as {output.escape(star.id)}.")

    runner.show(star, show)


@command(app)
def update(
    runner: Runner,
    id: Id,
    name: Annotated[str | None, option("What it is called now.")] = None,
    alias: Aliases = None,
    description: Annotated[str | None, option("What it means to you; empty: nothing.")] = None,
) -> None:
    """Give a star another name, other aliases or another description."""
    fields: dict[str, Any] = {"name": name, "aliases": alias, "description": description}
    show_star(runner, runner.run(lambda graph: graph.stars.update(id, **fields)))


@command(app)
def list_(
    runner: Runner,
    state: Annotated[str | None, option("Only those in this state.")] = None,
    limit: Limit = 50,
) -> None:
    """List stars, brightest first."""
    stars = runner.run(lambda graph: graph.stars.list(state=state, limit=limit))
    columns = ["id", "name", "domain", "state", "brightness", "connections"]
    runner.table(stars, columns, "No star to list: add one with asterism star add.")


@command(app)
def show(runner: Runner, id: Id, limit: Limit = 20) -> None:
    """Show a star, its strongest connections, and how their strength went by the week."""

    async def work(graph: "Graph") -> tuple[Any, list[Any], list[Any]]:
        stars = graph.stars
        star = await stars.get(id)
        links = await stars.connections(id, limit=limit)
        return star, links, [await stars.history(link.a, link.b) for link in links]

    star, links, histories = runner.run(work)
    document = {"star": star, "connections": links}
    runner.show(document, lambda: _print_star(star, links, histories))


def _print_star(star: Any, links: list[Any], histories: list[Any]) -> None:
    facts = {
        "domain": star.domain,
        "state": star.state,
        "brightness": f"{star.brightness:.3f} {output.bars([star.brightness])}",
        "ceiling": f"{star.effective_max:.2f}",
        "last engaged": cell(star.last_engaged),
    }
    if star.aliases:
        facts["also called"] = ", ".join(star.aliases)
    if star.description:
        facts["description"] = star.description
    output.print_fields(f"{star.name} ({star.id})", facts)
    rows = [
        [
            link.b if link.a == star.id else link.a,
            f"{link.type} (from)" if is_directed(link) and link.b == star.id else link.type,
            link.state,
            f"{link.strength:.3f}",
            output.bars(history.weekly[-30:]),
            f"{link.confidence:.2f}",
        ]
        for link, history in zip(links, histories, strict=True)
    ]
    if rows:
        headings = ["connected with", "type", "state", "strength", "by week", "confidence"]
        output.print_table(headings, rows)
    else:
        output.print_dim("Not connected yet: connect it with asterism star connect.")


@command(app)
def engage(runner: Runner, id: Id, gain: Gains = None, loss: Losses = None) -> None:
    """Engage a star: what raised it today, and what it cost."""
    gains, losses = gain or [], loss or 0.0
    show_star(runner, runner.run(lambda graph: graph.stars.engage(id, gains=gains, losses=losses)))


@command(app)
def acknowledge(runner: Runner, id: Id) -> None:
    """Say yes to a proposed star: NASCENT becomes FLICKERING."""
    show_star(runner, runner.run(lambda graph: graph.stars.acknowledge(id)))


@command(app)
def contradict(runner: Runner, id: Id) -> None:
    """Say that what was done contradicts a star. The third time turns it DARK."""
    show_star(runner, runner.run(lambda graph: graph.stars.contradict(id)))


@command(app)
def flag_dark(runner: Runner, id: Id) -> None:
    """Call a star an anti-pattern: it turns DARK, its connections SHADOW_MIRROR."""
    show_star(runner, runner.run(lambda graph: graph.stars.flag_dark(id)))


@command(app)
def confront(
    runner: Runner,
    id: Id,
    kind: Annotated[str, argument("engagement, shadow_task or acknowledged.")],
) -> None:
    """Face a dark star. Faced enough, it is integrated and turns DIM."""
    star = runner.run(lambda graph: graph.stars.confront(id, kind))
    if star.note or star.state != "DARK":
        show_star(runner, star)
    else:
        progress = f"confronted {star.confrontation:.2f}; 1.00 integrates it."
        runner.show(star, f"{star.name} is DARK, {progress}")


@command(app)
def remove(runner: Runner, id: Id, yes: SkipConfirmation = False) -> None:
    """Remove a star. Its connections go to the archive."""
    confirm(f"Remove star {id!r} and end its connections?", skip=yes)
    runner.run(lambda graph: graph.stars.remove(id))
    runner.show({"removed": id}, f"Removed {id}.")


@command(app)
def blockers(runner: Runner, id: Id) -> None:
    """List what blocks a star, how far its ceiling is lowered, and what would lift it."""
    rows = runner.run(lambda graph: graph.stars.blockers(id))
    columns = ["blocker", "name", "state", "strength", "active", "ceiling", "lifts_below"]
    runner.table(rows, columns, "Nothing blocks it.")


@command(app)
def predictions(
    runner: Runner,
    status: Annotated[str | None, option("OPEN, VERIFIED or EXPIRED.")] = None,
    star: Annotated[str | None, option("Only those about this star's id.")] = None,
    limit: Limit = 50,
) -> None:
    """List what causes predicted about their effects, latest first."""
    filters: dict[str, Any] = {"status": status, "star": star, "limit": limit}
    rows = runner.run(lambda graph: graph.stars.predictions(**filters))
    columns = ["cause", "effect", "sign", "status", "confidence", "issued_at", "expected_at"]
    runner.table(rows, columns, "No prediction is on record that fits.")


@command(app)
def what_if(
    runner: Runner,
    id: Id,
    delta: Annotated[float, argument("Its change of brightness, such as 0.2.")],
    hops: Annotated[int, option("How far it may spread: 1 to 3.")] = 3,
) -> None:
    """Show what a change of a star would do to others, without writing anything."""

    async def work(graph: "Graph") -> tuple[list[Any], list[Any]]:
        return await graph.stars.what_if(id, delta, hops), await graph.stars.connections(id)

    effects, links = runner.run(work)
    empty = "Nothing would change: only RESONANCE and TENSION carry a change of brightness."
    if any(link.type in ("RESONANCE", "TENSION") and link.state == "NASCENT" for link in links):
        empty = "Nothing would change: its connections are NASCENT, and one acts from FORMING on."
    elif not links:
        empty = "Nothing would change: it is not connected."
    runner.table(effects, ["star", "name", "hop", "type", "effect", "path"], empty)
