"""Embedding: texts to vectors, by a model of the registry or one of yours."""

from asterism.embedding.calibration import DEFAULT_SPREAD, UNRELATED, Calibration, calibrate
from asterism.embedding.embedding import Embedding
from asterism.embedding.foreign_cosines import ForeignCosines
from asterism.embedding.model_registry import MODELS, Model, find_model, registered_model
from asterism.embedding.onnx_embedder import OnnxEmbedder
from asterism.embedding.protocol import Embedder, Vector, pack_vector, require_vectors
from asterism.embedding.sentence_transformer import SentenceTransformerEmbedder
from asterism.embedding.shared_models import SHARED
from asterism.embedding.stored_model import StoredModel, read_stored

__all__ = [
    "DEFAULT_SPREAD",
    "MODELS",
    "SHARED",
    "UNRELATED",
    "Calibration",
    "Embedder",
    "Embedding",
    "ForeignCosines",
    "Model",
    "OnnxEmbedder",
    "SentenceTransformerEmbedder",
    "StoredModel",
    "Vector",
    "calibrate",
    "find_model",
    "pack_vector",
    "read_stored",
    "registered_model",
    "require_vectors",
]
