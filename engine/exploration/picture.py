"""The walked subgraph as a page with a picture."""

from engine.exploration.result import Exploration, branches
from engine.view import drawing
from engine.view.model import Node, Relationship

MADE = ("Narrative",)


def html(exploration: Exploration) -> str:
    """One page that needs nothing else: what was found is larger, hops carry their scores."""
    found = {finding.id: finding for finding in exploration.narratives}
    shown = {
        node.id: drawing.node(
            Node(
                key=node.id,
                id=node.id,
                labels=(node.label,),
                caption=node.name,
                strength=node.alignment,
                text=node.content,
            ),
            larger=node.id in found,
            alignment=round(node.alignment, 4),
        )
        for node in exploration.nodes
    }
    labels = [(node.label,) for node in exploration.nodes]
    steps = {
        (step.start, step.link, step.node): step
        for branch in branches(exploration.tree)
        for step in branch.path
    }
    joined = [
        (Relationship(start=s.start, end=s.node, type=s.type, strength=s.score), f"{s.score:.3f}")
        for s in steps.values()
    ]
    for branch in branches(exploration.tree):
        if branch.crystallized is not None:
            id = branch.crystallized
            name = found[id].name if id in found else id
            made = Node(key=id, id=id, labels=MADE, caption=name, strength=1.0)
            shown.setdefault(id, drawing.node(made, larger=True))
            labels.append(MADE)
            link = Relationship(start=branch.spawn, end=id, type="LINK", strength=1.0)
            joined.append((link, "new"))
    drawn = [drawing.relationship(link, caption) for link, caption in joined]
    types = [link.type for link, _ in joined]
    title = f"Asterism: {exploration.query}"
    return drawing.page(title, list(shown.values()), drawn, labels, types)
