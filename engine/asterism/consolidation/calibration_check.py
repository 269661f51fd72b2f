"""Check of the calibration: how alike random pairs of texts are in this realm."""

import numpy as np

from asterism.consolidation.arrays import Floats, Ints, MemoryArrays
from asterism.consolidation.exact_search import Rules
from asterism.consolidation.models import Spread
from asterism.settings import ConsolidationSettings

PAIRS = 2000
FEWEST = 10


def measure_spread(batch: MemoryArrays, others: MemoryArrays, rules: Rules) -> Spread | None:
    """Return percentiles of random pairs, always the same ones of the same memories."""
    count = len(batch) + len(others)
    if count * (count - 1) // 2 < FEWEST:
        return None
    random = np.random.default_rng(count)
    a = random.integers(0, count, PAIRS)
    b = (a + random.integers(1, count, PAIRS)) % count
    cosines = (_unit_rows(batch, others, a) * _unit_rows(batch, others, b)).sum(axis=1)
    p50, p90, p99 = np.percentile(rules.calibrated(cosines), [50, 90, 99]).tolist()
    return Spread(pairs=PAIRS, p50=p50, p90=p90, p99=p99)


def spread_warning(spread: Spread | None, settings: ConsolidationSettings) -> str | None:
    """Return a warning if a guard of cosines lets unrelated texts pass: kin measures the realm."""
    guard = settings.minimum_cosine_for_edge
    if spread is None or settings.signal == "kin" or spread.p99 < guard:
        return None
    return (
        f"one random pair in a hundred has a cosine of {spread.p99:.2f} or more, and the guard "
        f"minimum_cosine_for_edge is {guard:.2f}: unrelated texts may be joined. Raise it above "
        "that, or use an embedder with a calibration"
    )


def _unit_rows(batch: MemoryArrays, others: MemoryArrays, places: Ints) -> Floats:
    table = np.empty((len(places), batch.dimensions))
    in_batch = places < len(batch)
    sides = ((batch, in_batch, places), (others, ~in_batch, places - len(batch)))
    for arrays, chosen, positions in sides:
        rows = positions[chosen]
        table[chosen] = arrays.vectors[rows] / arrays.norms[rows, None]
    return table
