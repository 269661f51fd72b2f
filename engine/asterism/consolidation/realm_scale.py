"""Scale of a realm: what cosines its texts have with each other, and each text with the others.

    deviations of a pair in the realm = (cosine - mean) / deviation over pairs of texts

A sample of the realm is measured. Few pairs say little, so that the values of the model count as
five pairs of the realm, and those of the realm as five cosines of each text.
"""

import math
from dataclasses import dataclass

import numpy as np

from asterism.consolidation.arrays import Floats, Ints, MemoryArrays
from asterism.embedding import Calibration
from asterism.row_types import row_of

SAMPLE = 400
PRIOR = 5
GROWTH = 0.25  # measured again after the texts have changed in number by this share
LEAST_DEVIATION = 0.01
ROWS = 4096


@row_of("consolidation/read_scale")
@dataclass(frozen=True)
class RealmScale:
    """Mean and standard deviation of the cosines of a realm's texts, among so many texts."""

    mean: float
    deviation: float
    texts: int

    def is_due(self, texts: int) -> bool:
        """Return True if a realm of so many texts has to be measured again."""
        return texts <= SAMPLE or abs(texts - self.texts) > GROWTH * self.texts


@dataclass(frozen=True)
class RealmSample:
    """Some texts of a realm, and how many it has."""

    arrays: MemoryArrays
    texts: int


def sample_rows(ids: list[str]) -> Ints:
    """Return the rows of at most so many texts, evenly spaced in the order of their ids."""
    order = sorted(range(len(ids)), key=ids.__getitem__)
    count = min(SAMPLE, len(ids))
    return np.array([order[place * len(ids) // count] for place in range(count)], np.int64)


def measure_realm(sample: RealmSample, model: Calibration) -> RealmScale:
    """Measure all pairs of a sample."""
    vectors = sample.arrays.unit.astype(np.float64)
    cosines = (vectors @ vectors.T)[np.triu_indices(len(vectors), 1)]
    prior = RealmScale(model.mean, model.spread, sample.texts)
    mean, deviation = _blend(
        np.array([len(cosines)]),
        np.array([cosines.sum()]),
        np.array([(cosines * cosines).sum()]),
        prior,
    )
    return RealmScale(float(mean[0]), float(deviation[0]), sample.texts)


def measure_texts(
    arrays: MemoryArrays, sample: MemoryArrays, realm: RealmScale
) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of each text's cosines with a sample, but with itself."""
    vectors, places = sample.unit.astype(np.float64), {id: n for n, id in enumerate(sample.ids)}
    own = np.array([places.get(id, -1) for id in arrays.ids], np.int64)
    sums, squares = np.zeros(len(arrays)), np.zeros(len(arrays))
    for first in range(0, len(arrays), ROWS):
        cosines = arrays.unit[first : first + ROWS].astype(np.float64) @ vectors.T
        here = own[first : first + ROWS]
        cosines[here >= 0, here[here >= 0]] = 0.0
        sums[first : first + ROWS] = cosines.sum(axis=1)
        squares[first : first + ROWS] = (cosines * cosines).sum(axis=1)
    return _blend(len(sample) - (own >= 0), sums, squares, realm)


def _blend(counts: Ints, sums: Floats, squares: Floats, prior: RealmScale) -> tuple[Floats, Floats]:
    """Return means and deviations of cosines, and of five more as they are before."""
    mean = (sums + PRIOR * prior.mean) / (counts + PRIOR)
    before = prior.deviation**2 + prior.mean**2
    variance = (squares + PRIOR * before) / (counts + PRIOR) - mean * mean
    return mean, np.sqrt(np.maximum(variance, LEAST_DEVIATION**2))


def kin(
    cosines: Floats,
    first: tuple[Floats, Floats],
    second: tuple[Floats, Floats],
    words: Floats,
    realm: RealmScale,
) -> Floats:
    """Return how much two texts stand out, 0 to 1: a tenth for each deviation, and their words.

    The smaller one counts of the deviations in the realm and the mean of those of both texts, since
    a text that is near to everything is near to nothing.
    """
    in_realm = (cosines - realm.mean) / realm.deviation
    of_texts = ((cosines - first[0]) / first[1] + (cosines - second[0]) / second[1]) / 2
    clamped: Floats = np.clip(np.minimum(in_realm, of_texts) / 10 + words, 0.0, 1.0)
    return clamped


def least_cosine(least_kin: Floats, realm: RealmScale) -> Floats:
    """Return the least cosine of a pair without shared words that may reach a kin."""
    return np.where(least_kin > 0, realm.mean + 10 * realm.deviation * least_kin, -math.inf)
