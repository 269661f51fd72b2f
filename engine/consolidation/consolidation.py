"""Consolidation: fresh memories find their place among the others."""

import asyncio
from collections.abc import Iterable
from itertools import combinations

from engine.clock import Moment, wall
from engine.consolidation.erasure import purge
from engine.consolidation.explain import explain
from engine.consolidation.known import Knowledge
from engine.consolidation.model import ConsolidationReport, EdgeExplanation, Together
from engine.consolidation.rebuild import rebuild
from engine.consolidation.restore import restore
from engine.consolidation.run import OnProgress, Outcome, Runner
from engine.consolidation.scoring import edge_id
from engine.consolidation.spread import warning
from engine.database import Database, Row
from engine.embedding import Embedding
from engine.errors import InvalidInput
from engine.memories.edges import Edge, EdgeType, edge_of
from engine.memories.hours import ActiveHours
from engine.memories.queue import writers

POLL_SECONDS = 0.2
MOST_TOGETHER = 50


class Consolidation:
    """Turns memories that wait into connected ones."""

    def __init__(self, database: Database, embedding: Embedding, hours: ActiveHours) -> None:
        self._database = database
        self._embedding = embedding
        self._hours = hours
        self._settings = database.settings.consolidation
        self._knowledge = Knowledge(database, embedding)
        self._runner = Runner(database, embedding, hours, self._knowledge)

    async def consolidate(
        self,
        limit: int | None = None,
        *,
        dry_run: bool = False,
        on_progress: OnProgress | None = None,
    ) -> ConsolidationReport:
        """Consolidate what waits, or the first so many; until nothing waits any more.

        Near-duplicates are archived, the others joined to what they belong with: texts that share
        tags, category or session are joined at a lower cosine than texts that share nothing. Runs
        take turns: that of another process is waited for. A dry run looks at one batch and writes
        nothing.
        """
        if limit is not None and limit < 1:
            raise InvalidInput("limit", limit, "give how many memories to take, 1 or more, or none")
        if not dry_run:
            await purge(self._database)
        before = await self._standing()
        outcomes: list[Outcome] = []
        after, step = before, on_progress or (lambda stage, done, total: None)
        if dry_run and before["waiting"]:
            outcomes = [(await self._runner.rehearse(self._take(limit), step))[0]]
        elif not dry_run:
            outcomes, after = await self._until_done(limit, before, step)
        return await self._report(before, after, outcomes, dry_run=dry_run)

    async def rebuild(self, *, on_progress: OnProgress | None = None) -> ConsolidationReport:
        """Score everything consolidated anew, as if it had come in one batch.

        The same edges from any history. What was set aside waits again, and so does a duplicate
        that says something else than its original. What people said, and how often an edge was
        used, stays.
        """
        before = await self._standing()
        await self._database.rows("consolidation/retry")
        step = on_progress or (lambda stage, done, total: None)
        restored = await restore(self._database, self._embedding, await self._hours.reading())
        if not before["active"]:
            report = await self._report(before, await self._standing(), [], dry_run=False)
            return report.model_copy(update={"restored": restored})
        hours = await self._hours.in_hours()
        report = await rebuild(self._database, self._embedding, self._knowledge, hours, step)
        after = await self._standing()
        return report.model_copy(
            update={
                "waiting_before": before["waiting"],
                "waiting_after": after["waiting"],
                "active_before": before["active"],
                "active_after": after["active"],
                "restored": restored,
            }
        )

    async def explain(self, a: str, b: str) -> EdgeExplanation:
        """Why two memories are joined, or why they are not: every part, the limit, the run."""
        return await explain(self._database, self._embedding, a, b)

    async def edges(
        self,
        memory: str,
        *,
        types: Iterable[str] | None = None,
        minimum: float = 0.0,
        limit: int = 100,
    ) -> list[Edge]:
        """A memory's edges by what is left of their weight, strongest first."""
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
        return [edge_of(row["edge"], row["edge"]["other"], row["effective"]) for row in rows]

    async def prune(self, at: Moment | None = None) -> int:
        """Remove automatic edges that have faded below the least weight; returns how many."""
        hours = await self._hours.in_hours(at)
        return len(await self._database.rows("consolidation/prune", hours=hours))

    async def seen_together(self, ids: Iterable[str], *, session: str) -> Together:
        """Memories came up together in a session: their edges are used, others are noted.

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
            return Together()
        hours = await self._hours.in_hours()
        async with writers(self._database):
            row = await self._database.row(
                "consolidation/together", pairs=pairs, session=session, hours=hours
            )
            evicted = await self._database.row("consolidation/evict")
        return Together(**(row or {}), **(evicted or {}))

    async def _until_done(
        self, limit: int | None, standing: Row, step: OnProgress
    ) -> tuple[list[Outcome], Row]:
        outcomes: list[Outcome] = []
        left = limit
        while standing["waiting"] and (left is None or left > 0):
            if standing["taken"]:  # somebody else's turn, or somebody has died in it
                await asyncio.sleep(POLL_SECONDS)
            else:
                outcome = await self._runner.run(self._take(left), step)
                outcomes += [outcome] if outcome.taken else []
                left = None if left is None else left - outcome.taken
            standing = await self._standing()
        return outcomes, standing

    def _take(self, limit: int | None) -> int:
        return self._settings.batch if limit is None else min(limit, self._settings.batch)

    async def _standing(self) -> Row:
        row = await self._database.row("consolidation/waiting", moment=wall())
        assert row is not None
        return row

    async def _report(
        self, before: Row, after: Row, outcomes: list[Outcome], *, dry_run: bool
    ) -> ConsolidationReport:
        runs = [outcome.report for outcome in outcomes]
        calibration = await self._embedding.calibration() if outcomes else None
        spread = runs[-1].spread if runs else None
        alarm = warning(spread, self._settings.minimum_cosine_for_edge)
        set_aside = [item for outcome in outcomes for item in outcome.set_aside]
        warnings = list(dict.fromkeys(said for outcome in outcomes for said in outcome.warnings))
        if set_aside:
            warnings.append(
                f"{len(set_aside)} texts have no usable vector and wait no more: remember them "
                "again, or rebuild, with an embedder that can"
            )
        return ConsolidationReport(
            runs=runs,
            waiting_before=before["waiting"],
            waiting_after=after["waiting"],
            active_before=before["active"],
            active_after=after["active"],
            embedded=sum(outcome.embedded for outcome in outcomes),
            promoted=sum(run.promoted for run in runs),
            duplicates=[item for outcome in outcomes for item in outcome.duplicates],
            near_duplicates=[item for outcome in outcomes for item in outcome.near],
            updates=[item for outcome in outcomes for item in outcome.updates],
            set_aside=set_aside,
            edges_created=sum(run.edges_created for run in runs),
            existing=sum(run.existing for run in runs),
            displaced=sum(run.displaced for run in runs),
            dry_run=dry_run,
            model=self._embedding.embedder.name if outcomes else "",
            calibration_mean=calibration.mean if calibration else 0.0,
            settings=self._settings,
            spread=spread,
            warnings=[*warnings, *([alarm] if alarm else [])],
            seconds=round(sum(sum(run.seconds.values()) for run in runs), 4),
        )


def _types(types: Iterable[str] | None) -> list[str] | None:
    if types is None:
        return None
    chosen = [str(type).upper() for type in types]
    unknown = [type for type in chosen if type not in set(EdgeType)]
    if unknown:
        raise InvalidInput("types", unknown[0], f"give some of {', '.join(EdgeType)}")
    return chosen
