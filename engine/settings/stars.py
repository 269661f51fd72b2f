"""Settings of the stars."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from engine.settings.section import Days, Factor, HalfLife, Hours, Section, Share

Count = Annotated[float, Field(ge=0, le=1000)]
IdleDays = Annotated[int, Field(ge=1, le=36_500)]

BANDS = ("STRONG", "MODERATE", "WEAK", "FORMING")
ORDERED = (
    ("dim_below", "bright_from"),
    ("calm_variance", "flickering_variance"),
    ("evidence_full_days", "evidence_half_days"),
    ("tension_below", "resonance_above"),
    ("correlation_days", "history_days"),
)


class StarsSettings(Section):
    """Stars and connections; S-, B- and D- name the formulas and decisions of docs/stars.md."""

    gain_mode: Literal["seed", "single", "canonical"] = Field(
        default="seed", description="D-4: impact x multiplier x confidence; no multiplier; impact"
    )
    diminishing: Literal["sorted", "sequential"] = Field(
        default="sorted", description="D-7: how gains of one day rank: by size, or by arrival"
    )
    decay_while_dormant: bool = Field(default=True, description="D-19")
    dormancy_anchor: Literal["engaged", "current"] = Field(
        default="engaged",
        description="D-20: whose threshold counts: the state at the last "
        "engagement, or the state of now",
    )
    dark_intensity_cap: float = Field(
        default=1.0, ge=0, le=1, description="D-43: darkness a drain may count; 0.8 is the option"
    )
    hope_floor: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="D-43: no drain below this brightness; 0.3 is the option",
    )
    connections_per_star: int | None = Field(
        default=None, ge=1, description="D-49: hard limit; 10 is the option"
    )
    connections_per_constellation: int | None = Field(
        default=None, ge=1, description="D-49: hard limit; 150 is the option"
    )
    half_rate_above: int | None = Field(
        default=None,
        ge=1,
        description="D-49: in a constellation of more connections evidence counts half; 100",
    )
    cascade_hops: int = Field(
        default=1,
        ge=1,
        le=3,
        description="D-46: how far a change spills in a close; 3 is the option",
    )

    evidence_impact: dict[str, Share] = Field(
        default={
            "co_mention_response": 0.05,
            "co_mention_session": 0.08,
            "correlation_detected": 0.10,
            "user_confirms": 0.20,
            "user_creates": 0.25,
            "tars_confirmed": 0.15,
            "causation_detected": 0.12,
        },
        description="S-8: base impact by evidence type",
    )
    evidence_multiplier: dict[str, Factor] = Field(
        default={
            "co_mention_response": 0.5,
            "co_mention_session": 0.8,
            "correlation_detected": 1.0,
            "user_confirms": 2.0,
            "user_creates": 2.5,
            "tars_confirmed": 1.5,
            "causation_detected": 1.2,
        },
        description="S-8: type multiplier",
    )
    evidence_confidence: dict[str, Share] = Field(
        default={
            "co_mention_response": 0.3,
            "co_mention_session": 0.4,
            "correlation_detected": 0.5,
            "user_confirms": 0.9,
            "user_creates": 1.0,
            "tars_confirmed": 0.7,
            "causation_detected": 0.6,
        },
        description="S-8: how far evidence of a type is believed",
    )
    stale_factor: Share = Field(default=0.7, description="S-9: gain of evidence that is not fresh")
    fresh_days: Days = Field(default=7, description="S-9: days without evidence that make it fresh")
    diminishing_factors: list[Share] = Field(
        min_length=1,
        default=[1.0, 0.6, 0.3, 0.1],
        description="S-10: first, second, third, every further gain",
    )
    daily_strength_cap: Share = Field(default=0.15, description="S-12: per connection and UTC day")
    secondary_factor: Share = Field(default=0.5, description="evidence shared by other connections")
    late_hours: Hours = Field(default=48, description="older observations are kept, not counted")
    source_hours: Hours = Field(
        default=24, description="one source counts once a connection in this"
    )
    candidate_mentions: int = Field(
        ge=1, default=2, description="D-54: co-mentions that make a connection"
    )
    candidate_days: Days = Field(default=7, description="D-54: within which they have to fall")
    denial: Share = Field(
        default=0.15, description="strength lost when the user says: not connected"
    )
    recreate_days: Days = Field(
        default=7, description="after a deletion, old strength partly returns"
    )
    recreate_factor: Share = Field(default=0.5, description="that part")

    strength_floor: Share = Field(default=0.05, description="S-15: decay ends here")
    half_life: dict[str, HalfLife] = Field(
        default={
            "RESONANCE": 30,
            "TENSION": 21,
            "CAUSATION": 14,
            "GROWTH_EDGE": 45,
            "SHADOW_MIRROR": 60,
            "BLOCKS": 21,
        },
        description="S-13: days, by connection type",
    )
    recent_days: Days = Field(default=7, description="S-14: days for which decay is slowed")
    recent_factor: Share = Field(default=0.5, description="S-14: by this")
    band_strength: dict[str, Share] = Field(
        default={"STRONG": 0.8, "MODERATE": 0.6, "WEAK": 0.4, "FORMING": 0.2},
        description="S-6: strength from which a state is possible",
    )
    band_evidence: dict[str, Count] = Field(
        default={"STRONG": 8, "MODERATE": 5, "WEAK": 3, "FORMING": 2},
        description="S-6: effective evidence that it needs as well",
    )
    dormancy: dict[str, IdleDays] = Field(
        default={"NASCENT": 7, "FORMING": 14, "WEAK": 30, "MODERATE": 45, "STRONG": 60},
        description="S-7: idle days after which a connection sleeps",
    )
    evidence_full_days: Days = Field(default=30, description="S-4: evidence counts in full")
    evidence_half_days: Days = Field(default=60, description="S-4: evidence counts half")
    evidence_cap: float = Field(gt=0, default=15, description="S-4: effective evidence at most")
    evidence_saturation: float = Field(gt=0, default=8, description="S-5, D-11")
    base_confidence: dict[str, Share] = Field(
        default={
            "RESONANCE": 0.5,
            "TENSION": 0.5,
            "CAUSATION": 0.6,
            "GROWTH_EDGE": 0.6,
            "SHADOW_MIRROR": 0.5,
            "BLOCKS": 0.7,
        },
        description="D-10: by detected type",
    )
    user_confidence: Share = Field(default=0.8, description="D-10: of a type the user assigned")
    default_confidence: Share = Field(default=0.3, description="D-10: of a type for lack of data")

    brightness_floor: Share = Field(default=0.05, description="no star is darker")
    daily_gain_cap: Share = Field(default=0.06, description="B-1: gains of a star in one day")
    star_half_life: dict[str, HalfLife] = Field(
        default={"health": 7, "relationships": 14, "wealth": 21, "purpose": 30, "soul": 90},
        description="B-2: days, by domain",
    )
    dim_decay_below: Share = Field(
        default=0.3, description="B-2: below it a star fades at half speed"
    )
    variance_weight: Share = Field(default=0.3, description="B-3: weight of the newest change")
    flickering_variance: Share = Field(default=0.15, description="above it a star flickers")
    calm_variance: Share = Field(default=0.1, description="B-4: below it a day is calm")
    bright_from: Share = Field(default=0.7, description="brightness of a BRIGHT star")
    dim_below: Share = Field(default=0.5, description="brightness of a DIM star")
    calm_days: int = Field(ge=1, default=7, description="B-4: calm days that settle a star")
    star_dormancy: dict[str, IdleDays] = Field(
        default={"DARK": 30, "FLICKERING": 14, "BRIGHT": 60, "DIM": 30, "NASCENT": 14},
        description="idle days after which a star sleeps",
    )
    nascent_brightness: Share = Field(default=0.1, description="of a star not yet acknowledged")
    nascent_variance: Share = Field(default=0.3, description="the same")
    acknowledged_brightness: Share = Field(default=0.3, description="acknowledgement lifts to this")
    dark_contradictions: int = Field(ge=1, default=3, description="as many turn a star DARK")
    confrontation_weight: dict[str, Share] = Field(
        default={"engagement": 0.4, "shadow_task": 0.4, "acknowledged": 0.2}, description="B-6"
    )
    engaged_days_kept: int = Field(
        ge=1, default=30, description="length of a star's list of engaged days"
    )
    history_days: int = Field(ge=1, default=90, description="daily closes kept on a star")
    weekly_closes: int = Field(ge=1, default=53, description="weekly closes kept on a connection")

    spillover: Share = Field(default=0.15, description="S-21")
    falling_factor: Share = Field(default=0.5, description="S-21: falling pulls less")
    spill_cap: Share = Field(default=0.10, description="S-29: per star and day, both ways")
    tension_drain: Share = Field(default=0.08, description="S-22")
    tension_activation: Share = Field(default=0.05, description="S-22: smaller gains drain nobody")
    shadow_drain: Share = Field(default=0.01, description="S-26")
    drain_cap: Share = Field(default=0.08, description="S-29: per star and day")
    growth_boost: Share = Field(default=0.2, description="S-25")
    block_factor: Share = Field(default=0.5, description="S-27")
    block_release: Share = Field(default=0.3, description="S-28: a weaker block lets go")
    soft_cap: int = Field(ge=1, default=10, description="S-30: more connections form more slowly")
    hop_factor: Share = Field(default=0.5, description="D-46: each further hop of a cascade")
    prediction_bonus: Share = Field(default=0.05, description="S-24")
    integration_factor: Share = Field(
        default=0.5, description="what BLOCKS keep when a star is integrated"
    )

    correlation_days: int = Field(ge=2, default=30, description="S-18: window of days")
    correlation_points: int = Field(ge=3, default=5, description="S-18: at least as many")
    resonance_above: float = Field(ge=-1, le=1, default=0.5, description="S-17")
    tension_below: float = Field(ge=-1, le=1, default=-0.3, description="S-17")
    causation_above: Share = Field(default=0.6, description="S-17")
    causation_hours: Hours = Field(
        default=72, description="S-19: longest lag; window of a prediction"
    )
    causation_lags: int = Field(ge=1, default=3, description="S-19: fewer say nothing")
    causation_saturation: float = Field(gt=0, default=8, description="S-19")
    event_threshold: Share = Field(default=0.1, description="D-26: change that makes an event")
    engagement_above: Share = Field(default=0.6, description="S-20: share of days engaged")
    progress_below: Share = Field(default=0.05, description="S-20: rise over the window")
    activity_above: Share = Field(default=0.5, description="S-20: blocker's share of stuck days")
    blocking_confidence: Share = Field(
        default=0.7, description="S-20: what a detected block is worth"
    )
    blocking_from: Share = Field(default=0.7, description="D-34: threshold for it")
    evaluate_days: int = Field(ge=1, default=7, description="S-33, D-51: types are looked at again")
    evaluate_evidence: int = Field(
        ge=1, default=3, description="S-33: or after as much new evidence"
    )
    type_lock_days: Days = Field(default=14, description="D-36: after an automatic change")

    excavation_days: int = Field(
        default=7, ge=0, description="S-34: first days of a constellation; 0: none"
    )
    excavation_gain: Factor = Field(default=1.5, description="S-34")
    excavation_decay: Share = Field(default=0.5, description="S-34")

    hypothesis_score: Share = Field(
        default=0.5, description="S-34: what a proposed pair needs at least"
    )
    hypothesis_rate: float = Field(
        default=2.0, ge=1, le=10, description="S-34: more proposals, lower threshold, at first"
    )
    hypothesis_stars: int = Field(
        default=60, ge=2, le=500, description="stars engaged last, compared with each other"
    )
    hypothesis_quiet_days: Days = Field(
        default=90, description="for which a denied pair is not proposed"
    )

    close_max_days: int = Field(
        default=40, ge=1, description="open days that are closed at once without asking"
    )
    close_kept_from: int = Field(
        default=8, ge=2, description="as many days closed at once can be reopened"
    )

    archive_days: Days = Field(default=60, description="D-23: sleeping newcomers may be archived")
    close_rows: int = Field(default=500, ge=1, description="stars per transaction of the close")
    close_buckets: int = Field(
        default=8, ge=1, description="buckets of stars whose connections decay in one transaction"
    )
    close_threads: int = Field(default=2, ge=1, description="transactions of the close at a time")
    evaluation_rows: int = Field(default=5000, ge=1, description="pairs per evaluation of types")

    @model_validator(mode="after")
    def in_order(self) -> "StarsSettings":
        """Refuse thresholds that contradict each other."""
        bands = [self.band_strength[name] for name in BANDS]
        if bands != sorted(bands, reverse=True):
            raise ValueError(f"band_strength must fall from {' to '.join(BANDS)}, not {bands}")
        for low, high in ORDERED:
            if getattr(self, low) > getattr(self, high):
                raise ValueError(
                    f"{low}={getattr(self, low)} must not exceed {high}={getattr(self, high)}"
                )
        return self
