"""What a read asks for, and how a node's properties become a result as of a time."""

import math
from datetime import datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from engine.database import Row
from engine.errors import InvalidInput
from engine.memories import problems
from engine.memories.market import CELL
from engine.memories.model import MarketLevel, Memory, State, moment
from engine.memories.problems import MOST_TICKS, TICK_DECIMALS

HOUR_SECONDS = 3600
HIGHEST = Decimal(MOST_TICKS).scaleb(-TICK_DECIMALS)
MOST_RESULTS = 1_000_000


def check_id(argument: str, value: Any) -> None:
    """Refuse what can't be a key of the graph."""
    if not isinstance(value, str) or problems.text_problem(argument, value):
        raise InvalidInput(argument, value, "give a text of at most 1000 bytes that is not empty")


def check_limit(limit: Any) -> None:
    """Refuse what is no number of results."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST_RESULTS:
        raise InvalidInput("limit", limit, f"give a whole number from 1 to {MOST_RESULTS:,}")


def number(argument: str, value: Any, low: float, high: float) -> float:
    """Return a number between two others."""
    real = isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
    if not real or not low <= value <= high:
        raise InvalidInput(argument, value, f"give a number from {low} to {high}")
    return float(value)


def span(near: Decimal | str | None, bps: float) -> tuple[int, int]:
    """The lowest and the highest centre, in ticks, within some basis points of a price."""
    bps = number("bps", bps, 0, 10_000)
    if near is None:
        return 0, MOST_TICKS
    try:
        price = Decimal(str(near))
    except (InvalidOperation, ValueError) as error:
        raise InvalidInput("near", near, "give a price, such as '61700.5'") from error
    if not price.is_finite() or price <= 0:
        raise InvalidInput("near", near, "give a price above 0")
    if price > HIGHEST:
        raise InvalidInput("near", near, "give a price below 922,000,000")
    exact = Fraction(price) * 10**TICK_DECIMALS
    reach = Fraction(str(bps)) * exact / 10_000
    return math.ceil(exact - reach), math.floor(exact + reach)


def cell_of(price: int) -> int:
    return math.floor(math.log(max(1, price) / 10**TICK_DECIMALS) / CELL)


def memory(row: Row) -> Memory:
    return level(row) if row["memory"]["kind"] == "market" else Memory(**_common(row))


def level(row: Row) -> MarketLevel:
    return MarketLevel(**_common(row))


def _common(row: Row) -> Row:
    """A node's properties under the names of its model, as of the time that was asked for."""
    properties, strength = row["memory"], row["strength"]
    live = properties["state"] == "live"
    faded = strength < properties["archive_below"] - 1e-12
    state = State.PENDING if not live else State.ARCHIVED if faded else State.ACTIVE
    if properties.get("duplicate_of") is not None:
        state = State.ARCHIVED
    derived = {
        "state": state,
        "strength": strength,
        "importance": strength * properties["confidence"],
        "archive_at": _archive_at(properties) if state is State.ACTIVE else None,
        "archive_in_hours": _hours_left(properties, strength) if state is State.ACTIVE else None,
    }
    if properties["decay"] == "exp":
        derived["half_life_hours"] = math.log(2) / properties["rate"] / HOUR_SECONDS
    derived["lasts"] = properties.get("tier")
    return {name: value for name, value in properties.items() if value is not None} | derived


def _hours_left(properties: Row, strength: float) -> float:
    """Return the hours on its own clock after which a memory is archived if nothing happens."""
    below, rate = float(properties["archive_below"]), float(properties["rate"])
    seconds: float
    if properties["decay"] == "linear":
        seconds = (strength - below) / (properties["strength"] * rate)
    else:
        seconds = math.log(strength / below) / rate
    return max(0.0, seconds / HOUR_SECONDS)


def _archive_at(properties: Row) -> datetime | None:
    """The moment of the closed form, for what lives on the wall clock."""
    strength, below, rate = (properties[name] for name in ("strength", "archive_below", "rate"))
    if properties["clock"] != "wall" or strength <= below:
        return None
    left = 1 - below / strength if properties["decay"] == "linear" else math.log(strength / below)
    return moment(properties["anchor"] + round(left / rate * 1e6))
