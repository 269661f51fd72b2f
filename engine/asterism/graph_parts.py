"""Parts of a graph that are imported and created at their first use.

All together would take a third of the time of a first question.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def _memories(graph: Any) -> tuple[Any, ...]:
    from asterism.consolidation.cache_erasure import CacheErasure

    return graph.database, graph._hours, CacheErasure(graph.database), graph.recall.answers


def _maintenance(graph: Any) -> tuple[Any, ...]:
    from asterism.maintenance import Parts

    used = (graph.memories, graph.consolidation, graph.realms, graph.causality)
    return (Parts(graph.database, *used, graph.recall.answers),)


# Where the class of a part is, and what it is created with.
PARTS: dict[str, tuple[str, Callable[[Any], tuple[Any, ...]]]] = {
    "memories": ("asterism.memories.Memories", _memories),
    "stars": ("asterism.stars.Stars", lambda graph: (graph.database,)),
    "causality": (
        "asterism.causality.causality.Causality",
        lambda graph: (graph.database, graph.embedding, graph.memories),
    ),
    "recall": (
        "asterism.recall.recall.Search",
        lambda graph: (graph.database, graph.embedding, graph._hours),
    ),
    "consolidation": (
        "asterism.consolidation.Consolidation",
        lambda graph: (graph.database, graph.embedding, graph._hours, graph.recall.answers),
    ),
    "exploration": (
        "asterism.exploration.exploration.Explorer",
        lambda graph: (graph.database, graph.embedding, graph.recall),
    ),
    "maintenance": ("asterism.maintenance.Maintenance", _maintenance),
    "view": ("asterism.view.View", lambda graph: (graph.database, graph._hours)),
}


def create_part(graph: Any, name: str) -> Any:
    """Create a part of a graph, with the others that it uses."""
    home, arguments = PARTS[name]
    return _imported(home)(*arguments(graph))


def part_classes() -> dict[str, type]:
    """Import the class of every part."""
    return {name: _imported(home) for name, (home, _) in PARTS.items()}


def _imported(home: str) -> Any:
    module, _, name = home.rpartition(".")
    return getattr(import_module(module), name)
