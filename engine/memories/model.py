"""What goes into the memories and what comes out."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any

from pydantic import Field, StrictBool, field_validator

from engine.frozen import Frozen

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
LONGEST_INT = 1000  # bits: no whole number of evidence has more


def micros(at: datetime) -> int:
    """A time as whole microseconds since 1970, exactly."""
    return (at - EPOCH) // MICROSECOND


def moment(value: int) -> datetime:
    """The time that many microseconds after 1970."""
    return EPOCH + timedelta(microseconds=value)


class Kind(StrEnum):
    """What happened at a price; the order is that of items at one instant."""

    PERSISTENCE = "persistence"
    EXECUTION = "execution"
    LIQUIDATION = "liquidation"
    REJECTION = "rejection"


class Side(StrEnum):
    """Which side of the book; `both` once a level has seen either."""

    BID = "bid"
    ASK = "ask"
    BOTH = "both"


class State(StrEnum):
    """A memory below its threshold is pending; archived follows from time alone."""

    PENDING = "pending"
    ACTIVE = "active"
    ARCHIVED = "archived"


class Evidence(Frozen):
    """One observation at a price. Anything wrong with it is said in the Receipt, not raised.

    `quantity` is seconds, USD, count or visits by kind; `usd` is a liquidation's notional; an
    execution at side ask is a taker buy, or, of many trades together, as much of it as
    `taker_buy_usd` says. A `sequence` that the source numbers itself tells what is known as well
    as the id does: what is not above the highest one of earlier calls is a duplicate.
    """

    event_id: str
    ts: datetime
    symbol: str
    price: Decimal | str
    kind: str
    side: str
    quantity: float
    usd: float = 0.0
    taker_buy_usd: float | None = None
    run_id: str | None = None
    run_ended: StrictBool = False
    sequence: int | None = None
    cumulative: StrictBool = False
    former_id: str | None = Field(default=None, exclude=True)
    counted: tuple[float, float] | None = Field(default=None, exclude=True)

    @field_validator("price", mode="before")
    @classmethod
    def _number_as_written(cls, value: Any) -> Any:
        if isinstance(value, int) and value.bit_length() > LONGEST_INT:
            raise ValueError("a number of too many digits")
        return str(value) if isinstance(value, (int, float)) else value

    @field_validator("quantity", "usd", "taker_buy_usd", mode="before")
    @classmethod
    def _amount(cls, value: Any) -> Any:
        """Refuse what a lax conversion would take for a number: text, true and false."""
        if value is None or type(value) is float:
            return value
        if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
            raise ValueError("a number, neither text nor true or false")
        try:
            return float(value)
        except OverflowError as error:
            raise ValueError("a number of too many digits") from error

    @field_validator("sequence", mode="before")
    @classmethod
    def _whole(cls, value: Any) -> Any:
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise ValueError("a whole number, neither text nor true or false")
        if value is not None and value.bit_length() > LONGEST_INT:
            raise ValueError("a whole number from 0 to 2^53")
        return value

    @field_validator("ts", mode="before")
    @classmethod
    def _no_number(cls, value: Any) -> Any:
        """Refuse a bare number: its unit would be a guess."""
        number = isinstance(value, (int, float, Decimal))
        if number or (isinstance(value, str) and value.strip().replace(".", "", 1).isdigit()):
            raise ValueError("a time as ISO 8601 text or an aware datetime, not a number")
        return value


class Rejected(Frozen):
    """An item that was refused: which one of the call, and why."""

    index: int
    event_id: str
    reason: str


class Changed(Frozen):
    """An item whose id is known with other content: nothing was written, and what differs."""

    event_id: str
    reason: str


class Receipt(Frozen):
    """What became of every item of a call: received = accepted + duplicate + changed + rejected."""

    accepted: int = 0
    duplicate: int = 0
    tagged: int = 0  # memories that were there and have more tags now
    late: int = 0
    rejected: list[Rejected] = Field(default_factory=list)
    changed: list[Changed] = Field(default_factory=list)

    @property
    def received(self) -> int:
        return self.accepted + self.duplicate + len(self.changed) + len(self.rejected)


class Memory(Frozen):
    """A memory as of a time: `strength` is what is left of it then.

    If it is not used again, it is archived after `archive_in_hours`. These are active hours for a
    text, unless it lives on the wall clock, and hours on the wall clock for a price level. The date
    is known on the wall clock only: `archive_at`.
    """

    id: str
    kind: str
    state: State
    strength: float
    confidence: float
    importance: float
    interaction_count: int
    resurrection_count: int
    first_seen: datetime
    last_interaction: datetime
    archive_at: datetime | None = None
    archive_in_hours: float | None = None
    text: str | None = None
    tags: tuple[str, ...] = ()
    category: str | None = None
    actor: str | None = None
    session: str | None = None
    speaker: str | None = None
    about: str | None = None
    tier: str | None = None
    lasts: str | None = None
    half_life_hours: float | None = None
    used_at: datetime | None = None
    waiting: bool = False
    set_aside: str | None = None
    duplicate_of: str | None = None
    near_duplicates: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()  # what this may be an update of
    updated_by: tuple[str, ...] = ()
    learned_at_hours: float | None = None
    last_reinforced_hours: float | None = None


class MarketLevel(Memory):
    """A price that was remembered."""

    symbol: str
    center: Decimal
    side: Side
    dormant: bool
    creation_reason: Kind | None = None
    created_at: datetime | None = None
    persistence_count: int = 0
    persistence_seconds: float = 0.0
    execution_count: int = 0
    volume_usd: float = 0.0
    taker_buy_usd: float = 0.0
    taker_sell_usd: float = 0.0
    largest_event_usd: float = 0.0
    liquidation_count: int = 0
    liquidation_usd: float = 0.0
    visit_count: int = 0
    late_count: int = 0


class HistoryEntry(Frozen):
    """One piece of evidence, and how strong the memory was right after it."""

    at: datetime
    kind: str
    quantity: float
    strength: float
    effect: str
    source: str


class Forgotten(Frozen):
    """What went with a memory, and what a second look afterwards still saw of it.

    `ties` joined it to names, words and its session; `names` and `terms` are those that no other
    text has; `repeats` said the same and stand for themselves again.
    """

    id: str
    memories: int
    evidence: int
    relationships: dict[str, int]
    ties: dict[str, int] = Field(default_factory=dict)
    names: int = 0
    terms: int = 0
    notes: int = 0
    cursors: int = 0
    vectors: int = 0
    repeats: tuple[str, ...] = ()
    checked: bool = False
    left: dict[str, int] = Field(default_factory=dict)
