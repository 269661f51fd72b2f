"""`asterism causal ...`: recorded sessions, their links, chains, metrics and traces."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asterism.cli import output, progress
from asterism.cli.options import SkipConfirmation, argument, confirm, option
from asterism.cli.runner import Runner, command

if TYPE_CHECKING:
    from asterism.causality.models import CausalAnswer, Chain, Metrics, Quantiles

LONGEST_HISTOGRAM = 10

app = typer.Typer(no_args_is_help=True, help="Who attempted what, and what came of it.")

Depth = Annotated[int, option("Steps at most.", min=1, max=60)]
Limit = Annotated[int, option("Branches at most.", min=1)]
Recorded = Annotated[
    str, argument("An intent or consequence: its id, or its line as SESSION:line:INDEX.")
]
Session = Annotated[str, argument("The session's id; `causal sessions` lists them.")]


@command(app)
def sessions(runner: Runner) -> None:
    """List the sessions that have been recorded."""
    columns = {"session": "id", "lines": "lines", "intents": "intents", "claimed": "claimed"}
    rows = runner.run(lambda graph: graph.causality.sessions())
    runner.table(rows, columns | {"recorded": "recorded_at"})


@command(app)
def links(
    runner: Runner,
    session: Session,
    actor: Annotated[str | None, option("Only this player's.")] = None,
    strength: Annotated[str | None, option("Only strong, or only weak ones.")] = None,
    max_line_gap: Annotated[
        int | None, option("Only claimed links that near; 8 reads well.", min=1)
    ] = None,
    event: Annotated[str | None, option("Only links that touch this event.")] = None,
    csv: Annotated[
        bool, option("Print CSV of the fields of a link, events last.", "--csv")
    ] = False,
    jsonl: Annotated[bool, option("Print JSON lines.", "--jsonl")] = False,
) -> None:
    """Show a session's links, in the order of their lines."""
    from asterism.causality import link_files

    filters: dict[str, Any] = {"actor": actor, "strength": strength, "event": event}
    rows = runner.run(
        lambda graph: graph.causality.links(session, max_line_gap=max_line_gap, **filters)
    )
    if csv or jsonl:
        output.print_data(link_files.to_csv(rows) if csv else link_files.to_jsonl(rows))
        return
    columns = {
        "line": "intent_anchor_index",
        "actor": "actor",
        "intent": lambda link: _cut(link.intent_text),
        "": "intent_type",
        "gap": "line_gap",
        "score": "score",
        "consequence": lambda link: _cut(link.consequence_text or "-"),
    }
    runner.table(rows, columns)


@command(app)
def chain(
    runner: Runner,
    intent: Recorded,
    depth: Depth = 12,
    limit: Limit = 25,
) -> None:
    """Show what followed from an intent, branch by branch."""
    branches = runner.run(lambda graph: graph.causality.chain(intent, depth=depth, limit=limit))
    runner.show(branches, lambda: _print_branches(branches, "Nothing came of it."))


@command(app)
def why(
    runner: Runner,
    id: Recorded,
    depth: Depth = 12,
    limit: Limit = 25,
) -> None:
    """Show what led to an intent or consequence, with the evidence of each step."""
    branches = runner.run(lambda graph: graph.causality.causes(id, depth=depth, limit=limit))
    runner.show(branches, lambda: _print_branches(branches, "Nothing led to it."))


@command(app)
def find(
    runner: Runner,
    query: Annotated[str, argument("What you want to know, such as: how was the door opened?")],
    k: Annotated[int, option("Answers at most.", "--limit", "-k", min=1)] = 3,
    session: Annotated[str | None, option("Only this session's lines.")] = None,
    depth: Depth = 8,
) -> None:
    """Answer a question by the chain that ends where it points, with its evidence."""
    options: dict[str, Any] = {"k": k, "session_id": session, "depth": depth}
    with progress.counter("Looking", "Embedding lines that have no vector yet: {:,}") as step:
        answers = runner.run(lambda graph: graph.causality.find(query, on_progress=step, **options))
    runner.show(answers, lambda: _print_answers(answers))


def _print_answers(answers: "list[CausalAnswer]") -> None:
    if not answers:
        output.print_text("Nothing was recorded: `asterism transcript FILE` records a session.")
    for number, answer in enumerate(answers, 1):
        output.print_text(f"{number}. session {answer.session_id}: {answer.why}")
        _print_branches(answer.chains, "")


def _print_branches(branches: "list[Chain]", nothing: str) -> None:
    if not branches:
        output.print_text(nothing)
    for branch in branches:
        for indent, step in enumerate(branch.steps):
            who = f"{step.actor}, " if step.actor else ""
            text = f"{who}line {step.anchor_index}: {' '.join(step.text.split())}"
            lead = f"{'  ' * indent}{f'{step.by} ' if step.by else ''}"
            evidence = step.evidence
            output.print_text(output.shorten(lead + text, 110 - len(evidence)) + evidence)
        typer.echo()


@command(app)
def metrics(
    runner: Runner,
    session: Annotated[str | None, argument("A session; without it all.")] = None,
    chart: Annotated[Path | None, option("Draw them here as well, as .svg or .png.")] = None,
) -> None:
    r"""Measure coverage, shares, distances, scores, contention and players.

    A chart needs the extra asterism\[charts].
    """
    if chart is not None:
        from asterism.view import charts

        charts.refuse_undrawable(chart)
    values = runner.run(lambda graph: graph.causality.metrics(session))
    title = session or f"all of {runner.realm}"
    runner.show(values, lambda: output.print_fields(title, measures(values)))
    if chart is not None:
        from asterism.view import causal_chart

        typer.echo(f"{causal_chart.draw(values, title, chart)} {chart}.", err=True)


@command(app)
def trace(
    runner: Runner,
    session: Session,
    out: Annotated[
        Path | None, option("Write it into this file; else it is printed.", "--output")
    ] = None,
) -> None:
    """Print the transcript with every decision, and why."""
    refuse_unwritable(out)
    if runner.json:
        document = runner.run(lambda graph: graph.causality.trace_document(session))
        deliver(output.json_text(document), out)
    else:
        deliver(runner.run(lambda graph: graph.causality.trace(session)), out)


def refuse_unwritable(out: Path | None) -> None:
    """Refuse a file that can't be written, before any work is done for it."""
    if out is not None:
        from asterism.view import output_files

        output_files.refuse_unwritable(out, "output")


def deliver(text: str, out: Path | None) -> None:
    """Print a text, or write it into a file."""
    if out is None:
        output.print_text(text, newline=False)
        return
    from asterism.view import output_files

    verb = output_files.save(out, text, "output")
    typer.echo(f"{verb} {out}.", err=True)


@command(app)
def events(
    runner: Runner,
    session: Session,
    file: Annotated[Path, argument("JSON: a list of event_id, start, end.")],
) -> None:
    """Note which event owns each line that attempts or answers something."""
    assignments = read_json(file, "events")
    count = runner.run(lambda graph: graph.causality.assign_events(session, assignments))
    document = {"session_id": session, "assigned": count}
    runner.show(document, f"{count} intents and consequences belong to an event.")


@command(app)
def forget(
    runner: Runner,
    session: Session,
    memories: Annotated[bool, option("The memories of its lines too.", "--memories")] = False,
    yes: SkipConfirmation = False,
) -> None:
    """Delete what was recorded of a session."""
    confirm(f"Forget session {session!r}?", skip=yes)
    deleted = runner.run(lambda graph: graph.causality.forget(session, memories=memories))
    text = (
        f"Forgot {deleted.intents} intents, {deleted.consequences} consequences and "
        f"{deleted.utterances} lines."
    )
    if deleted.memories or deleted.memories_stay:
        count, verb = deleted.memories or deleted.memories_stay, "are gone too"
        verb = verb if deleted.memories else "stay: --memories removes them"
        text += f" {count} memories of its lines {verb}."
    runner.show(deleted, text)


def measures(metrics: "Metrics") -> dict[str, Any]:
    """Return the measures a person looks at first."""
    shares = {f"{name} claimed": share for name, share in metrics.by_strength.items()}
    shares |= {f"{name} claimed": share for name, share in metrics.by_type.items()}
    reasons = ", ".join(f"{count} {why}" for why, count in metrics.unclaimed_reasons.items())
    close = sum(count for gap, count in metrics.line_gaps.items() if gap <= 8)
    return {
        "intents": metrics.intents,
        "coverage": percent(metrics.coverage),
        **{name: f"{percent(share.share)} of {share.intents}" for name, share in shares.items()},
        **{
            f"  of {actor}": f"{percent(share.share)} of {share.intents}"
            for actor, share in metrics.by_actor.items()
        },
        "within 8 lines": percent(close / metrics.claimed if metrics.claimed else None),
        "score p10/p50/p90": quantiles_text(metrics.scores),
        **{f"  at distance {d}": _at_distance(metrics, d) for d in metrics.distances},
        "line gap: links": _histogram_text(metrics.line_gaps),
        "consequences": metrics.consequences,
        "fanout: consequences": _histogram_text(metrics.fanout),
        "contested": f"{metrics.contested} of {metrics.consequences}",
        "unclaimed": reasons or "none",
    }


def quantiles_text(scores: "Quantiles") -> str:
    """Return the middle of the scores, for people."""
    if scores.p50 is None:
        return "no scores"
    middle = (scores.p10, scores.p50, scores.p90)
    return " / ".join(f"{value:.3f}" for value in middle if value is not None)


def _at_distance(metrics: "Metrics", distance: int) -> str:
    links = f"{metrics.distances[distance]} links"
    return f"{links}, {quantiles_text(metrics.scores_by_distance[distance])}"


def _histogram_text(histogram: dict[int, int]) -> str:
    """Return a histogram in one line, the long end of it summed up."""
    counts = [f"{value}: {count}" for value, count in histogram.items()][:LONGEST_HISTOGRAM]
    rest = sum(list(histogram.values())[LONGEST_HISTOGRAM:])
    more = [f"more, up to {max(histogram)}: {rest}"] if rest else []
    return ", ".join(counts + more) or "none"


def percent(share: float | None) -> str:
    """Return a share for people."""
    return "-" if share is None else f"{share:.1%}"


def read_json(file: Path, argument: str) -> Any:
    """Return the content of a JSON file, or refuse it and say where it is broken."""
    import json

    from asterism.errors import InvalidInput

    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InvalidInput(argument, str(file), f"this is no JSON file: {error}") from error


def _cut(text: str) -> str:
    return output.shorten(" ".join(text.split()), 48)
