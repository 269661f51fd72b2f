"""Trades in a table, as evidence: CSV with a heading, or JSON lines, with named columns."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, DecimalException
from pathlib import Path
from typing import Any

from engine.errors import InvalidInput
from engine.memories import problems
from engine.memories.lines import Lines, OnBytes
from engine.memories.model import EPOCH, MICROSECOND, Evidence, Side
from engine.memories.outbox import (
    EARLIEST,
    LATEST,
    MOST,
    VISIT,
    Outbox,
    OutOfOrder,
    Visits,
    in_order,
    worth,
)
from engine.settings import MemoriesSettings

MALFORMED = (ValueError, KeyError, TypeError, DecimalException, RecursionError, csv.Error)
WANTED = "trades, as CSV with a heading or as JSON lines"
BACKWARDS = 20  # lines, each older than the first, that show a table's order
BOM = b"\xef\xbb\xbf"
UNITS = {"s": Decimal(10**6), "ms": Decimal(10**3), "us": Decimal(1), "ns": Decimal("0.001")}
TAKERS = {
    "buy": Side.ASK,
    "b": Side.ASK,
    "false": Side.ASK,
    "sell": Side.BID,
    "s": Side.BID,
    "true": Side.BID,
}


@dataclass(frozen=True)
class Columns:
    """What the columns are called; `unit` is that of times that are numbers, or `auto`.

    The side is the taker's, buy or sell; or whether the buyer was the maker, true or false.
    """

    time: str = "time"
    price: str = "price"
    quantity: str = "quantity"
    side: str = "side"
    symbol: str = "symbol"
    unit: str = "auto"

    def __post_init__(self) -> None:
        if self.unit not in ("auto", *UNITS):
            raise InvalidInput("unit", self.unit, f"give auto, {', '.join(UNITS)}")

    def needed(self, symbol: str | None) -> list[str]:
        """The columns without which there is no trade."""
        names = [self.time, self.price, self.quantity, self.side]
        return names if symbol else [*names, self.symbol]


class Trades:
    """Executions from a table of trades: iterate over it once.

    The same file gives the same items with the same ids and numbers.
    """

    def __init__(
        self,
        path: Path,
        columns: Columns | None = None,
        *,
        symbol: str | None = None,
        settings: MemoriesSettings | None = None,
        on_bytes: OnBytes | None = None,
    ) -> None:
        self.lines = Lines(path, on_bytes=on_bytes)
        self.columns = columns or Columns()
        self.identity = self._identity()
        self.events = 0
        self.clock = 0
        self._symbol = symbol
        self._outbox = Outbox(self.identity, self.lines.former_identity())
        self._visits = Visits(self._outbox, (settings or MemoriesSettings()).band_bps)

    def _identity(self) -> str:
        if not self.lines.first().lstrip(BOM).startswith(b"{"):
            return self.lines.identity()  # of the heading and the first trade
        return self.lines.identity(self.columns.time.encode(), self.columns.price.encode())

    def __iter__(self) -> Iterator[Evidence]:
        heading: list[str] | None = None
        for number, line in self.lines:
            try:
                text = line.decode("utf-8-sig").strip()
                if heading is None and not text.startswith("{"):
                    heading = self._heading(text)
                    continue
                self._take(_row(text, heading))
            except MALFORMED as error:
                self.lines.refuse(number, _reason(error))
                self.lines.refuse_all(WANTED)
                self._refuse_newest_first(error)
                continue
            self.lines.accept()
            yield from self._outbox.release(self.clock - VISIT)
        self.lines.refuse_all(WANTED, ended=True)
        if heading and self.lines.count == 1:
            remedy = "it holds a heading and no trade: give a file with rows"
            raise InvalidInput("file", str(self.lines.path), remedy)
        self._visits.close()
        yield from self._outbox.release()

    def _refuse_newest_first(self, error: BaseException) -> None:
        """Give up on a table that goes from new to old, before anything of it is written."""
        if not isinstance(error, OutOfOrder) or self.events > 1 or self.lines.bad_count < BACKWARDS:
            return
        remedy = "its lines go from new to old: sort it by time, oldest first"
        raise InvalidInput("file", str(self.lines.path), remedy)

    def _heading(self, text: str) -> list[str]:
        names = [name.strip() for name in next(csv.reader([text]))]
        missing = [name for name in self.columns.needed(self._symbol) if name not in names]
        if missing:
            remedy = f"line 1 names only {', '.join(names)}: say which column it is"
            raise InvalidInput("column", missing[0], remedy)
        return names

    def _take(self, row: dict[str, Any]) -> None:
        columns = self.columns
        symbol = self._symbol if columns.symbol not in row else _text(row[columns.symbol])
        if not symbol:
            raise ValueError("no symbol")
        if self._symbol not in (None, symbol):
            return
        at = micros_of(row[columns.time], columns.unit)
        price, quantity = _amount(row[columns.price]), _amount(row[columns.quantity])
        problem = problems.text_problem("symbol", symbol) or problems.price_problem(price)
        if problem:
            raise ValueError(problem)
        side = TAKERS.get(str(row[columns.side]).strip().lower())
        if side is None:
            raise ValueError(f"side: buy or sell, not {row[columns.side]!r}")
        usd = worth(price * quantity)
        self.clock = in_order(at, self.clock)
        self.events += 1
        self._visits.close(self.clock)
        self._visits.trade(self.clock, symbol, price, usd, side)


def micros_of(value: Any, unit: str) -> int:
    """A time as whole microseconds since 1970: ISO with its zone, or a number of some unit."""
    text = str(value).strip()
    try:
        number = Decimal(text)
    except DecimalException:
        at = (_aware(text) - EPOCH) // MICROSECOND
    else:
        if not number.is_finite():
            raise ValueError(f"time: not a time: {problems.shown(number)}")
        exact = number * UNITS[_unit(number) if unit == "auto" else unit]
        at = int(exact) if EARLIEST <= exact < LATEST else 0
    if not EARLIEST <= at < LATEST:
        raise ValueError(f"time: not between 2000 and 2100: {problems.shown(text)}")
    return at


def _aware(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"time: neither ISO 8601 nor a number: {problems.shown(text)}") from error
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _unit(number: Decimal) -> str:
    """The unit in which a number lies between 2000 and 2100: there is never more than one."""
    for unit, size in UNITS.items():
        if EARLIEST <= number * size < LATEST:
            return unit
    remedy = f"time: a number of no unit between 2000 and 2100: {problems.shown(number)}"
    raise ValueError(remedy)


def _amount(value: Any) -> Decimal:
    number = Decimal(str(value).strip())
    if isinstance(value, bool) or not number.is_finite() or not 0 <= number < MOST:
        told = problems.shown(value)
        raise ValueError(f"price and quantity: a number from 0 to {MOST:g}, not {told}")
    return number


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"symbol: a text, not {problems.shown(value)}")
    return value


def _row(text: str, heading: list[str] | None) -> dict[str, Any]:
    if heading is None:
        row = json.loads(text, parse_float=str)
        if not isinstance(row, dict):
            raise ValueError("no JSON object")
        return row
    cells = next(csv.reader([text], strict=True))
    if len(cells) != len(heading):
        raise ValueError(f"{len(cells)} cells, where the heading has {len(heading)}")
    return dict(zip(heading, cells, strict=True))


def _reason(error: BaseException) -> str:
    if isinstance(error, KeyError):
        return f"no column {error}"
    if isinstance(error, DecimalException):
        return "price and quantity: not a number"
    return problems.json_problem(error)
