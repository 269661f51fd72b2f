"""The graph without `await`: threads, running loops, forks, ends, and types that stay equal."""

import asyncio
import inspect
import os
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from asterism import blocking
from asterism.embedding import OnnxEmbedder
from asterism.errors import AsterismError, InvalidInput
from asterism.graph import Graph as AsyncGraph
from asterism.graph_parts import part_classes
from asterism.sync import Graph
from docs import sync_stub
from docs.requests import public_methods
from tests.conftest import Server

ITEMS = [{"text": f"The boat number {number} leaves at noon."} for number in range(30)]


@pytest.fixture
def graph(server: Server, embedder: OnnxEmbedder) -> Iterator[Graph]:
    """A blocking graph in an empty realm."""
    realm = f"sync-{uuid.uuid4().hex[:12]}"
    with Graph.open(server.uri, auth=server.auth, realm=realm, embedder=embedder) as opened:
        yield opened
        opened.realms.delete(realm)


@pytest.mark.slow
def test_every_part_waits_for_its_result(graph: Graph) -> None:
    memory = graph.memories.remember("Lyra keeps the key under the stair.", id="stair")
    assert graph.memories.get("stair").text == memory.text
    assert graph.recall.find("Where is the key?").hits[0].id == "stair"
    assert graph.stars.add("Keep the lamp burning", id="lamp", domain="purpose").id == "lamp"
    assert graph.consolidation.consolidate().promoted == 1
    assert graph.realms.stats().nodes["Text"] == 1
    assert graph.realm.startswith("sync-")


def test_an_error_of_the_engine_reaches_the_caller(graph: Graph) -> None:
    with pytest.raises(InvalidInput, match="text"):
        graph.memories.remember("")


@pytest.mark.slow
def test_an_async_iterator_is_an_iterator(graph: Graph) -> None:
    assert graph.memories.remember_many(ITEMS).accepted == 30
    assert len([memory.id for memory in graph.memories.each()]) == 30
    with graph.memories.each() as memories:
        assert next(memories).text
    assert list(memories) == []


@pytest.mark.slow
def test_a_stream_of_events_has_a_result(graph: Graph) -> None:
    graph.exploration.add("actor", "Ada", id="ada")
    stream = graph.exploration.stream("ada", "Why does Ada sleep?", dry_run=True)
    first = next(stream)
    assert first.type
    assert stream.result().run_id
    assert stream.dropped == 0


@pytest.mark.slow
def test_threads_share_one_graph(graph: Graph) -> None:
    def remember(number: int) -> str:
        return graph.memories.remember(f"Thread {number} was here.", id=str(number)).id

    with ThreadPoolExecutor(8) as threads:
        assert sorted(threads.map(remember, range(24)), key=int) == [str(n) for n in range(24)]
    assert graph.memories.count() == 24


def test_graphs_of_a_process_share_one_loop(graph: Graph, server: Server) -> None:
    with Graph.open(server.uri, auth=server.auth, realm="sync-other") as other:
        assert other.asynchronous.loop is graph.asynchronous.loop
    assert [thread.name for thread in threading.enumerate()].count("asterism") == 1


async def test_it_works_where_a_loop_is_running_as_in_a_notebook(graph: Graph) -> None:
    assert asyncio.get_running_loop() is not graph.asynchronous.loop
    assert graph.memories.remember("A cell of a notebook.").text


def test_a_callback_that_calls_the_graph_is_refused_instead_of_waiting_for_ever(
    graph: Graph,
) -> None:
    def count_again(count: int) -> None:
        graph.memories.count()

    with pytest.raises(AsterismError, match="wait for ever"):
        graph.memories.remember_many(ITEMS, on_progress=count_again)


def test_a_closed_graph_says_so_and_closes_twice(server: Server) -> None:
    graph = Graph.open(server.uri, auth=server.auth, realm="sync-closed")
    graph.close()
    graph.close()
    with pytest.raises(AsterismError, match="closed"):
        graph.memories.count()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let an interrupt raise: a run in the background was started to ignore it."""
    earlier = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, earlier)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_cancels_the_work_in_the_loop() -> None:
    loop = blocking.BACKGROUND.loop()
    started, cancelled = threading.Event(), threading.Event()

    async def work() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    main = threading.get_ident()

    def interrupt() -> None:
        started.wait()
        while sys._current_frames()[main].f_code.co_name != "wait":  # for the result
            threading.Event().wait(0.01)
        os.kill(os.getpid(), 2)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        blocking.wait(loop, work)
    assert cancelled.wait()


PROGRAM = """
from asterism.sync import Graph
graph = Graph.open(realm="sync-left-open")
graph.memories.remember("Nobody closes this graph.")
print(graph.memories.count())
graph.realms.delete("sync-left-open")
"""


@pytest.mark.slow
def test_a_program_that_closes_nothing_ends(environment: dict[str, str]) -> None:
    command = [sys.executable, "-W", "error", "-c", PROGRAM]
    process = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (process.stdout, process.stderr, process.returncode) == ("1\n", "", 0)


FORKED = """
import multiprocessing
from asterism.sync import Graph

def work(number):
    with Graph.open(realm="sync-forked") as graph:
        return graph.memories.remember(f"Worker {number}.").text

if __name__ == "__main__":
    with Graph.open(realm="sync-forked") as graph:
        graph.memories.count()
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print(sorted(pool.map(work, range(4))))
        graph.realms.delete("sync-forked")
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_worker_has_a_loop_of_its_own(environment: dict[str, str]) -> None:
    # Python warns of forks beside threads, and that is what is tried here.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKED]
    process = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert process.stdout == "['Worker 0.', 'Worker 1.', 'Worker 2.', 'Worker 3.']\n", (
        process.stderr
    )


def test_names_of_the_parts_are_completed(graph: Graph) -> None:
    assert {"memories", "recall", "close"} <= set(dir(graph))
    assert "remember" in dir(graph.memories)
    assert not hasattr(graph, "memmories")
    assert not hasattr(graph.memories, "_database")
    assert "waits for consolidation" in str(inspect.getdoc(graph.memories.remember))


@pytest.mark.slow
def test_the_types_are_those_of_the_methods_of_today() -> None:
    assert sync_stub.FILE.read_text(encoding="utf-8") == sync_stub.stub(), "run `make docs`"


def test_every_public_method_is_in_the_types() -> None:
    text = sync_stub.FILE.read_text(encoding="utf-8")
    for part, kind in (AsyncGraph.__annotations__ | part_classes()).items():
        assert f"    {part}: {kind.__name__}\n" in text
        for name, _ in public_methods(kind):
            assert f"    def {name}(" in text, f"{part}.{name}"
