"""Ownership of lines by events, which is never fed back into scoring."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from asterism.causality.models import CausalLink
from asterism.causality.transcripts.models import Event
from asterism.causality.transcripts.transcript_checks import refuse_text
from asterism.errors import InvalidInput


def link_events(links: Iterable[CausalLink], events: Iterable[Any]) -> list[CausalLink]:
    """Return the links with the ids of the events that own their two ends, None without one."""
    ordered = precedence_order(valid_events(events))
    if not ordered:
        return list(links)
    return [
        link.model_copy(
            update={
                "intent_event_id": owner(link.intent_anchor_index, ordered),
                "consequence_event_id": owner(link.consequence_anchor_index, ordered),
            }
        )
        for link in links
    ]


def precedence_order(events: Iterable[Event]) -> list[Event]:
    """Sort events so that the narrowest owns a line, of equal ones the earliest."""
    return sorted(events, key=lambda event: (event.end - event.start, event.start, event.event_id))


def owner(index: int | None, ordered: Sequence[Event]) -> str | None:
    """Return the first event, in order of precedence, that contains the line."""
    if index is None:
        return None
    return next((event.event_id for event in ordered if event.start <= index <= event.end), None)


def valid_events(events: Any) -> list[Event]:
    """Return events with an id of their own each, which end no earlier than they start."""
    if isinstance(events, (str, Mapping)) or not isinstance(events, Iterable):
        raise InvalidInput("events", events, "give a list of events: event_id, start, end each")
    valid = [Event.of(event) for event in events]
    ids: set[str] = set()
    for event in valid:
        refuse_text("events", event.event_id)
        if not event.event_id.strip() or event.event_id in ids:
            remedy = "every event needs an id of its own, and one stretch of lines"
            raise InvalidInput("events", event.event_id, remedy)
        ids.add(event.event_id)
        if event.start > event.end:
            raise InvalidInput(
                "events", event.event_id, f"it ends at {event.end}, before it starts"
            )
    return valid


def refuse_events_outside(events: Iterable[Event], first: int, last: int) -> None:
    """Refuse an event that reaches beyond the first or last line of a transcript."""
    for event in events:
        if event.start < first or event.end > last:
            fields = (event.event_id, event.start, event.end)
            remedy = f"outside the transcript, whose lines are {first} to {last}"
            raise InvalidInput("events", fields, remedy)
