"""The commit: one transaction that writes all a walk planned, or nothing."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from engine.database import Database, Row, Transaction
from engine.errors import DatabaseUnavailable
from engine.exploration.colouring import Tint
from engine.exploration.gate import Narrative, Verdict, judge
from engine.exploration.plan import Colouring, Plan
from engine.exploration.settled import (
    Coloured,
    Settled,
    changes,
    colour_row,
    crystal_links,
    heat_row,
    node_row,
)
from engine.settings import ExplorationSettings


class Commit:
    """Writes the plan of one run."""

    def __init__(
        self,
        database: Database,
        settings: ExplorationSettings,
        plan: Plan,
        *,
        run_id: str,
        zero: float,
        model: str,
    ) -> None:
        self._database = database
        self._settings = settings
        self._plan = plan
        self._run_id = run_id
        self._zero = zero
        self._model = model

    async def foresee(self) -> Settled:
        """What a commit would do now; reads only."""
        verdicts = await self._judge(self._database) if self._plan.crystals else []
        return self._as_seen(verdicts)

    def imagine(self) -> Settled:
        """The same without asking: as if no narrative stood in the way."""
        threshold = self._settings.novelty_threshold
        return self._as_seen(judge(self._run_id, self._plan.crystals, {}, threshold, self._zero))

    def _as_seen(self, verdicts: list[Verdict]) -> Settled:
        first: dict[str, Row] = {}
        for colouring in self._plan.colourings:
            for way, _ in colouring.strokes:
                known = way.vector if way.own_vector else None
                row = {"element": way.element, "weight": way.weight, "embedding": known, "rev": 0}
                first.setdefault(way.element, row)
        return self._settled(verdicts, list(first.values()), [])

    async def write(self, facts: Row) -> Settled:
        """Commit, shielded: a cancel waits for it, since half of it is nothing."""
        last: list[Settled] = []

        async def work(tx: Transaction) -> bool:
            begun = await tx.row("exploration/begin", run_id=self._run_id)
            if begun is None or begun["known"]:
                return False
            last[:] = [await self._all(tx, facts)]
            return True

        task = asyncio.ensure_future(self._attempt(work))
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            raise
        settled = last[0] if last else await self.foresee()
        return replace(settled, committed=True)

    async def _attempt(self, work: Any) -> bool:
        """One commit; where nobody knows whether it happened, the run's node does."""
        try:
            return bool(await self._database.transaction(work, name="exploration/commit"))
        except DatabaseUnavailable:
            known = await self._database.row("exploration/run", run_id=self._run_id)
            if known is None:
                raise
            return bool(known)

    async def _all(self, tx: Transaction, facts: Row) -> Settled:
        """Everything, in the order of locks that all runs share: gate, nodes, links."""
        plan = self._plan
        if plan.crystals:
            await tx.rows("exploration/gate")
        warmed = sorted(plan.heat.values(), key=lambda heat: (heat.place.id, heat.place.element))
        heat = [heat_row(heat) for heat in warmed]
        nodes = await tx.rows("exploration/heat", rows=heat)
        links = await tx.rows("exploration/lock_links", rows=self._link_rows())
        verdicts = await self._judge(tx) if plan.crystals else []
        settled = self._settled(verdicts, links, nodes)
        await tx.rows("exploration/colour", rows=[colour_row(link) for link in settled.links])
        made = await self._create(tx, settled.created)
        settled = replace(
            settled,
            dropped=settled.dropped + len(warmed) - len(nodes) + made,
        )
        await tx.rows(
            "exploration/save_run", run_id=self._run_id, properties=self._told(settled, facts)
        )
        return settled

    async def _judge(self, asked: Database | Transaction) -> list[Verdict]:
        rows = await asked.rows(
            "exploration/nearest",
            settings=self._settings.model_dump(mode="json"),
            rows=[{"key": c.key, "embedding": c.embedding.tolist()} for c in self._plan.crystals],
        )
        near: dict[str, list[Narrative]] = {}
        for row in rows:
            found = Narrative(row["id"], row["name"], row["content"], row["embedding"])
            near.setdefault(row["key"], []).append(found)
        threshold = self._settings.novelty_threshold
        return judge(self._run_id, self._plan.crystals, near, threshold, self._zero)

    def _link_rows(self) -> list[Row]:
        ids = {
            way.element: way.id
            for colouring in self._plan.colourings
            for way, _ in colouring.strokes
        }
        return [{"element": element, "id": id} for element, id in sorted(ids.items(), key=_by_id)]

    def _settled(self, verdicts: list[Verdict], links: list[Row], nodes: list[Row]) -> Settled:
        now = {row["element"]: _tint(row) for row in links}
        stored = {row["element"]: row for row in links}
        names = {row["element"]: row["id"] for row in self._link_rows()}
        after, counts = _painted(self._plan.colourings, now)
        coloured = [
            Coloured(id, e, stored[e]["rev"], stored[e]["weight"], now[e], after[e], counts[e])
            for e, id in names.items()
            if e in now
        ]
        return Settled(
            verdicts=tuple(verdicts),
            links=tuple(coloured),
            nodes=tuple(nodes),
            dropped=len(names) - len(coloured),
            ids={v.crystal.key: (v.id, v.worth) for v in verdicts},
        )

    async def _create(self, tx: Transaction, created: list[Verdict]) -> int:
        """Create narratives and their links; says how many links had lost their other end."""
        if not created:
            return 0
        rows = await tx.rows(
            "exploration/create", rows=[node_row(verdict, self._model) for verdict in created]
        )
        elements = {row["id"]: row["element"] for row in rows}
        links = [row for v in created for row in crystal_links(self._run_id, v, elements[v.id])]
        joined = await tx.rows("exploration/join", rows=links)
        return len(links) - len(joined)

    def _told(self, settled: Settled, facts: Row) -> Row:
        created, reused = settled.created, settled.reused
        told = {
            "created": len(created),
            "reused": len(reused),
            "created_ids": [verdict.id for verdict in created],
            "changes": json.dumps(changes(self._run_id, self._plan, settled)),
        }
        return facts | told


def _painted(
    colourings: list[Colouring], now: Mapping[str, Tint]
) -> tuple[dict[str, Tint], dict[str, int]]:
    """All strokes in their order on the links as they are now; links that are gone are skipped."""
    after, counts = dict(now), dict.fromkeys(now, 0)
    for colouring in colourings:
        for way, stroke in colouring.strokes:
            if way.element in after:
                after[way.element] = stroke.on(after[way.element])
                counts[way.element] += 1
    return after, counts


def _tint(row: Row) -> Tint:
    vector = None if row["embedding"] is None else np.asarray(row["embedding"], dtype=np.float64)
    return Tint(vector, 1.0 if row["weight"] is None else row["weight"])


def _by_id(pair: tuple[str, str]) -> tuple[str, str]:
    return pair[1], pair[0]
