"""Reader of a captured exchange stream: its lines to evidence, at the exchange's own time.

Each line is `<local time in ns> <message>`. Trades, changes of the order book, snapshots of it
and liquidations are read. Memory holds the levels that rest, one visit a symbol, and ten seconds
of evidence.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, DecimalException
from pathlib import Path
from typing import Any

from asterism.memories.item_checks import text_problem
from asterism.memories.market import sequencer
from asterism.memories.market.file_identity import file_identity, former_identity
from asterism.memories.market.models import Evidence, Kind, Side
from asterism.memories.market.order_book import BookLevel, RestingLevels
from asterism.memories.market.price_grid import price_problem
from asterism.memories.market.price_moves import ReversalDetector, VisitBundler
from asterism.memories.market.sequencer import EARLIEST, LATEST, Sequencer, advance
from asterism.message_text import excerpt
from asterism.settings import MemoriesSettings
from asterism.tabular import LineReader, OnBytes, parse_object

MILLISECOND = 1000
MOST = float(sequencer.MOST)
SHORT_PRICE = 11  # a price of so few characters has few enough decimals
MOST_RECENT = 32  # changes of a book that a snapshot may be older than
EXPECTED = "a capture, each line `<local time in ns> <message>`"
MALFORMED = (ValueError, KeyError, TypeError, AttributeError, DecimalException)

Message = dict[str, Any]


@dataclass
class BookProgress:
    """Numbers of the changes of a symbol's order book that have been read."""

    last_change: int | None = None
    snapshot_change: int = 0  # earlier changes are in the snapshot
    at: int = 0
    recent: deque[tuple[int, list[BookLevel], list[BookLevel]]] = field(
        default_factory=lambda: deque(maxlen=MOST_RECENT)
    )


class Capture:
    """Evidence from a capture: iterate over it once.

    The same file gives the same items with the same ids and numbers. `lines` counts the lines that
    could not be read, `events` trades, level changes and liquidations.
    """

    format = "capture"

    def __init__(
        self,
        path: Path,
        *,
        symbol: str | None = None,
        contract_usd: Decimal | None = None,
        settings: MemoriesSettings | None = None,
        on_bytes: OnBytes | None = None,
    ) -> None:
        settings = settings or MemoriesSettings()
        self.lines = LineReader(path, on_bytes=on_bytes)
        self.identity = file_identity(path, b'"E":')
        self.events = 0
        self.ignored: Counter[str] = Counter()
        self.clock = 0
        self._symbol = symbol
        self._contract_usd = contract_usd
        self._sequencer = Sequencer(self.identity, former_identity(path))
        self._visits = VisitBundler(self._sequencer, settings.band_bps)
        self._resting = RestingLevels(self._sequencer, contract_usd, settings)
        self._reversals = ReversalDetector(self._sequencer, settings.band_bps)
        self._books: dict[str, BookProgress] = {}
        self._symbols: set[str] = set()
        self._bad_levels: list[str] = []
        self._handlers: dict[str, Callable[[Message], object]] = {
            "trade": self._trade,
            "depthUpdate": self._depth,
            "forceOrder": self._liquidation,
            "bookTicker": self._advance,
        }

    def __iter__(self) -> Iterator[Evidence]:
        for number, line in self.lines:
            self._bad_levels.clear()
            try:
                self._dispatch(_message(line))
            except MALFORMED as error:
                self.lines.refuse(number, _reason(error))
                self.lines.require_accepted(EXPECTED)
                continue
            if bad := self._bad_levels:
                self.lines.refuse(number, f"{len(bad)} levels of this line left out: {bad[0]}")
            self.lines.accept()
            yield from self._sequencer.release(self.clock - sequencer.REORDER_SPAN)
        self.lines.require_accepted(EXPECTED, at_end=True)
        self._resting.report(self.clock)
        self._resting.end(self.clock)
        self._visits.close()
        yield from self._sequencer.release()

    def _dispatch(self, message: Message) -> None:
        """Handle a message by its kind, with its time checked first."""
        is_snapshot = "lastUpdateId" in message
        name = "snapshot" if is_snapshot else message["e"]
        handler = self._snapshot if is_snapshot else self._handlers.get(name)
        if handler is None:
            self.ignored[excerpt(name).strip("'")] += 1
            return
        time = message["E"]
        if type(time) is not int or not EARLIEST <= time * MILLISECOND < LATEST:
            raise ValueError(f"E: not a time in milliseconds since 1970: {excerpt(time)}")
        advance(self.clock, time * MILLISECOND)
        handler(message)

    def _advance(self, message: Message) -> int:
        """Move the clock on to a message's time, report what is due, and return the clock."""
        self.clock = advance(self.clock, message["E"] * MILLISECOND)
        self._resting.report(self.clock)
        self._visits.close(self.clock)
        return self.clock

    def _is_selected(self, symbol: Any) -> bool:
        if not isinstance(symbol, str):
            raise ValueError(f"s: not a symbol: {excerpt(symbol)}")
        if symbol not in self._symbols and (problem := text_problem("s", symbol)):
            raise ValueError(problem)
        self._symbols.add(symbol)
        return self._symbol in (None, symbol)

    def _trade(self, message: Message) -> None:
        price, quantity = _price(message["p"]), _amount(message["q"])
        usd = sequencer.checked_worth(self._usd(price, quantity))
        taker = Side.BID if _flag(message["m"]) else Side.ASK
        if not self._is_selected(message["s"]) or not price or not quantity:
            return  # a trade of nothing stands for a book-keeping step of the exchange
        at = self._advance(message)
        self.events += 1
        self._visits.trade(at, message["s"], price, usd, taker)
        self._reversals.price(at, message["s"], price)

    def _liquidation(self, message: Message) -> None:
        order = message["o"]
        price, quantity = _price(order["p"]), _amount(order["q"])
        usd = sequencer.checked_worth(self._usd(price, quantity))
        side = {"SELL": Side.BID, "BUY": Side.ASK}[order["S"]]
        if not price:
            raise ValueError("p: a liquidation has a price above 0")
        if not self._is_selected(order["s"]):
            return
        at = self._advance(message)
        self.events += 1
        self._sequencer.put(
            at,
            Kind.LIQUIDATION,
            symbol=order["s"],
            price=price,
            side=side,
            quantity=1.0,
            usd=float(usd),
        )

    def _depth(self, message: Message) -> None:
        bids, asks = self._levels(message["b"]), self._levels(message["a"])
        if not self._is_selected(message["s"]):
            return
        symbol, number = message["s"], message.get("u")
        if number is not None:
            _whole(number, "u")
        book = self._books.setdefault(symbol, BookProgress())
        if book.last_change is not None and message.get("pu", book.last_change) != book.last_change:
            self._resting.end(book.at, symbol)  # changes are missing: what still rests is unknown
        book.at = at = self._advance(message)
        self.events += len(bids) + len(asks)
        if number is not None:
            book.last_change = number
            book.recent.append((number, bids, asks))
            if number <= book.snapshot_change:
                return
        self._change(at, symbol, bids, asks)

    def _snapshot(self, message: Message) -> None:
        """Replace the book near its best prices, and apply the changes since the snapshot again."""
        bids, asks = self._levels(message["bids"]), self._levels(message["asks"])
        symbol = message.get("symbol") or message.get("s") or self._symbol or self._only_symbol()
        if not self._is_selected(symbol):
            return
        snapshot_change = _whole(message["lastUpdateId"], "lastUpdateId")
        book = self._books.setdefault(symbol, BookProgress())
        book.at = at = self._advance(message)
        book.snapshot_change = snapshot_change
        self._resting.replace(at, symbol, Side.BID, bids)
        self._resting.replace(at, symbol, Side.ASK, asks)
        for number, recent_bids, recent_asks in book.recent:
            if number > snapshot_change:
                self._change(at, symbol, recent_bids, recent_asks)

    def _change(self, at: int, symbol: str, bids: list[BookLevel], asks: list[BookLevel]) -> None:
        self._resting.change(at, symbol, Side.BID, bids)
        self._resting.change(at, symbol, Side.ASK, asks)

    def _levels(self, pairs: list[Any]) -> list[BookLevel]:
        """Return the levels of a message, without the bad ones, which are refused."""
        levels = []
        for pair in pairs:
            try:
                levels.append(_level(pair))
            except MALFORMED as error:
                self._bad_levels.append(_reason(error))
        return levels

    def _only_symbol(self) -> str:
        if len(self._symbols) == 1:
            return next(iter(self._symbols))
        raise ValueError("a snapshot that names no symbol: say which one is wanted")

    def _usd(self, price: Decimal, quantity: Decimal) -> Decimal:
        return quantity * (self._contract_usd or price)


def _message(line: bytes) -> Message:
    local, _, document = line.partition(b" ")
    if not local.isdigit():
        raise ValueError("no local time in ns before the message")
    message = parse_object(document)
    message = message.get("data", message)
    if not isinstance(message, dict):
        raise ValueError("the message is no JSON object")
    return message


def _amount(text: Any) -> Decimal:
    value = Decimal(text) if isinstance(text, str) else Decimal("NaN")
    if not value.is_finite() or not 0 <= value < MOST:
        raise ValueError(f"not a price or a quantity: {excerpt(text)}")
    return value


def _price(text: Any) -> Decimal:
    """Return a price, or 0 where a message has none."""
    value = _amount(text)
    if value and (problem := price_problem(value)):
        raise ValueError(problem)
    return value


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name}: a whole number, not {excerpt(value)}")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"m: true or false, not {excerpt(value)}")
    return value


def _level(pair: Any) -> BookLevel:
    price, quantity, *_ = pair
    level = (float(price), float(quantity), price, quantity)
    if not (0 < level[0] < MOST and 0 <= level[1] < MOST):
        raise ValueError(f"not a level: {excerpt(price)} {excerpt(quantity)}")
    if isinstance(price, bool) or isinstance(quantity, bool):
        raise ValueError("a level's price and quantity: numbers, not true or false")
    if len(str(price)) > SHORT_PRICE and (problem := price_problem(Decimal(str(price)))):
        raise ValueError(problem)
    return level


def _reason(error: BaseException) -> str:
    if isinstance(error, KeyError):
        return f"no field {error}" if error.args and error.args[0] != "" else "no field"
    return str(error) or type(error).__name__
