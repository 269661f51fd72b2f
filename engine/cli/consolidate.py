"""`asterism consolidate`, and the edges it makes: `asterism memory edges | explain | connect`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli import asking, output
from engine.cli.output import AsJson, InRealm

if TYPE_CHECKING:
    from engine.consolidation import ConsolidationReport, EdgeExplanation
    from engine.graph import Graph

SHOWN = 10
Id = Annotated[str, typer.Argument(help="The memory's id.")]
GUIDE = """Let fresh texts find their place among the others.

Use it after remembering, or let `asterism maintain` do it. A text that says the same as an earlier
one, word for word, is archived. One that is near it in other words is kept, and listed as a
possible update of it. Every text that is kept proposes its five best partners, by what both say, by
tags, category and time. Texts that share tags are joined at a lower cosine: with all tags, category
and session in common 0.30 is enough, with nothing in common it takes 0.65. It costs one embedding a
text, once, and no LLM.
Afterwards `asterism memory edges ID` shows a memory's edges, `asterism memory explain A B` why two
are joined or not. Doing it again changes nothing.
"""


def register(app: typer.Typer, memory: typer.Typer) -> None:
    app.command("consolidate", help=GUIDE)(consolidate)
    memory.command("edges")(edges)
    memory.command("explain")(explain)
    memory.command("connect")(connect)


def consolidate(
    limit: Annotated[int | None, typer.Option(min=1, help="Take at most so many.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Tell what a run would do; write nothing.")
    ] = False,
    rebuild: Annotated[
        bool,
        typer.Option(
            "--rebuild", help="Score all edges anew; bring back what was archived wrongly."
        ),
    ] = False,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    if rebuild and (dry_run or limit is not None):
        raise typer.BadParameter("--rebuild takes neither --limit nor --dry-run")
    with _progress() as step:

        async def work(graph: "Graph") -> "ConsolidationReport":
            if rebuild:
                return await graph.consolidation.rebuild(on_progress=step)
            return await graph.consolidation.consolidate(limit, dry_run=dry_run, on_progress=step)

        report = asking.run(realm, work)
    if json:
        output.as_json(report)
    else:
        _tell(report)


def edges(
    id: Id,
    type: Annotated[list[str] | None, typer.Option(help="Only this type; may be repeated.")] = None,
    minimum: Annotated[float, typer.Option(help="Only what is at least this strong.")] = 0.0,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 20,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Show a memory's edges, strongest first, and what each is made of."""

    async def ask(graph: "Graph") -> Any:
        await graph.memories.get(id)
        return await graph.consolidation.edges(id, types=type, minimum=minimum, limit=limit)

    found = asking.run(realm, ask)
    if json:
        output.as_json(found)
        return
    columns = ["now", "weight", "type", "other", "", "cosine", "tags", "category", "hours"]
    rows = []
    for edge in found:
        parts = edge.components
        told = [f"{value:.3f}" for _, value in parts] if parts else [""] * 4
        now, weight = f"{edge.effective_weight:.4f}", f"{edge.weight:.4f}"
        rows.append([now, weight, edge.type.value, edge.other, edge.text, *told])
    output.table(columns, rows)


def explain(
    a: Id,
    b: Annotated[str, typer.Argument(help="The other memory's id.")],
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Tell why two memories are joined, or why they are not."""

    async def ask(graph: "Graph") -> "EdgeExplanation":
        return await graph.consolidation.explain(a, b)

    found = asking.run(realm, ask)
    if json:
        output.as_json(found)
        return
    facts = found.model_dump(mode="json", exclude={"a", "b", "verdict", "edges", "components"})
    if found.components:
        facts["made of"] = "  ".join(f"{name} {value:.4f}" for name, value in found.components)
    shown = {name.replace("_", " "): value for name, value in facts.items() if value is not None}
    output.pairs(f"{found.verdict.value}", shown)


def connect(
    a: Id,
    b: Annotated[str, typer.Argument(help="The memory it bears on.")],
    type: Annotated[str, typer.Argument(help="supports, contradicts, elaborates or outcome.")],
    weight: Annotated[float | None, typer.Option(help="How much it weighs, up to 1.")] = None,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Say how one memory bears on another; it does not fade."""

    async def work(graph: "Graph") -> Any:
        return await graph.memories.connect(a, b, type, weight=weight)

    edge = asking.run(realm, work)
    if json:
        output.as_json(edge)
    else:
        output.say(f"{output.plain(a)} {edge.type.value} {output.plain(b)}, {edge.weight:.2f}")


def _tell(report: "ConsolidationReport") -> None:
    title = "A dry run: nothing is written" if report.dry_run else "Consolidated"
    after = (report.waiting_after, report.active_after)
    waiting, active = ("as before",) * 2 if report.dry_run else after
    facts: dict[str, Any] = {
        "waiting": f"{report.waiting_before} -> {waiting}",
        "consolidated": f"{report.active_before} -> {active}",
        "promoted": report.promoted,
        "duplicates archived": len(report.duplicates),
        "nearly the same, kept": len(report.near_duplicates),
        "possible updates": len(report.updates),
        "set aside": len(report.set_aside),
        "edges created": report.edges_created,
        "edges there already": report.existing,
        "edges removed": report.displaced + report.dropped,
        "embedded": report.embedded,
        "runs": len(report.runs),
        "seconds": report.seconds,
    }
    if report.restored:
        facts["archived wrongly, waiting again"] = len(report.restored)
    if report.spread:
        seen = report.spread
        facts["random pairs"] = f"p50 {seen.p50:.2f}, p90 {seen.p90:.2f}, p99 {seen.p99:.2f}"
    output.pairs(title, facts)
    for said in report.warnings:
        output.say(f"[yellow]{output.plain(said)}[/yellow]")
    lost = [["same as", item.id, item.of] for item in report.duplicates]
    lost += [["may update", item.id, item.of] for item in report.updates]
    lost += [["set aside", item.id, item.reason] for item in report.set_aside]
    if lost:
        output.table(["", "memory", ""], lost[:SHOWN])
    if len(lost) > SHOWN:
        output.say(f"[dim]and {len(lost) - SHOWN} more; --json tells them all[/dim]")


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """A bar on stderr for what is going on."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Looking", total=None)

        def step(stage: str, done: int, total: int) -> None:
            progress.update(task, description=stage.capitalize(), completed=done, total=total)

        yield step
