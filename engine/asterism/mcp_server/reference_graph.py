"""Graph of entities and relations, kept as text memories that recall finds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ConfigDict, Field

from asterism.errors import Conflict, NotFound
from asterism.graph import Graph
from asterism.mcp_server.answers import Part
from asterism.memories.files.entity_graph import (
    PARTS,
    entity_fields,
    entity_id,
    observation_id,
    observations_fields,
    relation_fields,
    relation_id,
)
from asterism.memories.models import Memory

MOST_VALUES = 100  # of one condition of a filter
MOST_HITS = 20


class Entity(Part):
    model_config = ConfigDict(extra="ignore")

    name: str = Field(min_length=1)
    entityType: str = Field(min_length=1)  # the reference server's spelling
    observations: list[str]


class Relation(Part):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)

    source: str = Field(alias="from", min_length=1)
    to: str = Field(min_length=1)
    relationType: str = Field(min_length=1)

    @property
    def id(self) -> str:
        return relation_id(self.source, self.to, self.relationType)


@dataclass
class KnowledgeGraph:
    """Entities and relations, each in the order in which they were stored."""

    entities: list[Entity] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)


class EntityGraph:
    """Reads and changes the entities and relations of one realm."""

    def __init__(self, graph: Graph) -> None:
        self._memories = graph.memories
        self._recall = graph.recall
        self._least = graph.settings.recall.context_minimum

    async def create_entities(self, entities: Sequence[Entity]) -> list[Entity]:
        """Store entities with their observations, and return those that are new."""
        stored = await self._stored_ids(entity_id(each.name) for each in entities)
        new = {each.name: each for each in entities if entity_id(each.name) not in stored}
        items = []
        for entity in new.values():
            items.append(entity_fields(entity.name, entity.entityType))
            items += observations_fields(entity.name, entity.observations)
        await self._remember(items)
        return list(new.values())

    async def create_relations(self, relations: Sequence[Relation]) -> list[Relation]:
        """Store relations, and return those that are new."""
        stored = await self._stored_ids(each.id for each in relations)
        new = {each.id: each for each in relations if each.id not in stored}
        fields = (relation_fields(each.source, each.to, each.relationType) for each in new.values())
        await self._remember(list(fields))
        return list(new.values())

    async def add_observations(
        self, observations: Sequence[tuple[str, list[str]]]
    ) -> list[tuple[str, list[str]]]:
        """Store observations of entities that are there, and return those that are new."""
        entities = await self._stored_ids(entity_id(name) for name, _ in observations)
        for name, _ in observations:
            if entity_id(name) not in entities:
                raise NotFound("entity", name, "create it first")
        pairs = [(name, text) for name, texts in observations for text in texts]
        stored = await self._stored_ids(observation_id(*pair) for pair in pairs)
        added = []
        for name, texts in observations:
            new = [
                text for text in dict.fromkeys(texts) if observation_id(name, text) not in stored
            ]
            stored |= {observation_id(name, text) for text in new}
            added.append((name, new))
        items = [each for name, texts in added for each in observations_fields(name, texts)]
        await self._remember(items)
        return added

    async def delete_entities(self, names: Sequence[str]) -> None:
        """Remove entities with their observations and all their relations."""
        for some in _batches(names):
            for key in ("entity", "to"):
                where: dict[str, Any] = {"part": {"in": list(PARTS)}, key: {"in": some}}
                await self._memories.forget_where(where=where, dry_run=False)

    async def delete_observations(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Remove observations of entities."""
        await self._forget([observation_id(*pair) for pair in pairs])

    async def delete_relations(self, relations: Sequence[Relation]) -> None:
        """Remove relations."""
        await self._forget([each.id for each in relations])

    async def read(self) -> KnowledgeGraph:
        """Return all entities and relations."""
        return _assembled(await self._where({"part": {"in": list(PARTS)}}))

    async def open(self, names: Sequence[str]) -> KnowledgeGraph:
        """Return entities by name, and the relations from and to them."""
        memories: dict[str, Memory] = {}
        for some in _batches(names):
            for key in ("entity", "to"):
                where = {"part": {"in": list(PARTS)}, key: {"in": some}}
                memories |= {each.id: each for each in await self._where(where)}
        return _assembled(list(memories.values()))

    async def search(self, query: str, *, use: bool) -> KnowledgeGraph:
        """Return the entities that recall finds for a query, with their relations."""
        where = {"part": {"in": list(PARTS)}}
        answer = await self._recall.find(query, k=MOST_HITS, where=where, touch=use)
        hits = answer.hits if answer.certainty.reaches(self._least) else ()
        names = [
            str(hit.metadata[key])
            for hit in hits
            for key in ("entity", "to")
            if key in hit.metadata
        ]
        return await self.open(list(dict.fromkeys(names)))

    async def _where(self, where: dict[str, Any]) -> list[Memory]:
        return [each async for each in self._memories.each(where=where, order="oldest")]

    async def _stored_ids(self, ids: Iterable[str]) -> set[str]:
        unique = list(dict.fromkeys(ids))
        if not unique:
            return set()
        return {each.id async for each in self._memories.each(ids=unique)}

    async def _remember(self, items: list[dict[str, Any]]) -> None:
        receipt = await self._memories.remember_many(items)
        if receipt.rejected:
            raise Conflict("; ".join(each.reason for each in receipt.rejected[:3]))

    async def _forget(self, ids: list[str]) -> None:
        if ids:
            await self._memories.forget_where(ids=ids, dry_run=False)


def _assembled(memories: Iterable[Memory]) -> KnowledgeGraph:
    """Return what memories hold: entities that are there, and relations, oldest first."""
    graph = KnowledgeGraph()
    entities: dict[str, Entity] = {}
    observations: list[tuple[str, str]] = []
    for memory in sorted(memories, key=_place):
        fields = {key: str(value) for key, value in memory.metadata.items()}
        name = fields["entity"]
        if fields["part"] == "entity":
            entities[name] = Entity(name=name, entityType=fields["entity_type"], observations=[])
        elif fields["part"] == "observation":
            observations.append((name, memory.text or ""))
        else:
            relation = Relation(source=name, to=fields["to"], relationType=fields["relation"])
            graph.relations.append(relation)
    for name, text in observations:
        if name in entities:
            entities[name].observations.append(text)
    graph.entities = list(entities.values())
    return graph


def _place(memory: Memory) -> tuple[Any, ...]:
    """Return where a memory comes: by its time, and by its order among those of one call."""
    fields = memory.metadata
    return memory.first_seen, fields["entity"], fields.get("place", 0), str(fields.get("to"))


def _batches(names: Sequence[str]) -> Iterator[list[str]]:
    unique = list(dict.fromkeys(names))
    for start in range(0, len(unique), MOST_VALUES):
        yield unique[start : start + MOST_VALUES]
