"""Explorations: SubEntities that walk the graph with a question, and change what they walk."""

import asyncio
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.database import Database
from engine.embedding import Embedding
from engine.errors import AsterismError, ExplorationTimeout, InvalidInput
from engine.exploration.asking import (
    Asking,
    looking_id,
    valid_settings,
    valid_text,
    valid_timeout,
)
from engine.exploration.commit import Commit
from engine.exploration.events import EventType, OnEvent, Teller
from engine.exploration.model import (
    Kind,
    Link,
    LinkItem,
    Loaded,
    Node,
    NodeItem,
    RunSummary,
    Undone,
    parsed,
)
from engine.exploration.report import Report
from engine.exploration.result import Exploration
from engine.exploration.sight import Sight
from engine.exploration.store import Progress, Store
from engine.exploration.stream import Stream
from engine.exploration.undo import undo
from engine.exploration.walk import Walk
from engine.settings import ExplorationSettings

Config = ExplorationSettings | Mapping[str, Any] | None


class Explorer:
    """Walks the graph of one realm."""

    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._embedding = embedding
        self._store = Store(database, embedding)
        self._turns = asyncio.Semaphore(database.settings.exploration.concurrent)

    async def add(self, kind: Kind | str, name: str, **properties: Any) -> Node:
        """Add a node: id, content, synthesis, embedding, permanence, weight, energy.

        Without an embedding one is made of the synthesis, the content or the name.
        """
        item: NodeItem = parsed(NodeItem, {"kind": kind, "name": name, **properties})
        return await self._store.add(item)

    async def link(
        self,
        a: str,
        b: str,
        *,
        labels: tuple[str | None, str | None] = (None, None),
        **properties: Any,
    ) -> Link:
        """Link two nodes: id, synthesis, embedding, polarity, hierarchy, permanence, weight, ...

        Without an embedding one is made of the synthesis; without that either, the far node's
        stands in. `labels` tell a Star from a Thing of the same id.
        """
        item: LinkItem = parsed(LinkItem, {"a": a, "b": b, **properties})
        return await self._store.link(item, labels)

    async def load(
        self,
        nodes: Iterable[NodeItem | Mapping[str, Any]] = (),
        links: Iterable[LinkItem | Mapping[str, Any]] = (),
        *,
        on_progress: Progress | None = None,
    ) -> Loaded:
        """Add thousands of nodes and links; `on_progress` is told ("nodes", done, all).

        What is there already stays as it is, so an interrupted load can be repeated.
        """
        return await self._store.load(nodes, links, on_progress)

    async def explore(
        self,
        actor: str,
        query: str,
        intention: str | None = None,
        *,
        query_embedding: Sequence[float] | None = None,
        intention_embedding: Sequence[float] | None = None,
        start: str | None = None,
        start_label: str | None = None,
        dry_run: bool = False,
        timeout: float | None = None,  # noqa: ASYNC109
        settings: Config = None,
        on_event: OnEvent | None = None,
        run_id: str | None = None,
        cancel: asyncio.Event | None = None,
    ) -> Exploration:
        """Walk with a question and the reason for it; find, and leave the graph changed.

        Starts at the actor, or at `start`. A dry run changes nothing. `timeout` is in seconds, 30
        unless the settings say otherwise. Setting `cancel` ends the walk within a tick, unwritten.
        """
        chosen = valid_settings(settings, self._database.settings.exploration)
        seconds = valid_timeout(timeout, chosen)
        valid_text("actor", actor)
        valid_text("query", query)
        if intention is not None:
            valid_text("intention", intention)
        asking = Asking(self._database, self._embedding, writes=not dry_run)
        vectors = (
            asking.given("query_embedding", query_embedding),
            asking.given("intention_embedding", intention_embedding),
        )
        looking = looking_id(self._database.realm, actor, query, intention, start, chosen)
        id = run_id or (looking if dry_run else str(uuid.uuid4()))
        outing = _Outing(self._database, asking, chosen, id, seconds, dry_run, on_event, cancel)
        async with self._turns:
            return await outing.go(actor, query, intention, vectors, (start, start_label))

    def stream(
        self, actor: str, query: str, intention: str | None = None, **options: Any
    ) -> Stream:
        """The same, as an async iterator of events; its `result()` is the exploration."""
        told = options.pop("on_event", None)

        def begin(on_event: OnEvent) -> Any:
            def both(event: Any) -> None:
                on_event(event)
                if told is not None:
                    told(event)

            return self.explore(actor, query, intention, on_event=both, **options)

        return Stream(begin, self._database.settings.exploration.event_queue)

    async def runs(self, limit: int = 20) -> list[RunSummary]:
        """The latest explorations that were committed, newest first."""
        if limit < 1:
            raise InvalidInput("limit", limit, "a whole number from 1")
        rows = await self._database.rows("exploration/runs", limit=limit)
        return [RunSummary(**row) for row in rows]

    async def undo(self, run_id: str) -> Undone:
        """Restore what a run changed where nothing touched it since, and say what was left."""
        return await undo(self._database, run_id)


class _Outing:
    """One exploration with its clock: ask, walk, commit, tell."""

    def __init__(
        self,
        database: Database,
        asking: Asking,
        settings: ExplorationSettings,
        run_id: str,
        seconds: float,
        dry_run: bool,
        on_event: OnEvent | None,
        cancel: asyncio.Event | None,
    ) -> None:
        self._database = database
        self._asking = asking
        self._settings = settings
        self._run_id = run_id
        self._seconds = seconds
        self._dry_run = dry_run
        self._cancel = cancel
        self._began = time.monotonic()
        self._at = database.clock.now()
        self._teller = Teller(run_id, settings.trace, on_event)
        self._walk: Walk | None = None

    async def go(self, actor: str, query: str, *rest: Any) -> Exploration:
        """The whole exploration; whatever goes wrong, nothing of it is written."""
        try:
            async with asyncio.timeout(self._left()):
                await self._explore(actor, query, *rest)
                assert self._walk is not None
                commit = self._commit(self._walk)
                writes = not self._dry_run and not self._walk.cancelled
                settled = (
                    commit.imagine() if writes or self._walk.cancelled else await commit.foresee()
                )
            self._keep_reserve()
        except TimeoutError as error:
            raise self._timeout() from error
        except AsterismError as error:
            if self._left() <= 0:
                raise self._timeout() from error
            raise
        if writes:
            settled = await commit.write(self._facts(self._walk))
        told = Report(self._walk, settled).result(
            self._run_id, self._at, time.monotonic() - self._began, dry_run=self._dry_run
        )
        self._tell_end(told)
        return told

    async def _explore(self, actor: str, query: str, *rest: Any) -> None:
        zero = await self._asking.zero()
        question = await self._asking.question(actor, query, *rest)
        self._teller.tell(
            EventType.STARTED,
            actor=actor,
            query=question.query,
            intention=question.intention,
            start=question.start or actor,
            dry_run=self._dry_run,
        )
        sight = Sight(self._database, self._settings, zero, self._left)
        self._walk = Walk(question, self._settings, sight, self._teller)
        await self._walk.run(lambda: self._cancel is None or not self._cancel.is_set())

    def _commit(self, walk: Walk) -> Commit:
        zero = walk.sight.zero
        return Commit(self._database, self._settings, walk.plan, self._run_id, zero)

    def _left(self) -> float:
        return self._began + self._seconds - time.monotonic()

    def _keep_reserve(self) -> None:
        """What could not be committed in time is not begun."""
        reserve = min(self._settings.commit_reserve, self._seconds / 4)
        if not self._dry_run and self._left() < reserve:
            raise TimeoutError

    def _timeout(self) -> ExplorationTimeout:
        self._teller.tell(EventType.DISCARDED, reason="timeout")
        partial = None
        if self._walk is not None and self._walk.subentities:
            settled = self._commit(self._walk).imagine()
            spent = time.monotonic() - self._began
            report = Report(self._walk, settled)
            partial = report.result(self._run_id, self._at, spent, dry_run=self._dry_run)
        return ExplorationTimeout(
            f"the exploration took longer than {self._seconds:g} s, so nothing was written: give "
            "it more with timeout=, or look at what was seen so far in .partial",
            partial,
        )

    def _facts(self, walk: Walk) -> dict[str, Any]:
        return Report(walk, self._commit(walk).imagine()).facts()

    def _tell_end(self, told: Exploration) -> None:
        type = EventType.COMMITTED if told.committed else EventType.DISCARDED
        created = [created.id for created in told.created]
        reused = [reused.id for reused in told.reused]
        self._teller.tell(
            type,
            created=created,
            reused=reused,
            nodes=len(told.changes.nodes),
            links=len(told.changes.links),
            dropped=told.changes.dropped,
            **({} if told.committed else {"reason": "dry run" if told.dry_run else told.outcome}),
        )
        self._teller.tell(
            EventType.FINISHED,
            outcome=told.outcome,
            satisfaction=told.satisfaction,
            reads=told.reads,
            ticks=told.ticks,
            subentities=told.subentities,
            hops=told.hops,
        )
