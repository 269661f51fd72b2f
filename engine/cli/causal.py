"""`asterism transcript` and `asterism causal ...`: links from transcripts, and looking at them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli import asking, output
from engine.cli.output import AsJson, InRealm, Unasked

if TYPE_CHECKING:
    from engine.causality.model import Metrics, Quantiles

SHOWN = 10

app = typer.Typer(no_args_is_help=True, help="Who attempted what, and what came of it.")

Session = Annotated[str, typer.Argument(help="The session's id; `causal sessions` lists them.")]


@app.command("sessions")
def sessions(realm: InRealm = "default", json: AsJson = False) -> None:
    """List the sessions that have been recorded."""
    found = asking.run(realm, lambda graph: graph.causality.sessions())
    if json:
        output.as_json(found)
        return
    rows = [[s.id, s.lines, s.intents, s.claimed, f"{s.recorded_at:%Y-%m-%d %H:%M}"] for s in found]
    output.table(["session", "lines", "intents", "claimed", "recorded"], rows)


@app.command("links")
def links(
    session: Session,
    actor: Annotated[str | None, typer.Option(help="Only this player's.")] = None,
    strength: Annotated[str | None, typer.Option(help="Only strong, or only weak ones.")] = None,
    max_line_gap: Annotated[
        int | None, typer.Option(min=1, help="Only claimed links that near; 8 reads well.")
    ] = None,
    event: Annotated[str | None, typer.Option(help="Only links that touch this event.")] = None,
    csv: Annotated[
        bool, typer.Option("--csv", help="Print CSV of the fields of a link, events last.")
    ] = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Print JSON lines.")] = False,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Show a session's links, in the order of their lines."""
    from engine.causality import exports

    filters: dict[str, Any] = {"actor": actor, "strength": strength, "event": event}
    found = asking.run(
        realm, lambda graph: graph.causality.links(session, max_line_gap=max_line_gap, **filters)
    )
    if csv or jsonl:
        written = exports.to_csv(found) if csv else exports.to_jsonl(found)
        output.data(written)
    elif json:
        output.as_json(found)
    else:
        columns = ["line", "actor", "intent", "", "gap", "score", "consequence"]
        output.table(columns, [_row(link) for link in found])


@app.command("chain")
def chain(
    intent: Annotated[str, typer.Argument(help="The intent's id: see `causal links --json`.")],
    depth: Annotated[int, typer.Option(min=1, max=60, help="Steps at most.")] = 12,
    limit: Annotated[int, typer.Option(min=1, help="Branches at most.")] = 25,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Show what followed from an intent, branch by branch."""
    found = asking.run(realm, lambda graph: graph.causality.chain(intent, depth=depth, limit=limit))
    if json:
        output.as_json(found)
        return
    if not found:
        output.say("Nothing came of it.")
    for branch in found:
        for at, step in enumerate(branch.steps):
            name = f"{step.actor} {step.type}" if step.kind == "intent" else step.type
            text = f"{'  ' * at}{step.by or 'starts'} L{step.anchor_index} {name}: {step.text}"
            output.raw(_short(text, 110))
        typer.echo()


@app.command("metrics")
def metrics(
    session: Annotated[str | None, typer.Argument(help="A session; without it all.")] = None,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Measure coverage, shares, distances, scores and contention."""
    found = asking.run(realm, lambda graph: graph.causality.metrics(session))
    if json:
        output.as_json(found)
    else:
        output.pairs(session or f"all of {realm}", measures(found))


@app.command("trace")
def trace(
    session: Session,
    out: Annotated[
        Path | None, typer.Option("--output", help="Write it into this file; else it is printed.")
    ] = None,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Print the transcript with every decision, and why."""
    refuse_unwritable(out)
    if json:
        document = asking.run(realm, lambda graph: graph.causality.trace_document(session))
        deliver(output.json_text(document), out)
    else:
        deliver(asking.run(realm, lambda graph: graph.causality.trace(session)), out)


def refuse_unwritable(out: Path | None) -> None:
    """Refuse a file that can't be written, before any work is done for it."""
    if out is not None:
        from engine.view import drawing

        drawing.writable(out, "output")


def deliver(text: str, out: Path | None) -> None:
    """Print a text, or write it into a file."""
    if out is None:
        output.raw(text, newline=False)
        return
    from engine.view import drawing

    how = drawing.save(out, text, "output")
    typer.echo(f"{how} {out}.", err=True)


@app.command("events")
def events(
    session: Session,
    file: Annotated[Path, typer.Argument(help="JSON: a list of event_id, start, end.")],
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Note which event owns each line that attempts or answers something."""
    given = document(file, "events")
    count = asking.run(realm, lambda graph: graph.causality.assign_events(session, given))
    if json:
        output.as_json({"session_id": session, "assigned": count})
    else:
        output.say(f"{count} intents and consequences belong to an event.")


@app.command("forget")
def forget(
    session: Session,
    yes: Unasked = False,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Delete what was recorded of a session."""
    if not yes:
        typer.confirm(f"Forget session {session!r}?", abort=True, err=True)
    gone = asking.run(realm, lambda graph: graph.causality.forget(session))
    if json:
        output.as_json(gone)
    else:
        output.say(
            f"Forgot {gone.intents} intents, {gone.consequences} consequences and "
            f"{gone.utterances} lines."
        )


def measures(found: "Metrics") -> dict[str, Any]:
    """The measures a person looks at first."""
    shares = {f"{name} claimed": share for name, share in found.by_strength.items()}
    shares |= {f"{name} claimed": share for name, share in found.by_type.items()}
    reasons = ", ".join(f"{count} {why}" for why, count in found.unclaimed_reasons.items())
    near = sum(count for gap, count in found.line_gaps.items() if gap <= 8)
    return {
        "intents": found.intents,
        "coverage": percent(found.coverage),
        **{name: f"{percent(s.share)} of {s.intents}" for name, s in shares.items()},
        "within 8 lines": percent(near / found.claimed if found.claimed else None),
        "score p10/p50/p90": spread(found.scores),
        **{f"  at distance {d}": _at(found, d) for d in found.distances},
        "line gap: links": _counts(found.line_gaps),
        "consequences": found.consequences,
        "fanout: consequences": _counts(found.fanout),
        "contested": found.contested,
        "unclaimed": reasons or "none",
    }


def spread(scores: "Quantiles") -> str:
    """The middle of the scores, for people."""
    if scores.p50 is None:
        return "no scores"
    middle = (scores.p10, scores.p50, scores.p90)
    return " / ".join(f"{value:.3f}" for value in middle if value is not None)


def _at(found: "Metrics", distance: int) -> str:
    links = f"{found.distances[distance]} links"
    return f"{links}, {spread(found.scores_by_distance[distance])}"


def _counts(histogram: dict[int, int]) -> str:
    """A histogram in one line, the long end of it summed up."""
    first = [f"{value}: {count}" for value, count in list(histogram.items())[:SHOWN]]
    rest = sum(list(histogram.values())[SHOWN:])
    more = [f"more, up to {max(histogram)}: {rest}"] if rest else []
    return ", ".join(first + more) or "none"


def percent(share: float | None) -> str:
    """A share for people."""
    return "-" if share is None else f"{share:.1%}"


def document(file: Path, argument: str) -> Any:
    """A JSON file, or a refusal that says where it is not."""
    import json as reader

    from engine.errors import InvalidInput

    try:
        return reader.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, reader.JSONDecodeError) as error:
        raise InvalidInput(argument, str(file), f"this is no JSON file: {error}") from error


def _row(link: Any) -> list[Any]:
    gap = "" if link.line_gap is None else link.line_gap
    score = "" if link.score is None else f"{link.score:.3f}"
    answer = link.consequence_text or "-"
    place = link.intent_anchor_index
    kind = link.intent_type
    return [place, link.actor, _short(link.intent_text), kind, gap, score, _short(answer)]


def _short(text: str, width: int = 48) -> str:
    flat = " ".join(text.split()) if width < 100 else text
    return flat if len(flat) <= width else flat[: width - 1] + "…"
