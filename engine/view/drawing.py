"""Draws nodes and relationships as one page that needs nothing else, in Browser's colours."""

import html
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from engine.errors import InvalidInput
from engine.private_files import PRIVATE, write_text
from engine.view import style
from engine.view.model import Node, Relationship, Subgraph

LARGER = 1.5
CAPTION = 34


def subgraph(found: Subgraph) -> str:
    """A part of a realm as a page; what is stronger is joined by a wider line."""
    nodes = [node(each) for each in found.nodes]
    joined = [relationship(each) for each in found.relationships]
    labels = [each.labels for each in found.nodes]
    types = [each.type for each in found.relationships]
    return page(f"Asterism: {found.title}", nodes, joined, labels, types)


def node(shown: Node, *, larger: bool = False, **told: Any) -> Any:
    """One node; a click on it tells the rest."""
    from neo4j_viz import Node as Drawn

    look = style.node(shown.labels)
    size = look.size / 2 * (LARGER if larger else 1.0)
    properties = {"id": shown.id, "labels": ", ".join(shown.labels), "text": shown.text} | told
    kept = {name: value for name, value in properties.items() if value not in ("", None)}
    caption = short(shown.caption)
    return Drawn(
        id=shown.key,
        caption=caption,
        caption_size=1,
        size=size,
        color=look.color,
        properties=kept,
    )


def relationship(shown: Relationship, caption: str | None = None) -> Any:
    """One relationship, captioned by its type."""
    from neo4j_viz import Relationship as Drawn

    look = style.relationship(shown.type)
    width = look.size * (0.5 + 1.5 * min(max(shown.strength, 0.0), 1.0))
    properties = {"type": shown.type, "strength": round(shown.strength, 4)}
    return Drawn(
        source=shown.start,
        target=shown.end,
        caption=caption or shown.type,
        color=look.color,
        width=width,
        properties=properties,
    )


def page(
    title: str,
    nodes: Sequence[Any],
    relationships: Sequence[Any],
    labels: Iterable[Sequence[str]],
    types: Iterable[str],
) -> str:
    """The page, with a legend of the labels and types that are on it."""
    from neo4j_viz import VisualizationGraph

    graph = VisualizationGraph(list(nodes), list(relationships))
    named = {" ".join(each): style.node(each).color for each in labels}
    joined = {type: style.relationship(type).color for type in types}
    graph.set_legend(nodes=sorted(named.items()), relationships=sorted(joined.items()))
    drawn = str(graph.render(height="100vh", theme="light").data)
    return drawn.replace("<title>neo4j-viz</title>", f"<title>{html.escape(title)}</title>", 1)


def save(file: Path, content: str, argument: str = "html", mode: int = PRIVATE) -> str:
    """Write a page; one that is there is replaced. Says which of the two happened."""
    replaced = file.exists()
    writable(file, argument)
    write_text(file, content, mode)
    return "Replaced" if replaced else "Wrote"


def writable(file: Path, argument: str) -> None:
    """Refuses a file that can't be written, before any work is done for it."""
    existed = file.exists()
    try:
        file.open("ab").close()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InvalidInput(argument, str(file), f"it can't be written ({reason})") from error
    if not existed:
        file.unlink()


def short(caption: str) -> str:
    """A caption that fits beside others."""
    return caption if len(caption) <= CAPTION else caption[: CAPTION - 1] + "…"
