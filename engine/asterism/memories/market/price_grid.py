"""Prices as ticks and cells, and the band within which one belongs to a level."""

import math
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from asterism.errors import InvalidInput
from asterism.message_text import excerpt

TICK_DECIMALS = 10
MOST_TICKS = 2**63 - 1
LOWEST = Decimal(1).scaleb(-TICK_DECIMALS)
HIGHEST = Decimal(MOST_TICKS).scaleb(-TICK_DECIMALS)
BAND_BPS = 5
CELL = -math.log(1 - 0.0005) * (1 + 1e-9)  # of 5 basis points, whatever the band: it is stored


def price_problem(price: Decimal) -> str | None:
    """Return the fault of a price: not above 0, or no whole number of ticks that 64 bits hold."""
    if not price.is_finite() or price <= 0:
        return f"price: a number above 0, not {excerpt(price)}"
    if LOWEST <= price <= HIGHEST and Decimal(ticks(price)).scaleb(-TICK_DECIMALS) == price:
        return None
    return f"price: at most {TICK_DECIMALS} decimals and below 922,000,000, not {excerpt(price)}"


def ticks(price: Decimal) -> int:
    """Return a price as a whole number of ticks."""
    return int(price.scaleb(TICK_DECIMALS))


def cell(price: float | Decimal) -> int:
    """Return the log-price cell that a price lies in: floor(ln(price) / CELL)."""
    return math.floor(math.log(float(price)) / CELL)


def cell_of_ticks(price: int) -> int:
    return cell(max(1, price) / 10**TICK_DECIMALS)


def matches(price: int, center: int, bps: int = BAND_BPS) -> bool:
    """Return whether a price lies within so many basis points of a centre, exactly, in ticks."""
    return abs(price - center) * 10_000 <= bps * center


def price_range(price: Decimal | str | None, bps: float) -> tuple[int, int]:
    """Return the lowest and the highest centre, in ticks, within some basis points of a price."""
    if price is None:
        return 0, MOST_TICKS
    try:
        center = Decimal(str(price))
    except (InvalidOperation, ValueError) as error:
        raise InvalidInput("near", price, "give a price, such as '61700.5'") from error
    if not center.is_finite() or center <= 0:
        raise InvalidInput("near", price, "give a price above 0")
    if center > HIGHEST:
        raise InvalidInput("near", price, "give a price below 922,000,000")
    exact = Fraction(center) * 10**TICK_DECIMALS
    reach = Fraction(str(bps)) * exact / 10_000
    return math.ceil(exact - reach), math.floor(exact + reach)
