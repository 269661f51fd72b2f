"""What consolidation reports."""

from enum import StrEnum

from pydantic import Field

from engine.frozen import Frozen
from engine.memories.edges import Components, Edge, EdgeType
from engine.settings import ConsolidationSettings

__all__ = [
    "Components",
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
]


class Duplicate(Frozen):
    """A text that says what another one says already: archived, with a pointer to it."""

    id: str
    of: str
    cosine: float


class NearDuplicate(Frozen):
    """Two texts that nearly say the same: both are kept."""

    id: str
    other: str
    cosine: float


class PossibleUpdate(Frozen):
    """A text near an earlier one in other words: it may say what holds now."""

    id: str
    of: str
    cosine: float


class SetAside(Frozen):
    """A text of which no usable vector came out."""

    id: str
    reason: str


class Spread(Frozen):
    """How alike random pairs of this realm are, on the calibrated scale."""

    pairs: int
    p50: float
    p90: float
    p99: float


class RunReport(Frozen):
    """One run: at most two thousand memories, committed at once."""

    run: str
    promoted: int = 0
    duplicates: int = 0
    edges_created: int = 0
    existing: int = 0
    displaced: int = 0
    active_before: int = 0
    hours: float = 0.0
    path: str = "exact"
    vectors: str = ""
    certified: float | None = None
    audit_recall: float | None = None
    hours_missing: int = 0
    spread: Spread | None = None
    attempts: int = 1
    seconds: dict[str, float] = Field(default_factory=dict)


class ConsolidationReport(Frozen):
    """What became of the memories that waited."""

    runs: list[RunReport] = Field(default_factory=list)
    waiting_before: int = 0
    waiting_after: int = 0
    active_before: int = 0
    active_after: int = 0
    embedded: int = 0
    promoted: int = 0
    duplicates: list[Duplicate] = Field(default_factory=list)
    near_duplicates: list[NearDuplicate] = Field(default_factory=list)
    updates: list[PossibleUpdate] = Field(default_factory=list)
    restored: list[str] = Field(default_factory=list)
    set_aside: list[SetAside] = Field(default_factory=list)
    edges_created: int = 0
    existing: int = 0
    displaced: int = 0
    dropped: int = 0
    dry_run: bool = False
    model: str = ""
    calibration_mean: float = 0.0
    settings: ConsolidationSettings = ConsolidationSettings()
    spread: Spread | None = None
    warnings: list[str] = Field(default_factory=list)
    seconds: float = 0.0


class Verdict(StrEnum):
    """What decided about a pair."""

    EDGE = "edge"
    GUARD = "guard"
    THRESHOLD = "threshold"
    CAP = "cap"
    DUPLICATE = "duplicate"
    WAITING = "waiting"
    SET_ASIDE = "set_aside"
    NO_TEXT = "no_text"


class EdgeExplanation(Frozen):
    """Why two memories are joined, or why they are not."""

    a: str
    b: str
    verdict: Verdict
    reason: str
    edges: list[Edge] = Field(default_factory=list)
    cosine: float | None = None
    raw_cosine: float | None = None
    shared_tags: float | None = None
    same_category: bool | None = None
    hours_apart: float | None = None
    components: Components | None = None
    score: float | None = None
    needed_cosine: float | None = None
    limit: float | None = None
    run: str | None = None


class Together(Frozen):
    """What became of pairs that came up together."""

    reinforced: int = 0
    noted: int = 0
    joined: int = 0
    evicted: int = 0
