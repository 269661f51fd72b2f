"""A prepared model gives the vectors of the downloaded one, and a damaged one is made again."""

import shutil
from pathlib import Path

import pytest

from asterism.embedding import OnnxEmbedder, onnx_embedder
from asterism.local import downloads
from asterism.local.embedding_model import embedding_model_jar
from asterism.local.prepared_model import prepared

TEXTS = ["The cat sleeps.", "Who keeps the key?", "word " * 300, ""]


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own, with the downloaded model alone."""
    folder = tmp_path / "models"
    folder.mkdir()
    shutil.copy(embedding_model_jar(), folder)
    monkeypatch.setenv("ASTERISM_CACHE", str(tmp_path))
    return folder


@pytest.mark.slow
def test_prepared_or_not_a_text_has_one_vector(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(onnx_embedder, "prepared", lambda *_: None)
        expected = OnnxEmbedder().embed_documents(TEXTS)
    assert not list(models.glob("*.onnx"))
    assert OnnxEmbedder().embed_documents(TEXTS) == expected
    [made] = models.glob("*.onnx")
    written = made.stat().st_mtime_ns
    assert OnnxEmbedder().embed_documents(TEXTS) == expected
    assert made.stat().st_mtime_ns == written


@pytest.mark.slow
def test_a_damaged_prepared_model_is_made_again(models: Path) -> None:
    expected = OnnxEmbedder().embed_query("key")
    [made] = models.glob("*.onnx")
    content = made.read_bytes()
    made.write_bytes(content[:-100] + bytes(100))
    assert OnnxEmbedder().embed_query("key") == expected
    [again] = models.glob("*.onnx")
    assert again.read_bytes() == content


def test_where_nothing_can_be_written_nothing_is_prepared(tmp_path: Path) -> None:
    (tmp_path / "a-file").touch()
    made: list[Path] = []
    assert prepared(tmp_path / "a-file" / "model.jar", "1", made.append) is None
    assert made == []


def test_a_look_at_the_downloads_leaves_a_draft_alone(models: Path) -> None:
    def prepare(draft: Path) -> None:
        downloads.model_jar()  # removes what broken downloads have left
        draft.write_bytes(b"a model")

    path = prepared(next(models.glob("*.jar")), "1", prepare)
    assert path is not None
    assert path.read_bytes() == b"a model"


def test_a_runtime_that_can_not_write_prepares_nothing(models: Path) -> None:
    def fail(draft: Path) -> None:
        draft.write_bytes(b"half")
        raise RuntimeError("no space left on device")

    before = set(models.glob("*.jar"))
    assert prepared(next(iter(before)), "1", fail) is None
    assert {path for path in models.iterdir() if path.suffix != ".lock"} == before
