"""Graph: the way in, by `async with Graph.open() as graph`."""

import asyncio
from collections.abc import Generator, Mapping
from dataclasses import replace
from inspect import getattr_static
from threading import RLock
from typing import TYPE_CHECKING, Any, Self

from asterism import connection, schema
from asterism.active_hours import IDLE, ActiveHours
from asterism.answer_changes import AnswerWatch
from asterism.clock import Clock, SystemClock
from asterism.database import Database
from asterism.embedding import Embedder, Embedding, OnnxEmbedder
from asterism.errors import AsterismError, Conflict, InvalidInput
from asterism.graph_parts import PARTS, create_part
from asterism.realm_names import valid_name
from asterism.realms import Realms
from asterism.settings import Settings, valid_settings

if TYPE_CHECKING:
    from asterism.causality.causality import Causality
    from asterism.consolidation import Consolidation
    from asterism.exploration.exploration import Explorer
    from asterism.maintenance import Maintenance
    from asterism.memories import Memories
    from asterism.recall.recall import Search
    from asterism.stars import Stars
    from asterism.view import View


CLOSED = "the graph is closed: open it again with `async with Graph.open() as graph`"


class Graph:
    """One realm of a knowledge graph, with one object per part."""

    embedding: Embedding
    memories: "Memories"
    realms: Realms
    stars: "Stars"
    causality: "Causality"
    recall: "Search"
    consolidation: "Consolidation"
    exploration: "Explorer"
    maintenance: "Maintenance"
    view: "View"

    def __init__(self, request: "dict[str, Any]", clock: Clock, settings: Settings) -> None:
        self._request = request
        self.clock = clock
        self.settings = settings
        self._owner: Graph | None = None  # the graph whose connections this one uses
        self._lock = RLock()  # a part is created with those that it uses

    @classmethod
    def open(
        cls,
        uri: str | None = None,
        *,
        auth: tuple[str, str] | None = None,
        database: str | None = None,
        realm: str = "default",
        settings: Settings | Mapping[str, Any] | None = None,
        embedder: Embedder | str | None = None,
        clock: Clock | None = None,
    ) -> "Graph":
        """Return a graph to enter with `async with`, or to await and close by hand.

        Without a URI, NEO4J_URI decides. Without that, the local server of this user is used, and
        started where it is down. `embedder` is a model by name ("bge-small-zh"), folder, file or
        pinned address, or an object of yours. Without it the realm's own model is used.
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
        request, local = self._request, self.settings.local
        address = await connection.address(
            request["uri"], request["auth"], request["database"], local
        )
        self._driver = await connection.connect(address)
        self.uri = address.uri
        self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        self.database = Database(
            self._driver,
            address.database,
            request["realm"],
            self.settings,
            self.clock,
            connection.reviver(address, local),
            lost_seconds=address.lost_seconds,
            require_usable=self._require_usable,
        )
        try:
            await self._prepare()
        except BaseException:
            await self._driver.close()
            raise
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    def __await__(self) -> Generator[Any, None, Self]:
        return self.__aenter__().__await__()

    async def open_realm(self, realm: str) -> "Graph":
        """Open another realm on the connections of this graph, to be closed before this one."""
        self._require_usable()
        graph = Graph({**self._request, "realm": valid_name(realm)}, self.clock, self.settings)
        graph._owner = self
        graph._driver, graph.uri, graph._loop = self._driver, self.uri, self._loop
        graph.database = replace(
            self.database, realm=realm, on_use=None, require_usable=graph._require_usable
        )
        await graph._prepare()
        return graph

    @property
    def realm(self) -> str:
        """The realm this graph sees and changes."""
        return str(self._request["realm"])

    @property
    def is_open(self) -> bool:
        """True from entering the graph until `close`."""
        return vars(self).get("_loop") is not None

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop in which the graph was opened, where all its work has to be done."""
        loop: asyncio.AbstractEventLoop | None = vars(self).get("_loop")
        if loop is None:
            raise AsterismError(CLOSED)
        return loop

    def __getattr__(self, name: str) -> Any:
        """Create a part, or explain why it is not there yet."""
        if name in PARTS and vars(self).get("_whole"):
            return self._created(name)
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
        """Close the connections to the server, which keeps running."""
        if "_driver" not in vars(self):
            return
        try:
            if "_hours" in vars(self):
                await self._hours.close()
        finally:
            self._loop = None
            if "embedding" in vars(self):
                self.embedding.close()
            if self._owner is None:
                await self._driver.close()

    def _require_usable(self) -> None:
        """Refuse work after `close`, and in another event loop than the driver's."""
        if self._owner is not None:
            self._owner._require_usable()
        if self._loop is None:
            raise AsterismError(CLOSED)
        if self._loop is not asyncio.get_running_loop():
            raise AsterismError(
                "the graph was opened in another event loop, and its connections belong there: "
                "do all work with it in one `asyncio.run`, or open a graph in each"
            )

    async def _prepare(self) -> None:
        unfinished = False
        if not await schema.apply(self.database):
            row = await self.database.row("transfer/import_state")  # an absent realm stays absent
            unfinished = bool(row and row["importing"] is not None)
        self._hours = ActiveHours(self.database)
        self.database = replace(self.database, on_use=self._hours.note)
        self.embedding = Embedding(self.database, self._request["embedder"])
        self.realms = Realms(
            self.database, self.embedding, self._count_hours, self._replace_parts, self._hours
        )
        if not unfinished:
            self._create_parts()

    async def _count_hours(self) -> None:
        """Store this graph's use of the realm, if that is long."""
        await self._hours.add(least=IDLE)

    def _replace_parts(self) -> AnswerWatch:
        """Create the parts anew for other content, and return what asks its pinned questions."""
        self._create_parts()
        return self.recall.answers

    def _create_parts(self) -> None:
        """Begin with new parts, when the realm is whole and whenever it was filled."""
        self._hours.restart()
        with self._lock:
            for name in PARTS:
                vars(self).pop(name, None)
            self._whole = True

    def _created(self, name: str) -> Any:
        """Create a part at its first use, once also where threads ask for it together."""
        with self._lock:
            if name not in vars(self):
                vars(self)[name] = create_part(self, name)
            return vars(self)[name]


def _valid_embedder(embedder: Any) -> Embedder | None:
    """Return an embedder with every member, read statically: dimensions may load the model.

    A text is the name, folder, file or address of a model.
    """
    if isinstance(embedder, str):
        return OnnxEmbedder(model=embedder)
    members = ("name", "dimensions", "embed_documents", "embed_query")
    missing = [name for name in members if getattr_static(embedder, name, None) is None]
    if embedder is not None and missing:
        remedy = f"it needs {', '.join(missing)}; the protocol is asterism.embedding.Embedder"
        raise InvalidInput("embedder", embedder, remedy)
    valid: Embedder | None = embedder
    return valid
