"""`asterism up`, `down`, `status`, `doctor`, `browser`, `backup`, `restore` and `rewrite`."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asterism.cli import output
from asterism.cli.options import Mode, SkipConfirmation, argument, confirm, option
from asterism.cli.progress import stage_bar
from asterism.cli.progress import status as show_status
from asterism.cli.runner import Answer, command

if TYPE_CHECKING:
    from asterism.local.home import State
    from asterism.settings import LocalSettings

Force = Annotated[bool, option("Overwrite what is there.", "--force")]


@command()
def up(answer: Answer) -> None:
    """Start the local Neo4j server. The first time it is downloaded (about 220 MB)."""
    from asterism.local import server
    from asterism.local.home import home

    was_running = server.running(home()) is not None
    state = _start()
    verb = "was running" if was_running else "is up"

    def show() -> None:
        output.print_markup(f"[green]Neo4j {state.version} {verb}.[/green]")
        output.print_fields("Look at the graph", _addresses(state))
        output.print_dim("Stop it with `asterism down`; it keeps running until then.")

    answer.show(_facts(state) | {"was_running": was_running}, show)


@command()
def down(answer: Answer) -> None:
    """Stop the local server. Everything stays on disk."""
    from asterism.local import server
    from asterism.local.home import home

    stopped = server.stop(home())
    text = "Neo4j is down." if stopped else "No local server was running."
    answer.show({"stopped": stopped}, text)


@command()
def status(
    answer: Answer,
    show_password: Annotated[
        bool, option("Print the password of the local server.", "--show-password")
    ] = False,
) -> None:
    """Show whether the local server runs, its addresses, and where its files are."""
    from asterism.local import server
    from asterism.local.home import home

    state = server.running(home())
    facts = _facts(state) | {"data": str(home().root), "logs": str(home().logs)}
    problem = server.problem(home(), state) if state else ""
    title = f"Neo4j {state.version} is running" if state else "No local server is running"
    if state is None:
        facts["note"] = "crashed" if server.crashed(home()) else "not running"
    elif problem:
        facts["note"] = problem
        title += ", but its database has stopped"
    if show_password:
        facts["password"] = server.password(home())

    def show() -> None:
        output.print_fields(title, {n: value for n, value in facts.items() if n != "running"})
        if state is None:
            output.print_text("Start it with `asterism up`.")

    answer.show(facts, show)


@command()
def doctor(answer: Answer) -> None:
    """Check every link of the chain, from Python to the schema, and say what to do."""
    import asyncio

    from asterism.doctor import examine

    checks = asyncio.run(examine())
    failed = [check for check in checks if not check.ok]
    answer.show({"ok": not failed, "checks": checks}, lambda: _print_checks(checks, failed))
    if failed:
        raise typer.Exit(1)


def _print_checks(checks: list[Any], failed: list[Any]) -> None:
    for check in checks:
        mark = "[red]fail[/red]" if not check.ok else "[green]ok[/green]  "
        if check.ok and check.remedy:
            mark = "[yellow]warn[/yellow]"
        detail = output.escape(check.detail)
        output.print_markup(f"{mark} [bold]{check.name:<10}[/bold] {detail}")
    for check in (check for check in checks if check.remedy):
        output.print_markup(f"[bold]To do:[/bold] {output.escape(check.remedy)}")
    if not failed:
        output.print_markup("[green]Everything works.[/green]")


@command()
def browser(
    answer: Answer,
    show: Annotated[
        bool, option("Open it in your web browser, or only say.", "--open/--no-open")
    ] = True,
) -> None:
    """Open Neo4j Browser on the local server."""
    state = _start()
    addresses = _addresses(state)
    answer.show(_facts(state), lambda: output.print_fields("Neo4j Browser", addresses))
    if show:
        typer.launch(state.browser)


@command()
def backup(
    answer: Answer,
    folder: Annotated[Path, argument("Where to put asterism-<time>.dump.")],
    force: Force = False,
    mode: Mode = "600",
) -> None:
    """Dump the whole database to one file. The server pauses for some seconds."""
    from asterism.local import backup as dump
    from asterism.local.home import home
    from asterism.private_files import parsed_mode

    options: dict[str, Any] = {"force": force, "mode": parsed_mode(mode)}
    _mention_other_server()
    with _downloading() as on_bytes, show_status("Dumping the database"):
        file = dump.backup(home(), folder, local_settings(), on_bytes=on_bytes, **options)
    size = file.stat().st_size
    text = f"Wrote {file} ({size / 1e6:.1f} MB). Bring it back with `asterism restore`."
    answer.show({"file": str(file), "bytes": size}, text)


@command()
def restore(
    answer: Answer,
    file: Annotated[Path, argument("A file that `asterism backup` wrote.")],
    force: Force = False,
) -> None:
    """Load a dump in place of the database. The old one is kept until that has worked."""
    from asterism.local import backup as dump
    from asterism.local.home import home

    _mention_other_server()
    with _downloading() as on_bytes, show_status("Loading the dump"):
        dump.restore(home(), file, local_settings(), force=force, on_bytes=on_bytes)
    answer.show({"restored": str(file)}, f"Restored {file}.")


@command()
def rewrite(answer: Answer, yes: SkipConfirmation = False) -> None:
    """Write the local database anew, so that no byte of what was forgotten is left in its files.

    Neo4j keeps the bytes of deleted texts and vectors in its files. This exports every realm, fills
    a new database from the exports, compares both, and deletes the old files and the exports.
    The server is down meanwhile, for a minute or more. Interrupted, the old database comes back.
    Dumps and exports that you made yourself stay as they are.
    """
    from asterism.local.home import home
    from asterism.rewrite import rewrite as rewrite_database
    from asterism.settings import valid_settings

    confirm("Stop the local server, write its database anew and delete the old files?", skip=yes)
    with stage_bar("Starting") as step:
        report = rewrite_database(home(), valid_settings(None), step)
    sizes = f"{report.bytes_before / 1e6:.1f} MB to {report.bytes_after / 1e6:.1f} MB"
    text = (
        f"Rewrote {len(report.realms)} realms with {report.nodes} nodes and "
        f"{report.relationships} relationships, {sizes} of files. What was forgotten before is in "
        "none of them."
    )
    answer.show(report, text)


def _facts(state: "State | None") -> dict[str, Any]:
    if state is None:
        return {"running": False}
    import psutil

    from asterism.local import java
    from asterism.local.server import USER

    process = psutil.Process(state.pid)
    return {
        "running": True,
        "uri": state.uri,
        "browser": state.browser,
        "user": USER,
        "version": state.version,
        "pid": state.pid,
        "memory_mb": process.memory_info().rss // 1_000_000,
        "java": java.running(process.cmdline()).summary,
    }


def _addresses(state: "State") -> dict[str, str]:
    from asterism.local.server import USER

    return {
        "browser": state.browser,
        "bolt": state.uri,
        "user": USER,
        "password": "asterism status --show-password",
    }


def _start() -> "State":
    """Return the local server, started if need be, with a bar for its downloads."""
    from asterism.local import server
    from asterism.local.home import home

    _mention_other_server()
    with _downloading() as on_bytes:
        return server.start_or_restart(home(), local_settings(), on_bytes)


def _mention_other_server() -> None:
    """Say that these commands are about the local server, if graphs are opened on another."""
    if other := os.environ.get("NEO4J_URI"):
        typer.echo(f"NEO4J_URI is set: graphs open {other}, not this local server.", err=True)


def _downloading() -> Any:
    from asterism.local.download_progress import downloading

    return downloading()


def local_settings() -> "LocalSettings":
    """Return the settings of the local server."""
    from asterism.settings import valid_settings

    return valid_settings(None).local
