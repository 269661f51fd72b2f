"""Pictures of parts of a graph, and charts of strength over time."""

from asterism.view.models import Kind, Line, Node, Point, Relationship, Subgraph, Timeline
from asterism.view.view import View

__all__ = ["Kind", "Line", "Node", "Point", "Relationship", "Subgraph", "Timeline", "View"]
