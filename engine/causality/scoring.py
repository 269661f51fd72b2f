"""How well a DM line answers an intent. Pure arithmetic, apart from who gets what."""

from typing import NamedTuple

from engine.settings import CausalParams


class Score(NamedTuple):
    """The parts of a score, and the score."""

    distance: float
    lexical: float
    boost: float
    final: float


def distance_score(distance: float, tau: float = 2.0, steepness: float = 2.2) -> float:
    """A Hill curve: 1 at no distance, one half at `tau`."""
    return 1.0 / (1.0 + (distance / tau) ** steepness) if distance > 0 else 1.0


def lexical_score(a: frozenset[str], b: frozenset[str]) -> float:
    """Shared words over the larger set; nothing is shared with nothing."""
    return len(a & b) / max(len(a), len(b)) if a and b else 0.0


def score(
    distance: int, a: frozenset[str], b: frozenset[str], answers: bool, params: CausalParams
) -> Score:
    """Near lines win; shared words scale that, a yes or no is added."""
    near = distance_score(distance, params.tau, params.steepness)
    lexical = lexical_score(a, b)
    boost = params.answer_boost if answers else 0.0
    return Score(near, lexical, boost, near * (1.0 + params.lexical_weight * lexical) + boost)
