"""Realms: separate worlds on one server."""

import difflib
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from engine.database import Database
from engine.embedding import Embedding
from engine.errors import AsterismError, InvalidInput, NotFound
from engine.frozen import Frozen
from engine.local.home import forget_vectors
from engine.private_files import PRIVATE
from engine.realm_key import realm_key as realm_key

if TYPE_CHECKING:
    from engine.transfer import Exported, Loaded
    from engine.transfer.model import OnProgress

LONGEST_NAME = 100
LARGEST_COUNT = 10**12  # of memories or words: what counts more is damaged, and is not believed


class NoRealm(NotFound):
    """There is no realm of this name on the server."""

    def __init__(self, name: str, near: Sequence[str]) -> None:
        near_names = f"did you mean {' or '.join(near)}? " if near else "the first write makes it; "
        AsterismError.__init__(
            self, f"there is no realm {name!r}: {near_names}`asterism realm list` shows all"
        )


class RealmSummary(Frozen):
    """One realm on the server."""

    name: str
    created_at: datetime | None
    model: str | None
    dimensions: int | None
    unfinished: bool = False
    damaged: bool = False  # something of it can't be read: export what is left, or delete it


class RealmStats(Frozen):
    """What a realm holds."""

    name: str
    nodes: dict[str, int]
    relationships: dict[str, int]


class RealmDeleted(Frozen):
    """What went with a realm."""

    name: str
    nodes: int
    relationships: int


class Realms:
    """The realms of a server; a graph itself sees only its own."""

    def __init__(
        self,
        database: Database,
        embedding: Embedding | None = None,
        before_export: Callable[[], Awaitable[object]] | None = None,
        on_renewed: Callable[[], None] | None = None,
    ) -> None:
        self._database = database
        self._embedding = embedding
        self._before_export = before_export
        self._on_renewed = on_renewed

    async def list(self) -> list[RealmSummary]:
        """Every realm, by name."""
        rows = await self._database.rows("realms/list")
        return [RealmSummary(**row) for row in rows]

    async def require(self, name: str) -> None:
        """Refuse the name of an absent realm, and name the nearest that there are."""
        if await self._database.within(valid_name(name)).row("transfer/standing") is None:
            names = [realm.name for realm in await self.list()]
            near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
            raise NoRealm(name, near)

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
        nodes, relationships = await empty(database, on_progress)
        row = await database.row("realms/forget")
        forget_vectors(realm_key(name))
        nodes += row["forgotten"] if row else 0
        self._renewed(name)
        return RealmDeleted(name=name, nodes=nodes, relationships=relationships)

    async def export(
        self,
        file: str | PathLike[str],
        *,
        name: str | None = None,
        on_progress: "OnProgress | None" = None,
        mode: int = PRIVATE,
    ) -> "Exported":
        """Write this realm or a named one to a file of JSON lines, packed if it ends in .gz.

        All of it, exactly; the same content is always the same file. `on_progress` is told how
        much is done and how much there is. Only you can read the file, unless `mode` lets others.
        """
        from engine.transfer.export import export

        realm = self._database.realm if name is None else valid_name(name)
        if realm == self._database.realm and self._before_export:
            await self._before_export()
        told = on_progress or (lambda done, total: None)
        return await export(self._database.within(realm), Path(file), told, mode)

    async def load(
        self,
        file: str | PathLike[str],
        *,
        name: str | None = None,
        on_progress: "OnProgress | None" = None,
    ) -> "Loaded":
        """Fill this realm or a named one, which has to be empty, from an exported file.

        The file is checked whole before anything is written. Interrupted, the realm stays listed
        as unfinished: repeat the call, or delete the realm.
        """
        from engine.transfer.load import load

        realm = self._database.realm if name is None else valid_name(name)
        here = realm == self._database.realm
        model = self._embedding.embedder.name if here and self._embedding else None
        told = on_progress or (lambda done, total: None)
        loaded = await load(self._database.within(realm), Path(file), model, told)
        forget_vectors(realm_key(realm))
        self._renewed(realm)
        return loaded

    def _renewed(self, realm: str) -> None:
        """What this graph knew of its realm is no longer so."""
        if realm == self._database.realm:
            if self._embedding:
                self._embedding.forget()
            if self._on_renewed:
                self._on_renewed()


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


async def empty(
    database: Database, on_progress: Callable[[int], None] | None = None
) -> tuple[int, int]:
    """Delete all that a realm holds but its name; says how many nodes and relationships went."""
    step = on_progress or (lambda count: None)
    relationships = await _drain(database, "realms/delete_relationships", step)
    return await _drain(database, "realms/delete_nodes", step), relationships


async def _drain(database: Database, statement: str, step: Callable[[int], None]) -> int:
    count = 0
    async for row in database.stream(statement):
        count += row["deleted"]
        step(row["deleted"])
    return count
