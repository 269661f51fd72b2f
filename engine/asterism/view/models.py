"""Types of pictures and charts: nodes, relationships, lines over time."""

from datetime import datetime
from enum import StrEnum
from html import escape

from pydantic import Field

from asterism.base_model import Frozen
from asterism.html_tables import table
from asterism.row_types import row_of


class Kind(StrEnum):
    """Kinds of things that a picture can be of."""

    STAR = "star"
    MEMORY = "memory"
    RUN = "run"
    SESSION = "session"


class Node(Frozen):
    """A node of a picture, whose `key` is unique in the picture where ids may meet."""

    key: str
    id: str
    labels: tuple[str, ...]
    caption: str
    strength: float
    text: str = ""


class Relationship(Frozen):
    """A relationship of a picture, between the keys of two nodes."""

    start: str
    end: str
    type: str
    strength: float


@row_of("view/drawing", besides=["realm", "kind", "id"])
class Subgraph(Frozen):
    """A part of a realm: the realm's strongest nodes, or those around one thing."""

    realm: str
    kind: Kind | None
    id: str | None
    nodes: list[Node]
    relationships: list[Relationship]

    @property
    def title(self) -> str:
        """The subject of the picture in a few words."""
        return f"{self.kind} {self.id}" if self.kind else f"realm {self.realm}"

    def _repr_html_(self) -> str:
        rows = [(each.caption, each.labels[-1], each.strength) for each in self.nodes]
        title = f"{self.title}: {len(rows)} nodes, {len(self.relationships)} relationships"
        return table(title, ("node", "label", "strength"), rows)


class Page(str):
    """A page with an interactive picture, as text. A notebook shows it in a frame."""

    def _repr_html_(self) -> str:
        # The frame has an origin of its own, so that nothing in it reaches the notebook.
        return (
            f'<iframe srcdoc="{escape(self)}" sandbox="allow-scripts" width="100%" height="500" '
            'style="border: 0"></iframe>'
        )


class Chart(str):
    """A chart as the text of an SVG, which a notebook shows."""

    def _repr_html_(self) -> str:
        return str(self)


class Point(Frozen):
    """Strength at a time."""

    at: datetime
    strength: float


@row_of("view/connections")
class Line(Frozen):
    """Strength of one thing over time, typed by its label or by its relationship."""

    id: str
    name: str
    type: str
    points: list[Point]


class EvidencePoint(Frozen):
    """A piece of evidence on a timeline."""

    at: datetime
    strength: float
    kind: str


class Timeline(Frozen):
    """Strength over time: of a star's connections, or of a price level with its evidence."""

    title: str
    lines: list[Line]
    evidence: list[EvidencePoint] = Field(default_factory=list)

    def _repr_html_(self) -> str:
        latest = [(line, line.points[-1]) for line in self.lines if line.points]
        rows = [(line.name, line.type, point.at, point.strength) for line, point in latest]
        return table(self.title, ("line", "type", "latest", "strength"), rows)
