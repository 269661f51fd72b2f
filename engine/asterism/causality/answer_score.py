"""Score of a DM line as the answer to an intent.

final = distance_score * (1 + lexical_weight * lexical_score) + answer_boost
"""

from typing import NamedTuple

from asterism.settings import CausalParams


class Score(NamedTuple):
    """The parts of a score, and the score."""

    distance: float
    lexical: float
    boost: float
    final: float


def distance_score(distance: float, tau: float = 2.0, steepness: float = 2.2) -> float:
    """Return the Hill curve 1 / (1 + (distance / tau) ** steepness), one half at `tau`."""
    return 1.0 / (1.0 + (distance / tau) ** steepness) if distance > 0 else 1.0


def lexical_score(a: frozenset[str], b: frozenset[str]) -> float:
    """Return the shared words over the larger set, 0 if either is empty."""
    return len(a & b) / max(len(a), len(b)) if a and b else 0.0


def score(
    distance: int, a: frozenset[str], b: frozenset[str], answers: bool, params: CausalParams
) -> Score:
    """Score a line at a distance by the words of both lines and by a yes or no."""
    by_distance = distance_score(distance, params.tau, params.steepness)
    lexical = lexical_score(a, b)
    boost = params.answer_boost if answers else 0.0
    final = by_distance * (1.0 + params.lexical_weight * lexical) + boost
    return Score(by_distance, lexical, boost, final)
