"""Work of a statement: how often it touches the store, whatever the speed of the machine."""

from typing import Any

from asterism import statements
from asterism.graph import Graph


async def work(graph: Graph, name: str, arguments: dict[str, Any]) -> int:
    """Return how often a statement touches the store with these arguments."""
    text = statements.load(name).text.replace("CYPHER 25", "CYPHER 25 PROFILE", 1)
    settings = graph.settings.section(name.partition("/")[0])
    parameters = arguments | {"realm": graph.realm, "settings": settings}
    answer = await graph.database.driver.execute_query(text, parameters)
    assert answer.summary.profile is not None
    return _hits(answer.summary.profile)


def _hits(step: Any) -> int:
    return int(step.get("dbHits", 0)) + sum(_hits(child) for child in step.get("children", []))
