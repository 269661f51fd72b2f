"""Rebuild: scores everything consolidated again as one batch, and makes the edges agree."""

import asyncio
import time
import uuid

import numpy as np

from asterism.consolidation.arrays import MemoryArrays
from asterism.consolidation.calibration_check import measure_spread, spread_warning
from asterism.consolidation.comparison import Comparer
from asterism.consolidation.decision import best_pairs, edge_rows
from asterism.consolidation.degree_limit import apply_degree_limit
from asterism.consolidation.exact_search import Rules
from asterism.consolidation.kin_edges import (
    MeasuredTexts,
    hours_apart,
    kin_edge_rows,
    measure,
    mutual_pairs,
)
from asterism.consolidation.models import ConsolidationReport, RunReport
from asterism.consolidation.queued_memories import OnProgress
from asterism.consolidation.realm_scale import RealmScale
from asterism.consolidation.run_commit import EDGES, write_scales
from asterism.consolidation.run_plan import edge_properties
from asterism.database import Database, Row, Transaction
from asterism.embedding import Embedding

KIND = "consolidation-rebuild"


async def rebuild(
    database: Database,
    embedding: Embedding,
    comparer: Comparer,
    hours: float,
    on_progress: OnProgress,
) -> ConsolidationReport:
    """Score all active memories as one batch. Interrupted, it can be repeated."""
    started, run = time.perf_counter(), uuid.uuid4().hex
    rules = Rules(database.settings.consolidation, await embedding.calibration())
    snapshot, _ = await comparer.snapshot()
    arrays, last_seq = snapshot.arrays, snapshot.watermark.last_seq
    on_progress("scoring", 0, len(arrays))
    texts: MeasuredTexts | None = None
    if rules.settings.signal == "kin" and len(arrays):
        texts = await measure(database, arrays, rules, renew=True)
        edges = _limited(await _score_kin(database, texts, hours, rules), rules)
    else:
        edges = _limited(await asyncio.to_thread(_score, arrays, hours, rules), rules)
    shared = edge_properties(run, hours, rules, embedding.embedder.name)
    created = 0
    for first in range(0, len(edges), EDGES):
        created += await _write(database, run, shared, edges[first : first + EDGES])
        on_progress("writing", min(first + EDGES, len(edges)), len(edges))
    rows = await database.rows("consolidation/delete_outdated_edges", run=run, last_seq=last_seq)
    if texts is not None:
        await _store(database, texts)
    counts = {"edges_created": created, "existing": len(edges) - created}
    if last_seq:
        properties = counts | {
            "kind": KIND,
            "caption": f"rebuild: {len(edges)} edges",
            "finished_at": database.clock.now(),
            "dropped": len(rows),
            "hours": hours,
            "profile": shared["profile"],
            "settings": rules.settings.model_dump_json(),
        }
        await database.rows(
            "consolidation/record_rebuild", run=run, last_seq=last_seq, properties=properties
        )
    spread = measure_spread(arrays, arrays.select(np.zeros(0, np.int64)), rules)
    warning = spread_warning(spread, rules.settings)
    seconds = round(time.perf_counter() - started, 4)
    report = RunReport(
        run=run,
        **counts,
        active_before=len(arrays),
        hours=hours,
        vectors=snapshot.source,
        hours_missing=snapshot.hours_missing,
        spread=spread,
        seconds={"rebuild": seconds},
    )
    return ConsolidationReport(
        runs=[report],
        **counts,
        dropped=len(rows),
        model=embedding.embedder.name,
        calibration_mean=rules.calibration.mean,
        settings=rules.settings,
        spread=spread,
        warnings=[warning] if warning else [],
        seconds=seconds,
    )


async def _score_kin(
    database: Database, texts: MeasuredTexts, hours: float, rules: Rules
) -> list[Row]:
    pairs = await mutual_pairs(database, texts, rules)
    apart = await hours_apart(database, texts.arrays, pairs, 0, hours, rules)
    return kin_edge_rows(texts.arrays, pairs, apart, rules)


async def _store(database: Database, texts: MeasuredTexts) -> None:
    """Store the scale that was measured, and those of all texts."""
    rows = texts.text_scales()
    for first in range(0, len(rows), EDGES):
        await _store_scales(database, texts.scale, rows[first : first + EDGES])


async def _store_scales(database: Database, scale: RealmScale, rows: list[Row]) -> None:
    async def work(tx: Transaction) -> None:
        await tx.rows("consolidation/lock")
        ids = sorted(row["id"] for row in rows)
        await tx.rows("memories/lock_texts", ids=ids, leaving=[], arriving=[])
        await write_scales(tx, scale, rows)

    await database.transaction(work, name="consolidation/rebuild")


def _score(arrays: MemoryArrays, hours: float, rules: Rules) -> list[Row]:
    return edge_rows(arrays, best_pairs(arrays, hours, rules), rules)


def _limited(edges: list[Row], rules: Rules) -> list[Row]:
    most = rules.settings.max_similar_degree
    return edges if most is None else apply_degree_limit(edges, {}, most)[0]


async def _write(database: Database, run: str, shared: Row, rows: list[Row]) -> int:
    async def work(tx: Transaction) -> int:
        await tx.rows("consolidation/lock")
        ids = sorted({row[end] for row in rows for end in ("low", "high")})
        await tx.rows("memories/lock_texts", ids=ids, leaving=[], arriving=[])
        answer = await tx.one("consolidation/rewrite_edges", run=run, shared=shared, rows=rows)
        return int(answer["created"])

    return await database.transaction(work, name="consolidation/rebuild")
