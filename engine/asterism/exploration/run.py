"""One run of an exploration within its timeout: embed, walk, commit, report."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from asterism.database import Database
from asterism.embedding import Embedding
from asterism.errors import AsterismError, ExplorationTimeout
from asterism.exploration.commit_result import CommitResult
from asterism.exploration.event_log import EventLog, EventType, OnEvent
from asterism.exploration.query import Query
from asterism.exploration.result import Exploration
from asterism.exploration.task import Request, Task
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
    new_task: Callable[[Request], Task]
    dry_run: bool = False
    on_event: OnEvent | None = None
    cancel: asyncio.Event = field(default_factory=asyncio.Event)
    before_commit: BeforeCommit | None = None

    def __post_init__(self) -> None:
        self._began = time.monotonic()
        self._log = EventLog(self.run_id, self.settings.trace, self.on_event)
        self._task = self.new_task(
            Request(
                self.database,
                self.embedding,
                self.query,
                self.run_id,
                self.settings,
                self.dry_run,
                self._log,
                self.database.clock.now(),
                self._seconds_left,
            )
        )

    async def execute(self) -> Exploration:
        """Return the result of the whole exploration."""
        task = self._task
        try:
            result = await self._walk_in_time()
            await self._confirm()
            if not self.dry_run and not task.cancelled:
                result = await task.commit()
            exploration = self._report(result)
            self._record_end(exploration)
            await self._log.wait_for_listener()
            return exploration
        except AsterismError:
            await self._log.wait_briefly()
            raise
        finally:
            self._log.drop_pending()

    async def _walk_in_time(self) -> CommitResult:
        """Walk, and preview the commit, or raise that there was no time for it."""
        task = self._task
        try:
            async with asyncio.timeout(self._seconds_left()):
                await task.walk(lambda: not self.cancel.is_set())
                reads = self.dry_run and not task.cancelled
                result = await task.preview() if reads else task.preview_offline()
            if not self.dry_run and self._seconds_left() < self._commit_reserve():
                raise TimeoutError
        except TimeoutError as error:
            raise self._timeout() from error
        except AsterismError as error:
            if self._seconds_left() <= 0:
                raise self._timeout() from error
            raise
        return result

    async def _confirm(self) -> None:
        """Await `before_commit` in the time that is left."""
        if self.before_commit is None or self.dry_run or self._task.cancelled:
            return
        limit = asyncio.timeout(self._seconds_left() - self._commit_reserve())
        try:
            async with limit:
                await self.before_commit()
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise self._timeout("the walk was done, but the commit was held back") from error
        if self.cancel.is_set():
            self._task.cancel()

    def _report(self, result: CommitResult) -> Exploration:
        return self._task.report(result, time.monotonic() - self._began)

    def _seconds_left(self) -> float:
        return self._began + self.seconds - time.monotonic()

    def _commit_reserve(self) -> float:
        return min(self.settings.commit_reserve, self.seconds / 4)

    def _timeout(self, stage: str = "the exploration went on") -> ExplorationTimeout:
        self._log.drop_pending()
        self._log.record(EventType.DISCARDED, reason="timeout")
        partial = None
        if self._task.has_begun:
            partial = self._report(self._task.preview_offline())
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
