"""Open graphs of the realms that clients use, all on the connections of one driver."""

import asyncio
from typing import Any, Self

from asterism.graph import Graph


class RealmGraphs:
    """One open graph for each realm, opened at its first call and closed with the server."""

    def __init__(self, **options: Any) -> None:
        self._options = options  # of Graph.open
        self._graphs: dict[str, Graph] = {}
        self._owner: Graph | None = None
        self._opening = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        """Close every graph, the owner of the connections last."""
        graphs = sorted(self._graphs.values(), key=lambda graph: graph is self._owner)
        self._graphs, self._owner = {}, None
        for graph in graphs:
            await graph.close()

    async def open(self, realm: str) -> Graph:
        """Return the graph of a realm. A server that does not answer is tried at the next call."""
        if realm not in self._graphs:
            async with self._opening:
                if realm not in self._graphs:
                    self._graphs[realm] = await self._new(realm)
        return self._graphs[realm]

    async def _new(self, realm: str) -> Graph:
        if self._owner is None:
            self._owner = await Graph.open(realm=realm, **self._options)
            return self._owner
        return await self._owner.open_realm(realm)
