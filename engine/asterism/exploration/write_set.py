"""Write set of a walk: planned energy of nodes, colouring of links and drafts of narratives."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from asterism.exploration.formulas import Array, Vector, permanence_of_weight
from asterism.exploration.subentity import Hop, NodeSnapshot, ScoredLink

WRITTEN_TYPE = "LINK"
DRAFT_PREFIX = "new:"
DECAY_RATE = 0.8
BLEND_SHARE = 0.3
FAINT_NORM = 1e-3
REFLECTING_BOOST = 0.05
CRYSTALLIZING_BOOST = 0.1


@dataclass(frozen=True)
class LinkState:
    """Vector and weight of a link, before or after its colouring."""

    vector: Array | None
    weight: float


@dataclass(frozen=True)
class LinkUpdate:
    """Effect of one colouring on one link: a vector to blend in and a weight to add."""

    vector: Array | None  # None: too faint to change the link's vector
    boost: float

    def apply(self, link: LinkState) -> LinkState:
        """Return the link after this update: v ← (1 - s) v + s · vector, s = 0.3 / (weight + 1)."""
        share = BLEND_SHARE * (1.0 - permanence_of_weight(link.weight))
        vector = link.vector
        if self.vector is not None:
            vector = self.vector if vector is None else (1 - share) * vector + share * self.vector
        return LinkState(vector, link.weight + self.boost)


def colour_backward(
    reverse_polarities: Sequence[float | None], final: Vector, boost: float
) -> list[LinkUpdate]:
    """Return one update a link, in walking order, that carries `final` back along a path.

    From the last link to the first the vector fades by reverse polarity · 0.8.
    """
    current = np.asarray(final, dtype=np.float64)
    updates: list[LinkUpdate] = []
    for polarity in reversed(reverse_polarities):
        current = current * _carried_share(polarity) * DECAY_RATE
        faint = float(np.linalg.norm(current)) < FAINT_NORM
        updates.append(LinkUpdate(None if faint else current, boost))
    return updates[::-1]


def _carried_share(polarity: float | None) -> float:
    if polarity is None:
        return DECAY_RATE
    return polarity if polarity >= 0 else abs(polarity) * DECAY_RATE


@dataclass
class EnergyDelta:
    """Energy and weight that a walk adds to a node."""

    node: NodeSnapshot
    energy: float = 0.0
    weight: float = 0.0


@dataclass
class LinkColouring:
    """Updates of a link, in the order of the colourings."""

    link: ScoredLink
    updates: list[LinkUpdate] = field(default_factory=list)


@dataclass(frozen=True)
class NarrativeDraft:
    """A narrative to be created, unless an existing one is as good."""

    subentity: str
    name: str
    content: str
    embedding: Array
    energy: float
    criticality: float
    emotions: tuple[float, ...]
    spawn: NodeSnapshot
    focus: NodeSnapshot
    hierarchy: float
    permanence: float
    last_hierarchy: float

    @property
    def key(self) -> str:
        """Its id until the commit gives it one."""
        return DRAFT_PREFIX + self.subentity


@dataclass
class WriteSet:
    """All changes that a walk plans, in the order they were decided."""

    energy: dict[str, EnergyDelta] = field(default_factory=dict)
    colourings: dict[str, LinkColouring] = field(default_factory=dict)
    drafts: list[NarrativeDraft] = field(default_factory=list)

    def add_energy(self, node: NodeSnapshot, energy: float, weight: float) -> None:
        """Add energy and weight to a node."""
        delta = self.energy.setdefault(node.element_id, EnergyDelta(node))
        delta.energy += energy
        delta.weight += weight

    def colour(self, path: Iterable[tuple[Hop, LinkUpdate]]) -> None:
        """Colour the links of type LINK on a path. Other parts write the other types."""
        for hop, update in path:
            if hop.link.type == WRITTEN_TYPE:
                colouring = self.colourings.setdefault(hop.link.element_id, LinkColouring(hop.link))
                colouring.updates.append(update)
