"""Calibration of a model: the cosine of unrelated texts, and how far cosines spread."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from asterism.embedding.chinese_texts import UNRELATED_CHINESE
from asterism.embedding.protocol import Embedder

DEFAULT_SPREAD = 0.065
# The default model spreads 0.065 over real questions and memories, 0.057 over the sentences below.
QUESTIONS_TO_SENTENCES = 0.065 / 0.057

# Sentences that have nothing to do with each other: what a model calls similar among them is
# its zero. Half are asked as questions, so that queries are measured against documents too.
UNRELATED = (
    "The ferry to the island leaves at six in the morning.",
    "Photosynthesis turns light into sugar.",
    "My grandmother baked bread with caraway seeds.",
    "The court postponed the hearing until spring.",
    "A violin has four strings tuned in fifths.",
    "Interest rates rose by a quarter of a point.",
    "The goalkeeper broke two fingers in training.",
    "Basalt columns form when lava cools slowly.",
    "She repaired the bicycle chain with a paper clip.",
    "The compiler rejects a variable that is never used.",
    "Monarch butterflies travel thousands of miles south.",
    "The museum keeps its coins in the basement.",
    "He is allergic to penicillin.",
    "The bridge was painted green after the war.",
    "Chess engines prune moves that cannot matter.",
    "Tulips were once worth more than houses.",
    "The vaccine must be kept at two degrees.",
    "Our landlord raised the rent again.",
    "Sourdough needs a warm place to rise.",
    "The satellite lost contact over the Pacific.",
    "A sonnet has fourteen lines.",
    "The mine closed when the copper ran out.",
    "They adopted a one-eyed cat.",
    "Glaciers carve valleys into the shape of a U.",
)


@dataclass(frozen=True)
class Calibration:
    """The cosine at which a model's similarity starts, and the spread of its cosines."""

    mean: float = 0.0
    spread: float = DEFAULT_SPREAD

    def apply(self, cosine: float) -> float:
        """Return the cosine on a scale where unrelated texts are at 0."""
        return max(0.0, (cosine - self.mean) / (1.0 - self.mean)) if self.mean else cosine


def calibrate(embedder: Embedder) -> Calibration:
    """Measure a model that asks for it by `calibrated = True`, and take any other as it is."""
    if not getattr(embedder, "calibrated", False):
        return Calibration()
    chinese = tuple(getattr(embedder, "languages", ())) == ("zh",)
    texts = list(UNRELATED_CHINESE if chinese else UNRELATED)
    documents = np.array(embedder.embed_documents(texts))
    queries = np.array([embedder.embed_query(text) for text in texts[::2]])
    pairs = [float(documents[a] @ documents[b]) for a, b in combinations(range(len(documents)), 2)]
    cosines = queries @ documents.T
    unrelated = cosines[~np.eye(len(documents), dtype=bool)[::2]]
    return Calibration(
        mean=float(np.mean(pairs)), spread=float(np.std(unrelated)) * QUESTIONS_TO_SENTENCES
    )
