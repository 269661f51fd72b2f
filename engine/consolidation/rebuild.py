"""Scores everything consolidated anew, as one batch, and makes the edges agree with it."""

import asyncio
import time
import uuid

import numpy as np

from engine.consolidation.blocks import Blocks
from engine.consolidation.commit import EDGES, ORIGIN, within_ceiling
from engine.consolidation.decide import edge_rows
from engine.consolidation.known import Knowledge
from engine.consolidation.matrix import Snapshot
from engine.consolidation.model import ConsolidationReport, RunReport
from engine.consolidation.pairs import Rules, Scan
from engine.consolidation.run import OnProgress
from engine.consolidation.scoring import profile_hash
from engine.consolidation.spread import spread, warning
from engine.database import Database, Row, Transaction
from engine.embedding import Embedding

KIND = "consolidation-rebuild"


async def rebuild(
    database: Database,
    embedding: Embedding,
    knowledge: Knowledge,
    hours: float,
    on_progress: OnProgress,
) -> ConsolidationReport:
    """All active memories as one batch; interrupted, it can be repeated."""
    began, run = time.perf_counter(), uuid.uuid4().hex
    settings = database.settings.consolidation
    rules = Rules(settings, await embedding.calibration())
    snapshot, _ = await knowledge.everything()
    on_progress("scoring", 0, len(snapshot.blocks))
    edges = await asyncio.to_thread(_one_batch, snapshot.blocks, hours, rules)
    facts = {
        "origin": ORIGIN,
        "run": run,
        "hours": hours,
        "profile": profile_hash(settings, embedding.embedder.name),
    }
    created = 0
    for first in range(0, len(edges), EDGES):
        created += await _write(database, run, facts, edges[first : first + EDGES])
        on_progress("writing", min(first + EDGES, len(edges)), len(edges))
    upto = snapshot.mark.upto
    dropped = len(await database.rows("consolidation/drop", run=run, upto=upto))
    if upto:
        properties = _properties(database, rules, facts, len(edges), created, dropped)
        await database.rows("consolidation/rebuilt", run=run, upto=upto, properties=properties)
    return _report(rules, embedding, snapshot, run, hours, len(edges), created, dropped, began)


def _one_batch(blocks: Blocks, hours: float, rules: Rules) -> list[Row]:
    stale = rules.settings.inbatch_hours == "stale"
    apart = np.full(len(blocks), hours if stale else 0.0)
    scan = Scan(blocks, blocks, rules, rules.proximity(apart), same=True)
    edges = edge_rows(blocks, scan.best(), rules)
    most = rules.settings.max_similar_degree
    return edges if most is None else within_ceiling(edges, {}, most)[0]


async def _write(database: Database, run: str, facts: Row, rows: list[Row]) -> int:
    async def work(tx: Transaction) -> int:
        await tx.rows("consolidation/lock")
        ids = {row[end] for row in rows for end in ("low", "high")}
        await tx.rows("memories/hold", ids=sorted(ids), leaving=[], arriving=[])
        told = await tx.row("consolidation/keep", run=run, shared=facts, rows=rows)
        return int(told["created"]) if told else 0

    return await database.transaction(work, name="consolidation/rebuild")


def _properties(
    database: Database, rules: Rules, facts: Row, edges: int, created: int, dropped: int
) -> Row:
    return {
        "kind": KIND,
        "caption": f"rebuild: {edges} edges",
        "finished_at": database.clock.now(),
        "edges_created": created,
        "existing": edges - created,
        "dropped": dropped,
        "hours": facts["hours"],
        "profile": facts["profile"],
        "settings": rules.settings.model_dump_json(),
    }


def _report(
    rules: Rules,
    embedding: Embedding,
    snapshot: Snapshot,
    run: str,
    hours: float,
    edges: int,
    created: int,
    dropped: int,
    began: float,
) -> ConsolidationReport:
    blocks = snapshot.blocks
    seen = spread(blocks, blocks.take(np.zeros(0, np.int64)), rules)
    alarm = warning(seen, rules.settings.minimum_cosine_for_edge)
    seconds = round(time.perf_counter() - began, 4)
    report = RunReport(
        run=run,
        edges_created=created,
        existing=edges - created,
        active_before=len(blocks),
        hours=hours,
        vectors=snapshot.how,
        hours_missing=snapshot.hours_missing,
        spread=seen,
        seconds={"rebuild": seconds},
    )
    return ConsolidationReport(
        runs=[report],
        edges_created=created,
        existing=edges - created,
        dropped=dropped,
        model=embedding.embedder.name,
        calibration_mean=rules.calibration.mean,
        settings=rules.settings,
        spread=seen,
        warnings=[alarm] if alarm else [],
        seconds=seconds,
    )
