"""A raw capture of an exchange's stream, as evidence.

Each line is `<local time in ns> <message>`. What is read of it: trades, changes of the order
book, one snapshot of it, and liquidations, all at the exchange's own time. Held in memory are
the levels that rest, one visit a symbol, and ten seconds of evidence.
"""

import json
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, DecimalException
from pathlib import Path
from typing import Any

from engine.memories import problems
from engine.memories.book import Level, Runs, Turns
from engine.memories.lines import Lines, OnBytes
from engine.memories.model import Evidence, Kind, Side
from engine.memories.outbox import EARLIEST, LATEST, VISIT, Outbox, Visits, in_order, worth
from engine.memories.outbox import MOST as MOST_WORTH
from engine.settings import MemoriesSettings

MILLISECOND = 1000
MOST = float(MOST_WORTH)
SHORT = 11  # a price of so few characters has few enough decimals
DEPTH_KEPT = 32  # changes that a snapshot may be older than
WANTED = "a capture, each line `<local time in ns> <message>`"
MALFORMED = (ValueError, KeyError, TypeError, AttributeError, DecimalException, RecursionError)

Message = dict[str, Any]


@dataclass
class Depth:
    """Where the order book of a symbol stands."""

    last: int | None = None  # the last change
    snapshot: int = 0  # the change a snapshot was taken at; earlier ones are in it
    at: int = 0
    recent: deque[tuple[int, list[Level], list[Level]]] = field(
        default_factory=lambda: deque(maxlen=DEPTH_KEPT)
    )


class Capture:
    """Evidence from a capture: iterate over it once.

    The same file gives the same items with the same ids and numbers. `lines` counts and keeps
    what could not be read; `events` counts trades, level changes and liquidations.
    """

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
        self.lines = Lines(path, on_bytes=on_bytes)
        self.identity = self.lines.identity(b'"E":')
        self.events = 0
        self.ignored: Counter[str] = Counter()
        self.clock = 0
        self._only = symbol
        self._contract_usd = contract_usd
        self._outbox = Outbox(self.identity, self.lines.former_identity())
        self._visits = Visits(self._outbox, settings.band_bps)
        self._runs = Runs(self._outbox, contract_usd, settings)
        self._turns = Turns(self._outbox, settings.band_bps)
        self._depths: dict[str, Depth] = {}
        self._symbols: set[str] = set()
        self._refused: list[str] = []
        self._readers: dict[str, Callable[[Message], None]] = {
            "trade": self._trade,
            "depthUpdate": self._depth,
            "forceOrder": self._liquidation,
            "bookTicker": self._nothing,
        }

    def __iter__(self) -> Iterator[Evidence]:
        for number, line in self.lines:
            self._refused.clear()
            try:
                self._take(_message(line))
            except MALFORMED as error:
                self.lines.refuse(number, _reason(error))
                self.lines.refuse_all(WANTED)
                continue
            if self._refused:
                left_out = f"{len(self._refused)} levels of this line left out: {self._refused[0]}"
                self.lines.refuse(number, left_out)
            self.lines.accept()
            yield from self._outbox.release(self.clock - VISIT)
        self.lines.refuse_all(WANTED, ended=True)
        self._runs.report(self.clock)
        self._runs.end(self.clock)
        self._visits.close()
        yield from self._outbox.release()

    def _take(self, message: Message) -> None:
        """One message: time moves on first, whatever kind it is."""
        snapshot = "lastUpdateId" in message
        name = "snapshot" if snapshot else message["e"]
        read = self._snapshot if snapshot else self._readers.get(name)
        if read is None:
            self.ignored[problems.shown(name).strip("'")] += 1
            return
        time = message["E"]
        if type(time) is not int or not EARLIEST <= time * MILLISECOND < LATEST:
            raise ValueError(f"E: not a time in milliseconds since 1970: {problems.shown(time)}")
        in_order(time * MILLISECOND, self.clock)
        read(message)

    def _at(self, message: Message) -> int:
        """The message's time; one that comes after a later one counts as of that one's."""
        self.clock = in_order(message["E"] * MILLISECOND, self.clock)
        self._runs.report(self.clock)
        self._visits.close(self.clock)
        return self.clock

    def _wants(self, symbol: Any) -> bool:
        if not isinstance(symbol, str):
            raise ValueError(f"s: not a symbol: {problems.shown(symbol)}")
        if symbol not in self._symbols and (problem := problems.text_problem("s", symbol)):
            raise ValueError(problem)
        self._symbols.add(symbol)
        return self._only in (None, symbol)

    def _nothing(self, message: Message) -> None:
        self._at(message)

    def _trade(self, message: Message) -> None:
        price, quantity = _price(message["p"]), _amount(message["q"])
        usd = worth(self._usd(price, quantity))
        taker = Side.BID if _flag(message["m"]) else Side.ASK
        if not self._wants(message["s"]) or not price or not quantity:
            return  # a trade of nothing stands for a book-keeping step of the exchange
        at = self._at(message)
        self.events += 1
        self._visits.trade(at, message["s"], price, usd, taker)
        self._turns.price(at, message["s"], price)

    def _liquidation(self, message: Message) -> None:
        order = message["o"]
        price, quantity = _price(order["p"]), _amount(order["q"])
        usd = worth(self._usd(price, quantity))
        side = {"SELL": Side.BID, "BUY": Side.ASK}[order["S"]]
        if not price:
            raise ValueError("p: a liquidation has a price above 0")
        if not self._wants(order["s"]):
            return
        at = self._at(message)
        self.events += 1
        self._outbox.put(
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
        if not self._wants(message["s"]):
            return
        symbol, number = message["s"], message.get("u")
        if number is not None:
            _whole(number, "u")
        depth = self._depths.setdefault(symbol, Depth())
        if depth.last is not None and message.get("pu", depth.last) != depth.last:
            self._runs.end(depth.at, symbol)  # changes are missing: what still rests is unknown
        depth.at = at = self._at(message)
        self.events += len(bids) + len(asks)
        if number is not None:
            depth.last = number
            depth.recent.append((number, bids, asks))
            if number <= depth.snapshot:
                return
        self._runs.change(at, symbol, Side.BID, bids)
        self._runs.change(at, symbol, Side.ASK, asks)

    def _snapshot(self, message: Message) -> None:
        """The whole book near its best prices, and again what has changed since it was taken."""
        bids, asks = self._levels(message["bids"]), self._levels(message["asks"])
        symbol = message.get("symbol") or message.get("s") or self._only or self._sole()
        if not self._wants(symbol):
            return
        taken_at = _whole(message["lastUpdateId"], "lastUpdateId")
        at = self._at(message)
        depth = self._depths.setdefault(symbol, Depth())
        depth.at = at
        depth.snapshot = taken_at
        self._runs.replace(at, symbol, Side.BID, bids)
        self._runs.replace(at, symbol, Side.ASK, asks)
        for number, lower, higher in depth.recent:
            if number > depth.snapshot:
                self._runs.change(at, symbol, Side.BID, lower)
                self._runs.change(at, symbol, Side.ASK, higher)

    def _levels(self, pairs: list[Any]) -> list[Level]:
        """Return the levels of a message; what is none is refused, and the rest is taken."""
        levels = []
        for pair in pairs:
            try:
                levels.append(_level(pair))
            except MALFORMED as error:
                self._refused.append(_reason(error))
        return levels

    def _sole(self) -> str:
        if len(self._symbols) == 1:
            return next(iter(self._symbols))
        raise ValueError("a snapshot that names no symbol: say which one is wanted")

    def _usd(self, price: Decimal, quantity: Decimal) -> Decimal:
        return quantity * (self._contract_usd or price)


def _message(line: bytes) -> Message:
    local, _, document = line.partition(b" ")
    if not local.isdigit():
        raise ValueError("no local time in ns before the message")
    message = json.loads(document)
    message = message.get("data", message)
    if not isinstance(message, dict):
        raise ValueError("the message is no JSON object")
    return message


def _amount(text: Any) -> Decimal:
    value = Decimal(text) if isinstance(text, str) else Decimal("NaN")
    if not value.is_finite() or not 0 <= value < MOST:
        raise ValueError(f"not a price or a quantity: {problems.shown(text)}")
    return value


def _price(text: Any) -> Decimal:
    """Return a price, or 0 where a message has none."""
    value = _amount(text)
    if value and (problem := problems.price_problem(value)):
        raise ValueError(problem)
    return value


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name}: a whole number, not {problems.shown(value)}")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"m: true or false, not {problems.shown(value)}")
    return value


def _level(pair: Any) -> Level:
    price, quantity, *_ = pair
    level = (float(price), float(quantity), price, quantity)
    if not (0 < level[0] < MOST and 0 <= level[1] < MOST):
        raise ValueError(f"not a level: {problems.shown(price)} {problems.shown(quantity)}")
    if isinstance(price, bool) or isinstance(quantity, bool):
        raise ValueError("a level's price and quantity: numbers, not true or false")
    if len(str(price)) > SHORT and (problem := problems.price_problem(Decimal(str(price)))):
        raise ValueError(problem)
    return level


def _reason(error: BaseException) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON: {error}"
    if isinstance(error, KeyError):
        return f"no field {error}" if error.args and error.args[0] != "" else "no field"
    return problems.json_problem(error)
