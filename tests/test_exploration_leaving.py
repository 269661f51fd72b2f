"""Every way of leaving an exploration before its end, and that nothing is written then."""

import asyncio
import gc
import warnings
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest

from asterism.errors import Conflict, ExplorationTimeout, InvalidInput
from asterism.exploration import Event, EventType, Exploration, Stream
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.exploration_world import Q3, Toy, contents, load, s1

WORDS: dict[str, Any] = {
    "mode": "literal",
    "query_embedding": Q3,
    "settings": {"min_link_score": 0.02},
}


@pytest.fixture
async def graph(open_graph: OpenGraph) -> Graph:
    opened: Graph = await open_graph(embedder=Toy(3), settings={"exploration": {"concurrent": 1}})
    await load(opened, s1())
    return opened


def begin(graph: Graph, **more: Any) -> Stream:
    return graph.exploration.stream("A", "who?", **(WORDS | more))


async def assert_unwritten(graph: Graph) -> None:
    """Assert that the graph is as it was loaded, without a run."""
    nodes, links = await contents(graph)
    assert await graph.exploration.runs() == []
    assert {node["energy"] for node in nodes.values()} == {0.0}
    assert {link["energy"] for link in links.values()} == {0.0}


async def ended(stream: Stream) -> None:
    """Wait until the walk of a stream has ended."""
    assert stream._task is not None
    await asyncio.wait({stream._task})


async def before_the_commit(graph: Graph) -> int:
    """Count the events before the commit."""
    events = [event async for event in begin(graph, dry_run=True)]
    return [event.type for event in events].index(EventType.DISCARDED)


Outcome = TypeVar("Outcome")


async def patiently(attempt: Callable[[int], Awaitable[Outcome]]) -> Outcome:
    """Give a walk one second, and more as long as it takes longer on this machine."""
    seconds = 1
    while True:
        try:
            return await attempt(seconds)
        except ExplorationTimeout as error:
            if "held back" in str(error):
                raise
            seconds *= 3


@pytest.mark.slow
async def test_a_loop_that_is_left_anywhere_writes_nothing(open_graph: OpenGraph) -> None:
    graph = await open_graph(embedder=Toy(3))
    await load(graph, s1())
    count = await before_the_commit(graph)

    async def leave_at_each_event(seconds: int) -> tuple[list[Stream], int]:
        streams = [begin(graph, timeout=seconds) for _ in range(count)]
        for last, stream in enumerate(streams, 1):
            count_read = 0
            async for _ in stream:
                count_read += 1
                if count_read == last:
                    break
        return streams, seconds

    streams, seconds = await patiently(leave_at_each_event)
    await asyncio.gather(*map(ended, streams))
    await assert_unwritten(graph)
    with pytest.raises(ExplorationTimeout, match=f"held back for longer than {seconds} s"):
        await streams[-1].result()


@pytest.mark.slow
async def test_asking_for_the_next_event_commits(graph: Graph) -> None:
    stream = begin(graph)
    for _ in range(await before_the_commit(graph)):
        await anext(stream)
    await assert_unwritten(graph)
    assert (await anext(stream)).type is EventType.COMMITTED
    exploration = await stream.result()
    assert [run.id for run in await graph.exploration.runs()] == [exploration.run_id]


async def test_a_result_may_still_be_asked_for_after_a_break(graph: Graph) -> None:
    stream = begin(graph)
    async for _ in stream:
        break
    assert (await stream.result()).committed
    assert [event async for event in stream] == []


async def test_closing_a_stream_ends_it_for_good(graph: Graph) -> None:
    stream = begin(graph)
    await anext(stream)
    await stream.aclose()
    await stream.aclose()
    assert [event async for event in stream] == []
    with pytest.raises(Conflict, match="left before its end, so nothing was written"):
        await stream.result()
    unread = begin(graph)
    await unread.aclose()
    with pytest.raises(Conflict):
        await unread.result()
    await assert_unwritten(graph)


async def test_closing_while_somebody_reads_ends_the_reading(graph: Graph) -> None:
    look = Look()
    stream = begin(graph, before_commit=look)
    reading = asyncio.ensure_future(_all_of(stream))
    await look.reached.wait()
    await stream.aclose()
    assert EventType.COMMITTED not in {event.type for event in await reading}
    await assert_unwritten(graph)


async def _all_of(stream: Stream) -> list[Event]:
    return [event async for event in stream]


class Look:
    """Holds back the commit, and says when it could happen."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()

    async def __call__(self) -> None:
        self.reached.set()
        await asyncio.Event().wait()


@pytest.mark.slow
async def test_an_error_in_the_loop_writes_nothing(graph: Graph) -> None:
    streams = []

    async def read(seconds: int) -> None:
        streams.append(begin(graph, timeout=seconds))
        async for event in streams[-1]:
            if event.type is EventType.ENDED:
                raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await patiently(read)
    await asyncio.gather(*map(ended, streams))
    await assert_unwritten(graph)


async def test_a_cancelled_reader_ends_the_walk(graph: Graph) -> None:
    for read in (_all_of, Stream.result):
        look = Look()
        stream = begin(graph, before_commit=look)
        reading: asyncio.Future[Any] = asyncio.ensure_future(read(stream))
        await look.reached.wait()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        with pytest.raises(Conflict):
            await stream.result()
    await assert_unwritten(graph)


@pytest.mark.slow
async def test_a_stream_without_references_ends(graph: Graph) -> None:
    stream = begin(graph)
    await anext(stream)
    task = stream._task
    assert task is not None
    del stream
    gc.collect()
    await asyncio.wait({task})
    assert task.cancelled()
    await assert_unwritten(graph)


async def test_a_reader_who_stops_keeps_nobody_from_exploring(graph: Graph) -> None:
    stream = begin(graph)
    for _ in range(await before_the_commit(graph)):
        await anext(stream)
    exploration = await graph.exploration.explore("A", "who?", **WORDS)
    assert exploration.committed
    await stream.aclose()
    assert len(await graph.exploration.runs()) == 1


async def test_a_cancel_flag_counts_until_the_commit(graph: Graph) -> None:
    cancel = asyncio.Event()

    async def look() -> None:
        cancel.set()

    exploration = await graph.exploration.explore(
        "A", "who?", cancel=cancel, before_commit=look, **WORDS
    )
    assert (exploration.outcome, exploration.committed) == ("cancelled", False)
    await assert_unwritten(graph)


@pytest.mark.slow
async def test_an_error_before_the_commit_discards_everything(graph: Graph) -> None:
    async def refuse() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await graph.exploration.explore("A", "who?", before_commit=refuse, **WORDS)

    async def explore(seconds: int) -> Exploration:
        return await graph.exploration.explore(
            "A", "who?", before_commit=asyncio.Event().wait, timeout=seconds, **WORDS
        )

    with pytest.raises(ExplorationTimeout, match="held back"):
        await patiently(explore)
    await assert_unwritten(graph)


@pytest.mark.slow
async def test_pending_listeners_cause_no_warning(graph: Graph) -> None:
    types: list[EventType] = []
    stuck = asyncio.Event()

    async def listen(event: Event) -> None:
        types.append(event.type)
        if event.type is EventType.TICK and event.tick == 2:
            stuck.set()
            await asyncio.Event().wait()

    async def explore(**more: Any) -> Exploration:
        return await graph.exploration.explore("A", "who?", on_event=listen, **(WORDS | more))

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(ExplorationTimeout):
            await explore(timeout=1)
        assert types[-1] is EventType.DISCARDED
        stuck.clear()
        walking = asyncio.ensure_future(explore())
        await stuck.wait()
        walking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await walking
        gc.collect()
    assert [str(warning.message) for warning in caught] == []
    await assert_unwritten(graph)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        {"query": "\ud800"},
        {"intention": "\udfff"},
        {"actor": "\ud800"},
        {"start": "\ud800"},
        {"start_label": "\ud800"},
        {"run_id": "\ud800"},
        {"timeout": True},
        {"timeout": "5"},
    ],
)
async def test_bad_arguments_are_refused_by_name(graph: Graph, words: dict[str, Any]) -> None:
    [name] = words
    arguments = {"actor": "A", "query": "who?"} | words
    with pytest.raises(InvalidInput, match=f"{name}="):
        await graph.exploration.explore(**arguments)
    actor, query = arguments.pop("actor"), arguments.pop("query")
    with pytest.raises(InvalidInput, match=f"{name}="):
        await graph.exploration.stream(actor, query, **arguments).result()


async def test_bad_items_are_refused_by_name(graph: Graph) -> None:
    walks: Any = graph.exploration
    for field in ("name", "id", "content", "synthesis", "type", "status"):
        with pytest.raises(InvalidInput, match=field):
            await walks.add("thing", **({"name": "x"} | {field: "\ud800"}))
    for field in ("a", "b", "id", "synthesis"):
        with pytest.raises(InvalidInput, match=field):
            await walks.link(**({"a": "A", "b": "M"} | {field: "\ud800"}))
    with pytest.raises(InvalidInput, match=r"nodes\[0\]\.name"):
        await walks.load([{"kind": "thing", "name": "\ud800"}])
    with pytest.raises(InvalidInput, match="labels"):
        await walks.link("A", "M", labels=("Actor", "\ud800"))
    for run in ("\ud800", "", 5):
        with pytest.raises(InvalidInput, match="run_id"):
            await walks.undo(run)
    for limit in (True, 0, 10**30, "x"):
        with pytest.raises(InvalidInput, match="limit"):
            await walks.runs(limit)
    for nodes in (None, 5, "x"):
        with pytest.raises(InvalidInput, match="nodes"):
            await walks.load(nodes)
