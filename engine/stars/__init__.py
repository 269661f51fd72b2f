"""Stars: what a person cares about, and how those things bear on each other."""

from engine.stars.model import (
    Connection,
    ConnectionState,
    ConnectionType,
    DayReport,
    Domain,
    EvidenceItem,
    EvidenceType,
    Outcome,
    Star,
    StarState,
    TypeChange,
)
from engine.stars.stars import Stars

__all__ = [
    "Connection",
    "ConnectionState",
    "ConnectionType",
    "DayReport",
    "Domain",
    "EvidenceItem",
    "EvidenceType",
    "Outcome",
    "Star",
    "StarState",
    "Stars",
    "TypeChange",
]
