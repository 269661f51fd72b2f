"""SubEntities that walk the graph with a question, find, and leave what they walked changed."""

from engine.exploration.events import Event, EventType
from engine.exploration.explorer import Explorer
from engine.exploration.model import (
    Kept,
    Kind,
    Link,
    LinkItem,
    Loaded,
    Node,
    NodeItem,
    RunSummary,
    Undone,
)
from engine.exploration.result import Exploration, Finding, Status
from engine.exploration.states import Outcome, Reason, State
from engine.exploration.stream import Stream

__all__ = [
    "Event",
    "EventType",
    "Exploration",
    "Explorer",
    "Finding",
    "Kept",
    "Kind",
    "Link",
    "LinkItem",
    "Loaded",
    "Node",
    "NodeItem",
    "Outcome",
    "Reason",
    "RunSummary",
    "State",
    "Status",
    "Stream",
    "Undone",
]
