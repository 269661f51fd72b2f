"""Table of trades as evidence: CSV with a heading, or JSON lines, with named columns."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, DecimalException
from pathlib import Path
from typing import Any

from asterism import tabular
from asterism.errors import InvalidInput
from asterism.memories.item_checks import text_problem
from asterism.memories.market import sequencer
from asterism.memories.market.file_identity import file_identity, former_identity
from asterism.memories.market.models import Evidence, Side
from asterism.memories.market.price_grid import price_problem
from asterism.memories.market.price_moves import VisitBundler
from asterism.memories.market.sequencer import EARLIEST, LATEST, MOST, OutOfOrder, Sequencer
from asterism.message_text import excerpt
from asterism.settings import MemoriesSettings
from asterism.tabular import LineReader, OnBytes, Row
from asterism.timestamps import EPOCH, MICROSECOND

MALFORMED = (ValueError, KeyError, TypeError, DecimalException)
EXPECTED = "trades, as CSV with a heading or as JSON lines"
BACKWARDS = 20  # lines, each older than the first, that show a table's order
BOM = b"\xef\xbb\xbf"
UNITS = {"s": Decimal(10**6), "ms": Decimal(10**3), "us": Decimal(1), "ns": Decimal("0.001")}
TAKERS = dict.fromkeys(("buy", "b", "false"), Side.ASK) | dict.fromkeys(
    ("sell", "s", "true"), Side.BID
)


@dataclass(frozen=True)
class Columns:
    """Names of the columns, and the unit of times that are numbers, or `auto`.

    The side is the taker's, buy or sell. True or false says if the buyer was the maker.
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

    def required(self, symbol: str | None) -> list[str]:
        """Return the columns without which there is no trade."""
        names = [self.time, self.price, self.quantity, self.side]
        return names if symbol else [*names, self.symbol]


class Trades:
    """Executions from a table of trades: iterate over it once.

    The same file gives the same items with the same ids and numbers.
    """

    format = "trades"

    def __init__(
        self,
        path: Path,
        columns: Columns | None = None,
        *,
        symbol: str | None = None,
        settings: MemoriesSettings | None = None,
        on_bytes: OnBytes | None = None,
    ) -> None:
        self.lines = LineReader(path, on_bytes=on_bytes)
        self.columns = columns or Columns()
        marks = [self.columns.time.encode(), self.columns.price.encode()]
        in_json = tabular.first_lines(path, 1)[0].lstrip(BOM).startswith(b"{")
        self.identity = file_identity(path, *(marks if in_json else ()))
        self.events = 0
        self.clock = 0
        self._symbol = symbol
        self._sequencer = Sequencer(self.identity, former_identity(path))
        self._visits = VisitBundler(self._sequencer, (settings or MemoriesSettings()).band_bps)

    def __iter__(self) -> Iterator[Evidence]:
        heading: list[str] | None = None
        for number, line in self.lines:
            try:
                text = line.decode("utf-8-sig").strip()
                if heading is None and not text.startswith("{"):
                    heading = self._heading(text)
                    continue
                self._trade(
                    tabular.parse_object(text, exact=True)
                    if heading is None
                    else tabular.pair_cells(heading, tabular.split_cells(text))
                )
            except MALFORMED as error:
                self.lines.refuse(number, _reason(error))
                self.lines.require_accepted(EXPECTED)
                self._refuse_newest_first(error)
                continue
            self.lines.accept()
            yield from self._sequencer.release(self.clock - sequencer.REORDER_SPAN)
        self.lines.require_accepted(EXPECTED, at_end=True)
        if heading and self.lines.count == 1:
            remedy = "it holds a heading and no trade: give a file with rows"
            raise InvalidInput("file", str(self.lines.path), remedy)
        self._visits.close()
        yield from self._sequencer.release()

    def _refuse_newest_first(self, error: BaseException) -> None:
        """Give up on a table that goes from new to old, before anything of it is written."""
        if not isinstance(error, OutOfOrder) or self.events > 1 or self.lines.bad_count < BACKWARDS:
            return
        remedy = "its lines go from new to old: sort it by time, oldest first"
        raise InvalidInput("file", str(self.lines.path), remedy)

    def _heading(self, text: str) -> list[str]:
        names = [name.strip() for name in tabular.split_cells(text)]
        missing = [name for name in self.columns.required(self._symbol) if name not in names]
        if missing:
            remedy = f"line 1 names only {', '.join(names)}: say which column it is"
            raise InvalidInput("column", missing[0], remedy)
        return names

    def _trade(self, row: Row) -> None:
        columns = self.columns
        symbol = self._symbol if columns.symbol not in row else _text(row[columns.symbol])
        if not symbol:
            raise ValueError("no symbol")
        if self._symbol not in (None, symbol):
            return
        at = micros_of(row[columns.time], columns.unit)
        price, quantity = _amount(row[columns.price]), _amount(row[columns.quantity])
        if problem := text_problem("symbol", symbol) or price_problem(price):
            raise ValueError(problem)
        side = TAKERS.get(str(row[columns.side]).strip().lower())
        if side is None:
            raise ValueError(f"side: buy or sell, not {row[columns.side]!r}")
        usd = sequencer.checked_worth(price * quantity)
        self.clock = sequencer.advance(self.clock, at)
        self.events += 1
        self._visits.close(self.clock)
        self._visits.trade(self.clock, symbol, price, usd, side)


def micros_of(value: Any, unit: str) -> int:
    """Return a time in microseconds since 1970, from ISO 8601 or a number of some unit."""
    text = str(value).strip()
    try:
        number = Decimal(text)
    except DecimalException:
        at = (_aware(text) - EPOCH) // MICROSECOND
    else:
        if not number.is_finite():
            raise ValueError(f"time: not a time: {excerpt(number)}")
        exact = number * UNITS[_unit(number) if unit == "auto" else unit]
        at = int(exact) if EARLIEST <= exact < LATEST else 0
    if not EARLIEST <= at < LATEST:
        raise ValueError(f"time: not between 2000 and 2100: {excerpt(text)}")
    return at


def _aware(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"time: neither ISO 8601 nor a number: {excerpt(text)}") from error
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _unit(number: Decimal) -> str:
    """Return the only unit in which a number lies between 2000 and 2100."""
    for unit, size in UNITS.items():
        if EARLIEST <= number * size < LATEST:
            return unit
    raise ValueError(f"time: a number of no unit between 2000 and 2100: {excerpt(number)}")


def _amount(value: Any) -> Decimal:
    number = Decimal(str(value).strip())
    if isinstance(value, bool) or not number.is_finite() or not 0 <= number < MOST:
        reason = f"price and quantity: a number from 0 to {MOST:g}, not {excerpt(value)}"
        raise ValueError(reason)
    return number


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"symbol: a text, not {excerpt(value)}")
    return value


def _reason(error: BaseException) -> str:
    if isinstance(error, KeyError):
        return f"no column {error}"
    if isinstance(error, DecimalException):
        return "price and quantity: not a number"
    return str(error) or type(error).__name__
