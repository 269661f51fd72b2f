"""What a walk means to write: nothing of it is written before the commit."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.exploration.colouring import Stroke
from engine.exploration.formulas import Array
from engine.exploration.subentity import Hop, Place, Way

WRITTEN_TYPE = "LINK"
NEW = "new:"


@dataclass
class Heat:
    """Energy and weight that a node is given."""

    place: Place
    energy: float = 0.0
    weight: float = 0.0


@dataclass(frozen=True)
class Colouring:
    """One colouring of a path: a stroke for each link that may be written."""

    by: str
    boost: float
    why: str
    strokes: tuple[tuple[Way, Stroke], ...]


@dataclass(frozen=True)
class Crystal:
    """A narrative to be created, unless the gate finds one that is as good."""

    by: str
    name: str
    content: str
    embedding: Array
    energy: float
    criticality: float
    emotions: tuple[float, ...]
    spawn: Place
    focus: Place
    hierarchy: float
    permanence: float
    last_hierarchy: float

    @property
    def key(self) -> str:
        """Its id until the commit gives it one."""
        return NEW + self.by


@dataclass
class Plan:
    """All that a walk means to write, in the order it was decided."""

    heat: dict[str, Heat] = field(default_factory=dict)
    colourings: list[Colouring] = field(default_factory=list)
    crystals: list[Crystal] = field(default_factory=list)

    def warm(self, place: Place, energy: float, weight: float) -> None:
        """Add energy and weight to a node."""
        heat = self.heat.setdefault(place.element, Heat(place))
        heat.energy += energy
        heat.weight += weight

    def colour(self, by: str, why: str, boost: float, path: Iterable[tuple[Hop, Stroke]]) -> None:
        """Colour links; those of other parts are theirs to write, and stay as they are."""
        strokes = [(hop.way, stroke) for hop, stroke in path if hop.way.type == WRITTEN_TYPE]
        self.colourings.append(Colouring(by, boost, why, tuple(strokes)))
