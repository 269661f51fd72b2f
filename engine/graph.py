"""The way in: `async with Graph.open() as graph`."""

from collections.abc import Generator, Mapping
from typing import Any, Self

from pydantic import ValidationError

from engine import connection, schema
from engine.clock import Clock, SystemClock
from engine.database import Database
from engine.embedding import Embedder, Embedding
from engine.errors import InvalidInput
from engine.realms import Realms, realm_key, valid_name
from engine.settings import Settings
from engine.stars import Stars


class Graph:
    """One realm of a knowledge graph; holds one object per part."""

    embedding: Embedding
    realms: Realms
    stars: Stars

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
        revive = connection.reviver(found, local)
        self.database = Database(
            self._driver, found.database, wanted["realm"], self.settings, self.clock, revive
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

    async def close(self) -> None:
        """Let go of the server; it keeps running."""
        await self._driver.close()

    async def _settle(self) -> None:
        if not await schema.apply(self.database):
            await self.database.rows("realms/open", realm_key=realm_key(self.realm))
        self.embedding = Embedding(self.database, self._request["embedder"])
        self.realms = Realms(self.database)
        self.stars = Stars(self.database)


def valid_settings(given: Settings | Mapping[str, Any] | None) -> Settings:
    try:
        return given if isinstance(given, Settings) else Settings(**(given or {}))
    except ValidationError as error:
        [first, *_] = error.errors()
        name = ".".join(str(part) for part in first["loc"]) or "settings"
        raise InvalidInput(name, first["input"], first["msg"]) from error


def _valid_embedder(embedder: Any) -> Embedder | None:
    if embedder is not None and not isinstance(embedder, Embedder):
        remedy = "it needs name, dimensions, embed_documents(texts) and embed_query(text)"
        raise InvalidInput("embedder", embedder, remedy)
    return embedder
