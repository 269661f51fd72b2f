"""Brings a database to this package's schema: once, in any number of processes at a time."""

import asyncio

from neo4j.exceptions import Neo4jError

from engine import statements
from engine.database import Database
from engine.errors import AsterismError, SchemaMismatch

_ALREADY = "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
_AGAIN = 20
_PAUSE_SECONDS = 0.05


def version() -> int:
    """The newest schema version in this package: the highest folder under cypher/schema."""
    return max(int(name.split("/")[1]) for name in statements.migrations())


async def apply(database: Database) -> bool:
    """Apply what is missing. Says whether the realm is known already, and whole."""
    row = await database.row("schema/version")
    found, known = (row["version"] or 0, row["known_realm"]) if row else (0, False)
    newest = version()
    if found > newest:
        raise SchemaMismatch(
            f"this graph was written by a newer Asterism (its schema is {found}, this one's "
            f"{newest}): upgrade with `pip install -U asterism`, or open another database"
        )
    if found < newest:
        for name in statements.migrations():
            if int(name.split("/")[1]) > found:
                await step(database, name)
        await database.rows("schema/await")
        await database.rows("schema/record", version=newest)
    return bool(known)


async def step(database: Database, name: str) -> None:
    """Run one statement; another process doing the same at the same time is success too."""
    for attempt in range(_AGAIN):
        try:
            await database.rows(name)
            return
        except AsterismError as error:
            cause = error.__cause__
            code = cause.code if isinstance(cause, Neo4jError) else None
            if code == _ALREADY:
                return
            retryable = isinstance(cause, Neo4jError) and cause.is_retryable()
            if not retryable or attempt == _AGAIN - 1:
                raise
            await asyncio.sleep(_PAUSE_SECONDS * attempt)
