"""`asterism consolidate`, and the edges it makes: `asterism memory edges | explain | connect`."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from asterism.cli import output
from asterism.cli.memory import app
from asterism.cli.options import AtLeast, AtMost, argument, option
from asterism.cli.progress import stage_bar
from asterism.cli.runner import Runner, command

if TYPE_CHECKING:
    from asterism.consolidation import ConsolidationReport
    from asterism.graph import Graph

LARGEST_TABLE = 10
Id = Annotated[str, argument("The memory's id.")]


@command()
def consolidate(
    runner: Runner,
    limit: Annotated[int | None, option("Take at most so many.", min=1)] = None,
    dry_run: Annotated[
        bool, option("Tell what a run would do; write nothing.", "--dry-run")
    ] = False,
    rebuild: Annotated[
        bool, option("Score all edges anew; bring back what was archived wrongly.", "--rebuild")
    ] = False,
) -> None:
    """Let fresh texts find their place among the others.

    Use it after remembering, or let `asterism maintain` do it. A text that says the same as an
    earlier one, word for word, is archived. One that may say what holds now in the place of an
    earlier one is kept, and proposed as its update: see `asterism memory proposals`. Every other
    text is joined to those it is kin to: both stand out as alike among all texts of the realm, or
    share rare words and names, and each is among the five most kin of the other. Tags, category and
    time count too. Texts that share tags are joined at a lower kin: with all tags, category and
    session in common 0.30 is enough, with nothing in common it takes 0.52.
    It costs one embedding a text, once, and no LLM.
    Afterwards `asterism memory edges ID` shows a memory's edges, `asterism memory explain A B` why
    two are joined or not. Doing it again changes nothing.
    """
    if rebuild and (dry_run or limit is not None):
        raise typer.BadParameter("--rebuild takes neither --limit nor --dry-run")
    with stage_bar("Looking") as step:

        async def work(graph: "Graph") -> "ConsolidationReport":
            if rebuild:
                return await graph.consolidation.rebuild(on_progress=step)
            return await graph.consolidation.consolidate(limit, dry_run=dry_run, on_progress=step)

        report = runner.run(work)
    runner.show(report, lambda: _print_report(report))


@command(app)
def edges(
    runner: Runner,
    id: Id,
    type: Annotated[list[str] | None, option("Only this type; may be repeated.")] = None,
    minimum: AtLeast = 0.0,
    limit: AtMost = 20,
) -> None:
    """Show a memory's edges, strongest first, and what each is made of."""

    async def work(graph: "Graph") -> Any:
        await graph.memories.get(id)
        return await graph.consolidation.edges(id, types=type, minimum=minimum, limit=limit)

    edges = runner.run(work)
    runner.show(edges, lambda: _print_edges(edges))


def _print_edges(edges: list[Any]) -> None:
    """Print two or three lines an edge, since a table of them is wider than a terminal."""
    if not edges:
        output.print_dim("Nothing to show.")
    for edge in edges:
        type = edge.type.replace("_", " ").lower()
        output.print_markup(
            f"{edge.effective_weight:.4f}  [bold]{output.escape(edge.other)}[/bold]  {type}"
        )
        output.print_text(f"        {edge.text}")
        for fact in filter(None, (_shares(edge), _made_of(edge), "; ".join(edge.corrected))):
            output.print_dim(fact, indent=8)


def _shares(edge: Any) -> str:
    return f"shares {', '.join(edge.shared)}" if edge.shared else ""


def _made_of(edge: Any) -> str:
    parts = [f"{name} {value:.3f}" for name, value in edge.components or ()]
    faded = "" if edge.weight == edge.effective_weight else f"{edge.weight:.4f} when made"
    return ", ".join(filter(None, [*parts, faded]))


@command(app)
def explain(runner: Runner, a: Id, b: Annotated[str, argument("The other memory's id.")]) -> None:
    """Tell why two memories are joined, or why they are not."""
    edge = runner.run(lambda graph: graph.consolidation.explain(a, b))
    runner.show(edge, lambda: _print_explanation(edge))


def _print_explanation(edge: Any) -> None:
    facts = edge.model_dump(
        mode="json", exclude={"a", "b", "verdict", "edges", "components", "corrected", "shared"}
    )
    facts["shares"] = ", ".join(edge.shared) or None
    if edge.components:
        facts["made of"] = "  ".join(f"{name} {value:.4f}" for name, value in edge.components)
    facts["mark"] = "; ".join(edge.corrected) or None
    facts = {name.replace("_", " "): value for name, value in facts.items() if value is not None}
    output.print_fields(edge.verdict.value, facts)


@command(app)
def connect(
    runner: Runner,
    a: Id,
    b: Annotated[str, argument("The memory it bears on.")],
    type: Annotated[str, argument("supports, contradicts, elaborates or outcome.")],
    weight: Annotated[float | None, option("How much it weighs, up to 1.")] = None,
) -> None:
    """Say how one memory bears on another. It does not fade."""
    edge = runner.run(lambda graph: graph.memories.connect(a, b, type, weight=weight))
    runner.show(edge, f"{a} {edge.type.value} {b}, {edge.weight:.2f}")


def _print_report(report: "ConsolidationReport") -> None:
    after = (report.waiting_after, report.active_after)
    waiting, active = ("as before",) * 2 if report.dry_run else after
    facts: dict[str, Any] = {
        "waiting": f"{report.waiting_before} -> {waiting}",
        "consolidated": f"{report.active_before} -> {active}",
        "promoted": report.promoted,
        "duplicates archived": len(report.duplicates),
        "nearly the same, kept": len(report.near_duplicates),
        "updates proposed": len(report.updates),
        "updates accepted": len(report.accepted),
        "set aside": len(report.set_aside),
        "edges created": report.edges_created,
        "edges there already": report.existing,
        "edges removed": report.displaced + report.dropped,
        "embedded": report.embedded,
        "runs": len(report.runs),
        "seconds": report.seconds,
    }
    if report.answers_changed:
        facts["answers to pinned questions changed"] = len(report.answers_changed)
    if report.restored:
        facts["archived wrongly, waiting again"] = len(report.restored)
    if spread := report.spread:
        facts["random pairs"] = f"p50 {spread.p50:.2f}, p90 {spread.p90:.2f}, p99 {spread.p99:.2f}"
    title = "A dry run: nothing is written" if report.dry_run else "Consolidated"
    output.print_fields(title, facts)
    for line in (*report.warnings, *map(str, report.answers_changed)):
        output.print_warning(line)
    rows = [["same as", item.id, item.of] for item in report.duplicates]
    rows += [
        ["may update", item.id, f"{item.of} ({item.differs}: {item.before} -> {item.after})"]
        for item in report.updates
    ]
    rows += [["set aside", item.id, item.reason] for item in report.set_aside]
    if rows:
        output.print_table(["", "memory", ""], rows, LARGEST_TABLE)
