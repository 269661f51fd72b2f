"""Vectors of short texts that are asked for again and again, such as names of stars."""

from collections.abc import Sequence
from typing import Any

from asterism.embedding import Embedding

MOST = 4096


class EmbeddingCache:
    """Embeds texts, each once as long as there is room."""

    def __init__(self, embedding: Embedding) -> None:
        self._embedding = embedding
        self._vectors: dict[str, Any] = {}

    async def documents(self, texts: Sequence[str]) -> list[Any]:
        """Return one vector a text, in order."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if len(self._vectors) + len(missing) > MOST:
            self._vectors.clear()
            missing = list(dict.fromkeys(texts))
        made = await self._embedding.passages(missing)
        self._vectors.update(zip(missing, made, strict=True))
        return [self._vectors[text] for text in texts]
