"""Price levels calculated a second time, item by item, from the rules alone.

Shares no code with the engine. One level is a plain object; every item is applied the moment it
leaves the reorder buffer.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Item = dict[str, Any]

KINDS = ["persistence", "execution", "liquidation", "rejection"]
NEEDED = {"persistence": 10, "execution": 1000, "liquidation": 1, "rejection": 3}


@dataclass
class Level:
    center: Fraction
    last: float
    live: bool = False
    strength: float = 0.0
    confidence: float = 0.0
    sides: set[str] = field(default_factory=set)
    window: dict[str, float] = field(default_factory=lambda: dict.fromkeys(KINDS, 0.0))
    runs: dict[str, float] = field(default_factory=dict)
    creating_run: str | None = None
    made_by: str = ""
    made_at: float = -1.0
    made_of: float = 0.0
    boosted: dict[str, float] = field(default_factory=dict)
    interactions: int = 0
    persistences: int = 0
    seconds: float = 0.0
    executions: int = 0
    volume: float = 0.0
    bought: float = 0.0
    sold: float = 0.0
    largest: float = 0.0
    liquidations: int = 0
    liquidation_usd: float = 0.0
    visits: int = 0
    resurrections: int = 0
    late: int = 0


def bundle(item: Item) -> int:
    """How many interactions an item is."""
    return int(item["quantity"]) if item["kind"] in ("liquidation", "rejection") else 1


def factor(seconds: float) -> float:
    return max(0.0, 1 - 0.0001 * seconds)


class Oracle:
    """All levels of one symbol."""

    def __init__(self, **options: float | bool) -> None:
        self.auto_pass = options.get("auto_pass_s", 0.0)
        self.continuous = options.get("continuous", False)
        self.extra = options.get("liq_extra", 0.05)
        self.gap = options.get("boost_gap_s", 0.0)
        self.carry = options.get("carry_pending", True)
        self.levels: list[Level] = []
        self.passes: list[float] = []
        self.known: set[str] = set()
        self.watermark = 0.0
        self.accepted = self.duplicates = self.rejected = 0

    def decay_pass(self, at: float) -> None:
        self.passes.append(at)

    def call(self, items: list[Item]) -> None:
        """One call of observe: sorted within a buffer of five seconds."""
        waiting: list[Item] = []
        newest = -math.inf
        for item in items:
            if self.bad(item):
                self.rejected += 1
                continue
            if item["event_id"] in self.known:
                self.duplicates += 1
                continue
            self.known.add(item["event_id"])
            self.accepted += 1
            self.watermark = max(self.watermark, item["t"])
            newest = max(newest, item["t"])
            waiting.append(item)
            waiting.sort(key=lambda i: (i["t"], KINDS.index(i["kind"]), i["event_id"]))
            while waiting and waiting[0]["t"] < newest - 5:
                self.apply(waiting.pop(0))
        for item in waiting:
            self.apply(item)

    def bad(self, item: Item) -> bool:
        q, price = item["quantity"], float(item["price"])
        return (
            item["kind"] not in KINDS
            or item["side"] not in ("bid", "ask")
            or not math.isfinite(q)
            or q < 0
            or price <= 0
            or item["t"] > self.watermark + 60
        )

    def find(self, price: Fraction) -> Level | None:
        best = None
        for level in self.levels:
            distance = abs(price - level.center) / level.center
            if distance <= Fraction(5, 10000):
                rank = (not level.live, distance, level.center)
                if best is None or rank < best[0]:
                    best = (rank, level)
        return best[1] if best else None

    def committed(self, at: float) -> float:
        if self.continuous:
            return at
        found = [p for p in self.passes if p <= at]
        if self.auto_pass:
            found.append(math.floor(at / self.auto_pass) * self.auto_pass)
        return max(found, default=-math.inf)

    def apply(self, item: Item) -> None:
        price, t, kind = Fraction(item["price"]), item["t"], item["kind"]
        level = self.find(price)
        if level is None:
            level = Level(price, t)
            self.levels.append(level)
        late = t < level.last
        level.late += late * bundle(item)
        level.sides.add(item["side"])
        if not level.live and t - level.last >= 10_000:
            level.window = dict.fromkeys(KINDS, 0.0)
        q, again = self.count(level, item)
        if level.live:
            self.boost(level, item, kind, q, again, late)
        else:
            self.wait(level, item, kind, q)
        level.last = max(level.last, t)

    def count(self, level: Level, item: Item) -> tuple[float, bool]:
        kind, q, again = item["kind"], item["quantity"], False
        if kind == "persistence":
            run = item.get("run_id")
            again = run is not None and run in level.runs
            if run is not None:
                before = level.runs.get(run, 0.0)
                level.runs[run] = max(before, q)
                q = level.runs[run] - before
            level.seconds += q
            level.persistences += not again
        elif kind == "execution":
            level.executions += 1
            level.volume += q
            level.largest = max(level.largest, q)
            level.bought += q if item["side"] == "ask" else 0
            level.sold += q if item["side"] == "bid" else 0
        elif kind == "liquidation":
            level.liquidations += int(q)
            level.liquidation_usd += item.get("usd", 0.0)
        else:
            level.visits += int(q)
        if not again:
            level.interactions += bundle(item)
        return q, again

    def wait(self, level: Level, item: Item, kind: str, q: float) -> None:
        level.window[kind] += q
        amount = level.window[kind]
        if amount < NEEDED[kind]:
            return
        level.live = True
        level.creating_run = item.get("run_id")
        level.boosted[kind] = item["t"]
        level.made_by, level.made_at, level.made_of = kind, item["t"], amount
        start, level.confidence = {
            "persistence": (0.3 + 0.01 * amount, 0.6),
            "execution": (0.4 + 0.05 * amount / 1000, 0.7),
            "liquidation": (0.3 + 0.05 * amount, 0.5),
            "rejection": (0.4, min(1.0, 0.5 + 0.05 * amount)),
        }[kind]
        start = min(1.0, start)
        if self.carry:
            start += sum(min(0.1, 0.1 * level.window[k] / NEEDED[k]) for k in KINDS if k != kind)
        level.strength = min(1.0, start) * factor(max(0.0, level.last - item["t"]))

    def boost(self, level: Level, item: Item, kind: str, q: float, again: bool, late: bool) -> None:
        t = item["t"]
        joined = kind == level.made_by == "rejection" and t == level.made_at
        level.made_of += q if joined else 0.0
        first, gain = (0.0, 0.0) if joined else self.gains(level, item, kind, q, again)
        if kind == "rejection":
            visits = level.made_of if joined else level.visits
            level.confidence = max(level.confidence, min(1.0, 0.5 + 0.05 * visits))
        if late:
            level.strength = min(1.0, level.strength + gain * factor(level.last - t))
            return
        left = level.strength * factor(t - level.last)
        if left < 0.01 - 1e-12:
            level.strength = min(1.0, left + 0.2 + gain - first)
            level.resurrections += 1
        elif again:
            level.strength = min(1.0, level.strength + gain)
        else:
            base = level.strength * factor(max(0.0, self.committed(t) - level.last))
            level.strength = min(1.0, base + gain)

    def gains(
        self, level: Level, item: Item, kind: str, q: float, again: bool
    ) -> tuple[float, float]:
        """What the first part of an item adds, and all of it."""
        t = item["t"]
        if again:
            return 0.0, 0.01 * q if item["run_id"] == level.creating_run else 0.0
        if kind == level.made_by == "liquidation" and t == level.made_at:
            return self.extra, self.extra * q
        if self.gap and kind in level.boosted and 0 <= t - level.boosted[kind] < self.gap:
            return 0.0, 0.0
        parts = 1 if self.gap and t >= level.boosted.get(kind, t) else q
        level.boosted[kind] = max(t, level.boosted.get(kind, t))
        if kind == "liquidation":
            first = 0.1 if level.liquidations == q else self.extra
            return first, first + self.extra * (parts - 1)
        return 0.1, 0.1 * parts if kind == "rejection" else 0.1
