"""`asterism transcript FILE`: a session's causal links, recorded with one command."""

import asyncio
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli import causal, output
from engine.cli.output import AsJson, InRealm

if TYPE_CHECKING:
    from engine.causality.extraction import Extraction
    from engine.causality.transcript import Event, Transcript
    from engine.settings import CausalParams


def register(app: typer.Typer) -> None:
    """Add the command at the top level."""
    app.command()(transcript)


def transcript(
    file: Annotated[Path, typer.Argument(help="JSON lines, JSON, CSV, TSV or `Name: text`.")],
    dm: Annotated[
        list[str] | None, typer.Option(help="Who leads the game; several times for several names.")
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(help="NAME, or NAME=ALIAS,ALIAS; without it every other speaker plays."),
    ] = None,
    session: Annotated[
        str | None, typer.Option(help="The session's id; without it the file's name.")
    ] = None,
    mask: Annotated[
        list[str] | None, typer.Option(help="Lines to leave out: FIRST-LAST:REASON.")
    ] = None,
    guess_masks: Annotated[
        bool, typer.Option("--guess-masks", help="Also leave out what sounds like combat or chat.")
    ] = False,
    max_line_gap: Annotated[
        int | None, typer.Option(min=1, help="Lines between intent and consequence at most.")
    ] = None,
    k_local: Annotated[
        int | None, typer.Option(min=1, help="How many next DM lines may answer.")
    ] = None,
    strong_min: Annotated[
        float | None, typer.Option(help="A strong intent claims from this score on.")
    ] = None,
    weak_min: Annotated[
        float | None, typer.Option(help="A weak intent claims from this score on.")
    ] = None,
    events: Annotated[
        Path | None, typer.Option(help="JSON: a list of event_id, start, end.")
    ] = None,
    format: Annotated[
        str | None, typer.Option(help="jsonl, json, csv, tsv or text, if the ending does not say.")
    ] = None,
    encoding: Annotated[str, typer.Option(help="How the file is encoded.")] = "utf-8",
    index_column: Annotated[str | None, typer.Option(help="The column of line numbers.")] = None,
    speaker_column: Annotated[str | None, typer.Option(help="The column of speakers.")] = None,
    text_column: Annotated[str | None, typer.Option(help="The column of what is said.")] = None,
    utterances: Annotated[
        bool | None, typer.Option(help="Keep every line too; traces need them.")
    ] = None,
    embed: Annotated[bool | None, typer.Option(help="Make it walkable for explorations.")] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace a recorded session that begins otherwise.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Extract and measure, write nothing.")
    ] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Also print the transcript with every decision.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--output", help="Write that into this file instead.")
    ] = None,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Extract the causal links of a session, and record them."""
    from engine.causality import readers

    causal.refuse_unwritable(out)
    columns = readers.Columns(index_column, speaker_column, text_column)
    lines = readers.read(file, format=format, encoding=encoding, columns=columns)
    _refuse_no_lines(file, lines)
    id = file.stem if session is None else session
    told = _transcript(id, lines, dm, player, mask, guess_masks)
    kernel = _parameters(
        k_local=k_local,
        max_line_gap=max_line_gap,
        strong_min_score=strong_min,
        weak_min_score=weak_min,
    )
    owned = causal.document(events, "events") if events else None
    report = None
    if dry_run:
        found, listed = _dry(told, kernel, owned)
    else:
        keep = {"events": owned, "utterances": utterances, "embed": embed, "replace": replace}
        report = asyncio.run(_record(told, kernel, realm, keep))
        found, listed = report.extraction, report.events
    shown = _trace(found, listed, out, json) if trace or out is not None else None
    _summary(found, report, realm, json=json, trace=shown)


def _trace(
    found: "Extraction", events: "list[Event]", out: Path | None, json: bool
) -> dict[str, Any] | None:
    """Print the trace or write it into a file; as JSON it becomes a part of the summary."""
    from engine.causality import trace as tracing

    if not json:
        causal.deliver(tracing.text(found.transcript, found, events), out)
        return None
    document = tracing.document(found.transcript, found, events)
    if out is None:
        return document
    causal.deliver(output.json_text(document), out)
    return None


def _dry(
    told: "Transcript", kernel: "CausalParams", owned: Any
) -> "tuple[Extraction, list[Event]]":
    """Extract without a database, with the parameters and the checks of a recording."""
    from engine.causality import extract
    from engine.causality.events import refuse_events_outside, valid_events

    events = [] if owned is None else valid_events(owned)
    refuse_events_outside(events, told.lines[0].line_index, told.lines[-1].line_index)
    return extract(told, kernel), events


def _parameters(**options: Any) -> "CausalParams":
    """Return the kernel's parameters for a dry run and a recording: settings, then options."""
    from engine.causality.extract import valid_params
    from engine.settings import valid_settings

    chosen = {name: value for name, value in options.items() if value is not None}
    return valid_params(chosen, valid_settings(None).causality)


def _refuse_no_lines(file: Path, lines: list[Any]) -> None:
    from engine.errors import InvalidInput

    if not lines:
        remedy = "there is no line in it; `asterism causal forget` deletes a session"
        raise InvalidInput("file", str(file), remedy)


async def _record(told: "Transcript", kernel: "CausalParams", realm: str, keep: Any) -> Any:
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TextColumn

    from engine.graph import Graph

    columns = (TextColumn("{task.description}"), MofNCompleteColumn())
    async with Graph.open(realm=realm) as graph:
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("extracting", total=None)

            def step(what: str, done: int, total: int) -> None:
                progress.update(task, description=what, completed=done, total=total)

            return await graph.causality.record(
                told.session_id,
                told.lines,
                dm=told.dm,
                players=told.players,
                masks=told.masks,
                params=kernel,
                on_progress=step,
                **keep,
            )


def _transcript(
    session: str,
    lines: list[Any],
    dm: list[str] | None,
    player: list[str] | None,
    mask: list[str] | None,
    guess_masks: bool,
) -> "Transcript":
    from engine.causality.regimes import guess
    from engine.causality.speakers import Speakers
    from engine.causality.transcript import Transcript, refuse_unusable

    ranges = [_range(given) for given in mask or ()]
    told = Transcript(session_id=session, lines=lines, dm=dm, players=[], masks=ranges)
    refuse_unusable(told)
    named = tuple(_player(given) for given in player or ())
    told = told.model_copy(update={"players": named})
    Speakers(told).refuse_unknown()
    if guess_masks:
        told = told.model_copy(update={"masks": told.masks + tuple(guess(told).masks)})
    return told


def _player(given: str) -> Any:
    from engine.causality.transcript import Player

    name, _, aliases = given.partition("=")
    listed = tuple(alias.strip() for alias in aliases.split(",") if alias.strip())
    id = name.strip().casefold()
    return Player(id=id, canonical_name=name.strip(), aliases=listed)


def _range(given: str) -> dict[str, str]:
    from engine.errors import InvalidInput

    ends, _, reason = given.partition(":")
    first, _, last = ends.partition("-")
    if not first.strip().isdecimal() or not (last.strip() or first).strip().isdecimal():
        raise InvalidInput("mask", given, "write FIRST-LAST:REASON, such as 120-180:combat")
    return {"start_index": first, "end_index": last or first, "reason": reason or "noise"}


def _summary(
    found: "Extraction", report: Any, realm: str, *, json: bool, trace: dict[str, Any] | None
) -> None:
    if json:
        document = {
            "session_id": found.session_id,
            "run_id": report.run_id if report else found.run_id,
            "written": bool(report and report.changed),
            "replaced": report and report.replaced and report.replaced.model_dump(mode="json"),
            "players": found.players,
            "players_named": found.players_named,
            "lines": found.lines,
            "dm_lines": found.dm_lines,
            "eligible_share": found.eligible_share,
            "metrics": found.metrics.model_dump(mode="json"),
        }
        output.as_json(document if trace is None else document | {"trace": trace})
        return
    everybody = "" if found.players_named else " (everybody but the DM)"
    facts = {
        "lines": f"{found.lines}, {found.dm_lines} of them the DM's",
        "players": f"{', '.join(found.players) or 'nobody'}{everybody}",
        "eligible": causal.percent(found.eligible_share),
    }
    output.pairs(found.session_id, facts | causal.measures(found.metrics))
    if report is None:
        output.say("[dim]Nothing was written.[/dim]")
    elif report.changed:
        how = f": {report.replaced}" if report.replaced else ""
        words = ["asterism", "causal", "trace", found.session_id]
        words += [] if realm == "default" else ["--realm", realm]
        read = output.plain(shlex.join(words))
        output.say(f"[green]Recorded[/green]{output.plain(how)}. Read it: {read}")
    else:
        output.say("[dim]This run was recorded already; nothing changed.[/dim]")
