"""Backward colouring: what was found tints the links that led there, less and less."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.exploration.formulas import Array, Vector, derived_permanence

RATE = 0.8
BLEND = 0.3
FAINT = 1e-3
REFLECTING_BOOST = 0.05
CRYSTALLIZING_BOOST = 0.1


@dataclass(frozen=True)
class Tint:
    """A link as colouring sees it, and as colouring leaves it."""

    vector: Array | None
    weight: float
    energy: float = 0.0


@dataclass(frozen=True)
class Stroke:
    """What one colouring does to one link: the vector to blend in, the weight to add."""

    vector: Array | None  # None: too faint to tint
    boost: float
    inject: float = 0.0

    def on(self, link: Tint) -> Tint:
        """The link after this stroke."""
        hold = derived_permanence(link.weight)
        share = BLEND * (1.0 - hold)
        vector = link.vector
        if self.vector is not None:
            vector = self.vector if vector is None else (1 - share) * vector + share * self.vector
        gained = self.inject * hold
        return Tint(vector, link.weight + self.boost + gained, link.energy + self.inject)


def strokes(
    reverse: Sequence[float | None],
    final: Vector,
    boost: float,
    *,
    rate: float = RATE,
    inject: float = 0.0,
) -> list[Stroke]:
    """One stroke a link, in walking order; `reverse` is each link's polarity against the walk."""
    current = np.asarray(final, dtype=np.float64)
    drawn: list[Stroke] = []
    for ease in reversed(reverse):
        current = current * _carried(ease, rate) * rate
        faint = float(np.linalg.norm(current)) < FAINT
        drawn.append(Stroke(None if faint else current, boost, inject))
    return drawn[::-1]


def color_path(
    links: Sequence[tuple[Tint, float | None]],
    final: Vector,
    boost: float,
    *,
    rate: float = RATE,
    inject: float = 0.0,
) -> tuple[list[Tint], float]:
    """The links of a path after one colouring, and the weight they gained by injection."""
    drawn = strokes([ease for _, ease in links], final, boost, rate=rate, inject=inject)
    after = [stroke.on(link) for stroke, (link, _) in zip(drawn, links, strict=True)]
    return after, sum(inject * derived_permanence(link.weight) for link, _ in links)


def _carried(ease: float | None, rate: float) -> float:
    if ease is None:
        return rate
    return ease if ease >= 0 else abs(ease) * rate
