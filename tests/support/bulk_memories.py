"""Many text memories at once: the nodes of `remember`, without the names and words beside them."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from asterism.graph import Graph
from asterism.memories import text_items
from asterism.realm_names import realm_key

CREATE = """CYPHER 25
UNWIND $rows AS row
CREATE (memory:Memory:Text {realm: $realm, id: row.id})
SET memory += row.properties, memory.last_interaction = row.properties.first_seen,
    memory.remembered_at = $now"""
COUNT = """CYPHER 25
MERGE (realm:Realm {realm: $realm})
SET realm.text_count = coalesce(realm.text_count, 0) + $count, realm.realm_key = $key"""
BATCH = 5000


async def remember_bulk(graph: Graph, items: Iterable[dict[str, Any]], **properties: Any) -> int:
    """Create the memories of items, with further properties, and return how many they are."""
    settings, now = graph.settings.memories, graph.clock.now()
    run, key = graph.database.driver.execute_query, realm_key(graph.realm)
    active = await graph.memories.hours.reading()
    count, rest = 0, iter(items)
    while batch := list(islice(rest, BATCH)):
        parsed = map(text_items.parse, batch)
        rows: Sequence[Any] = [text_items.row(item, settings, now, active, key) for item in parsed]
        for row in rows:
            row["properties"] |= properties
        await run(CREATE, rows=rows, realm=graph.realm, now=now)
        count += len(rows)
    await run(COUNT, realm=graph.realm, count=count, key=key)
    return count
