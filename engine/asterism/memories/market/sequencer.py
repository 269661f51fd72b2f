"""Reorders market events within 10 s, bounds them, and gives each an id that stays."""

import hashlib
from collections.abc import Iterator
from decimal import Decimal
from heapq import heappop, heappush
from typing import Any

from asterism.memories.decay_passes import SECOND
from asterism.memories.market.models import Evidence, Kind
from asterism.memories.market.price_levels import ORDER
from asterism.timestamps import from_micros

LONGEST_SYMBOL = 32
REORDER_SPAN = 10 * SECOND
EARLIEST = 946_684_800 * SECOND  # the year 2000; a time before it, or after 2100, is no time
LATEST = 4_102_444_800 * SECOND
MOST = Decimal(10) ** 15  # neither a price, a quantity nor a trade in USD is larger


class OutOfOrder(ValueError):
    """A line is much older than one above it."""


def checked_worth(usd: Decimal) -> Decimal:
    """Return what a trade is worth, or refuse more than any market ever had."""
    if usd >= MOST:
        raise ValueError(f"worth: below {MOST:g} USD, not {usd:g}")
    return usd


def advance(clock: int, at: int) -> int:
    """Return the clock moved on to a time, or as it is at a time up to 10 s before it."""
    if at < clock - REORDER_SPAN:
        behind = (clock - at) / SECOND
        raise OutOfOrder(f"time: {behind:g} s before a line above; lines go from old to new")
    return max(at, clock)


def short_symbol(symbol: str) -> str:
    """Return a symbol for an id: of a very long one, its digest."""
    if len(symbol) <= LONGEST_SYMBOL:
        return symbol
    return hashlib.sha256(symbol.encode()).hexdigest()[:LONGEST_SYMBOL]


class Sequencer:
    """Holds items until no earlier one can come, and gives each an id and a number.

    An id is made of kind, symbol and begin, so that it stays when more of a file, or less of it,
    is read. The number does not stay: earlier versions made ids of it.
    """

    def __init__(self, identity: str, former_identity: str | None = None) -> None:
        self._identity = identity
        self._former_identity = former_identity or identity
        self._heap: list[tuple[int, int, str, int, dict[str, Any]]] = []
        self._last_ids: dict[tuple[Kind, str], tuple[str, int]] = {}
        self._arrivals = 0
        self._number = 0

    def put(self, at: int, kind: Kind, **fields: Any) -> None:
        """Take an item that was complete at a time, and began at `begin` if that was earlier."""
        self._arrivals += 1
        id = self._id(kind, fields, fields.pop("begin", at), at)
        item = {"event_id": id, "ts": from_micros(at), "kind": kind} | fields
        heappush(self._heap, (at, ORDER[kind], id, self._arrivals, item))

    def release(self, before: int = LATEST) -> Iterator[Evidence]:
        """Yield the items before a time, in their order."""
        while self._heap and self._heap[0][0] < before:
            simultaneous = [heappop(self._heap)]
            while self._heap and self._heap[0][:2] == simultaneous[0][:2]:
                simultaneous.append(heappop(self._heap))
            # Earlier versions numbered what came at one instant in the order of its arrival.
            arrivals = sorted(arrival for *_, arrival, _ in simultaneous)
            former_numbers = {
                arrival: self._number + position for position, arrival in enumerate(arrivals, 1)
            }
            for *_, arrival, item in simultaneous:
                self._number += 1
                former_id = f"{self._former_identity}:{former_numbers[arrival]:012}"
                yield Evidence(sequence=self._number, former_id=former_id, **item)

    def _id(self, kind: Kind, fields: dict[str, Any], begin: int, at: int) -> str:
        """Return an id: of a run the time of the report, of others that begin at once a count."""
        if "run_id" in fields:
            return f"{self._identity}:{fields['run_id']}:{at}"
        symbol = short_symbol(fields["symbol"])
        id = f"{self._identity}:{kind}:{symbol}:{begin}"
        last_id, count = self._last_ids.get((kind, symbol), ("", 0))
        count = count + 1 if last_id == id else 1
        self._last_ids[kind, symbol] = id, count
        return id if count == 1 else f"{id}:{count}"
