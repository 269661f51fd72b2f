"""`asterism maintain` and `asterism jobs`: the work that has to be done from time to time."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from asterism.cli import output
from asterism.cli.options import AtMost, argument, option
from asterism.cli.runner import Answer, Runner, command

if TYPE_CHECKING:
    from asterism.graph import Graph
    from asterism.maintenance import JobReport

LARGEST_TABLE = 20
jobs = typer.Typer(no_args_is_help=True, help="Maintenance jobs: which there are, how they went.")


@command()
def maintain(
    runner: Runner,
    job: Annotated[
        str | None, argument("One job; `asterism jobs list` tells which there are.")
    ] = None,
    every: Annotated[
        str | None, option("Keep running them, so far apart: 30s, 15m, 1h, 1d.")
    ] = None,
) -> None:
    """Close days, archive, consolidate, prune, verify and count: once, or for ever.

    It can be run twice, from two places at once, or never. With --every it goes on until it is
    interrupted or terminated, and then ends after the running job. A server that is not there is
    told, and asked again at the next round.
    """
    if every is not None:
        _repeat(runner, job, every)
        return

    async def work(graph: "Graph") -> "list[JobReport]":
        reports = []
        async for report in graph.maintenance.each(job):
            reports.append(report)
            if not runner.json:
                _print_report(report)
        return reports

    reports = runner.run(work, may_create=True)
    if runner.json:
        output.print_json(reports)
    if not all(report.ok for report in reports):
        raise typer.Exit(1)


@command(jobs, "list")
def list_jobs(answer: Answer) -> None:
    """List the jobs, in the order in which they run."""
    from asterism.maintenance import job_descriptions

    rows = [{"job": job, "about": text} for job, text in job_descriptions().items()]
    answer.table(rows, {"job": "job", "what it does": "about"})


@command(jobs)
def history(runner: Runner, limit: AtMost = 20) -> None:
    """Show how the latest jobs went, newest first."""
    reports = runner.run(lambda graph: graph.maintenance.history(limit))
    columns = {"started": "started_at", "job": "job", "": _state, "what came of it": _result}
    runner.table(reports, columns)


@command(jobs)
def export(
    runner: Runner,
    folder: Annotated[Path, argument("Where to write; made if it is not there.")],
) -> None:
    """Write scripts for cypher-shell, a crontab and a systemd timer. Needs no server."""
    from asterism.maintenance import job_files
    from asterism.realm_names import valid_name
    from asterism.settings import valid_settings

    files = job_files.write(folder, valid_name(runner.realm), valid_settings(None))
    paths = [str(path) for path in files]
    runner.show(paths, "\n".join(paths))


def _repeat(runner: Runner, job: str | None, every: str) -> None:
    """Run the jobs at intervals, until a signal ends it."""
    import signal

    from asterism.graph import Graph
    from asterism.maintenance import job_named, parse_interval, run_repeatedly

    interval = parse_interval(every)
    chosen = None if job is None else job_named(job)

    async def work() -> None:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda *_: loop.call_soon_threadsafe(stop.set))
        await run_repeatedly(
            lambda: Graph.open(realm=runner.realm),
            interval,
            job=chosen,
            stop=stop,
            on_report=lambda report: _log_report(report, json=runner.json),
            on_trouble=lambda error: output.print_error(error, as_json=runner.json),
        )

    asyncio.run(work())


def _log_report(report: "JobReport", *, json: bool) -> None:
    if json:
        typer.echo(report.model_dump_json())
        return
    time = report.finished_at or report.started_at
    _print_report(report, f"[dim]{time:%Y-%m-%d %H:%M:%S}[/dim]  ")


def _print_report(report: "JobReport", prefix: str = "") -> None:
    result = output.escape(_result(report))
    output.print_markup(f"{prefix}{report.job.value:<16}  {_state(report):<6}  {result}")
    rows = [[o.part, o.invariant, o.id, o.found, o.expected] for o in report.offenders]
    if rows:
        headings = ["part", "what must hold", "where", "found", "expected"]
        output.print_table(headings, rows, LARGEST_TABLE)


def _state(report: "JobReport") -> str:
    return "ok" if report.ok else "failed"


def _result(report: "JobReport") -> str:
    counts = [f"{name} {amount}" for name, amount in report.changed.items() if amount]
    counts += [f"{amount} {name}" for name, amount in report.counts.items()]
    text = ", ".join(counts).replace("_", " ")
    return "; ".join(part for part in (text, report.message) if part) or "nothing to do"
