"""Oracle of the walk: dictionaries and loops, no database, no code of the engine."""

import math
from dataclasses import dataclass, field
from typing import Any

Vector = list[float]


def cosine(a: Vector | None, b: Vector | None) -> float:
    if not a or not b:
        return 0.0
    size = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(x * x for x in b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / size if size else 0.0


def unit(a: Vector) -> Vector:
    size = math.sqrt(sum(x * x for x in a))
    return [x / size for x in a] if size else a


def clamp(value: float) -> float:
    return min(1.0, max(0.0, value))


def average(vectors: list[Vector]) -> Vector:
    return [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]


@dataclass
class Node:
    id: str
    kind: str
    embedding: Vector
    permanence: float = 0.5
    weight: float = 1.0
    energy: float = 0.0
    content: str = ""


@dataclass
class Link:
    id: str
    a: str
    b: str
    embedding: Vector
    polarity: tuple[float, float] = (0.5, 0.5)
    permanence: float = 0.5
    hierarchy: float = 0.0
    weight: float = 1.0
    joy: float = 0.0


@dataclass
class Walker:
    id: str
    spawn: str
    position: str
    focus: Vector
    parent: "Walker | None" = None
    links: list[str] = field(default_factory=list)  # the whole path
    forward: list[bool] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    history: list[float] = field(default_factory=list)
    last: float | None = None
    findings: dict[str, float] = field(default_factory=dict)
    resonated: set[str] = field(default_factory=set)
    absorbed: set[str] = field(default_factory=set)
    no_branch: set[str] = field(default_factory=set)
    children: list["Walker"] = field(default_factory=list)
    satisfaction: float = 0.0
    joy: float = 0.0
    draft_key: str | None = None
    coloured: bool = False
    has_ended: bool = False
    waiting: bool = False

    @property
    def depth(self) -> int:
        return len(self.links)

    @property
    def criticality(self) -> float:
        return (1 - self.satisfaction) * self.depth / (self.depth + 1)

    @property
    def key(self) -> list[int]:
        return [int(part) for part in self.id.split(".")]


DEFAULTS: dict[str, Any] = {
    "max_depth": 10,
    "max_children": 3,
    "min_branch_links": 2,
    "satisfaction_threshold": 0.8,
    "novelty_threshold": 0.85,
    "min_link_score": 0.1,
    "directed": False,
    "absorb": True,
    "strict_seed": False,
    "color_scope": "path",
}


class Oracle:
    def __init__(
        self, nodes: list[Node], links: list[Link], query: Vector, intention: Vector, **config: Any
    ) -> None:
        self.nodes = {node.id: node for node in nodes}
        self.links = {link.id: link for link in links}
        self.query, self.intention = query, intention
        self.config = DEFAULTS | config
        self.walkers: list[Walker] = []
        self.colourings: list[tuple[list[tuple[str, bool]], Vector, float]] = []
        self.drafts: list[dict[str, Any]] = []
        self.vectors = {node.id: node.embedding for node in nodes}
        self.energy_added: dict[str, float] = {}
        self.weight_added: dict[str, float] = {}
        self.reads = 0
        self.created: list[dict[str, Any]] = []
        self.reused: list[str] = []

    def run(self, start: str) -> "Oracle":
        root = Walker("0", start, start, list(self.query))
        self.walkers.append(root)
        if self.nodes[start].kind == "narrative":
            self.resonate(root)
        while True:
            live = [s for s in self.walkers if not s.has_ended and not s.waiting]
            if not live:
                break
            self.reads += 1
            frozen = {s.id: list(s.focus) for s in self.walkers if not s.has_ended}
            for walker in sorted(live, key=lambda s: s.key):
                self.step(walker, frozen)
            while ready := [
                s for s in self.walkers if s.waiting and all(c.has_ended for c in s.children)
            ]:
                self.join(min(ready, key=lambda s: (-s.depth, s.key)))
        self.commit()
        return self

    def step(self, walker: Walker, frozen: dict[str, Vector]) -> None:
        """Run one tick of one walker, which reads the others' focuses as they were before it."""
        ranked = self.candidates(walker, frozen)
        if not ranked or ranked[0][0] < self.config["min_link_score"]:
            self.reflect(walker)
            return
        moment = self.nodes[walker.position].kind == "moment"
        enough = len(ranked) >= self.config["min_branch_links"]
        if moment and enough and walker.position not in walker.no_branch:
            top = ranked[0][0]
            chosen = [
                c for c in ranked[: self.config["max_children"]] if top > 0 and c[0] / top >= 0.5
            ]
            if len(chosen) >= 2:
                self.spawn(walker, chosen)
                return
            walker.no_branch.add(walker.position)
        self.arrive(walker, ranked[0][1])

    def candidates(self, walker: Walker, frozen: dict[str, Vector]) -> list[tuple[float, str]]:
        scored = []
        path = [self.links[id].embedding for id in walker.links]
        siblings = []
        if walker.parent is not None:
            siblings = [
                frozen[s.id] for s in walker.parent.children if s is not walker and s.id in frozen
            ]
        for link in self.links.values():
            ends = (link.a, link.b)
            if link.a == link.b or walker.position not in ends or link.id in walker.links:
                continue
            forward = link.a == walker.position
            if self.config["directed"] and not forward:
                continue
            to_query = cosine(self.query, link.embedding)
            to_intention = cosine(self.intention, link.embedding)
            alignment = clamp(0.75 * to_query + 0.25 * to_intention)
            polarity = clamp(link.polarity[0] if forward else link.polarity[1])
            novelty = 1 - max([0.0] + [cosine(link.embedding, v) for v in path])
            divergence = 1 - max([0.0] + [cosine(link.embedding, v) for v in siblings])
            score = alignment * polarity * (1 - link.permanence) * novelty * divergence
            scored.append((score, link.id))
        return sorted(scored, key=lambda c: (-c[0], c[1]))

    def spawn(self, parent: Walker, chosen: list[tuple[float, str]]) -> None:
        parent.waiting = True
        for rank in range(len(chosen)):
            child = Walker(
                f"{parent.id}.{rank}", parent.position, parent.position, list(self.query), parent
            )
            child.links, child.nodes = list(parent.links), list(parent.nodes)
            child.forward, child.joy = list(parent.forward), parent.joy
            parent.children.append(child)
            self.walkers.append(child)
        for child, (_, link) in zip(parent.children, chosen, strict=True):
            self.arrive(child, link)

    def arrive(self, walker: Walker, link_id: str) -> None:
        link = self.links[link_id]
        forward = link.a == walker.position
        target = link.b if forward else link.a
        walker.links.append(link_id)
        walker.forward.append(forward)
        walker.nodes.append(target)
        walker.position = target
        self.add_energy(walker, 0.5)
        share = link.weight / (link.weight + 1)
        walker.joy = walker.joy * (1 - share) + link.joy * share
        self.refocus(walker)
        now = cosine(walker.focus, self.intention)
        walker.history.append(now if walker.last is None else now - walker.last)
        walker.last = now
        node = self.nodes[target]
        if node.kind == "narrative":
            self.resonate(walker)
            return
        content = node.content.strip() and target not in walker.absorbed and self.config["absorb"]
        if node.kind != "moment" and content and walker.depth < self.config["max_depth"]:
            alignment = cosine(self.intention, node.embedding)
            novelty = 1 - max(
                [0.0] + [cosine(node.embedding, self.links[id].embedding) for id in walker.links]
            )
            self.add_energy(walker, 1.0)
            walker.absorbed.add(target)
            if alignment > 0.7 and novelty > 0.7:
                self.crystallize(walker, True)
                self.merge(walker)
                return
        self.seek_on(walker)

    def seek_on(self, walker: Walker) -> None:
        tired = len(walker.history) >= 5 and all(abs(p) < 0.05 for p in walker.history[-5:])
        if tired or walker.depth >= self.config["max_depth"]:
            self.reflect(walker)

    def add_energy(self, walker: Walker, multiplier: float) -> None:
        energy = walker.criticality * multiplier
        self.energy_added[walker.position] = self.energy_added.get(walker.position, 0) + energy
        gained = energy * self.nodes[walker.position].permanence
        self.weight_added[walker.position] = self.weight_added.get(walker.position, 0) + gained

    def refocus(self, walker: Walker) -> None:
        parts = [
            (0.4, self.query),
            (0.25, self.intention),
            (0.3, self.nodes[walker.position].embedding),
        ]
        if walker.findings:
            parts.append((0.2, average([self.vectors[id] for id in walker.findings])))
        if walker.links:
            parts.append((0.1, average([self.links[id].embedding for id in walker.links])))
        walker.focus = unit([sum(w * v[k] for w, v in parts) for k in range(len(self.query))])

    def resonate(self, walker: Walker) -> None:
        alignment = cosine(self.intention, self.nodes[walker.position].embedding)
        if alignment > 0 and walker.position not in walker.resonated:
            walker.resonated.add(walker.position)
            walker.findings[walker.position] = max(
                alignment, walker.findings.get(walker.position, 0)
            )
            walker.satisfaction = min(
                1.0, walker.satisfaction + alignment / (sum(walker.findings.values()) + 1)
            )
            self.weight_added[walker.position] = (
                self.weight_added.get(walker.position, 0) + 2 * walker.criticality
            )
        self.refocus(walker)
        if walker.satisfaction >= self.config["satisfaction_threshold"]:
            if self.config["strict_seed"]:
                self.merge(walker)
            else:
                self.reflect(walker)
        else:
            self.seek_on(walker)

    def reflect(self, walker: Walker) -> None:
        walker.waiting = False
        if walker.satisfaction > 0.5 and walker.links:
            self.colour(walker, list(self.intention), 0.05 * walker.satisfaction)
        best = max(walker.findings.values(), default=0)
        guard = best >= 0.9 and not self.config["strict_seed"]
        if not (walker.satisfaction > 0.5 or guard or not walker.links):
            self.crystallize(walker, True)
        self.merge(walker)

    def merge(self, walker: Walker) -> None:
        if (
            walker.parent is not None
            and walker.draft_key is None
            and max(walker.findings.values(), default=0) < 0.9
        ):
            self.crystallize(walker, not walker.coloured)
        walker.has_ended = True

    def colour(self, walker: Walker, final: Vector, boost: float) -> None:
        steps = list(zip(walker.links, walker.forward, strict=True))
        if self.config["color_scope"] == "own" and walker.parent is not None:
            steps = steps[len(walker.parent.links) :]
        self.colourings.append((steps, final, boost))
        walker.coloured = True

    def crystallize(self, walker: Walker, colour: bool) -> None:
        path = [self.links[id] for id in walker.links]
        key = f"new {walker.id}"
        draft: dict[str, Any] = {
            "key": key,
            "walker": walker,
            "embedding": list(walker.focus),
            "energy": walker.criticality * 1.5,
            "criticality": walker.criticality,
            "hierarchy": sum(k.hierarchy for k in path) / len(path),
            "permanence": sum(k.permanence for k in path) / len(path),
            "last_hierarchy": path[-1].hierarchy,
            "spawn": walker.spawn,
            "focus": walker.position,
            "joy": walker.joy,
        }
        self.drafts.append(draft)
        self.vectors[key] = draft["embedding"]
        walker.findings[key] = 1.0
        walker.draft_key = key
        if colour:
            self.colour(walker, draft["embedding"], 0.1)

    def join(self, walker: Walker) -> None:
        for child in walker.children:
            for id, value in child.findings.items():
                walker.findings[id] = max(value, walker.findings.get(id, 0))
            walker.satisfaction = max(walker.satisfaction, child.satisfaction)
        self.reflect(walker)

    def commit(self) -> None:
        for steps, final, boost in self.colourings:
            self.colour_links(steps, list(final), boost)
        for id, energy in self.energy_added.items():
            self.nodes[id].energy += energy
        for id, weight in self.weight_added.items():
            self.nodes[id].weight += weight
        finals = self.gate(
            {n.id: n.embedding for n in self.nodes.values() if n.kind == "narrative"}
        )
        root = self.walkers[0]
        self.findings: dict[str, float] = {}
        for id, value in root.findings.items():
            name, worth = finals.get(id, (id, value))
            self.findings[name] = max(worth, self.findings.get(name, 0))
        self.satisfaction = root.satisfaction

    def colour_links(self, steps: list[tuple[str, bool]], vector: Vector, boost: float) -> None:
        for id, forward in reversed(steps):
            link = self.links[id]
            reverse = link.polarity[1] if forward else link.polarity[0]
            vector = [x * reverse * 0.8 for x in vector]
            b = 0.3 * (1 - link.weight / (link.weight + 1))
            if math.sqrt(sum(x * x for x in vector)) >= 1e-3:
                link.embedding = [
                    (1 - b) * v + b * x for v, x in zip(link.embedding, vector, strict=True)
                ]
            link.weight += boost

    def gate(self, existing: dict[str, Vector]) -> dict[str, tuple[str, float]]:
        finals: dict[str, tuple[str, float]] = {}
        for draft in self.drafts:
            best, nearest = -2.0, ""
            for id, embedding in existing.items():
                if cosine(draft["embedding"], embedding) > best:
                    best, nearest = cosine(draft["embedding"], embedding), id
            if best >= self.config["novelty_threshold"]:
                finals[draft["key"]] = (nearest, best)
                self.reused.append(nearest)
            else:
                existing[draft["key"]] = draft["embedding"]
                finals[draft["key"]] = (draft["key"], 1.0)
                self.created.append(draft)
        return finals
