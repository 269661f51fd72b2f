"""What the stars part takes and gives: states, types, and the results of its calls."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from pydantic import ConfigDict, computed_field, field_validator

from engine.clock import aware
from engine.frozen import Frozen


class StarState(StrEnum):
    """How a star is; its label in the graph is the same word, capitalised."""

    DORMANT = "DORMANT"
    DARK = "DARK"
    FLICKERING = "FLICKERING"
    BRIGHT = "BRIGHT"
    DIM = "DIM"
    NASCENT = "NASCENT"


class Domain(StrEnum):
    """Where in a life a star belongs; decides how fast it fades."""

    HEALTH = "health"
    RELATIONSHIPS = "relationships"
    WEALTH = "wealth"
    PURPOSE = "purpose"
    SOUL = "soul"


class ConnectionType(StrEnum):
    """The six ways in which two stars may bear on each other."""

    RESONANCE = "RESONANCE"
    TENSION = "TENSION"
    CAUSATION = "CAUSATION"
    GROWTH_EDGE = "GROWTH_EDGE"
    SHADOW_MIRROR = "SHADOW_MIRROR"
    BLOCKS = "BLOCKS"


class ConnectionState(StrEnum):
    """How established a connection is."""

    DORMANT = "DORMANT"
    NASCENT = "NASCENT"
    FORMING = "FORMING"
    WEAK = "WEAK"
    MODERATE = "MODERATE"
    STRONG = "STRONG"


class TypeSource(StrEnum):
    """Who says of which type a connection is."""

    USER = "USER"
    DETECTED = "DETECTED"
    DEFAULT = "DEFAULT"


class EvidenceType(StrEnum):
    """What may speak for a connection."""

    CO_MENTION_RESPONSE = "co_mention_response"
    CO_MENTION_SESSION = "co_mention_session"
    CORRELATION_DETECTED = "correlation_detected"
    USER_CONFIRMS = "user_confirms"
    USER_CREATES = "user_creates"
    TARS_CONFIRMED = "tars_confirmed"
    CAUSATION_DETECTED = "causation_detected"


class Outcome(StrEnum):
    """What became of a piece of evidence."""

    CREATED = "created"
    COUNTED = "counted"
    CAPPED = "capped"
    CANDIDATE = "candidate"
    DUPLICATE = "duplicate"
    LATE = "late"


class Confrontation(StrEnum):
    """The ways to face a dark star."""

    ENGAGEMENT = "engagement"
    SHADOW_TASK = "shadow_task"
    ACKNOWLEDGED = "acknowledged"


DIRECTED = frozenset({ConnectionType.CAUSATION, ConnectionType.GROWTH_EDGE, ConnectionType.BLOCKS})
CO_MENTIONS = frozenset({EvidenceType.CO_MENTION_RESPONSE, EvidenceType.CO_MENTION_SESSION})
COMPUTED = frozenset({EvidenceType.CORRELATION_DETECTED, EvidenceType.CAUSATION_DETECTED})


class Star(Frozen):
    """A thing a person cares about."""

    id: str
    name: str
    domain: Domain
    constellation: str
    state: StarState
    brightness: float
    variance: float
    effective_max: float
    impact_multiplier: float
    run_days: int
    contradictions: int
    confrontation: float
    created_at: datetime
    last_engaged: datetime
    note: str | None = None  # why an act changed nothing


class StarSummary(Frozen):
    """A star in a list."""

    id: str
    name: str
    domain: Domain
    constellation: str
    state: StarState
    brightness: float
    connections: int


class Connection(Frozen):
    """How one star bears on another; of a directed type, `a` acts on `b`.

    A candidate or evidence that came too late has no connection yet: state NASCENT, strength 0.
    """

    id: str
    a: str
    b: str
    type: ConnectionType
    type_source: TypeSource
    state: ConnectionState
    strength: float
    confidence: float
    evidence_count: int
    evidence_eff: float
    last_engaged: datetime
    created_at: datetime
    why: str
    outcome: Outcome | None = None
    computed_type: ConnectionType | None = None
    corr: float | None = None
    mean_lag_h: float | None = None
    dormant_reason: str | None = None


class EvidenceItem(Frozen):
    """One piece of evidence, as `evidence_many` takes it; other fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    a: str
    b: str
    type: EvidenceType
    source: str
    at: datetime | None = None
    id: str | None = None
    secondary: bool = False

    @field_validator("at", mode="before")
    @classmethod
    def _as_aware(cls, value: Any) -> Any:
        return None if value is None else aware(value)

    @field_validator("type", mode="before")
    @classmethod
    def _in_any_case(cls, value: Any) -> Any:
        return value.strip().lower() if isinstance(value, str) else value


class TypeChange(Frozen):
    """A connection that an evaluation gave another type."""

    a: str
    b: str
    before: ConnectionType
    after: ConnectionType
    rule: str


class DayReport(Frozen):
    """What a close did; zeros when the day was closed already."""

    day: date
    days: int
    stars: int
    connections: int
    went_dormant: int
    dissolved: int
    evaluated: int
    detected: int
    type_changes: list[TypeChange]
    predictions_issued: int
    predictions_verified: int
    predictions_expired: int
    seconds: float
    closed_through: date
    today: date

    @computed_field  # type: ignore[prop-decorator]  # mypy takes no decorated properties
    @property
    def warning(self) -> str:
        """What is wrong with the clock, if days are closed that have not come yet."""
        if self.closed_through <= self.today:
            return ""
        return (
            f"days are closed through {self.closed_through}, and today is {self.today}: a clock "
            "was wrong, and nothing changes until then; `asterism star reopen` may undo it"
        )
