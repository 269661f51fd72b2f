"""Eight processes that remember, find, update, correct, list and forget: nothing is lost."""

import asyncio
import json
import os
import subprocess
import sys
from typing import Any

import pytest

from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.raw import run_cypher
from tests.support.word_embedder import WordEmbedder
from tests.test_memories_crowds import healthy

PROCESSES = 8
SECONDS = float(os.environ.get("ASTERISM_TEST_CROWD_SECONDS", "0"))  # by hand: 60
ROUNDS = 6  # at least, however slow the machine is
SHARED = [f"shared{number}" for number in range(4)]


class Worker:
    """One process: what the graph acknowledged, for the comparison at the end."""

    def __init__(self, graph: Graph, name: str) -> None:
        self.memories, self.recall, self.name = graph.memories, graph.recall, name
        self.alive: dict[str, str] = {}
        self.superseded: dict[str, str] = {}
        self.forgotten: list[str] = []

    async def round(self, number: int) -> None:
        """Do each kind of work once, on memories of its own and on those of all."""
        id = await self.remember(f"{self.name} wrote in round {number} of lantern {number % 5}.")
        await self.update(id, f"{self.name} wrote again in round {number} of a tower.")
        await self.correct(id, f"{self.name} wrote at last in round {number} of a bridge.")
        await self.memories.update(SHARED[number % 4], text=f"{self.name} says round {number}.")
        recall = await self.recall.find(f"What did {self.name} write of a bridge?", k=5)
        assert recall.hits
        page = await self.memories.list(session=self.name, limit=500)
        page_ids = {memory.id for memory in page.items}
        assert page_ids >= set(self.alive), set(self.alive) - page_ids
        await self.forget(number)

    async def remember(self, text: str) -> str:
        memory = await self.memories.remember(
            text, session=self.name, tags=[f"round-{len(self.alive) % 3}"]
        )
        self.alive[memory.id] = text
        return memory.id

    async def update(self, id: str, text: str) -> None:
        await self.memories.update(id, text=text)
        self.alive[id] = text

    async def correct(self, id: str, text: str) -> None:
        memory = await self.memories.correct(id, text, session=self.name)
        self.alive[memory.id] = text
        self.superseded[id] = memory.id

    async def forget(self, number: int) -> None:
        """Every third round, forget what was corrected first, by a filter."""
        if number % 3 != 2:
            return
        old, new = next(iter(self.superseded.items()))
        receipt = await self.memories.forget_where(ids=[old, new], dry_run=False)
        assert receipt.memories == 2
        for id in (old, new):
            del self.alive[id]
        del self.superseded[old]
        self.forgotten += [old, new]


async def work(realm: str, name: str, seconds: float) -> dict[str, Any]:
    """Work for so many seconds, and a few rounds at least."""
    loop = asyncio.get_running_loop()
    async with Graph.open(realm=realm, embedder=WordEmbedder()) as graph:
        worker, number, start = Worker(graph, name), 0, loop.time()
        while number < ROUNDS or loop.time() - start < seconds:
            await worker.round(number)
            number += 1
    return {
        "alive": worker.alive,
        "superseded": worker.superseded,
        "forgotten": worker.forgotten,
        "rounds": number,
    }


@pytest.mark.slow
async def test_eight_processes_lose_nothing_and_leave_a_graph_without_faults(
    open_graph: OpenGraph, environment: dict[str, str]
) -> None:
    graph: Graph = await open_graph(embedder=WordEmbedder())
    for id in SHARED:
        await graph.memories.remember(f"Nobody has said a word about {id}.", id=id)
    children = [_process(graph.realm, f"Worker{n}", environment) for n in range(PROCESSES)]
    outputs = [await asyncio.to_thread(child.communicate) for child in children]
    failures = [
        errors for child, (_, errors) in zip(children, outputs, strict=True) if child.returncode
    ]
    assert failures == [], "\n".join(failures)
    results = [json.loads(output) for output, _ in outputs]
    print("rounds:", [result["rounds"] for result in results])

    for result in results:
        await _is_as_acknowledged(graph, result)
    for id in SHARED:
        assert "says round" in str((await graph.memories.get(id)).text)
    expected = sum(len(result["alive"]) for result in results) + len(SHARED)
    assert await graph.memories.count() == expected
    await graph.consolidation.consolidate()
    await healthy(graph)


async def _is_as_acknowledged(graph: Graph, result: dict[str, Any]) -> None:
    rows = await run_cypher(
        graph,
        "UNWIND $ids AS id OPTIONAL MATCH (m:Memory {realm: $realm, id: id}) "
        "RETURN id, m.text AS text, [(m)<-[:SUPERSEDES]-(new) | new.id] AS successors",
        ids=[*result["alive"], *result["forgotten"]],
    )
    assert {row["id"]: row["text"] for row in rows if row["text"]} == result["alive"]
    successors = {row["id"]: row["successors"] for row in rows if row["successors"]}
    assert successors == {old: [new] for old, new in result["superseded"].items()}


def _process(realm: str, name: str, environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.test_memories_processes", realm, name, str(SECONDS)],
        env=environment | {"PYTHONPATH": os.getcwd()},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


if __name__ == "__main__":
    realm, name, seconds = sys.argv[1:]
    print(json.dumps(asyncio.run(work(realm, name, float(seconds)))))
