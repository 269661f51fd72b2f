"""Commands of graph.consolidation: consolidate, rebuild, explain, edges, prune, seen_together."""

import asyncio
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from asterism.active_hours import ActiveHours
from asterism.answer_changes import AnswerWatch, NoWatch
from asterism.clock import Moment, wall
from asterism.consolidation.cache_erasure import purge
from asterism.consolidation.calibration_check import spread_warning
from asterism.consolidation.comparison import Comparer
from asterism.consolidation.duplicate_restore import restore_duplicates
from asterism.consolidation.edge_explanation import explain
from asterism.consolidation.edge_score import edge_id
from asterism.consolidation.models import ConsolidationReport, CoOccurrence, EdgeExplanation
from asterism.consolidation.queued_memories import OnProgress
from asterism.consolidation.rebuild import rebuild
from asterism.consolidation.runner import Runner, RunOutcome
from asterism.consolidation.shared_text import shared_words
from asterism.database import Database, Row
from asterism.embedding import Embedding, foreign_cosines, read_stored
from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.memories.corrections import Corrections
from asterism.memories.edges import Edge, EdgeType, edge_of
from asterism.memories.proposals import Proposals, proposal_id
from asterism.memories.text_writer import TextWriter
from asterism.memories.writer_queue import writer_slots
from asterism.row_types import row_of

POLL_SECONDS = 0.2
MOST_TOGETHER = 50
COUNTS = ("promoted", "edges_created", "existing", "displaced")


@row_of("consolidation/count_waiting")
class WaitingCounts(NamedTuple):
    """Counts of memories that wait and are consolidated. `claimed`: a run is at work."""

    waiting: int
    claimed: bool
    active: int


@row_of("consolidation/edges")
class EdgeRow(NamedTuple):
    """Row of consolidation/edges."""

    edge: Row
    effective: float
    passage: str | None
    stems: list[str]
    names: list[str]


class Consolidation:
    """Turns memories that wait into connected ones."""

    def __init__(
        self,
        database: Database,
        embedding: Embedding,
        hours: ActiveHours,
        answers: AnswerWatch | None = None,
    ) -> None:
        self._database = database
        self._embedding = embedding
        self._hours = hours
        self._settings = database.settings.consolidation
        self._comparer = Comparer(database, embedding)
        self._answers = answers or NoWatch()
        self._runner = Runner(database, embedding, hours, self._comparer, self._answers)
        corrections = Corrections(database, hours, TextWriter(database, hours))
        self._proposals = Proposals(database, corrections)

    async def consolidate(
        self,
        limit: int | None = None,
        *,
        dry_run: bool = False,
        on_progress: OnProgress | None = None,
    ) -> ConsolidationReport:
        """Consolidate what waits, or the first so many, until nothing waits any more.

        Repeats are archived, the others joined to what they belong with: texts that stand out as
        alike among all of the realm, or share rare words. Those that share tags, category or
        session are joined at a lower kin than texts that share nothing. Runs take turns: that of
        another process is waited for. A dry run looks at one batch and writes nothing: it commits
        that batch, asks the pinned questions, and takes it back.
        """
        if limit is not None and limit < 1:
            raise InvalidInput("limit", limit, "give how many memories to take, 1 or more, or none")
        rescored = ""
        if not dry_run:
            await purge(self._database)
            rescored = await self._rescore(on_progress)
        before = await self._count_waiting()
        outcomes: list[RunOutcome] = []
        after, step = before, on_progress or (lambda stage, count, total: None)
        if dry_run and before.waiting:
            outcomes = [await self._runner.dry_run(self._batch_size(limit), step)]
        elif not dry_run:
            outcomes, after = await self._run_batches(limit, before, step)
            await self._renew_foreign_cosines(outcomes)
        report = await self._report(before, after, outcomes, dry_run=dry_run)
        if self._settings.accept_own and not dry_run:
            report = await self._accept_own(report)
        answers = [change for outcome in outcomes for change in outcome.answers_changed]
        if not dry_run:
            answers = await self._answers.changes()
        warnings = [*report.warnings, rescored] if rescored else report.warnings
        return report.model_copy(update={"answers_changed": answers, "warnings": warnings})

    async def _rescore(self, on_progress: OnProgress | None) -> str:
        """Score all edges anew after a change of the model, and return what that changed."""
        stored = await read_stored(self._database)
        if stored is None or not stored.rescore:
            return ""
        report = await self.rebuild(on_progress=on_progress)
        await self._database.rows("reembedding/rescored")
        return (
            f"all edges were scored again by {stored.name}, the realm's new model: "
            f"{report.edges_created} are new, {report.dropped} were dropped"
        )

    async def rebuild(self, *, on_progress: OnProgress | None = None) -> ConsolidationReport:
        """Score everything consolidated again, as if it had come in one batch.

        The same edges from any history. What was set aside waits again, and so does a duplicate
        that says something else than its original. What people said, and how often an edge was
        used, stays.
        """
        before = await self._count_waiting()
        await self._database.rows("consolidation/retry_set_aside")
        step = on_progress or (lambda stage, count, total: None)
        active = await self._hours.reading()
        restored = await restore_duplicates(self._database, self._embedding, active)
        if not before.active:
            report = await self._report(before, await self._count_waiting(), [], dry_run=False)
            answers = await self._answers.changes()
            return report.model_copy(update={"restored": restored, "answers_changed": answers})
        hours = await self._hours.in_hours()
        report = await rebuild(self._database, self._embedding, self._comparer, hours, step)
        after = await self._count_waiting()
        return report.model_copy(
            update={
                "waiting_before": before.waiting,
                "waiting_after": after.waiting,
                "active_before": before.active,
                "active_after": after.active,
                "restored": restored,
                "answers_changed": await self._answers.changes(),
            }
        )

    async def explain(self, a: str, b: str) -> EdgeExplanation:
        """Return why two memories are joined or not: every part, the limit, the run."""
        return await explain(self._database, self._embedding, a, b)

    async def edges(
        self,
        memory: str,
        *,
        types: Iterable[str] | None = None,
        minimum: float = 0.0,
        limit: int = 100,
    ) -> list[Edge]:
        """Return a memory's edges by what is left of their weight, strongest first."""
        if limit < 1:
            raise InvalidInput("limit", limit, "give how many edges to return, 1 or more")
        rows = await self._database.rows(
            "consolidation/edges",
            id=memory,
            types=_types(types),
            minimum=minimum,
            limit=limit,
            hours=await self._hours.in_hours(),
        )
        return [_edge(EdgeRow(**row)) for row in rows]

    async def prune(self, at: Moment | None = None) -> int:
        """Remove automatic edges that have faded below the least weight, and return how many."""
        hours = await self._hours.in_hours(at)
        return len(await self._database.rows("consolidation/prune", hours=hours))

    async def seen_together(self, ids: Iterable[str], *, session: str) -> CoOccurrence:
        """Count an edge of memories that came up together as used, and stage pairs without one.

        A pair without an edge that came up in three sessions is joined by CO_OCCURS.
        """
        names = sorted(set(ids))
        if len(names) > MOST_TOGETHER:
            raise InvalidInput("ids", len(names), f"give at most {MOST_TOGETHER} that came up")
        if not session.strip():
            raise InvalidInput("session", session, "name the session they came up in")
        pairs = [
            {"low": low, "high": high, "edge_id": edge_id(low, high)}
            for low, high in combinations(names, 2)
        ]
        if not pairs:
            return CoOccurrence()
        hours = await self._hours.in_hours()
        async with writer_slots(self._database):
            row = await self._database.one(
                "consolidation/seen_together", pairs=pairs, session=session, hours=hours
            )
            evicted = await self._database.one("consolidation/evict_candidates")
        return CoOccurrence(**row, **evicted)

    async def _accept_own(self, report: ConsolidationReport) -> ConsolidationReport:
        """Accept what speakers say has changed, and name it in the report."""
        least = self._settings.accept_confidence
        chosen = [pair for pair in report.updates if pair.own and pair.confidence >= least]
        accepted, warnings = [], []
        for pair in chosen:
            try:
                await self._proposals.accept(proposal_id(pair.id, pair.of))
                accepted.append(pair)
            except (NotFound, Conflict) as error:  # somebody forgot or superseded one meanwhile
                warnings.append(f"the proposal {pair.id}:{pair.of} stays open: {error}")
        return report.model_copy(
            update={"accepted": accepted, "warnings": [*report.warnings, *warnings]}
        )

    async def _run_batches(
        self, limit: int | None, counts: WaitingCounts, step: OnProgress
    ) -> tuple[list[RunOutcome], WaitingCounts]:
        outcomes: list[RunOutcome] = []
        remaining = limit
        while counts.waiting and (remaining is None or remaining > 0):
            if counts.claimed:  # another process runs, or has died in its run
                await asyncio.sleep(POLL_SECONDS)
            else:
                outcome = await self._runner.run(self._batch_size(remaining), step)
                outcomes += [outcome] if outcome.claimed else []
                remaining = None if remaining is None else remaining - outcome.claimed
            counts = await self._count_waiting()
        return outcomes, counts

    async def _renew_foreign_cosines(self, outcomes: list[RunOutcome]) -> None:
        """Measure what chance brings in a realm that has grown, for the certainty of answers."""
        if not outcomes:
            return
        try:
            await foreign_cosines.renew(self._database, self._embedding)
        except Exception as error:  # of any model, after everything was consolidated
            outcomes[-1].warnings.append(f"the certainty of answers was not measured: {error}")

    def _batch_size(self, limit: int | None) -> int:
        return self._settings.batch if limit is None else min(limit, self._settings.batch)

    async def _count_waiting(self) -> WaitingCounts:
        row = await self._database.one("consolidation/count_waiting", moment=wall())
        return WaitingCounts(**row)

    async def _report(
        self,
        before: WaitingCounts,
        after: WaitingCounts,
        outcomes: list[RunOutcome],
        *,
        dry_run: bool,
    ) -> ConsolidationReport:
        runs = [outcome.report for outcome in outcomes]
        decisions = [outcome.decision for outcome in outcomes]
        calibration = await self._embedding.calibration() if outcomes else None
        spread = runs[-1].spread if runs else None
        set_aside = [item for outcome in outcomes for item in outcome.set_aside]
        warnings = list(dict.fromkeys(line for outcome in outcomes for line in outcome.warnings))
        if set_aside:
            warnings.append(
                f"{len(set_aside)} texts have no usable vector and wait no more: remember them "
                "again, or rebuild, with an embedder that can"
            )
        if warning := spread_warning(spread, self._settings):
            warnings.append(warning)
        return ConsolidationReport(
            runs=runs,
            waiting_before=before.waiting,
            waiting_after=after.waiting,
            active_before=before.active,
            active_after=after.active,
            embedded=sum(outcome.embedded for outcome in outcomes),
            **{name: sum(getattr(run, name) for run in runs) for name in COUNTS},
            duplicates=[pair for decision in decisions for pair in decision.duplicates],
            near_duplicates=[pair for decision in decisions for pair in decision.near_duplicates],
            updates=[pair for decision in decisions for pair in decision.updates],
            set_aside=set_aside,
            dry_run=dry_run,
            model=self._embedding.embedder.name if outcomes else "",
            calibration_mean=calibration.mean if calibration else 0.0,
            settings=self._settings,
            spread=spread,
            warnings=warnings,
            seconds=round(sum(sum(run.seconds.values()) for run in runs), 4),
        )


def _edge(row: EdgeRow) -> Edge:
    shared = shared_words(row.passage or "", row.stems, row.names)
    return edge_of(row.edge, row.edge["other"], row.effective, shared)


def _types(types: Iterable[str] | None) -> list[str] | None:
    if types is None:
        return None
    chosen = [str(type).upper() for type in types]
    unknown = [type for type in chosen if type not in set(EdgeType)]
    if unknown:
        raise InvalidInput("types", unknown[0], f"give some of {', '.join(EdgeType)}")
    return chosen
