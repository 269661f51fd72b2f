"""Random streams of evidence, beside an independent calculation."""

import math
import random
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.memories import MarketLevel
from tests.conftest import OpenGraph
from tests.support.market_world import LITERAL, START, Market, at
from tests.support.memories_oracle import Level, Oracle


def stream(random_: random.Random, length: int) -> list[dict[str, Any]]:
    """Return runs, trades, liquidations and rejections, some bad, some twice, some late."""
    items: list[dict[str, Any]] = []
    t, runs = 0.0, [f"run{n}" for n in range(6)]
    for number in range(length):
        t += random_.choice([0, 0.5, 1, 3, 20, 55])
        kind = random_.choice(["persistence", "execution", "liquidation", "rejection"])
        quantity = {
            "persistence": round(random_.uniform(0, 40), 1),
            "execution": round(random_.uniform(0, 4000), 2),
            "liquidation": float(random_.randint(1, 4)),
            "rejection": float(random_.randint(1, 4)),
        }[kind]
        price = f"{100 + random_.randint(-8, 8) * 0.03:.2f}"
        item = {"event_id": f"e{number:04}", "t": t, "symbol": "X", "price": price, "kind": kind}
        item |= {"side": random_.choice(["bid", "ask"]), "quantity": quantity, "usd": quantity}
        if kind == "persistence" and random_.random() < 0.7:
            item["run_id"] = random_.choice(runs)
        if random_.random() < 0.04:
            item |= random_.choice(
                [{"quantity": math.nan}, {"price": "0"}, {"kind": "?"}, {"t": t + 500}]
            )
        elif random_.random() < 0.04:
            item["t"] = max(0.0, t - random_.choice([7, 60, 400, 11_000]))
        items.append(item)
        if random_.random() < 0.05:
            items.append(dict(random_.choice(items)))
        if random_.random() < 0.004:
            t += random_.choice([3000, 9850, 12_000])
    return items


def shuffled(random_: random.Random, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As a network would deliver: everything up to five seconds late."""
    return sorted(items, key=lambda item: item["t"] + random_.uniform(0, 4.9))


@pytest.mark.slow
async def test_shuffled_within_the_buffer_and_repeated_it_ends_bit_for_bit_the_same(
    open_graph: OpenGraph,
) -> None:
    random_ = random.Random(5)
    items = [item for item in stream(random_, 200) if math.isfinite(item["quantity"])]
    in_order = sorted(items, key=lambda item: item["t"])
    ends = []
    for order in (in_order, shuffled(random_, in_order), shuffled(random_, in_order * 2)):
        market = Market(await open_graph(settings=LITERAL))
        await market.memories.observe([dated(item) for item in order], source="test")
        ends.append(await market.memories.levels("X", at=at(in_order[-1]["t"])))
    assert ends[0]
    assert ends[0] == ends[1] == ends[2]


def dated(item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name != "t"} | {"ts": at(item["t"])}


def exact_fields(level: MarketLevel) -> tuple[Any, ...]:
    return (
        f"{level.center.normalize():f}",
        level.state != "pending",
        level.side,
        round((level.last_interaction - START).total_seconds(), 6),
        level.interaction_count,
        level.persistence_count,
        level.execution_count,
        level.liquidation_count,
        level.visit_count,
        level.resurrection_count,
        level.late_count,
    )


def expected(level: Level) -> tuple[Any, ...]:
    return (
        f"{float(level.center):g}",
        level.created,
        "both" if len(level.sides) == 2 else next(iter(level.sides)),
        round(level.last_at, 6),
        level.interactions,
        level.persistences,
        level.executions,
        level.liquidations,
        level.visits,
        level.resurrections,
        level.late_count,
    )


def amounts(level: MarketLevel) -> list[float]:
    return [
        level.strength,
        level.confidence,
        level.persistence_seconds,
        level.volume_usd,
        level.taker_buy_usd,
        level.taker_sell_usd,
        level.largest_event_usd,
        level.liquidation_usd,
    ]


def expected_amounts(level: Level) -> list[float]:
    return [
        level.strength,
        level.confidence,
        level.seconds,
        level.volume,
        level.bought,
        level.sold,
        level.largest,
        level.liquidation_usd,
    ]


OPTIONS: list[dict[str, Any]] = [
    {"auto_pass_s": 0},
    {"auto_pass_s": 100},
    {"auto_pass_s": 0, "continuous": True},
    {"auto_pass_s": 0, "boost_gap_s": 30, "liq_extra": 0.1},
    {"auto_pass_s": 0, "carry_pending": False},
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
async def test_random_streams_end_as_an_independent_calculation_says(
    open_graph: OpenGraph, seed: int
) -> None:
    random_ = random.Random(seed)
    options = OPTIONS[seed % len(OPTIONS)]
    settings = {"memories": options | {"batch": random_.choice([7, 64, 1000])}}
    market = Market(await open_graph(settings=settings, clock=FixedClock(START)))
    oracle = Oracle(**options)
    offset = START.timestamp() if options["auto_pass_s"] else 0.0
    assert offset % 100 == 0
    items = shuffled(random_, stream(random_, 300))
    received = accepted = 0
    while items:
        size = random_.choice([1, 20, 120])
        call, items = items[:size], items[size:]
        oracle.call(call)
        receipt = await market.memories.observe([dated(item) for item in call], source="test")
        received, accepted = received + receipt.received, accepted + receipt.accepted
        if random_.random() < 0.5:
            when = call[-1]["t"] - random_.choice([0, 0, 30])
            oracle.decay_pass(when)
            await market.memories.decay_pass(at(when))
    assert (received, accepted) == (
        oracle.accepted + oracle.duplicates + oracle.rejected,
        oracle.accepted,
    )
    ids = [f"X@{float(level.center):g}" for level in oracle.levels]
    levels = {}
    for id, level in zip(ids, oracle.levels, strict=True):
        levels[id] = await market.one(level.last_at, id)
    for id, level in zip(ids, oracle.levels, strict=True):
        assert exact_fields(levels[id]) == expected(level)
        assert amounts(levels[id]) == pytest.approx(expected_amounts(level), abs=1e-9)
    nodes = (await market.graph.realms.stats()).nodes
    assert nodes["MarketLevel"] == len(ids)
