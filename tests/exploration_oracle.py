"""A second, plain reading of the walk: dictionaries, loops, no database, nothing of the engine."""

import math
from dataclasses import dataclass, field
from typing import Any

Vec = list[float]


def cos(a: Vec | None, b: Vec | None) -> float:
    if not a or not b:
        return 0.0
    size = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(x * x for x in b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / size if size else 0.0


def unit(a: Vec) -> Vec:
    size = math.sqrt(sum(x * x for x in a))
    return [x / size for x in a] if size else a


def average(vectors: list[Vec]) -> Vec:
    return [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]


@dataclass
class Node:
    id: str
    kind: str
    emb: Vec
    permanence: float = 0.5
    weight: float = 1.0
    energy: float = 0.0
    content: str = ""


@dataclass
class Link:
    id: str
    a: str
    b: str
    emb: Vec
    polarity: tuple[float, float] = (0.5, 0.5)
    permanence: float = 0.5
    hierarchy: float = 0.0
    weight: float = 1.0
    joy: float = 0.0


@dataclass
class Sub:
    id: str
    spawn: str
    position: str
    c: Vec
    parent: "Sub | None" = None
    links: list[str] = field(default_factory=list)  # the whole path
    forward: list[bool] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    history: list[float] = field(default_factory=list)
    last: float | None = None
    found: dict[str, float] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    absorbed: set[str] = field(default_factory=set)
    no_branch: set[str] = field(default_factory=set)
    children: list["Sub"] = field(default_factory=list)
    sat: float = 0.0
    joy: float = 0.0
    crystal: str | None = None
    coloured: bool = False
    done: bool = False
    waiting: bool = False

    @property
    def depth(self) -> int:
        return len(self.links)

    @property
    def crit(self) -> float:
        return (1 - self.sat) * self.depth / (self.depth + 1)

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
    def __init__(self, nodes: list[Node], links: list[Link], q: Vec, i: Vec, **config: Any) -> None:
        self.nodes = {node.id: node for node in nodes}
        self.links = {link.id: link for link in links}
        self.q, self.i = q, i
        self.config = DEFAULTS | config
        self.subs: list[Sub] = []
        self.colours: list[tuple[list[tuple[str, bool]], Vec, float]] = []
        self.plans: list[dict[str, Any]] = []
        self.vectors = {node.id: node.emb for node in nodes}
        self.dE: dict[str, float] = {}
        self.dW: dict[str, float] = {}
        self.reads = 0
        self.created: list[dict[str, Any]] = []
        self.reused: list[str] = []

    def run(self, start: str) -> "Oracle":
        root = Sub("0", start, start, list(self.q))
        self.subs.append(root)
        moved: set[str] = set()
        if self.nodes[start].kind == "narrative":
            self.resonate(root)
        while True:
            live = [s for s in self.subs if not s.done and not s.waiting]
            if not live:
                break
            self.reads += 1
            frozen = {s.id: list(s.c) for s in self.subs if not s.done}
            for sub in sorted(live, key=lambda s: s.key):
                self.step(sub, frozen)
            while ready := [s for s in self.subs if s.waiting and all(c.done for c in s.children)]:
                self.join(min(ready, key=lambda s: (-s.depth, s.key)))
            moved.clear()
        self.commit()
        return self

    # one tick of one SubEntity
    def step(self, sub: Sub, frozen: dict[str, Vec]) -> None:
        ranked = self.candidates(sub, frozen)
        if not ranked or ranked[0][0] < self.config["min_link_score"]:
            self.reflect(sub)
            return
        moment = self.nodes[sub.position].kind == "moment"
        enough = len(ranked) >= self.config["min_branch_links"]
        if moment and enough and sub.position not in sub.no_branch:
            top = ranked[0][0]
            chosen = [
                c for c in ranked[: self.config["max_children"]] if top > 0 and c[0] / top >= 0.5
            ]
            if len(chosen) >= 2:
                self.spawn(sub, chosen)
                return
            sub.no_branch.add(sub.position)
        self.arrive(sub, ranked[0][1])

    def candidates(self, sub: Sub, frozen: dict[str, Vec]) -> list[tuple[float, str]]:
        out = []
        path = [self.links[id].emb for id in sub.links]
        siblings = []
        if sub.parent is not None:
            siblings = [
                frozen[s.id] for s in sub.parent.children if s is not sub and s.id in frozen
            ]
        for link in self.links.values():
            if link.a == link.b or sub.position not in (link.a, link.b) or link.id in sub.links:
                continue
            forward = link.a == sub.position
            if self.config["directed"] and not forward:
                continue
            al = min(1, max(0, 0.75 * cos(self.q, link.emb) + 0.25 * cos(self.i, link.emb)))
            pol = min(1, max(0, link.polarity[0] if forward else link.polarity[1]))
            nov = 1 - max([0.0] + [cos(link.emb, v) for v in path])
            div = 1 - max([0.0] + [cos(link.emb, v) for v in siblings])
            out.append((al * pol * (1 - link.permanence) * nov * div, link.id))
        return sorted(out, key=lambda c: (-c[0], c[1]))

    def spawn(self, parent: Sub, chosen: list[tuple[float, str]]) -> None:
        parent.waiting = True
        for rank in range(len(chosen)):
            child = Sub(
                f"{parent.id}.{rank}", parent.position, parent.position, list(self.q), parent
            )
            child.links, child.nodes = list(parent.links), list(parent.nodes)
            child.forward, child.joy = list(parent.forward), parent.joy
            parent.children.append(child)
            self.subs.append(child)
        for child, (_, link) in zip(parent.children, chosen, strict=True):
            self.arrive(child, link)

    def arrive(self, sub: Sub, link_id: str) -> None:
        link = self.links[link_id]
        forward = link.a == sub.position
        target = link.b if forward else link.a
        sub.links.append(link_id)
        sub.forward.append(forward)
        sub.nodes.append(target)
        sub.position = target
        self.heat(sub, 0.5)
        share = link.weight / (link.weight + 1)
        sub.joy = sub.joy * (1 - share) + link.joy * share
        self.refocus(sub)
        now = cos(sub.c, self.i)
        sub.history.append(now if sub.last is None else now - sub.last)
        sub.last = now
        node = self.nodes[target]
        if node.kind == "narrative":
            self.resonate(sub)
            return
        content = node.content.strip() and target not in sub.absorbed and self.config["absorb"]
        if node.kind != "moment" and content and sub.depth < self.config["max_depth"]:
            al = cos(self.i, node.emb)
            nov = 1 - max([0.0] + [cos(node.emb, self.links[id].emb) for id in sub.links])
            self.heat(sub, 1.0)
            sub.absorbed.add(target)
            if al > 0.7 and nov > 0.7:
                self.crystallize(sub, True)
                self.merge(sub)
                return
        self.seek_on(sub)

    def seek_on(self, sub: Sub) -> None:
        tired = len(sub.history) >= 5 and all(abs(p) < 0.05 for p in sub.history[-5:])
        if tired or sub.depth >= self.config["max_depth"]:
            self.reflect(sub)

    def heat(self, sub: Sub, multiplier: float) -> None:
        energy = sub.crit * multiplier
        self.dE[sub.position] = self.dE.get(sub.position, 0) + energy
        gained = energy * self.nodes[sub.position].permanence
        self.dW[sub.position] = self.dW.get(sub.position, 0) + gained

    def refocus(self, sub: Sub) -> None:
        parts = [(0.4, self.q), (0.25, self.i), (0.3, self.nodes[sub.position].emb)]
        if sub.found:
            parts.append((0.2, average([self.vectors[id] for id in sub.found])))
        if sub.links:
            parts.append((0.1, average([self.links[id].emb for id in sub.links])))
        sub.c = unit([sum(w * v[k] for w, v in parts) for k in range(len(self.q))])

    def resonate(self, sub: Sub) -> None:
        al = cos(self.i, self.nodes[sub.position].emb)
        if al > 0 and sub.position not in sub.seen:
            sub.seen.add(sub.position)
            sub.found[sub.position] = max(al, sub.found.get(sub.position, 0))
            sub.sat = min(1.0, sub.sat + al / (sum(sub.found.values()) + 1))
            self.dW[sub.position] = self.dW.get(sub.position, 0) + 2 * sub.crit
        self.refocus(sub)
        if sub.sat >= self.config["satisfaction_threshold"]:
            if self.config["strict_seed"]:
                self.merge(sub)
            else:
                self.reflect(sub)
        else:
            self.seek_on(sub)

    def reflect(self, sub: Sub) -> None:
        sub.waiting = False
        if sub.sat > 0.5 and sub.links:
            self.colour(sub, list(self.i), 0.05 * sub.sat)
        best = max(sub.found.values(), default=0)
        guard = best >= 0.9 and not self.config["strict_seed"]
        if not (sub.sat > 0.5 or guard or not sub.links):
            self.crystallize(sub, True)
        self.merge(sub)

    def merge(self, sub: Sub) -> None:
        if (
            sub.parent is not None
            and sub.crystal is None
            and max(sub.found.values(), default=0) < 0.9
        ):
            self.crystallize(sub, not sub.coloured)
        sub.done = True

    def colour(self, sub: Sub, final: Vec, boost: float) -> None:
        steps = list(zip(sub.links, sub.forward, strict=True))
        if self.config["color_scope"] == "own" and sub.parent is not None:
            steps = steps[len(sub.parent.links) :]
        self.colours.append((steps, final, boost))
        sub.coloured = True

    def crystallize(self, sub: Sub, colour: bool) -> None:
        path = [self.links[id] for id in sub.links]
        key = f"new {sub.id}"
        plan: dict[str, Any] = {
            "key": key,
            "sub": sub,
            "emb": list(sub.c),
            "energy": sub.crit * 1.5,
            "crit": sub.crit,
            "hier": sum(k.hierarchy for k in path) / len(path),
            "perm": sum(k.permanence for k in path) / len(path),
            "last": path[-1].hierarchy,
            "spawn": sub.spawn,
            "focus": sub.position,
            "joy": sub.joy,
        }
        self.plans.append(plan)
        self.vectors[key] = plan["emb"]
        sub.found[key] = 1.0
        sub.crystal = key
        if colour:
            self.colour(sub, plan["emb"], 0.1)

    def join(self, sub: Sub) -> None:
        for child in sub.children:
            for id, value in child.found.items():
                sub.found[id] = max(value, sub.found.get(id, 0))
            sub.sat = max(sub.sat, child.sat)
        self.reflect(sub)

    def commit(self) -> None:
        for steps, final, boost in self.colours:
            self.paint(steps, list(final), boost)
        for id, energy in self.dE.items():
            self.nodes[id].energy += energy
        for id, weight in self.dW.items():
            self.nodes[id].weight += weight
        finals = self.gate({n.id: n.emb for n in self.nodes.values() if n.kind == "narrative"})
        root = self.subs[0]
        self.found: dict[str, float] = {}
        for id, value in root.found.items():
            name, worth = finals.get(id, (id, value))
            self.found[name] = max(worth, self.found.get(name, 0))
        self.satisfaction = root.sat

    def paint(self, steps: list[tuple[str, bool]], cur: Vec, boost: float) -> None:
        for id, forward in reversed(steps):
            link = self.links[id]
            r = link.polarity[1] if forward else link.polarity[0]
            cur = [x * r * 0.8 for x in cur]
            b = 0.3 * (1 - link.weight / (link.weight + 1))
            if math.sqrt(sum(x * x for x in cur)) >= 1e-3:
                link.emb = [(1 - b) * v + b * x for v, x in zip(link.emb, cur, strict=True)]
            link.weight += boost

    def gate(self, existing: dict[str, Vec]) -> dict[str, tuple[str, float]]:
        finals: dict[str, tuple[str, float]] = {}
        for plan in self.plans:
            best, near = -2.0, ""
            for id, emb in existing.items():
                if cos(plan["emb"], emb) > best:
                    best, near = cos(plan["emb"], emb), id
            if best >= self.config["novelty_threshold"]:
                finals[plan["key"]] = (near, best)
                self.reused.append(near)
            else:
                existing[plan["key"]] = plan["emb"]
                finals[plan["key"]] = (plan["key"], 1.0)
                self.created.append(plan)
        return finals
