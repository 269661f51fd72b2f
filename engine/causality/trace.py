"""A transcript with every decision under its intent: as text to read, as data for machines."""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.causality.events import linked
from engine.causality.extraction import Extraction
from engine.causality.model import Candidate, CausalLink, IntentTrace
from engine.causality.transcript import Event, Line, Transcript


def text(transcript: Transcript, found: Extraction, events: Sequence[Event] = ()) -> str:
    """The dense export: lines in order, candidates and reasons, contests and losses at the end."""
    body = _body(transcript, found, linked(found.links, events))
    return "\n".join([*_head(found), "", *body, *_foot(found)]) + "\n"


def document(
    transcript: Transcript, found: Extraction, events: Sequence[Event] = ()
) -> dict[str, Any]:
    """The same as plain data: lines with flags, traces, contests, unclaimed strong intents."""
    reasons = {line.line_index: line.reasons for line in found.excluded}
    return {
        "session_id": found.session_id,
        "kernel_version": found.kernel_version,
        "params": found.params.model_dump(mode="json"),
        "lines": [
            {**line.model_dump(), "excluded": [str(r) for r in reasons.get(line.line_index, ())]}
            for line in transcript.lines
        ],
        "events": [event.model_dump() for event in events],
        "links": [link.model_dump(mode="json") for link in linked(found.links, events)],
        "intents": [trace.model_dump(mode="json") for trace in found.traces],
        "contested": [
            {"consequence_anchor_index": index, "bidders": [trace.anchor_index for trace in traces]}
            for index, traces in contested(found).items()
        ],
        "unclaimed_strong": [
            intent.model_dump(mode="json") for intent in found.metrics.unclaimed_strong
        ],
    }


def contested(found: Extraction) -> dict[int, list[IntentTrace]]:
    """Lines that are the top choice of two or more intents, with all of these."""
    wanted: dict[int, list[IntentTrace]] = {}
    for trace in found.traces:
        if trace.top_choice_index is not None:
            wanted.setdefault(trace.top_choice_index, []).append(trace)
    return {index: traces for index, traces in sorted(wanted.items()) if len(traces) > 1}


def _head(found: Extraction) -> Iterator[str]:
    yield f"Causal trace of {found.session_id}"
    chosen = found.params.model_dump(mode="json")
    yield "parameters: " + ", ".join(f"{name} {value}" for name, value in chosen.items())
    share = "no lines" if found.eligible_share is None else f"{found.eligible_share:.1%} eligible"
    yield f"{found.lines} lines ({share}), {found.dm_lines} of them the DM's"
    everybody = "" if found.players_named else " (everybody but the DM: no players were named)"
    yield f"players: {', '.join(found.players) or 'nobody'}{everybody}"
    measures = found.metrics
    yield f"{measures.intents} intents, {measures.claimed} claimed"


def _body(transcript: Transcript, found: Extraction, owned: Sequence[CausalLink]) -> Iterator[str]:
    reasons = {line.line_index: line.reasons for line in found.excluded}
    links = {link.intent_anchor_index: link for link in owned}
    traces = {trace.anchor_index: trace for trace in found.traces}
    for line in transcript.lines:
        yield _line(line, reasons.get(line.line_index, []))
        if line.line_index in links:
            yield from _decision(links[line.line_index], traces[line.line_index], found)


def _line(line: Line, reasons: list[Any]) -> str:
    flag = f" [excluded: {', '.join(reasons)}]" if reasons else ""
    said = " ".join(line.content.split())
    return f"L{line.line_index}{flag} {line.author_name}: {said}"


def _decision(link: CausalLink, trace: IntentTrace, found: Extraction) -> Iterator[str]:
    yield f"    {trace.strength} {trace.kind} of {trace.actor}{_event(link.intent_event_id)}"
    for candidate in trace.candidates:
        yield "      " + _candidate(candidate, trace, found)
    if trace.window_end is not None:
        yield f"      L{trace.window_end} is excluded: no line from there on may answer"
    if trace.chosen_index is None:
        yield f"    unclaimed: {trace.claim_reason}"
    else:
        yield (
            f"    claims L{trace.chosen_index} ({link.consequence_type}, "
            f"score {link.score:.6f}): {trace.claim_reason}{_event(link.consequence_event_id)}"
        )


def _event(id: str | None) -> str:
    return "" if id is None else f" [event {id}]"


def _candidate(candidate: Candidate, trace: IntentTrace, found: Extraction) -> str:
    index = candidate.consequence_anchor_index
    holder = candidate.claimed_by
    notes = [f"held by L{holder}"] if holder is not None and holder != trace.anchor_index else []
    notes += ["chosen"] if index == trace.chosen_index else []
    sum_ = (
        f"{candidate.distance_score:.9f} * (1 + {found.params.lexical_weight:g} * "
        f"{candidate.lexical_score:.9f}) + {candidate.answer_boost:g} = {candidate.final_score:.9f}"
    )
    place = f"L{index} {candidate.speaker}, distance {candidate.distance}, gap {candidate.line_gap}"
    return f"{place}: {sum_}" + (f"  <- {', '.join(notes)}" if notes else "")


def _foot(found: Extraction) -> Iterator[str]:
    yield from ("", "Contested consequences")
    for index, traces in contested(found).items():
        named = ", ".join(
            f"L{trace.anchor_index} {trace.actor} ({trace.strength}, "
            f"{'got it' if trace.chosen_index == index else 'did not'})"
            for trace in traces
        )
        yield f"  L{index}: {named}"
    if not found.metrics.contested:
        yield "  none"
    yield from ("", "Unclaimed strong intents")
    for intent in found.metrics.unclaimed_strong:
        said = " ".join(intent.text.split())
        yield f"  L{intent.anchor_index} {intent.actor} {intent.type} ({intent.reason}): {said}"
    if not found.metrics.unclaimed_strong:
        yield "  none"
