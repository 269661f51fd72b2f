"""Types of pictures and charts: nodes, relationships, lines over time."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from asterism.base_model import Frozen
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
