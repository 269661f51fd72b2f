"""Trace of a transcript, every decision under its intent: as text to read, as data for machines."""

from collections.abc import Iterator, Sequence
from typing import Any

from asterism.causality.event_ownership import link_events
from asterism.causality.extraction import Extraction
from asterism.causality.models import Candidate, CausalLink, IntentTrace
from asterism.causality.transcripts.models import Event, Line, Transcript


def text(transcript: Transcript, extraction: Extraction, events: Sequence[Event] = ()) -> str:
    """Return lines in order with candidates and reasons, then the contests and the losses."""
    body = _body(transcript, extraction, link_events(extraction.links, events))
    return "\n".join([*_head(extraction), "", *body, *_foot(extraction)]) + "\n"


def document(
    transcript: Transcript, extraction: Extraction, events: Sequence[Event] = ()
) -> dict[str, Any]:
    """Return the trace as plain data: lines with flags, links, decisions, contests, losses."""
    reasons = {line.line_index: line.reasons for line in extraction.excluded}
    links = link_events(extraction.links, events)
    return {
        "session_id": extraction.session_id,
        "kernel_version": extraction.kernel_version,
        "params": extraction.params.model_dump(mode="json"),
        "lines": [
            {**line.model_dump(), "excluded": [str(r) for r in reasons.get(line.line_index, ())]}
            for line in transcript.lines
        ],
        "events": [event.model_dump() for event in events],
        "links": [link.model_dump(mode="json") for link in links],
        "intents": [trace.model_dump(mode="json") for trace in extraction.traces],
        "contested": [
            {"consequence_anchor_index": index, "bidders": [trace.anchor_index for trace in traces]}
            for index, traces in contested(extraction).items()
        ],
        "unclaimed_strong": [
            intent.model_dump(mode="json") for intent in extraction.metrics.unclaimed_strong
        ],
    }


def contested(extraction: Extraction) -> dict[int, list[IntentTrace]]:
    """Return the lines that are the top choice of two or more intents, with these intents."""
    bidders: dict[int, list[IntentTrace]] = {}
    for trace in extraction.traces:
        if trace.top_choice_index is not None:
            bidders.setdefault(trace.top_choice_index, []).append(trace)
    return {index: traces for index, traces in sorted(bidders.items()) if len(traces) > 1}


def _head(extraction: Extraction) -> Iterator[str]:
    yield f"Causal trace of {extraction.session_id}"
    params = extraction.params.model_dump(mode="json")
    yield "parameters: " + ", ".join(f"{name} {value}" for name, value in params.items())
    share = extraction.eligible_share
    eligible = "no lines" if share is None else f"{share:.1%} eligible"
    yield f"{extraction.lines} lines ({eligible}), {extraction.dm_lines} of them the DM's"
    unnamed = "" if extraction.players_named else " (everybody but the DM: no players were named)"
    yield f"players: {', '.join(extraction.players) or 'nobody'}{unnamed}"
    yield f"{extraction.metrics.intents} intents, {extraction.metrics.claimed} claimed"


def _body(
    transcript: Transcript, extraction: Extraction, links: Sequence[CausalLink]
) -> Iterator[str]:
    reasons = {line.line_index: line.reasons for line in extraction.excluded}
    pairs = zip(extraction.traces, links, strict=True)
    decisions = {trace.anchor_index: (trace, link) for trace, link in pairs}
    for line in transcript.lines:
        yield _line(line, reasons.get(line.line_index, []))
        if line.line_index in decisions:
            yield from _decision(*decisions[line.line_index], extraction)


def _line(line: Line, reasons: list[Any]) -> str:
    flag = f" [excluded: {', '.join(reasons)}]" if reasons else ""
    return f"L{line.line_index}{flag} {line.author_name}: {_one_line(line.content)}"


def _decision(trace: IntentTrace, link: CausalLink, extraction: Extraction) -> Iterator[str]:
    yield f"    {trace.strength} {trace.kind} of {trace.actor}{_event(link.intent_event_id)}"
    if trace.throw_number is not None:
        yield f"      throw: {trace.throw_skill or 'of dice'} {trace.throw_number}"
    for candidate in trace.candidates:
        yield "      " + _candidate(candidate, trace, extraction)
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


def _candidate(candidate: Candidate, trace: IntentTrace, extraction: Extraction) -> str:
    index = candidate.consequence_anchor_index
    holder = candidate.claimed_by
    notes = [f"held by L{holder}"] if holder is not None and holder != trace.anchor_index else []
    notes += ["chosen"] if index == trace.chosen_index else []
    weight = extraction.params.lexical_weight
    formula = (
        f"{candidate.distance_score:.9f} * (1 + {weight:g} * "
        f"{candidate.lexical_score:.9f}) + {candidate.answer_boost:g} = {candidate.final_score:.9f}"
    )
    place = f"L{index} {candidate.speaker}, distance {candidate.distance}, gap {candidate.line_gap}"
    return f"{place}: {formula}" + (f"  <- {', '.join(notes)}" if notes else "")


def _foot(extraction: Extraction) -> Iterator[str]:
    yield from ("", "Contested consequences")
    for index, traces in contested(extraction).items():
        bidders = ", ".join(
            f"L{trace.anchor_index} {trace.actor} ({trace.strength}, "
            f"{'got it' if trace.chosen_index == index else 'did not'})"
            for trace in traces
        )
        yield f"  L{index}: {bidders}"
    if not extraction.metrics.contested:
        yield "  none"
    yield from ("", "Unclaimed strong intents")
    for intent in extraction.metrics.unclaimed_strong:
        intro = f"  L{intent.anchor_index} {intent.actor} {intent.type} ({intent.reason})"
        yield f"{intro}: {_one_line(intent.text)}"
    if not extraction.metrics.unclaimed_strong:
        yield "  none"


def _one_line(text: str) -> str:
    return " ".join(text.split())
