"""Tasks of a run: what it walks, writes and reports, by the rules of its mode."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from asterism.causality.line_vectors import LineVectors
from asterism.database import Database
from asterism.embedding import Embedding
from asterism.exploration.candidates import CandidateReader
from asterism.exploration.commit_result import CommitResult
from asterism.exploration.committer import Committer
from asterism.exploration.event_log import EventLog, EventType
from asterism.exploration.query import Query
from asterism.exploration.report import Report
from asterism.exploration.result import Exploration
from asterism.exploration.walk import Walk
from asterism.settings import ExplorationSettings


@dataclass(frozen=True)
class Request:
    """One exploration as it was asked for, with what it works on."""

    database: Database
    embedding: Embedding
    query: Query
    run_id: str
    settings: ExplorationSettings
    dry_run: bool
    log: EventLog
    at: datetime
    seconds_left: Callable[[], float]

    def record_start(self, start: str) -> None:
        """Record that the exploration begins."""
        self.log.record(
            EventType.STARTED,
            actor=self.query.actor,
            query=self.query.query,
            intention=self.query.intention_text,
            start=start,
            dry_run=self.dry_run,
        )


class Task(Protocol):
    """Walk, commit and report of one exploration."""

    @property
    def has_begun(self) -> bool:
        """True when there is something to report."""

    @property
    def cancelled(self) -> bool:
        """True if the walk was ended early."""

    def cancel(self) -> None:
        """Let nothing of the walk be written."""

    async def walk(self, may_continue: Callable[[], bool]) -> None:
        """Read and walk until the end, or until `may_continue` returns False."""

    async def preview(self) -> CommitResult:
        """Return the result that a commit would have now."""

    def preview_offline(self) -> CommitResult:
        """Return the same as far as it is known without reading."""

    async def commit(self) -> CommitResult:
        """Write everything in one transaction."""

    def report(self, result: CommitResult, duration: float) -> Exploration:
        """Return the exploration with what was, or would be, written."""


class LiteralTask:
    """Walk of the source document: from the actor, by links alone."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._walk: Walk | None = None

    @property
    def has_begun(self) -> bool:
        return self._walk is not None and bool(self._walk.subentities)

    @property
    def cancelled(self) -> bool:
        return self._walk is not None and self._walk.cancelled

    def cancel(self) -> None:
        self._current.cancelled = True

    async def walk(self, may_continue: Callable[[], bool]) -> None:
        request, settings = self._request, self._request.settings
        if not request.dry_run:
            await LineVectors(request.database, request.embedding).embed_missing()
        vectors = await request.query.embed(request.embedding, dry_run=request.dry_run)
        request.record_start(request.query.start or str(request.query.actor))
        reader = CandidateReader(
            request.database, settings, request.query, vectors, request.seconds_left
        )
        self._walk = Walk(request.query, vectors, settings, reader, request.log)
        await self._walk.run(may_continue)

    async def preview(self) -> CommitResult:
        return await self._committer.preview()

    def preview_offline(self) -> CommitResult:
        return self._committer.preview_offline()

    async def commit(self) -> CommitResult:
        properties = Report(self._current, self.preview_offline()).run_properties()
        return await self._committer.commit(properties)

    def report(self, result: CommitResult, duration: float) -> Exploration:
        request = self._request
        report = Report(self._current, result)
        return report.exploration(request.run_id, request.at, duration, dry_run=request.dry_run)

    @property
    def _current(self) -> Walk:
        assert self._walk is not None
        return self._walk

    @property
    def _committer(self) -> Committer:
        walk, request = self._current, self._request
        return Committer(
            request.database,
            request.settings,
            walk.machine.write_set,
            request.run_id,
            walk.vectors.baseline_cosine,
            request.embedding.embedder.name,
        )
