"""The walked subgraph as a page with a picture."""

from typing import Any

from engine.exploration.model import Kind
from engine.exploration.result import Exploration, branches

COLOURS = {
    Kind.ACTOR: "#e0a458",
    Kind.MOMENT: "#7a9e9f",
    Kind.NARRATIVE: "#c8553d",
    Kind.SPACE: "#588b8b",
    Kind.THING: "#93a8ac",
}
FOUND, NEW, WALKED = "#2d6a4f", "#8338ec", "#6c757d"


def html(exploration: Exploration) -> str:
    """One page that needs nothing else: nodes by kind, what was found larger, hops with scores."""
    from neo4j_viz import Node, Relationship, VisualizationGraph

    found = {finding.id: finding for finding in exploration.narratives}
    nodes = [_walked(Node, node, node.id in found) for node in exploration.nodes]
    relationships = []
    steps = {
        (step.start, step.link, step.node): step
        for branch in branches(exploration.tree)
        for step in branch.path
    }
    for step in steps.values():
        caption = f"{step.score:.3f}"
        relationships.append(
            Relationship(source=step.start, target=step.node, caption=caption, color=WALKED)
        )
    for branch in branches(exploration.tree):
        if branch.crystallized is not None:
            made = found.get(branch.crystallized)
            caption = made.name if made else branch.crystallized
            nodes.append(Node(id=branch.crystallized, caption=caption, size=30, color=NEW))
            relationships.append(
                Relationship(source=branch.spawn, target=branch.crystallized, caption="new")
            )
    page = VisualizationGraph(_distinct(nodes), relationships).render(height="95vh").data
    return str(page)


def _walked(node_type: Any, node: Any, found: bool) -> Any:
    colour = FOUND if found else COLOURS[node.kind]
    properties = {"kind": node.kind.value, "content": node.content, "alignment": node.alignment}
    size = 30 if found else 18
    return node_type(id=node.id, caption=node.name, size=size, color=colour, properties=properties)


def _distinct(nodes: list[Any]) -> list[Any]:
    return list({node.id: node for node in nodes}.values())
