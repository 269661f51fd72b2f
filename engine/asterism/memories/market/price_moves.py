"""Evidence of a price's path: visits, in which trades are bundled, and rejections."""

from dataclasses import dataclass, field
from decimal import Decimal

from asterism.memories.market.models import Kind, Side
from asterism.memories.market.price_grid import BAND_BPS, matches, ticks
from asterism.memories.market.sequencer import LATEST, REORDER_SPAN, Sequencer


@dataclass
class Visit:
    """Trades within the band of the price of the first of them."""

    price: Decimal
    first_at: int
    last_at: int
    usd: Decimal = Decimal(0)
    bought: Decimal = Decimal(0)
    side: Side = Side.ASK


@dataclass
class VisitBundler:
    """Bundles the trades of each symbol: one execution for each visit of a price."""

    sequencer: Sequencer
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
        visit.last_at = at
        visit.usd += usd
        visit.bought += usd if taker is Side.ASK else 0

    def close(self, at: int = LATEST) -> None:
        """Close the visits that have lasted 10 s, as long as one can."""
        for symbol in [
            name for name, visit in self._open.items() if visit.first_at < at - REORDER_SPAN
        ]:
            self._close(symbol)

    def _close(self, symbol: str) -> None:
        visit = self._open.pop(symbol)
        sold = visit.usd - visit.bought
        side = visit.side
        if sold != visit.bought:
            side = Side.BID if sold > visit.bought else Side.ASK
        self.sequencer.put(
            visit.last_at,
            Kind.EXECUTION,
            begin=visit.first_at,
            cumulative=True,
            symbol=symbol,
            price=visit.price,
            side=side,
            quantity=float(visit.usd),
            taker_buy_usd=float(visit.bought),
        )


@dataclass
class Swing:
    """A move of a price: the lowest and the highest since it turned last."""

    low: Decimal
    high: Decimal
    rising: bool | None = None


@dataclass
class ReversalDetector:
    """Detects prices that entered the band of a level and turned back by a band.

    The level is the furthest price of the move. A move that began within its band entered nothing.
    """

    sequencer: Sequencer
    bps: int = BAND_BPS
    _swings: dict[str, Swing] = field(default_factory=dict)

    def price(self, at: int, symbol: str, price: Decimal) -> None:
        """Take the price of a trade."""
        swing = self._swings.setdefault(symbol, Swing(price, price))
        if swing.rising is None:
            swing.low, swing.high = min(swing.low, price), max(swing.high, price)
            origin = swing.low if price == swing.high else swing.high
            if price in (swing.low, swing.high) and not self._in_band(origin, price):
                swing.rising = price == swing.high
        elif swing.rising and price > swing.high:
            swing.high = price
        elif not swing.rising and price < swing.low:
            swing.low = price
        elif self._turned_back(swing.high if swing.rising else swing.low, price):
            self._record_turn(at, symbol, swing, price)

    def _record_turn(self, at: int, symbol: str, swing: Swing, price: Decimal) -> None:
        level, origin, side = swing.high, swing.low, Side.ASK
        if not swing.rising:
            level, origin, side = swing.low, swing.high, Side.BID
        if not self._in_band(origin, level):
            self.sequencer.put(
                at, Kind.REJECTION, symbol=symbol, price=level, side=side, quantity=1.0
            )
        if swing.rising:
            swing.low = price
        else:
            swing.high = price
        swing.rising = not swing.rising

    def _in_band(self, price: Decimal, center: Decimal) -> bool:
        return matches(ticks(price), ticks(center), self.bps)

    def _turned_back(self, level: Decimal, price: Decimal) -> bool:
        center = ticks(level)
        return abs(ticks(price) - center) * 10_000 >= self.bps * center
