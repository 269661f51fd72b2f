"""The default model, run by onnxruntime."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np

from asterism.embedding.calibration import Calibration, calibrate
from asterism.embedding.foreign_questions import FOREIGN_QUESTIONS
from asterism.embedding.protocol import Vector
from asterism.local.embedding_model import embedding_model_jar
from asterism.local.prepared_model import prepared

MAX_TOKENS = 512
QUERY_PREFIX = "Represent this sentence for searching relevant passages: "


class OnnxEmbedder:
    """bge-small-en-v1.5, quantised: 384 dimensions, on the CPU, without torch.

    One text a run, many runs at a time: the model's quantisation is scaled over a whole batch, so
    a text's vector would depend on its neighbours there (cosine 0.994 to itself). Threads beside
    each other are as fast as batches, and faster for long texts, which then need no padding.
    """

    name = "bge-small-en-v1.5-q"
    dimensions = 384
    calibrated = True
    languages = ("en",)  # that the model has learned

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads or os.cpu_count() or 1
        self._loading = threading.Lock()

    def embed_documents(self, texts: list[str]) -> list[Vector]:
        tokenizer, session = self._model
        encodings = tokenizer.encode_batch(texts)
        with ThreadPoolExecutor(self._threads, thread_name_prefix="asterism-embed") as pool:
            return list(pool.map(lambda encoding: _first_token(session, encoding), encodings))

    def embed_query(self, text: str) -> Vector:
        tokenizer, session = self._model
        return _first_token(session, tokenizer.encode(QUERY_PREFIX + text))

    def unload(self) -> None:
        """Free the model's memory until the next text."""
        with self._loading:
            vars(self).pop("_loaded", None)

    @cached_property
    def calibration(self) -> Calibration:
        """Measure the model once, for every realm that meets it first in this process."""
        return calibrate(self)

    @cached_property
    def foreign_questions(self) -> list[Vector]:
        """Embed the foreign questions once, for every realm that is measured in this process."""
        return [self.embed_query(text) for text in FOREIGN_QUESTIONS]

    @property
    def _model(self) -> tuple[Any, Any]:
        with self._loading:
            return self._loaded

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        from tokenizers import Tokenizer

        path = embedding_model_jar()
        with ZipFile(path) as jar:
            tokenizer = Tokenizer.from_str(jar.read(f"{self.name}-tokenizer.json").decode())
        tokenizer.enable_truncation(MAX_TOKENS)
        tokenizer.no_padding()
        return tokenizer, _session(path, f"{self.name}.onnx")


def _session(jar: Path, member: str) -> Any:
    """Load a model as it was prepared once, or from its jar where nothing can be written."""
    import onnxruntime

    levels = onnxruntime.GraphOptimizationLevel

    def session(model: bytes, level: Any, target: str = "") -> Any:
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.graph_optimization_level = level
        options.optimized_model_filepath = target
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def stored() -> bytes:
        with ZipFile(jar) as archive:
            return archive.read(member)

    def prepare(target: Path) -> None:
        session(stored(), levels.ORT_ENABLE_EXTENDED, str(target))

    model = prepared(jar, onnxruntime.__version__, prepare)
    if model is None:
        return session(stored(), levels.ORT_ENABLE_EXTENDED)
    return session(model, levels.ORT_DISABLE_ALL)


def _first_token(session: Any, encoding: Any) -> Vector:
    """Return the normalised vector of the first token, which stands for the whole text."""
    ids = np.array([encoding.ids], dtype=np.int64)
    inputs = {
        "input_ids": ids,
        "attention_mask": np.ones_like(ids),
        "token_type_ids": np.zeros_like(ids),
    }
    [hidden] = session.run(["last_hidden_state"], inputs)
    first = hidden[0, 0].astype(np.float64)
    unit: list[float] = (first / np.linalg.norm(first)).astype(np.float32).tolist()
    return unit
