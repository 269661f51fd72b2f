"""Order book: reports levels that rest in it, for as long as they do."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from heapq import heappop, heappush

from asterism.memories.decay_passes import SECOND
from asterism.memories.market.models import Kind, Side
from asterism.memories.market.price_grid import cell
from asterism.memories.market.sequencer import Sequencer, short_symbol
from asterism.settings import MemoriesSettings

LEVEL_INTERVAL = 10 * SECOND
ZONE_INTERVAL = 60 * SECOND
DOUBT = 0.01  # a notional within this of a limit is computed exactly

BookLevel = tuple[float, float, str, str]  # price and quantity, and both as they were written


@dataclass(slots=True)
class Run:
    """A level that rests at one side and tick, or a zone in which small levels do."""

    id: str
    symbol: str
    side: Side
    price: str
    start: int
    interval: int = LEVEL_INTERVAL
    ended: bool = False


@dataclass(slots=True)
class Zone:
    """A cell of one side, of 5 basis points, in which small levels rest."""

    run: Run
    levels: int = 0


@dataclass
class BookSide:
    """One side of a symbol's book: runs of large levels by price, small ones with their cell."""

    large: dict[float, Run] = field(default_factory=dict)
    small: dict[float, int] = field(default_factory=dict)
    zones: dict[int, Zone] = field(default_factory=dict)


@dataclass
class RestingLevels:
    """Reports levels that rest, at intervals and at their end.

    No level is too small, but thousands of small ones would flood the memories, which could not
    tell them apart either. Those of a cell are one zone, which rests as long as any of them does.
    """

    sequencer: Sequencer
    contract_usd: Decimal | None = None
    settings: MemoriesSettings = field(default_factory=MemoriesSettings)
    _sides: dict[tuple[str, Side], BookSide] = field(default_factory=dict)
    _due: list[tuple[int, int, Run]] = field(default_factory=list)
    _count: int = 0

    def change(self, at: int, symbol: str, side: Side, levels: Iterable[BookLevel]) -> None:
        """Apply new quantities of levels."""
        book = self._sides.setdefault((symbol, side), BookSide())
        contract = None if self.contract_usd is None else float(self.contract_usd)
        large, minimum = self.settings.book_large_usd, self.settings.book_minimum_usd
        for level in levels:
            price, quantity, *_ = level
            estimate = quantity * (price if contract is None else contract)
            usd: float | Decimal = estimate
            if -DOUBT < estimate - large < DOUBT or -DOUBT < estimate - minimum < DOUBT:
                usd = self._exact_usd(level)
            if usd >= max(large, minimum):
                if price not in book.large:
                    book.large[price] = self._begin(at, symbol, side, level[2])
                self._leave_zone(at, book, price)
                continue
            if price in book.large:
                self._end(book.large.pop(price), at)
            if usd < minimum or not quantity:
                self._leave_zone(at, book, price)
            elif price not in book.small:
                self._enter_zone(at, symbol, side, level)

    def replace(self, at: int, symbol: str, side: Side, levels: list[BookLevel]) -> None:
        """Replace one side from the best price to the last of these: missing levels have ended."""
        prices = {price for price, *_ in levels}
        low, high = min(prices, default=0.0), max(prices, default=0.0)
        reach = (low, float("inf")) if side is Side.BID else (0.0, high)
        book = self._sides.setdefault((symbol, side), BookSide())
        for price in [*book.large, *book.small]:
            if price not in prices and reach[0] <= price <= reach[1]:
                if price in book.large:
                    self._end(book.large.pop(price), at)
                self._leave_zone(at, book, price)
        self.change(at, symbol, side, levels)

    def report(self, before: int) -> None:
        """Report every run whose next interval ended before a time."""
        while self._due and self._due[0][0] < before:
            due, _, run = heappop(self._due)
            if not run.ended:
                self._put(run, due, ended=False)
                self._schedule(run, due + run.interval)

    def end(self, at: int, symbol: str | None = None) -> None:
        """End all runs of a symbol, or of every symbol: the state of the book is unknown."""
        for (name, side), book in self._sides.items():
            if symbol in (None, name):
                for run in [*book.large.values(), *(zone.run for zone in book.zones.values())]:
                    self._end(run, at)
                self._sides[name, side] = BookSide()

    def _enter_zone(self, at: int, symbol: str, side: Side, level: BookLevel) -> None:
        book, price = self._sides[symbol, side], level[0]
        place = cell(price)
        if place not in book.zones:
            book.zones[place] = Zone(self._begin(at, symbol, side, level[2], zone=True))
        book.zones[place].levels += 1
        book.small[price] = place

    def _leave_zone(self, at: int, book: BookSide, price: float) -> None:
        """Remove the small level at this price, if there is one."""
        place = book.small.pop(price, None)
        if place is None:
            return
        zone = book.zones[place]
        zone.levels -= 1
        if not zone.levels:
            self._end(book.zones.pop(place).run, at)

    def _begin(self, at: int, symbol: str, side: Side, price: str, *, zone: bool = False) -> Run:
        id = f"{short_symbol(symbol)}:{side}{':zone' if zone else ''}:{price}:{at}"
        run = Run(id, symbol, side, price, at, ZONE_INTERVAL if zone else LEVEL_INTERVAL)
        self._schedule(run, at + run.interval)
        return run

    def _schedule(self, run: Run, due: int) -> None:
        self._count += 1
        heappush(self._due, (due, self._count, run))

    def _end(self, run: Run, at: int) -> None:
        run.ended = True
        if at > run.start:
            self._put(run, at, ended=True)

    def _put(self, run: Run, at: int, *, ended: bool) -> None:
        self.sequencer.put(
            at,
            Kind.PERSISTENCE,
            symbol=run.symbol,
            price=run.price,
            side=run.side,
            quantity=(at - run.start) / SECOND,
            run_id=run.id,
            run_ended=ended,
        )

    def _exact_usd(self, level: BookLevel) -> Decimal:
        *_, price, quantity = level
        return Decimal(quantity) * (self.contract_usd or Decimal(price))
