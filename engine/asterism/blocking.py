"""Calls into an event loop from threads outside of it, and one loop for a whole process."""

import asyncio
import atexit
import functools
import inspect
import logging
import os
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from typing import Any, Self, TypeVar
from weakref import WeakSet

from anyio.from_thread import start_blocking_portal

from asterism.errors import AsterismError
from asterism.graph import Graph

LOG = logging.getLogger(__name__)
T = TypeVar("T")
Work = Callable[[], Coroutine[Any, Any, T]]


class BackgroundLoop:
    """The event loop of this process for blocking graphs, in a thread of its own.

    It starts at the first use. When the program ends, it closes the graphs that are open.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stack: ExitStack | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._graphs: WeakSet[Graph] = WeakSet()
        self._abandoned: list[ExitStack | None] = []

    def open(self, graph: Graph) -> None:
        """Open a graph in the loop, which closes it at the end of the program at the latest."""
        wait(self.loop(), graph.__aenter__)
        self._graphs.add(graph)

    def loop(self) -> asyncio.AbstractEventLoop:
        """Return the loop, started if need be."""
        with self._lock:
            if self._loop is None:
                self._stack = ExitStack()
                portal = self._stack.enter_context(start_blocking_portal(name="asterism"))
                self._loop = portal.call(_running_loop)
            return self._loop

    def abandon(self) -> None:
        """Leave the loop to the parent process, whose thread a fork does not copy."""
        # Freed, the stack would wait for that thread to end.
        self._abandoned.append(self._stack)
        self._lock, self._stack, self._loop = threading.Lock(), None, None
        self._graphs = WeakSet()

    def close(self) -> None:
        """Close the graphs that are open, and end the thread."""
        with self._lock:
            stack, loop, self._stack, self._loop = self._stack, self._loop, None, None
        if stack is None or loop is None:
            return
        for graph in list(self._graphs):
            try:
                wait(loop, graph.close)
            except AsterismError as error:  # the server may be gone by now
                LOG.warning("a graph could not be closed at the end of the program: %s", error)
        stack.close()


BACKGROUND = BackgroundLoop()
atexit.register(BACKGROUND.close)
if hasattr(os, "register_at_fork"):
    # A forked process has none of the threads of its parent: it starts a loop of its own.
    os.register_at_fork(after_in_child=BACKGROUND.abandon)


def wait(loop: asyncio.AbstractEventLoop, work: Work[T]) -> T:
    """Run work in a loop of another thread, and wait for its result.

    An interrupt, such as Ctrl-C, cancels the work.
    """
    if loop is _current_loop():
        raise AsterismError(
            "a blocking call came from the event loop that has to do the work, so it would wait "
            "for ever: use the async form of the call there, and in a callback of Asterism none"
        )
    if loop.is_closed():
        raise AsterismError("the event loop of this graph has ended: open the graph again")
    future: Future[T] | None = None
    try:
        future = asyncio.run_coroutine_threadsafe(work(), loop)
        return future.result()
    except BaseException:
        if future is not None:
            future.cancel()
        raise


async def wait_async(loop: asyncio.AbstractEventLoop, work: Work[T]) -> T:
    """Run work in its loop, from a coroutine of that one or of another."""
    if loop is asyncio.get_running_loop():
        return await work()
    if loop.is_closed():
        raise AsterismError("the event loop of this graph has ended: open the graph again")
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), loop))


class Blocking:
    """An object of the async engine, whose methods wait for their results.

    Found by reflection: `asterism/sync.pyi` has the types of every method.
    """

    def __init__(self, target: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._target = target
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
        value = getattr(self._target, name)
        return blocking_method(value, self._loop) if inspect.ismethod(value) else value

    def __dir__(self) -> list[str]:
        return [name for name in dir(self._target) if not name.startswith("_")]


class BlockingIterator(Blocking):
    """An async iterator of the engine, read from outside its loop. Leave it with `close`."""

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        async def step() -> Any:
            # A StopIteration can't leave a coroutine, so the end is a value.
            return await anext(self._target, _END)

        item = wait(self._loop, step)
        if item is _END:
            raise StopIteration
        return item

    def close(self) -> None:
        """Stop before the end."""

        async def end() -> None:
            await self._target.aclose()

        wait(self._loop, end)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class BlockingGraph:
    """One realm of a knowledge graph, whose methods wait for their results.

    `with Graph.open() as graph`, or `graph = Graph.open()` and `graph.close()` at the end. Any
    thread may use it. All blocking graphs of a process share one event loop and one model.
    """

    def __init__(self, graph: Graph) -> None:
        self.asynchronous = graph

    @classmethod
    def open(cls, *arguments: Any, **options: Any) -> Self:
        """Open a graph. The arguments are those of `asterism.Graph.open`."""
        graph = Graph.open(*arguments, **options)
        BACKGROUND.open(graph)
        return cls(graph)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections to the server, which keeps running. Twice changes nothing."""
        if self.asynchronous.is_open:
            wait(self.asynchronous.loop, self.asynchronous.close)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "asynchronous":
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
        value = getattr(self.asynchronous, name)
        is_part = name in Graph.__annotations__
        return Blocking(value, self.asynchronous.loop) if is_part else value

    def __dir__(self) -> Iterator[str]:
        yield from (*Graph.__annotations__, "clock", "close", "open", "realm", "settings", "uri")


def blocking_method(
    method: Callable[..., Any], loop: asyncio.AbstractEventLoop
) -> Callable[..., Any]:
    """Return a method that runs in the loop and waits for what it returns or yields."""

    @functools.wraps(method)
    def call(*arguments: Any, **options: Any) -> Any:
        async def work() -> Any:
            result = method(*arguments, **options)
            return await result if inspect.isawaitable(result) else result

        result = wait(loop, work)
        return BlockingIterator(result, loop) if hasattr(result, "__anext__") else result

    return call


_END = object()


async def _running_loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


def _current_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
