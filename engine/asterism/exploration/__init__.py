"""Exploration: SubEntities that walk the graph with a query and change it by what they find."""

from asterism.exploration.confirmation import Confirmed, NarrativeSummary, QuotedMemory
from asterism.exploration.event_log import Event, EventType
from asterism.exploration.exploration import Explorer
from asterism.exploration.models import (
    Kind,
    Link,
    LinkItem,
    Loaded,
    Node,
    NodeItem,
    NotRestored,
    Outcome,
    Reason,
    RunSummary,
    State,
    Undone,
)
from asterism.exploration.result import Connection, Exploration, Finding, Start, Status
from asterism.exploration.stream import Stream

__all__ = [
    "Confirmed",
    "Connection",
    "Event",
    "EventType",
    "Exploration",
    "Explorer",
    "Finding",
    "Kind",
    "Link",
    "LinkItem",
    "Loaded",
    "NarrativeSummary",
    "Node",
    "NodeItem",
    "NotRestored",
    "Outcome",
    "QuotedMemory",
    "Reason",
    "RunSummary",
    "Start",
    "State",
    "Status",
    "Stream",
    "Undone",
]
