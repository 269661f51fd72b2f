"""One run of an exploration within its timeout: embed, walk, commit, report."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from asterism.database import Database
from asterism.embedding import Embedding
from asterism.errors import AsterismError, ExplorationTimeout
from asterism.exploration.candidates import CandidateReader
from asterism.exploration.commit_result import CommitResult
from asterism.exploration.committer import Committer
from asterism.exploration.event_log import EventLog, EventType, OnEvent
from asterism.exploration.query import Query
from asterism.exploration.report import Report
from asterism.exploration.result import Exploration
from asterism.exploration.walk import Walk
from asterism.settings import ExplorationSettings

BeforeCommit = Callable[[], Awaitable[Any]]


@dataclass
class Run:
    """One exploration with its clock. Whatever goes wrong, nothing of it is written."""

    database: Database
    embedding: Embedding
    query: Query
    run_id: str
    settings: ExplorationSettings
    seconds: float
    dry_run: bool = False
    on_event: OnEvent | None = None
    cancel: asyncio.Event = field(default_factory=asyncio.Event)
    before_commit: BeforeCommit | None = None

    def __post_init__(self) -> None:
        self._began = time.monotonic()
        self._at = self.database.clock.now()
        self._log = EventLog(self.run_id, self.settings.trace, self.on_event)
        self._walk: Walk | None = None

    async def execute(self) -> Exploration:
        """Return the result of the whole exploration."""
        try:
            walk, result = await self._walk_in_time()
            await self._confirm(walk)
            if not self.dry_run and not walk.cancelled:
                properties = Report(walk, result).run_properties()
                result = await self._committer(walk).commit(properties)
            exploration = self._report(walk, result)
            self._record_end(exploration)
            await self._log.wait_for_listener()
            return exploration
        except AsterismError:
            await self._log.wait_briefly()
            raise
        finally:
            self._log.drop_pending()

    async def _walk_in_time(self) -> tuple[Walk, CommitResult]:
        """Walk, and preview the commit, or raise that there was no time for it."""
        try:
            async with asyncio.timeout(self._seconds_left()):
                walk = await self._new_walk()
                await walk.run(lambda: not self.cancel.is_set())
                committer = self._committer(walk)
                reads = self.dry_run and not walk.cancelled
                result = await committer.preview() if reads else committer.preview_offline()
            if not self.dry_run and self._seconds_left() < self._commit_reserve():
                raise TimeoutError
        except TimeoutError as error:
            raise self._timeout() from error
        except AsterismError as error:
            if self._seconds_left() <= 0:
                raise self._timeout() from error
            raise
        return walk, result

    async def _new_walk(self) -> Walk:
        query, settings, dry_run = self.query, self.settings, self.dry_run
        vectors = await query.embed(self.embedding, dry_run=dry_run)
        self._log.record(
            EventType.STARTED,
            actor=query.actor,
            query=query.query,
            intention=query.intention_text,
            start=query.start or query.actor,
            dry_run=dry_run,
        )
        reader = CandidateReader(self.database, settings, query, vectors, self._seconds_left)
        self._walk = Walk(query, vectors, settings, reader, self._log)
        return self._walk

    async def _confirm(self, walk: Walk) -> None:
        """Await `before_commit` in the time that is left."""
        if self.before_commit is None or self.dry_run or walk.cancelled:
            return
        limit = asyncio.timeout(self._seconds_left() - self._commit_reserve())
        try:
            async with limit:
                await self.before_commit()
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise self._timeout("the walk was done, but the commit was held back") from error
        walk.cancelled = self.cancel.is_set()

    def _committer(self, walk: Walk) -> Committer:
        return Committer(
            self.database,
            self.settings,
            walk.machine.write_set,
            self.run_id,
            walk.vectors.baseline_cosine,
            self.embedding.embedder.name,
        )

    def _report(self, walk: Walk, result: CommitResult) -> Exploration:
        report = Report(walk, result)
        duration = time.monotonic() - self._began
        return report.exploration(self.run_id, self._at, duration, dry_run=self.dry_run)

    def _seconds_left(self) -> float:
        return self._began + self.seconds - time.monotonic()

    def _commit_reserve(self) -> float:
        return min(self.settings.commit_reserve, self.seconds / 4)

    def _timeout(self, stage: str = "the exploration went on") -> ExplorationTimeout:
        self._log.drop_pending()
        self._log.record(EventType.DISCARDED, reason="timeout")
        partial = None
        if self._walk is not None and self._walk.subentities:
            partial = self._report(self._walk, self._committer(self._walk).preview_offline())
        problem = f"{stage} for longer than {self.seconds:g} s, so nothing was written"
        remedy = "give it more with timeout=, or look at what was seen so far in .partial"
        return ExplorationTimeout(f"{problem}: {remedy}", partial)

    def _record_end(self, exploration: Exploration) -> None:
        committed, changes = exploration.committed, exploration.changes
        reason = "dry run" if exploration.dry_run else exploration.outcome
        self._log.record(
            EventType.COMMITTED if committed else EventType.DISCARDED,
            created=[narrative.id for narrative in exploration.created],
            reused=[narrative.id for narrative in exploration.reused],
            nodes=len(changes.nodes),
            links=len(changes.links),
            dropped=changes.dropped,
            **({} if committed else {"reason": reason}),
        )
        self._log.record(
            EventType.FINISHED,
            outcome=exploration.outcome,
            satisfaction=exploration.satisfaction,
            reads=exploration.reads,
            ticks=exploration.ticks,
            subentities=exploration.subentities,
            hops=exploration.hops,
        )
