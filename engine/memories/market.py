"""The rule of price levels: matching, creation, and what each kind of evidence adds."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

from pydantic import ValidationError

from engine.memories import problems
from engine.memories.model import Evidence, Kind, Side, micros, moment
from engine.memories.rule import Applied, Node, Passes, Place, Step
from engine.settings import MemoriesSettings

BAND_BPS = 5
CELL = -math.log(1 - 0.0005) * (1 + 1e-9)  # a matching pair lies in one cell or in neighbours
THRESHOLD = {
    Kind.PERSISTENCE: 10.0,
    Kind.EXECUTION: 1000.0,
    Kind.LIQUIDATION: 1.0,
    Kind.REJECTION: 3.0,
}
ORDER = {kind: index for index, kind in enumerate(Kind)}
CARRY = 0.1
CLOSED_RUNS_KEPT = 8


def ticks(price: Decimal) -> int:
    """A price as a whole number of ticks."""
    return int(price.scaleb(problems.TICK_DECIMALS))


def cell(price: Decimal) -> int:
    """The log-price cell a price lies in."""
    return math.floor(math.log(float(price)) / CELL)


def matches(price: int, center: int, bps: int = BAND_BPS) -> bool:
    """Whether a price lies within some basis points of a centre, both in ticks, exactly."""
    return abs(price - center) * 10_000 <= bps * center


def initial(kind: Kind, amount: float) -> tuple[float, float]:
    """Strength and confidence of a level that an amount of evidence makes."""
    match kind:
        case Kind.PERSISTENCE:
            return min(1.0, 0.3 + 0.01 * amount), 0.6
        case Kind.EXECUTION:
            return min(1.0, 0.4 + 0.05 * amount / 1000), 0.7
        case Kind.LIQUIDATION:
            return min(1.0, 0.3 + 0.05 * amount), 0.5
        case Kind.REJECTION:
            return 0.4, rejection_confidence(amount)


def rejection_confidence(visits: float) -> float:
    """How sure a number of rejections makes."""
    return min(1.0, 0.5 + 0.05 * visits)


class MarketRule:
    """How price levels take evidence."""

    label = "MarketLevel"

    def __init__(self, settings: MemoriesSettings) -> None:
        self._settings = settings

    def parse(self, raw: Any) -> Evidence:
        try:
            item = raw if isinstance(raw, Evidence) else Evidence.model_validate(raw)
        except ValidationError as error:
            [first, *_] = error.errors()
            raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
        problem = problems.found(item)
        if problem:
            raise ValueError(problem)
        return item.model_copy(update={"price": Decimal(item.price), "kind": Kind(item.kind)})

    def order(self, item: Evidence) -> tuple[Any, ...]:
        return item.ts, ORDER[Kind(item.kind)], item.event_id

    def place(self, item: Evidence) -> Place:
        middle = cell(Decimal(item.price))
        return Place(item.symbol, (middle - 1, middle, middle + 1))

    def match(self, item: Evidence, nodes: list[Node]) -> Node | None:
        price = ticks(Decimal(item.price))
        near = [node for node in nodes if matches(price, node.properties["center_ticks"])]
        return min(near, key=lambda node: _preference(price, node), default=None)

    def create(self, item: Evidence) -> Node:
        price = Decimal(item.price)
        at = micros(item.ts)
        written = f"{price.normalize():f}"
        fixed = {
            "kind": "market",
            "decay": "linear",
            "clock": "wall",
            "rate": self._settings.market_rate,
            "archive_below": self._settings.market_archive_below,
            "symbol": item.symbol,
            "center": written,
            "center_ticks": ticks(price),
            "bucket": cell(price),
            "first_seen": item.ts,
            "state": "pending",
            "strength": 0.0,
            "confidence": 0.0,
            "anchor": at,
        }
        return Node(f"{item.symbol}@{written}", dict(fixed), fixed=fixed)

    def apply(self, node: Node, item: Evidence, passes: Passes) -> None:
        kind = Kind(item.kind)
        at = micros(item.ts)
        late = at < node.latest
        if node.get("state", "pending") == "pending":
            self._reset_if_idle(node, at)
        amount, known_run = self._count(node, item, kind)
        if node.get("state", "pending") == "pending":
            effect = self._wait(node, item, kind, amount)
        else:
            effect = self._boost(node, item, kind, amount, known_run, passes)
        if late:
            node.add("late_count", 1)
            effect = f"late {effect}"
        node.latest = max(at, node.latest)
        node.title = f"{node.properties['symbol']} {node.properties['center']}"
        node.put(side=_joined(node.get("side", None), item), last_interaction=moment(node.latest))
        node.applied.append(Applied(item, effect, has_step=effect.endswith("boosted")))

    def _count(self, node: Node, item: Evidence, kind: Kind) -> tuple[float, bool]:
        """Raise the lifetime counters; returns the new amount, and whether its run was known."""
        amount, known = item.quantity, False
        if kind is Kind.PERSISTENCE:
            amount, known = _credit(node, item)
            node.add("persistence_seconds", amount)
            node.add("persistence_count", 0 if known else 1)
        elif kind is Kind.EXECUTION:
            node.add("execution_count", 1)
            node.add("volume_usd", amount)
            bought = problems.bought(item)
            node.add("taker_buy_usd", bought)
            node.add("taker_sell_usd", amount - bought)
            node.put(largest_event_usd=max(amount, node.get("largest_event_usd", 0.0)))
        elif kind is Kind.LIQUIDATION:
            node.add("liquidation_count", int(amount))
            node.add("liquidation_usd", item.usd)
        else:
            node.add("visit_count", int(amount))
        counted = int(amount) if kind is Kind.LIQUIDATION else 1
        node.add("interaction_count", 0 if known else counted)
        return amount, known

    def _reset_if_idle(self, node: Node, at: int) -> None:
        if at - node.latest >= 1_000_000 / self._settings.market_rate:
            node.put(**{_window(kind): 0.0 for kind in Kind})

    def _wait(self, node: Node, item: Evidence, kind: Kind, amount: float) -> str:
        """Add to a pending level's window; at the threshold of this kind the level is made."""
        gathered = node.get(_window(kind), 0.0) + amount
        node.put(**{_window(kind): gathered})
        if gathered < THRESHOLD[kind]:
            return "waiting"
        strength, confidence = initial(kind, gathered)
        if self._settings.carry_pending:
            others = [other for other in Kind if other is not kind]
            strength += sum(
                CARRY * min(1.0, node.get(_window(other), 0.0) / THRESHOLD[other])
                for other in others
            )
        at = micros(item.ts)
        anchor = max(at, node.latest)
        overdue = max(0.0, 1 - self._settings.market_rate * (anchor - at) / 1e6)
        node.start = {
            "strength": min(1.0, strength) * overdue,
            "anchor": anchor,
            "creation_reason": kind.value,
            "created_at": item.ts,
        }
        node.put(state="live", confidence=confidence, creating_run=item.run_id)
        node.put(**{_boosted(kind): at}, **{_window(other): None for other in Kind})
        return "created"

    def _boost(
        self, node: Node, item: Evidence, kind: Kind, amount: float, known_run: bool, passes: Passes
    ) -> str:
        at = micros(item.ts)
        gain, first = self._gain(node, item, kind, amount, known_run)
        node.steps.append(
            Step(at, passes.before(at), gain, rest=max(0.0, gain - first), keep=known_run)
        )
        if kind is Kind.REJECTION:
            visits = rejection_confidence(node.get("visit_count", 0))
            node.put(confidence=max(node.get("confidence", 0.0), visits))
        return "boosted"

    def _gain(
        self, node: Node, item: Evidence, kind: Kind, amount: float, known_run: bool
    ) -> tuple[float, float]:
        """What an item adds, and the part of it that a return from the archive replaces."""
        settings = self._settings
        if known_run:
            creating = item.run_id == node.get("creating_run", None)
            return (0.01 * amount if creating else 0.0), 0.0
        at = micros(item.ts)
        gap = at - node.get(_boosted(kind), at - 10**18)
        if settings.boost_gap_s and 0 <= gap < settings.boost_gap_s * 1_000_000:
            return 0.0, 0.0
        node.put(**{_boosted(kind): max(at, node.get(_boosted(kind), at))})
        if kind is not Kind.LIQUIDATION:
            return settings.boost, settings.boost
        if amount < 1:
            return 0.0, 0.0
        ever = node.get("liquidation_count", 0) > amount
        first = settings.liq_extra if ever else settings.boost
        return first + settings.liq_extra * (amount - 1), first


def _preference(price: int, node: Node) -> tuple[bool, Fraction, int]:
    center = node.properties["center_ticks"]
    pending = node.get("state", "pending") == "pending"
    return pending, Fraction(abs(price - center), center), center


def _window(kind: Kind) -> str:
    return f"waiting_{kind.value}"


def _boosted(kind: Kind) -> str:
    return f"boosted_{kind.value}"


def _joined(side: str | None, item: Evidence) -> str:
    return item.side if side in (None, item.side) else Side.BOTH.value


def _credit(node: Node, item: Evidence) -> tuple[float, bool]:
    """The seconds of a run that are new, and whether the run was known here before."""
    if item.run_id is None:
        return item.quantity, False
    names = ("run_ids", "run_seconds", "run_open")
    runs = {
        run: (seconds, live)
        for run, seconds, live in zip(*(node.get(n, []) for n in names), strict=True)
    }
    known = item.run_id in runs
    credited, was_open = runs.pop(item.run_id, (0.0, True))
    seconds = max(credited, item.quantity)
    runs[item.run_id] = (seconds, was_open and not item.run_ended)
    closed = [run for run, (_, live) in runs.items() if not live]
    for run in closed[:-CLOSED_RUNS_KEPT]:
        del runs[run]
    node.put(
        run_ids=list(runs),
        run_seconds=[seconds for seconds, _ in runs.values()],
        run_open=[live for _, live in runs.values()],
    )
    return seconds - credited, known
