"""Time that passes in use: a call every ten minutes, as active hours count it."""

import math
from datetime import timedelta
from typing import Any

from asterism.clock import FixedClock
from asterism.graph import Graph

# The rates of the source document, an hour, as the half-lives that they come from.
TIERS = {"permanent": 0.00001, "durable": 0.001, "standard": 0.010, "ephemeral": 0.050}
BY_TAGS: dict[str, Any] = {
    "tiers": "by_tags",
    "text_half_life_hours": {name: math.log(2) / rate for name, rate in TIERS.items()},
}
STEP = timedelta(minutes=10)


async def spend(graph: Graph, clock: FixedClock, **time: Any) -> None:
    """Use a graph for some time, without a pause, and let its realm know."""
    left = timedelta(**time)
    hours = graph.memories.hours
    hours.note()
    while left > timedelta(0):
        step = min(left, STEP)
        clock.advance(seconds=step.total_seconds())
        hours.note()
        left -= step
    await hours.add()
