"""Arithmetic of a walk: pure functions of numbers and vectors.

`baseline` is the cosine of unrelated texts in a model. A calibrated cosine is measured from there,
so that unrelated texts come out at 0. With baseline=0 a cosine stays as it is.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from asterism.exploration.models import State

Array = NDArray[np.float64]
Vector = Sequence[float] | Array
Pair = tuple[float, float]

INTENT_WEIGHT = 0.25
FATIGUE_ENTRIES = 5
FATIGUE_LIMIT = 0.05
STEEP_HIERARCHY = 0.2
ABSORB_LIMIT = 0.7
GOOD_FINDING = 0.9
STATE_MULTIPLIERS = {
    State.SEEKING: 0.5,
    State.BRANCHING: 0.5,
    State.ABSORBING: 1.0,
    State.RESONATING: 2.0,
    State.REFLECTING: 0.5,
    State.CRYSTALLIZING: 1.5,
    State.MERGING: 0.0,
}


def cosine(a: Vector | None, b: Vector | None) -> float:
    """Return the cosine of two vectors, 0 if one is missing, zero, or of another length."""
    if a is None or b is None or len(a) != len(b) or not len(a):
        return 0.0
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    norms = float(np.linalg.norm(x) * np.linalg.norm(y))
    return max(-1.0, min(1.0, float(x @ y) / norms)) if norms else 0.0


def calibrated_cosine(a: Vector | None, b: Vector | None, baseline: float = 0.0) -> float:
    """Return max(0, (cosine - baseline) / (1 - baseline)), or the cosine if baseline is 0."""
    raw = cosine(a, b)
    return max(0.0, (raw - baseline) / (1.0 - baseline)) if baseline else raw


def novelty(vector: Vector | None, others: Iterable[Vector], baseline: float = 0.0) -> float:
    """Return 1 - the greatest calibrated cosine to one of the others, 1 if there are none."""
    cosines = (calibrated_cosine(vector, other, baseline) for other in others)
    return 1.0 - max(0.0, max(cosines, default=0.0))


def permanence_of_weight(weight: float) -> float:
    """Return weight / (weight + 1), which stands in for a permanence that was never stored."""
    return weight / (weight + 1.0)


def is_dead_end(scores: Sequence[float], minimum: float) -> bool:
    """Return True if the best of the sorted scores is below the minimum, or there is none."""
    return not scores or scores[0] < minimum


def branch_count(scores: Sequence[float], most: int = 3, share: float = 0.5) -> int:
    """Return the number of sorted scores that reach a share of the best, at most `most`."""
    if not scores or scores[0] <= 0:
        return 0
    return len(list(takewhile(lambda score: score / scores[0] >= share, scores[:most])))


def criticality(satisfaction: float, depth: int) -> float:
    """Return the urgency of a SubEntity: (1 - satisfaction) · depth / (depth + 1)."""
    return (1.0 - satisfaction) * depth / (depth + 1)


def injection(satisfaction: float, depth: int, state: State) -> float:
    """Return the energy that a SubEntity in this state adds to its node."""
    return criticality(satisfaction, depth) * STATE_MULTIPLIERS[state]


def focus(
    query: Vector,
    intention: Vector,
    position: Vector | None,
    findings: Sequence[Vector],
    path: Sequence[Vector],
    intent_weight: float = INTENT_WEIGHT,
) -> Array:
    """Return the crystallization embedding of a SubEntity, of length 1.

    0.4 query + intent_weight intention + 0.3 position + 0.2 mean(findings) + 0.1 mean(path).
    """
    mixed = 0.4 * np.asarray(query, dtype=np.float64) + intent_weight * np.asarray(intention)
    if position is not None:
        mixed = mixed + 0.3 * np.asarray(position)
    if len(findings):
        mixed = mixed + 0.2 * np.mean(np.asarray(findings, dtype=np.float64), axis=0)
    if len(path):
        mixed = mixed + 0.1 * np.mean(np.asarray(path, dtype=np.float64), axis=0)
    return unit(mixed)


def unit(vector: Vector) -> Array:
    """Return the vector at length 1, a zero vector as it is."""
    array = np.asarray(vector, dtype=np.float64)
    norm = float(np.linalg.norm(array))
    return array / norm if norm else array


def progress_entry(current: float, previous: float | None) -> float:
    """Return the change of progress since the last hop, at the first hop the progress itself."""
    return current if previous is None else current - previous


def is_fatigued(progress_history: Sequence[float]) -> bool:
    """Return True if each of the last five hops changed the progress by less than 0.05."""
    last = progress_history[-FATIGUE_ENTRIES:]
    return len(last) == FATIGUE_ENTRIES and all(abs(entry) < FATIGUE_LIMIT for entry in last)


def effective_hierarchy(hierarchy: float, forward: bool) -> float:
    """Return a link's hierarchy in the direction of the walk."""
    return hierarchy if forward else -hierarchy


def awareness(before: Pair, hierarchy: float) -> Pair:
    """Return the sums of steep hierarchy climbed and descended, after one more hop."""
    up, down = before
    return (
        up + max(0.0, hierarchy) * (hierarchy > STEEP_HIERARCHY),
        down - min(0.0, hierarchy) * (hierarchy < -STEEP_HIERARCHY),
    )


def blend_emotions(
    emotions: Sequence[float], link: Sequence[float], weight: float
) -> tuple[float, ...]:
    """Return axis · (1 - s) + link axis · s for each axis, with s = weight / (weight + 1)."""
    share = permanence_of_weight(weight)
    return tuple(a * (1 - share) + b * share for a, b in zip(emotions, link, strict=True))


def should_absorb(alignment: float, novelty: float) -> bool:
    """Return True if content is worth a narrative of its own."""
    return alignment > ABSORB_LIMIT and novelty > ABSORB_LIMIT


def resonate(
    findings: Mapping[str, float], id: str, alignment: float, satisfaction: float
) -> tuple[dict[str, float], float]:
    """Return findings and satisfaction after resonating with one more narrative.

    satisfaction = min(1, satisfaction + alignment / (sum of all findings + 1)).
    """
    after = {**findings, id: max(findings.get(id, 0.0), alignment)}
    boost = alignment / (sum(after.values()) + 1.0)
    return after, min(1.0, satisfaction + boost)


def join_findings(several: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the best value of each narrative among the findings of several SubEntities."""
    best: dict[str, float] = {}
    for findings in several:
        for id, value in findings.items():
            best[id] = max(value, best.get(id, value))
    return best


def should_crystallize(findings: Mapping[str, float]) -> bool:
    """Return True if no finding reaches 0.9."""
    return max(findings.values(), default=0.0) < GOOD_FINDING


def is_novel(greatest_cosine: float | None, threshold: float = 0.85) -> bool:
    """Return True if no existing narrative reaches the threshold."""
    return greatest_cosine is None or greatest_cosine < threshold


def mean(values: Sequence[float], default: float) -> float:
    """Return the mean of the values, or the default if there are none."""
    return sum(values) / len(values) if values else default


def as_list(vector: Vector | None) -> list[float] | None:
    """Return a vector as the database takes it."""
    return None if vector is None else [float(value) for value in vector]
