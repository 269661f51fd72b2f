"""Causality: intents and their consequences, extracted from transcripts without chunks.

`extract` is pure, and `graph.causality` records its results.
"""

from asterism.causality.event_ownership import link_events
from asterism.causality.extraction import Extraction
from asterism.causality.kernel import extract
from asterism.causality.models import (
    Candidate,
    CausalAnswer,
    CausalLink,
    Chain,
    ChainStep,
    ClaimReason,
    Forgotten,
    IntentTrace,
    Metrics,
    Quantiles,
    RememberedLines,
    Replaced,
    SessionSummary,
    Share,
    Unclaimed,
)
from asterism.causality.recording import CausalReport
from asterism.causality.transcripts.masks import EligibilityMask
from asterism.causality.transcripts.models import (
    ConsequenceType,
    Event,
    ExcludedLine,
    GivenIntent,
    IntentType,
    Line,
    Mask,
    Player,
    Reason,
    Strength,
    Transcript,
)
from asterism.settings import CausalParams

__all__ = [
    "Candidate",
    "CausalAnswer",
    "CausalLink",
    "CausalParams",
    "CausalReport",
    "Chain",
    "ChainStep",
    "ClaimReason",
    "ConsequenceType",
    "EligibilityMask",
    "Event",
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
    "RememberedLines",
    "Replaced",
    "SessionSummary",
    "Share",
    "Strength",
    "Transcript",
    "Unclaimed",
    "extract",
    "link_events",
]
