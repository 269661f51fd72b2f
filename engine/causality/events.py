"""Which event owns a line. Nothing here is ever fed back into scoring."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.causality.model import CausalLink, EventLink
from engine.causality.transcript import Event, refuse_text
from engine.errors import InvalidInput


def map_events(links: Iterable[CausalLink], events: Iterable[Any]) -> list[EventLink]:
    """Return each link with the events of its two ends, which may differ and may be None."""
    ordered = precedence(valid_events(events))
    mapped = []
    for link in links:
        intent = owner(link.intent_anchor_index, ordered)
        consequence = owner(link.consequence_anchor_index, ordered)
        ids = {"intent_event_id": intent, "consequence_event_id": consequence}
        owned = link.model_copy(update=ids)
        mapped.append(EventLink(link=owned, intent_event=intent, consequence_event=consequence))
    return mapped


def linked(links: Sequence[CausalLink], events: Sequence[Event]) -> list[CausalLink]:
    """Return the links with the ids of the events that own their ends."""
    return [found.link for found in map_events(links, events)] if events else list(links)


def precedence(events: Iterable[Event]) -> list[Event]:
    """Where events overlap, the narrowest owns the line; of equal ones the earliest."""
    return sorted(events, key=lambda event: (event.end - event.start, event.start, event.event_id))


def owner(index: int | None, ordered: Sequence[Event]) -> str | None:
    """The first event, in order of precedence, that contains the line."""
    if index is None:
        return None
    return next((event.event_id for event in ordered if event.start <= index <= event.end), None)


def valid_events(events: Any) -> list[Event]:
    """Events as given: each has an id of its own and ends no earlier than it starts."""
    if isinstance(events, (str, Mapping)) or not isinstance(events, Iterable):
        raise InvalidInput("events", events, "give a list of events: event_id, start, end each")
    found = [Event.of(event) for event in events]
    seen: set[str] = set()
    for event in found:
        refuse_text("events", event.event_id)
        if not event.event_id.strip() or event.event_id in seen:
            remedy = "every event needs an id of its own, and one stretch of lines"
            raise InvalidInput("events", event.event_id, remedy)
        seen.add(event.event_id)
        if event.start > event.end:
            raise InvalidInput(
                "events", event.event_id, f"it ends at {event.end}, before it starts"
            )
    return found


def refuse_events_outside(events: Iterable[Event], first: int, last: int) -> None:
    """Refuse an event that reaches beyond the transcript, whose ends are given."""
    for event in events:
        if event.start < first or event.end > last:
            shown = (event.event_id, event.start, event.end)
            remedy = f"outside the transcript, whose lines are {first} to {last}"
            raise InvalidInput("events", shown, remedy)
