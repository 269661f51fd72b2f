"""Adds nodes and links to walk on, one or thousands at a time."""

import asyncio
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine.database import Database, Row
from engine.embedding import Embedding, Vector, checked
from engine.errors import AsterismError, Conflict, InvalidInput, NotFound
from engine.exploration.model import Link, LinkItem, Loaded, Node, NodeItem, label_of, parsed, short

ATTEMPTS = 20
REMOVED_MEANWHILE = "Neo.ClientError.Statement.EntityNotFound"
Progress = Callable[[str, int, int], None]


class Store:
    """Writes what is walked on."""

    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._embedding = embedding
        self._batch = database.settings.exploration.batch

    async def add(self, item: NodeItem) -> Node:
        """One node."""
        named = _named(item)
        [row] = await self._node_rows([named])
        try:
            await self._database.rows("exploration/create", rows=[row])
        except Conflict as error:
            raise Conflict(
                f"id={named.id!r}: there is {named.kind.value} of this id already; "
                "take another id, or leave it out for one of its own"
            ) from error
        return Node(**named.model_dump(exclude={"embedding", "type", "status"}))

    async def link(self, item: LinkItem, labels: tuple[str | None, str | None]) -> Link:
        """One link."""
        named = _named_link(item)
        ends = await self._elements([item.a, item.b])
        a, b = (_end(ends, id, label) for id, label in zip((item.a, item.b), labels, strict=True))
        [row] = await self._link_rows([named])
        try:
            rows = [{**row, "a": a, "b": b}]
            joined = await self._rows("exploration/join", rows=rows)
        except Conflict as error:
            raise Conflict(f"id={named.id!r}: there is a link of this id already") from error
        if not joined:
            raise NotFound("node", f"{item.a} or {item.b}", "it was removed meanwhile")
        kept = {"id", "a", "b", "synthesis", "polarity", "hierarchy"}
        kept |= {"permanence", "weight", "energy"}
        return Link(**named.model_dump(include=kept))

    async def load(
        self, nodes: Iterable[Any], links: Iterable[Any], on_progress: Progress | None
    ) -> Loaded:
        """Thousands of both, in batches; what is there already stays as it is."""
        step = on_progress or (lambda *told: None)
        told = [_named(item) for item in _parsed(NodeItem, nodes, "nodes")]
        joined = [_named_link(item) for item in _parsed(LinkItem, links, "links")]
        vectors = [node.embedding for node in told] + [link.embedding for link in joined]
        dimensions = await self._check(vectors)
        ends = await self._known_ends(told, joined)
        fresh = await self._add_all(told, dimensions, ends, step)
        new = await self._new_links(joined)
        written = await self._link_all(new, dimensions, ends, step)
        return Loaded(
            nodes=len(fresh),
            links=len(written),
            existing_nodes=len(told) - len(fresh),
            existing_links=len(joined) - len(new),
            dropped_links=[str(link.id) for link in new if link.id not in written],
        )

    async def _known_ends(
        self, nodes: Sequence[NodeItem], links: Sequence[LinkItem]
    ) -> dict[str, list[Row]]:
        """What is in the graph of all that is given; a link to nowhere is refused now."""
        given = {str(node.id) for node in nodes}
        ends = {end for link in links for end in (link.a, link.b)}
        known = await self._elements(given | ends)
        for end in sorted(ends - given):
            _end(known, end, None)
        return known

    async def _add_all(
        self, nodes: Sequence[NodeItem], dimensions: int, ends: dict[str, list[Row]], step: Progress
    ) -> list[NodeItem]:
        fresh = [node for node in nodes if _label(node) not in _labels(ends, node.id)]
        for at in range(0, len(fresh), self._batch):
            batch = fresh[at : at + self._batch]
            rows = await self._node_rows(batch, dimensions)
            for row in await self._database.rows("exploration/create", rows=rows):
                ends.setdefault(row["id"], []).append(row)
            step("nodes", at + len(batch), len(fresh))
        return fresh

    async def _link_all(
        self, links: Sequence[LinkItem], dimensions: int, ends: dict[str, list[Row]], step: Progress
    ) -> set[str]:
        """Join what still has both ends, and return the ids of these links."""
        written: set[str] = set()
        for at in range(0, len(links), self._batch):
            batch = links[at : at + self._batch]
            rows = await self._link_rows(batch, dimensions)
            for row, link in zip(rows, batch, strict=True):
                row |= {"a": _end(ends, link.a, None), "b": _end(ends, link.b, None)}
            written.update(row["id"] for row in await self._rows("exploration/join", rows=rows))
            step("links", at + len(batch), len(links))
        return written

    async def _new_links(self, links: Sequence[LinkItem]) -> list[LinkItem]:
        known: set[str] = set()
        for batch in _batches([link.id for link in links], self._batch):
            rows = await self._database.rows("exploration/known_links", ids=batch)
            known.update(row["id"] for row in rows)
        return [link for link in links if link.id not in known]

    async def _elements(self, ids: Iterable[str]) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        for batch in _batches(sorted(set(ids)), self._batch):
            for row in await self._rows("exploration/find", ids=batch):
                found.setdefault(row["id"], []).append(row)
        return found

    async def _rows(self, name: str, **arguments: Any) -> list[Row]:
        """Run a statement, and again where it came upon a node that was just being removed."""
        for _ in range(ATTEMPTS):
            try:
                return await self._database.rows(name, **arguments)
            except AsterismError as error:
                if getattr(error.__cause__, "code", None) != REMOVED_MEANWHILE:
                    raise
        raise Conflict(f"{name}: what it works on keeps being removed; repeat the call")

    async def _check(self, vectors: Iterable[Vector | None]) -> int:
        """The realm's model is claimed, and every vector given is one of its."""
        await self._embedding.calibration()
        dimensions = self._embedding.embedder.dimensions
        given = [vector for vector in vectors if vector is not None]
        for batch in _batches(given, self._batch):
            await asyncio.to_thread(checked, batch, dimensions)
        return dimensions

    async def _vectors(
        self, given: Sequence[Vector | None], texts: Sequence[str], checked_before: bool
    ) -> list[Vector | None]:
        """Vectors as given; those that were not are made from the texts, if there are any."""
        if not checked_before:
            await self._check(given)
        lacking = [at for at, vector in enumerate(given) if vector is None and texts[at].strip()]
        made = await self._embedding.documents([texts[at] for at in lacking])
        found = list(given)
        for at, vector in zip(lacking, made, strict=True):
            found[at] = vector
        return found

    async def _node_rows(self, items: Sequence[NodeItem], dimensions: int = 0) -> list[Row]:
        texts = [item.synthesis or item.content or item.name for item in items]
        vectors = await self._vectors([i.embedding for i in items], texts, bool(dimensions))
        model = self._embedding.embedder.name
        rows = []
        for item, vector in zip(items, vectors, strict=True):
            properties = item.model_dump(mode="json", exclude={"embedding"}, exclude_none=True)
            properties |= {"caption": short(item.name), "embedding_model": model}
            row = {"label": _label(item), "properties": properties, "embedding": vector}
            rows.append(row)
        return rows

    async def _link_rows(self, items: Sequence[LinkItem], dimensions: int = 0) -> list[Row]:
        texts = [item.synthesis for item in items]
        vectors = await self._vectors([i.embedding for i in items], texts, bool(dimensions))
        rows = []
        for item, vector in zip(items, vectors, strict=True):
            left_out = {"embedding", "a", "b"}
            properties = item.model_dump(mode="json", exclude=left_out, exclude_none=True)
            rows.append({"properties": properties, "embedding": vector})
        return rows


def _parsed(model: type[Any], given: Iterable[Any], argument: str) -> list[Any]:
    """Items as the model has them; an id that is given twice is refused."""
    if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable):
        raise InvalidInput(argument, given, f"give a list of {argument}")
    items, seen = [], set()
    for at, raw in enumerate(given):
        item = parsed(model, raw, f"{argument}[{at}].")
        if item.id is not None and item.id in seen:
            raise InvalidInput(f"{argument}[{at}].id", item.id, "it is given twice in this load")
        seen.add(item.id)
        items.append(item)
    return items


def _named(item: NodeItem) -> NodeItem:
    return item if item.id else item.model_copy(update={"id": str(uuid.uuid4())})


def _named_link(item: LinkItem) -> LinkItem:
    return item if item.id else item.model_copy(update={"id": str(uuid.uuid4())})


def _label(item: NodeItem) -> str:
    return item.kind.value.capitalize()


def _labels(found: dict[str, list[Row]], id: str | None) -> set[str]:
    return {label_of(row["labels"]) for row in found.get(id or "", ()) if row.get("labels")}


def _end(found: dict[str, list[Row]], id: str, label: str | None) -> str:
    """The node of this id; two of them need a label to tell which."""
    rows = [row for row in found.get(id, ()) if label is None or label in row["labels"]]
    if not rows:
        raise NotFound("node", id, "add it first")
    if len(rows) > 1:
        labels = " and ".join(sorted(label_of(row["labels"]) for row in rows))
        raise Conflict(f"{id!r} is a {labels} at once: say which by labels=(..., ...)")
    return str(rows[0]["element"])


def _batches(items: Sequence[Any], size: int) -> list[Any]:
    return [items[at : at + size] for at in range(0, len(items), size)]
