"""Types of market evidence and of the price levels that it makes."""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from pydantic import Field, StrictBool, field_validator

from asterism.base_model import Frozen
from asterism.memories.models import Memory

LONGEST_INT = 1000  # bits: no whole number of evidence has more


class Kind(StrEnum):
    """Kinds of market evidence, in the order in which those of one instant are applied."""

    PERSISTENCE = "persistence"
    EXECUTION = "execution"
    LIQUIDATION = "liquidation"
    REJECTION = "rejection"


class Side(StrEnum):
    """Sides of the order book, and `both` for a level that has evidence of either."""

    BID = "bid"
    ASK = "ask"
    BOTH = "both"


class Evidence(Frozen):
    """One observation at a price. A wrong one is rejected in the Receipt, not raised.

    `quantity` is seconds, USD, count or visits by kind. `usd` is a liquidation's notional. An
    execution at side ask is a taker buy, or, of many trades together, as much of it as
    `taker_buy_usd` says. A `sequence` from the source itself identifies the item as well as its id
    does: up to the highest one of earlier calls, it is a duplicate.
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
    def _keep_digits(cls, value: Any) -> Any:
        if isinstance(value, int) and value.bit_length() > LONGEST_INT:
            raise ValueError("a number of too many digits")
        return str(value) if isinstance(value, (int, float)) else value

    @field_validator("quantity", "usd", "taker_buy_usd", mode="before")
    @classmethod
    def _require_number(cls, value: Any) -> Any:
        """Refuse text, true and false, which pydantic would convert to numbers."""
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
    def _require_whole_number(cls, value: Any) -> Any:
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise ValueError("a whole number, neither text nor true or false")
        if value is not None and value.bit_length() > LONGEST_INT:
            raise ValueError("a whole number from 0 to 2^53")
        return value

    @field_validator("ts", mode="before")
    @classmethod
    def _refuse_bare_number(cls, value: Any) -> Any:
        """Refuse a number as a time: its unit would be a guess."""
        number = isinstance(value, (int, float, Decimal))
        if number or (isinstance(value, str) and value.strip().replace(".", "", 1).isdigit()):
            raise ValueError("a time as ISO 8601 text or an aware datetime, not a number")
        return value


class MarketLevel(Memory):
    """A remembered price of a symbol."""

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
