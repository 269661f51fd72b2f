"""Look-ups row by row hold also where the server has not counted its indexes yet, as it has not
during a first bulk load.

It takes such an index for empty, and goes through all of it for every row: twenty times as long.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from asterism.clock import FixedClock
from asterism.embedding import OnnxEmbedder
from asterism.graph import Graph
from asterism.local import config
from asterism.local import server as local_server
from asterism.local.home import Home
from tests.conftest import SMALL
from tests.support.transfer_world import fill
from tests.test_plans import PLANNED, scans

pytestmark = pytest.mark.slow


@pytest.fixture
async def unsampled(
    clock: FixedClock, embedder: OnnxEmbedder, quick_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Graph]:
    """A graph on a server of its own that never counts what its indexes hold."""
    monkeypatch.setitem(config.SHARED, "db.index_sampling.background_enabled", "false")
    home = Home(quick_folder / "home")
    try:
        state = await asyncio.to_thread(local_server.start, home, SMALL)
        auth = ("neo4j", local_server.password(home))
        async with Graph.open(state.uri, auth=auth, clock=clock, embedder=embedder) as graph:
            yield graph
    finally:
        await asyncio.to_thread(local_server.stop, home)


async def test_a_look_up_that_names_its_index_never_scans(
    unsampled: Graph, clock: FixedClock
) -> None:
    await fill(unsampled, clock)
    assert await scanning(unsampled) == {}
    texts = [f"Ansel{at} of Rome{at % 50} met Bela{at % 7} on day {at}." for at in range(1000)]
    await unsampled.memories.remember_many([{"text": text} for text in texts])
    assert await scanning(unsampled) == {}


async def scanning(graph: Graph) -> dict[str, set[str]]:
    """The statements that name an index and would scan one all the same, planned anew."""
    driver, statements_that_scan = graph.database.driver, {}
    await driver.execute_query("CALL db.clearQueryCaches()")
    for statement in PLANNED:
        if "USING INDEX SEEK" in statement.text and not statement.scans:
            plan = (await driver.execute_query("EXPLAIN " + statement.text)).summary.plan
            assert plan is not None
            if scanned := scans(plan):
                statements_that_scan[statement.name] = scanned
    return statements_that_scan
