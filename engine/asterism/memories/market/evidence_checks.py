"""Checks of market evidence, and what an item amounts to: interactions, and takers' USD."""

import math
from decimal import Decimal, InvalidOperation
from typing import Any

from pydantic import ValidationError

from asterism.memories.item_checks import MOST_COUNT, identity_problem, text_problem
from asterism.memories.market.models import Evidence, Kind, Side
from asterism.memories.market.price_grid import price_problem
from asterism.message_text import excerpt

MOST_AMOUNT = 1e18  # of seconds or USD: no sum of these is ever infinite
BUNDLES = (Kind.LIQUIDATION, Kind.REJECTION)  # their quantity counts interactions
KINDS, SIDES = frozenset(Kind), frozenset((Side.BID, Side.ASK))


def parse_evidence(raw: Any) -> Evidence:
    """Return an item of evidence, or raise ValueError with the first fault."""
    try:
        item = raw if isinstance(raw, Evidence) else Evidence.model_validate(raw)
    except ValidationError as error:
        raise ValueError(_first_refusal(error)) from error
    if problem := first_problem(item):
        raise ValueError(problem)
    return item


def first_problem(item: Evidence) -> str | None:
    """Return the first thing that is wrong with an item, None if it is evidence."""
    if item.kind not in KINDS:
        return f"kind: one of {', '.join(Kind)}, not {excerpt(item.kind)}"
    if item.side not in SIDES:
        return f"side: bid or ask, not {excerpt(item.side)}"
    return (
        identity_problem(item)
        or text_problem("symbol", item.symbol)
        or (text_problem("run_id", item.run_id) if item.run_id is not None else None)
        or _amount_problem(item)
        or _price_problem(item)
    )


def taker_buys(item: Evidence) -> float:
    """Return the USD of an execution that takers bought."""
    if item.taker_buy_usd is not None:
        return item.taker_buy_usd
    return item.quantity if item.side == Side.ASK else 0.0


def interactions(item: Evidence) -> int:
    """Return the number of interactions of an item: a bundle has as many as it counts."""
    return int(item.quantity) if item.kind in BUNDLES else 1


def _amount_problem(item: Evidence) -> str | None:
    for name, value in (("quantity", item.quantity), ("usd", item.usd)):
        if not math.isfinite(value) or value < 0:
            return f"{name}: a finite number from 0, not {value}"
        if value > MOST_AMOUNT:
            return f"{name}: at most {MOST_AMOUNT:g}, not {value}"
    if not 0 <= taker_buys(item) <= item.quantity:
        return f"taker_buy_usd: from 0 to the quantity, not {item.taker_buy_usd}"
    if item.kind in BUNDLES and not (item.quantity.is_integer() and item.quantity <= MOST_COUNT):
        return f"quantity: a whole count up to 2^53, not {item.quantity}"
    return None


def _price_problem(item: Evidence) -> str | None:
    try:
        return price_problem(Decimal(item.price))
    except InvalidOperation:
        return f"price: a decimal number, not {excerpt(item.price)}"


def _first_refusal(error: ValidationError) -> str:
    """Return the first field that the model refused, and the reason."""
    try:
        [first, *_] = error.errors(include_url=False, include_context=False, include_input=False)
    except ValueError:  # Python refuses to print a number of more than 4,300 digits
        return "item: a number of too many digits"
    name = excerpt(first["loc"][0]).strip("'") if first["loc"] else "item"
    return f"{name}: {first['msg'].removeprefix('Value error, ')}"
