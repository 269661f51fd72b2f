"""Asterism: a living knowledge engine on Neo4j.

`from engine import Graph`, then `async with Graph.open() as graph`. Everything is imported on
first use, so that `import engine` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.clock import FixedClock, SystemClock
    from engine.errors import AsterismError
    from engine.graph import Graph
    from engine.settings import Settings

__all__ = ["AsterismError", "FixedClock", "Graph", "Settings", "SystemClock"]

_HOMES = {
    "AsterismError": "engine.errors",
    "FixedClock": "engine.clock",
    "Graph": "engine.graph",
    "Settings": "engine.settings",
    "SystemClock": "engine.clock",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
