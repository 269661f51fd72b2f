"""Small graphs to explore, and an embedder that asks for none of them."""

import random
from collections.abc import Sequence
from typing import Any

from asterism.exploration import Exploration
from asterism.graph import Graph
from tests.support.exploration_oracle import Link, Node, Oracle

Q3, I3 = [1.0, 0.0, 0.0], [0.8, 0.6, 0.0]


class Toy:
    """An embedder for vectors of any length: texts turn into numbers by their letters."""

    def __init__(self, dimensions: int) -> None:
        self.name = f"toy-{dimensions}"
        self.dimensions = dimensions

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[1.0 + text.count(chr(97 + at)) for at in range(self.dimensions)] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def node(id: str, kind: str, emb: list[float], permanence: float = 0.5, **more: Any) -> Node:
    return Node(id, kind, emb, permanence, **more)


def s1() -> tuple[list[Node], list[Link]]:
    """The first end-to-end vector."""
    nodes = [
        node("A", "actor", [0, 0, 1]),
        node("M", "moment", [0.6, 0, 0.8]),
        node("N1", "narrative", [0.8, 0.6, 0]),
        node("T", "thing", [0, 0.6, 0.8]),
        node("N2", "narrative", [0.6, 0.8, 0]),
        node("P", "space", [0, 0, -1]),
    ]
    links = [
        Link("k1", "A", "M", [0.8, 0, 0.6], (0.9, 0.2), 0.1, 0.5, 1),
        Link("k2", "M", "N1", [0.6, 0.8, 0], (0.9, 0.5), 0.1, -0.3, 1),
        Link("k3", "M", "T", [0.8, 0, -0.6], (0.9, 0.5), 0.1, -0.4, 1),
        Link("k4", "T", "N2", [0, 0.8, -0.6], (1, 0.5), 0.1, 0.3, 1),
        Link("k5", "A", "P", [0, 0.6, 0.8], (0.9, 0.2), 0.1, 0, 1),
        Link("k6", "N1", "N2", [0.48, 0.64, 0.6], (0.8, 0.5), 0.2, 0.25, 2),
    ]
    return nodes, links


def s2() -> tuple[list[Node], list[Link]]:
    """The second end-to-end vector."""
    nodes = [
        node("A", "actor", [0, 0, 1]),
        node("T", "thing", [0, 0.6, 0.8], 0.2),
        node("P", "space", [0.6, 0.8, 0], 0.5),
    ]
    links = [
        Link("k1", "A", "T", [0.8, 0, 0.6], (0.9, 0.4), 0.2, 0.5, 1),
        Link("k2", "T", "P", [0.6, 0.8, 0], (0.9, 0.6), 0.1, -0.3, 0.5),
    ]
    return nodes, links


def rows(nodes: Sequence[Node], links: Sequence[Link]) -> dict[str, list[dict[str, Any]]]:
    """A graph as `load` takes it."""
    node_items = [
        {
            "kind": node.kind,
            "name": node.id,
            "id": node.id,
            "embedding": node.embedding,
            "permanence": node.permanence,
            "weight": node.weight,
            "energy": node.energy,
            "content": node.content,
        }
        for node in nodes
    ]
    link_items = [
        {
            "a": link.a,
            "b": link.b,
            "id": link.id,
            "embedding": link.embedding,
            "polarity": link.polarity,
            "permanence": link.permanence,
            "hierarchy": link.hierarchy,
            "weight": link.weight,
            "joy_sadness": link.joy,
        }
        for link in links
    ]
    return {"nodes": node_items, "links": link_items}


async def ask(graph: Graph, **options: Any) -> Exploration:
    """Explore from A with the vectors Q3 and I3, unless the options say otherwise."""
    defaults = {"actor": "A", "query": "who?", "query_embedding": Q3, "intention_embedding": I3}
    defaults["mode"] = "literal"
    return await graph.exploration.explore(**(defaults | options))


async def load(graph: Graph, world: tuple[Sequence[Node], Sequence[Link]]) -> None:
    """Put a graph into the realm."""
    items = rows(*world)
    await graph.exploration.load(items["nodes"], items["links"])


def random_world(
    seed: int, *, nodes: int = 24, links: int = 60, dims: int = 4, moments: float = 0.25
) -> tuple[list[Node], list[Link]]:
    """A graph of all kinds with vectors that lean one way, so that walks get somewhere."""
    rng = random.Random(seed)
    lean = [1.0] + [0.35] * (dims - 1)

    def vector(spread: float) -> list[float]:
        return [x + rng.gauss(0, spread) for x in lean]

    kinds = ["narrative", "thing", "space", "actor"]
    made = [node("n0", "actor", vector(0.8))]
    for at in range(1, nodes):
        kind = "moment" if rng.random() < moments else rng.choice(kinds)
        content = "some words" if rng.random() < 0.3 else ""
        permanence, weight = rng.random(), rng.choice([0.5, 1.0, 2.0])
        made.append(Node(f"n{at}", kind, vector(0.9), permanence, weight, 0.1, content))
    links_made = []
    for at in range(links):
        a = f"n{at % nodes}" if at < nodes else f"n{rng.randrange(nodes)}"
        b = f"n{rng.randrange(nodes)}"
        polarity = (rng.uniform(0.4, 1), rng.uniform(0.1, 1))
        emotion = rng.uniform(-1, 1)
        links_made.append(
            Link(
                f"k{at:03}",
                a,
                b,
                vector(0.9),
                polarity,
                rng.uniform(0, 0.5),
                rng.uniform(-1, 1),
                rng.uniform(0.2, 3),
                emotion,
            )
        )
    return made, links_made


def oracle_walk(
    world: tuple[list[Node], list[Link]], q: list[float], i: list[float], **config: Any
) -> Oracle:
    """Return the walk of the oracle, which changes the world, so give it a copy."""
    nodes, links = world
    return Oracle(nodes, links, q, i, **config).run(nodes[0].id)


async def contents(graph: Graph) -> tuple[dict[str, Any], dict[str, Any]]:
    """Nodes and links as they are in the database, by id."""
    driver = graph.database.driver
    nodes_read = await driver.execute_query(
        "MATCH (n) WHERE n.realm = $realm AND n.energy IS NOT NULL "
        "RETURN n.id AS id, properties(n) AS props, labels(n) AS labels",
        realm=graph.realm,
    )
    links_made = await driver.execute_query(
        "MATCH (a)-[r:LINK]->(b) WHERE r.realm = $realm "
        "RETURN r.id AS id, properties(r) AS props, a.id AS a, b.id AS b",
        realm=graph.realm,
    )
    nodes = {row["id"]: dict(row["props"]) for row in nodes_read.records}
    links = {
        row["id"]: dict(row["props"]) | {"a": row["a"], "b": row["b"]} for row in links_made.records
    }
    return nodes, links
