"""What became of a plan, and how it is written down: rows for the statements of a commit."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.database import Row
from engine.exploration import formulas
from engine.exploration.colouring import Tint
from engine.exploration.gate import Verdict, between, new_id
from engine.exploration.model import short
from engine.exploration.plan import Crystal, Heat, Plan
from engine.exploration.subentity import AXES, Place

POLARITY = [0.8, 0.2]


@dataclass(frozen=True)
class Coloured:
    """A link before and after all strokes of a run."""

    id: str
    element: str
    rev: int
    stored_weight: float | None
    before: Tint
    after: Tint
    colourings: int

    @property
    def turned(self) -> float | None:
        """The cosine of its vectors before and after."""
        if self.before.vector is None or self.after.vector is None:
            return None
        return formulas.cosine(self.before.vector, self.after.vector)


@dataclass(frozen=True)
class Settled:
    """What became of a plan."""

    committed: bool = False
    verdicts: tuple[Verdict, ...] = ()
    links: tuple[Coloured, ...] = ()
    nodes: tuple[Row, ...] = ()
    dropped: int = 0
    ids: Mapping[str, tuple[str, float]] = field(default_factory=dict)

    @property
    def created(self) -> list[Verdict]:
        """The narratives that were new."""
        return [verdict for verdict in self.verdicts if verdict.created]

    @property
    def reused(self) -> list[Verdict]:
        """Those that something in the graph already stood for."""
        return [verdict for verdict in self.verdicts if not verdict.created]


def changes(run_id: str, plan: Plan, settled: Settled) -> dict[str, list[Row]]:
    """What undoing the run needs to know."""
    places = {element: heat.place for element, heat in plan.heat.items()}
    nodes = [
        {**row, "id": places[row["element"]].id, "label": places[row["element"]].label}
        for row in settled.nodes
    ]
    links = [
        {
            "id": link.id,
            "rev": link.rev,
            "weight": link.after.weight,
            "weight_before": link.stored_weight,
            "embedding_before": packed(link.before.vector),
        }
        for link in settled.links
    ]
    narratives = [
        {
            "id": verdict.id,
            "energy": verdict.crystal.energy,
            "links": [new_id(run_id, f"{verdict.crystal.by}/{end}") for end in "ab"],
        }
        for verdict in settled.created
    ]
    return {"nodes": nodes, "links": links, "narratives": narratives}


def crystal_links(run_id: str, verdict: Verdict, element: str) -> list[Row]:
    """The links of a new narrative: from the spawn, and on to the focus if that is elsewhere."""
    crystal = verdict.crystal
    first = _link_row(
        new_id(run_id, f"{crystal.by}/a"),
        (crystal.spawn.element, element),
        (crystal.hierarchy, crystal.permanence),
        crystal,
        crystal.spawn,
    )
    second = _link_row(
        new_id(run_id, f"{crystal.by}/b"),
        (element, crystal.focus.element),
        (crystal.last_hierarchy, crystal.criticality),
        crystal,
        crystal.focus,
    )
    return [first] if crystal.spawn.element == crystal.focus.element else [first, second]


def packed(vector: Any) -> str | None:
    """A stored vector as text: its 32-bit numbers, exactly."""
    if vector is None:
        return None
    return base64.b64encode(np.asarray(vector, dtype=np.float32).tobytes()).decode()


def unpacked(text: str | None) -> list[float] | None:
    """The vector that was packed."""
    if text is None:
        return None
    return [float(value) for value in np.frombuffer(base64.b64decode(text), dtype=np.float32)]


def heat_row(heat: Heat) -> Row:
    """A node and what it is given."""
    place = heat.place
    return {"element": place.element, "id": place.id, "energy": heat.energy, "weight": heat.weight}


def colour_row(link: Coloured) -> Row:
    """A vector that came out as nothing is not written: the index takes no zero vector."""
    vector = link.after.vector
    whole = vector is not None and float(np.linalg.norm(vector)) > 0
    return {
        "element": link.element,
        "weight": link.after.weight,
        "embedding": formulas.as_list(vector) if whole else None,
    }


def node_row(verdict: Verdict, model: str) -> Row:
    """A narrative to be created."""
    crystal = verdict.crystal
    properties = {
        "id": verdict.id,
        "kind": "narrative",
        "name": crystal.name,
        "caption": short(crystal.name),
        "content": crystal.content,
        "synthesis": "",
        "weight": crystal.energy,
        "energy": crystal.energy,
        "permanence": 0.5,
        "created_by": "exploration",
        "embedding_model": model,
    }
    embedding = formulas.as_list(crystal.embedding)
    return {"label": "Narrative", "properties": properties, "embedding": embedding}


def _link_row(
    id: str, ends: tuple[str, str], given: tuple[float, float], crystal: Crystal, other: Place
) -> Row:
    properties: Row = {
        "id": id,
        "polarity": POLARITY,
        "hierarchy": given[0],
        "permanence": given[1],
        "weight": 1.0,
        "energy": 0.0,
        "synthesis": "",
    }
    properties |= dict(zip(AXES, crystal.emotions, strict=True))
    vector = between(other.embedding, crystal.embedding)
    return {
        "a": ends[0],
        "b": ends[1],
        "properties": properties,
        "embedding": formulas.as_list(vector),
    }
