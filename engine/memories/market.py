"""The rule of price levels: matching, creation, and what each kind of evidence adds."""

import math
from datetime import UTC
from decimal import Decimal
from fractions import Fraction
from typing import Any

from pydantic import ValidationError

from engine.memories import problems
from engine.memories.model import Evidence, Kind, Side, micros, moment
from engine.memories.rule import Applied, Node, Passes, Place, Step
from engine.settings import MemoriesSettings

BAND_BPS = 5
CELL = -math.log(1 - 0.0005) * (1 + 1e-9)  # of 5 basis points, whatever the band: it is stored
ORDER = {kind: index for index, kind in enumerate(Kind)}
CLOSED_RUNS_KEPT = 8
WITHOUT_STEP = ("waiting", "created")


def ticks(price: Decimal) -> int:
    """A price as a whole number of ticks."""
    return int(price.scaleb(problems.TICK_DECIMALS))


def cell(price: Decimal) -> int:
    """The log-price cell a price lies in."""
    return math.floor(math.log(float(price)) / CELL)


def matches(price: int, center: int, bps: int = BAND_BPS) -> bool:
    """Whether a price lies within some basis points of a centre, both in ticks, exactly."""
    return abs(price - center) * 10_000 <= bps * center


def minimum(kind: Kind, settings: MemoriesSettings) -> float:
    """Return the amount of evidence of a kind that makes a level."""
    match kind:
        case Kind.PERSISTENCE:
            return settings.persistence_minimum_s
        case Kind.EXECUTION:
            return settings.execution_minimum_usd
        case Kind.LIQUIDATION:
            return settings.liquidation_minimum
        case Kind.REJECTION:
            return settings.rejection_minimum_visits


class MarketRule:
    """How price levels take evidence."""

    label = "MarketLevel"

    def __init__(self, settings: MemoriesSettings) -> None:
        self._settings = settings
        self._minima = {kind: minimum(kind, settings) for kind in Kind}
        self._reach = math.ceil(-math.log(1 - settings.band_bps / 10_000) / CELL)

    def parse(self, raw: Any) -> Evidence:
        try:
            item = raw if isinstance(raw, Evidence) else Evidence.model_validate(raw)
        except ValidationError as error:
            raise ValueError(_first_problem(error)) from error
        problem = problems.found(item)
        if problem:
            raise ValueError(problem)
        exact = {"price": Decimal(item.price), "kind": Kind(item.kind)}
        return item.model_copy(update=exact | {"ts": item.ts.astimezone(UTC), "counted": None})

    def order(self, item: Evidence) -> tuple[Any, ...]:
        return item.ts, ORDER[Kind(item.kind)], item.event_id

    def place(self, item: Evidence) -> Place:
        middle = cell(Decimal(item.price))
        return Place(item.symbol, tuple(range(middle - self._reach, middle + self._reach + 1)))

    def match(self, item: Evidence, nodes: list[Node]) -> Node | None:
        price = ticks(Decimal(item.price))
        bps = self._settings.band_bps
        near = [node for node in nodes if matches(price, node.properties["center_ticks"], bps)]
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
            node.add("late_count", _interactions(item, kind))
            effect = f"late {effect}"
        node.latest = max(at, node.latest)
        node.title = f"{node.properties['symbol']} {node.properties['center']}"
        node.put(side=_joined(node.get("side", None), item), last_interaction=moment(node.latest))
        node.applied.append(Applied(item, effect, has_step=not effect.endswith(WITHOUT_STEP)))

    def _count(self, node: Node, item: Evidence, kind: Kind) -> tuple[float, bool]:
        """Raise the lifetime counters; returns the new amount, and whether its run was known."""
        amount, known = item.quantity, False
        if kind is Kind.PERSISTENCE:
            amount, known = _credit(node, item)
            node.add("persistence_seconds", amount)
            node.add("persistence_count", 0 if known else 1)
        elif kind is Kind.EXECUTION:
            amount, known = _trade(node, item)
        elif kind is Kind.LIQUIDATION:
            node.add("liquidation_count", int(amount))
            node.add("liquidation_usd", item.usd)
        else:
            node.add("visit_count", int(amount))
        node.add("interaction_count", 0 if known else _interactions(item, kind))
        return amount, known

    def _reset_if_idle(self, node: Node, at: int) -> None:
        if at - node.latest >= 1_000_000 / self._settings.market_rate:
            node.put(**{_window(kind): 0.0 for kind in Kind})

    def _wait(self, node: Node, item: Evidence, kind: Kind, amount: float) -> str:
        """Add to a pending level's window; at the minimum of this kind the level is made."""
        gathered = node.get(_window(kind), 0.0) + amount
        node.put(**{_window(kind): gathered})
        if gathered < self._minima[kind]:
            return "waiting"
        waiting = {other: node.get(_window(other), 0.0) for other in Kind if other is not kind}
        shares = [min(1.0, amount / self._minima[other]) for other, amount in waiting.items()]
        at = micros(item.ts)
        anchor = max(at, node.latest)
        node.creation = {
            "kind": kind.value,
            "amount": gathered,
            "carried": sum(shares) if self._settings.carry_pending else 0.0,
            "anchor": anchor,
            "behind": anchor - at,
        }
        node.put(state="live", creation_reason=kind.value, created_at=item.ts)
        node.put(creating_run=item.run_id, creating_visit=_visit(item))
        if kind is Kind.REJECTION:
            node.visits = int(gathered)
            node.put(creation_visits=node.visits)
        node.put(**{_boosted(kind): at}, **{_window(other): None for other in Kind})
        return "created"

    def _boost(
        self, node: Node, item: Evidence, kind: Kind, amount: float, known: bool, passes: Passes
    ) -> str:
        at = micros(item.ts)
        brings = self._brings(node, item, kind, amount, known)
        node.steps.append(Step(at, passes.before(at), keep=known, **brings))
        if kind is Kind.REJECTION:
            joins = _joins_creation(node, item)
            if joins:
                node.put(creation_visits=node.get("creation_visits", 0) + int(amount))
            visits = node.get("creation_visits" if joins else "visit_count", 0)
            node.visits = max(node.visits or 0, visits)
        return "grown" if known and kind is Kind.EXECUTION else "boosted"

    def _brings(
        self, node: Node, item: Evidence, kind: Kind, amount: float, known: bool
    ) -> dict[str, Any]:
        """Return what an item adds, in the units that the settings weigh."""
        if known and kind is Kind.PERSISTENCE:
            return {"seconds": amount} if item.run_id == node.get("creating_run", None) else {}
        if known:
            return {"usd": amount} if _visit(item) == node.get("creating_visit", None) else {}
        parts = _interactions(item, kind)
        if kind in problems.COUNTED and _joins_creation(node, item):
            return {"extras": parts} if kind is Kind.LIQUIDATION else {}
        since = micros(item.ts) - node.get(_boosted(kind), micros(item.ts) - 10**18)
        gap_us = self._settings.boost_gap_s * 1_000_000
        if gap_us and since >= 0:
            parts = 0 if since < gap_us else min(parts, 1)  # the others come within the gap
        if not parts:
            return {}
        node.put(**{_boosted(kind): max(micros(item.ts), node.get(_boosted(kind), 0))})
        if kind is not Kind.LIQUIDATION:
            return {"boosts": parts}
        first = node.get("liquidation_count", 0) == amount
        return {"boosts": 1, "extras": parts - 1} if first else {"extras": parts}


def _preference(price: int, node: Node) -> tuple[bool, Fraction, int]:
    center = node.properties["center_ticks"]
    pending = node.get("state", "pending") == "pending"
    return pending, Fraction(abs(price - center), center), center


def _first_problem(error: ValidationError) -> str:
    """Return the first field that a model refused, and why."""
    try:
        [first, *_] = error.errors(include_url=False, include_context=False, include_input=False)
    except ValueError:  # Python refuses to print a number of more than 4,300 digits
        return "item: a number of too many digits"
    name = problems.shown(first["loc"][0]).strip("'") if first["loc"] else "item"
    return f"{name}: {first['msg'].removeprefix('Value error, ')}"


def _interactions(item: Evidence, kind: Kind) -> int:
    """Return how many interactions an item is: a bundle is as many as it counts."""
    return int(item.quantity) if kind in problems.COUNTED else 1


def _joins_creation(node: Node, item: Evidence) -> bool:
    """Return whether an item came at the instant at which its kind made the level.

    It is part of that creation then, as it would be in one bundle with the others.
    """
    if node.get("creation_reason", None) != item.kind:
        return False
    return micros(node.get("created_at", None)) == micros(item.ts)


def _visit(item: Evidence) -> str | None:
    return item.event_id if item.cumulative else None


def _trade(node: Node, item: Evidence) -> tuple[float, bool]:
    """Return the USD of a visit that are new, and whether the visit was known here before."""
    counted_usd, counted_bought = item.counted or (0.0, 0.0)
    amount = max(0.0, item.quantity - counted_usd)
    bought = min(amount, max(0.0, problems.bought(item) - counted_bought))
    known = item.counted is not None
    node.add("execution_count", 0 if known else 1)
    node.add("volume_usd", amount)
    node.add("taker_buy_usd", bought)
    node.add("taker_sell_usd", amount - bought)
    node.put(largest_event_usd=max(item.quantity, node.get("largest_event_usd", 0.0)))
    return amount, known


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
