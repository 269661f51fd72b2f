"""Checks of an item of evidence: the reason why one is refused, for its Receipt."""

import math
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from engine.memories.model import EPOCH, Evidence, Kind, Side

TICK_DECIMALS = 10
MOST_TICKS = 2**63 - 1
MOST_BYTES = 1000  # of an id, a symbol, a run or a source: an index takes no more
MOST_COUNT = 2**53  # doubles count exactly up to here
MOST_AMOUNT = 1e18  # of seconds or USD: no sum of these is ever infinite
MOST_SHOWN = 60
COUNTED = (Kind.LIQUIDATION, Kind.REJECTION)
KINDS, SIDES = frozenset(Kind), frozenset((Side.BID, Side.ASK))


def found(item: Evidence) -> str | None:
    """Return the first thing that is wrong with an item, None if it is evidence."""
    if item.kind not in KINDS:
        return f"kind: one of {', '.join(Kind)}, not {shown(item.kind)}"
    if item.side not in SIDES:
        return f"side: bid or ask, not {shown(item.side)}"
    return (
        identity_problem(item)
        or text_problem("symbol", item.symbol)
        or (text_problem("run_id", item.run_id) if item.run_id is not None else None)
        or _amount_problem(item)
        or _price_problem(item)
    )


def identity_problem(item: Any) -> str | None:
    """Check what items of every kind have: event id, time and sequence."""
    if item.ts.tzinfo is None:
        return "ts: give an aware datetime"
    if item.ts < EPOCH or not _in_utc(item.ts):
        return f"ts: a time from 1970 to 9999, not {item.ts}"
    if item.sequence is not None and not 0 <= item.sequence <= MOST_COUNT:
        return f"sequence: a whole number from 0 to 2^53, not {shown(item.sequence)}"
    return text_problem("event_id", item.event_id)


def text_problem(name: str, text: str) -> str | None:
    """Check a text that becomes part of a key: not empty, whole characters, not too long."""
    if not text.strip():
        return f"{name}: must not be empty"
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        return f"{name}: it holds half a character, {shown(text)}: decode it anew"
    if size > MOST_BYTES:
        return f"{name}: at most {MOST_BYTES} bytes, not {size}"
    return None


def price_problem(price: Decimal) -> str | None:
    """Check a price: above 0, and a whole number of ticks that 64 bits hold."""
    if not price.is_finite() or price <= 0:
        return f"price: a number above 0, not {shown(price)}"
    text = f"price: at most {TICK_DECIMALS} decimals and below 922,000,000, not {shown(price)}"
    if not Decimal(1).scaleb(-TICK_DECIMALS) <= price <= Decimal(MOST_TICKS).scaleb(-TICK_DECIMALS):
        return text
    whole = int(price.scaleb(TICK_DECIMALS))
    return None if Decimal(whole).scaleb(-TICK_DECIMALS) == price else text


def bought(item: Evidence) -> float:
    """Return how much of an execution was bought by its taker."""
    if item.taker_buy_usd is not None:
        return item.taker_buy_usd
    return item.quantity if item.side == Side.ASK else 0.0


def shown(value: object) -> str:
    """Return a value for a message: printable, and not too long."""
    text = str(value) if isinstance(value, (Decimal, float)) else ascii_repr(value)
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."


def ascii_repr(value: object) -> str:
    """Return the representation of a value; of a long text, of its beginning."""
    if isinstance(value, int) and not -(MOST_COUNT**2) < value < MOST_COUNT**2:
        return "a number of many digits"  # Python refuses to print one of more than 4,300
    return repr(value[: MOST_SHOWN + 1] if isinstance(value, str) else value)


def json_problem(error: BaseException) -> str:
    """Return why a line is no JSON that can be read, with nothing about Python in it."""
    if "integer string conversion" in str(error):
        return "a number of more than 4,300 digits"
    return str(error) or type(error).__name__


def printable(text: str) -> str:
    """Return a text that every output can take, shortened: half characters become marks."""
    whole = text[:MOST_BYTES].encode("utf-8", "replace").decode()
    return whole if len(text) <= MOST_BYTES else whole + "..."


def _in_utc(at: datetime) -> bool:
    try:
        return at.astimezone(UTC) is not None
    except OverflowError:
        return False


def _amount_problem(item: Evidence) -> str | None:
    for name, value in (("quantity", item.quantity), ("usd", item.usd)):
        if not math.isfinite(value) or value < 0:
            return f"{name}: a finite number from 0, not {value}"
        if value > MOST_AMOUNT:
            return f"{name}: at most {MOST_AMOUNT:g}, not {value}"
    if not 0 <= bought(item) <= item.quantity:
        return f"taker_buy_usd: from 0 to the quantity, not {item.taker_buy_usd}"
    if item.kind in COUNTED and not (item.quantity.is_integer() and item.quantity <= MOST_COUNT):
        return f"quantity: a whole count up to 2^53, not {item.quantity}"
    return None


def _price_problem(item: Evidence) -> str | None:
    try:
        price = Decimal(item.price)
    except InvalidOperation:
        return f"price: a decimal number, not {shown(item.price)}"
    return price_problem(price)
