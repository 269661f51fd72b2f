"""Which event owns a line. Nothing here is ever fed back into scoring."""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.causality.model import CausalLink, EventLink
from engine.causality.transcript import Event, valid_events


def map_events(links: Iterable[CausalLink], events: Iterable[Any]) -> list[EventLink]:
    """Each link with the events of its two ends; they may differ, and may be None."""
    ordered = precedence(valid_events(events))
    return [
        EventLink(
            link=link,
            intent_event=owner(link.intent_anchor_index, ordered),
            consequence_event=owner(link.consequence_anchor_index, ordered),
        )
        for link in links
    ]


def precedence(events: Iterable[Event]) -> list[Event]:
    """Where events overlap, the narrowest owns the line; of equal ones the earliest."""
    return sorted(events, key=lambda event: (event.end - event.start, event.start, event.event_id))


def owner(index: int | None, ordered: Sequence[Event]) -> str | None:
    """The first event, in order of precedence, that contains the line."""
    if index is None:
        return None
    return next((event.event_id for event in ordered if event.start <= index <= event.end), None)
