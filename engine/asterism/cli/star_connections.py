"""`asterism star ...`: connections of two stars, their evidence, and closed days."""

from datetime import UTC, date, datetime
from typing import Annotated, Any

from asterism.cli import output
from asterism.cli.options import TIMES, SkipConfirmation, argument, option, parse_time
from asterism.cli.runner import Runner, cell, command, print_items
from asterism.cli.star import Limit
from asterism.cli.star import app as app
from asterism.cli.star_output import print_connection, show_connection

A = Annotated[str, argument("One star's id; of a directed type, the one that acts.")]
B = Annotated[str, argument("The other star's id.")]
EVIDENCE = (
    "One of co_mention_response, co_mention_session, user_confirms, user_creates, tars_confirmed, "
    "correlation_detected, causation_detected."
)
TYPES = "RESONANCE, TENSION, CAUSATION, GROWTH_EDGE, SHADOW_MIRROR or BLOCKS"
FORMATS = ["%Y-%m-%d"]
ANY_NUMBER = 10**9


@command(app)
def evidence(
    runner: Runner,
    a: A,
    b: B,
    type: Annotated[str, argument(EVIDENCE)],
    source: Annotated[
        str, option("Where it comes from; another source counts on its own.")
    ] = "user",
    memory: Annotated[str | None, option("The memory that it was drawn from.")] = None,
    intent: Annotated[str | None, option("The recorded intent that it was drawn from.")] = None,
) -> None:
    """Record evidence for a connection.

    Evidence counts once in 24 hours per source and type. Name another source with --source to
    count what somebody, or something, else says.
    """
    origin: dict[str, Any] = {"memory": memory, "intent": intent}
    connection = runner.run(lambda graph: graph.stars.evidence(a, b, type, source=source, **origin))
    show_connection(runner, connection, a)


@command(app)
def connect(
    runner: Runner,
    a: A,
    b: B,
    type: Annotated[
        str | None, option(f"{TYPES}; none: what the data shows, else RESONANCE.")
    ] = None,
) -> None:
    """Connect two stars, or confirm that they are connected: once in 24 hours."""
    show_connection(runner, runner.run(lambda graph: graph.stars.connect(a, b, type)), a)


@command(app)
def why(runner: Runner, a: A, b: B) -> None:
    """Say why two stars are connected, and what changed since."""
    reasons = runner.run(lambda graph: graph.stars.why(a, b))
    runner.show(reasons, lambda: _print_reasons(reasons, a, b))


def _print_reasons(reasons: Any, a: str, b: str) -> None:
    if reasons.connection is None:
        output.print_text(f"{a} and {b} are not connected.")
    else:
        print_connection(reasons.connection, a)
    output.print_markup("[bold]Evidence[/bold]")
    columns = ["observed_at", "type", "source", "raw_gain", "applied_gain", "rank", "capped"]
    print_items(reasons.evidence, columns, "No evidence is on record.")
    for origin in dict.fromkeys(str(each) for item in reasons.evidence for each in item.origins):
        output.print_dim(output.shorten(origin, 100), indent=2)
    output.print_markup("[bold]Changes[/bold]")
    columns = ["at", "field", "before", "after", "strength", "rule"]
    print_items(reasons.changes, columns, "Its state and its type have not changed so far.")


@command(app)
def fading(runner: Runner, limit: Limit = 20) -> None:
    """List what fades next if nothing happens."""
    rows = runner.run(lambda graph: graph.stars.fading(limit))
    columns = {name: name for name in ("a", "b", "type", "state", "strength")}
    columns |= {"sleeps in days": "sleeps_in", "weaker state in days": "falls_in"}
    runner.table(rows, columns, "No connection is awake, so none can fade.")


@command(app)
def disconnect(runner: Runner, a: A, b: B) -> None:
    """Say that two stars are not connected: young connections end, others get weaker.

    --json prints what is left of the connection, null if it ended.
    """
    connection: Any = runner.run(lambda graph: graph.stars.disconnect(a, b))
    if connection is None:
        runner.show(None, f"{a} and {b} are not connected any more.")
    else:
        show_connection(runner, connection, a)


@command(app)
def retire(runner: Runner, a: A, b: B) -> None:
    """Put a connection to sleep until there is new evidence."""
    show_connection(runner, runner.run(lambda graph: graph.stars.retire(a, b)), a)


@command(app)
def assign_type(runner: Runner, a: A, b: B, type: Annotated[str, argument(f"{TYPES}.")]) -> None:
    """Say how two connected stars belong together. No evaluation changes it."""
    show_connection(runner, runner.run(lambda graph: graph.stars.assign_type(a, b, type)), a)


@command(app)
def hypotheses(runner: Runner, limit: Limit = 10) -> None:
    """Propose pairs that may belong together, best first, each with its reasons."""
    pairs = runner.run(lambda graph: graph.stars.hypotheses(limit))
    runner.table(pairs, ["a", "b", "type", "score", "why"], "No pair to propose.")
    if pairs and not runner.json:
        output.print_dim("Agree with one: asterism star confirm A B")


@command(app)
def reflect(
    runner: Runner,
    apply: Annotated[bool, option("Give the evidence; else it is only shown.", "--apply")] = False,
    since: Annotated[str | None, option(f"Only texts from this time on: {TIMES}")] = None,
    limit: Limit = 1000,
) -> None:
    """Propose evidence from texts and sessions that mention two stars."""
    earliest = parse_time("since", since)
    reflection = runner.run(
        lambda graph: graph.stars.reflect(apply=apply, since=earliest, limit=limit)
    )
    runner.show(reflection, lambda: _print_reflection(reflection))


def _print_reflection(reflection: Any) -> None:
    columns = ["a", "b", "type", "at", "outcome", "why"]
    print_items(reflection.proposals, columns, "No text shows evidence that was not given yet.")
    if reflection.proposals and not reflection.applied:
        output.print_dim("Give it: asterism star reflect --apply")


@command(app)
def confirm(runner: Runner, a: A, b: B) -> None:
    """Agree with a proposed pair: it gets evidence of the type tars_confirmed."""
    show_connection(runner, runner.run(lambda graph: graph.stars.confirm(a, b)))


@command(app)
def close_day(
    runner: Runner,
    day: Annotated[datetime | None, argument("The day; none: today, UTC.", formats=FORMATS)] = None,
    max_days: Annotated[
        int | None, option("Close at most so many open days; without it, 40.", min=1)
    ] = None,
    yes: SkipConfirmation = False,
) -> None:
    """Close a day, and all days before it that are still open. --yes: however many there are."""
    last = (day or datetime.now(UTC)).date()
    limit = ANY_NUMBER if yes else max_days
    report = runner.run(lambda graph: graph.stars.close_day(last, max_days=limit))
    runner.show(report, lambda: _print_days(report, f"Closed {last}"))


@command(app)
def reopen(
    runner: Runner,
    day: Annotated[datetime, argument("The first day to undo.", formats=FORMATS)],
) -> None:
    """Undo the closes of a day and of all after it, which a wrong clock has made."""
    first: date = day.date()
    report = runner.run(lambda graph: graph.stars.reopen(first))
    title = f"Reopened {first}; closed through {report.closed_through}"
    runner.show(report, lambda: _print_days(report, title))


def _print_days(report: Any, title: str) -> None:
    if report.warning:
        output.print_warning(report.warning)
    if not report.days:
        output.print_text(f"{report.day} was closed already.")
        return
    other_fields = {"day", "type_changes", "warning", "closed_through", "today"}
    counts = report.model_dump(exclude=other_fields)
    output.print_fields(title, {name: cell(value) for name, value in counts.items()})
    columns = ["a", "b", "before", "after", "rule"]
    print_items(report.type_changes, columns, "No connection took another type.")
