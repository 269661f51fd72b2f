"""One run: claim memories, embed them outside any transaction, compute, commit."""

import asyncio
import time
import uuid
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from neo4j.exceptions import ClientError

from asterism.active_hours import ActiveHours
from asterism.answer_changes import AnswerChange, AnswerWatch
from asterism.clock import wall
from asterism.consolidation.calibration_check import measure_spread
from asterism.consolidation.comparison import Comparer, PendingBatch
from asterism.consolidation.decision import Decision
from asterism.consolidation.exact_search import Rules
from asterism.consolidation.models import RunReport, SetAside
from asterism.consolidation.queued_memories import (
    OnProgress,
    QueuedMemories,
    QueuedMemory,
)
from asterism.consolidation.repetitions import Repetitions
from asterism.consolidation.run_commit import CommitResult, OutdatedPlan, RunCommit
from asterism.consolidation.run_plan import RunPlan, read_and_decide
from asterism.database import Database, Row, Transaction
from asterism.embedding import Embedding
from asterism.errors import AsterismError, Conflict
from asterism.lease import renewing

ATTEMPTS = 8
KIND = "consolidation"


@dataclass
class RunOutcome:
    """Report of a run, and what it decided."""

    report: RunReport
    claimed: int = 0
    embedded: int = 0
    decision: Decision = field(default_factory=Decision)
    set_aside: list[SetAside] = field(default_factory=list)
    answers_changed: list[AnswerChange] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


class Stopwatch:
    """Seconds of each step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._since = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.seconds[name] = round(self.seconds.get(name, 0.0) + now - self._since, 4)
        self._since = now


def is_concurrent_delete(error: AsterismError) -> bool:
    """Return True if a memory was forgotten right between being read and being written to."""
    cause = error.__cause__
    return isinstance(cause, ClientError) and (cause.code or "").endswith("EntityNotFound")


class Runner:
    """Runs batches of one realm."""

    def __init__(
        self,
        database: Database,
        embedding: Embedding,
        hours: ActiveHours,
        comparer: Comparer,
        answers: AnswerWatch,
    ) -> None:
        self._database = database
        self._embedding = embedding
        self._hours = hours
        self._comparer = comparer
        self._answers = answers
        self._settings = database.settings.consolidation

    async def run(self, limit: int, on_progress: OnProgress) -> RunOutcome:
        """Consolidate the memories that have waited longest, at most so many."""
        run, watch = uuid.uuid4().hex, Stopwatch()
        started, hours = self._database.clock.now(), await self._hours.in_hours()
        rows = await self._database.rows(
            "consolidation/claim", run=run, limit=limit, moment=wall(), until=self._lease_end()
        )
        outcome = RunOutcome(RunReport(run=run, hours=hours), claimed=len(rows))
        if not rows:
            return outcome
        watch.lap("claim")
        try:
            async with self._renewing(run):
                pending = await self._embed(rows, hours, outcome, on_progress)
                watch.lap("embed")
                if len(pending):
                    properties = {"started_at": started, "set_aside": len(outcome.set_aside)}
                    await self._consolidate(run, pending, properties, outcome, watch, on_progress)
                else:
                    await self._database.rows("consolidation/release_claim", run=run)
        except BaseException:
            with suppress(AsterismError):
                await asyncio.shield(self._database.rows("consolidation/release_claim", run=run))
            raise
        return outcome

    async def dry_run(self, limit: int, on_progress: OnProgress) -> RunOutcome:
        """Compute what a run would do, and write nothing, not even vectors."""
        watch, hours = Stopwatch(), await self._hours.in_hours()
        rows = await self._database.rows("consolidation/peek_queue", limit=limit)
        outcome = RunOutcome(RunReport(run="", hours=hours), claimed=len(rows))
        pending = await self._embed(rows, hours, outcome, on_progress, store=False)
        watch.lap("embed")
        plan = await self._plan("", pending)
        watch.lap("compute")
        decision = plan.decision
        result = CommitResult(
            plan, plan.comparison.watermark, len(decision.edges), decision.again.outdated
        )
        self._fill(outcome, result, watch)
        missing = {row["id"] for row in rows if row["embedding"] is None}
        work = partial(self._commit_for_preview, plan, missing, limit)
        outcome.answers_changed = await self._answers.preview(work)
        return outcome

    async def _commit_for_preview(
        self, plan: RunPlan, missing: set[str], limit: int, tx: Transaction
    ) -> None:
        """Claim, embed and commit the batch of a dry run, in a transaction that is taken back."""
        run, lease_end = uuid.uuid4().hex, self._lease_end()
        arrays = plan.batch.arrays
        vectors = [
            {"id": id, "vector": arrays.vectors[place].tolist()}
            for place, id in enumerate(arrays.ids)
            if id in missing
        ]
        await tx.rows("consolidation/lock")  # the texts before the memories, as everywhere
        await tx.rows("consolidation/claim", run=run, limit=limit, moment=wall(), until=lease_end)
        if vectors:
            rows = sorted(vectors, key=lambda row: str(row["id"]))
            await tx.rows("memory_vectors/store_vectors", rows=rows, model=plan.model)
        repetitions = Repetitions(self._database, await self._hours.reading())
        with suppress(OutdatedPlan):
            await RunCommit(replace(plan, run=run), partial(self._properties, {}), repetitions)(tx)

    async def _embed(
        self,
        rows: list[Row],
        hours: float,
        outcome: RunOutcome,
        on_progress: OnProgress,
        *,
        store: bool = True,
    ) -> PendingBatch:
        queue = QueuedMemories([QueuedMemory(**row) for row in rows], hours)
        pending = await queue.embed(self._database, self._embedding, on_progress, store=store)
        outcome.embedded, outcome.set_aside = queue.embedded, queue.set_aside
        return pending

    async def _plan(self, run: str, pending: PendingBatch) -> RunPlan:
        """Decide about a batch against everything consolidated so far."""
        rules = Rules(self._settings, await self._embedding.calibration())
        comparison = await self._comparer.compare(pending, rules)
        decision = await read_and_decide(
            self._database, comparison.batch, [comparison.group], rules
        )
        model, realm = self._embedding.embedder.name, self._database.realm
        return RunPlan(run, comparison, rules, model, realm, decision)

    async def _consolidate(
        self,
        run: str,
        pending: PendingBatch,
        properties: Row,
        outcome: RunOutcome,
        watch: Stopwatch,
        on_progress: OnProgress,
    ) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            on_progress("scoring", 0, len(pending))
            plan = await self._plan(run, pending)
            watch.lap("compute")
            on_progress("writing", 0, len(plan.decision.edges))
            repetitions = Repetitions(self._database, await self._hours.reading())
            commit = RunCommit(plan, partial(self._properties, properties), repetitions)
            try:
                result = await self._database.transaction(commit, name="consolidation/commit")
            except OutdatedPlan:
                continue
            except AsterismError as error:
                if not is_concurrent_delete(error):
                    raise
                continue
            watch.lap("write")
            warning = await self._append_to_table(result)
            watch.lap("keep")
            self._fill(outcome, result, watch, attempt)
            outcome.warnings += [warning] if warning else []
            return
        raise Conflict(
            f"memories were forgotten {ATTEMPTS} times while a run was computed: repeat it"
        )

    async def _append_to_table(self, result: CommitResult) -> str:
        if not result.alone:
            return ""
        plan = result.plan
        accepted = plan.batch.arrays.select(np.array(plan.decision.accepted, np.int64))
        first = result.watermark.last_seq - len(accepted) + 1
        arrays = accepted.with_numbers(first, plan.batch.hours)
        return await self._comparer.append(plan.comparison.watermark, result.watermark, arrays)

    def _fill(
        self,
        outcome: RunOutcome,
        result: CommitResult,
        watch: Stopwatch,
        attempts: int = 1,
    ) -> None:
        """Write into an outcome what a run has done, or would do."""
        plan, comparison = result.plan, result.plan.comparison
        decision = plan.decision
        outcome.decision = decision
        outcome.warnings += comparison.warnings
        outcome.report = RunReport(
            run=plan.run,
            promoted=len(decision.accepted),
            duplicates=len(decision.duplicates),
            edges_created=result.created,
            existing=len(decision.edges) - result.created,
            displaced=result.displaced,
            active_before=comparison.active,
            hours=plan.batch.hours,
            path=comparison.path,
            vectors=comparison.source,
            certified=comparison.certified,
            audit_recall=comparison.audit_recall,
            hours_missing=comparison.hours_missing,
            spread=measure_spread(plan.batch.arrays, comparison.group.arrays, plan.rules),
            attempts=attempts,
            seconds=watch.seconds,
        )

    def _properties(self, properties: Row, plan: RunPlan) -> Row:
        decision = plan.decision
        summary = f"{len(decision.accepted)} memories, {len(decision.edges)} edges"
        return properties | {
            "kind": KIND,
            "caption": f"consolidation: {summary}",
            "finished_at": self._database.clock.now(),
            "promoted": len(decision.accepted),
            "duplicates": len(decision.duplicates),
            "near_duplicates": len(decision.near_duplicates),
            "updates": len(decision.updates),
            "hours": plan.batch.hours,
            "model": plan.model,
            "path": plan.comparison.path,
            "profile": plan.edge_properties["profile"],
            "profile_name": plan.rules.settings.profile,
            "settings": plan.rules.settings.model_dump_json(),
        }

    def _lease_end(self) -> int:
        return wall() + round(self._settings.lease_s * 1e6)

    def _renewing(self, run: str) -> AbstractAsyncContextManager[None]:
        """Keep the claim for as long as this process works on it."""

        async def renew() -> None:
            until = self._lease_end()
            await self._database.rows("consolidation/renew_claim", run=run, until=until)

        return renewing(self._settings.lease_s, renew)
