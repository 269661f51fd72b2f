"""One exploration from question to answer: ask, walk, commit, tell; all within its time."""

import asyncio
import time
from typing import Any

from engine.database import Database
from engine.errors import AsterismError, ExplorationTimeout
from engine.exploration.asking import Asking
from engine.exploration.commit import Commit
from engine.exploration.events import EventType, OnEvent, Teller
from engine.exploration.report import Report
from engine.exploration.result import Exploration
from engine.exploration.settled import Settled
from engine.exploration.sight import Sight
from engine.exploration.stream import BeforeCommit
from engine.exploration.walk import Walk
from engine.settings import ExplorationSettings


class Outing:
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
        before_commit: BeforeCommit | None,
    ) -> None:
        self._database = database
        self._asking = asking
        self._settings = settings
        self._run_id = run_id
        self._seconds = seconds
        self._dry_run = dry_run
        self._cancel = cancel
        self._before_commit = before_commit
        self._began = time.monotonic()
        self._at = database.clock.now()
        self._teller = Teller(run_id, settings.trace, on_event)
        self._walk: Walk | None = None

    async def go(self, actor: str, query: str, *rest: Any) -> Exploration:
        """The whole exploration; whatever goes wrong, nothing of it is written."""
        try:
            walk, settled = await self._in_time(actor, query, *rest)
            await self._confirm(walk)
            if not self._dry_run and not walk.cancelled:
                settled = await self._commit(walk).write(self._facts(walk))
            told = self._report(walk, settled)
            self._tell_end(told)
            await self._teller.heard()
            return told
        except AsterismError:
            await self._teller.heard_soon()
            raise
        finally:
            self._teller.drop()

    async def _in_time(self, actor: str, query: str, *rest: Any) -> tuple[Walk, Settled]:
        """Walk, and foresee what would be written, or say that there was no time for it."""
        try:
            async with asyncio.timeout(self._left()):
                walk = await self._explore(actor, query, *rest)
                commit = self._commit(walk)
                asks = self._dry_run and not walk.cancelled
                settled = await commit.foresee() if asks else commit.imagine()
            self._keep_reserve()
        except TimeoutError as error:
            raise self._timeout() from error
        except AsterismError as error:
            if self._left() <= 0:
                raise self._timeout() from error
            raise
        return walk, settled

    async def _confirm(self, walk: Walk) -> None:
        """Let whoever wants to look before the commit have the time that is left."""
        if self._before_commit is None or self._dry_run or walk.cancelled:
            return
        limit = asyncio.timeout(self._left() - self._reserve())
        try:
            async with limit:
                await self._before_commit()
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise self._timeout("the walk was done, but the commit was held back") from error
        walk.cancelled = self._cancel is not None and self._cancel.is_set()

    def _report(self, walk: Walk, settled: Settled) -> Exploration:
        spent = time.monotonic() - self._began
        report = Report(walk, settled)
        return report.result(self._run_id, self._at, spent, dry_run=self._dry_run)

    async def _explore(self, actor: str, query: str, *rest: Any) -> Walk:
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
        return self._walk

    def _commit(self, walk: Walk) -> Commit:
        return Commit(
            self._database,
            self._settings,
            walk.acts.plan,
            run_id=self._run_id,
            zero=walk.sight.zero,
            model=self._asking.model,
        )

    def _left(self) -> float:
        return self._began + self._seconds - time.monotonic()

    def _keep_reserve(self) -> None:
        """What could not be committed in time is not begun."""
        if not self._dry_run and self._left() < self._reserve():
            raise TimeoutError

    def _reserve(self) -> float:
        return min(self._settings.commit_reserve, self._seconds / 4)

    def _timeout(self, what: str = "the exploration went on") -> ExplorationTimeout:
        self._teller.drop()
        self._teller.tell(EventType.DISCARDED, reason="timeout")
        partial = None
        if self._walk is not None and self._walk.subentities:
            partial = self._report(self._walk, self._commit(self._walk).imagine())
        what = f"{what} for longer than {self._seconds:g} s, so nothing was written"
        remedy = "give it more with timeout=, or look at what was seen so far in .partial"
        return ExplorationTimeout(f"{what}: {remedy}", partial)

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
