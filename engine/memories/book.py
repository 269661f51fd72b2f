"""What an order book and a price's path tell: levels that stay, and prices that turn back."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from heapq import heappop, heappush

from engine.memories.market import BAND_BPS, CELL, matches, ticks
from engine.memories.model import Kind, Side
from engine.memories.outbox import SECOND, Outbox, short
from engine.settings import MemoriesSettings

REPORT = 10 * SECOND
ZONE_REPORT = 60 * SECOND
DOUBT = 0.01  # a notional this near an edge is worked out exactly

Level = tuple[float, float, str, str]  # price and quantity, and both as they were written


@dataclass(slots=True)
class Run:
    """A level that rests at one side and tick, or a zone in which small levels do."""

    id: str
    symbol: str
    side: Side
    price: str
    start: int
    every: int = REPORT
    ended: bool = False


@dataclass(slots=True)
class Zone:
    """A cell of one side, of 5 basis points, in which small levels rest."""

    run: Run
    levels: int = 0


@dataclass
class Book:
    """What rests on one side of a symbol: large levels by price, small ones with their cell."""

    large: dict[float, Run] = field(default_factory=dict)
    small: dict[float, int] = field(default_factory=dict)
    zones: dict[int, Zone] = field(default_factory=dict)


@dataclass
class Runs:
    """Levels that rest, reported every so often and at their end, for as long as they are there.

    No level is too small, and thousands of small ones don't flood the memories, which could not
    tell them apart either: those of a cell are one zone, that rests as long as any of them does
    and is reported each minute and at its end.
    """

    outbox: Outbox
    contract_usd: Decimal | None = None
    settings: MemoriesSettings = field(default_factory=MemoriesSettings)
    _books: dict[tuple[str, Side], Book] = field(default_factory=dict)
    _due: list[tuple[int, int, Run]] = field(default_factory=list)
    _count: int = 0

    def change(self, at: int, symbol: str, side: Side, levels: Iterable[Level]) -> None:
        """Levels have other quantities now."""
        book = self._books.setdefault((symbol, side), Book())
        fixed = None if self.contract_usd is None else float(self.contract_usd)
        large, minimum = self.settings.book_large_usd, self.settings.book_minimum_usd
        for level in levels:
            price, quantity, *_ = level
            roughly = quantity * (price if fixed is None else fixed)
            usd: float | Decimal = roughly
            if -DOUBT < roughly - large < DOUBT or -DOUBT < roughly - minimum < DOUBT:
                usd = self._exactly(level)
            if usd >= max(large, minimum):
                if price not in book.large:
                    book.large[price] = self._begin(at, symbol, side, level[2])
                self._leave(at, book, price)
                continue
            if price in book.large:
                self._end(book.large.pop(price), at)
            if usd < minimum or not quantity:
                self._leave(at, book, price)
            elif price not in book.small:
                self._enter(at, symbol, side, level)

    def replace(self, at: int, symbol: str, side: Side, levels: list[Level]) -> None:
        """All of one side from the best price to the last of these: what is missing has gone."""
        there = {price for price, *_ in levels}
        low, high = min(there, default=0.0), max(there, default=0.0)
        reach = (low, float("inf")) if side is Side.BID else (0.0, high)
        book = self._books.setdefault((symbol, side), Book())
        for price in [*book.large, *book.small]:
            if price not in there and reach[0] <= price <= reach[1]:
                if price in book.large:
                    self._end(book.large.pop(price), at)
                self._leave(at, book, price)
        self.change(at, symbol, side, levels)

    def report(self, before: int) -> None:
        """Report what has been there for another span."""
        while self._due and self._due[0][0] < before:
            due, _, run = heappop(self._due)
            if not run.ended:
                self._put(run, due, ended=False)
                self._await(run, due + run.every)

    def end(self, at: int, symbol: str | None = None) -> None:
        """Nothing is known any more of a symbol's levels, or of any."""
        for (name, side), book in self._books.items():
            if symbol in (None, name):
                for run in [*book.large.values(), *(zone.run for zone in book.zones.values())]:
                    self._end(run, at)
                self._books[name, side] = Book()

    def _enter(self, at: int, symbol: str, side: Side, level: Level) -> None:
        """A small level begins to rest."""
        book, price = self._books[symbol, side], level[0]
        place = math.floor(math.log(price) / CELL)
        if place not in book.zones:
            book.zones[place] = Zone(self._begin(at, symbol, side, level[2], zone=True))
        book.zones[place].levels += 1
        book.small[price] = place

    def _leave(self, at: int, book: Book, price: float) -> None:
        """A small level, if there is one at this price, rests no more."""
        place = book.small.pop(price, None)
        if place is None:
            return
        zone = book.zones[place]
        zone.levels -= 1
        if not zone.levels:
            self._end(book.zones.pop(place).run, at)

    def _begin(self, at: int, symbol: str, side: Side, price: str, *, zone: bool = False) -> Run:
        name = f"{short(symbol)}:{side}{':zone' if zone else ''}:{price}:{at}"
        run = Run(name, symbol, side, price, at, ZONE_REPORT if zone else REPORT)
        self._await(run, at + run.every)
        return run

    def _await(self, run: Run, due: int) -> None:
        self._count += 1
        heappush(self._due, (due, self._count, run))

    def _end(self, run: Run, at: int) -> None:
        run.ended = True
        if at > run.start:
            self._put(run, at, ended=True)

    def _put(self, run: Run, at: int, *, ended: bool) -> None:
        self.outbox.put(
            at,
            Kind.PERSISTENCE,
            symbol=run.symbol,
            price=run.price,
            side=run.side,
            quantity=(at - run.start) / SECOND,
            run_id=run.id,
            run_ended=ended,
        )

    def _exactly(self, level: Level) -> Decimal:
        *_, price, quantity = level
        return Decimal(quantity) * (self.contract_usd or Decimal(price))


@dataclass
class Swing:
    """A price on its way: where it turned last, and the furthest it came since."""

    low: Decimal
    high: Decimal
    rising: bool | None = None


@dataclass
class Turns:
    """Prices that entered the band of a level and turned back by a band on the side they came from.

    The level is the furthest price of the move. A move that began within its band entered nothing.
    """

    outbox: Outbox
    bps: int = BAND_BPS
    _swings: dict[str, Swing] = field(default_factory=dict)

    def price(self, at: int, symbol: str, price: Decimal) -> None:
        """The price is now this."""
        swing = self._swings.setdefault(symbol, Swing(price, price))
        if swing.rising is None:
            swing.low, swing.high = min(swing.low, price), max(swing.high, price)
            origin = swing.low if price == swing.high else swing.high
            if price in (swing.low, swing.high) and not matches(
                ticks(origin), ticks(price), self.bps
            ):
                swing.rising = price == swing.high
        elif swing.rising and price > swing.high:
            swing.high = price
        elif not swing.rising and price < swing.low:
            swing.low = price
        elif _apart(swing.high if swing.rising else swing.low, price, self.bps):
            self._turn(at, symbol, swing, price)

    def _turn(self, at: int, symbol: str, swing: Swing, price: Decimal) -> None:
        level, origin, side = swing.high, swing.low, Side.ASK
        if not swing.rising:
            level, origin, side = swing.low, swing.high, Side.BID
        if not matches(ticks(origin), ticks(level), self.bps):
            self.outbox.put(at, Kind.REJECTION, symbol=symbol, price=level, side=side, quantity=1.0)
        if swing.rising:
            swing.low = price
        else:
            swing.high = price
        swing.rising = not swing.rising


def _apart(level: Decimal, price: Decimal, bps: int) -> bool:
    center = ticks(level)
    return abs(ticks(price) - center) * 10_000 >= bps * center
