"""`asterism transcript FILE`: a session's causal links, recorded with one command."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli import causal, output
from engine.cli.output import AsJson, InRealm

if TYPE_CHECKING:
    from engine.causality.extraction import Extraction
    from engine.causality.transcript import Transcript


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
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Extract and measure, write nothing.")
    ] = False,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Extract the causal links of a session, and record them."""
    from engine.causality import readers

    columns = readers.Columns(index_column, speaker_column, text_column)
    lines = readers.read(file, format=format, encoding=encoding, columns=columns)
    told = _transcript(session or file.stem, lines, dm, player, mask, guess_masks)
    params = {} if max_line_gap is None else {"max_line_gap": max_line_gap}
    if dry_run:
        from engine.causality import extract

        _summary(extract(told, params), None, json)
        return
    owned = causal.document(events, "events") if events else None
    keep = {"events": owned, "utterances": utterances, "embed": embed}
    report = asyncio.run(_record(told, params, realm, keep))
    _summary(report.extraction, report, json)


async def _record(told: "Transcript", params: dict[str, Any], realm: str, keep: Any) -> Any:
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
                params=params,
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
    told = told.model_copy(update={"players": named or tuple(Speakers(told).everyone())})
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


def _summary(found: "Extraction", report: Any, json: bool) -> None:
    if json:
        document = {
            "session_id": found.session_id,
            "run_id": report.run_id if report else found.run_id,
            "written": bool(report and report.changed),
            "lines": found.lines,
            "dm_lines": found.dm_lines,
            "eligible_share": found.eligible_share,
            "metrics": found.metrics.model_dump(mode="json"),
        }
        output.as_json(document)
        return
    facts = {
        "lines": f"{found.lines}, {found.dm_lines} of them the DM's",
        "eligible": causal.percent(found.eligible_share),
    }
    output.pairs(found.session_id, facts | causal.measures(found.metrics))
    if report is None:
        output.say("[dim]Nothing was written.[/dim]")
    elif report.changed:
        session = output.plain(found.session_id)
        output.say(f"[green]Recorded.[/green] Read it: asterism causal trace {session}")
    else:
        output.say("[dim]This run was recorded already; nothing changed.[/dim]")
