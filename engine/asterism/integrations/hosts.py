"""Host of an integration: a graph, opened with or without `await`, for calls of either kind."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from asterism.blocking import BlockingGraph, wait, wait_async
from asterism.errors import InvalidInput
from asterism.graph import Graph

T = TypeVar("T")
AnyGraph = Any  # a Graph of asterism, or of asterism.sync


class Host:
    """Runs work in the loop of a graph, for a coroutine or for a thread that waits."""

    def __init__(self, graph: AnyGraph) -> None:
        if isinstance(graph, BlockingGraph):
            graph = graph.asynchronous
        if not isinstance(graph, Graph) or not graph.is_open:
            remedy = "give an open Graph, of asterism or of asterism.sync"
            raise InvalidInput("graph", graph, remedy)
        self.graph: Graph = graph

    def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run work and wait for it, in any thread but the one of the graph's loop."""
        return wait(self.graph.loop, work)

    async def arun(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run work from a coroutine of any loop."""
        return await wait_async(self.graph.loop, work)
