"""Settings of consolidation."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from asterism.settings.section import Section

RENAMED = dict.fromkeys(
    (
        "similarity_edge_threshold",
        "edge_similarity_threshold",
        "similarity_threshold",
        "edge_threshold",
        "cosine_threshold",
    ),
    "edge_score_threshold",
)
COSINE = {"edge_score_threshold": 0.40}
PEER = {"signal": "cosine", "minimum_cosine_for_edge": 0.50, "edge_score_threshold": 0.45}
ROUNDING = 1e-9


class ConsolidationSettings(Section):
    """Rules and limits of consolidation."""

    signal: Literal["kin", "cosine"] = Field(
        default="kin",
        description="kin: how far two texts stand out in their realm, and their rare words; "
        "cosine: the calibrated cosine alone, with a threshold of 0.40",
    )
    profile: Literal["seed", "peer"] = Field(
        default="seed", description="peer: signal cosine, a guard of 0.50 and a threshold of 0.45"
    )
    minimum_cosine_for_edge: float = Field(
        default=0.30,
        ge=0,
        le=1,
        description="the guard: below it, in kin or cosine, there is no edge at all",
    )
    edge_score_threshold: float = Field(
        default=0.33, ge=0, le=1, description="an edge's least score; 0.40 by cosine"
    )
    edge_degree_cap: int = Field(default=5, ge=0, description="edges a fresh memory may propose")
    weight_cosine: float = Field(default=0.55, gt=0, le=1, description="what the texts weigh")
    weight_tags: float = Field(default=0.20, ge=0, le=1, description="what shared tags weigh")
    weight_category: float = Field(default=0.15, ge=0, le=1, description="what the category weighs")
    weight_hours: float = Field(
        default=0.10, ge=0, le=1, description="what nearness in time weighs"
    )
    temporal_sigma_hours: float = Field(
        default=8.0, gt=0, description="active hours in which nearness falls to 0.61"
    )
    cross_category_score: float = Field(
        default=0.30, ge=0, le=1, description="score of another category"
    )
    inbatch_hours: Literal["run", "stale"] = Field(
        default="run", description="stale: partners of one batch keep reading 0, as the peer has it"
    )
    near_duplicate_exact: float = Field(
        default=0.95, ge=0, description="cosine from which a text says what another says already"
    )
    near_duplicate_near: float = Field(
        default=0.90,
        ge=0,
        description="cosine from which it nearly does: it stays, and is recorded",
    )
    max_similar_degree: int | None = Field(
        default=None, ge=1, description="a ceiling for received edges too; 20 is a good one"
    )
    batch: int = Field(default=2000, ge=1, le=2000, description="memories per run")
    lease_s: float = Field(default=10.0, gt=0, description="how long a silent run keeps its claim")
    path: Literal["auto", "exact", "index"] = Field(
        default="auto", description="auto: exact while the vectors fit into memory"
    )
    matrix_mb: int = Field(default=4096, ge=1, description="memory the vectors may take, in auto")
    index_nearest: int = Field(default=50, ge=1, description="neighbours asked of the index first")
    index_deepest: int = Field(default=400, ge=1, description="and at most, before exact scoring")
    index_enumerated: int = Field(
        default=5000, ge=0, description="memories of a tag or a time looked at one by one"
    )
    audit_share: float = Field(
        default=0.01, ge=0, le=1, description="share of a run that is checked exactly"
    )
    audit_recall: float = Field(
        default=0.999,
        ge=0,
        le=1,
        description="least share of edges found, else the run is computed exactly",
    )
    accept_own: bool = Field(
        default=False,
        description="accept by itself what a speaker says has changed, above accept_confidence",
    )
    accept_confidence: float = Field(
        default=0.85, ge=0, le=1, description="least confidence of what accept_own accepts"
    )
    edge_prune_threshold: float = Field(
        default=0.10, ge=0, le=1, description="edges that have faded below it are removed"
    )
    co_occurs_sessions: int = Field(default=3, ge=1, description="sessions together before an edge")
    co_occurs_weight: float = Field(default=0.55, ge=0, le=1, description="weight of such an edge")
    co_occurs_staged: int = Field(default=1000, ge=10, description="staged pairs at a time")

    @model_validator(mode="before")
    @classmethod
    def complete(cls, values: Any) -> Any:
        """Complete the limits of a signal or profile, and refuse the old names of one of them."""
        if not isinstance(values, Mapping):
            return values
        for name in values:
            if name in RENAMED:
                raise ValueError(
                    f"{name} was a threshold of cosine alone: set {RENAMED[name]} (a score, "
                    "0.33 by default) instead"
                )
        if values.get("profile") == "peer":
            return PEER | dict(values)
        return COSINE | dict(values) if values.get("signal") == "cosine" else values

    @model_validator(mode="after")
    def require_consistent(self) -> "ConsolidationSettings":
        """Require weights that sum to one, and a near limit below the exact one."""
        total = self.weight_cosine + self.weight_tags + self.weight_category + self.weight_hours
        if abs(total - 1.0) > ROUNDING:
            raise ValueError(
                "weight_cosine + weight_tags + weight_category + weight_hours must be 1, "
                f"not {total:.12g}: change them together"
            )
        if self.near_duplicate_near > self.near_duplicate_exact:
            raise ValueError(
                f"near_duplicate_near={self.near_duplicate_near} must not exceed "
                f"near_duplicate_exact={self.near_duplicate_exact}"
            )
        return self
