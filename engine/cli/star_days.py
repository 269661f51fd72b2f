"""`asterism star close-day | reopen | hypotheses | confirm`: closed days, and proposed pairs."""

from datetime import UTC, date, datetime
from typing import Annotated, Any

import typer

from engine.cli import asking, output
from engine.cli.output import AsJson, InRealm, Unasked
from engine.cli.star import A, B, Limit
from engine.cli.star_output import listed, told

FORMATS = ["%Y-%m-%d"]
ANY_NUMBER = 10**9


def register(star: typer.Typer) -> None:
    """Add these commands to the group of stars."""
    star.command("close-day")(close_day)
    star.command()(reopen)
    star.command()(hypotheses)
    star.command()(confirm)


def close_day(
    day: Annotated[
        datetime | None, typer.Argument(formats=FORMATS, help="The day; none: today, UTC.")
    ] = None,
    max_days: Annotated[
        int | None, typer.Option(min=1, help="Close at most so many open days; without it, 40.")
    ] = None,
    yes: Unasked = False,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Close a day, and all days before it that are still open; --yes: however many there are."""
    chosen = (day or datetime.now(UTC)).date()
    most = ANY_NUMBER if yes else max_days
    report = asking.run(realm, lambda graph: graph.stars.close_day(chosen, max_days=most))
    _print_report(report, f"Closed {chosen}", json)


def reopen(
    day: Annotated[datetime, typer.Argument(formats=FORMATS, help="The first day to undo.")],
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Undo the closes of a day and of all after it, which a wrong clock has made."""
    chosen: date = day.date()
    report = asking.run(realm, lambda graph: graph.stars.reopen(chosen))
    _print_report(report, f"Reopened {chosen}; closed through {report.closed_through}", json)


def hypotheses(limit: Limit = 10, realm: InRealm = "default", json: AsJson = False) -> None:
    """Propose pairs that may belong together, best first, each with its reasons."""
    pairs = asking.run(realm, lambda graph: graph.stars.hypotheses(limit))
    listed(pairs, ["a", "b", "type", "score", "why"], json, "No pair to propose.")
    if pairs and not json:
        output.say("[dim]Agree with one: asterism star confirm A B[/dim]")


def confirm(a: A, b: B, realm: InRealm = "default", json: AsJson = False) -> None:
    """Agree with a proposed pair: it gets evidence of the type tars_confirmed."""
    told(asking.run(realm, lambda graph: graph.stars.confirm(a, b)), json)


def _print_report(report: Any, title: str, json: bool) -> None:
    if json:
        output.as_json(report)
        return
    if report.warning:
        output.say(f"[yellow]{output.plain(report.warning)}[/yellow]")
    if not report.days:
        output.say(f"{report.day} was closed already.")
        return
    skipped = {"day", "type_changes", "warning", "closed_through", "today"}
    counts = report.model_dump(exclude=skipped)
    output.pairs(title, {name: _figure(value) for name, value in counts.items()})
    columns = ["a", "b", "before", "after", "rule"]
    listed(report.type_changes, columns, False, "No connection took another type.")


def _figure(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
