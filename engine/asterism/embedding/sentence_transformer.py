"""Models of the sentence-transformers package."""

from functools import cached_property
from pathlib import Path
from typing import Any

from asterism.embedding.protocol import Vector
from asterism.errors import InvalidInput


class SentenceTransformerEmbedder:
    """Any sentence-transformers model, by name, path, or already loaded and named."""

    calibrated = True

    def __init__(self, model: Any, name: str | None = None) -> None:
        if name is None and not isinstance(model, (str, Path)):
            raise InvalidInput("name", name, "name a loaded model: realms tell models by name")
        self.name = name or str(model)
        self._source = model

    @cached_property
    def dimensions(self) -> int:
        return len(self.embed_query("how long is a vector?"))

    def embed_documents(self, texts: list[str]) -> list[Vector]:
        vectors = self._model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        return [[float(value) for value in row] for row in vectors]

    def embed_query(self, text: str) -> Vector:
        return self.embed_documents([text])[0]

    @cached_property
    def _model(self) -> Any:
        if not isinstance(self._source, (str, Path)):
            return self._source
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(self._source))
