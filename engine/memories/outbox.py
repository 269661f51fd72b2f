"""From what happened to evidence: in order, numbered, the same whenever a file is read again."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from heapq import heappop, heappush
from typing import Any

from engine.memories.market import BAND_BPS, ORDER, matches, ticks
from engine.memories.model import Evidence, Kind, Side, moment

SECOND = 1_000_000
LONGEST_SYMBOL = 32
VISIT = 10 * SECOND
EARLIEST = 946_684_800 * SECOND  # the year 2000: what is before it, or after 2100, is no time
LATEST = 4_102_444_800 * SECOND
MOST = Decimal(10) ** 15  # neither a price, a quantity nor a trade in USD is larger


class OutOfOrder(ValueError):
    """A line is much older than one above it."""


def worth(usd: Decimal) -> Decimal:
    """Return what a trade is worth, refused where no market ever was."""
    if usd >= MOST:
        raise ValueError(f"worth: below {MOST:g} USD, not {usd:g}")
    return usd


def in_order(at: int, clock: int) -> int:
    """The clock moved on to a time; what comes a little after a later one counts as of that."""
    if at < clock - VISIT:
        behind = (clock - at) / SECOND
        raise OutOfOrder(f"time: {behind:g} s before a line above; lines go from old to new")
    return max(at, clock)


class Outbox:
    """Holds items until no earlier one can come any more, and gives each an id.

    An id says what its item is: kind, symbol and begin, so that it stays when more of a file, or
    less of it, is read. Its number does not: earlier versions made ids of it.
    """

    def __init__(self, identity: str, former: str | None = None) -> None:
        self._identity = identity
        self._former = former or identity
        self._waiting: list[tuple[int, int, str, int, dict[str, Any]]] = []
        self._names: dict[tuple[Kind, str], tuple[str, int]] = {}
        self._put = 0
        self._number = 0

    def put(self, at: int, kind: Kind, **fields: Any) -> None:
        """Take an item; `begin` is when it began, if that was earlier."""
        self._put += 1
        name = self._name(kind, fields, fields.pop("begin", at), at)
        item = {"event_id": name, "ts": moment(at), "kind": kind} | fields
        heappush(self._waiting, (at, ORDER[kind], name, self._put, item))

    def release(self, before: int = LATEST) -> Iterator[Evidence]:
        """The items before a time, in their order."""
        while self._waiting and self._waiting[0][0] < before:
            at_once = [heappop(self._waiting)]
            while self._waiting and self._waiting[0][:2] == at_once[0][:2]:
                at_once.append(heappop(self._waiting))
            # Earlier versions numbered what came at one instant in the order of its arrival.
            arrivals = sorted(put for *_, put, _ in at_once)
            former = {put: self._number + 1 + place for place, put in enumerate(arrivals)}
            for *_, put, item in at_once:
                self._number += 1
                former_id = f"{self._former}:{former[put]:012}"
                yield Evidence(sequence=self._number, former_id=former_id, **item)

    def _name(self, kind: Kind, fields: dict[str, Any], begin: int, at: int) -> str:
        """Return an id: of a run the time of the report, of others that begin at once a count."""
        if "run_id" in fields:
            return f"{self._identity}:{fields['run_id']}:{at}"
        symbol = short(fields["symbol"])
        name = f"{self._identity}:{kind}:{symbol}:{begin}"
        last, count = self._names.get((kind, symbol), ("", 0))
        count = count + 1 if last == name else 1
        self._names[kind, symbol] = name, count
        return name if count == 1 else f"{name}:{count}"


def short(symbol: str) -> str:
    """Return a symbol for an id: of a very long one, its digest."""
    if len(symbol) <= LONGEST_SYMBOL:
        return symbol
    return hashlib.sha256(symbol.encode()).hexdigest()[:LONGEST_SYMBOL]


@dataclass
class Visit:
    """Trades near the price of the first of them."""

    price: Decimal
    first: int
    last: int
    usd: Decimal = Decimal(0)
    bought: Decimal = Decimal(0)
    side: Side = Side.ASK


@dataclass
class Visits:
    """Trades of each symbol, coalesced: one piece of evidence per visit of a price."""

    outbox: Outbox
    bps: int = BAND_BPS
    _open: dict[str, Visit] = field(default_factory=dict)

    def trade(self, at: int, symbol: str, price: Decimal, usd: Decimal, taker: Side) -> None:
        """Add a trade to the visit it belongs to, or begin another."""
        visit = self._open.get(symbol)
        if visit and not matches(ticks(price), ticks(visit.price), self.bps):
            self._close(symbol)
            visit = None
        if visit is None:
            visit = self._open[symbol] = Visit(price, at, at, side=taker)
        visit.last = at
        visit.usd += usd
        visit.bought += usd if taker is Side.ASK else 0

    def close(self, at: int = LATEST) -> None:
        """Close the visits that have lasted as long as one can."""
        over = [symbol for symbol, visit in self._open.items() if visit.first < at - VISIT]
        for symbol in over:
            self._close(symbol)

    def _close(self, symbol: str) -> None:
        visit = self._open.pop(symbol)
        sold = visit.usd - visit.bought
        side = visit.side
        if sold != visit.bought:
            side = Side.BID if sold > visit.bought else Side.ASK
        self.outbox.put(
            visit.last,
            Kind.EXECUTION,
            begin=visit.first,
            cumulative=True,
            symbol=symbol,
            price=visit.price,
            side=side,
            quantity=float(visit.usd),
            taker_buy_usd=float(visit.bought),
        )
