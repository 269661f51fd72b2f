"""The evidence rule of price levels: matching, creation, and the effect of each kind."""

import math
from datetime import UTC
from decimal import Decimal
from fractions import Fraction
from typing import Any

from asterism.memories.decay_passes import SECOND, DecayPasses
from asterism.memories.evidence_rule import Applied, Location, MemoryUpdate, Step
from asterism.memories.market import evidence_checks
from asterism.memories.market.evidence_checks import interactions
from asterism.memories.market.models import Evidence, Kind, Side
from asterism.memories.market.price_grid import CELL, cell, matches, ticks
from asterism.settings import MemoriesSettings
from asterism.timestamps import from_micros, to_micros

ORDER = {kind: index for index, kind in enumerate(Kind)}
MOST_CLOSED_RUNS = 8
WITHOUT_STEP = ("waiting", "created")


class PriceLevelRule:
    """Evidence rule of price levels (docs/reference/memories.md)."""

    label = "MarketLevel"

    def __init__(self, settings: MemoriesSettings) -> None:
        self._settings = settings
        self._minima: dict[str, float] = {
            Kind.PERSISTENCE: settings.persistence_minimum_s,
            Kind.EXECUTION: settings.execution_minimum_usd,
            Kind.LIQUIDATION: settings.liquidation_minimum,
            Kind.REJECTION: settings.rejection_minimum_visits,
        }
        self._reach = math.ceil(-math.log(1 - settings.band_bps / 10_000) / CELL)

    def parse(self, raw: Any) -> Evidence:
        item = evidence_checks.parse_evidence(raw)
        exact = {"price": Decimal(item.price), "kind": Kind(item.kind)}
        return item.model_copy(update=exact | {"ts": item.ts.astimezone(UTC), "counted": None})

    def order(self, item: Evidence) -> tuple[Any, ...]:
        return item.ts, ORDER[Kind(item.kind)], item.event_id

    def locate(self, item: Evidence) -> Location:
        middle = cell(Decimal(item.price))
        cells = range(middle - self._reach, middle + self._reach + 1)
        return Location(item.symbol, tuple(cells))

    def match(self, item: Evidence, memories: list[MemoryUpdate]) -> MemoryUpdate | None:
        """Return the level of a price: live before pending, then the nearest, then the lowest."""
        price, bps = ticks(Decimal(item.price)), self._settings.band_bps
        levels = [level for level in memories if matches(price, _center(level), bps)]
        return min(levels, key=lambda level: _preference(price, level), default=None)

    def create(self, item: Evidence) -> MemoryUpdate:
        price = Decimal(item.price)
        center = f"{price.normalize():f}"
        properties = {
            "kind": "market",
            "decay": "linear",
            "clock": "wall",
            "rate": self._settings.market_rate,
            "archive_below": self._settings.market_archive_below,
            "symbol": item.symbol,
            "center": center,
            "center_ticks": ticks(price),
            "bucket": cell(price),
            "first_seen": item.ts,
            "state": "pending",
            "strength": 0.0,
            "confidence": 0.0,
            "anchor": to_micros(item.ts),
        }
        return MemoryUpdate(f"{item.symbol}@{center}", dict(properties), on_create=properties)

    def apply(self, memory: MemoryUpdate, item: Evidence, passes: DecayPasses) -> None:
        at = to_micros(item.ts)
        late = at < memory.latest_at
        if _is_pending(memory):
            self._reset_if_idle(memory, at)
            amount, _ = _count(memory, item)
            effect = self._accumulate(memory, item, amount)
        else:
            amount, repeated = _count(memory, item)
            effect = self._boost(memory, item, amount, repeated, passes)
        if late:
            memory.increment("late_count", interactions(item))
            effect = f"late {effect}"
        memory.latest_at = max(at, memory.latest_at)
        memory.title = f"{memory.properties['symbol']} {memory.properties['center']}"
        side = memory.get("side", None)
        memory.update(
            side=item.side if side in (None, item.side) else Side.BOTH.value,
            last_interaction=from_micros(memory.latest_at),
        )
        memory.applied.append(Applied(item, effect, has_step=not effect.endswith(WITHOUT_STEP)))

    def _reset_if_idle(self, memory: MemoryUpdate, at: int) -> None:
        """Clear the sums of a pending level after 1 / market_rate seconds without evidence."""
        if at - memory.latest_at >= SECOND / self._settings.market_rate:
            memory.update(**{_sum_name(kind): 0.0 for kind in Kind})

    def _accumulate(self, memory: MemoryUpdate, item: Evidence, amount: float) -> str:
        """Add to the sum of a pending level, and create the level at the minimum of its kind."""
        kind = Kind(item.kind)
        total = memory.get(_sum_name(kind), 0.0) + amount
        memory.update(**{_sum_name(kind): total})
        if total < self._minima[kind]:
            return "waiting"
        shares = [
            min(1.0, memory.get(_sum_name(other), 0.0) / self._minima[other])
            for other in Kind
            if other is not kind
        ]
        at = to_micros(item.ts)
        anchor = max(at, memory.latest_at)
        memory.creation = {
            "kind": kind.value,
            "amount": total,
            "shares": sum(shares) if self._settings.carry_pending else 0.0,
            "anchor": anchor,
            "late_by": anchor - at,
        }
        memory.update(state="live", creation_reason=kind.value, created_at=item.ts)
        memory.update(creating_run=item.run_id, creating_visit=_visit_id(item))
        if kind is Kind.REJECTION:
            memory.rejection_count = int(total)
            memory.update(creation_visits=memory.rejection_count)
        memory.update(**{_boosted_name(kind): at}, **{_sum_name(other): None for other in Kind})
        return "created"

    def _boost(
        self,
        memory: MemoryUpdate,
        item: Evidence,
        amount: float,
        repeated: bool,
        passes: DecayPasses,
    ) -> str:
        at = to_micros(item.ts)
        gains = self._gains(memory, item, amount, repeated)
        memory.steps.append(Step(at, passes.before(at), skip_decay=repeated, **gains))
        if item.kind == Kind.REJECTION:
            joins = _joins_creation(memory, item)
            if joins:
                memory.update(creation_visits=memory.get("creation_visits", 0) + int(amount))
            visits = memory.get("creation_visits" if joins else "visit_count", 0)
            memory.rejection_count = max(memory.rejection_count or 0, visits)
        return "grown" if repeated and item.kind == Kind.EXECUTION else "boosted"

    def _gains(
        self, memory: MemoryUpdate, item: Evidence, amount: float, repeated: bool
    ) -> dict[str, Any]:
        """Return the fields of Step that say how much an item adds."""
        kind, at = Kind(item.kind), to_micros(item.ts)
        if repeated and kind is Kind.PERSISTENCE:
            return {"seconds": amount} if item.run_id == memory.get("creating_run", None) else {}
        if repeated:
            return {"usd": amount} if _visit_id(item) == memory.get("creating_visit", None) else {}
        parts = interactions(item)
        if kind in evidence_checks.BUNDLES and _joins_creation(memory, item):
            return {"further_liquidations": parts} if kind is Kind.LIQUIDATION else {}
        since = at - memory.get(_boosted_name(kind), at - 10**18)
        gap_us = self._settings.boost_gap_s * SECOND
        if gap_us and since >= 0:
            parts = 0 if since < gap_us else min(parts, 1)  # the others come within the gap
        if not parts:
            return {}
        memory.update(**{_boosted_name(kind): max(at, memory.get(_boosted_name(kind), 0))})
        if kind is not Kind.LIQUIDATION:
            return {"boosts": parts}
        if memory.get("liquidation_count", 0) == amount:
            return {"boosts": 1, "further_liquidations": parts - 1}
        return {"further_liquidations": parts}


def _center(level: MemoryUpdate) -> int:
    return int(level.properties["center_ticks"])


def _is_pending(level: MemoryUpdate) -> bool:
    return bool(level.get("state", "pending") == "pending")


def _preference(price: int, level: MemoryUpdate) -> tuple[bool, Fraction, int]:
    center = _center(level)
    return _is_pending(level), Fraction(abs(price - center), center), center


def _joins_creation(memory: MemoryUpdate, item: Evidence) -> bool:
    """Return whether an item came at the instant at which its kind created the level.

    It is part of that creation then, as it would be in one bundle with the others.
    """
    if memory.get("creation_reason", None) != item.kind:
        return False
    return to_micros(memory.get("created_at", None)) == to_micros(item.ts)


def _visit_id(item: Evidence) -> str | None:
    return item.event_id if item.cumulative else None


def _sum_name(kind: Kind) -> str:
    return f"waiting_{kind.value}"


def _boosted_name(kind: Kind) -> str:
    return f"boosted_{kind.value}"


def _count(memory: MemoryUpdate, item: Evidence) -> tuple[float, bool]:
    """Raise the lifetime counters, and return the new amount and if its run or visit repeats."""
    amount, repeated = item.quantity, False
    match Kind(item.kind):
        case Kind.PERSISTENCE:
            amount, repeated = _count_run(memory, item)
            memory.increment("persistence_seconds", amount)
            memory.increment("persistence_count", 0 if repeated else 1)
        case Kind.EXECUTION:
            amount, repeated = _count_visit(memory, item)
        case Kind.LIQUIDATION:
            memory.increment("liquidation_count", int(amount))
            memory.increment("liquidation_usd", item.usd)
        case Kind.REJECTION:
            memory.increment("visit_count", int(amount))
    memory.increment("interaction_count", 0 if repeated else interactions(item))
    return amount, repeated


def _count_visit(memory: MemoryUpdate, item: Evidence) -> tuple[float, bool]:
    """Count the USD of a visit that are new."""
    counted_usd, counted_bought = item.counted or (0.0, 0.0)
    amount = max(0.0, item.quantity - counted_usd)
    bought = min(amount, max(0.0, evidence_checks.taker_buys(item) - counted_bought))
    repeated = item.counted is not None
    memory.increment("execution_count", 0 if repeated else 1)
    memory.increment("volume_usd", amount)
    memory.increment("taker_buy_usd", bought)
    memory.increment("taker_sell_usd", amount - bought)
    memory.update(largest_event_usd=max(item.quantity, memory.get("largest_event_usd", 0.0)))
    return amount, repeated


def _count_run(memory: MemoryUpdate, item: Evidence) -> tuple[float, bool]:
    """Count the seconds of a run that are new."""
    if item.run_id is None:
        return item.quantity, False
    lists = (memory.get(name, []) for name in ("run_ids", "run_seconds", "run_open"))
    runs = {run: (seconds, is_open) for run, seconds, is_open in zip(*lists, strict=True)}
    repeated = item.run_id in runs
    credited, was_open = runs.pop(item.run_id, (0.0, True))
    seconds = max(credited, item.quantity)
    runs[item.run_id] = (seconds, was_open and not item.run_ended)
    closed = [run for run, (_, is_open) in runs.items() if not is_open]
    for run in closed[:-MOST_CLOSED_RUNS]:
        del runs[run]
    memory.update(
        run_ids=list(runs),
        run_seconds=[seconds for seconds, _ in runs.values()],
        run_open=[is_open for _, is_open in runs.values()],
    )
    return seconds - credited, repeated
