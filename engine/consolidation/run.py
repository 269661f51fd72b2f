"""One run: claim, embed outside any transaction, compute, commit."""

import asyncio
import time
import uuid
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from neo4j.exceptions import ClientError

from engine.clock import wall
from engine.consolidation.blocks import Facts, stored_vector
from engine.consolidation.commit import Commit, Outdated, Plan, Written, read_and_decide
from engine.consolidation.decide import Decision
from engine.consolidation.known import Fresh, Knowledge, Reached
from engine.consolidation.matrix import numbered
from engine.consolidation.model import (
    Duplicate,
    NearDuplicate,
    PossibleUpdate,
    RunReport,
    SetAside,
    Spread,
)
from engine.consolidation.pairs import Rules
from engine.consolidation.repetitions import Repetitions
from engine.consolidation.spread import spread
from engine.database import Database, Row
from engine.embedding import Embedding
from engine.errors import AsterismError, Conflict
from engine.memories import vectors
from engine.memories.hours import ActiveHours
from engine.renewal import renewing

OnProgress = Callable[[str, int, int], None]
ATTEMPTS = 8
KIND = "consolidation"


@dataclass
class Outcome:
    """What a run came to."""

    report: RunReport
    taken: int = 0
    embedded: int = 0
    duplicates: list[Duplicate] = field(default_factory=list)
    near: list[NearDuplicate] = field(default_factory=list)
    updates: list[PossibleUpdate] = field(default_factory=list)
    set_aside: list[SetAside] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


class Stopwatch:
    """How long each step took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._since = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.seconds[name] = round(self.seconds.get(name, 0.0) + now - self._since, 4)
        self._since = now


def vanished(error: AsterismError) -> bool:
    """Whether a memory was forgotten right between being found and being written to."""
    cause = error.__cause__
    return isinstance(cause, ClientError) and (cause.code or "").endswith("EntityNotFound")


class Runner:
    """Runs batches of one realm."""

    def __init__(
        self, database: Database, embedding: Embedding, hours: ActiveHours, knowledge: Knowledge
    ) -> None:
        self._database = database
        self._embedding = embedding
        self._hours = hours
        self._knowledge = knowledge
        self._settings = database.settings.consolidation

    async def run(self, limit: int, on_progress: OnProgress) -> Outcome:
        """Consolidate the memories that have waited longest, at most so many."""
        run, watch = uuid.uuid4().hex, Stopwatch()
        started, hours = self._database.clock.now(), await self._hours.in_hours()
        rows = await self._database.rows(
            "consolidation/claim", run=run, limit=limit, moment=wall(), until=self._lease_end()
        )
        outcome = Outcome(RunReport(run=run, hours=hours), taken=len(rows))
        if not rows:
            return outcome
        watch.lap("claim")
        try:
            async with self._renewing(run):
                fresh = await self._fresh(rows, hours, outcome, on_progress)
                watch.lap("embed")
                if len(fresh):
                    facts = {"started_at": started, "set_aside": len(outcome.set_aside)}
                    await self._consolidate(run, fresh, facts, outcome, watch, on_progress)
                else:
                    await self._database.rows("consolidation/release", run=run)
        except BaseException:
            with suppress(AsterismError):
                await asyncio.shield(self._database.rows("consolidation/release", run=run))
            raise
        return outcome

    async def rehearse(self, limit: int, on_progress: OnProgress) -> tuple[Outcome, Decision]:
        """What a run would do; writes nothing, not even vectors."""
        watch, hours = Stopwatch(), await self._hours.in_hours()
        rows = await self._database.rows("consolidation/queue", limit=limit)
        outcome = Outcome(RunReport(run="", hours=hours), taken=len(rows))
        fresh = await self._fresh(rows, hours, outcome, on_progress, store=False)
        watch.lap("embed")
        plan, reached = await self._plan("", fresh)
        watch.lap("compute")
        self._tell(outcome, Written(plan, plan.mark, len(plan.decision.edges)), reached, watch)
        return outcome, plan.decision

    async def _fresh(
        self,
        rows: list[Row],
        hours: float,
        outcome: Outcome,
        on_progress: OnProgress,
        *,
        store: bool = True,
    ) -> Fresh:
        """Fresh memories with their vectors; what has none is set aside."""
        missing = {row["id"]: row["text"] for row in rows if row["embedding"] is None}
        done = 0

        def step(count: int) -> None:
            nonlocal done
            done += count
            on_progress("embedding", done, len(missing))

        found = await vectors.embed_texts(
            self._database, self._embedding, missing, store=store, on_progress=step
        )
        outcome.embedded = len(found.vectors)
        outcome.set_aside = [
            SetAside(id=id, reason=reason) for id, reason in sorted(found.set_aside.items())
        ]
        await self._embedding.calibration()
        usable = [row for row in rows if row["embedding"] is not None or row["id"] in found.vectors]
        dimensions = self._embedding.embedder.dimensions
        table = np.zeros((len(usable), dimensions), np.float32)
        for place, row in enumerate(usable):
            vector = found.vectors.get(row["id"], row["embedding"])
            table[place] = stored_vector(vector, dimensions)
        facts = [Facts(row["id"], row["tags"], row["category"], hours=hours) for row in usable]
        return Fresh(facts, table, hours)

    async def _plan(self, run: str, fresh: Fresh) -> tuple[Plan, Reached]:
        """Computed against everything consolidated so far."""
        rules = Rules(self._settings, await self._embedding.calibration())
        reached = await self._knowledge.beside(fresh, rules)
        decision = await read_and_decide(self._database, reached.batch, [reached.known], rules)
        plan = Plan(
            run,
            reached.batch,
            reached.known,
            reached.mark,
            rules,
            self._embedding.embedder.name,
            self._database.realm,
            reached.vocabulary,
            decision,
        )
        return plan, reached

    async def _consolidate(
        self,
        run: str,
        fresh: Fresh,
        facts: Row,
        outcome: Outcome,
        watch: Stopwatch,
        on_progress: OnProgress,
    ) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            on_progress("scoring", 0, len(fresh))
            plan, reached = await self._plan(run, fresh)
            watch.lap("compute")
            on_progress("writing", 0, len(plan.decision.edges))
            repetitions = Repetitions(self._database, await self._hours.reading())
            commit = Commit(plan, partial(self._properties, facts, reached), repetitions)
            try:
                written = await self._database.transaction(commit, name="consolidation/commit")
            except Outdated:
                continue
            except AsterismError as error:
                if not vanished(error):
                    raise
                continue
            watch.lap("write")
            warning = await self._grow(written)
            watch.lap("keep")
            self._tell(outcome, written, reached, watch, attempt)
            outcome.warnings += [warning] if warning else []
            return
        raise Conflict(
            f"memories were forgotten {ATTEMPTS} times while a run was computed: repeat it"
        )

    async def _grow(self, written: Written) -> str:
        plan = written.plan
        if not written.alone:
            return ""
        accepted = plan.batch.blocks.take(np.array(plan.decision.accepted, np.int64))
        first = written.mark.upto - len(accepted) + 1
        more = numbered(accepted, first, plan.batch.hours)
        return await self._knowledge.grow(plan.mark, written.mark, more)

    def _tell(
        self,
        outcome: Outcome,
        written: Written,
        reached: Reached,
        watch: Stopwatch,
        attempts: int = 1,
    ) -> None:
        plan = written.plan
        decision = plan.decision
        outcome.duplicates, outcome.near = decision.duplicates, decision.near
        outcome.updates = decision.updates
        outcome.warnings += reached.warnings
        outcome.report = RunReport(
            run=plan.run,
            promoted=len(decision.accepted),
            duplicates=len(decision.duplicates),
            edges_created=written.created,
            existing=len(decision.edges) - written.created,
            displaced=written.displaced,
            active_before=reached.active,
            hours=plan.batch.hours,
            path=reached.path,
            vectors=reached.how,
            certified=reached.certified,
            audit_recall=reached.audit_recall,
            hours_missing=reached.hours_missing,
            spread=self._spread(plan),
            attempts=attempts,
            seconds=watch.seconds,
        )

    def _spread(self, plan: Plan) -> Spread | None:
        return spread(plan.batch.blocks, plan.known.blocks, plan.rules)

    def _properties(self, facts: Row, reached: Reached, plan: Plan) -> Row:
        decision = plan.decision
        said = f"{len(decision.accepted)} memories, {len(decision.edges)} edges"
        return facts | {
            "kind": KIND,
            "caption": f"consolidation: {said}",
            "finished_at": self._database.clock.now(),
            "promoted": len(decision.accepted),
            "duplicates": len(decision.duplicates),
            "near_duplicates": len(decision.near),
            "updates": len(decision.updates),
            "hours": plan.batch.hours,
            "model": plan.model,
            "path": reached.path,
            "profile": plan.shared["profile"],
            "profile_name": plan.rules.settings.profile,
            "settings": plan.rules.settings.model_dump_json(),
        }

    def _lease_end(self) -> int:
        return wall() + round(self._settings.lease_s * 1e6)

    def _renewing(self, run: str) -> AbstractAsyncContextManager[None]:
        """Keep the claim for as long as this process is at work on it."""

        async def renew() -> None:
            await self._database.rows("consolidation/renew", run=run, until=self._lease_end())

        return renewing(self._settings.lease_s, renew)
