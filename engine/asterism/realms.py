"""Realms, separate worlds on one server: listed, counted, deleted, exported and loaded."""

import difflib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import Unpack

from asterism.active_hours import ActiveHours
from asterism.answer_changes import AnswerWatch, NoWatch
from asterism.base_model import Frozen
from asterism.database import Database
from asterism.embedding import Embedder, Embedding, OnnxEmbedder, read_stored
from asterism.errors import AsterismError, Conflict, InvalidInput, NotFound
from asterism.local.home import forget_vectors
from asterism.memory_filter import Conditions, MemoryFilter, build_filter
from asterism.private_files import PRIVATE
from asterism.realm_contents import delete_contents
from asterism.realm_names import realm_key, valid_name
from asterism.reembedding import OnProgress as OnStage
from asterism.reembedding import Reembedded, Reembedding
from asterism.row_types import row_of
from asterism.transfer.models import Exported, Loaded, OnProgress


class NoRealm(NotFound):
    """There is no realm of this name on the server."""

    def __init__(self, name: str, similar: Sequence[str]) -> None:
        hint = f"did you mean {' or '.join(similar)}? " if similar else "the first write makes it; "
        AsterismError.__init__(
            self, f"there is no realm {name!r}: {hint}`asterism realm list` shows all"
        )


@row_of("realms/list")
class RealmSummary(Frozen):
    """One realm on the server."""

    name: str
    created_at: datetime | None
    model: str | None
    dimensions: int | None
    unfinished: bool = False
    damaged: bool = False  # something of it can't be read: export what is left, or delete it


@row_of("realms/stats")
@dataclass(frozen=True)
class KindCount:
    """Row of realms/stats."""

    kind: str
    name: str
    count: int


class RealmStats(Frozen):
    """Numbers of nodes by label and of relationships by type."""

    name: str
    nodes: dict[str, int]
    relationships: dict[str, int]


class RealmDeleted(Frozen):
    """Numbers of nodes and relationships that went with a realm."""

    name: str
    nodes: int
    relationships: int


class Realms:
    """The realms of a server, of which a graph itself sees only its own."""

    def __init__(
        self,
        database: Database,
        embedding: Embedding | None = None,
        before_export: Callable[[], Awaitable[object]] | None = None,
        on_replaced: Callable[[], AnswerWatch] | None = None,
        hours: ActiveHours | None = None,
    ) -> None:
        self._database = database
        self._embedding = embedding
        self._before_export = before_export
        self._on_replaced = on_replaced
        self._hours = hours

    async def list(self) -> list[RealmSummary]:
        """Return every realm, by name."""
        rows = await self._database.rows("realms/list")
        return [RealmSummary(**row) for row in rows]

    async def require(self, name: str) -> None:
        """Refuse the name of an absent realm, and name the most similar ones."""
        if await self._database.within(valid_name(name)).row("transfer/import_state") is None:
            names = [realm.name for realm in await self.list()]
            raise NoRealm(name, difflib.get_close_matches(name, names, n=3, cutoff=0.5))

    async def stats(self, name: str | None = None) -> RealmStats:
        """Count nodes by label and relationships by type, of this realm or a named one."""
        realm = self._realm(name)
        rows = await self._database.within(realm).rows("realms/stats")
        counts: dict[str, dict[str, int]] = {"node": {}, "relationship": {}}
        for row in (KindCount(**row) for row in rows):
            counts[row.kind][row.name] = row.count
        return RealmStats(name=realm, nodes=counts["node"], relationships=counts["relationship"])

    async def delete(
        self, name: str, *, on_progress: Callable[[int], None] | None = None
    ) -> RealmDeleted:
        """Delete all of a realm, in batches. Interrupted, it stays listed: repeat the call."""
        database = self._database.within(valid_name(name))
        nodes, relationships = await delete_contents(database, on_progress)
        nodes += (await database.one("realms/forget"))["forgotten"]
        self._forget_content(name)
        return RealmDeleted(name=name, nodes=nodes, relationships=relationships)

    async def export(
        self,
        file: str | PathLike[str],
        *,
        name: str | None = None,
        on_progress: OnProgress | None = None,
        mode: int = PRIVATE,
        filter: MemoryFilter | None = None,
        **conditions: Unpack[Conditions],
    ) -> Exported:
        """Write this realm or a named one to a file of JSON lines, packed if it ends in .gz.

        All of it, exactly: the same content is always the same file. `on_progress` is called with
        the count of lines done and of all. Only you can read the file, unless `mode` lets others.

        With a filter, the file holds the text memories that pass, and what is theirs alone, as if
        all others had been forgotten: `left_out` of the report counts what it lacks.
        """
        from asterism.transfer.export import export

        chosen, realm = build_filter(filter, conditions), self._realm(name)
        here = realm == self._database.realm
        stored = await read_stored(self._database.within(realm))
        if stored and stored.swapping:
            raise Conflict(
                f"the vectors of realm {realm!r} are being replaced by those of "
                f"{stored.next_name}: export it when that is done"
            )
        if here and self._before_export:
            await self._before_export()
        return await export(
            self._database.within(realm),
            Path(file),
            on_progress,
            mode,
            filter=chosen,
            hours=self._hours if here else None,
        )

    async def load(
        self,
        file: str | PathLike[str],
        *,
        name: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> Loaded:
        """Fill this realm or a named one, which has to be empty, from an exported file.

        The file is checked whole before anything is written. Interrupted, the realm stays listed
        as unfinished: repeat the call, or delete the realm. In this graph's own realm the pinned
        questions of the file are asked again, and `answers_changed` has those that changed.
        """
        from asterism.transfer.load import load

        realm = self._realm(name)
        here = realm == self._database.realm
        embedding = self._embedding if here else None
        loaded = await load(self._database.within(realm), Path(file), embedding, on_progress)
        answers = self._forget_content(realm)
        return loaded.model_copy(update={"answers_changed": tuple(await answers.peek())})

    async def reembed(
        self, model: str | Embedder, *, on_progress: OnStage | None = None
    ) -> Reembedded:
        """Replace all vectors of this graph's realm by those of another model.

        Questions are answered from the old vectors meanwhile, and wait for the moment in which they
        are replaced. Interrupted, it goes on where it stopped: repeat the call. The next
        consolidation scores the edges anew. `answers_changed` has the pinned questions that are
        answered differently.
        """
        if self._embedding is None:
            raise InvalidInput("model", model, "open the realm as a graph to change its model")
        threads = self._database.settings.embedding.threads
        embedder = OnnxEmbedder(threads, model) if isinstance(model, str) else model
        await self.require(self._database.realm)
        step = on_progress or (lambda stage, count, total: None)
        report = await Reembedding(self._database, embedder, step).run()
        self._embedding.replace(embedder)
        answers = self._forget_content(self._database.realm)
        return report.model_copy(update={"answers_changed": tuple(await answers.peek())})

    def _realm(self, name: str | None) -> str:
        return self._database.realm if name is None else valid_name(name)

    def _forget_content(self, realm: str) -> AnswerWatch:
        """Forget everything that this machine and this graph remember of a realm's old content.

        Returns what asks the pinned questions of the new content.
        """
        forget_vectors(realm_key(realm))
        here = realm == self._database.realm
        if here and self._embedding:
            self._embedding.forget()
        return self._on_replaced() if here and self._on_replaced else NoWatch()
