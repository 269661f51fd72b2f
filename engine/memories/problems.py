"""What can be wrong with an item of evidence, in words for its Receipt."""

import math
from decimal import Decimal, InvalidOperation

from engine.memories.model import Evidence, Kind, Side

TICK_DECIMALS = 10
MOST_TICKS = 2**63 - 1


def found(item: Evidence) -> str | None:
    """The first thing that is wrong with an item; None if it is evidence."""
    if item.ts.tzinfo is None:
        return "ts: give an aware datetime"
    if item.kind not in set(Kind):
        return f"kind: one of {', '.join(Kind)}, not {item.kind!r}"
    if item.side not in (Side.BID, Side.ASK):
        return f"side: bid or ask, not {item.side!r}"
    return _amount_problem(item) or _price_problem(item)


def _amount_problem(item: Evidence) -> str | None:
    for name, value in (("quantity", item.quantity), ("usd", item.usd)):
        if not math.isfinite(value) or value < 0:
            return f"{name}: a finite number from 0, not {value}"
    if not 0 <= bought(item) <= item.quantity:
        return f"taker_buy_usd: from 0 to the quantity, not {item.taker_buy_usd}"
    counted = item.kind in (Kind.LIQUIDATION, Kind.REJECTION)
    if counted and item.quantity != int(item.quantity):
        return f"quantity: a whole count, not {item.quantity}"
    if not item.symbol or not item.event_id:
        return "symbol and event_id: must not be empty"
    return None


def _price_problem(item: Evidence) -> str | None:
    try:
        price = Decimal(item.price)
    except InvalidOperation:
        return f"price: a decimal number, not {item.price!r}"
    if not price.is_finite() or price <= 0:
        return f"price: a number above 0, not {item.price}"
    scaled = price.scaleb(TICK_DECIMALS)
    if scaled != int(scaled) or scaled > MOST_TICKS:
        return f"price: at most {TICK_DECIMALS} decimals and below 922,000,000, not {item.price}"
    return None


def bought(item: Evidence) -> float:
    """How much of an execution was bought by its taker."""
    if item.taker_buy_usd is not None:
        return item.taker_buy_usd
    return item.quantity if item.side == Side.ASK else 0.0
