"""Stars: what a person cares about, and their connections."""

from asterism.stars.models import (
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
from asterism.stars.stars import Stars

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
