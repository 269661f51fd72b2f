"""Links as rows: what each node and relationship of the graph carries."""

from collections.abc import Sequence
from typing import Any

from engine.causality import identity
from engine.causality.allocation import Decision
from engine.causality.events import owner
from engine.causality.model import CausalLink, ConsequenceType
from engine.causality.transcript import Event, Line, Strength

Row = dict[str, Any]
Events = Sequence[Event]
LONGEST_NAME = 24


def intent(link: CausalLink, decision: Decision, owners: Events) -> Row:
    """An Intent, coloured in Browser by its labels."""
    labels = ["Strong" if link.intent_strength is Strength.STRONG else "Weak"]
    name = link.actor[:LONGEST_NAME]
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
            "event_id": owner(link.intent_anchor_index, owners),
            "caption": f"L{link.intent_anchor_index} {name} {link.intent_type.value}",
        },
    }


def consequence(
    session_id: str, line: Line, type: ConsequenceType, contest: tuple[int, int], owners: Events
) -> Row:
    """A Consequence: how many intents it answers, and how many wanted it most."""
    index, (fanout, bidders) = line.line_index, contest
    return {
        "id": identity.consequence_id(session_id, index),
        "props": {
            "session_id": session_id,
            "speaker": line.author_name,
            "text": line.content,
            "type": type.value,
            "anchor_index": index,
            "fanout": fanout,
            "bid_count": bidders,
            "event_id": owner(index, owners),
            "caption": f"L{index} {type.value}",
        },
    }


def cause(link: CausalLink, decision: Decision) -> Row:
    """A CAUSES, with every part of its score."""
    index, chosen = link.consequence_anchor_index, decision.chosen
    assert index is not None
    assert chosen is not None
    return {
        "intent_id": link.id,
        "consequence_id": identity.consequence_id(link.session_id, index),
        "props": {
            "distance": link.distance,
            "line_gap": link.line_gap,
            "score": link.score,
            "distance_score": chosen.score.distance,
            "lexical_score": chosen.score.lexical,
            "answer_boost": chosen.score.boost,
            "strength": link.intent_strength.value,
        },
    }


def utterance(session_id: str, line: Line) -> Row:
    """An Utterance: the line as it was said."""
    return {
        "id": identity.utterance_id(session_id, line.line_index),
        "line_index": line.line_index,
        "author_name": line.author_name,
        "content": line.content,
        "caption": f"L{line.line_index} {line.author_name[:LONGEST_NAME]}",
    }
