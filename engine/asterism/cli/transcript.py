"""`asterism transcript FILE`: a session's causal links, recorded with one command."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from asterism.cli import causal, output
from asterism.cli.options import OptionGroup, argument, option
from asterism.cli.progress import columns_bar
from asterism.cli.runner import Runner, command

if TYPE_CHECKING:
    from asterism.causality.extraction import Extraction
    from asterism.causality.transcripts.models import Event, Player, Transcript
    from asterism.graph import Graph
    from asterism.settings import CausalParams

Names = list[str] | None


@dataclass(frozen=True)
class Scene(OptionGroup):
    """Options that name the session, its people and the lines to leave out."""

    dm: Annotated[Names, option("Who leads the game; several times for several names.")] = None
    player: Annotated[
        Names, option("NAME, or NAME=ALIAS,ALIAS; without it every other speaker plays.")
    ] = None
    session: Annotated[str | None, option("The session's id; without it the file's name.")] = None
    mask: Annotated[Names, option("Lines to leave out: FIRST-LAST:REASON.")] = None
    guess_masks: Annotated[
        bool, option("Also leave out what sounds like combat or chat.", "--guess-masks")
    ] = False


@dataclass(frozen=True)
class Thresholds(OptionGroup):
    """Parameters of an extraction."""

    max_line_gap: Annotated[
        int | None, option("Lines between intent and consequence at most.", min=1)
    ] = None
    k_local: Annotated[int | None, option("How many next DM lines may answer.", min=1)] = None
    strong_min_score: Annotated[
        float | None, option("A strong intent claims from this score on.", "--strong-min")
    ] = None
    weak_min_score: Annotated[
        float | None, option("A weak intent claims from this score on.", "--weak-min")
    ] = None
    rules: Annotated[
        str | None, option("How intents are recognised: english, german, literal, or a TOML file.")
    ] = None
    literal: Annotated[
        bool, option("Follow the letter of the source: throws and chat answer too.", "--literal")
    ] = False


@dataclass(frozen=True)
class Layout(OptionGroup):
    """Options of the file's format and its columns."""

    format: Annotated[
        str | None, option("jsonl, json, csv, tsv or text, if the ending does not say.")
    ] = None
    encoding: Annotated[str, option("How the file is encoded.")] = "utf-8"
    index_column: Annotated[str | None, option("The column of line numbers.")] = None
    speaker_column: Annotated[str | None, option("The column of speakers.")] = None
    text_column: Annotated[str | None, option("The column of what is said.")] = None


@dataclass(frozen=True)
class Recording(OptionGroup):
    """Options of what is recorded with the links."""

    utterances: Annotated[bool | None, option("Keep every line too; traces need them.")] = None
    embed: Annotated[bool | None, option("Make it walkable for explorations.")] = None
    remember_session: Annotated[
        bool, option("Remember every line as a text memory too.", "--remember")
    ] = False
    replace: Annotated[
        bool, option("Replace a recorded session that begins otherwise.", "--replace")
    ] = False


@command()
def transcript(
    runner: Runner,
    file: Annotated[Path, argument("JSON lines, JSON, CSV, TSV or `Name: text`.")],
    *,
    scene: Scene,
    thresholds: Thresholds,
    events: Annotated[Path | None, option("JSON: a list of event_id, start, end.")] = None,
    layout: Layout,
    recording: Recording,
    dry_run: Annotated[bool, option("Extract and measure, write nothing.", "--dry-run")] = False,
    trace: Annotated[
        bool, option("Also print the transcript with every decision.", "--trace")
    ] = False,
    out: Annotated[Path | None, option("Write that into this file instead.", "--output")] = None,
) -> None:
    """Extract the causal links of a session, and record them."""
    causal.refuse_unwritable(out)
    source = _transcript(file, _lines(file, layout), scene)
    params = _parameters(thresholds)
    assignments = causal.read_json(events, "events") if events else None
    options = recording.typed() | {"events": assignments}
    report = None if dry_run else _record(runner, source, params, options)
    extraction, event_list = (
        (report.extraction, report.events) if report else _extract(source, params, assignments)
    )
    traced = trace or out is not None
    document = _deliver_trace(extraction, event_list, out, runner.json) if traced else None
    runner.show(
        _summary(extraction, report, document),
        lambda: _print_summary(extraction, report, runner.realm),
    )


def _deliver_trace(
    extraction: "Extraction", events: "list[Event]", out: Path | None, json: bool
) -> dict[str, Any] | None:
    """Print the trace or write it into a file. As JSON, return it as a part of the summary."""
    from asterism.causality import trace

    if not json:
        causal.deliver(trace.text(extraction.transcript, extraction, events), out)
        return None
    document = trace.document(extraction.transcript, extraction, events)
    if out is None:
        return document
    causal.deliver(output.json_text(document), out)
    return None


def _extract(
    source: "Transcript", params: "CausalParams", assignments: Any
) -> "tuple[Extraction, list[Event]]":
    """Extract without a database, with the parameters and the checks of a recording."""
    from asterism.causality import extract
    from asterism.causality.event_ownership import refuse_events_outside, valid_events

    events = [] if assignments is None else valid_events(assignments)
    refuse_events_outside(events, source.lines[0].line_index, source.lines[-1].line_index)
    return extract(source, params), events


def _record(
    runner: Runner, source: "Transcript", params: "CausalParams", options: dict[str, Any]
) -> Any:
    """Extract and record, with a bar for its steps."""
    from rich.progress import MofNCompleteColumn

    with columns_bar("extracting", MofNCompleteColumn()) as update:

        def step(what: str, count: int, total: int) -> None:
            update(description=what, completed=count, total=total)

        async def work(graph: "Graph") -> Any:
            return await graph.causality.record(
                source.session_id,
                source.lines,
                dm=source.dm,
                players=source.players,
                masks=source.masks,
                params=params,
                on_progress=step,
                **options,
            )

        return runner.run(work, may_create=True)


def _parameters(thresholds: Thresholds) -> "CausalParams":
    """Return the parameters of an extraction: settings, then the literal ones, then options."""
    from asterism.causality.kernel import valid_params
    from asterism.settings import valid_settings
    from asterism.settings.causality import LITERAL

    options = thresholds.typed()
    literal = LITERAL if options.pop("literal") else {}
    return valid_params(literal | options, valid_settings(None).causality)


def _lines(file: Path, layout: Layout) -> list[Any]:
    from asterism.causality.transcripts import readers
    from asterism.errors import InvalidInput

    columns = readers.Columns(layout.index_column, layout.speaker_column, layout.text_column)
    lines = readers.read(file, format=layout.format, encoding=layout.encoding, columns=columns)
    if not lines:
        remedy = "there is no line in it; `asterism causal forget` deletes a session"
        raise InvalidInput("file", str(file), remedy)
    return lines


def _transcript(file: Path, lines: list[Any], scene: Scene) -> "Transcript":
    from asterism.causality.transcripts.mask_suggestions import suggest_masks
    from asterism.causality.transcripts.models import Transcript
    from asterism.causality.transcripts.speakers import Speakers
    from asterism.causality.transcripts.transcript_checks import refuse_unusable

    session = file.stem if scene.session is None else scene.session
    masks = [_mask(text) for text in scene.mask or ()]
    source = Transcript(session_id=session, lines=lines, dm=scene.dm, players=[], masks=masks)
    refuse_unusable(source)
    source = source.model_copy(update={"players": tuple(map(_player, scene.player or ()))})
    Speakers(source).refuse_silent_dm()
    if scene.guess_masks:
        source = source.model_copy(
            update={"masks": source.masks + tuple(suggest_masks(source).masks)}
        )
    return source


def _player(text: str) -> "Player":
    """Return the player of NAME or NAME=ALIAS,ALIAS."""
    from asterism.causality.transcripts.models import Player

    name, _, rest = text.partition("=")
    aliases = tuple(alias.strip() for alias in rest.split(",") if alias.strip())
    return Player(id=name.strip().casefold(), canonical_name=name.strip(), aliases=aliases)


def _mask(text: str) -> dict[str, str]:
    """Return the mask of FIRST-LAST:REASON."""
    from asterism.errors import InvalidInput

    ends, _, reason = text.partition(":")
    first, _, last = ends.partition("-")
    if not first.strip().isdecimal() or not (last.strip() or first).strip().isdecimal():
        raise InvalidInput("mask", text, "write FIRST-LAST:REASON, such as 120-180:combat")
    return {"start_index": first, "end_index": last or first, "reason": reason or "noise"}


def _summary(extraction: "Extraction", report: Any, trace: dict[str, Any] | None) -> dict[str, Any]:
    summary = {
        "session_id": extraction.session_id,
        "run_id": report.run_id if report else extraction.run_id,
        "written": bool(report and report.changed),
        "replaced": report and report.replaced,
        "remembered": report and report.remembered,
        "unembedded": report and report.unembedded,
        "players": extraction.players,
        "players_named": extraction.players_named,
        "lines": extraction.lines,
        "dm_lines": extraction.dm_lines,
        "eligible_share": extraction.eligible_share,
        "metrics": extraction.metrics,
    }
    return summary if trace is None else summary | {"trace": trace}


def _print_summary(extraction: "Extraction", report: Any, realm: str) -> None:
    everybody = "" if extraction.players_named else " (everybody but the DM)"
    facts = {
        "lines": f"{extraction.lines}, {extraction.dm_lines} of them the DM's",
        "players": f"{', '.join(extraction.players) or 'nobody'}{everybody}",
        "eligible": causal.percent(extraction.eligible_share),
    }
    output.print_fields(extraction.session_id, facts | causal.measures(extraction.metrics))
    if report is None:
        output.print_dim("Nothing was written.")
    elif report.changed:
        change = f": {report.replaced}" if report.replaced else ""
        words = ["asterism", "causal", "trace", extraction.session_id]
        words += [] if realm == "default" else ["--realm", realm]
        rest = output.escape(f"{change}. Read it: {shlex.join(words)}")
        output.print_markup(f"[green]Recorded[/green]{rest}")
        if report.unembedded:
            waiting = f"{report.unembedded:,} lines get their vectors before the next question."
            output.print_dim(waiting)
    else:
        output.print_dim("This run was recorded already; nothing changed.")
