"""Nodes and relationships as one page that loads nothing else, in Browser's colours."""

import html
from collections.abc import Iterable, Sequence
from typing import Any

from asterism.view import style_sheet
from asterism.view.models import Node, Relationship, Subgraph

LARGER = 1.5
LONGEST_CAPTION = 34


def subgraph_page(subgraph: Subgraph) -> str:
    """Return a part of a realm as a page, what is stronger joined by a wider line."""
    return page(
        f"Asterism: {subgraph.title}",
        [draw_node(node) for node in subgraph.nodes],
        [draw_relationship(relationship) for relationship in subgraph.relationships],
        [node.labels for node in subgraph.nodes],
        [relationship.type for relationship in subgraph.relationships],
    )


def draw_node(node: Node, *, larger: bool = False, **details: Any) -> Any:
    """Return one node for the page, with its details for a click."""
    from neo4j_viz import Node as VizNode

    style = style_sheet.node_style(node.labels)
    properties = {"id": node.id, "labels": ", ".join(node.labels), "text": node.text} | details
    return VizNode(
        id=node.key,
        caption=short_caption(node.caption),
        caption_size=1,
        size=style.size / 2 * (LARGER if larger else 1.0),
        color=style.color,
        properties={name: value for name, value in properties.items() if value not in ("", None)},
    )


def draw_relationship(relationship: Relationship, caption: str | None = None) -> Any:
    """Return one relationship for the page, captioned by its type."""
    from neo4j_viz import Relationship as VizRelationship

    style = style_sheet.relationship_style(relationship.type)
    strength = min(max(relationship.strength, 0.0), 1.0)
    return VizRelationship(
        source=relationship.start,
        target=relationship.end,
        caption=caption or relationship.type,
        color=style.color,
        width=style.size * (0.5 + 1.5 * strength),
        properties={"type": relationship.type, "strength": round(relationship.strength, 4)},
    )


def page(
    title: str,
    nodes: Sequence[Any],
    relationships: Sequence[Any],
    labels: Iterable[Sequence[str]],
    types: Iterable[str],
) -> str:
    """Return the page, with a legend of the labels and types that are on it."""
    from neo4j_viz import VisualizationGraph

    graph = VisualizationGraph(list(nodes), list(relationships))
    node_colors = {" ".join(each): style_sheet.node_style(each).color for each in labels}
    type_colors = {type: style_sheet.relationship_style(type).color for type in types}
    graph.set_legend(nodes=sorted(node_colors.items()), relationships=sorted(type_colors.items()))
    text = str(graph.render(height="100vh", theme="light").data)
    return text.replace("<title>neo4j-viz</title>", f"<title>{html.escape(title)}</title>", 1)


def short_caption(caption: str) -> str:
    """Return a caption that fits beside others."""
    fits = len(caption) <= LONGEST_CAPTION
    return caption if fits else caption[: LONGEST_CAPTION - 1] + "…"
