"""Why two memories are joined, or why they are not."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.consolidation import scoring
from engine.consolidation.model import Components, EdgeExplanation, Verdict
from engine.database import Database, Row
from engine.embedding import Embedding
from engine.errors import InvalidInput, NotFound
from engine.memories.edges import Edge, EdgeType, edge_of
from engine.settings import ConsolidationSettings


@dataclass(frozen=True)
class _Pair:
    """Two memories, the one that came later first, and what was between them at that time."""

    later: Row
    earlier: Row
    raw: float
    cosine: float
    shared: float
    same: bool
    apart: float
    run: str | None

    @property
    def facts(self) -> Row:
        return {
            "cosine": self.cosine,
            "raw_cosine": self.raw,
            "shared_tags": self.shared,
            "same_category": self.same,
            "hours_apart": self.apart,
        }


async def explain(database: Database, embedding: Embedding, a: str, b: str) -> EdgeExplanation:
    """The parts of their score, the bound that decided, and the run that did."""
    if a == b:
        raise InvalidInput("b", b, "name two memories: a memory has no edge to itself")
    row = await database.row("consolidation/pair", a=a, b=b)
    assert row is not None
    found = {memory["id"]: memory for memory in row["memories"]}
    for id in (a, b):
        if id not in found:
            raise NotFound("memory", id)
    edges = [edge_of(edge, b, edge["weight"]) for edge in row["edges"]]
    if undecided := _undecided(found[a]) or _undecided(found[b]):
        verdict, reason = undecided
        return EdgeExplanation(a=a, b=b, verdict=verdict, reason=reason, edges=edges)
    settings = database.settings.consolidation
    calibration = await embedding.calibration()
    pair = _pair(found[a], found[b], row, settings, calibration.apply)
    parts = scoring.components(
        pair.cosine, found[a]["tags"], found[b]["tags"], pair.same, pair.apart, settings
    )
    similar = next((edge for edge in edges if edge.type is EdgeType.SIMILAR), None)
    verdict, limit, reason = await _verdict(database, pair, parts, similar, settings)
    if similar and similar.components:
        parts = similar.components
    score = similar.weight if similar else _score(pair, parts, settings)
    return EdgeExplanation(
        a=a,
        b=b,
        verdict=verdict,
        reason=reason,
        edges=edges,
        **pair.facts,
        components=parts,
        score=score,
        needed_cosine=scoring.least_cosine(parts.total - parts.cosine, settings),
        limit=limit,
        run=similar.run if similar else pair.run,
    )


def _undecided(memory: Row) -> tuple[Verdict, str] | None:
    """Why nothing has been decided about a memory."""
    id = memory["id"]
    if memory["kind"] != "text":
        return Verdict.NO_TEXT, f"{id} is no text: only texts are joined by themselves"
    if memory["set_aside"] is not None:
        return Verdict.SET_ASIDE, f"{id} is set aside: {memory['set_aside']}"
    if memory["duplicate_of"] is not None:
        said = f"{id} is archived: it says what {memory['duplicate_of']} says"
        return Verdict.DUPLICATE, said
    if memory["promoted_seq"] is None:
        return Verdict.WAITING, f"{id} still waits: run consolidate first"
    return None


def _pair(a: Row, b: Row, row: Row, settings: ConsolidationSettings, calibrated: Any) -> _Pair:
    later, earlier = sorted((a, b), key=lambda memory: -memory["promoted_seq"])
    rebuilt = row["rebuilt_upto"] >= later["promoted_seq"]
    together = rebuilt or later["consolidated_by"] == earlier["consolidated_by"]
    hours = later["learned_at_hours"] or 0.0
    apart = 0.0
    if together and settings.inbatch_hours == "stale":
        apart = hours
    elif not together:
        apart = hours - _last_used(earlier, hours)
    raw = _cosine(a["embedding"], b["embedding"])
    return _Pair(
        later,
        earlier,
        raw,
        calibrated(raw),
        scoring.jaccard(a["tags"] or (), b["tags"] or ()),
        (a["category"] or "") == (b["category"] or ""),
        apart,
        row["rebuilt_by"] if rebuilt else later["consolidated_by"],
    )


def _last_used(earlier: Row, by: float) -> float:
    """The reading of its last use when the later one came; what is newer came after."""
    used = earlier["last_reinforced_hours"] or 0.0
    return float(used if used <= by else earlier["learned_at_hours"] or 0.0)


def _cosine(a: Any, b: Any) -> float:
    first, second = np.asarray(a or [0.0], np.float64), np.asarray(b or [0.0], np.float64)
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / lengths if lengths and first.shape == second.shape else 0.0


def _score(pair: _Pair, parts: Components, settings: ConsolidationSettings) -> float:
    return parts.total if scoring.passes_guard(pair.cosine, settings) else 0.0


async def _verdict(
    database: Database,
    pair: _Pair,
    parts: Components,
    similar: Edge | None,
    settings: ConsolidationSettings,
) -> tuple[Verdict, float | None, str]:
    if similar:
        return Verdict.EDGE, None, f"joined with weight {similar.weight:.6f}"
    guard, threshold = settings.minimum_cosine_for_edge, settings.edge_score_threshold
    if not scoring.passes_guard(pair.cosine, settings):
        reason = f"their cosine {pair.cosine:.6f} is below the guard {guard:g}: nothing else counts"
        return Verdict.GUARD, guard, reason
    score = _score(pair, parts, settings)
    if not scoring.joins(score, settings):
        needed = scoring.least_cosine(parts.total - parts.cosine, settings)
        reason = (
            f"their score {score:.6f} is below {threshold:g}: with these tags, categories and "
            f"hours a cosine of {needed:.4f} would do, theirs is {pair.cosine:.4f}"
        )
        return Verdict.THRESHOLD, threshold, reason
    row = await database.row(
        "consolidation/proposed",
        id=pair.later["id"],
        run=pair.run,
        best=settings.edge_degree_cap,
    )
    if row is None or row["weight"] is None:
        return Verdict.CAP, None, "they were joined once: the edge was displaced or pruned since"
    reason = (
        f"their score {score:.6f} would do, but {pair.later['id']} proposes only its "
        f"{settings.edge_degree_cap} best, and those have {row['weight']:.6f} or more"
    )
    return Verdict.CAP, row["weight"], reason
