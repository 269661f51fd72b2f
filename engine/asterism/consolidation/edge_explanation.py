"""Explanation of a pair: every part of its score, and the rule that joined it or did not."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from asterism.consolidation import edge_score
from asterism.consolidation.models import EdgeExplanation, Verdict
from asterism.consolidation.shared_text import shared_words
from asterism.database import Database, Row
from asterism.embedding import Embedding
from asterism.errors import InvalidInput, NotFound
from asterism.memories.edges import Components, Edge, EdgeType, edge_of
from asterism.row_types import row_of
from asterism.settings import ConsolidationSettings


@row_of("consolidation/explain")
class ExplainRow(NamedTuple):
    """Row of consolidation/explain."""

    memories: list[Row]
    edges: list[Row]
    rebuilt_by: str | None
    rebuilt_last_seq: int


@row_of("consolidation/score")
class PairScore(NamedTuple):
    """Row of consolidation/score."""

    first_id: str
    second_id: str
    raw_cosine: float
    cosine: float
    kin: float
    words: float
    from_cosine: float
    from_tags: float
    from_category: float
    from_hours: float
    score: float
    stems: list[str]
    names: list[str]


@dataclass(frozen=True)
class _Pair:
    """Facts of two memories as they were when the later one came, and the run that decided.

    `signal` is their kin, or their cosine.
    """

    later: Row
    run: str | None
    signal: float
    parts: Components
    facts: Row


async def explain(database: Database, embedding: Embedding, a: str, b: str) -> EdgeExplanation:
    """Return the parts of their score, the limit that decided, and the run that did."""
    if a == b:
        raise InvalidInput("b", b, "name two memories: a memory has no edge to itself")
    row = ExplainRow(**await database.one("consolidation/explain", a=a, b=b))
    memories = {memory["id"]: memory for memory in row.memories}
    for id in (a, b):
        if id not in memories:
            raise NotFound("memory", id)
    edges = [edge_of(edge, b, edge["weight"]) for edge in row.edges]
    if undecided := _undecided(memories[a]) or _undecided(memories[b]):
        verdict, reason = undecided
        return EdgeExplanation(a=a, b=b, verdict=verdict, reason=reason, edges=edges)
    settings = database.settings.consolidation
    calibration = await embedding.calibration()
    pair = _pair(memories[a], memories[b], row, settings, calibration.apply)
    similar = next((edge for edge in edges if edge.type is EdgeType.SIMILAR), None)
    scores = await database.rows("consolidation/score", pairs=[[a, b]])
    if scores:
        pair = _scored(pair, PairScore(**scores[0]), similar, memories[a], settings)
    verdict, limit, reason = await _verdict(database, pair, similar, settings)
    parts = (similar and similar.components) or pair.parts
    score = similar.weight if similar else _score(pair, settings)
    return EdgeExplanation(
        a=a,
        b=b,
        verdict=verdict,
        reason=reason,
        edges=edges,
        **pair.facts,
        components=parts,
        score=score,
        **{f"needed_{settings.signal}": _needed(parts, settings)},
        limit=limit,
        run=similar.run if similar else pair.run,
    )


def _scored(
    pair: _Pair, row: PairScore, similar: Edge | None, first: Row, settings: ConsolidationSettings
) -> _Pair:
    """Return a pair with its kin as the database has it, or as it was joined by."""
    joined = similar is not None and similar.kin is not None
    kin = {
        "kin": similar.kin if similar and joined else row.kin,
        "words": similar.words if similar and joined else row.words,
        "shared": shared_words(first["passage"] or "", row.stems, row.names),
    }
    if settings.signal == "cosine":
        return replace(pair, facts=pair.facts | {"shared": kin["shared"]})
    parts = Components(
        cosine=row.from_cosine, tags=row.from_tags, category=row.from_category, hours=row.from_hours
    )
    return replace(pair, signal=row.kin, parts=parts, facts=pair.facts | kin)


def _needed(parts: Components, settings: ConsolidationSettings) -> float:
    """Return the kin or the cosine that would do with these tags, categories and hours."""
    return edge_score.least_cosine(parts.total - parts.cosine, settings)


def _undecided(memory: Row) -> tuple[Verdict, str] | None:
    """Return why nothing has been decided about a memory."""
    id = memory["id"]
    if memory["kind"] != "text":
        return Verdict.NO_TEXT, f"{id} is no text: only texts are joined by themselves"
    if memory["set_aside"] is not None:
        return Verdict.SET_ASIDE, f"{id} is set aside: {memory['set_aside']}"
    if memory["duplicate_of"] is not None:
        reason = f"{id} is archived: it says what {memory['duplicate_of']} says"
        return Verdict.DUPLICATE, reason
    if memory["promoted_seq"] is None:
        return Verdict.WAITING, f"{id} still waits: run consolidate first"
    return None


def _pair(
    a: Row, b: Row, row: ExplainRow, settings: ConsolidationSettings, calibrated: Any
) -> _Pair:
    later, earlier = sorted((a, b), key=lambda memory: -memory["promoted_seq"])
    rebuilt = row.rebuilt_last_seq >= later["promoted_seq"]
    together = rebuilt or later["consolidated_by"] == earlier["consolidated_by"]
    hours = later["learned_at_hours"] or 0.0
    apart = 0.0
    if together and settings.inbatch_hours == "stale":
        apart = hours
    elif not together:
        apart = hours - _last_used(earlier, hours)
    raw = _cosine(a["embedding"], b["embedding"])
    cosine = calibrated(raw)
    tags_a, tags_b = a["tags"] or (), b["tags"] or ()
    same = (a["category"] or "") == (b["category"] or "")
    facts = {
        "cosine": cosine,
        "raw_cosine": raw,
        "shared_tags": edge_score.jaccard(tags_a, tags_b),
        "same_category": same,
        "hours_apart": apart,
    }
    parts = edge_score.components(cosine, tags_a, tags_b, same, apart, settings)
    run = row.rebuilt_by if rebuilt else later["consolidated_by"]
    return _Pair(later, run, cosine, parts, facts)


def _last_used(earlier: Row, by: float) -> float:
    """Return the hours of its last use when the later one came: a newer use came after that."""
    used = earlier["last_reinforced_hours"] or 0.0
    return float(used if used <= by else earlier["learned_at_hours"] or 0.0)


def _cosine(a: Any, b: Any) -> float:
    first, second = np.asarray(a or [0.0], np.float64), np.asarray(b or [0.0], np.float64)
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / lengths if lengths and first.shape == second.shape else 0.0


def _score(pair: _Pair, settings: ConsolidationSettings) -> float:
    return pair.parts.total if edge_score.passes_guard(pair.signal, settings) else 0.0


async def _verdict(
    database: Database, pair: _Pair, similar: Edge | None, settings: ConsolidationSettings
) -> tuple[Verdict, float | None, str]:
    if similar:
        return Verdict.EDGE, None, f"joined with weight {similar.weight:.6f}"
    guard, threshold = settings.minimum_cosine_for_edge, settings.edge_score_threshold
    if not edge_score.passes_guard(pair.signal, settings):
        reason = (
            f"their {settings.signal} {pair.signal:.6f} is below the guard {guard:g}: "
            "nothing else counts"
        )
        return Verdict.GUARD, guard, reason
    score = _score(pair, settings)
    if not edge_score.reaches_threshold(score, settings):
        needed = _needed(pair.parts, settings)
        reason = (
            f"their score {score:.6f} is below {threshold:g}: with these tags, categories and "
            f"hours a {settings.signal} of {needed:.4f} would do, theirs is {pair.signal:.4f}"
        )
        return Verdict.THRESHOLD, threshold, reason
    if settings.signal == "kin":
        reason = (
            f"their score {score:.6f} would do, but they are not both among the "
            f"{settings.edge_degree_cap} most kin of each other"
        )
        return Verdict.CAP, None, reason
    row = await database.row(
        "consolidation/weakest_proposal",
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
