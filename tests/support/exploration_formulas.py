"""Formulas of the source document that the engine computes in Cypher, or does not use."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from asterism.exploration.formulas import (
    INTENT_WEIGHT,
    Pair,
    Vector,
    calibrated_cosine,
    permanence_of_weight,
)
from asterism.exploration.write_set import LinkState, colour_backward


def clamp(value: float) -> float:
    """Return the value within 0..1."""
    return max(0.0, min(1.0, value))


def alignment(
    query: Vector,
    intention: Vector,
    link: Vector | None,
    intent_weight: float = INTENT_WEIGHT,
    baseline: float = 0.0,
) -> float:
    """Return the alignment of a link with query and intention, as exploration/candidates does."""
    to_query = calibrated_cosine(query, link, baseline)
    to_intention = calibrated_cosine(intention, link, baseline)
    return clamp((1 - intent_weight) * to_query + intent_weight * to_intention)


def polarity(pair: float | Pair | None, forward: bool) -> float:
    """Return the polarity in one direction, as exploration/candidates does."""
    if pair is None:
        return 0.5
    if isinstance(pair, int | float):
        return clamp(float(pair))
    return clamp(pair[0] if forward else pair[1])


def permanence_factor(permanence: float | None, weight: float = 1.0) -> float:
    """Return 1 - permanence, as exploration/candidates does."""
    return 1.0 - (permanence_of_weight(weight) if permanence is None else permanence)


def score(*factors: float) -> float:
    """Return the product of the five factors."""
    return math.prod(factors)


def ranked(candidates: Iterable[tuple[float, str]]) -> list[tuple[float, str]]:
    """Return (score, link id) pairs with the best score first, equal ones by id."""
    return sorted(candidates, key=lambda candidate: (-candidate[0], candidate[1]))


def target(ends: tuple[str, str], position: str) -> str | None:
    """Return the other end of a link, None for a self-loop or a link that is elsewhere."""
    if ends[0] == ends[1] or position not in ends:
        return None
    return ends[1] if ends[0] == position else ends[0]


@dataclass(frozen=True)
class ChargedLink:
    """A link with the energy that the source document's colouring may inject."""

    state: LinkState
    energy: float = 0.0


def colour_path(
    links: Sequence[tuple[ChargedLink, float | None]],
    final: Vector,
    boost: float,
    *,
    inject: float = 0.0,
) -> tuple[list[ChargedLink], float]:
    """Return a path after one colouring by the engine plus injected energy, and its weight gain."""
    updates = colour_backward([polarity for _, polarity in links], final, boost)
    coloured, gained = [], 0.0
    for update, (link, _) in zip(updates, links, strict=True):
        gain = inject * permanence_of_weight(link.state.weight)
        state = update.apply(link.state)
        state = replace(state, weight=state.weight + gain)
        coloured.append(ChargedLink(state, link.energy + inject))
        gained += gain
    return coloured, gained


def forward_colouring(
    vector: Vector,
    weight: float,
    energy: float,
    flow: float,
    traverser: Vector,
    *,
    weigh: bool = False,
) -> tuple[list[float], float, float]:
    """Return vector, energy and weight after the older colouring while walking."""
    blend = (1.0 / (weight + 1.0)) * flow / (flow + energy + 1.0)
    mixed = (1 - blend) * np.asarray(vector, dtype=np.float64) + blend * np.asarray(traverser)
    gained = flow * permanence_of_weight(weight) if weigh else 0.0
    return mixed.tolist(), energy + flow, weight + gained


def flow(
    source_energy: float,
    pair: float | Pair | None,
    weight: float,
    hierarchy: float,
    alignment: float,
    *,
    forward: bool = True,
) -> float:
    """Return the older flow of energy over a link."""
    steepness = 1.0 + abs(hierarchy) if hierarchy < 0 and forward else 1.0
    return source_energy * polarity(pair, forward) * weight * (1.0 + alignment) * steepness


def apply_flow(amount: float, permanence: float) -> Pair:
    """Return the weight and the energy that a flow adds to a link."""
    return amount * permanence, amount * (1.0 - permanence)
