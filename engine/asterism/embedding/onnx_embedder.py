"""Models in the ONNX format, the default one among them, run by onnxruntime."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from asterism.embedding.calibration import Calibration, calibrate
from asterism.embedding.foreign_questions import foreign_questions
from asterism.embedding.model_registry import DEFAULT, Model, ModelFiles, find_model
from asterism.embedding.protocol import Vector
from asterism.local.prepared_model import prepared


class OnnxEmbedder:
    """A model of the registry or of yours: on the CPU, without torch.

    One text a run, many runs at a time: the model's quantisation is scaled over a whole batch, so
    a text's vector would depend on its neighbours there (cosine 0.994 to itself). Threads beside
    each other are as fast as batches, and faster for long texts, which then need no padding.
    """

    calibrated = True

    def __init__(self, threads: int | None = None, model: Model | str = DEFAULT) -> None:
        self.model = find_model(model) if isinstance(model, str) else model
        self.name = self.model.name
        self._threads = threads or os.cpu_count() or 1
        self._loading = threading.Lock()

    @cached_property
    def dimensions(self) -> int:
        return self.model.dimensions or len(self.embed_query("how long is a vector?"))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the model has learned."""
        return self.model.languages

    def embed_documents(self, texts: list[str]) -> list[Vector]:
        run = self._run
        encodings = run.tokenizer.encode_batch([self.model.passage_prefix + text for text in texts])
        with ThreadPoolExecutor(self._threads, thread_name_prefix="asterism-embed") as pool:
            return list(pool.map(run.vector, encodings))

    def embed_query(self, text: str) -> Vector:
        run = self._run
        return run.vector(run.tokenizer.encode(self.model.query_prefix + text))

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
        return [self.embed_query(text) for text in foreign_questions(self.languages)]

    @property
    def _run(self) -> "_LoadedModel":
        with self._loading:
            return self._loaded

    @cached_property
    def _loaded(self) -> "_LoadedModel":
        files = self.model.files()
        return _LoadedModel(_tokenizer(files, self.model), _session(files), self.model.pooling)


class _LoadedModel:
    """Tokenizer and session of a model, and how its output becomes one vector."""

    def __init__(self, tokenizer: Any, session: Any, pooling: str) -> None:
        self.tokenizer = tokenizer
        self._session, self._pooling = session, pooling
        self._inputs = {each.name for each in session.get_inputs()}

    def vector(self, encoding: Any) -> Vector:
        """Return the normalised vector of a text: its first token's, or the mean of all."""
        ids = np.array([encoding.ids], dtype=np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        chosen = {name: value for name, value in inputs.items() if name in self._inputs}
        output = self._session.run(None, chosen)[0][0]
        if output.ndim == 2:
            output = output[0] if self._pooling == "cls" else output.mean(axis=0)
        exact = output.astype(np.float64)
        unit: list[float] = (exact / np.linalg.norm(exact)).astype(np.float32).tolist()
        return unit


def _tokenizer(files: ModelFiles, model: Model) -> Any:
    from tokenizers import Tokenizer
    from tokenizers.normalizers import BertNormalizer

    tokenizer = Tokenizer.from_str(files.tokenizer())
    if model.lowercase:
        tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.enable_truncation(model.max_tokens)
    tokenizer.no_padding()
    return tokenizer


def _session(files: ModelFiles) -> Any:
    """Load a model as it was prepared once, or as it is where nothing can be written."""
    import onnxruntime

    levels = onnxruntime.GraphOptimizationLevel

    def session(model: bytes | str, level: Any, target: str = "") -> Any:
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.graph_optimization_level = level
        options.optimized_model_filepath = target
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def prepare(target: Path) -> None:
        session(files.read(files.onnx), levels.ORT_ENABLE_EXTENDED, str(target))

    model = prepared(files.path, onnxruntime.__version__, prepare) if files.prepares else None
    if model is not None:
        return session(str(model), levels.ORT_DISABLE_ALL)
    if files.prepares:
        return session(files.read(files.onnx), levels.ORT_ENABLE_EXTENDED)
    # By its path: large models have their weights in further files beside it.
    file = files.file()
    return session(file if isinstance(file, bytes) else str(file), levels.ORT_ENABLE_EXTENDED)
