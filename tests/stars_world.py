"""Small worlds for tests of stars: two stars, a connection in any shape, days that pass."""

from datetime import UTC, datetime, timedelta
from typing import Any

from engine.clock import FixedClock
from engine.graph import Graph
from engine.stars import Connection

RANKS = {"DORMANT": 0, "NASCENT": 1, "FORMING": 2, "WEAK": 3, "MODERATE": 4, "STRONG": 5}


def day_number(at: datetime) -> int:
    return (at.date() - datetime(1970, 1, 1, tzinfo=UTC).date()).days


async def add(graph: Graph, *ids: str, **given: Any) -> None:
    """Stars that are out of excavation, soul, BRIGHT and at 1.0, unless told otherwise."""
    created = graph.clock.now() - timedelta(days=10)
    usual: dict[str, Any] = {
        "domain": "soul",
        "brightness": 1.0,
        "state": "BRIGHT",
        "created_at": created,
    }
    for id in ids:
        await graph.stars.add(id, id=id, **(usual | given))


async def run(graph: Graph, text: str, **parameters: Any) -> list[dict[str, Any]]:
    """A statement of the test's own, in the graph's realm."""
    found = await graph.database.driver.execute_query(
        "CYPHER 25 " + text, {"realm": graph.realm} | parameters
    )
    return [record.data() for record in found.records]


async def set_star(graph: Graph, id: str, **properties: Any) -> None:
    await run(
        graph,
        "MATCH (s:Star {realm: $realm, id: $id}) SET s += $properties RETURN s.id",
        id=id,
        properties=properties,
    )


async def star(graph: Graph, id: str) -> dict[str, Any]:
    [row] = await run(graph, "MATCH (s:Star {realm: $realm, id: $id}) RETURN s{.*} AS s", id=id)
    return dict(row["s"])


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
    """A connection of the user's type, in this shape; its stars are not engaged by it."""
    before = {id: await star(graph, id) for id in (a, b)}
    await graph.stars.connect(a, b, type)
    for id, known in before.items():
        kept = {name: known[name] for name in ("engaged_day", "engaged_days", "last_engaged")}
        await set_star(graph, id, **kept)
    await shape(graph, a, b, **properties)


async def established(
    graph: Graph, a: str, b: str, type: str, strength: float, pieces: int, state: str
) -> None:
    """A connection with so much evidence, all of it from today."""
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
        ev_days=[today] * pieces,
        state=state,
    )


async def found(graph: Graph, a: str, b: str) -> Connection:
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
