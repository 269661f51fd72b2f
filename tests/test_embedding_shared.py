"""One loaded model serves every graph of a process."""

import asyncio

import pytest

from asterism.embedding import OnnxEmbedder, embedding
from asterism.embedding.shared_models import SharedModels
from asterism.graph import Graph
from tests.conftest import Server


@pytest.fixture(autouse=True)
def shared(monkeypatch: pytest.MonkeyPatch) -> SharedModels:
    """Models that nothing else of this process uses."""
    own = SharedModels()
    monkeypatch.setattr(embedding, "SHARED", own)
    return own


def _open(server: Server, realm: str, **options: object) -> Graph:
    return Graph.open(server.uri, auth=server.auth, realm=realm, **options)  # type: ignore[arg-type]


async def test_graphs_of_several_realms_share_one_model(server: Server) -> None:
    async with _open(server, "shared-a") as first, _open(server, "shared-b") as second:
        assert first.embedding.embedder is second.embedding.embedder


async def test_another_number_of_threads_is_another_model(server: Server) -> None:
    settings = {"embedding": {"threads": 1}}
    plain, other = _open(server, "shared-a"), _open(server, "shared-b", settings=settings)
    async with plain as first, other as second:
        assert first.embedding.embedder is not second.embedding.embedder


async def test_closing_the_last_graph_frees_the_model(server: Server) -> None:
    first = await _open(server, "shared-a")
    second = await _open(server, "shared-b")
    common = first.embedding.embedder
    assert isinstance(common, OnnxEmbedder)
    common.embed_query("load it")
    await first.close()
    await first.close()  # closing twice gives it back once
    assert "_loaded" in vars(common)
    await second.close()
    assert "_loaded" not in vars(common)
    async with _open(server, "shared-a") as third:
        assert third.embedding.embedder is not common


async def test_an_embedder_of_the_user_is_neither_shared_nor_freed(
    server: Server, embedder: OnnxEmbedder
) -> None:
    embedder.embed_query("load it")
    async with _open(server, "shared-a", embedder=embedder) as graph:
        assert graph.embedding.embedder is embedder
        async with _open(server, "shared-b") as other:
            assert other.embedding.embedder is not embedder
    assert "_loaded" in vars(embedder)


async def test_a_graph_that_can_not_be_opened_keeps_no_model(
    server: Server, shared: SharedModels
) -> None:
    graph = _open(server, "shared-a", settings={"embedding": {"threads": 3}})
    graph._request["auth"] = ("neo4j", "wrong-password")
    with pytest.raises(Exception, match="refuses"):
        await graph
    await graph.close()
    assert shared.borrow(3) is not shared.borrow(4)
    shared.release(3)
    shared.release(4)


@pytest.mark.slow
async def test_many_threads_load_the_model_once(server: Server) -> None:
    async with _open(server, "shared-a") as first, _open(server, "shared-b") as second:
        graphs = [first, second] * 4
        vectors = await asyncio.gather(*(graph.embedding.query("lamp") for graph in graphs))
        assert all(vector == vectors[0] for vector in vectors)
        await first.realms.delete("shared-a")
        await first.realms.delete("shared-b")
