"""A SubEntity: what it asks, where it is, what it has seen and found. Frozen; steps replace it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.exploration import formulas
from engine.exploration.formulas import Array, Pair
from engine.exploration.model import Kind, kind_of, label_of
from engine.exploration.states import Reason, State

AXES = ("joy_sadness", "trust_disgust", "fear_anger", "surprise_anticipation")
FACTORS = ("alignment", "polarity", "permanence", "novelty", "divergence")


@dataclass(frozen=True)
class Place:
    """A node as it was first read."""

    element: str
    id: str
    label: str
    kind: Kind
    name: str
    content: str
    embedding: Array | None
    weight: float
    energy: float
    permanence: float

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Place":
        """A node from a row of exploration/candidates."""
        weight = 1.0 if row["weight"] is None else row["weight"]
        permanence = row["permanence"]
        if permanence is None:
            permanence = formulas.derived_permanence(weight)
        return cls(
            element=row["element"],
            id=row["id"],
            label=label_of(row["labels"]),
            kind=kind_of(row["labels"]),
            name=row["name"],
            content=row["content"],
            embedding=_array(row["embedding"]),
            weight=weight,
            energy=row["energy"] or 0.0,
            permanence=permanence,
        )


@dataclass(frozen=True)
class Way:
    """A link as it was scored: from one side, for one SubEntity."""

    element: str
    id: str
    type: str
    forward: bool
    pair: tuple[float | None, float | None]
    weight: float
    permanence: float
    hierarchy: float
    vector: Array | None
    own_vector: bool
    emotions: tuple[float, ...]
    score: float
    factors: Mapping[str, float]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Way":
        """A link from a row of exploration/candidates."""
        return cls(
            element=row["element"],
            id=row["id"],
            type=row["type"],
            forward=row["forward"],
            pair=(row["pair"][0], row["pair"][1]),
            weight=row["weight"],
            permanence=row["permanence"],
            hierarchy=row["hierarchy"],
            vector=_array(row["vector"]),
            own_vector=row["own"],
            emotions=tuple(0.0 if axis is None else axis for axis in row["emotions"]),
            score=row["score"],
            factors=MappingProxyType(dict(zip(FACTORS, row["factors"], strict=True))),
        )

    @property
    def reverse(self) -> float | None:
        """The polarity against the direction walked."""
        return self.pair[1] if self.forward else self.pair[0]

    @property
    def rise(self) -> float:
        """The hierarchy as it was met."""
        return formulas.effective_hierarchy(self.hierarchy, self.forward)


@dataclass(frozen=True)
class Hop:
    """One step of a path: over which link, to which node, and who walked it."""

    way: Way
    place: Place
    by: str


@dataclass(frozen=True)
class View:
    """What a SubEntity can take from where it stands, best first."""

    count: int
    truncated: bool
    shown: tuple[Mapping[str, Any], ...]
    ways: tuple[tuple[Way, Place], ...]

    @property
    def best(self) -> float:
        """The best score, 0 where there is nothing."""
        return self.ways[0][0].score if self.ways else 0.0


NO_VIEW = View(0, False, (), ())


@dataclass(frozen=True)
class SubEntity:
    """One traveller of an exploration."""

    id: str
    spawn: Place
    focus: Array
    parent: str | None = None
    siblings: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    state: State = State.SEEKING
    path: tuple[Hop, ...] = ()
    inherited: int = 0
    awareness: Pair = (0.0, 0.0)
    history: tuple[float, ...] = ()
    last_progress: float | None = None
    found: Mapping[str, float] = field(default_factory=dict)
    own_found: Mapping[str, float] = field(default_factory=dict)
    satisfaction: float = 0.0
    crystallized: str | None = None
    emotions: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    resonated: frozenset[str] = frozenset()
    absorbed: frozenset[str] = frozenset()
    no_branch: frozenset[str] = frozenset()
    coloured: bool = False
    moved: int = -1  # the tick of its last hop
    steps: int = 0
    reason: Reason | None = None
    levels: tuple[float, ...] = ()  # satisfaction at each arrival

    @property
    def position(self) -> Place:
        return self.path[-1].place if self.path else self.spawn

    @property
    def depth(self) -> int:
        return len(self.path)

    @property
    def order(self) -> tuple[int, ...]:
        """Where its turn comes: ids compared as numbers."""
        return order(self.id)

    @property
    def ended(self) -> bool:
        return self.state is State.MERGING

    @property
    def waiting(self) -> bool:
        return self.state is State.BRANCHING

    @property
    def own_path(self) -> tuple[Hop, ...]:
        """What it walked itself, after the node it was spawned from."""
        return self.path[self.inherited :]

    @property
    def links(self) -> list[Array]:
        """The vectors of the links it came by."""
        return [hop.way.vector for hop in self.path if hop.way.vector is not None]

    def injection(self, state: State) -> float:
        """The energy it leaves in this state."""
        return formulas.injection(self.satisfaction, self.depth, state)


def order(id: str) -> tuple[int, ...]:
    """A SubEntity's id as numbers: "0.10" comes after "0.9"."""
    return tuple(int(part) for part in id.split("."))


def _array(vector: list[float] | None) -> Array | None:
    return None if vector is None else np.asarray(vector, dtype=np.float64)
