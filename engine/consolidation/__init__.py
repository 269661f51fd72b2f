"""Consolidation: fresh text memories become connected ones by composite edges."""

from engine.consolidation.consolidation import Consolidation
from engine.consolidation.model import (
    Components,
    ConsolidationReport,
    Duplicate,
    Edge,
    EdgeExplanation,
    EdgeType,
    NearDuplicate,
    PossibleUpdate,
    RunReport,
    SetAside,
    Spread,
    Together,
    Verdict,
)
from engine.consolidation.scoring import composite_score

__all__ = [
    "Components",
    "Consolidation",
    "ConsolidationReport",
    "Duplicate",
    "Edge",
    "EdgeExplanation",
    "EdgeType",
    "NearDuplicate",
    "PossibleUpdate",
    "RunReport",
    "SetAside",
    "Spread",
    "Together",
    "Verdict",
    "composite_score",
]
