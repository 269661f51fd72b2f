"""Service behind the tools: the graph of a call's realm, and reports of its progress."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from mcp.server.mcpserver import Context

from asterism.errors import Conflict
from asterism.graph import Graph
from asterism.mcp_server.realm_graphs import RealmGraphs

# The realm of the request that is answered. It is set once over stdio, and by its token over HTTP.
# Where it is missing the call fails: there is no realm to fall back to.
REALM: ContextVar[str] = ContextVar("asterism_mcp_realm")


@dataclass(frozen=True)
class Service:
    """Graphs of the clients, and what they may do with them."""

    graphs: RealmGraphs
    read_only: bool = False

    async def graph(self) -> Graph:
        """Return the graph of the request that is answered."""
        return await self.graphs.open(REALM.get())

    async def writable_graph(self) -> Graph:
        """Return the graph of a request that writes, or refuse that."""
        if self.read_only:
            raise Conflict("this server is read-only: start it without --read-only to write")
        return await self.graph()

    async def report_use(self, graph: Graph, ids: Sequence[str]) -> str | None:
        """Record what was handed out as used, and return a warning if that failed."""
        if self.read_only or not ids:
            return None
        return "; ".join(await graph.recall.touch(ids)) or None


@asynccontextmanager
async def progress(ctx: Context, doing: str) -> AsyncIterator[Callable[[int], None]]:
    """Give a function that reports to the client how many items more are done."""
    total, reports = 0, set[asyncio.Task[None]]()

    def step(count: int) -> None:
        nonlocal total
        total += count
        report = ctx.report_progress(total, message=f"{doing}: {total:,}")
        task = asyncio.get_running_loop().create_task(report)
        reports.add(task)

    try:
        yield step
    finally:
        await asyncio.gather(*reports, return_exceptions=True)
