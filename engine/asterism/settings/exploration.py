"""Settings of explorations."""

from typing import Literal

from pydantic import Field

from asterism.settings.section import Section


class ExplorationSettings(Section):
    """Limits and options of explorations, and the detail of their events."""

    mode: Literal["guided", "literal"] = Field(
        default="guided",
        description="guided starts where recall finds, literal walks by the source document",
    )
    findings: int = Field(default=10, ge=1, description="guided: hits of recall to begin with")
    starts: int = Field(default=5, ge=1, description="guided: hits from which it walks on")
    narrative_starts: int = Field(
        default=1, ge=0, description="guided: narratives of people from which it walks on"
    )
    rounds: int = Field(default=2, ge=0, description="guided: hops of each start at most")
    walk_places: int = Field(
        default=0, ge=0, description="guided: last places of the findings that a walk may take"
    )
    name_limit: int = Field(
        default=25, ge=2, description="guided: memories that may share a name that is walked"
    )
    word_limit: int = Field(
        default=20, ge=2, description="guided: memories that may share a word that is walked"
    )
    least_alignment: float = Field(
        default=0.15, ge=0, le=1, description="guided: alignment below which nothing is walked to"
    )
    least_lift: float = Field(
        default=0.03, ge=0, description="guided: lift below which no text is walked to"
    )
    join_limit: int = Field(
        default=5, ge=2, description="guided: memories that may share a name that joins two"
    )
    join_weight: float = Field(
        default=0.3, ge=0, description="guided: weight from which an edge joins two texts"
    )
    join_alignment: float = Field(
        default=0.2, ge=0, le=1, description="guided: value for the question that a join needs"
    )
    scale_sample: int = Field(
        default=150, ge=10, description="guided: earliest and latest texts that chance is taken of"
    )
    embedded_at_once: int = Field(
        default=24, ge=0, description="guided: nodes without a vector that one exploration embeds"
    )
    max_depth: int = Field(default=10, ge=1, description="hops from the start at most")
    max_children: int = Field(default=3, ge=1, description="children of one branching at most")
    timeout: float = Field(default=30.0, gt=0, description="seconds, past which nothing is written")
    min_branch_links: int = Field(default=2, ge=1, description="links a moment needs to branch")
    satisfaction_threshold: float = Field(
        default=0.8, ge=0, le=1, description="satisfaction at which a SubEntity stops"
    )
    novelty_threshold: float = Field(
        default=0.85,
        ge=0,
        le=1,
        description="cosine from which a narrative is used instead of a new one",
    )
    min_link_score: float = Field(
        default=0.1, ge=0, le=1, description="score below which no link is taken"
    )
    relative_branch_score: float = Field(
        default=0.5, ge=0, le=1, description="share of the best score that a branch needs"
    )
    max_steps: int = Field(default=1000, ge=1, description="steps of one SubEntity at most")
    max_subentities: int = Field(default=256, ge=1, description="SubEntities of one exploration")
    max_ticks: int = Field(default=64, ge=1, description="ticks of one exploration")
    max_links: int = Field(default=256, ge=1, description="links scored at one node")
    intent_weight: float = Field(
        default=0.25, ge=0, le=1, description="share of the intention in the alignment of a link"
    )
    directed: bool = Field(
        default=False, description="walk links only from their start to their end"
    )
    absorb: bool = Field(
        default=True, description="stop at content and crystallize if it fits and is new"
    )
    strict_seed: bool = Field(
        default=False, description="crystallize in spite of a perfect finding"
    )
    centered_divergence: bool = Field(
        default=False, description="compare siblings without what query and intention share"
    )
    color_scope: Literal["path", "own"] = Field(
        default="path", description="children colour the whole path, or what they walked themselves"
    )
    trace: Literal["summary", "event", "step", "trace"] = Field(
        default="event", description="detail of the events, of which trace adds vectors and times"
    )
    shown: int = Field(default=5, ge=1, description="candidates in the record of a choice")
    gate_probe: int = Field(
        default=100, ge=3, description="narratives compared before one is created"
    )
    commit_reserve: float = Field(
        default=2.0, ge=0, description="seconds kept for the commit, a quarter of the time at most"
    )
    concurrent: int = Field(default=20, ge=1, description="explorations of one graph at a time")
    event_queue: int = Field(
        default=4096,
        ge=1,
        description="events that wait for a slow reader before details are dropped",
    )
    batch: int = Field(default=1000, ge=1, description="nodes or links written per transaction")
