"""Settings of the stars."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from asterism.settings.section import Days, Factor, HalfLife, Hours, Section, Share

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
    """Stars and connections: S-, B- and D- name rows of docs/reference/stars.md."""

    gain_mode: Literal["seed", "single", "canonical"] = Field(
        default="seed", description="D-4: factors of a gain: all, without multiplier, impact only"
    )
    diminishing: Literal["sorted", "sequential"] = Field(
        default="sorted", description="D-7: how gains of one day rank: by size, or by arrival"
    )
    decay_while_dormant: bool = Field(
        default=True, description="D-19: sleeping connections decay on"
    )
    dormancy_anchor: Literal["engaged", "current"] = Field(
        default="engaged",
        description="D-20: state whose idle days count: at the last engagement, or now",
    )
    dark_intensity_cap: Share = Field(
        default=1.0, description="D-43: darkness a drain may count; 0.8 is the option"
    )
    hope_floor: Share = Field(
        default=0.0, description="D-43: no drain below this brightness; 0.3 is the option"
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
        description="S-8: confidence by evidence type",
    )
    stale_factor: Share = Field(default=0.7, description="S-9: gain of evidence that is not fresh")
    fresh_days: Days = Field(default=7, description="S-9: days without evidence before it")
    diminishing_factors: list[Share] = Field(
        min_length=1,
        default=[1.0, 0.6, 0.3, 0.1],
        description="S-10: first, second, third, every further gain",
    )
    daily_strength_cap: Share = Field(default=0.15, description="S-12: per connection and UTC day")
    secondary_factor: Share = Field(default=0.5, description="evidence shared by other connections")
    late_hours: Hours = Field(default=48, description="older observations are stored, not counted")
    source_hours: Hours = Field(
        default=24, description="a source counts once per connection and type in this time"
    )
    candidate_mentions: int = Field(
        ge=1, default=2, description="D-54: co-mentions that create a connection"
    )
    candidate_days: Days = Field(default=7, description="D-54: days in which they have to come")
    denial: Share = Field(
        default=0.15, description="strength lost when the user says: not connected"
    )
    recreate_days: Days = Field(
        default=7, description="days in which a connection made again gets back strength"
    )
    recreate_factor: Share = Field(default=0.5, description="share of strength that it gets back")

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
    recent_factor: Share = Field(default=0.5, description="S-14: factor on decay in these days")
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
    evidence_saturation: float = Field(
        gt=0, default=8, description="S-5, D-11: evidence for full confidence"
    )
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

    brightness_floor: Share = Field(default=0.05, description="lowest brightness of a star")
    daily_gain_cap: Share = Field(default=0.06, description="B-1: gains of a star in one day")
    star_half_life: dict[str, HalfLife] = Field(
        default={"health": 7, "relationships": 14, "wealth": 21, "purpose": 30, "soul": 90},
        description="B-2: days, by domain",
    )
    dim_decay_below: Share = Field(
        default=0.3, description="B-2: below it a star fades at half speed"
    )
    variance_weight: Share = Field(default=0.3, description="B-3: weight of the newest change")
    flickering_variance: Share = Field(
        default=0.15, description="variance above which a star is FLICKERING"
    )
    calm_variance: Share = Field(default=0.1, description="B-4: variance below which a day is calm")
    bright_from: Share = Field(default=0.7, description="brightness of a BRIGHT star")
    dim_below: Share = Field(default=0.5, description="brightness of a DIM star")
    calm_days: int = Field(ge=1, default=7, description="B-4: calm days that settle a star")
    star_dormancy: dict[str, IdleDays] = Field(
        default={"DARK": 30, "FLICKERING": 14, "BRIGHT": 60, "DIM": 30, "NASCENT": 14},
        description="idle days after which a star sleeps",
    )
    nascent_brightness: Share = Field(default=0.1, description="of a star not yet acknowledged")
    nascent_variance: Share = Field(default=0.3, description="of a star not yet acknowledged")
    acknowledged_brightness: Share = Field(default=0.3, description="acknowledgement lifts to this")
    dark_contradictions: int = Field(
        ge=1, default=3, description="contradictions that turn a star DARK"
    )
    confrontation_weight: dict[str, Share] = Field(
        default={"engagement": 0.4, "shadow_task": 0.4, "acknowledged": 0.2},
        description="B-6: weights of the ways to confront a star",
    )
    engaged_days_kept: int = Field(
        ge=1, default=30, description="length of a star's list of engaged days"
    )
    history_days: int = Field(ge=1, default=90, description="daily closes kept on a star")
    weekly_closes: int = Field(ge=1, default=53, description="weekly closes kept on a connection")

    spillover: Share = Field(default=0.15, description="S-21: share of a change")
    falling_factor: Share = Field(default=0.5, description="S-21: factor for a fall")
    spill_cap: Share = Field(default=0.10, description="S-29: per star and day, both ways")
    tension_drain: Share = Field(default=0.08, description="S-22: share of a rise")
    tension_activation: Share = Field(default=0.05, description="S-22: rise from which it drains")
    shadow_drain: Share = Field(default=0.01, description="S-26: per day")
    drain_cap: Share = Field(default=0.08, description="S-29: per star and day")
    growth_boost: Share = Field(default=0.2, description="S-25: added to the multiplier")
    block_factor: Share = Field(default=0.5, description="S-27: share of the ceiling it takes")
    block_release: Share = Field(default=0.3, description="S-28: strength below which a block ends")
    soft_cap: int = Field(
        ge=1, default=10, description="S-30: connections above which new ones form slowly"
    )
    hop_factor: Share = Field(default=0.5, description="D-46: each further hop of a cascade")
    prediction_bonus: Share = Field(default=0.05, description="S-24: strength it adds")
    integration_factor: Share = Field(
        default=0.5, description="factor on the BLOCKS of an integrated star"
    )

    correlation_days: int = Field(ge=2, default=30, description="S-18: window of days")
    correlation_points: int = Field(ge=3, default=5, description="S-18: days needed at least")
    resonance_above: float = Field(ge=-1, le=1, default=0.5, description="S-17: correlation")
    tension_below: float = Field(ge=-1, le=1, default=-0.3, description="S-17: correlation")
    causation_above: Share = Field(default=0.6, description="S-17: confidence of lags")
    causation_hours: Hours = Field(
        default=72, description="S-19: longest lag; window of a prediction"
    )
    causation_lags: int = Field(ge=1, default=3, description="S-19: lags needed at least")
    causation_saturation: float = Field(
        gt=0, default=8, description="S-19: lags for full confidence"
    )
    event_threshold: Share = Field(default=0.1, description="D-26: change that makes an event")
    engagement_above: Share = Field(default=0.6, description="S-20: share of days engaged")
    progress_below: Share = Field(default=0.05, description="S-20: rise over the window")
    activity_above: Share = Field(default=0.5, description="S-20: blocker's share of stuck days")
    blocking_confidence: Share = Field(
        default=0.7, description="S-20: confidence of a detected block"
    )
    blocking_from: Share = Field(default=0.7, description="D-34: threshold for it")
    evaluate_days: int = Field(
        ge=1, default=7, description="S-33, D-51: days between reviews of a type"
    )
    evaluate_evidence: int = Field(
        ge=1, default=3, description="S-33: new evidence that makes it due earlier"
    )
    type_lock_days: Days = Field(default=14, description="D-36: after an automatic change")

    excavation_days: int = Field(
        default=7, ge=0, description="S-34: first days of a constellation; 0: none"
    )
    excavation_gain: Factor = Field(default=1.5, description="S-34: factor on gains")
    excavation_decay: Share = Field(default=0.5, description="S-34: factor on decay")

    hypothesis_score: Share = Field(
        default=0.5, description="S-34: score that a proposed pair needs"
    )
    hypothesis_rate: float = Field(
        default=2.0, ge=1, le=10, description="S-34: more proposals, lower threshold, at first"
    )
    hypothesis_stars: int = Field(
        default=60, ge=2, le=500, description="stars engaged last, compared with each other"
    )
    hypothesis_quiet_days: Days = Field(
        default=90, description="days for which a denied pair is not proposed"
    )

    reflect: bool = Field(
        default=False,
        description="the job that closes the day also gives the evidence that texts show",
    )
    reflect_texts: int = Field(
        default=1000, ge=1, le=100_000, description="texts looked at for each name of a star"
    )

    close_max_days: int = Field(
        default=40, ge=1, description="open days that are closed at once without asking"
    )
    close_kept_from: int = Field(
        default=8, ge=2, description="catch-ups of so many days can be reopened"
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
