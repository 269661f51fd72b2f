"""The way in: `async with Graph.open() as graph`."""

import asyncio
from collections.abc import Generator, Mapping
from dataclasses import replace
from inspect import getattr_static
from typing import Any, Self

from engine import connection, schema
from engine.causality.causality import Causality
from engine.clock import Clock, SystemClock
from engine.consolidation import Consolidation
from engine.database import Database
from engine.embedding import Embedder, Embedding
from engine.errors import AsterismError, Conflict, InvalidInput
from engine.exploration.explorer import Explorer
from engine.maintenance import Maintenance, Parts
from engine.memories import Memories
from engine.memories.hours import IDLE, ActiveHours
from engine.realms import Realms, valid_name
from engine.recall.search import Search
from engine.settings import Settings, valid_settings
from engine.stars import Stars
from engine.view import View


class Graph:
    """One realm of a knowledge graph; holds one object per part."""

    embedding: Embedding
    memories: Memories
    realms: Realms
    stars: Stars
    causality: Causality
    recall: Search
    consolidation: Consolidation
    exploration: Explorer
    maintenance: Maintenance
    view: View

    def __init__(self, request: "dict[str, Any]", clock: Clock, settings: Settings) -> None:
        self._request = request
        self.clock = clock
        self.settings = settings

    @classmethod
    def open(
        cls,
        uri: str | None = None,
        *,
        auth: tuple[str, str] | None = None,
        database: str | None = None,
        realm: str = "default",
        settings: Settings | Mapping[str, Any] | None = None,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
    ) -> "Graph":
        """A graph to enter with `async with`, or to await and close by hand.

        Without a URI, NEO4J_URI decides; without that, the local server of this user is used and
        started if need be.
        """
        request = {
            "uri": uri,
            "auth": auth,
            "database": database,
            "realm": valid_name(realm),
            "embedder": _valid_embedder(embedder),
        }
        return cls(request, clock or SystemClock(), valid_settings(settings))

    async def __aenter__(self) -> Self:
        wanted = self._request
        local = self.settings.local
        found = await connection.address(wanted["uri"], wanted["auth"], wanted["database"], local)
        self._driver = await connection.connect(found)
        self.uri = found.uri
        self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        self.database = Database(
            self._driver,
            found.database,
            wanted["realm"],
            self.settings,
            self.clock,
            connection.reviver(found, local),
            lost_seconds=found.lost_seconds,
            require_usable=self._require_usable,
        )
        try:
            await self._settle()
        except BaseException:
            await self._driver.close()
            raise
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    def __await__(self) -> Generator[Any, None, Self]:
        return self.__aenter__().__await__()

    @property
    def realm(self) -> str:
        """The realm this graph sees and changes."""
        return str(self._request["realm"])

    def __getattr__(self, name: str) -> Any:
        """Only for what is not there yet."""
        if "realms" in vars(self) and name in Graph.__annotations__:
            raise Conflict(
                f"realm {self.realm!r} holds an unfinished import, so the graph has no {name}: "
                "repeat it with `graph.realms.load(file)`, or delete the realm"
            )
        if name in Graph.__annotations__ or name in ("database", "uri"):
            raise AsterismError(
                f"the graph is not open, so it has no {name} yet: use "
                "`async with Graph.open() as graph`, or `graph = await Graph.open()`"
            )
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

    async def close(self) -> None:
        """Let go of the server; it keeps running."""
        if "_driver" not in vars(self):
            return
        try:
            if "_hours" in vars(self):
                await self._hours.close()
        finally:
            self._loop = None
            if "embedding" in vars(self):
                self.embedding.close()
            await self._driver.close()

    def _require_usable(self) -> None:
        """Refuse work after `close`, and in another event loop than the driver's."""
        if self._loop is None:
            raise AsterismError(
                "the graph is closed: open it again with `async with Graph.open() as graph`"
            )
        if self._loop is not asyncio.get_running_loop():
            raise AsterismError(
                "the graph was opened in another event loop, and its connections belong there: "
                "do all work with it in one `asyncio.run`, or open a graph in each"
            )

    async def _settle(self) -> None:
        unfinished = False
        if not await schema.apply(self.database):
            row = await self.database.row("transfer/standing")  # an absent realm stays absent
            unfinished = bool(row and row["importing"] is not None)
        self._hours = ActiveHours(self.database)
        self.database = replace(self.database, on_use=self._hours.note)
        self.embedding = Embedding(self.database, self._request["embedder"])
        self.realms = Realms(self.database, self.embedding, self._count_hours, self._equip)
        if not unfinished:
            self._equip()

    async def _count_hours(self) -> None:
        """Write down what the realm does not know of this graph's use, if that is long."""
        await self._hours.add(least=IDLE)

    def _equip(self) -> None:
        """Hold one object per part: not before the realm is whole, and anew when it is filled."""
        self._hours.restart()
        self.memories = Memories(self.database, self._hours)
        self.stars = Stars(self.database)
        self.causality = Causality(self.database, self.embedding)
        self.recall = Search(self.database, self.embedding, self._hours)
        self.consolidation = Consolidation(self.database, self.embedding, self._hours)
        self.exploration = Explorer(self.database, self.embedding)
        self.maintenance = Maintenance(
            Parts(self.database, self.memories, self.consolidation, self.realms)
        )
        self.view = View(self.database, self._hours)


def _valid_embedder(embedder: Any) -> Embedder | None:
    """Looks without asking: a model's dimensions may not be known before it is loaded."""
    offered = ("name", "dimensions", "embed_documents", "embed_query")
    missing = [name for name in offered if getattr_static(embedder, name, None) is None]
    if embedder is not None and missing:
        remedy = f"it needs {', '.join(missing)}; the protocol is engine.embedding.Embedder"
        raise InvalidInput("embedder", embedder, remedy)
    found: Embedder | None = embedder
    return found
