"""Price levels calculated a second time, item by item, from the rules alone.

Shares no code with the engine. One level is a plain object. Every item is applied the moment it
leaves the reorder buffer.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Item = dict[str, Any]

KINDS = ["persistence", "execution", "liquidation", "rejection"]
MINIMA = {"persistence": 10, "execution": 1000, "liquidation": 1, "rejection": 3}


@dataclass
class Level:
    center: Fraction
    last_at: float
    created: bool = False
    strength: float = 0.0
    confidence: float = 0.0
    sides: set[str] = field(default_factory=set)
    sums: dict[str, float] = field(default_factory=lambda: dict.fromkeys(KINDS, 0.0))
    runs: dict[str, float] = field(default_factory=dict)
    creating_run: str | None = None
    creating_kind: str = ""
    created_at: float = -1.0
    creation_amount: float = 0.0
    boosted_at: dict[str, float] = field(default_factory=dict)
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
    late_count: int = 0


def interaction_count(item: Item) -> int:
    """Return the number of interactions of an item."""
    return int(item["quantity"]) if item["kind"] in ("liquidation", "rejection") else 1


def factor(seconds: float) -> float:
    return max(0.0, 1 - 0.0001 * seconds)


class Oracle:
    """All levels of one symbol."""

    def __init__(self, **options: float | bool) -> None:
        self.auto_pass = options.get("auto_pass_s", 0.0)
        self.continuous = options.get("continuous", False)
        self.further_liquidation = options.get("liq_extra", 0.05)
        self.boost_gap = options.get("boost_gap_s", 0.0)
        self.carry = options.get("carry_pending", True)
        self.levels: list[Level] = []
        self.passes: list[float] = []
        self.event_ids: set[str] = set()
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
            if item["event_id"] in self.event_ids:
                self.duplicates += 1
                continue
            self.event_ids.add(item["event_id"])
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
        quantity, price = item["quantity"], float(item["price"])
        return (
            item["kind"] not in KINDS
            or item["side"] not in ("bid", "ask")
            or not math.isfinite(quantity)
            or quantity < 0
            or price <= 0
            or item["t"] > self.watermark + 60
        )

    def find(self, price: Fraction) -> Level | None:
        best = None
        for level in self.levels:
            distance = abs(price - level.center) / level.center
            if distance <= Fraction(5, 10000):
                rank = (not level.created, distance, level.center)
                if best is None or rank < best[0]:
                    best = (rank, level)
        return best[1] if best else None

    def committed(self, at: float) -> float:
        if self.continuous:
            return at
        passes = [p for p in self.passes if p <= at]
        if self.auto_pass:
            passes.append(math.floor(at / self.auto_pass) * self.auto_pass)
        return max(passes, default=-math.inf)

    def apply(self, item: Item) -> None:
        price, t, kind = Fraction(item["price"]), item["t"], item["kind"]
        level = self.find(price)
        if level is None:
            level = Level(price, t)
            self.levels.append(level)
        is_late = t < level.last_at
        level.late_count += is_late * interaction_count(item)
        level.sides.add(item["side"])
        if not level.created and t - level.last_at >= 10_000:
            level.sums = dict.fromkeys(KINDS, 0.0)
        quantity, repeated = self.count(level, item)
        if level.created:
            self.boost(level, item, kind, quantity, repeated, is_late)
        else:
            self.wait(level, item, kind, quantity)
        level.last_at = max(level.last_at, t)

    def count(self, level: Level, item: Item) -> tuple[float, bool]:
        kind, quantity, repeated = item["kind"], item["quantity"], False
        if kind == "persistence":
            run = item.get("run_id")
            repeated = run is not None and run in level.runs
            if run is not None:
                before = level.runs.get(run, 0.0)
                level.runs[run] = max(before, quantity)
                quantity = level.runs[run] - before
            level.seconds += quantity
            level.persistences += not repeated
        elif kind == "execution":
            level.executions += 1
            level.volume += quantity
            level.largest = max(level.largest, quantity)
            level.bought += quantity if item["side"] == "ask" else 0
            level.sold += quantity if item["side"] == "bid" else 0
        elif kind == "liquidation":
            level.liquidations += int(quantity)
            level.liquidation_usd += item.get("usd", 0.0)
        else:
            level.visits += int(quantity)
        if not repeated:
            level.interactions += interaction_count(item)
        return quantity, repeated

    def wait(self, level: Level, item: Item, kind: str, quantity: float) -> None:
        level.sums[kind] += quantity
        amount = level.sums[kind]
        if amount < MINIMA[kind]:
            return
        level.created = True
        level.creating_run = item.get("run_id")
        level.boosted_at[kind] = item["t"]
        level.creating_kind, level.created_at, level.creation_amount = kind, item["t"], amount
        start, level.confidence = {
            "persistence": (0.3 + 0.01 * amount, 0.6),
            "execution": (0.4 + 0.05 * amount / 1000, 0.7),
            "liquidation": (0.3 + 0.05 * amount, 0.5),
            "rejection": (0.4, min(1.0, 0.5 + 0.05 * amount)),
        }[kind]
        start = min(1.0, start)
        if self.carry:
            start += sum(min(0.1, 0.1 * level.sums[k] / MINIMA[k]) for k in KINDS if k != kind)
        level.strength = min(1.0, start) * factor(max(0.0, level.last_at - item["t"]))

    def boost(
        self, level: Level, item: Item, kind: str, quantity: float, repeated: bool, is_late: bool
    ) -> None:
        t = item["t"]
        joins_creation = kind == level.creating_kind == "rejection" and t == level.created_at
        level.creation_amount += quantity if joins_creation else 0.0
        first, gain = (
            (0.0, 0.0) if joins_creation else self.gains(level, item, kind, quantity, repeated)
        )
        if kind == "rejection":
            visits = level.creation_amount if joins_creation else level.visits
            level.confidence = max(level.confidence, min(1.0, 0.5 + 0.05 * visits))
        if is_late:
            level.strength = min(1.0, level.strength + gain * factor(level.last_at - t))
            return
        left = level.strength * factor(t - level.last_at)
        if left < 0.01 - 1e-12:
            level.strength = min(1.0, left + 0.2 + gain - first)
            level.resurrections += 1
        elif repeated:
            level.strength = min(1.0, level.strength + gain)
        else:
            base = level.strength * factor(max(0.0, self.committed(t) - level.last_at))
            level.strength = min(1.0, base + gain)

    def gains(
        self, level: Level, item: Item, kind: str, quantity: float, repeated: bool
    ) -> tuple[float, float]:
        """Return the strength that the first part of an item adds, and that all of it adds."""
        t = item["t"]
        if repeated:
            return 0.0, 0.01 * quantity if item["run_id"] == level.creating_run else 0.0
        if kind == level.creating_kind == "liquidation" and t == level.created_at:
            return self.further_liquidation, self.further_liquidation * quantity
        if (
            self.boost_gap
            and kind in level.boosted_at
            and 0 <= t - level.boosted_at[kind] < self.boost_gap
        ):
            return 0.0, 0.0
        parts = 1 if self.boost_gap and t >= level.boosted_at.get(kind, t) else quantity
        level.boosted_at[kind] = max(t, level.boosted_at.get(kind, t))
        if kind == "liquidation":
            first = 0.1 if level.liquidations == quantity else self.further_liquidation
            return first, first + self.further_liquidation * (parts - 1)
        return 0.1, 0.1 * parts if kind == "rejection" else 0.1
