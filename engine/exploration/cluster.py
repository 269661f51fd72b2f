"""Text about what was walked: the content of a new narrative, and a page for people."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.exploration.result import Branch, Exploration, Step

LONGEST_CONTENT = 200
LONGEST_FOUND = 300
STRONG_FEELING = 0.4
CONVERGING = 3
SPECULATIVE = 0.3


def render_cluster(spawn: Any, path: Sequence[Any], focus: Any, intention: str = "") -> str:
    """What a path says: from the spawn over the nodes after it to the focus, as text.

    Nodes have id, name, kind and content.
    """
    visits = list({node.id: node for node in (spawn, *path)}.values())
    lines = [f"Intention: {intention}"] if intention.strip() else []
    lines.append("Path: " + " → ".join(node.name for node in visits))
    for node in visits:
        if node.id not in (spawn.id, focus.id) and node.content.strip():
            lines.append(f"- {node.name} ({node.kind}): {cut(node.content)}")
    found = focus.content[:LONGEST_FOUND] if focus.content.strip() else focus.name
    return "\n".join([*lines, f"Found: {found}"])


def cut(text: str, longest: int = LONGEST_CONTENT) -> str:
    """The beginning of a text."""
    return text if len(text) <= longest else text[:longest] + "…"


def page(exploration: "Exploration", most: int) -> str:
    """Question, answers, the tree of paths, and what stands out in it."""
    walked = _Walked(exploration)
    shown = walked.best(most)
    answers = [
        f"- {finding.name} ({finding.status}, {finding.alignment:.2f})"
        for finding in exploration.narratives
    ]
    sections = {
        "Answer": answers or ["- nothing", *(f"- {why}" for why in exploration.why_empty)],
        "Paths": walked.paths(exploration.tree, shown),
        "Tensions": [f"- {walked.names[id]}" for id in walked.tensions],
        "Convergences": [f"- {walked.names[id]}" for id in walked.convergences],
        "Gaps": walked.gaps,
    }
    lines = [f"Query: {exploration.query}", f"Intention: {exploration.intention}"]
    for title, content in sections.items():
        lines += ["", f"{title}:", *content] if content else []
    lines += ["", f"{len(shown)} of {len(walked.names)} nodes shown."]
    return "\n".join(lines)


class _Walked:
    """The walked subgraph, and which of its nodes matter."""

    def __init__(self, exploration: "Exploration") -> None:
        from engine.exploration.result import branches

        self.branches = branches(exploration.tree)
        self.steps: dict[tuple[str, str], Step] = {}
        for branch in self.branches:
            for step in branch.path:
                self.steps[step.link, step.node] = step
        self.nodes = {node.id: node for node in exploration.nodes}
        self.names = {id: node.name for id, node in self.nodes.items()}
        self.answers = {finding.id for finding in exploration.narratives}
        self.incoming = Counter(node for _, node in self.steps)
        self.outgoing = Counter(step.start for step in self.steps.values())
        self.convergences = sorted(id for id, n in self.incoming.items() if n >= CONVERGING)
        self.tensions = sorted(id for id in self.incoming if self._tense(id))
        self.gaps = self._gaps()

    def best(self, most: int) -> set[str]:
        """The nodes worth showing, each with the path that leads to it."""
        shown: set[str] = set()
        for id in sorted(self.nodes, key=lambda id: (-self._rank(id), id)):
            path = self._path_to(id)
            if len(shown | path) <= most:
                shown |= path
        return shown

    def paths(self, branch: "Branch", shown: set[str], indent: str = "") -> list[str]:
        """The tree of paths as indented lines; a child shows what it walked itself."""
        lines = [] if indent else [f"{self.names[branch.spawn]}"]
        own = branch.path[len(branch.path) - branch.hops :]
        for step in own:
            indent += "  "
            if step.node in shown:
                node = self.nodes[step.node]
                content = f": {cut(node.content)}" if node.content else ""
                lines.append(f"{indent}→ {node.name} ({node.kind}, {step.score:.3f}){content}")
        for child in branch.children:
            lines += self.paths(child, shown, indent or " ")
        return lines

    def _rank(self, id: str) -> float:
        node = self.nodes[id]
        worth = 10.0 * (id in self.answers) + 5.0 * (id in self.incoming)
        worth += 3.0 * (id in self.convergences or id in self.tensions)
        worth += 2.0 * (self.outgoing[id] > 1)
        return worth + 0.5 * node.weight + 0.3 * node.energy + 2.0 * node.alignment

    def _path_to(self, id: str) -> set[str]:
        for branch in self.branches:
            nodes = [branch.path[0].start] if branch.path else [branch.spawn]
            nodes += [step.node for step in branch.path]
            if id in nodes:
                return set(nodes[: nodes.index(id) + 1])
        return {id}

    def _tense(self, id: str) -> bool:
        feelings = [step.trust_disgust for (_, node), step in self.steps.items() if node == id]
        return max(feelings) > STRONG_FEELING and min(feelings) < -STRONG_FEELING

    def _gaps(self) -> list[str]:
        ends = [
            f"- {branch.name}: {branch.reason}"
            for branch in self.branches
            if branch.reason in ("dead_end", "no_links")
        ]
        unsure = [
            f"- {self.names[step.start]} → {step.name}: permanence {held:.2f}"
            for step in self.steps.values()
            if step.type == "LINK"  # only there does somebody say how sure a link is
            if (held := 1 - step.factors.permanence) < SPECULATIVE
        ]
        return list(dict.fromkeys(ends + unsure))
