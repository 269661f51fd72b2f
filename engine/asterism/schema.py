"""Schema: its versions, applied once by any number of processes at a time."""

import asyncio
from typing import TypedDict, cast

from neo4j.exceptions import Neo4jError

from asterism import driver_errors, statements, text_renewal
from asterism.database import Database, Row
from asterism.errors import AsterismError, SchemaMismatch
from asterism.filter_marks import stored_marks
from asterism.row_types import row_of
from asterism.statements import Access

_EXISTS = "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
MARKED_SINCE = 10  # the version since which memories have marks of every field
SAID_SINCE = 15  # the version since which actors are joined to what they said
WORDS_SINCE = 16  # the version since which the words of memories are those of their language
BATCH = 2000
_ATTEMPTS = 20
_PAUSE_SECONDS = 0.05


@row_of("schema/version")
class StoredVersion(TypedDict):
    """Row of schema/version."""

    version: int | None
    empty: bool
    known_realm: bool


@row_of("schema/texts_to_mark")
class MarkedText(TypedDict):
    """Row of schema/texts_to_mark."""

    id: str
    marks: list[str] | None
    fields: Row


def version() -> int:
    """Return the newest schema version of this package."""
    return max(int(name.split("/")[1]) for name in statements.migrations())


async def apply(database: Database) -> bool:
    """Apply the missing versions, and return True if the realm is there and whole."""
    row = cast(StoredVersion, await database.one("schema/version"))
    current, newest = row["version"] or 0, version()
    if current > newest:
        raise SchemaMismatch(
            f"this graph was written by a newer Asterism (its schema is {current}, this one's "
            f"{newest}): upgrade with `pip install -U asterism`, or open another database"
        )
    if current < newest:
        await _apply_since(current, database, empty=row["empty"])
        await database.rows("schema/await")
        await database.rows("schema/record", version=newest)
    return row["known_realm"]


async def _apply_since(current: int, database: Database, *, empty: bool) -> None:
    """Run what later versions bring. An empty database has nothing to renew."""
    for name in statements.migrations():
        renews = statements.load(name).access is not Access.SCHEMA
        if int(name.split("/")[1]) > current and not (renews and empty):
            await step(database, name)
    if current < MARKED_SINCE and not empty:
        await mark_texts(database)
    if current < WORDS_SINCE and not empty:
        await text_renewal.renew_all(database)


async def step(database: Database, name: str) -> None:
    """Run one statement, or find that another process has done the same."""
    for attempt in range(_ATTEMPTS):
        try:
            await database.rows(name)
            return
        except AsterismError as error:
            cause = error.__cause__
            if driver_errors.code(error) == _EXISTS:
                return
            retryable = isinstance(cause, Neo4jError) and cause.is_retryable()
            if not retryable or attempt == _ATTEMPTS - 1:
                raise
            await asyncio.sleep(_PAUSE_SECONDS * attempt)


async def mark_texts(database: Database) -> int:
    """Give the text memories of every realm the marks by which filters find them.

    The same again changes nothing, so a migration that was killed goes on where it was.
    """
    realms = [database.within(row["name"]) for row in await database.rows("realms/list")]
    return sum([await _mark_realm(realm) for realm in realms])


async def _mark_realm(database: Database) -> int:
    """Mark the texts of a realm, in batches, and return how many had no marks or others."""
    count, after = 0, ""
    while rows := await _texts_to_mark(database, after):
        changes = [
            {"id": row["id"], "before": row["marks"], "marks": marks}
            for row in rows
            if set(marks := stored_marks(row["fields"])) != set(row["marks"] or ())
        ]
        if changes:
            marked = (await database.one("schema/mark_texts", rows=changes))["marked"]
            count += marked
            if marked < len(changes):  # another process has changed some: read them again
                continue
        after = rows[-1]["id"]
    return count


async def _texts_to_mark(database: Database, after: str) -> list[MarkedText]:
    rows = await database.rows("schema/texts_to_mark", after=after, limit=BATCH)
    return cast(list[MarkedText], rows)
