"""Sixteen MCP clients at once on one HTTP server, beside as many callers of `recall.find`.

    python -m benchmarks.mcp_crowd [SECONDS]

Clients ask and remember as fast as they get answers. A whole minute shows what a long talk leaves
behind; the usual run is shorter. Both crowds ask the same questions of the same realm.
"""

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from asterism.graph import Graph
from benchmarks.table import Measurement, publish
from tests.support.mcp_clients import call, over_http, serving

REALM = "bench-mcp-crowd"
CLIENTS = 16
SECONDS = 20.0
TEXTS = 2000
RECALLS_A_NOTE = 10
Ask = Callable[[str], Awaitable[object]]


async def fill() -> None:
    """Fill the realm with notes that all have their vectors."""
    async with Graph.open(realm=REALM) as graph:
        await graph.realms.delete(REALM)
        texts = (
            f"Note {number}: boat {number} belongs to Ana {number}." for number in range(TEXTS)
        )
        await graph.memories.remember_many({"text": text} for text in texts)
        await graph.recall.find("Whose boat is it?")


async def crowd(ask: Ask, seconds: float, number: int, times: list[float]) -> None:
    """Ask one question after the other until the time is over."""
    end, turn = time.monotonic() + seconds, number
    while time.monotonic() < end:
        began = time.perf_counter()
        await ask(f"To whom does boat {turn % TEXTS} belong?")
        times.append(1000 * (time.perf_counter() - began))
        turn += CLIENTS


async def direct(seconds: float) -> list[float]:
    """Return the milliseconds of `recall.find`, of sixteen callers at once in one process."""
    times: list[float] = []
    async with Graph.open(realm=REALM) as graph:
        await graph.recall.find("Is the model loaded?")

        async def ask(question: str) -> object:
            return await graph.recall.find(question, touch=True)

        await asyncio.gather(*(crowd(ask, seconds, each, times) for each in range(CLIENTS)))
    return times


async def by_clients(address: str, seconds: float) -> tuple[list[float], int]:
    """Return the milliseconds of the tool `recall`, and how many notes were taken beside it."""
    times: list[float] = []
    notes = 0
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(over_http(address)) for _ in range(CLIENTS)]
        await call(clients[0], "recall", question="Is the model loaded?")

        async def one(number: int) -> None:
            nonlocal notes
            turns = 0

            async def ask(question: str) -> object:
                return await call(clients[number], "recall", question=question)

            end = time.monotonic() + seconds
            while time.monotonic() < end:
                await crowd(ask, 0.5, number + turns, times)
                turns += 1
                await call(clients[number], "remember", texts=[f"Client {number} asked {turns}."])
                notes += 1

        await asyncio.gather(*(one(number) for number in range(CLIENTS)))
    return times, notes


def p95(times: list[float]) -> float:
    return sorted(times)[int(0.95 * len(times))]


async def measure(seconds: float) -> list[Measurement]:
    await fill()
    bare = await direct(seconds)
    with serving(dict(os.environ), "--realm", REALM) as address:
        served, notes = await by_clients(address, seconds)
    async with Graph.open(realm=REALM) as graph:
        await graph.realms.delete(REALM)
    factor = p95(served) / p95(bare)
    return [
        Measurement(f"recall.find, {CLIENTS} callers: p95 of {len(bare)}", p95(bare), "ms"),
        Measurement(f"tool recall, {CLIENTS} clients: p95 of {len(served)}", p95(served), "ms"),
        Measurement("the tool is so many times as slow", factor, "times"),
        Measurement("notes taken meanwhile, no error", notes, ""),
    ]


def main() -> None:
    seconds = (
        float(sys.argv[1]) if len(sys.argv) == 2 and sys.argv[0].endswith("crowd.py") else SECONDS
    )
    publish("mcp_crowd", asyncio.run(measure(seconds)))


if __name__ == "__main__":
    main()
