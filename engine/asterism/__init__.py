"""Asterism: a living knowledge engine on Neo4j.

`from asterism import Graph`, then `async with Graph.open() as graph`. Everything is imported on
first use, so that `import asterism` costs next to nothing.
"""

import gc
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from asterism.clock import FixedClock, SystemClock
    from asterism.errors import AsterismError
    from asterism.graph import Graph
    from asterism.memory_filter import MemoryFilter
    from asterism.settings import Settings

__all__ = ["AsterismError", "FixedClock", "Graph", "MemoryFilter", "Settings", "SystemClock"]

_HOMES = {
    "AsterismError": "asterism.errors",
    "FixedClock": "asterism.clock",
    "Graph": "asterism.graph",
    "MemoryFilter": "asterism.memory_filter",
    "Settings": "asterism.settings",
    "SystemClock": "asterism.clock",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return version("asterism")
    if name not in _HOMES:
        raise AttributeError(f"module 'asterism' has no attribute {name!r}")
    return getattr(_imported(_HOMES[name]), name)


def _imported(home: str) -> Any:
    """Import a module, without looking for garbage: there is none, which takes a tenth to find."""
    collects = gc.isenabled()
    gc.disable()
    try:
        return import_module(home)
    finally:
        if collects:
            gc.enable()
