"""Task of a guided exploration: recall, starts, rounds, connections, and the answer it writes."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from asterism.database import Row, Transaction
from asterism.embedding import DEFAULT_SPREAD
from asterism.exploration.commit_result import CommitResult
from asterism.exploration.committer import Committer
from asterism.exploration.event_log import EventType
from asterism.exploration.guided import connections, narrative
from asterism.exploration.guided.connections import Join
from asterism.exploration.guided.embedding_cache import EmbeddingCache
from asterism.exploration.guided.guided_report import GuidedReport
from asterism.exploration.guided.narrative import Answer, Quote
from asterism.exploration.guided.question import parse
from asterism.exploration.guided.rounds import GuidedWalk
from asterism.exploration.guided.starts import StartReader
from asterism.exploration.models import caption
from asterism.exploration.query import QueryVectors
from asterism.exploration.result import Exploration
from asterism.exploration.task import Request
from asterism.recall.recall import Search

READS_OF_RECALL = 2
MOST_QUOTES = 3


class GuidedTask:
    """Walk that starts where recall finds, and keeps recall's order."""

    def __init__(
        self, request: Request, recall: Search, cache: EmbeddingCache, *, keep: bool
    ) -> None:
        self._request = request
        self._recall = recall
        self._cache = cache
        self._keep = keep
        self._walk: GuidedWalk | None = None
        self._joins: list[Join] = []
        self._answer: Answer | None = None
        self._reused = False
        self._reads = 0

    @property
    def has_begun(self) -> bool:
        return self._walk is not None

    @property
    def cancelled(self) -> bool:
        return self._walk is not None and self._walk.cancelled

    def cancel(self) -> None:
        self._current.cancelled = True

    async def walk(self, may_continue: Callable[[], bool]) -> None:
        request, settings, database = self._request, self._request.settings, self._request.database
        query = request.query
        vectors = await query.embed(request.embedding, dry_run=request.dry_run)
        request.record_start(query.start or "the best memories")
        answer = await self._recall.ranked(query.query, settings.findings, vectors.query.tolist())
        self._reads += READS_OF_RECALL
        calibration = await request.embedding.peek()
        question = parse(query.query, database.realm)
        reader = StartReader(database, settings, calibration, self._cache.documents)
        starts = await reader.read(query, vectors, question, answer)
        self._reads += 1
        now = {clock: int(answer.filter.get(clock, 0)) for clock in ("wall", "active")}
        scale = DEFAULT_SPREAD / calibration.spread
        self._walk = GuidedWalk(
            database, settings, question, vectors, starts, now, request.at, scale, request.log
        )
        joining = asyncio.ensure_future(connections.read(database, settings, question, starts))
        try:
            await self._walk.run(may_continue)
            self._joins = await joining
        finally:
            joining.cancel()
        self._reads += 1
        await self._plan_answer(vectors)

    async def preview(self) -> CommitResult:
        return self.preview_offline()

    def preview_offline(self) -> CommitResult:
        return self._committer.preview_offline()

    async def commit(self) -> CommitResult:
        return await self._committer.commit(self._run_properties())

    def report(self, result: CommitResult, duration: float) -> Exploration:
        request, walk = self._request, self._current
        report = GuidedReport(request.query, walk, self._joins, self._answer)
        return report.exploration(
            request.run_id,
            request.at,
            duration,
            result,
            reused=self._reused,
            reads=self._reads + walk.reads,
            dry_run=request.dry_run,
        )

    @property
    def _current(self) -> GuidedWalk:
        assert self._walk is not None
        return self._walk

    @property
    def _committer(self) -> Committer:
        request = self._request
        return Committer(
            request.database,
            request.settings,
            self._current.write_set,
            request.run_id,
            0.0,
            request.embedding.embedder.name,
            self._write_answer,
        )

    async def _plan_answer(self, vectors: QueryVectors) -> None:
        """Plan a narrative if two findings are joined, or if the caller keeps one in any case."""
        places = self._current.starts.findings
        join = next((each for each in self._joins if each.is_quotable), None)
        if self._current.cancelled or not places or (join is None and not self._keep):
            return
        best, least = places[0].query_value, self._request.settings.join_alignment
        close = [each for each in places if each.query_value >= max(least, best / 2)]
        chosen = [join.a, join.b] if join else (close or [places[0]])[:MOST_QUOTES]
        ranks = {place.node.id: rank for rank, place in enumerate(places, 1)}
        quotes = [
            Quote(
                place.node.id, place.node.content, place.at, ranks[place.node.id], place.query_value
            )
            for place in chosen
        ]
        query, request = self._request.query, self._request
        self._answer = await narrative.compose(
            request.database.realm,
            query.query,
            np.asarray(vectors.query),
            quotes,
            heading=narrative.asked_by(request.at, query.actor, query.intention),
            joined_by=join.joined_by if join else (),
            embed=self._cache.documents,
        )
        request.log.record(EventType.CRYSTAL_PLANNED, "0", name=self._answer.question)

    async def _write_answer(self, tx: Transaction) -> Row:
        """Store the answer, and return what the run's node says of it."""
        if self._answer is None:
            return {}
        model = self._request.embedding.embedder.name
        row = await tx.one(
            "exploration/save_narrative",
            run_id=self._request.run_id,
            **self._answer.parameters(kind="question", model=model),
        )
        self._reused = not row["created"]
        ids = [] if self._reused else [self._answer.id]
        return {
            "narrative": self._answer.id,
            "created": len(ids),
            "created_ids": ids,
            "reused": int(self._reused),
        }

    def _run_properties(self) -> Row:
        request, walk = self._request, self._current
        preview = self.report(replace(self.preview_offline()), 0.0)
        return {
            "actor": preview.actor,
            "query": preview.query,
            "intention": preview.intention,
            "start": preview.start,
            "outcome": preview.outcome.value,
            "satisfaction": preview.satisfaction,
            "subentities": preview.subentities,
            "hops": preview.hops,
            "reads": preview.reads,
            "found": len(preview.narratives),
            "visited": [node.id for node in preview.nodes],
            "walked": [
                move.link for front in walk.fronts for move in front.moves if move.type == "LINK"
            ],
            "coloured": [],
            "caption": caption(request.query.query),
        }
