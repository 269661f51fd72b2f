"""Results of the queries about stars."""

from datetime import datetime
from enum import StrEnum
from typing import Literal, NamedTuple

from asterism.base_model import Frozen
from asterism.row_types import row_of
from asterism.stars.models import Connection, ConnectionState, ConnectionType, EvidenceType


class PredictionStatus(StrEnum):
    """Status of a prediction."""

    OPEN = "OPEN"
    VERIFIED = "VERIFIED"
    EXPIRED = "EXPIRED"


class Origin(Frozen):
    """Memory or recorded intent that evidence was drawn from, with its words."""

    kind: Literal["memory", "intent"]
    id: str
    session: str | None
    line: int | None
    at: datetime | None
    text: str

    def __str__(self) -> str:
        day = f"{self.at:%Y-%m-%d}" if self.at else f"{self.session} line {self.line}"
        return f"{day}: {' '.join(self.text.split())}"


@row_of("stars/why")
class EvidenceRecord(Frozen):
    """One recorded piece of evidence, with its gain and its rank among those of its day."""

    id: str
    type: EvidenceType
    source: str
    observed_at: datetime
    recorded_at: datetime
    day: int
    counted: bool
    fresh: bool
    raw_gain: float
    applied_gain: float
    capped: bool
    rank: int | None
    origins: list[Origin]


@row_of("stars/history")
class Change(Frozen):
    """A change of state or type, with the rule that made it."""

    at: datetime
    day: int
    field: str
    before: str
    after: str
    strength: float
    rule: str


@row_of("stars/past_connections")
class PastConnection(Frozen):
    """A connection that ended."""

    type: ConnectionType
    strength: float
    state: ConnectionState
    evidence_count: int
    created_at: datetime
    archived_at: datetime
    reason: str


class Why(Frozen):
    """Evidence and changes that explain a connection, or its end."""

    connection: Connection | None
    evidence: list[EvidenceRecord]
    changes: list[Change]


class History(Frozen):
    """Changes and weekly strengths of a connection, and the earlier connections of its pair."""

    changes: list[Change]
    weekly: list[float]
    past: list[PastConnection]


class Fading(Frozen):
    """Days until a connection sleeps, and until it falls a band, if nothing happens."""

    a: str
    b: str
    type: ConnectionType
    state: ConnectionState
    strength: float
    sleeps_in: int
    falls_in: int | None


@row_of("stars/blockers")
class Blocker(Frozen):
    """A block of a star: its ceiling, and the strength below which it ends."""

    blocker: str
    name: str
    state: ConnectionState
    strength: float
    active: bool
    ceiling: float
    lifts_below: float
    bright_possible: bool


@row_of("stars/influences")
class Influence(Frozen):
    """Effect of a neighbour on a star at its last close, before the daily caps."""

    star: str
    name: str
    type: ConnectionType
    strength: float
    spill: float
    drain: float


@row_of("stars/predictions")
class Prediction(Frozen):
    """Prediction that an event of the cause is followed by one of the effect."""

    id: str
    cause: str
    effect: str
    sign: int
    status: str
    confidence: float
    issued_at: datetime
    expected_at: datetime
    expires_at: datetime


@row_of("stars/hit_rates")
class HitRate(Frozen):
    """Share of right predictions of a causal connection, None before the first is settled."""

    cause: str
    effect: str
    verified: int
    expired: int
    open: int
    hit_rate: float | None


@row_of("stars/what_if")
class Ripple(Frozen):
    """Effect that a change of one star would have on another, along one path."""

    star: str
    name: str
    hop: int
    type: ConnectionType
    effect: float
    path: list[str]


@row_of("stars/loops")
class Loop(Frozen):
    """A cycle of directed connections."""

    stars: list[str]
    types: list[ConnectionType]
    strength: float


@row_of("stars/connection_counts")
class ConnectionCount(NamedTuple):
    """Row of stars/connection_counts."""

    type: str
    state: str
    connections: int


@row_of("stars/overview", besides=["by_type", "by_state"])
class Overview(Frozen):
    """Figures about all stars of a realm."""

    stars: int
    connections: int
    density: float
    bright_share: float
    dark_share: float
    isolated: list[str]
    crowded: list[str]
    by_type: dict[str, int]
    by_state: dict[str, int]


@row_of("stars/verify")
class Offence(Frozen):
    """Violation of a rule that must always hold."""

    rule: str
    id: str
    value: float | None
