"""Edges between memories, and the command that draws one by hand."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from asterism.base_model import Frozen
from asterism.database import Database
from asterism.errors import InvalidInput, NotFound
from asterism.memories.corrected_ground import on_corrected
from asterism.memories.writer_queue import writer_slots

WEIGHTS = {"SUPPORTS": 0.75, "CONTRADICTS": 0.60, "ELABORATES": 0.70, "OUTCOME": 0.80}
PARTS = ("cosine", "tags", "category", "hours")


class EdgeType(StrEnum):
    """Types of edges: SIMILAR and CO_OCCURS are computed, the others are drawn by hand."""

    SIMILAR = "SIMILAR"
    CO_OCCURS = "CO_OCCURS"
    SUPPORTS = "SUPPORTS"
    CONTRADICTS = "CONTRADICTS"
    ELABORATES = "ELABORATES"
    OUTCOME = "OUTCOME"


class Components(Frozen):
    """The four parts of a weight, which add up to it.

    `cosine` is the part of how close they are: of kin, or of the calibrated cosine alone.
    """

    cosine: float
    tags: float
    category: float
    hours: float

    @property
    def total(self) -> float:
        return self.cosine + self.tags + self.category + self.hours


class Edge(Frozen):
    """One edge as seen from a memory, with `other` at its far end.

    `kin` is how much both texts stand out, with the part of it that their rare words make, and
    `shared` are words and names of both. `corrected` says of each end that was superseded that the
    edge stands on a corrected memory.
    """

    other: str
    type: EdgeType
    weight: float
    effective_weight: float
    components: Components | None = None
    kin: float | None = None
    words: float | None = None
    shared: tuple[str, ...] = ()
    start: str
    end: str
    origin: str
    edge_id: str | None = None
    reinforcement_count: int = 0
    run: str | None = None
    text: str | None = None
    corrected: tuple[str, ...] = ()


def edge_of(
    properties: Mapping[str, Any], other: str, effective: float, shared: tuple[str, ...] = ()
) -> Edge:
    """Return an edge from its properties and its weight as of a time."""
    parts = {part: properties.get(f"from_{part}") for part in PARTS}
    scored = None not in parts.values()
    return Edge(
        other=other,
        type=EdgeType(properties["type"]),
        weight=properties["weight"],
        effective_weight=effective,
        components=Components.model_validate(parts) if scored else None,
        kin=properties.get("kin"),
        words=properties.get("words"),
        shared=shared,
        start=properties["from"],
        end=properties["to"],
        origin=properties.get("origin") or "",
        edge_id=properties.get("edge_id"),
        reinforcement_count=properties.get("reinforcement_count") or 0,
        run=properties.get("run"),
        text=properties.get("text"),
        corrected=tuple(map(on_corrected, properties.get("corrected") or ())),
    )


async def connect(
    database: Database, a: str, b: str, type: str, weight: float | None, hours: float
) -> Edge:
    """Draw an edge by hand. Drawn again, it is the same edge."""
    edge_type = str(type).upper()
    if edge_type not in WEIGHTS:
        raise InvalidInput("type", type, f"give one of {', '.join(WEIGHTS)}")
    if a == b:
        raise InvalidInput("b", b, "a memory is not connected to itself: name another one")
    if weight is not None and not 0 < weight <= 1:
        raise InvalidInput("weight", weight, "give a weight above 0 and up to 1, or none")
    async with writer_slots(database):
        row = await database.row(
            "memories/connect",
            start_id=a,
            end_id=b,
            type=edge_type,
            weight=WEIGHTS[edge_type] if weight is None else weight,
            hours=hours,
        )
    if row is None:
        raise NotFound("memory", f"{a}' or '{b}", "remember both first")
    return edge_of(row["edge"], b, row["edge"]["weight"])
