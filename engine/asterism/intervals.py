"""Intervals of time as pairs of microseconds, and their union."""

from collections.abc import Iterable, Sequence

Interval = tuple[int, int]


def intervals(ends: Sequence[int]) -> list[Interval]:
    """Return the intervals of a flat list of their ends, as a realm keeps them."""
    return list(zip(ends[::2], ends[1::2], strict=True))


def union(parts: Iterable[Interval]) -> list[Interval]:
    """Join the intervals that overlap or touch, in order of time."""
    joined: list[Interval] = []
    for start, end in sorted(parts):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def length(parts: Iterable[Interval], since: int | None = None) -> int:
    """Return the time that intervals cover together, or the part of it after a time."""
    return sum(
        end - (start if since is None else max(start, since))
        for start, end in union(parts)
        if since is None or end > since
    )
