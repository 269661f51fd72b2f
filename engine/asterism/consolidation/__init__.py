"""Consolidation: waiting text memories become connected ones by composite edges."""

from asterism.consolidation.consolidation import Consolidation
from asterism.consolidation.edge_score import composite_score
from asterism.consolidation.models import (
    ConsolidationReport,
    CoOccurrence,
    Duplicate,
    EdgeExplanation,
    NearDuplicate,
    PossibleUpdate,
    RunReport,
    SetAside,
    Spread,
    Verdict,
)
from asterism.memories.edges import Components, Edge, EdgeType

__all__ = [
    "CoOccurrence",
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
    "Verdict",
    "composite_score",
]
