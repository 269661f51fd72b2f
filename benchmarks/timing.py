"""Measurement of time: medians, and two pieces of work in turns."""

import time
from collections.abc import Awaitable, Callable
from statistics import median


def milliseconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Return the median time of a piece of work."""
    return median(_timed(work) for _ in range(repeats))


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


async def timed(work: Awaitable[object]) -> float:
    """Wait for some work and return its milliseconds."""
    start = time.perf_counter()
    await work
    return (time.perf_counter() - start) * 1000


async def seconds(work: Awaitable[object]) -> float:
    """Wait for some work and return its seconds."""
    return await timed(work) / 1000


async def alternating(
    first: Callable[[], Awaitable[object]], second: Callable[[], Awaitable[object]], rounds: int
) -> tuple[float, float]:
    """Return the median milliseconds of two pieces of work, in turns so that noise hits both."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(rounds):
        for index in (turn % 2, 1 - turn % 2):
            times[index].append(await timed((first, second)[index]()))
    return median(times[0]), median(times[1])
