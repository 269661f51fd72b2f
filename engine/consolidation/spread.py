"""How alike random pairs are: where a model's unrelated texts sit, as seen in this realm."""

import numpy as np

from engine.consolidation.blocks import Blocks, Floats, Ints
from engine.consolidation.model import Spread
from engine.consolidation.pairs import Rules

PAIRS = 2000
FEWEST = 10


def spread(fresh: Blocks, known: Blocks, rules: Rules) -> Spread | None:
    """Percentiles of random pairs, always the same ones of the same memories."""
    count = len(fresh) + len(known)
    if count * (count - 1) // 2 < FEWEST:
        return None
    random = np.random.default_rng(count)
    a = random.integers(0, count, PAIRS)
    b = (a + random.integers(1, count, PAIRS)) % count
    cosines = (_rows(fresh, known, a) * _rows(fresh, known, b)).sum(axis=1)
    p50, p90, p99 = np.percentile(rules.calibrated(cosines), [50, 90, 99]).tolist()
    return Spread(pairs=PAIRS, p50=p50, p90=p90, p99=p99)


def _rows(fresh: Blocks, known: Blocks, places: Ints) -> Floats:
    table = np.empty((len(places), fresh.dimensions))
    first = places < len(fresh)
    for some, chosen, at in ((fresh, first, places), (known, ~first, places - len(fresh))):
        rows = at[chosen]
        table[chosen] = some.vectors[rows] / some.norms[rows, None]
    return table


def warning(found: Spread | None, guard: float) -> str | None:
    """What to say when the guard lets unrelated texts pass."""
    if found is None or found.p99 < guard:
        return None
    return (
        f"one random pair in a hundred has a cosine of {found.p99:.2f} or more, and the guard "
        f"minimum_cosine_for_edge is {guard:.2f}: unrelated texts may be joined. Raise it above "
        "that, or use an embedder with a calibration"
    )
