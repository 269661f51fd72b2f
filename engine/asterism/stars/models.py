"""Types that the stars part takes and gives: states, types, evidence, stars and connections."""

from collections.abc import Iterable
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from pydantic import ConfigDict, computed_field, field_validator

from asterism.base_model import Frozen
from asterism.clock import aware
from asterism.html_tables import fields_table
from asterism.row_types import row_of


class StarState(StrEnum):
    """State of a star, which is also its second label, capitalised."""

    DORMANT = "DORMANT"
    DARK = "DARK"
    FLICKERING = "FLICKERING"
    BRIGHT = "BRIGHT"
    DIM = "DIM"
    NASCENT = "NASCENT"


class Domain(StrEnum):
    """Domain of life of a star, which sets its half-life."""

    HEALTH = "health"
    RELATIONSHIPS = "relationships"
    WEALTH = "wealth"
    PURPOSE = "purpose"
    SOUL = "soul"


class ConnectionType(StrEnum):
    """Type of a connection, which sets its half-life and its effect."""

    RESONANCE = "RESONANCE"
    TENSION = "TENSION"
    CAUSATION = "CAUSATION"
    GROWTH_EDGE = "GROWTH_EDGE"
    SHADOW_MIRROR = "SHADOW_MIRROR"
    BLOCKS = "BLOCKS"


class ConnectionState(StrEnum):
    """State of a connection, from its strength, its evidence and its idle days."""

    DORMANT = "DORMANT"
    NASCENT = "NASCENT"
    FORMING = "FORMING"
    WEAK = "WEAK"
    MODERATE = "MODERATE"
    STRONG = "STRONG"


class TypeSource(StrEnum):
    """Origin of a connection's type: the user, a detector, or the default."""

    USER = "USER"
    DETECTED = "DETECTED"
    DEFAULT = "DEFAULT"


class EvidenceType(StrEnum):
    """Type of evidence for a connection."""

    CO_MENTION_RESPONSE = "co_mention_response"
    CO_MENTION_SESSION = "co_mention_session"
    CORRELATION_DETECTED = "correlation_detected"
    USER_CONFIRMS = "user_confirms"
    USER_CREATES = "user_creates"
    TARS_CONFIRMED = "tars_confirmed"
    CAUSATION_DETECTED = "causation_detected"


class Outcome(StrEnum):
    """Result of applying a piece of evidence."""

    CREATED = "created"
    COUNTED = "counted"
    CAPPED = "capped"
    CANDIDATE = "candidate"
    DUPLICATE = "duplicate"
    LATE = "late"


class Confrontation(StrEnum):
    """Ways to confront a DARK star."""

    ENGAGEMENT = "engagement"
    SHADOW_TASK = "shadow_task"
    ACKNOWLEDGED = "acknowledged"


DIRECTED = frozenset({ConnectionType.CAUSATION, ConnectionType.GROWTH_EDGE, ConnectionType.BLOCKS})
CO_MENTIONS = frozenset({EvidenceType.CO_MENTION_RESPONSE, EvidenceType.CO_MENTION_SESSION})
COMPUTED = frozenset({EvidenceType.CORRELATION_DETECTED, EvidenceType.CAUSATION_DETECTED})

Pair = tuple[str, str]  # the ids of two stars, the lower one first


def pair_key(pair: Pair) -> str:
    """Return the key under which the graph stores what belongs to a pair."""
    return "|".join(pair)


def pair_of(key: str) -> Pair:
    """Return the pair of a key."""
    lower, _, upper = key.partition("|")
    return lower, upper


def stars_of(pairs: Iterable[Pair]) -> set[str]:
    """Return the stars of some pairs."""
    return {star for pair in pairs for star in pair}


@row_of("stars/get", besides=["note"])
class Star(Frozen):
    """Something a person cares about, with its brightness and state."""

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
    aliases: tuple[str, ...] = ()  # other names, by which texts mention it
    description: str = ""
    note: str | None = None  # says why a command changed nothing

    def _repr_html_(self) -> str:
        return fields_table(f"star {self.id}", dict(self))


@row_of("stars/list")
class StarSummary(Frozen):
    """A star as `list` returns it."""

    id: str
    name: str
    domain: Domain
    constellation: str
    state: StarState
    brightness: float
    connections: int


@row_of("stars/connection", "stars/connections", besides=["why", "outcome"])
class Connection(Frozen):
    """A connection of two stars, where `a` acts on `b` if its type is directed.

    For a candidate or late evidence there is none yet: then the state is NASCENT, the strength 0.
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
    """One piece of evidence for a connection of `a` and `b`, which refuses unknown fields.

    `memory` and `intent` are the ids of what it was drawn from, one or several.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    a: str
    b: str
    type: EvidenceType
    source: str
    at: datetime | None = None
    id: str | None = None
    secondary: bool = False
    memory: tuple[str, ...] = ()
    intent: tuple[str, ...] = ()

    @property
    def pair(self) -> Pair:
        """The two stars, the lower id first."""
        return (self.a, self.b) if self.a < self.b else (self.b, self.a)

    @property
    def engages(self) -> bool:
        """True if it engages its stars once it counts: evidence of people does."""
        return self.type not in COMPUTED

    @field_validator("memory", "intent", mode="before")
    @classmethod
    def _as_ids(cls, value: Any) -> Any:
        ids = [value] if isinstance(value, str) else value or ()
        if not all(isinstance(id, str) and id for id in ids):
            raise ValueError("give an id, or a list of ids")
        return tuple(dict.fromkeys(ids))

    @field_validator("at", mode="before")
    @classmethod
    def _as_aware(cls, value: Any) -> Any:
        return None if value is None else aware(value)

    @field_validator("type", mode="before")
    @classmethod
    def _in_any_case(cls, value: Any) -> Any:
        return value.strip().lower() if isinstance(value, str) else value


class TypeChange(Frozen):
    """A change of a connection's type, with the rule that made it."""

    a: str
    b: str
    before: ConnectionType
    after: ConnectionType
    rule: str


class DayReport(Frozen):
    """Counts of a daily close, all zero when the day was closed already."""

    day: date
    days: int = 0
    stars: int = 0
    connections: int = 0
    went_dormant: int = 0
    dissolved: int = 0
    evaluated: int = 0
    detected: int = 0
    type_changes: list[TypeChange]
    predictions_issued: int = 0
    predictions_verified: int = 0
    predictions_expired: int = 0
    seconds: float
    closed_through: date
    today: date

    @computed_field  # type: ignore[prop-decorator]  # mypy takes no decorated properties
    @property
    def warning(self) -> str:
        """Warning about a wrong clock, if days are closed that have not come yet."""
        if self.closed_through <= self.today:
            return ""
        return (
            f"days are closed through {self.closed_through}, and today is {self.today}: a clock "
            "was wrong, and nothing changes until then; `asterism star reopen` may undo it"
        )
