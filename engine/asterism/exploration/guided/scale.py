"""Scale of the cosines of one question: unrelated texts are at 0, a deviation is a tenth."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from asterism.embedding import Calibration

DEVIATIONS = 10.0  # from 0 to 1
WEIGHT_OF_MODEL = 5  # the model's own mean and spread count as much as so many cosines
LEAST_DEVIATION = 0.01


@dataclass(frozen=True)
class Scale:
    """Mean and standard deviation of the cosines of a question to texts about anything."""

    mean: float
    deviation: float

    def value(self, cosine: float | None) -> float:
        """Return (cosine - mean) / (10 deviations) within 0..1, 0 without a cosine."""
        if cosine is None or math.isnan(cosine):
            return 0.0
        return max(0.0, min(1.0, (cosine - self.mean) / (DEVIATIONS * self.deviation)))

    @property
    def pair(self) -> list[float]:
        """The scale as statements take it."""
        return [self.mean, self.deviation]


def of_model(calibration: Calibration) -> Scale:
    """Return the scale of texts among themselves, as the model alone has it."""
    return Scale(calibration.mean, max(LEAST_DEVIATION, calibration.spread))


def measured(cosines: Sequence[float], calibration: Calibration) -> Scale:
    """Return the scale of a sample of cosines, drawn to the model's own where it is small."""
    model, count = of_model(calibration), len(cosines)
    if not count:
        return model
    whole = count + WEIGHT_OF_MODEL
    mean = (count * fmean(cosines) + WEIGHT_OF_MODEL * model.mean) / whole
    deviation = (count * pstdev(cosines) + WEIGHT_OF_MODEL * model.deviation) / whole
    return Scale(mean, max(LEAST_DEVIATION, deviation))
