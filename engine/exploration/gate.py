"""The gate: which planned narratives are new enough to be created."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.exploration import formulas
from engine.exploration.formulas import Array, Vector
from engine.exploration.plan import Crystal

SLACK = 1e-6  # stored vectors have 32 bits: what is as near as the threshold is near enough


@dataclass(frozen=True)
class Narrative:
    """A narrative that a new one is compared with."""

    id: str
    name: str
    content: str
    embedding: Vector | None


@dataclass(frozen=True)
class Verdict:
    """What became of a planned narrative."""

    crystal: Crystal
    id: str  # its own, or that of the narrative used instead
    created: bool
    similarity: float  # to the nearest there was; 0 if there was none
    nearest: Narrative | None

    @property
    def worth(self) -> float:
        """What it counts for among the findings."""
        return 1.0 if self.created else self.similarity

    @property
    def narrative(self) -> Narrative:
        """What stands in the graph for it."""
        if not self.created and self.nearest is not None:
            return self.nearest
        crystal = self.crystal
        return Narrative(self.id, crystal.name, crystal.content, crystal.embedding)


def judge(
    run_id: str,
    crystals: Sequence[Crystal],
    existing: Mapping[str, Sequence[Narrative]],
    threshold: float,
    zero: float = 0.0,
) -> list[Verdict]:
    """Decide one after the other: what is created stands in the way of the next."""
    verdicts: list[Verdict] = []
    for crystal in crystals:
        made = [verdict.narrative for verdict in verdicts if verdict.created]
        verdicts.append(
            _one(run_id, crystal, [*existing.get(crystal.key, ()), *made], threshold, zero)
        )
    return verdicts


def new_id(run_id: str, part: str) -> str:
    """The same run gives the same ids, however often its commit is tried."""
    return str(uuid.uuid5(uuid.uuid5(uuid.NAMESPACE_OID, run_id), part))


def between(a: Array | None, b: Array | None) -> Array | None:
    """The vector of a link between two nodes: of length 1, in the middle."""
    ends = [vector for vector in (a, b) if vector is not None]
    if not ends:
        return None
    middle = formulas.unit(ends[0] + ends[-1])
    return middle if middle.any() else None


def _one(
    run_id: str, crystal: Crystal, known: Sequence[Narrative], threshold: float, zero: float
) -> Verdict:
    likes = [
        (round(formulas.likeness(crystal.embedding, narrative.embedding, zero), 7), narrative)
        for narrative in known
    ]
    likes.sort(key=lambda pair: (-pair[0], pair[1].id))
    similarity, nearest = likes[0] if likes else (None, None)
    created = formulas.creates(similarity, threshold - SLACK)
    id = new_id(run_id, crystal.by) if created or nearest is None else nearest.id
    return Verdict(crystal, id, created, similarity or 0.0, nearest)
