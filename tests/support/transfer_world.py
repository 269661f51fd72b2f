"""A small realm in which all six parts have been at work, and what it answers."""

from datetime import timedelta
from typing import Any

from asterism.clock import FixedClock
from asterism.graph import Graph
from tests.support.sessions import CHEST
from tests.support.stars_world import add, days, run

TEXTS = [
    ("Lyra keeps the lighthouse key behind the clock.", ["lyra", "lighthouse"]),
    ("The lighthouse key hangs behind the clock, says Lyra.", ["lyra", "lighthouse"]),
    ("Lyra lets nobody climb the lighthouse at night.", ["lyra", "lighthouse"]),
    ("The ferry brings flour on Tuesdays.", ["ferry", "market"]),
    ("Bread is dear when the ferry is late.", ["ferry", "market"]),
    ("Orsolya sells bread at the market by the harbour.", ["market"]),
    ("The harbour freezes in January.", ["harbour"]),
    ("Mattia ☂ paints the lighthouse: “white, always white”.\u2028Twice a year.", ["lighthouse"]),
]
TIMES = "2026-10-25T02:30:00.123456789+01:00[Europe/Paris]"


async def fill(graph: Graph, clock: FixedClock) -> None:
    """Something of everything."""
    await texts(graph, clock)
    await stars(graph, clock)
    await market(graph, clock)
    await graph.causality.record("chest", CHEST.lines, dm=CHEST.dm, players=["Ann", "Bob", "Cy"])
    await graph.causality.embed()
    await walk(graph)
    await oddities(graph)


async def texts(graph: Graph, clock: FixedClock) -> None:
    items = [
        {"text": text, "tags": tags, "session": f"s{at % 2}", "speaker": "Ada", "id": f"t{at}"}
        for at, (text, tags) in enumerate(TEXTS)
    ]
    await graph.memories.remember_many(items[:6])
    clock.advance(hours=2)
    await graph.consolidation.consolidate()
    await graph.memories.remember_many(items[6:])
    await graph.memories.connect("t0", "t3", "SUPPORTS", weight=0.4)
    await graph.consolidation.seen_together(["t0", "t4"], session="s9")


async def market(graph: Graph, clock: FixedClock) -> None:
    evidence = [
        {
            "event_id": f"e{at}",
            "ts": clock.now() - timedelta(minutes=30 - at),
            "symbol": "XUSDT",
            "price": price,
            "kind": "execution",
            "side": "ask",
            "quantity": 3000 + at,
        }
        for at, price in enumerate(["100.50", "100.5", "101", "99.99", "100.51"])
    ]
    await graph.memories.observe(evidence, source="desk")


async def stars(graph: Graph, clock: FixedClock) -> None:
    await add(graph, "sea", "home", "light")
    await graph.stars.evidence("sea", "home", "user_creates", source="user")
    await graph.stars.connect("sea", "light", "BLOCKS")
    await graph.stars.connect("home", "light", "TENSION")
    await graph.stars.engage("sea", gains=[0.1])
    await days(graph, clock, 3)
    await graph.stars.disconnect("home", "light")


async def walk(graph: Graph) -> None:
    nodes = [
        {"kind": "actor", "name": "Ada", "id": "ada"},
        {"kind": "thing", "name": "the lighthouse", "id": "lighthouse"},
        {"kind": "narrative", "name": "The lighthouse key hangs behind the clock", "id": "key"},
    ]
    usual = {"polarity": (1, 0.5), "permanence": 0.1}
    links: list[dict[str, Any]] = [
        {"a": "ada", "b": "lighthouse", "synthesis": "Ada stands there", "id": "l1"},
        {"a": "ada", "b": "lighthouse", "synthesis": "Ada stands there", "id": "l2"},
        {"a": "ada", "b": "lighthouse", "synthesis": "Ada paints it", "id": "l3"},
        {"a": "lighthouse", "b": "key", "synthesis": "the key of the lighthouse", "id": "l4"},
        {"a": "key", "b": "t0", "synthesis": "told by Lyra", "id": "l5"},
    ]
    await graph.exploration.load(nodes, [usual | link for link in links])
    question = "Where is the lighthouse key?"
    await graph.exploration.explore("ada", question, "open the lighthouse", mode="literal")
    guided = await graph.exploration.explore("ada", question, keep=True)
    await graph.exploration.confirm(guided.run_id, [guided.narratives[0].id])


async def oddities(graph: Graph) -> None:
    """Values that are rare in properties of the data model, and that a store can hold."""
    await run(
        graph,
        "MATCH (n:Thing {realm: $realm, id: 'lighthouse'}) SET "
        "n.created_at = datetime($times), n.weight = 5e-324, n.energy = -0.0, "
        "n.permanence = 0.0 / 0.0, n.revision = -9223372036854775808, n.source = '', "
        "n.content = 'an odd \"text\" \u2028\\ {\"realm\": 1}', n.name = '★' "
        "WITH n MATCH (m:Memory {realm: $realm, id: 't1'}), (o:Memory {realm: $realm, id: 't2'}) "
        "SET m.learned_at_hours = 1.0 / 0.0, m.rejected_at = datetime('2026-01-01T00:00Z[UTC]'), "
        "m.last_interaction = datetime('2026-01-01T00:00+05:30'), m.marks = [], "
        "m.first_seen = datetime('2026-01-01T00:00Z'), m.rate = 1, "
        "m.persistence_count = 9007199254740993 "
        "CREATE (o)-[:SUPPORTS {realm: $realm, created_at: datetime($times), weight: 1}]->(m), "
        "(o)-[:SUPPORTS {realm: $realm}]->(m), (o)-[:SUPPORTS {realm: $realm}]->(m), "
        "(o)-[:SUPPORTS {realm: $realm, weight: 1.0}]->(o) "
        "WITH n MATCH (s:Star {realm: $realm, id: 'sea'}) "
        "SET s.daily_closes = [1.0 / 0.0, 2.0, 0.1], "
        "s.confrontation_counts = [9007199254740993, -1]",
        times=TIMES,
    )


async def content(graph: Graph) -> tuple[list[Any], list[Any]]:
    """All there is, by a query that shares nothing with the engine's own."""
    own = "'realm', 'realm_key', 'tag_keys', 'origin'"
    pairs = (
        f"[k IN keys(x) WHERE NOT k IN [{own}] | [k, valueType(x[k]), toStringOrNull(x[k]), "
        "CASE WHEN x[k] IS :: LIST<ANY> THEN [v IN x[k] | toString(v)] END]]"
    )
    nodes = await run(
        graph,
        f"MATCH (x) WHERE x.realm = $realm AND NOT x:Realm RETURN labels(x) AS l, {pairs} AS p",
    )
    joined = await run(
        graph,
        "MATCH (a)-[x]->(b) WHERE a.realm = $realm "
        "RETURN type(x) AS t, coalesce(a.id, a.key) AS a, labels(a) AS al, "
        f"coalesce(b.id, b.key, b.stem) AS b, labels(b) AS bl, x.realm = $realm AS r, {pairs} AS p",
    )
    return _sorted(nodes), _sorted(joined)


def _sorted(rows: list[dict[str, Any]]) -> list[str]:
    plain = [
        {k: sorted(v, key=str) if isinstance(v, list) else v for k, v in r.items()} for r in rows
    ]
    return sorted(map(str, plain))


async def answers(graph: Graph) -> dict[str, Any]:
    """Return an answer of each part, without the ids that are made anew each time."""
    level = (await graph.memories.levels("XUSDT"))[0]
    explored = await graph.exploration.explore(
        "ada", "Where is the key?", "get inside", mode="literal", dry_run=True
    )
    by_question = {
        "key": await graph.recall.find("Who has the lighthouse key?"),
        "bread": await graph.recall.find("bread at the market"),
        "levels": await graph.memories.levels("XUSDT"),
        "level": await graph.memories.level(level.id),
        "history": await graph.memories.history(level.id),
        "memory": await graph.memories.get("t0"),
        "edges": await graph.consolidation.edges("t0"),
        "explained": await graph.consolidation.explain("t0", "t2"),
        "star": await graph.stars.get("sea"),
        "connections": await graph.stars.connections("sea"),
        "past": await graph.stars.history("home", "light"),
        "ripples": await graph.stars.what_if("sea", 0.2),
        "links": await graph.causality.links("chest"),
        "metrics": await graph.causality.metrics("chest"),
        "trace": await graph.causality.trace("chest"),
        "runs": await graph.exploration.runs(),
        "outcome": [explored.outcome, explored.satisfaction, explored.reads],
        "narratives": [(each.name, each.content, each.paths) for each in explored.narratives],
    }
    return {name: _plain(value) for name, value in by_question.items()}


def _plain(value: Any) -> Any:
    """Return plain values. Of several ways that lead equally far, any may be named."""
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items() if name != "how"}
    if isinstance(value, float):
        return round(value, 12)
    return _plain(value.model_dump(mode="json")) if hasattr(value, "model_dump") else value
