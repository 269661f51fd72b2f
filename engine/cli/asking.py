"""How commands ask a graph, and read what was typed."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from engine.graph import Graph

T = TypeVar("T")


def run(realm: str, ask: "Callable[[Graph], Awaitable[T]]", *, may_be_new: bool = False) -> T:
    """Open a realm, ask, and close it; refuse an absent one, unless the command may make it."""
    from engine.graph import Graph

    async def inside() -> T:
        async with Graph.open(realm=realm) as graph:
            if not may_be_new:
                await graph.realms.require(realm)
            return await ask(graph)

    return asyncio.run(inside())


def time(argument: str, text: str | None, *, end: bool = False) -> datetime | None:
    """Return a moment as it was typed; with `end`, a plain date is its last moment."""
    from engine.clock import aware

    return None if text is None else aware(text, argument, end=end)
