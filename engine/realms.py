"""Realms: separate worlds on one server."""

import hashlib
from collections.abc import Callable
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from engine.database import Database
from engine.embedding import Embedding
from engine.errors import InvalidInput
from engine.local.home import forget_vectors

LONGEST_NAME = 100


class RealmSummary(BaseModel):
    """One realm on the server."""

    model_config = ConfigDict(frozen=True)

    name: str
    created_at: datetime
    model: str | None
    dimensions: int | None


class RealmStats(BaseModel):
    """What a realm holds."""

    model_config = ConfigDict(frozen=True)

    name: str
    nodes: dict[str, int]
    relationships: dict[str, int]


class RealmDeleted(BaseModel):
    """What went with a realm."""

    model_config = ConfigDict(frozen=True)

    name: str
    nodes: int
    relationships: int


class Realms:
    """The realms of a server; a graph itself sees only its own."""

    def __init__(self, database: Database, embedding: Embedding | None = None) -> None:
        self._database = database
        self._embedding = embedding

    async def list(self) -> list[RealmSummary]:
        """Every realm, by name."""
        rows = await self._database.rows("realms/list")
        return [RealmSummary(**row) for row in rows]

    async def stats(self, name: str | None = None) -> RealmStats:
        """Nodes by label and relationships by type, of this realm or a named one."""
        realm = self._database.realm if name is None else valid_name(name)
        rows = await self._database.within(realm).rows("realms/stats")
        counts: dict[str, dict[str, int]] = {"node": {}, "relationship": {}}
        for row in rows:
            counts[row["kind"]][row["name"]] = row["count"]
        return RealmStats(name=realm, nodes=counts["node"], relationships=counts["relationship"])

    async def delete(
        self, name: str, *, on_progress: Callable[[int], None] | None = None
    ) -> RealmDeleted:
        """Delete all of a realm, in batches. Interrupted, it stays listed: repeat the call."""
        database = self._database.within(valid_name(name))
        step = on_progress or (lambda count: None)
        relationships = await _drain(database, "realms/delete_relationships", step)
        nodes = await _drain(database, "realms/delete_nodes", step)
        row = await database.row("realms/forget")
        forget_vectors(realm_key(name))
        nodes += row["forgotten"] if row else 0
        if name == self._database.realm and self._embedding:
            self._embedding.forget()
        return RealmDeleted(name=name, nodes=nodes, relationships=relationships)


def valid_name(name: str, argument: str = "realm") -> str:
    """A realm's name as it is, or a refusal that says what a name looks like."""
    fine = (
        isinstance(name, str)
        and 0 < len(name) <= LONGEST_NAME
        and name.isprintable()
        and name == name.strip()
    )
    if not fine:
        remedy = (
            f"a realm's name is 1 to {LONGEST_NAME} printable characters without spaces around it"
        )
        raise InvalidInput(argument, name, remedy)
    return name


def realm_key(name: str) -> str:
    """The realm as one word of letters and digits, for the fulltext index."""
    return "r" + hashlib.sha256(name.encode()).hexdigest()[:12]


async def _drain(database: Database, statement: str, step: Callable[[int], None]) -> int:
    count = 0
    async for row in database.stream(statement):
        count += row["deleted"]
        step(row["deleted"])
    return count
