"""The nine tools of the reference memory server, on a realm: entities, relations, observations."""

from typing import Annotated

from pydantic import ConfigDict, Field

from asterism.mcp_server.answers import Part
from asterism.mcp_server.reference_graph import Entity, EntityGraph, KnowledgeGraph, Relation
from asterism.mcp_server.service import Service
from asterism.mcp_server.token_budget import compact_json, fitting
from asterism.mcp_server.tool import MemoryTool, ToolAnswer, memory_tool

GRAPH_TOKENS = 8000  # of the answers that may be a whole graph


class JsonAnswer(ToolAnswer):
    """Answer that is JSON as text as well, which clients of the reference server read."""

    def __str__(self) -> str:
        return compact_json(self.document())


class Entities(JsonAnswer):
    entities: list[Entity]


class Relations(JsonAnswer):
    relations: list[Relation]


class GraphAnswer(JsonAnswer):
    entities: list[Entity]
    relations: list[Relation]
    left_out: int | None = None


class NewObservations(Part):
    model_config = ConfigDict(extra="ignore")

    entityName: str  # the reference server's spelling
    contents: list[str]


class Deletion(Part):
    model_config = ConfigDict(extra="ignore")

    entityName: str
    observations: list[str]


class AddedObservations(Part):
    entityName: str
    addedObservations: list[str]


class Added(JsonAnswer):
    results: list[AddedObservations]


class Deleted(ToolAnswer):
    success: bool
    message: str

    def __str__(self) -> str:
        return self.message


class ReferenceTools:
    """Tools with the names, arguments and answers of the reference memory server."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def tools(self) -> list[MemoryTool]:
        """Return the tools, those that write unless the server is read-only."""
        reading = [
            memory_tool(self.read_graph, "Read Graph", read_only=True),
            memory_tool(self.search_nodes, "Search Nodes", read_only=True),
            memory_tool(self.open_nodes, "Open Nodes", read_only=True),
        ]
        writing = [
            memory_tool(self.create_entities, "Create Entities"),
            memory_tool(self.create_relations, "Create Relations"),
            memory_tool(self.add_observations, "Add Observations"),
            memory_tool(self.delete_entities, "Delete Entities", destructive=True),
            memory_tool(self.delete_observations, "Delete Observations", destructive=True),
            memory_tool(self.delete_relations, "Delete Relations", destructive=True),
        ]
        return reading if self._service.read_only else [*writing, *reading]

    async def create_entities(self, entities: list[Entity]) -> Entities:
        """Create multiple new entities in the knowledge graph"""
        graph = await self._graph()
        return Entities(entities=await graph.create_entities(entities))

    async def create_relations(self, relations: list[Relation]) -> Relations:
        """Create multiple new relations between entities in the knowledge graph. Relations should
        be in active voice"""
        graph = await self._graph()
        return Relations(relations=await graph.create_relations(relations))

    async def add_observations(self, observations: list[NewObservations]) -> Added:
        """Add new observations to existing entities in the knowledge graph"""
        graph = await self._graph()
        pairs = [(each.entityName, each.contents) for each in observations]
        added = await graph.add_observations(pairs)
        results = [
            AddedObservations(entityName=name, addedObservations=texts) for name, texts in added
        ]
        return Added(results=results)

    async def delete_entities(self, entityNames: list[str]) -> Deleted:
        """Delete multiple entities and their associated relations from the knowledge graph"""
        await (await self._graph()).delete_entities(entityNames)
        return Deleted(success=True, message="Entities deleted successfully")

    async def delete_observations(self, deletions: list[Deletion]) -> Deleted:
        """Delete specific observations from entities in the knowledge graph"""
        pairs = [(each.entityName, text) for each in deletions for text in each.observations]
        await (await self._graph()).delete_observations(pairs)
        return Deleted(success=True, message="Observations deleted successfully")

    async def delete_relations(self, relations: list[Relation]) -> Deleted:
        """Delete multiple relations from the knowledge graph"""
        await (await self._graph()).delete_relations(relations)
        return Deleted(success=True, message="Relations deleted successfully")

    async def read_graph(self) -> GraphAnswer:
        """Read the entire knowledge graph, as far as it fits: search_nodes finds the rest"""
        return _answer(await (await self._reader()).read())

    async def search_nodes(
        self, query: Annotated[str, Field(description="What to look for")]
    ) -> GraphAnswer:
        """Search for nodes in the knowledge graph based on a query"""
        graph = await self._reader()
        return _answer(await graph.search(query, use=not self._service.read_only))

    async def open_nodes(self, names: list[str]) -> GraphAnswer:
        """Open specific nodes in the knowledge graph by their names"""
        return _answer(await (await self._reader()).open(names))

    async def _graph(self) -> EntityGraph:
        return EntityGraph(await self._service.writable_graph())

    async def _reader(self) -> EntityGraph:
        return EntityGraph(await self._service.graph())


def _answer(graph: KnowledgeGraph) -> GraphAnswer:
    """Return a graph within the budget: entities first, then the relations."""
    entities, hidden = fitting(graph.entities, GRAPH_TOKENS * 3 // 4, Part.document)
    relations, more = fitting(graph.relations, GRAPH_TOKENS // 4, Part.document)
    return GraphAnswer(entities=entities, relations=relations, left_out=hidden + more or None)
