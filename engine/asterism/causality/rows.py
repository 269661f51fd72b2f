"""Rows of the statements of causality: those that are read, and those that are written."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from asterism.causality import identity
from asterism.causality.allocation import Decision
from asterism.causality.event_ownership import owner
from asterism.causality.models import CausalLink
from asterism.causality.transcripts.models import ConsequenceType, Event, Line, Strength
from asterism.row_types import row_of

Row = dict[str, Any]
T = TypeVar("T")
LONGEST_CAPTION = 48


@row_of("causality/session")
class SessionRow(NamedTuple):
    """A row of causality/session: inputs, run and totals of a recorded session."""

    run_id: str
    kernel_version: str
    params: str
    options: str
    masks: str
    roster: str
    dm: list[str]
    given_intents: str | None
    events: str
    dropped_intents: str
    lines: int
    dm_lines: int
    eligible_lines: int
    intents: int
    claimed: int
    consequences: int
    prompts: int
    utterances: int
    opening: list[str] | None
    first_line: int | None
    last_line: int | None
    recorded_at: datetime
    unembedded: int | None


@row_of("causality/extent")
class ExtentRow(NamedTuple):
    """The row of causality/extent: the ends of a session, and a hash of each of its first lines."""

    first_line: int | None
    last_line: int | None
    opening: list[str]


@row_of("causality/metrics")
class MetricsRow(NamedTuple):
    """The row of causality/metrics: counts and quantiles of sessions."""

    intents: list[dict[str, Any]]
    distances: list[tuple[int, int]]
    line_gaps: list[tuple[int, int]]
    scores: dict[str, float | None]
    by_distance: list[tuple[int, dict[str, float | None]]]
    fanouts: list[tuple[int, int]]
    contested: int | None
    most_bidders: int | None
    dropped: list[str]


class IntentCount(NamedTuple):
    """A number of intents that are alike."""

    strength: str
    type: str
    claimed: bool
    reason: str
    intents: int
    actor: str | None  # None: counts of intents that an older version left out


def intent_row(link: CausalLink, decision: Decision, events: Sequence[Event]) -> Row:
    """Return the row of an Intent, coloured in Browser by its labels."""
    labels = ["Strong" if link.intent_strength is Strength.STRONG else "Weak"]
    return {
        "id": link.id,
        "labels": labels if link.claimed else [*labels, "Unclaimed"],
        "props": {
            "session_id": link.session_id,
            "actor": link.actor,
            "text": link.intent_text,
            "type": link.intent_type.value,
            "strength": link.intent_strength.value,
            "anchor_index": link.intent_anchor_index,
            "claimed": link.claimed,
            "claim_reason": decision.reason.value,
            "top_choice_index": decision.top.line if decision.top else None,
            "event_id": owner(link.intent_anchor_index, events),
            "caption": caption(link.intent_text),
        },
    }


def consequence_row(
    session_id: str,
    line: Line,
    type: ConsequenceType,
    fanout: int,
    bid_count: int,
    events: Sequence[Event],
) -> Row:
    """Return the row of a Consequence, with the intents that it answers and that bid for it."""
    index = line.line_index
    return {
        "id": identity.consequence_id(session_id, index),
        "props": {
            "session_id": session_id,
            "speaker": line.author_name,
            "text": line.content,
            "type": type.value,
            "anchor_index": index,
            "fanout": fanout,
            "bid_count": bid_count,
            "event_id": owner(index, events),
            "caption": caption(line.content),
        },
    }


def cause_row(link: CausalLink, decision: Decision) -> Row:
    """Return the row of a CAUSES, with every part of its score."""
    chosen = decision.chosen
    assert chosen is not None
    return {
        "intent_id": link.id,
        "consequence_id": identity.consequence_id(link.session_id, chosen.line),
        "props": {
            "distance": link.distance,
            "line_gap": link.line_gap,
            "score": link.score,
            "distance_score": chosen.score.distance,
            "lexical_score": chosen.score.lexical,
            "answer_boost": chosen.score.boost,
            "strength": link.intent_strength.value,
            "throw_skill": link.throw_skill,
            "throw_number": link.throw_number,
        },
    }


def utterance_row(session_id: str, line: Line) -> Row:
    """Return the row of an Utterance."""
    return {
        "id": identity.utterance_id(session_id, line.line_index),
        "line_index": line.line_index,
        "author_name": line.author_name,
        "content": line.content,
        "caption": caption(line.content) or f"line {line.line_index}",
    }


def caption(text: str) -> str:
    """Return a text as one short line, as cypher/schema writes it for older recordings."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_CAPTION else line[: LONGEST_CAPTION - 1] + "…"


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield items in lists of at most `size`."""
    batch: list[T] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
