"""A small embedding model for tests with many processes: equal words give equal directions."""

import hashlib
import math

from asterism.text.tokens import words


class WordEmbedder:
    """Adds one direction for each word of a text."""

    name = "tests-words"
    dimensions = 48

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        sums = [1e-3] * self.dimensions
        for word in words(text):
            for place, byte in enumerate(hashlib.sha384(word.encode()).digest()):
                sums[place] += byte / 127.5 - 1
        length = math.sqrt(sum(value * value for value in sums))
        return [value / length for value in sums]
