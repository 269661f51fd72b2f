"""Runner of Cypher, the only one: a statement's name and its arguments in, plain rows out."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, suppress
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

from asterism import driver_errors, retries, statement_log, statements
from asterism.clock import Clock
from asterism.driver_values import plain_row
from asterism.errors import AsterismError, DatabaseUnavailable
from asterism.realm_names import realm_key
from asterism.settings import Settings
from asterism.statement_log import Observation
from asterism.statements import Access, Statement

Row = dict[str, Any]
T = TypeVar("T")
Revive = Callable[[bool], Awaitable[bool]]
ToRow = Callable[[Record], Row]

# These writes need no realm, or are about one that is there: they make none.
CREATES_NO_REALM = ("realms/", "schema/", "transfer", "memories/add_active_hours")


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
    on_use: Callable[[], None] | None = None  # called at every use, for the realm's active hours
    lost_seconds: float = 30.0  # how long a server that does not answer is tried
    require_usable: Callable[[], None] = lambda: None  # raises where the driver can't be used

    def within(self, realm: str) -> "Database":
        """Return the same database in another realm."""
        return replace(self, realm=realm, on_use=self.on_use if realm == self.realm else None)

    def limited(self, seconds: float) -> "Database":
        """Return the same database, whose server ends a statement after so many seconds."""
        return replace(self, seconds=seconds)

    async def rows(self, name: str, /, **arguments: Any) -> list[Row]:
        """Return every row of a statement."""
        statement = statements.load(name)
        if statement.access in (Access.BATCH, Access.SCHEMA):
            return [row async for row in self.stream(name, **arguments)]
        return await self._with_revival(name, lambda: self.execute(statement, arguments))

    async def unconverted(self, name: str, /, **arguments: Any) -> list[Row]:
        """Return every row of a read as the driver has it, for a mass of values without times."""
        statement = statements.load(name)
        return await self._with_revival(name, lambda: self.execute(statement, arguments, dict))

    async def row(self, name: str, /, **arguments: Any) -> Row | None:
        """Return the first row of a statement, or None."""
        return next(iter(await self.rows(name, **arguments)), None)

    async def one(self, name: str, /, **arguments: Any) -> Row:
        """Return the row of a statement that always has one."""
        return _first(name, await self.rows(name, **arguments))

    async def stream(self, name: str, /, **arguments: Any) -> AsyncIterator[Row]:
        """Yield rows as they come, in auto-commit, as batches and schema changes need it.

        A connection that turns out dead before the first row is replaced, once.
        """
        self._report_use()
        statement = statements.load(name)
        parameters = self._parameters(statement, arguments)
        mode = READ_ACCESS if statement.access is Access.READ else WRITE_ACCESS
        started = False
        self.require_usable()
        for last in (False, True):
            try:
                with (
                    driver_errors.translated(name),
                    driver_errors.sendable(parameters),
                    self.observed(statement) as observation,
                ):
                    async with self._session(default_access_mode=mode) as session:
                        result = await session.run(self._query(statement), parameters)
                        async for record in result:
                            started = True
                            observation.rows += 1
                            yield plain_row(record)
                return
            except DatabaseUnavailable as error:
                if started or last or driver_errors.unsure(error.__cause__):
                    raise
                await self._try_to_revive(error)

    async def transaction(
        self, work: Callable[["Transaction"], Awaitable[T]], *, name: str = "transaction"
    ) -> T:
        """Commit several statements at once. `work` may be repeated: let it do nothing else."""

        @unit_of_work(metadata=self._metadata(name))
        async def tracked(tx: AsyncManagedTransaction) -> T:
            return await Transaction(self, tx).in_realm(name, work)

        async def attempt() -> T:
            with statement_log.transaction_span(name, self.realm, self.name):
                async with self._session() as session:
                    return await session.execute_write(tracked)

        return await self._with_revival(name, attempt)

    async def _with_revival(self, name: str, attempt: Callable[[], Awaitable[T]]) -> T:
        """Attempt it, and once more after a dead local server was brought back."""
        self._report_use()
        try:
            return await self._with_retries(name, attempt)
        except DatabaseUnavailable as error:
            if not await self._try_to_revive(error):
                raise
        return await self._with_retries(name, attempt)

    async def _try_to_revive(self, error: DatabaseUnavailable) -> bool:
        """Bring a local server back, and return True if the work may be repeated."""
        cause = error.__cause__
        if self.revive is None or not driver_errors.curable(cause):
            return False
        try:
            back = await self.revive(driver_errors.stopped(cause))
        except DatabaseUnavailable as reason:
            if not driver_errors.unsure(cause):
                raise
            raise DatabaseUnavailable(f"{error}. Besides, {reason}") from cause
        return back and not driver_errors.unsure(cause)

    async def _with_retries(self, name: str, attempt: Callable[[], Awaitable[T]]) -> T:
        self.require_usable()
        with driver_errors.translated(name):
            return await retries.repeat(attempt, self.lost_seconds)

    async def execute(
        self, statement: Statement, arguments: Row, to_row: ToRow | None = None
    ) -> list[Row]:
        """Run one parsed statement, a write in a managed transaction.

        A read runs at once, and in a managed transaction if that fails in a way that passes.
        """
        parameters = self._parameters(statement, arguments)
        with driver_errors.sendable(parameters):
            if statement.access is Access.READ:
                with self.observed(statement) as observation:
                    rows = await self._read(statement, parameters, to_row or plain_row)
                    observation.rows = len(rows)
                return rows
            return await self._write(statement, parameters)

    async def _read(self, statement: Statement, parameters: Row, to_row: ToRow) -> list[Row]:
        query = self._query(statement)
        with suppress(TransientError, SessionExpired, ServiceUnavailable):
            async with self._session(default_access_mode=READ_ACCESS) as session:
                result = await session.run(query, parameters)
                return [to_row(record) async for record in result]
        answer = await self.driver.execute_query(
            query, parameters, routing_=RoutingControl.READ, database_=self.name
        )
        return [to_row(record) for record in answer.records]

    async def _write(self, statement: Statement, parameters: Row) -> list[Row]:
        @unit_of_work(metadata=self._metadata(statement.name), timeout=self.seconds)
        async def write(tx: AsyncManagedTransaction) -> list[Row]:
            return await Transaction(self, tx).in_realm(
                statement.name, lambda inside: inside.run(statement, parameters)
            )

        async with self._session() as session:
            return await session.execute_write(write)

    def observed(self, statement: Statement) -> AbstractContextManager[Observation]:
        """Return a context that times a statement. Batches and schema changes are never slow."""
        lasting = statement.access in (Access.BATCH, Access.SCHEMA)
        slow_ms = None if lasting else self.settings.statements.slow_ms
        return statement_log.observed(statement.name, self.realm, self.name, slow_ms)

    def _report_use(self) -> None:
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
        """Return what the query log and SHOW TRANSACTIONS display of a transaction."""
        return {"app": "asterism", "statement": name, "realm": self.realm}

    def _parameters(self, statement: Statement, arguments: Row) -> Row:
        """Return exactly the parameters that the statement uses, with realm, now and settings."""
        unknown = arguments.keys() - statement.parameters
        if unknown:
            raise TypeError(f"{statement.name} takes no {', '.join(sorted(unknown))}")
        parameters = dict(arguments)
        if "realm" in statement.parameters:
            parameters.setdefault("realm", self.realm)
        if "now" in statement.parameters:
            parameters.setdefault("now", self.clock.now())
        if "settings" in statement.parameters:
            parameters.setdefault("settings", self.settings.section(statement.section))
        return parameters


@dataclass(frozen=True)
class Transaction:
    """Runs statements inside one transaction of a database."""

    database: Database
    inner: AsyncManagedTransaction
    written: list[bool] = field(default_factory=list)  # of each statement, whether it wrote

    async def in_realm(self, name: str, work: Callable[["Transaction"], Awaitable[T]]) -> T:
        """Do the work in its realm, which the first write creates.

        Another process may have deleted it since, so every transaction looks. Work that writes
        nothing leaves an absent realm absent.
        """
        if name.startswith(CREATES_NO_REALM):
            return await work(self)
        await self.rows("realms/open", realm_key=realm_key(self.database.realm))
        created = self.written.pop()
        result = await work(self)
        if created and not any(self.written):
            await self.rows("realms/forget")
        return result

    async def rows(self, name: str, /, **arguments: Any) -> list[Row]:
        """Return every row of a statement, which sees what earlier ones wrote."""
        statement = statements.load(name)
        return await self.run(statement, self.database._parameters(statement, arguments))

    async def run(self, statement: Statement, parameters: Row) -> list[Row]:
        """Run one parsed statement, and record whether it wrote anything."""
        with (
            driver_errors.sendable(parameters),
            self.database.observed(statement) as observation,
        ):
            result = await self.inner.run(cast(Any, statement.text), parameters)
            rows = [plain_row(record) async for record in result]
            observation.rows = len(rows)
        self.written.append((await result.consume()).counters.contains_updates)
        return rows

    async def row(self, name: str, /, **arguments: Any) -> Row | None:
        """Return the first row of a statement, or None."""
        return next(iter(await self.rows(name, **arguments)), None)

    async def one(self, name: str, /, **arguments: Any) -> Row:
        """Return the row of a statement that always has one."""
        return _first(name, await self.rows(name, **arguments))


def _first(name: str, rows: list[Row]) -> Row:
    if not rows:
        raise AsterismError(
            f"{name} returned no row, as if what it is about had just been deleted: repeat the call"
        )
    return rows[0]
