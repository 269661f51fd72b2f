"""Small worlds for tests of stars: stars, connections in any shape, days that pass."""

from datetime import UTC, datetime, timedelta
from typing import Any

from asterism.clock import FixedClock
from asterism.graph import Graph
from asterism.stars import Connection
from tests.support.raw import run_cypher

RANKS = {"DORMANT": 0, "NASCENT": 1, "FORMING": 2, "WEAK": 3, "MODERATE": 4, "STRONG": 5}


def day_number(at: datetime) -> int:
    return (at.date() - datetime(1970, 1, 1, tzinfo=UTC).date()).days


async def add(graph: Graph, *ids: str, **properties: Any) -> None:
    """Add stars that are out of excavation, soul, BRIGHT and at 1.0 by default."""
    created = graph.clock.now() - timedelta(days=10)
    usual: dict[str, Any] = {
        "domain": "soul",
        "brightness": 1.0,
        "state": "BRIGHT",
        "created_at": created,
    }
    for id in ids:
        await graph.stars.add(id, id=id, **(usual | properties))


async def run(graph: Graph, text: str, **parameters: Any) -> list[dict[str, Any]]:
    """Run a statement of the test's own in the graph's realm."""
    return await run_cypher(graph, "CYPHER 25 " + text, **parameters)


async def set_star(graph: Graph, id: str, **properties: Any) -> None:
    await run(
        graph,
        "MATCH (s:Star {realm: $realm, id: $id}) SET s += $properties RETURN s.id",
        id=id,
        properties=properties,
    )


async def star(graph: Graph, id: str) -> dict[str, Any]:
    """Return the properties of a star but the time of its last lock, which says nothing of it."""
    query = "MATCH (s:Star {realm: $realm, id: $id}) RETURN s{.*, locked_at: null} AS star"
    [row] = await run(graph, query, id=id)
    return dict(row["star"])


async def shape(graph: Graph, a: str, b: str, **properties: Any) -> None:
    """Give the connection of a pair any strength, state or age."""
    if "state" in properties:
        properties.setdefault("engaged_state", properties["state"])
        properties["state_rank"] = RANKS[properties["state"]]
    await run(
        graph,
        "MATCH (:Star {realm: $realm, id: $a})-[r]-(:Star {realm: $realm, id: $b}) "
        "SET r += $properties RETURN r.id",
        a=a,
        b=b,
        properties=properties,
    )


async def link(graph: Graph, a: str, b: str, type: str, **properties: Any) -> None:
    """Connect two stars with the user's type, in this shape, without engaging the stars."""
    before = {id: await star(graph, id) for id in (a, b)}
    await graph.stars.connect(a, b, type)
    for id, row in before.items():
        names = ("engaged_day", "engaged_days", "last_engaged")
        await set_star(graph, id, **{name: row[name] for name in names})
    await shape(graph, a, b, **properties)


async def established(
    graph: Graph, a: str, b: str, type: str, strength: float, pieces: int, state: str
) -> None:
    """Connect two stars with so much evidence, all of it from today."""
    today = day_number(graph.clock.now())
    await link(
        graph,
        a,
        b,
        type,
        strength=strength,
        evidence_count=pieces,
        evidence_eff=float(pieces),
        evidence_at_last_eval=pieces,
        evidence_days=[today] * pieces,
        state=state,
    )


async def read_pair(graph: Graph, a: str, b: str) -> Connection:
    connection = await graph.stars.connection(a, b)
    assert connection is not None
    return connection


async def close(graph: Graph) -> None:
    await graph.stars.close_day(graph.clock.now().date(), max_days=10_000)


async def days(graph: Graph, clock: FixedClock, count: int) -> None:
    """Close today, then so many days after it, one by one."""
    await close(graph)
    for _ in range(count):
        clock.advance(days=1)
        await close(graph)
