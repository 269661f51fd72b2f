"""Models of the registry that all graphs of the process share."""

import threading
from collections import Counter

from asterism.embedding.model_registry import DEFAULT, Model
from asterism.embedding.onnx_embedder import OnnxEmbedder

Key = tuple[int | None, Model]


class SharedModels:
    """Models in use, by their number of threads: one loaded model serves every graph."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._models: dict[Key, OnnxEmbedder] = {}
        self._users: Counter[Key] = Counter()

    def borrow(self, threads: int | None, model: Model = DEFAULT) -> OnnxEmbedder:
        """Return the model that others use already, or a new one."""
        key = (threads, model)
        with self._lock:
            self._users[key] += 1
            return self._models.setdefault(key, OnnxEmbedder(threads, model))

    def release(self, threads: int | None, model: Model = DEFAULT) -> None:
        """Free the model when its last user is done."""
        key = (threads, model)
        with self._lock:
            self._users[key] -= 1
            if self._users[key] == 0:
                self._models.pop(key).unload()


SHARED = SharedModels()
