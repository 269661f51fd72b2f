"""Default models that all graphs of the process share."""

import threading
from collections import Counter

from asterism.embedding.onnx_embedder import OnnxEmbedder


class SharedModels:
    """Default models in use, by their number of threads: one loaded model serves every graph."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._models: dict[int | None, OnnxEmbedder] = {}
        self._users: Counter[int | None] = Counter()

    def borrow(self, threads: int | None) -> OnnxEmbedder:
        """Return the model that others use already, or a new one."""
        with self._lock:
            self._users[threads] += 1
            return self._models.setdefault(threads, OnnxEmbedder(threads))

    def release(self, threads: int | None) -> None:
        """Free the model when its last user is done."""
        with self._lock:
            self._users[threads] -= 1
            if self._users[threads] == 0:
                self._models.pop(threads).unload()


SHARED = SharedModels()
