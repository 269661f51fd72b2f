"""Recall a second time, plainly: the arithmetic in Python over everything a realm holds."""

import math
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from asterism.graph import Graph
from asterism.recall import query_terms

NODES = """CYPHER 25
MATCH (m:Memory {realm: $realm}) WHERE m.indexed AND m.id IS NOT NULL
RETURN m.id AS id, m.session AS session, m.speaker AS speaker, m.subject AS subject,
       m.embedding AS vector"""
TIES = """CYPHER 25
MATCH (m:Memory {realm: $realm})-[r:NEXT|MENTIONS|ABOUT|HAS_TERM]->(o) WHERE m.id IS NOT NULL
RETURN m.id AS id, type(r) AS type, coalesce(o.id, o.key, o.stem) AS far"""


@dataclass
class World:
    """Everything a realm holds, in dictionaries."""

    nodes: dict[str, dict[str, Any]] = field(default_factory=dict)
    ties: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    far: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    next: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


async def world(graph: Graph) -> World:
    """Read it all."""
    run, realm = graph.database.driver.execute_query, graph.realm
    result = World()
    for record in (await run(NODES, realm=realm)).records:
        result.nodes[record["id"]] = dict(record)
    for kind in ("MENTIONS", "ABOUT", "HAS_TERM"):
        result.ties[kind], result.far[kind] = defaultdict(set), defaultdict(set)
    for record in (await run(TIES, realm=realm)).records:
        if record["type"] == "NEXT":
            result.next[record["id"]].add(record["far"])
            result.next[record["far"]].add(record["id"])
        else:
            result.ties[record["type"]][record["id"]].add(record["far"])
            result.far[record["type"]][record["far"]].add(record["id"])
    return result


async def scores(
    graph: Graph, query: str, words: dict[str, float], names: dict[str, float], cap: float
) -> dict[str, float]:
    """The final score of every memory that a small realm holds."""
    here = await world(graph)
    vector = np.array(await graph.embedding.query(query))
    most = max(words.values(), default=1.0)
    fused = {
        id: float(np.array(node["vector"]) @ vector)
        * (0.065 / (await graph.embedding.calibration()).spread)
        + 0.13 * words.get(id, 0.0) / most
        + 0.10 * names.get(node["subject"], 0.0)
        for id, node in here.nodes.items()
    }
    question_names = set(query_terms.name_keys(query))
    lifted = _lifted(here, fused)
    lifted = {id: lifted[id] + _spoken(here.nodes[id]["speaker"], question_names) for id in lifted}
    return {id: score + _hops(here, lifted, cap)[id] for id, score in lifted.items()}


def _spoken(speaker: str | None, question_names: set[str]) -> float:
    name = (speaker or "").lower()
    return 0.08 if {name, *name.split()} & question_names else 0.0


def _lifted(here: World, fused: dict[str, float]) -> dict[str, float]:
    low = min(fused.values())
    best: dict[str, float] = defaultdict(lambda: -9.0)
    for id, node in here.nodes.items():
        best[node["session"]] = max(best[node["session"]], fused[id])
    lifted = {}
    for id, node in here.nodes.items():
        lifted[id] = fused[id]
        if node["session"] is None and len(best) > 1:
            lifted[id] += 0.50 * (fused[id] - low)
        elif node["session"] is not None:
            best_beside = max((fused[other] for other in here.next[id]), default=low)
            lifted[id] += 0.30 * (best_beside - low) + 0.50 * (best[node["session"]] - low)
    return lifted


def _hops(here: World, lifted: dict[str, float], cap: float) -> dict[str, float]:
    order = sorted(lifted, key=lambda id: (-lifted[id], id))
    first, last = lifted[order[0]], lifted[order[min(5, len(order) - 1)]]
    weights = {seed: (lifted[seed] - last) / (first - last + 1e-9) for seed in order[:5]}
    mention = _reached(here, weights, cap, over="MENTIONS", to="MENTIONS")
    subject = _reached(here, weights, cap, over="MENTIONS", to="ABOUT")
    term = _reached(here, weights, cap, over="HAS_TERM", to="HAS_TERM", floor=0.3)
    return {id: 0.20 * mention[id] + 0.20 * subject[id] + 0.10 * term[id] for id in lifted}


def _reached(
    here: World, weights: dict[str, float], cap: float, *, over: str, to: str, floor: float = 0.0
) -> dict[str, float]:
    """The best path to each memory, from the seeds over names or words."""
    best: dict[str, float] = defaultdict(float)
    for seed, weight in weights.items():
        speaker = (here.nodes[seed]["speaker"] or "").lower()
        for key in here.ties[over][seed]:
            if key == speaker or any(part.startswith(key) for part in speaker.split()):
                continue
            df = len(here.far[over][key])
            path = weight / math.sqrt(df - 1) if 1 < df <= cap else 0.0
            for id in here.far[to][key] if path >= floor else ():
                best[id] = max(best[id], path)
    return best
