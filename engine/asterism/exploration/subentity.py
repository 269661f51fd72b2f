"""A SubEntity with its path and findings, and snapshots of the nodes and links it meets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from asterism.database import Row
from asterism.exploration import formulas
from asterism.exploration.formulas import Array, Pair
from asterism.exploration.models import Kind, Reason, State, kind_of, label_of

AXES = ("joy_sadness", "trust_disgust", "fear_anger", "surprise_anticipation")


@dataclass(frozen=True)
class NodeSnapshot:
    """A node as it was first read."""

    element_id: str
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
    def from_row(cls, row: Row) -> "NodeSnapshot":
        """Return a node in the column `nodes` of exploration/candidates."""
        labels = row["labels"]
        values = {name: value for name, value in row.items() if name != "labels"}
        values |= {"label": label_of(labels), "kind": kind_of(labels)}
        return cls(**values | {"embedding": _array(row["embedding"])})


@dataclass(frozen=True)
class ScoredLink:
    """A link with its score, seen from one of its ends by one SubEntity."""

    element_id: str
    id: str
    type: str
    forward: bool
    polarity: list[float | None]
    weight: float
    permanence: float
    hierarchy: float
    vector: Array | None
    has_own_vector: bool
    emotions: list[float]
    score: float
    factors: dict[str, float]

    @classmethod
    def from_row(cls, row: Row) -> "ScoredLink":
        """Return a link in the column `best` of exploration/candidates."""
        return cls(**row | {"vector": _array(row["vector"])})

    @property
    def reverse_polarity(self) -> float | None:
        """Polarity against the direction of the walk."""
        return self.polarity[1] if self.forward else self.polarity[0]

    @property
    def effective_hierarchy(self) -> float:
        """Hierarchy in the direction of the walk."""
        return formulas.effective_hierarchy(self.hierarchy, self.forward)


@dataclass(frozen=True)
class Hop:
    """One step of a path: the link, the node it led to, and the SubEntity that took it."""

    link: ScoredLink
    node: NodeSnapshot
    subentity: str


@dataclass(frozen=True)
class Candidates:
    """The links that a SubEntity can take from its position, best first."""

    count: int
    sample: tuple[Mapping[str, Any], ...]  # the first few, for the record of the choice
    best: tuple[tuple[ScoredLink, NodeSnapshot], ...]

    @property
    def scores(self) -> list[float]:
        """Scores of the best links."""
        return [link.score for link, _ in self.best]


NO_CANDIDATES = Candidates(0, (), ())


@dataclass(frozen=True)
class SubEntity:
    """One traveller of an exploration. Frozen: every step returns a new one."""

    id: str
    spawn: NodeSnapshot
    focus: Array
    parent: str | None = None
    siblings: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    state: State = State.SEEKING
    path: tuple[Hop, ...] = ()
    inherited_hops: int = 0
    awareness: Pair = (0.0, 0.0)
    progress_history: tuple[float, ...] = ()
    last_progress: float | None = None
    findings: Mapping[str, float] = field(default_factory=dict)
    own_findings: Mapping[str, float] = field(default_factory=dict)
    satisfaction: float = 0.0
    draft_key: str | None = None
    emotions: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    resonated_ids: frozenset[str] = frozenset()
    absorbed_nodes: frozenset[str] = frozenset()
    no_branch_nodes: frozenset[str] = frozenset()
    has_coloured: bool = False
    last_hop_tick: int = -1
    steps: int = 0
    reason: Reason | None = None
    satisfaction_history: tuple[float, ...] = ()  # at each arrival

    @property
    def position(self) -> NodeSnapshot:
        return self.path[-1].node if self.path else self.spawn

    @property
    def depth(self) -> int:
        return len(self.path)

    @property
    def turn_order(self) -> tuple[int, ...]:
        """The id as numbers: "0.10" comes after "0.9"."""
        return tuple(int(part) for part in self.id.split("."))

    @property
    def has_ended(self) -> bool:
        return self.state is State.MERGING

    @property
    def waits_for_children(self) -> bool:
        return self.state is State.BRANCHING

    @property
    def own_path(self) -> tuple[Hop, ...]:
        """Hops since it was spawned."""
        return self.path[self.inherited_hops :]

    @property
    def path_vectors(self) -> list[Array]:
        """Vectors of the links on its path."""
        return [hop.link.vector for hop in self.path if hop.link.vector is not None]

    def injection(self, state: State) -> float:
        """Return the energy it adds in this state."""
        return formulas.injection(self.satisfaction, self.depth, state)


def _array(vector: list[float] | None) -> Array | None:
    return None if vector is None else np.asarray(vector, dtype=np.float64)
