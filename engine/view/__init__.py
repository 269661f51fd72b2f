"""Pictures: parts of a graph to look at, and how strength went over time."""

from engine.view.model import Kind, Line, Node, Point, Relationship, Subgraph, Timeline
from engine.view.view import View

__all__ = ["Kind", "Line", "Node", "Point", "Relationship", "Subgraph", "Timeline", "View"]
