"""Time that passes in use: a call every ten minutes, as active hours count it."""

from datetime import timedelta
from typing import Any

from engine.clock import FixedClock
from engine.graph import Graph

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
