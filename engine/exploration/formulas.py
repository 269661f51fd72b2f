"""The arithmetic of a walk: pure functions of numbers and vectors.

`zero` is the cosine at which a model's unrelated texts sit: wherever two vectors are compared, the
cosine is lifted so that they come out at 0. With zero=0 a cosine stays as it is.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.exploration.states import MULTIPLIERS, State

Array = NDArray[np.float64]
Vector = Sequence[float] | Array
Pair = tuple[float, float]

INTENT_WEIGHT = 0.25
FATIGUE_ENTRIES = 5
FATIGUE_BELOW = 0.05
STEEP = 0.2
ABSORB_ABOVE = 0.7
FOUND_WELL = 0.9


def cosine(a: Vector | None, b: Vector | None) -> float:
    """The cosine of two vectors; 0 where there is none to speak of."""
    if a is None or b is None or len(a) != len(b) or not len(a):
        return 0.0
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    norms = float(np.linalg.norm(x) * np.linalg.norm(y))
    return max(-1.0, min(1.0, float(x @ y) / norms)) if norms else 0.0


def likeness(a: Vector | None, b: Vector | None, zero: float = 0.0) -> float:
    """The cosine on a scale where unrelated texts sit at 0."""
    raw = cosine(a, b)
    return max(0.0, (raw - zero) / (1.0 - zero)) if zero else raw


def clamped(value: float) -> float:
    """The value within 0..1."""
    return max(0.0, min(1.0, value))


def alignment(
    query: Vector,
    intention: Vector,
    link: Vector | None,
    intent_weight: float = INTENT_WEIGHT,
    zero: float = 0.0,
) -> float:
    """How well a link fits the question, and the reason for asking it."""
    asked, meant = likeness(query, link, zero), likeness(intention, link, zero)
    return clamped((1 - intent_weight) * asked + intent_weight * meant)


def novelty(vector: Vector | None, others: Iterable[Vector], zero: float = 0.0) -> float:
    """How unlike everything in `others`; 1 where there is nothing to be like.

    With the links of the path it is a link's self-novelty, with the embeddings of the active
    siblings its divergence from them, with the narratives that exist a new narrative's novelty.
    """
    return 1.0 - max(0.0, max((likeness(vector, other, zero) for other in others), default=0.0))


def polarity(pair: float | Pair | None, forward: bool) -> float:
    """How easily a link is walked in this direction."""
    if pair is None:
        return 0.5
    if isinstance(pair, int | float):
        return clamped(float(pair))
    return clamped(pair[0] if forward else pair[1])


def permanence_factor(permanence: float | None, weight: float = 1.0) -> float:
    """How explorable a link is: what is definitive is less so."""
    return 1.0 - (derived_permanence(weight) if permanence is None else permanence)


def derived_permanence(weight: float) -> float:
    """What stands in for a permanence that was never stored."""
    return weight / (weight + 1.0)


def score(*factors: float) -> float:
    """The product of alignment, polarity, permanence factor, self-novelty and divergence."""
    return float(np.prod(factors))


def ranked(candidates: Iterable[tuple[float, str]]) -> list[tuple[float, str]]:
    """Best score first; equal ones by their link's id."""
    return sorted(candidates, key=lambda candidate: (-candidate[0], candidate[1]))


def dead_end(scores: Sequence[float], least: float) -> bool:
    """Whether no link leads on; a score of exactly the least passes."""
    return not scores or scores[0] < least


def target(ends: tuple[str, str], position: str) -> str | None:
    """Where a link leads from here; nowhere if it does not touch this node, or only this one."""
    if ends[0] == ends[1] or position not in ends:
        return None
    return ends[1] if ends[0] == position else ends[0]


def branches(scores: Sequence[float], most: int = 3, share: float = 0.5) -> int:
    """How many of the sorted scores are worth a child; a branching needs two."""
    if not scores or scores[0] <= 0:
        return 0
    return len(list(takewhile(lambda value: value / scores[0] >= share, scores[:most])))


def criticality(satisfaction: float, depth: int) -> float:
    """How urgent it is to find something."""
    return (1.0 - satisfaction) * depth / (depth + 1)


def injection(satisfaction: float, depth: int, state: State) -> float:
    """The energy that a SubEntity in this state leaves where it stands."""
    return criticality(satisfaction, depth) * MULTIPLIERS[state]


def focus(
    query: Vector,
    intention: Vector,
    position: Vector | None,
    found: Sequence[Vector],
    path: Sequence[Vector],
    intent_weight: float = INTENT_WEIGHT,
) -> Array:
    """The crystallization embedding: what a SubEntity is after by now, of length 1."""
    mixed = 0.4 * np.asarray(query, dtype=np.float64) + intent_weight * np.asarray(intention)
    if position is not None:
        mixed = mixed + 0.3 * np.asarray(position)
    if len(found):
        mixed = mixed + 0.2 * np.mean(np.asarray(found, dtype=np.float64), axis=0)
    if len(path):
        mixed = mixed + 0.1 * np.mean(np.asarray(path, dtype=np.float64), axis=0)
    return unit(mixed)


def unit(vector: Vector) -> Array:
    """The vector at length 1; a zero vector as it is."""
    array = np.asarray(vector, dtype=np.float64)
    norm = float(np.linalg.norm(array))
    return array / norm if norm else array


def progress(current: float, previous: float | None) -> float:
    """An entry of the history: the change since the last hop, at the first hop the value."""
    return current if previous is None else current - previous


def fatigued(history: Sequence[float]) -> bool:
    """Whether the last five hops brought next to nothing."""
    last = history[-FATIGUE_ENTRIES:]
    return len(last) == FATIGUE_ENTRIES and all(abs(entry) < FATIGUE_BELOW for entry in last)


def effective_hierarchy(hierarchy: float, forward: bool) -> float:
    """A link's hierarchy as it is met: the other way round when walked backward."""
    return hierarchy if forward else -hierarchy


def awareness(seen: Pair, hierarchy: float) -> Pair:
    """How far up and down a SubEntity has been, after a step of this effective hierarchy."""
    up, down = seen
    return (
        up + max(0.0, hierarchy) * (hierarchy > STEEP),
        down - min(0.0, hierarchy) * (hierarchy < -STEEP),
    )


def felt(emotions: Sequence[float], link: Sequence[float], weight: float) -> tuple[float, ...]:
    """The four axes after walking a link: the heavier it is, the more it moves them."""
    share = derived_permanence(weight)
    return tuple(a * (1 - share) + b * share for a, b in zip(emotions, link, strict=True))


def absorbs(aligned: float, new: float) -> bool:
    """Whether content is worth a narrative of its own."""
    return aligned > ABSORB_ABOVE and new > ABSORB_ABOVE


def resonate(
    found: Mapping[str, float], id: str, aligned: float, satisfaction: float
) -> tuple[dict[str, float], float]:
    """What is found, and the satisfaction, after resonating with a narrative."""
    now = {**found, id: max(found.get(id, 0.0), aligned)}
    boost = aligned / (sum(now.values()) + 1.0)
    return now, min(1.0, satisfaction + boost)


def joined(findings: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Findings of several SubEntities: for each narrative the best."""
    best: dict[str, float] = {}
    for found in findings:
        for id, value in found.items():
            best[id] = max(value, best.get(id, value))
    return best


def should_crystallize(found: Mapping[str, float]) -> bool:
    """Whether nothing was found that is as good as new."""
    return max(found.values(), default=0.0) < FOUND_WELL


def creates(nearest: float | None, threshold: float = 0.85) -> bool:
    """The gate: nothing that exists is as near as this."""
    return nearest is None or nearest < threshold


def mean(values: Sequence[float], otherwise: float) -> float:
    """The mean of some values, or what stands for none."""
    return sum(values) / len(values) if values else otherwise


def forward_colouring(
    vector: Vector,
    weight: float,
    energy: float,
    flow: float,
    traverser: Vector,
    *,
    weigh: bool = False,
) -> tuple[list[float], float, float]:
    """The older colouring while walking, for comparison: vector, energy and weight after it."""
    blend = (1.0 / (weight + 1.0)) * flow / (flow + energy + 1.0)
    mixed = (1 - blend) * np.asarray(vector, dtype=np.float64) + blend * np.asarray(traverser)
    gained = flow * derived_permanence(weight) if weigh else 0.0
    return mixed.tolist(), energy + flow, weight + gained


def flow(
    source_energy: float,
    pair: float | Pair | None,
    weight: float,
    hierarchy: float,
    aligned: float,
    *,
    forward: bool = True,
) -> float:
    """The older flow of energy over a link, kept for comparison."""
    steep = 1.0 + abs(hierarchy) if hierarchy < 0 and forward else 1.0
    return source_energy * polarity(pair, forward) * weight * (1.0 + aligned) * steep


def apply_flow(amount: float, permanence: float) -> Pair:
    """What a flow adds to a link: weight, energy."""
    return amount * permanence, amount * (1.0 - permanence)


def as_list(vector: Any) -> list[float] | None:
    """A vector as the database takes it."""
    return None if vector is None else [float(value) for value in vector]
