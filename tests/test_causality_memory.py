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


class Peaks:
    """The most memory that there was in the course of each session."""

    def __init__(self) -> None:
        self._before, _ = tracemalloc.get_traced_memory()
        self._of_sessions: list[int] = []

    @contextmanager
    def session(self) -> Iterator[None]:
        tracemalloc.reset_peak()
        yield
        self._of_sessions.append(tracemalloc.get_traced_memory()[1] - self._before)
        gc.collect()  # in a large process cycles wait for long

    def growth(self) -> float:
        """Return the last as a share of the first. One alone may have had to load something."""
        return median(self._of_sessions[-5:]) / median(self._of_sessions[:5])


@pytest.fixture
def peaks() -> Iterator[Peaks]:
    tracemalloc.start()
    try:
        yield Peaks()
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_extracting_more_sessions_takes_no_more_memory(peaks: Peaks) -> None:
    for number in range(SESSIONS):
        with peaks.session():
            extract(session(f"s{number}", LINES, number))
    assert peaks.growth() < 1.5  # what each session left behind would add up


@pytest.mark.slow
async def test_recording_more_sessions_takes_no_more_memory(graph: Graph, peaks: Peaks) -> None:
    for number in range(SESSIONS):
        source = session(f"s{number}", LINES, number)
        with peaks.session():
            await graph.causality.record(source.session_id, source.lines, dm=source.dm, embed=False)
    assert peaks.growth() < 1.5  # what each session left behind would add up
