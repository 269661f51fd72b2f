"""The one module that runs Cypher: a statement's name and its arguments in, plain rows out."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncDriver,
    AsyncManagedTransaction,
    AsyncSession,
    Query,
    Record,
    RoutingControl,
    unit_of_work,
)
from neo4j.exceptions import ServiceUnavailable, SessionExpired, TransientError
from neo4j.time import Date, DateTime, Time

from engine import failures, retries, statements
from engine.clock import Clock
from engine.errors import DatabaseUnavailable
from engine.realm_key import realm_key
from engine.settings import Settings
from engine.statements import Access, Statement

Row = dict[str, Any]
T = TypeVar("T")
Revive = Callable[[bool], Awaitable[bool]]

# These writes need no realm, or are about one that is there: they make none.
MAKES_NO_REALM = ("realms/", "schema/", "transfer", "memories/add_hours")


@dataclass(frozen=True)
class Database:
    """Runs statements in one realm of one database."""

    driver: AsyncDriver
    name: str | None
    realm: str
    settings: Settings
    clock: Clock
    revive: Revive | None = None  # brings a local server back that crashed or broke
    seconds: float | None = None  # how long the server may work on one statement
    on_use: Callable[[], None] | None = None  # hears of every call, for the realm's active hours
    lost_seconds: float = 30.0  # how long a server that does not answer is tried
    require_usable: Callable[[], None] = lambda: None  # raises where the driver can't be used

    def within(self, realm: str) -> "Database":
        """The same database, seen from another realm."""
        return replace(self, realm=realm, on_use=self.on_use if realm == self.realm else None)

    def limited(self, seconds: float) -> "Database":
        """The same database, whose server gives up on a statement after so many seconds."""
        return replace(self, seconds=seconds)

    async def rows(self, name: str, /, **arguments: Any) -> list[Row]:
        """Every row of a statement; reads go to readers, writes are retried as a whole."""
        statement = statements.load(name)
        if statement.access in (Access.BATCH, Access.SCHEMA):
            return [row async for row in self.stream(name, **arguments)]
        return await self._surviving(name, lambda: self.execute(statement, arguments))

    async def row(self, name: str, /, **arguments: Any) -> Row | None:
        """The first row of a statement, or None."""
        found = await self.rows(name, **arguments)
        return found[0] if found else None

    async def stream(self, name: str, /, **arguments: Any) -> AsyncIterator[Row]:
        """Rows as they come, in auto-commit: what CALL IN TRANSACTIONS and schema changes need.

        A connection that turns out dead before the first row is replaced, once.
        """
        self._note_use()
        statement = statements.load(name)
        offered = self._offer(statement, arguments)
        mode = READ_ACCESS if statement.access is Access.READ else WRITE_ACCESS
        started = False
        self.require_usable()
        for last in (False, True):
            try:
                with failures.translated(name), failures.sendable(offered):
                    async with self._session(default_access_mode=mode) as session:
                        result = await session.run(self._query(statement), offered)
                        async for record in result:
                            started = True
                            yield _row(record)
                return
            except DatabaseUnavailable as error:
                if started or last or failures.unsure(error.__cause__):
                    raise
                await self._revived(error)

    async def transaction(
        self, work: Callable[["Transaction"], Awaitable[T]], *, name: str = "transaction"
    ) -> T:
        """Several statements, one commit. `work` may be repeated: it must have no other effect."""

        @unit_of_work(metadata=self._metadata(name))
        async def tracked(tx: AsyncManagedTransaction) -> T:
            return await Transaction(self, tx).in_realm(name, work)

        async def attempt() -> T:
            async with self._session() as session:
                return await session.execute_write(tracked)

        return await self._surviving(name, attempt)

    async def _surviving(self, name: str, attempt: Callable[[], Awaitable[T]]) -> T:
        """Once more after a local server that died or broke has been brought back."""
        self._note_use()
        try:
            return await self._patiently(name, attempt)
        except DatabaseUnavailable as error:
            if not await self._revived(error):
                raise
        return await self._patiently(name, attempt)

    async def _revived(self, error: DatabaseUnavailable) -> bool:
        """Bring a local server back where that helps; tell whether the work may be done again."""
        cause = error.__cause__
        if self.revive is None or not failures.curable(cause):
            return False
        try:
            back = await self.revive(failures.stopped(cause))
        except DatabaseUnavailable as reason:
            if not failures.unsure(cause):
                raise
            raise DatabaseUnavailable(f"{error}. Besides, {reason}") from cause
        return back and not failures.unsure(cause)

    async def _patiently(self, name: str, attempt: Callable[[], Awaitable[T]]) -> T:
        self.require_usable()
        with failures.translated(name):
            return await retries.repeat(attempt, self.lost_seconds)

    async def execute(self, statement: Statement, arguments: Row) -> list[Row]:
        """Run one parsed statement: a read at once, and again in a managed transaction if that
        goes wrong in a way that passes; a write in a managed transaction."""
        offered = self._offer(statement, arguments)
        with failures.sendable(offered):
            if statement.access is Access.READ:
                return await self._read(statement, offered)
            return await self._write(statement, offered)

    async def _read(self, statement: Statement, offered: Row) -> list[Row]:
        query = self._query(statement)
        with suppress(TransientError, SessionExpired, ServiceUnavailable):
            async with self._session(default_access_mode=READ_ACCESS) as session:
                result = await session.run(query, offered)
                return [_row(record) async for record in result]
        answer = await self.driver.execute_query(
            query, offered, routing_=RoutingControl.READ, database_=self.name
        )
        return [_row(record) for record in answer.records]

    async def _write(self, statement: Statement, offered: Row) -> list[Row]:
        @unit_of_work(metadata=self._metadata(statement.name), timeout=self.seconds)
        async def write(tx: AsyncManagedTransaction) -> list[Row]:
            return await Transaction(self, tx).in_realm(
                statement.name, lambda inside: inside.run(statement, offered)
            )

        async with self._session() as session:
            return await session.execute_write(write)

    def _note_use(self) -> None:
        if self.on_use is not None:
            self.on_use()

    def _session(self, **config: Any) -> AsyncSession:
        return self.driver.session(
            database=self.name,
            bookmark_manager=self.driver.execute_query_bookmark_manager,
            **config,
        )

    def _query(self, statement: Statement) -> Query:
        metadata = self._metadata(statement.name)
        return Query(cast(Any, statement.text), metadata=metadata, timeout=self.seconds)

    def _metadata(self, name: str) -> Row:
        """What the server's query log and SHOW TRANSACTIONS tell about who is asking."""
        return {"app": "asterism", "statement": name, "realm": self.realm}

    def _offer(self, statement: Statement, arguments: Row) -> Row:
        """Exactly the parameters that the statement uses, the ambient ones among them."""
        unknown = arguments.keys() - statement.parameters
        if unknown:
            raise TypeError(f"{statement.name} takes no {', '.join(sorted(unknown))}")
        offered = dict(arguments)
        if "realm" in statement.parameters:
            offered.setdefault("realm", self.realm)
        if "now" in statement.parameters:
            offered.setdefault("now", self.clock.now())
        if "settings" in statement.parameters:
            offered.setdefault("settings", self.settings.section(statement.section))
        return offered


@dataclass(frozen=True)
class Transaction:
    """Runs statements inside one transaction of a database."""

    database: Database
    inner: AsyncManagedTransaction
    written: list[bool] = field(default_factory=list)  # of each statement, whether it wrote

    async def in_realm(self, name: str, work: Callable[["Transaction"], Awaitable[T]]) -> T:
        """Do the work in a realm that is there: it is made first, if this is its first write.

        Another process may have deleted it since, so every transaction looks. Work that writes
        nothing leaves an absent realm absent.
        """
        if name.startswith(MAKES_NO_REALM):
            return await work(self)
        await self.rows("realms/open", realm_key=realm_key(self.database.realm))
        made = self.written.pop()
        done = await work(self)
        if made and not any(self.written):
            await self.rows("realms/forget")
        return done

    async def rows(self, name: str, /, **arguments: Any) -> list[Row]:
        """Every row of a statement, seeing what the earlier ones wrote."""
        statement = statements.load(name)
        return await self.run(statement, self.database._offer(statement, arguments))

    async def run(self, statement: Statement, offered: Row) -> list[Row]:
        """Run one parsed statement, and note whether it wrote anything."""
        with failures.sendable(offered):
            result = await self.inner.run(cast(Any, statement.text), offered)
            found = [_row(record) async for record in result]
        self.written.append((await result.consume()).counters.contains_updates)
        return found

    async def row(self, name: str, /, **arguments: Any) -> Row | None:
        """The first row of a statement, or None."""
        found = await self.rows(name, **arguments)
        return found[0] if found else None


def _row(record: Record) -> Row:
    return {key: _plain(value) for key, value in cast(Any, record).items()}


def _plain(value: Any) -> Any:
    """Native Python values all the way down; vectors, which are long, untouched."""
    if isinstance(value, (DateTime, Date, Time)):
        return value.to_native()
    if isinstance(value, list):
        vector = bool(value) and isinstance(value[0], float)
        return value if vector else [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
