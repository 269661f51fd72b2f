"""Renders what was walked: a path as text, an exploration as a text page or an HTML picture."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from asterism.view import drawing
from asterism.view.models import Node, Relationship

if TYPE_CHECKING:
    from asterism.exploration.result import Branch, Exploration, Step

CONTENT_LENGTH = 200
FOCUS_LENGTH = 300
STRONG_EMOTION = 0.4
CONVERGENCE = 3  # incoming links
SPECULATIVE_PERMANENCE = 0.3
NARRATIVE_LABELS = ("Narrative",)


def render_cluster(spawn: Any, path: Sequence[Any], focus: Any, intention: str = "") -> str:
    """Return the content of a narrative drafted on a path, from the spawn to the focus.

    Nodes have id, name, kind and content.
    """
    nodes = list({node.id: node for node in (spawn, *path)}.values())
    lines = [f"Intention: {intention}"] if intention.strip() else []
    lines.append("Path: " + " → ".join(node.name for node in nodes))
    for node in nodes:
        if node.id not in (spawn.id, focus.id) and node.content.strip():
            lines.append(f"- {node.name} ({node.kind}): {excerpt(node.content)}")
    content = focus.content[:FOCUS_LENGTH] if focus.content.strip() else focus.name
    return "\n".join([*lines, f"Found: {content}"])


def excerpt(text: str, length: int = CONTENT_LENGTH) -> str:
    """Return the beginning of a text."""
    return text if len(text) <= length else text[:length] + "…"


def text_page(exploration: "Exploration", most: int) -> str:
    """Return query, answers, the tree of paths, tensions, convergences and gaps as text."""
    graph = _WalkedGraph(exploration)
    included = graph.best_nodes(most)
    answers = [
        f"- {finding.name} ({finding.status}, {finding.alignment:.2f})"
        for finding in exploration.narratives
    ]
    sections = {
        "Answer": answers or ["- nothing", *(f"- {why}" for why in exploration.why_empty)],
        "Paths": graph.path_lines(exploration.tree, included),
        "Tensions": [f"- {graph.names[id]}" for id in graph.tensions],
        "Convergences": [f"- {graph.names[id]}" for id in graph.convergences],
        "Gaps": graph.gap_lines(),
    }
    lines = [f"Query: {exploration.query}", f"Intention: {exploration.intention}"]
    for title, content in sections.items():
        lines += ["", f"{title}:", *content] if content else []
    lines += ["", f"{len(included)} of {len(graph.names)} nodes shown."]
    return "\n".join(lines)


class _WalkedGraph:
    """The nodes and steps of an exploration, with the rank of each node."""

    def __init__(self, exploration: "Exploration") -> None:
        self._branches = exploration.tree.with_descendants()
        self._steps: dict[tuple[str, str], Step] = {
            (step.link, step.node): step for branch in self._branches for step in branch.path
        }
        self._nodes = {node.id: node for node in exploration.nodes}
        self._answers = {finding.id for finding in exploration.narratives}
        self._incoming = Counter(node for _, node in self._steps)
        self._outgoing = Counter(step.start for step in self._steps.values())
        self.names = {id: node.name for id, node in self._nodes.items()}
        self.convergences = sorted(id for id, n in self._incoming.items() if n >= CONVERGENCE)
        self.tensions = sorted(id for id in self._incoming if self._is_tension(id))

    def best_nodes(self, most: int) -> set[str]:
        """Return the ids of the best nodes, each with the path that leads to it."""
        included: set[str] = set()
        for id in sorted(self._nodes, key=lambda id: (-self._rank(id), id)):
            path = self._path_to(id)
            if len(included | path) <= most:
                included |= path
        return included

    def path_lines(self, branch: "Branch", included: set[str], indent: str = "") -> list[str]:
        """Return the tree of paths as indented lines, of a child only what it walked itself."""
        lines = [] if indent else [f"{self.names[branch.spawn]}"]
        own = branch.path[len(branch.path) - branch.hops :]
        for step in own:
            indent += "  "
            if step.node in included:
                node = self._nodes[step.node]
                content = f": {excerpt(node.content)}" if node.content else ""
                lines.append(f"{indent}→ {node.name} ({node.kind}, {step.score:.3f}){content}")
        for child in branch.children:
            lines += self.path_lines(child, included, indent or " ")
        return lines

    def gap_lines(self) -> list[str]:
        """Return dead ends, and links that somebody called speculative."""
        ends = [
            f"- {branch.name}: {branch.reason}"
            for branch in self._branches
            if branch.reason in ("dead_end", "no_links")
        ]
        unsure = [
            f"- {self.names[step.start]} → {step.name}: permanence {permanence:.2f}"
            for step in self._steps.values()
            if step.type == "LINK"  # other types have no permanence of their own
            if (permanence := 1 - step.factors.permanence) < SPECULATIVE_PERMANENCE
        ]
        return list(dict.fromkeys(ends + unsure))

    def _rank(self, id: str) -> float:
        node = self._nodes[id]
        rank = 10.0 * (id in self._answers) + 5.0 * (id in self._incoming)
        rank += 3.0 * (id in self.convergences or id in self.tensions)
        rank += 2.0 * (self._outgoing[id] > 1)
        return rank + 0.5 * node.weight + 0.3 * node.energy + 2.0 * node.alignment

    def _path_to(self, id: str) -> set[str]:
        for branch in self._branches:
            nodes = [branch.path[0].start] if branch.path else [branch.spawn]
            nodes += [step.node for step in branch.path]
            if id in nodes:
                return set(nodes[: nodes.index(id) + 1])
        return {id}

    def _is_tension(self, id: str) -> bool:
        emotions = [step.trust_disgust for (_, node), step in self._steps.items() if node == id]
        return max(emotions) > STRONG_EMOTION and min(emotions) < -STRONG_EMOTION


def html_page(exploration: "Exploration") -> str:
    """Return one self-contained page, with findings drawn larger and scores on the hops."""
    names = {finding.id: finding.name for finding in exploration.narratives}
    branches = exploration.tree.with_descendants()
    labels = [(node.label,) for node in exploration.nodes]
    nodes = {
        node.id: drawing.draw_node(
            Node(
                key=node.id,
                id=node.id,
                labels=(node.label,),
                caption=node.name,
                strength=node.alignment,
                text=node.content,
            ),
            larger=node.id in names,
            alignment=round(node.alignment, 4),
        )
        for node in exploration.nodes
    }
    steps = {(s.start, s.link, s.node): s for branch in branches for s in branch.path}
    links = [
        (
            Relationship(start=s.start, end=s.node, type=s.type, strength=s.score),
            s.why or f"{s.score:.3f}",
        )
        for s in steps.values()
    ]
    links += [
        (Relationship(start=each.a, end=each.b, type="JOINED", strength=1.0), caption)
        for each in exploration.connections
        if (caption := f"joined by {', '.join(each.joined_by)}")
    ]
    quoted = {each.id: each.quotes for each in exploration.created}
    for branch in branches:
        if branch.crystallized is not None:
            id = branch.crystallized
            name = names.get(id, exploration.query if id in quoted else id)
            created = Node(key=id, id=id, labels=NARRATIVE_LABELS, caption=name, strength=1.0)
            nodes.setdefault(id, drawing.draw_node(created, larger=True))
            labels.append(NARRATIVE_LABELS)
            ends = quoted.get(id) or (branch.spawn,)
            type = "QUOTES" if quoted.get(id) else "LINK"
            links += [
                (Relationship(start=end, end=id, type=type, strength=1.0), "new") for end in ends
            ]
    return drawing.page(
        f"Asterism: {exploration.query}",
        list(nodes.values()),
        [drawing.draw_relationship(link, caption) for link, caption in links],
        labels,
        [link.type for link, _ in links],
    )
