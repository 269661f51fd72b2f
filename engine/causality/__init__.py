"""Who attempted what, and what came of it: causal links from transcripts, without chunks.

`extract` is pure; `graph.causality` records what it finds.
"""

from engine.causality.extract import extract
from engine.causality.extraction import Extraction
from engine.causality.model import (
    Candidate,
    CausalLink,
    ClaimReason,
    ConsequenceType,
    EventLink,
    IntentTrace,
    Metrics,
)
from engine.causality.transcript import (
    Event,
    GivenIntent,
    IntentType,
    Line,
    Mask,
    Player,
    Reason,
    Strength,
    Transcript,
)
from engine.settings import CausalParams

__all__ = [
    "Candidate",
    "CausalLink",
    "CausalParams",
    "ClaimReason",
    "ConsequenceType",
    "Event",
    "EventLink",
    "Extraction",
    "GivenIntent",
    "IntentTrace",
    "IntentType",
    "Line",
    "Mask",
    "Metrics",
    "Player",
    "Reason",
    "Strength",
    "Transcript",
    "extract",
]
