"""Writes small captures and tables for tests, at seconds from a start."""

import gzip
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 3, 1, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return START + timedelta(milliseconds=round(seconds * 1000))


def milliseconds(seconds: float) -> int:
    return round(START.timestamp() * 1000 + seconds * 1000)


class Recording:
    """Lines of a capture, in the order in which they are added."""

    def __init__(self, symbol: str = "XUSDT") -> None:
        self.symbol = symbol
        self.lines: list[str] = []
        self._change = 0

    def message(self, t: float, message: dict[str, Any]) -> None:
        self.lines.append(f"{milliseconds(t) * 1_000_000 + 17} {json.dumps(message)}")

    def stream(self, t: float, name: str, data: dict[str, Any]) -> None:
        event = {"e": name, "E": milliseconds(t), "s": self.symbol} | data
        self.message(t, {"stream": f"{self.symbol.lower()}@{name}", "data": event})

    def trade(self, t: float, price: str, quantity: str = "1", *, buy: bool = True) -> None:
        self.stream(t, "trade", {"p": price, "q": quantity, "X": "MARKET", "m": not buy})

    def depth(self, t: float, *, missing: int = 0, bids: Any = (), asks: Any = ()) -> None:
        previous = self._change + missing
        self._change = previous + 1
        changes = {"u": self._change, "pu": previous, "b": list(bids), "a": list(asks)}
        self.stream(t, "depthUpdate", changes)

    def snapshot(self, t: float, change: int, *, bids: Any = (), asks: Any = ()) -> None:
        book = {"bids": list(bids), "asks": list(asks)}
        self.message(t, {"lastUpdateId": change, "E": milliseconds(t)} | book)

    def liquidation(self, t: float, side: str, price: str, quantity: str) -> None:
        order = {"s": self.symbol, "S": side, "p": price, "q": quantity, "ap": price}
        self.message(t, {"e": "forceOrder", "E": milliseconds(t), "o": order})

    def tick(self, t: float) -> None:
        self.stream(t, "bookTicker", {"b": "1", "B": "1", "a": "2", "A": "1"})

    def write(self, path: Path) -> Path:
        text = "".join(f"{line}\n" for line in self.lines)
        path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
        return path
