"""Memories: what has been observed, how strong it still is, and what it was made of."""

from engine.memories.edges import Components, Edge, EdgeType
from engine.memories.memories import Memories
from engine.memories.model import (
    Evidence,
    Forgotten,
    HistoryEntry,
    Kind,
    MarketLevel,
    Memory,
    Receipt,
    Rejected,
    Side,
    State,
)

__all__ = [
    "Components",
    "Edge",
    "EdgeType",
    "Evidence",
    "Forgotten",
    "HistoryEntry",
    "Kind",
    "MarketLevel",
    "Memories",
    "Memory",
    "Receipt",
    "Rejected",
    "Side",
    "State",
]
