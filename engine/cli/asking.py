"""How commands ask a graph, and read what was typed."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from engine.graph import Graph

T = TypeVar("T")


def run(realm: str, ask: "Callable[[Graph], Awaitable[T]]") -> T:
    """Open a realm, ask, and close it."""
    from engine.graph import Graph

    async def inside() -> T:
        async with Graph.open(realm=realm) as graph:
            return await ask(graph)

    return asyncio.run(inside())


def time(argument: str, text: str | None) -> datetime | None:
    """A moment as it was typed, or a refusal that shows how to type one."""
    from engine.clock import aware
    from engine.errors import InvalidInput

    if text is None:
        return None
    try:
        return aware(datetime.fromisoformat(text), argument)
    except (ValueError, InvalidInput) as error:
        remedy = "give a time with its zone: 2024-08-09T00:00Z"
        raise InvalidInput(argument, text, remedy) from error
