"""What the questions about stars are answered with."""

from datetime import datetime

from engine.frozen import Frozen
from engine.stars.model import (
    Connection,
    ConnectionState,
    ConnectionType,
    EvidenceType,
)


class EvidenceRecord(Frozen):
    """One piece of evidence, and what became of it."""

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


class Change(Frozen):
    """A change of state or type, and the rule behind it."""

    at: datetime
    day: int
    field: str
    before: str
    after: str
    strength: float
    rule: str


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
    """Why two stars are connected, or are not any more."""

    connection: Connection | None
    evidence: list[EvidenceRecord]
    changes: list[Change]


class History(Frozen):
    """How a connection went: its changes, its weekly strengths, what it was before."""

    changes: list[Change]
    weekly: list[float]
    past: list[PastConnection]


class Fading(Frozen):
    """A connection, and the days it has left if nothing happens."""

    a: str
    b: str
    type: ConnectionType
    state: ConnectionState
    strength: float
    sleeps_in: int
    falls_in: int | None


class Blocker(Frozen):
    """Who blocks a star, and what would lift it."""

    blocker: str
    name: str
    state: ConnectionState
    strength: float
    active: bool
    ceiling: float
    lifts_below: float
    bright_possible: bool


class Influence(Frozen):
    """What a neighbour did to a star at its last close, before the caps."""

    star: str
    name: str
    type: ConnectionType
    strength: float
    spill: float
    drain: float


class Prediction(Frozen):
    """What a cause's event said about its effect."""

    id: str
    cause: str
    effect: str
    sign: int
    status: str
    confidence: float
    issued_at: datetime
    expected_at: datetime
    expires_at: datetime


class HitRate(Frozen):
    """How often a causal link predicted right; none: nothing is settled yet."""

    cause: str
    effect: str
    verified: int
    expired: int
    open: int
    hit_rate: float | None


class Ripple(Frozen):
    """What a change would do to another star, along one path."""

    star: str
    name: str
    hop: int
    type: ConnectionType
    effect: float
    path: list[str]


class Loop(Frozen):
    """A circle of directed connections."""

    stars: list[str]
    types: list[ConnectionType]
    strength: float


class Overview(Frozen):
    """A realm's stars in figures."""

    stars: int
    connections: int
    density: float
    bright_share: float
    dark_share: float
    isolated: list[str]
    crowded: list[str]
    by_type: dict[str, int]
    by_state: dict[str, int]


class Offence(Frozen):
    """Something that breaks a rule which must always hold."""

    rule: str
    id: str
    value: float | None
