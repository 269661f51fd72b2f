"""Formats of files of market evidence, and the reader for each."""

from collections.abc import Iterator
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any

from asterism.errors import InvalidInput
from asterism.memories.market.exchange_capture import Capture
from asterism.memories.market.file_identity import file_identity
from asterism.memories.market.trade_table import Columns, Trades
from asterism.settings import MemoriesSettings
from asterism.tabular import LineReader, OnBytes, RowError, first_lines, parse_object

UTF_16 = (b"\xff\xfe", b"\xfe\xff")
EXPECTED = "items of evidence as JSON lines"


class Format(StrEnum):
    """Formats of a file: a raw exchange stream, a table of trades, or items of evidence."""

    CAPTURE = "capture"
    TRADES = "trades"
    EVIDENCE = "evidence"


class Items:
    """Items of evidence from JSON lines: iterate over it once."""

    format = Format.EVIDENCE.value

    def __init__(
        self, path: Path, *, symbol: str | None = None, on_bytes: OnBytes | None = None
    ) -> None:
        self.lines = LineReader(path, on_bytes=on_bytes)
        self.identity = file_identity(path, b'"event_id"')
        self.events = 0
        self._symbol = symbol

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for number, line in self.lines:
            try:
                item = parse_object(line)
            except RowError as error:
                self.lines.refuse(number, str(error))
                self.lines.require_accepted(EXPECTED)
                continue
            self.lines.accept()
            if self._symbol in (None, item.get("symbol")):
                self.events += 1
                yield item
        self.lines.require_accepted(EXPECTED, at_end=True)


Reader = Capture | Trades | Items


def reader(
    path: Path,
    format: Format | None = None,
    *,
    symbol: str | None = None,
    columns: Columns | None = None,
    contract_usd: Decimal | None = None,
    settings: MemoriesSettings | None = None,
    on_bytes: OnBytes | None = None,
) -> Reader:
    """Return the reader for a file, with the settings of its graph."""
    options: dict[str, Any] = {"symbol": symbol, "settings": settings, "on_bytes": on_bytes}
    match format or guess(path):
        case Format.CAPTURE:
            return Capture(path, contract_usd=contract_usd, **options)
        case Format.TRADES:
            return Trades(path, columns, **options)
        case Format.EVIDENCE:
            return Items(path, symbol=symbol, on_bytes=on_bytes)


def feed_name(source: str | None, path: Path, file: Reader) -> str:
    """Return the source to observe as.

    Without a name it is the file's own, by its beginning: wherever it lies, whatever it is called.
    Under a name, evidence has the ids of the venue. The other readers make ids that hold for one
    file, so its identity follows the name.
    """
    if source is None:
        return f"file:{file.identity}"
    return source if isinstance(file, Items) or not source.strip() else f"{source}:{file.identity}"


def guess(path: Path) -> Format:
    """Return the format of a file, by its first line."""
    line = first_lines(path, 1)[0].lstrip(b"\xef\xbb\xbf").strip()
    if line.startswith(UTF_16):
        remedy = "it is UTF-16: save it as UTF-8, for instance with iconv -f UTF-16 -t UTF-8"
        raise InvalidInput("file", str(path), remedy)
    if b";" in line and b"," not in line and not line.startswith((b"{", b"[")):
        remedy = "line 1 is divided by semicolons: give a table whose cells are divided by commas"
        raise InvalidInput("file", str(path), remedy)
    local, _, rest = line.partition(b" ")
    if local.isdigit() and rest.startswith((b"{", b"[")):
        return Format.CAPTURE
    if line.startswith(b"{"):
        return Format.EVIDENCE if b'"event_id"' in line else Format.TRADES
    if b"," in line and line.isascii() and not line.startswith(b"["):
        return Format.TRADES
    remedy = f"line 1 looks like none of {', '.join(Format)}: say with --format what it is"
    raise InvalidInput("file", str(path), remedy)
