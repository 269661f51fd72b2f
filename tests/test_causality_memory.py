"""Memory of Python while sessions stream through: that of one session, however many they are."""

import gc
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

import pytest

from asterism.causality import extract
from asterism.graph import Graph
from benchmarks.causality import session

LINES = 400
SESSIONS = 16


class Memory:
    """Memory that each session takes while it runs, and that it leaves behind."""

    def __init__(self) -> None:
        self._peaks: list[int] = []
        self._left: list[int] = []

    @contextmanager
    def session(self) -> Iterator[None]:
        gc.collect()  # in a large process cycles wait for long
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        yield
        self._peaks.append(tracemalloc.get_traced_memory()[1] - before)
        gc.collect()
        self._left.append(tracemalloc.get_traced_memory()[0] - before)

    def growth(self) -> float:
        """Return the peak at the end, with all that was left until then, by that at the beginning.

        Medians, since a single session may have had to load something.
        """
        left = SESSIONS * max(0, median(self._left))
        return (median(self._peaks[-5:]) + left) / median(self._peaks[:5])


@pytest.fixture
def memory() -> Iterator[Memory]:
    tracemalloc.start()
    try:
        yield Memory()
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_extracting_more_sessions_takes_no_more_memory(memory: Memory) -> None:
    for number in range(SESSIONS):
        with memory.session():
            extract(session(f"s{number}", LINES, number))
    assert memory.growth() < 1.2


@pytest.mark.slow
async def test_recording_more_sessions_takes_no_more_memory(graph: Graph, memory: Memory) -> None:
    for number in range(SESSIONS):
        source = session(f"s{number}", LINES, number)
        with memory.session():
            await graph.causality.record(source.session_id, source.lines, dm=source.dm, embed=False)
    assert memory.growth() < 1.2
