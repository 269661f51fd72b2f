"""Composite score of two texts, and the signal it needs: pure, and exact to the last digit.

    score = 0.55 signal + 0.20 shared tags + 0.15 category + 0.10 nearness in active hours

The signal is kin, or the calibrated cosine alone with `signal="cosine"`. A guard comes before it:
texts that do not resemble each other are never joined, whatever else they share. With shared tags,
one category and one session the cosine needed is the guard's own 0.30, with none of them it is
0.6455 for a threshold of 0.40.
"""

import hashlib
import math
from collections.abc import Collection, Sequence

from asterism.memories.edges import Components
from asterism.settings import ConsolidationSettings

ROUNDING = 1e-9  # 0.20 + 0.15 + 0.10 is 0.44999999999999996 in doubles


def composite_score(
    cosine: float,
    tags_a: Collection[str],
    tags_b: Collection[str],
    same_category: bool,
    hours_apart: float,
    settings: ConsolidationSettings,
) -> float:
    """Return how well two texts belong together, 0 to 1, and 0 for a cosine below the guard.

    The cosine is the calibrated one, where unrelated texts sit at 0, or kin, where they do too.
    """
    parts = components(cosine, tags_a, tags_b, same_category, hours_apart, settings)
    return parts.total if passes_guard(cosine, settings) else 0.0


def components(
    cosine: float,
    tags_a: Collection[str],
    tags_b: Collection[str],
    same_category: bool,
    hours_apart: float,
    settings: ConsolidationSettings,
) -> Components:
    """Return what each of the four signals adds to a score, whatever the guard says."""
    category = 1.0 if same_category else settings.cross_category_score
    nearness = temporal_proximity(hours_apart, settings.temporal_sigma_hours)
    return Components(
        cosine=settings.weight_cosine * clamp_cosine(cosine),
        tags=settings.weight_tags * jaccard(tags_a, tags_b),
        category=settings.weight_category * category,
        hours=settings.weight_hours * nearness,
    )


def clamp_cosine(cosine: float) -> float:
    """Return a cosine within 0 and 1, and 0 for what is no number."""
    return min(1.0, max(0.0, cosine)) if math.isfinite(cosine) else 0.0


def passes_guard(cosine: float, settings: ConsolidationSettings) -> bool:
    return clamp_cosine(cosine) >= settings.minimum_cosine_for_edge - ROUNDING


def reaches_threshold(score: float, settings: ConsolidationSettings) -> bool:
    """Return True if a score is enough for an edge."""
    return score > 0 and score >= settings.edge_score_threshold - ROUNDING


def jaccard(tags_a: Collection[str], tags_b: Collection[str]) -> float:
    """Return the share of distinct tags that two have in common, 0 without tags."""
    a, b = set(tags_a), set(tags_b)
    return len(a & b) / len(a | b) if a and b else 0.0


def temporal_proximity(hours_apart: float, sigma: float) -> float:
    """Return 1 in the same hour, 0.61 a sigma apart, 0.01 three of them."""
    return math.exp(-(hours_apart * hours_apart) / (2.0 * sigma * sigma))


def least_cosine(context: float, settings: ConsolidationSettings) -> float:
    """Return the least cosine that makes an edge if the other signals add at most `context`."""
    rest = (settings.edge_score_threshold - context) / settings.weight_cosine
    return max(settings.minimum_cosine_for_edge, rest)


def is_certified(
    farthest: float, scores: Sequence[float], context: float, settings: ConsolidationSettings
) -> bool:
    """Return True if no memory beyond the k nearest neighbours can be among the best.

    `farthest` is the cosine of the k-th neighbour, `scores` those of all candidates that make an
    edge, best first, `context` the most that tags, category and hours can add for the others.
    """
    if farthest < least_cosine(context, settings) - ROUNDING:
        return True
    best = scores[: settings.edge_degree_cap]
    bound = settings.weight_cosine * clamp_cosine(farthest) + context
    return len(best) == settings.edge_degree_cap and (not best or min(best) > bound + ROUNDING)


def edge_id(a: str, b: str) -> str:
    """Return the id of the edge between two, whichever is named first."""
    low, high = min(a, b), max(a, b)
    return hashlib.sha256(f"{low}\x1f{high}".encode()).hexdigest()[:32]


def profile_hash(settings: ConsolidationSettings, model: str) -> str:
    """Return a digest of the rules that edges are scored under."""
    chosen = settings.model_dump_json(
        include={
            "signal",
            "minimum_cosine_for_edge",
            "edge_score_threshold",
            "edge_degree_cap",
            "weight_cosine",
            "weight_tags",
            "weight_category",
            "weight_hours",
            "temporal_sigma_hours",
            "cross_category_score",
        }
    )
    return hashlib.sha256(f"{model}\x1f{chosen}".encode()).hexdigest()[:16]
