"""Cypher of the tests' own, which shares nothing with the statements of the package."""

from typing import Any

from asterism.graph import Graph

REALM_CONTENTS = """
MATCH (node) WHERE node.realm = $realm
OPTIONAL MATCH (node)-[link]->(other)
WITH node, link, other ORDER BY elementId(link)
WITH node, collect(CASE WHEN link IS NOT NULL
                        THEN [type(link), properties(link), elementId(other)] END) AS links
RETURN labels(node) AS labels, properties(node) AS properties, links ORDER BY elementId(node)
"""


async def run_cypher(graph: Graph, text: str, **parameters: Any) -> list[dict[str, Any]]:
    """Run Cypher with `$realm` and these parameters, and return its rows."""
    answer = await graph.database.driver.execute_query(text, {"realm": graph.realm} | parameters)
    return [record.data() for record in answer.records]


async def realm_contents(graph: Graph) -> list[dict[str, Any]]:
    """Return every node of the realm with its properties and outgoing relationships."""
    return await run_cypher(graph, REALM_CONTENTS)
