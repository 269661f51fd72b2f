"""Which adapter reads a file, told or guessed from its first line."""

import json
from collections.abc import Iterator
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any

from engine.errors import InvalidInput
from engine.memories import problems
from engine.memories.capture import Capture
from engine.memories.lines import Lines, OnBytes
from engine.memories.trades import Columns, Trades
from engine.settings import MemoriesSettings

UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class Format(StrEnum):
    """What a file holds."""

    CAPTURE = "capture"
    TRADES = "trades"
    EVIDENCE = "evidence"


class Items:
    """Evidence that has been written down as JSON lines: iterate over it once."""

    def __init__(
        self, path: Path, *, symbol: str | None = None, on_bytes: OnBytes | None = None
    ) -> None:
        self.lines = Lines(path, on_bytes=on_bytes)
        self.identity = self.lines.identity(b'"event_id"')
        self.events = 0
        self._symbol = symbol

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for number, line in self.lines:
            try:
                item = json.loads(line)
                if not isinstance(item, dict):
                    raise ValueError("no JSON object")
            except (ValueError, RecursionError) as error:
                self.lines.refuse(number, problems.json_problem(error))
                self.lines.refuse_all("items of evidence as JSON lines")
                continue
            self.lines.accept()
            if self._symbol in (None, item.get("symbol")):
                self.events += 1
                yield item
        self.lines.refuse_all("items of evidence as JSON lines", ended=True)


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
    """The adapter for a file, with the settings of its graph."""
    more: dict[str, Any] = {"symbol": symbol, "settings": settings, "on_bytes": on_bytes}
    match format or guess(path):
        case Format.CAPTURE:
            return Capture(path, contract_usd=contract_usd, **more)
        case Format.TRADES:
            return Trades(path, columns, **more)
        case Format.EVIDENCE:
            return Items(path, symbol=symbol, on_bytes=on_bytes)


def feed_name(source: str | None, path: Path, read: Reader) -> str:
    """Return the source to observe as.

    Without a name it is the file's own, by its beginning: wherever it lies, whatever it is called.
    Under a name, evidence has the ids of the venue; an adapter makes ids that hold for one file.
    """
    if source is None:
        return f"file:{read.identity}"
    return source if isinstance(read, Items) or not source.strip() else f"{source}:{read.identity}"


def guess(path: Path) -> Format:
    """What a file holds, by its first line."""
    line = Lines(path).first().lstrip(b"\xef\xbb\xbf").strip()
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
