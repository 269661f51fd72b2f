"""What an order book and a price's path tell: levels that stay, and prices that turn back."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from heapq import heappop, heappush

from engine.memories.market import BAND_BPS, matches, ticks
from engine.memories.model import Kind, Side
from engine.memories.outbox import SECOND, Outbox, short

LARGE_USD = 250_000
REPORT = 10 * SECOND
DOUBT = 0.01  # a notional this near the edge is worked out exactly

Level = tuple[float, float, str, str]  # price and quantity, and both as they were written


@dataclass(slots=True)
class Run:
    """A level that rests at one side and tick, large enough."""

    id: str
    symbol: str
    side: Side
    price: str
    start: int
    ended: bool = False


@dataclass
class Runs:
    """Levels whose resting notional stays large: reported every so often, and at their end.

    Only what runs is kept, never the book.
    """

    outbox: Outbox
    contract_usd: Decimal | None = None
    _running: dict[tuple[str, Side], dict[float, Run]] = field(default_factory=dict)
    _due: list[tuple[int, int, Run]] = field(default_factory=list)
    _count: int = 0

    def change(self, at: int, symbol: str, side: Side, levels: Iterable[Level]) -> None:
        """Levels have other quantities now."""
        running = self._running.setdefault((symbol, side), {})
        fixed = None if self.contract_usd is None else float(self.contract_usd)
        for level in levels:
            price, quantity, *_ = level
            usd = quantity * (price if fixed is None else fixed)
            large = usd >= LARGE_USD
            if -DOUBT < usd - LARGE_USD < DOUBT:
                large = self._exactly(level) >= LARGE_USD
            if large:
                if price not in running:
                    running[price] = self._begin(at, symbol, side, level[2])
            elif price in running:
                self._end(running.pop(price), at)

    def replace(self, at: int, symbol: str, side: Side, levels: list[Level]) -> None:
        """All of one side from the best price to the last of these: what is missing has gone."""
        there = {price for price, *_ in levels}
        low, high = min(there, default=0.0), max(there, default=0.0)
        reach = (low, float("inf")) if side is Side.BID else (0.0, high)
        running = self._running.get((symbol, side), {})
        gone = [price for price in running if price not in there and reach[0] <= price <= reach[1]]
        for price in gone:
            self._end(running.pop(price), at)
        self.change(at, symbol, side, levels)

    def report(self, before: int) -> None:
        """Report what has been there for another span."""
        while self._due and self._due[0][0] < before:
            due, _, run = heappop(self._due)
            if not run.ended:
                self._put(run, due, ended=False)
                self._await(run, due + REPORT)

    def end(self, at: int, symbol: str | None = None) -> None:
        """Nothing is known any more of a symbol's levels, or of any."""
        for (name, _), running in self._running.items():
            if symbol in (None, name):
                for run in running.values():
                    self._end(run, at)
                running.clear()

    def _begin(self, at: int, symbol: str, side: Side, price: str) -> Run:
        run = Run(f"{short(symbol)}:{side}:{price}:{at}", symbol, side, price, at)
        self._await(run, at + REPORT)
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
    _swings: dict[str, Swing] = field(default_factory=dict)

    def price(self, at: int, symbol: str, price: Decimal) -> None:
        """The price is now this."""
        swing = self._swings.setdefault(symbol, Swing(price, price))
        if swing.rising is None:
            swing.low, swing.high = min(swing.low, price), max(swing.high, price)
            origin = swing.low if price == swing.high else swing.high
            if price in (swing.low, swing.high) and not matches(ticks(origin), ticks(price)):
                swing.rising = price == swing.high
        elif swing.rising and price > swing.high:
            swing.high = price
        elif not swing.rising and price < swing.low:
            swing.low = price
        elif _apart(swing.high if swing.rising else swing.low, price):
            self._turn(at, symbol, swing, price)

    def _turn(self, at: int, symbol: str, swing: Swing, price: Decimal) -> None:
        level, origin, side = swing.high, swing.low, Side.ASK
        if not swing.rising:
            level, origin, side = swing.low, swing.high, Side.BID
        if not matches(ticks(origin), ticks(level)):
            self.outbox.put(at, Kind.REJECTION, symbol=symbol, price=level, side=side, quantity=1.0)
        if swing.rising:
            swing.low = price
        else:
            swing.high = price
        swing.rising = not swing.rising


def _apart(level: Decimal, price: Decimal) -> bool:
    center = ticks(level)
    return abs(ticks(price) - center) * 10_000 >= BAND_BPS * center
