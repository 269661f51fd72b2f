"""`asterism up`, `down`, `status`, `doctor`, `browser`, `backup` and `restore`."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli import output
from engine.cli.output import AsJson, Mode

if TYPE_CHECKING:
    from engine.local.home import State

Force = Annotated[bool, typer.Option("--force", help="Overwrite what is there.")]


def register(app: typer.Typer) -> None:
    """Add these commands at the top level."""
    for command in (up, down, status, doctor, browser, backup, restore):
        app.command()(command)


def up(json: AsJson = False) -> None:
    """Start the local Neo4j server; the first time it is downloaded (about 220 MB)."""
    from engine.local import server
    from engine.local.home import home

    already = server.running(home()) is not None
    state = _started()
    if json:
        output.as_json(_facts(state) | {"was_running": already})
        return
    output.say(f"[green]Neo4j {state.version} {'was running' if already else 'is up'}.[/green]")
    output.pairs("Look at the graph", _look(state))
    output.say("[dim]Stop it with `asterism down`; it keeps running until then.[/dim]")


def down(json: AsJson = False) -> None:
    """Stop the local server; everything stays on disk."""
    from engine.local import server
    from engine.local.home import home

    stopped = server.stop(home())
    if json:
        output.as_json({"stopped": stopped})
    else:
        output.say("Neo4j is down." if stopped else "No local server was running.")


def status(
    show_password: Annotated[
        bool, typer.Option("--show-password", help="Print the password of the local server.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Show whether the local server runs, its addresses, and where its files are."""
    from engine.local import server
    from engine.local.home import home

    state = server.running(home())
    facts = _facts(state) | {"data": str(home().root), "logs": str(home().logs)}
    problem = server.problem(home(), state) if state else ""
    if state is None:
        facts["note"] = "crashed" if server.crashed(home()) else "not running"
    elif problem:
        facts["note"] = problem
    if show_password:
        facts["password"] = server.password(home())
    if json:
        output.as_json(facts)
    else:
        title = f"Neo4j {state.version} is running" if state else "No local server is running"
        title += ", but its database has stopped" if problem else ""
        output.pairs(title, {name: value for name, value in facts.items() if name != "running"})
        if state is None:
            output.say("Start it with `asterism up`.")


def doctor(json: AsJson = False) -> None:
    """Check every link of the chain, from Python to the schema, and say what to do."""
    import asyncio

    from engine import doctor as checks

    found = asyncio.run(checks.examine())
    failed = [check for check in found if not check.ok]
    if json:
        output.as_json({"ok": not failed, "checks": [check.model_dump() for check in found]})
    else:
        for check in found:
            mark = "[green]ok[/green]  " if check.ok else "[red]fail[/red]"
            output.say(f"{mark} [bold]{check.name:<10}[/bold] {output.plain(check.detail)}")
        for check in failed:
            output.say(f"[bold]To do:[/bold] {output.plain(check.remedy)}")
        if not failed:
            output.say("[green]Everything works.[/green]")
    if failed:
        raise typer.Exit(1)


def browser(
    show: Annotated[
        bool, typer.Option("--open/--no-open", help="Open it in your web browser, or only say.")
    ] = True,
    json: AsJson = False,
) -> None:
    """Open Neo4j Browser on the local server."""
    state = _started()
    if json:
        output.as_json(_facts(state))
    else:
        output.pairs("Neo4j Browser", _look(state))
    if show:
        typer.launch(state.browser)


def backup(
    folder: Annotated[Path, typer.Argument(help="Where to put asterism-<time>.dump.")],
    force: Force = False,
    mode: Mode = "600",
    json: AsJson = False,
) -> None:
    """Dump the whole database to one file; the server pauses for some seconds."""
    from engine.local import backup as dump
    from engine.local.home import home
    from engine.private_files import parsed_mode

    permissions = parsed_mode(mode)
    _mention_other_server()
    with _downloading() as on_bytes, _working("Dumping the database"):
        written = dump.backup(
            home(), folder, _settings(), force=force, mode=permissions, on_bytes=on_bytes
        )
    if json:
        output.as_json({"file": str(written), "bytes": written.stat().st_size})
    else:
        size = written.stat().st_size / 1e6
        output.say(
            f"Wrote {output.plain(written)} ({size:.1f} MB). Bring it back with `asterism restore`."
        )


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `asterism backup` wrote.")],
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Load a dump in place of the database; the old one is kept until that has worked."""
    from engine.local import backup as dump
    from engine.local.home import home

    _mention_other_server()
    with _downloading() as on_bytes, _working("Loading the dump"):
        dump.restore(home(), file, _settings(), force=force, on_bytes=on_bytes)
    if json:
        output.as_json({"restored": str(file)})
    else:
        output.say(f"Restored {output.plain(file)}.")


def _facts(state: "State | None") -> dict[str, Any]:
    if state is None:
        return {"running": False}
    import psutil

    from engine.local.server import USER

    process = psutil.Process(state.pid)
    return {
        "running": True,
        "uri": state.uri,
        "browser": state.browser,
        "user": USER,
        "version": state.version,
        "pid": state.pid,
        "memory_mb": process.memory_info().rss // 1_000_000,
    }


def _look(state: "State") -> dict[str, str]:
    from engine.local.server import USER

    return {
        "browser": state.browser,
        "bolt": state.uri,
        "user": USER,
        "password": "asterism status --show-password",
    }


def _started() -> "State":
    """The local server, started if need be, with a bar for what has to be downloaded."""
    from engine.local import server
    from engine.local.home import home

    _mention_other_server()
    with _downloading() as on_bytes:
        return server.revive(home(), _settings(), on_bytes)


def _mention_other_server() -> None:
    """These commands are about the local server, whatever graphs are opened on."""
    if other := os.environ.get("NEO4J_URI"):
        typer.echo(f"NEO4J_URI is set: graphs open {other}, not this local server.", err=True)


def _downloading() -> Any:
    from engine.local.progress import downloading

    return downloading()


def _settings() -> Any:
    from engine.settings import valid_settings

    return valid_settings(None).local


def _working(what: str) -> Any:
    from rich.console import Console

    return Console(stderr=True).status(what)
