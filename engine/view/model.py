"""What a picture is drawn from."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from engine.frozen import Frozen


class Kind(StrEnum):
    """What a picture can be of."""

    STAR = "star"
    MEMORY = "memory"
    RUN = "run"
    SESSION = "session"


class Node(Frozen):
    """A node of a picture; `key` is its own in the picture, where ids may meet."""

    key: str
    id: str
    labels: tuple[str, ...]
    caption: str
    strength: float
    text: str = ""


class Relationship(Frozen):
    """What joins two nodes of a picture, by their keys."""

    start: str
    end: str
    type: str
    strength: float


class Subgraph(Frozen):
    """A part of a realm: the realm's strongest, or what is around one thing."""

    realm: str
    kind: Kind | None
    id: str | None
    nodes: list[Node]
    relationships: list[Relationship]

    @property
    def title(self) -> str:
        """What the picture shows, in a few words."""
        return f"{self.kind} {self.id}" if self.kind else f"realm {self.realm}"


class Point(Frozen):
    """How strong something was at a time."""

    at: datetime
    strength: float


class Line(Frozen):
    """The strength of one thing over time; `type` is its label or its relationship's type."""

    id: str
    name: str
    type: str
    points: list[Point]


class Mark(Frozen):
    """A piece of evidence on a timeline."""

    at: datetime
    strength: float
    kind: str


class Timeline(Frozen):
    """Strength over time: of a star's connections, or of a price level with its evidence."""

    title: str
    lines: list[Line]
    evidence: list[Mark] = Field(default_factory=list)
