"""Memory of Python while sessions stream through: that of one session, however many they are."""

import gc
import tracemalloc

import pytest

from asterism.causality import extract
from asterism.graph import Graph
from benchmarks.causality import session

LINES = 400


def measured_extraction(sessions: int) -> int:
    """Return the most memory that extracting so many sessions takes, one after the other."""
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    for number in range(sessions):
        extract(session(f"s{number}", LINES, number))
        gc.collect()  # in a large process cycles wait for long
    return tracemalloc.get_traced_memory()[1] - before


async def measured_recording(graph: Graph, first: int, sessions: int) -> int:
    """Return the most memory that recording so many sessions takes, one after the other."""
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    for number in range(first, first + sessions):
        source = session(f"s{number}", LINES, number)
        await graph.causality.record(source.session_id, source.lines, dm=source.dm, embed=False)
        gc.collect()
    return tracemalloc.get_traced_memory()[1] - before


@pytest.mark.slow
def test_extracting_more_sessions_takes_no_more_memory() -> None:
    extract(session("warm", LINES, 0))
    tracemalloc.start()
    try:
        few, many = measured_extraction(5), measured_extraction(20)
    finally:
        tracemalloc.stop()
    assert many < 1.2 * few, (few, many)


@pytest.mark.slow
async def test_recording_more_sessions_takes_no_more_memory(graph: Graph) -> None:
    await measured_recording(graph, 0, 2)
    tracemalloc.start()
    try:
        few = await measured_recording(graph, 2, 4)
        many = await measured_recording(graph, 6, 12)
    finally:
        tracemalloc.stop()
    assert many < 1.2 * few, (few, many)
