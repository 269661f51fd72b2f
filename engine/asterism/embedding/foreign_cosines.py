"""Best cosines of questions that a realm cannot answer: what chance alone brings."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from asterism.database import Database, Row
from asterism.embedding.calibration import Calibration
from asterism.embedding.embedding import Embedding
from asterism.embedding.foreign_questions import FOREIGN_QUESTIONS
from asterism.embedding.onnx_embedder import OnnxEmbedder
from asterism.embedding.protocol import Embedder, Vector, pack_vector, require_vectors

FEWEST_TEXTS = 20
GROWTH = 0.25  # measured again after the texts have changed in number by this share
QUARTILES_TO_DEVIATION = 1.349  # of a normal distribution
# Estimated where nothing was measured, in spreads of the model above its mean.
BASE, PER_TENFOLD, DEVIATION, BASE_TEXTS = 0.9, 0.66, 0.67, 60
LEAST_DEVIATION = 0.01


@dataclass(frozen=True)
class ForeignCosines:
    """Median and standard deviation of the best cosine of a foreign question."""

    median: float
    deviation: float
    measured: bool = False

    def closeness(self, cosine: float) -> float:
        """Return how many deviations a cosine is above that of a foreign question's best hit."""
        return (cosine - self.median) / self.deviation


def estimated(calibration: Calibration, texts: int) -> ForeignCosines:
    """Return what is usual for a model and a number of texts: more texts, closer chance hits."""
    decades = math.log10(max(texts, 1) / BASE_TEXTS)
    return ForeignCosines(
        median=calibration.mean + calibration.spread * (BASE + PER_TENFOLD * decades),
        deviation=max(LEAST_DEVIATION, DEVIATION * calibration.spread),
    )


def stored(row: Sequence[float] | None) -> ForeignCosines | None:
    """Return the measured median and deviation of a realm, None where there are none."""
    if row is None:
        return None
    median, deviation = row
    return ForeignCosines(median, max(LEAST_DEVIATION, deviation), measured=True)


async def renew(database: Database, embedding: Embedding) -> bool:
    """Measure the best cosines of foreign questions anew, if the texts have changed in number."""
    due = await database.row("embedding/foreign_cosines_due")
    if due is None or not _is_due(due):
        return False
    vectors = await asyncio.to_thread(_question_vectors, embedding.embedder)
    packed = [pack_vector(vector) for vector in vectors]
    rows = await database.rows("embedding/foreign_cosines", vectors=packed)
    low, median, high = np.percentile([row["cosine"] for row in rows], [25, 50, 75])
    await database.rows(
        "embedding/store_foreign_cosines",
        texts=int(due["texts"]),
        median=float(median),
        deviation=float(high - low) / QUARTILES_TO_DEVIATION,
    )
    return True


def _is_due(due: Row) -> bool:
    texts, measured = due["texts"], due["measured"]
    if texts < FEWEST_TEXTS:
        return False
    return measured is None or abs(texts - measured) > GROWTH * measured


def _question_vectors(embedder: Embedder) -> list[Vector]:
    if isinstance(embedder, OnnxEmbedder):
        return embedder.foreign_questions
    return require_vectors(
        [embedder.embed_query(text) for text in FOREIGN_QUESTIONS], embedder.dimensions
    )
