"""Who attempted what, and what came of it: causal links from transcripts, without chunks.

`extract` is pure; `graph.causality` records what it finds.
"""

from engine.causality.events import map_events
from engine.causality.extract import extract
from engine.causality.extraction import Extraction
from engine.causality.masks import EligibilityMask
from engine.causality.model import (
    Candidate,
    CausalLink,
    ClaimReason,
    ConsequenceType,
    EventLink,
    ExcludedLine,
    IntentTrace,
    Metrics,
    Quantiles,
    Share,
    Unclaimed,
)
from engine.causality.reports import (
    CausalReport,
    Chain,
    ChainStep,
    Forgotten,
    Replaced,
    SessionSummary,
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
    "CausalReport",
    "Chain",
    "ChainStep",
    "ClaimReason",
    "ConsequenceType",
    "EligibilityMask",
    "Event",
    "EventLink",
    "ExcludedLine",
    "Extraction",
    "Forgotten",
    "GivenIntent",
    "IntentTrace",
    "IntentType",
    "Line",
    "Mask",
    "Metrics",
    "Player",
    "Quantiles",
    "Reason",
    "Replaced",
    "SessionSummary",
    "Share",
    "Strength",
    "Transcript",
    "Unclaimed",
    "extract",
    "map_events",
]
