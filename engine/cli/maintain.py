"""`asterism maintain` and `asterism jobs`: the work that has to be done from time to time."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli import asking, output
from engine.cli.output import AsJson, InRealm

if TYPE_CHECKING:
    from engine.graph import Graph
    from engine.maintenance import JobReport, Offender

SHOWN = 20
COLUMNS = ["job", "", "what came of it"]
jobs = typer.Typer(no_args_is_help=True, help="Maintenance jobs: which there are, how they went.")


def register(app: typer.Typer) -> None:
    """Add the command and the group at the top level."""
    app.command()(maintain)
    app.add_typer(jobs, name="jobs")


def maintain(
    job: Annotated[
        str | None, typer.Argument(help="One job; `asterism jobs list` tells which there are.")
    ] = None,
    every: Annotated[
        str | None, typer.Option(help="Keep running them, so far apart: 30s, 15m, 1h, 1d.")
    ] = None,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Close days, archive, consolidate, prune, verify and count: once, or for ever.

    It can be run twice, from two places at once, or never. With --every it goes on until it is
    interrupted or terminated, and then ends after the running job; a server that is not there is
    told, and asked again at the next round.
    """
    if every is not None:
        _keep(job, every, realm, json)
        return
    reports = asking.run(realm, lambda graph: _run(graph, job, json), may_be_new=True)
    if json:
        output.as_json(reports)
    if not all(report.ok for report in reports):
        raise typer.Exit(1)


@jobs.command("list")
def list_jobs(json: AsJson = False) -> None:
    """List the jobs, in the order in which they run."""
    from engine.maintenance import about

    found = about()
    if json:
        output.as_json([{"job": job, "about": told} for job, told in found.items()])
    else:
        output.table(["job", "what it does"], [[job.value, told] for job, told in found.items()])


@jobs.command("history")
def history(
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = SHOWN,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Show how the latest jobs went, newest first."""
    reports = asking.run(realm, lambda graph: graph.maintenance.history(limit))
    if json:
        output.as_json(reports)
        return
    rows = [[f"{report.started_at:%Y-%m-%d %H:%M}", *_line(report)] for report in reports]
    output.table(["started", *COLUMNS], rows)


@jobs.command("export")
def export(
    folder: Annotated[Path, typer.Argument(help="Where to write; made if it is not there.")],
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Write scripts for cypher-shell, a crontab and a systemd timer. Needs no server."""
    from engine.maintenance import exports
    from engine.realms import valid_name
    from engine.settings import valid_settings

    files = exports.write(folder, valid_name(realm), valid_settings(None))
    if json:
        output.as_json([str(path) for path in files])
        return
    for path in files:
        output.say(output.plain(path))


async def _run(graph: "Graph", job: str | None, json: bool) -> "list[JobReport]":
    """All reports; people see each as soon as its job has ended."""
    reports = []
    async for report in graph.maintenance.each(job):
        reports.append(report)
        if not json:
            _say(report)
    return reports


def _keep(job: str | None, every: str, realm: str, json: bool) -> None:
    import signal

    from engine.graph import Graph
    from engine.maintenance import job_named, keep, seconds

    apart = seconds(every)
    chosen = None if job is None else job_named(job)

    async def inside() -> None:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda *_: loop.call_soon_threadsafe(stop.set))
        await keep(
            lambda: Graph.open(realm=realm),
            apart,
            job=chosen,
            stop=stop,
            on_report=lambda report: _tell(report, json),
            on_trouble=lambda error: output.fail(error, as_json=json),
        )

    asyncio.run(inside())


def _tell(report: "JobReport", json: bool) -> None:
    """One line for each job, at once: these are the lines of a log."""
    if json:
        typer.echo(report.model_dump_json())
        return
    _say(report, f"[dim]{report.finished_at or report.started_at:%Y-%m-%d %H:%M:%S}[/dim]  ")


def _say(report: "JobReport", when: str = "") -> None:
    job, state, told = _line(report)
    output.say(f"{when}{job:<16}  {state:<6}  {output.plain(told)}")
    _tell_offenders(report.offenders)


def _line(report: "JobReport") -> list[str]:
    counts = [f"{name} {amount}" for name, amount in report.changed.items() if amount]
    counts += [f"{amount} {name}" for name, amount in report.counts.items()]
    told = ", ".join(counts).replace("_", " ")
    said = "; ".join(part for part in (told, report.message) if part)
    return [report.job.value, "ok" if report.ok else "failed", said or "nothing to do"]


def _tell_offenders(found: "list[Offender]") -> None:
    rows = [[o.part, o.invariant, o.id, o.found, o.expected] for o in found[:SHOWN]]
    if rows:
        output.table(["part", "what must hold", "where", "found", "expected"], rows)
    if len(found) > SHOWN:
        output.say(f"[dim]and {len(found) - SHOWN} more; --json tells them all[/dim]")
