"""The protocol of embedding models, and checks of the vectors they make."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from neo4j.vector import Vector as PackedVector

from asterism.errors import InvalidInput

Vector = list[float]


@runtime_checkable
class Embedder(Protocol):
    """A model: any object with these members, whose methods are called in a thread."""

    @property
    def name(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    def embed_documents(self, texts: list[str]) -> list[Vector]: ...
    def embed_query(self, text: str) -> Vector: ...


def pack_vector(vector: Any) -> PackedVector:
    """Return a vector as statements take it: a list would be unpacked again for every cosine."""
    return PackedVector.from_numpy(np.asarray(vector, dtype=np.float32))


def require_vectors(
    vectors: Sequence[Sequence[float]], dimensions: int, argument: str = "embedding"
) -> list[Vector]:
    """Return vectors that a database can take (right length, finite, not zero), or refuse them."""
    for vector in vectors:
        if len(vector) != dimensions:
            remedy = f"a vector of this realm has {dimensions} numbers, not {len(vector)}"
            raise InvalidInput(argument, list(vector[:3]), remedy)
    table = np.asarray(vectors, dtype=np.float64)
    if not np.isfinite(table).all() or not table.any(axis=1).all():
        raise InvalidInput(argument, vectors, "give finite numbers that are not all zero")
    return [[float(value) for value in vector] for vector in vectors]
