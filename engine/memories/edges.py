"""Edges between memories: what they look like, and those that people draw themselves."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from engine.database import Database
from engine.errors import InvalidInput, NotFound
from engine.frozen import Frozen
from engine.memories.queue import writers

WEIGHTS = {"SUPPORTS": 0.75, "CONTRADICTS": 0.60, "ELABORATES": 0.70, "OUTCOME": 0.80}
PARTS = ("cosine", "tags", "category", "hours")


class EdgeType(StrEnum):
    """SIMILAR and CO_OCCURS come by themselves, the others from people."""

    SIMILAR = "SIMILAR"
    CO_OCCURS = "CO_OCCURS"
    SUPPORTS = "SUPPORTS"
    CONTRADICTS = "CONTRADICTS"
    ELABORATES = "ELABORATES"
    OUTCOME = "OUTCOME"


class Components(Frozen):
    """What each of the four parts adds to a weight: together they are the weight."""

    cosine: float
    tags: float
    category: float
    hours: float

    @property
    def total(self) -> float:
        return self.cosine + self.tags + self.category + self.hours


class Edge(Frozen):
    """One edge, seen from a memory: `other` is at its far end."""

    other: str
    type: EdgeType
    weight: float
    effective_weight: float
    components: Components | None = None
    start: str
    end: str
    origin: str
    edge_id: str | None = None
    reinforcement_count: int = 0
    run: str | None = None
    text: str | None = None


def edge_of(properties: Mapping[str, Any], other: str, effective: float) -> Edge:
    """An edge from what the database says of it."""
    parts = {part: properties.get(f"from_{part}") for part in PARTS}
    scored = None not in parts.values()
    return Edge(
        other=other,
        type=EdgeType(properties["type"]),
        weight=properties["weight"],
        effective_weight=effective,
        components=Components.model_validate(parts) if scored else None,
        start=properties["from"],
        end=properties["to"],
        origin=properties.get("origin") or "",
        edge_id=properties.get("edge_id"),
        reinforcement_count=properties.get("reinforcement_count") or 0,
        run=properties.get("run"),
        text=properties.get("text"),
    )


async def connect(
    database: Database, a: str, b: str, type: str, weight: float | None, hours: float
) -> Edge:
    """Write down that one memory bears on another; again, it is the same edge."""
    chosen = str(type).upper()
    if chosen not in WEIGHTS:
        raise InvalidInput("type", type, f"give one of {', '.join(WEIGHTS)}")
    if a == b:
        raise InvalidInput("b", b, "a memory is not connected to itself: name another one")
    if weight is not None and not 0 < weight <= 1:
        raise InvalidInput("weight", weight, "give a weight above 0 and up to 1, or none")
    chosen_weight = WEIGHTS[chosen] if weight is None else weight
    ends = {"from": a, "to": b}
    async with writers(database):
        row = await database.row(
            "memories/connect", **ends, type=chosen, weight=chosen_weight, hours=hours
        )
    if row is None:
        raise NotFound("memory", f"{a}' or '{b}", "remember both first")
    return edge_of(row["edge"], b, row["edge"]["weight"])
