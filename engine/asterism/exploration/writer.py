"""Writer of the nodes and links that explorations walk on, one or thousands at a time."""

import asyncio
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from asterism.database import Database, Row, Transaction
from asterism.embedding import Embedding, Vector, require_vectors
from asterism.errors import AsterismError, Conflict, InvalidInput, NotFound
from asterism.exploration.models import Link, LinkItem, Loaded, Node, NodeItem, caption, label_of
from asterism.row_types import row_of
from asterism.validation import parse_model

ATTEMPTS = 20
NODE_REMOVED = "Neo.ClientError.Statement.EntityNotFound"
Progress = Callable[[str, int, int], None]
Item = TypeVar("Item", NodeItem, LinkItem)


@row_of("exploration/create_nodes", "exploration/find_nodes")
class StoredNode(NamedTuple):
    """Row of exploration/create_nodes and exploration/find_nodes."""

    id: str
    labels: list[str]
    element_id: str


def node_row(item: NodeItem, embedding: Vector | None, model: str) -> Row:
    """Return a node as exploration/create_nodes takes it."""
    properties = item.model_dump(mode="json", exclude={"embedding"}, exclude_none=True)
    properties |= {"caption": caption(item.name), "embedding_model": model}
    return {"label": item.label, "properties": properties, "embedding": embedding}


def link_row(item: LinkItem, embedding: Vector | None) -> Row:
    """Return a link as exploration/create_links takes it, without its ends."""
    properties = item.model_dump(mode="json", exclude={"embedding", "a", "b"}, exclude_none=True)
    return {"properties": properties, "embedding": embedding}


class Writer:
    """Adds nodes and links, with a vector each if there is a text to embed."""

    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._embedding = embedding
        self._batch = database.settings.exploration.batch

    async def add(self, item: NodeItem) -> Node:
        """Add one node."""
        item = _with_id(item)
        await self._check_vectors([item.embedding])
        try:
            await self._create(await self._rows([item]))
        except Conflict as error:
            raise Conflict(
                f"id={item.id!r}: there is {item.kind.value} of this id already; "
                "take another id, or leave it out for one of its own"
            ) from error
        return Node(**item.model_dump(include=set(Node.model_fields)))

    async def link(self, item: LinkItem, labels: tuple[str | None, str | None]) -> Link:
        """Add one link between the nodes with these labels."""
        item = _with_id(item)
        nodes = await self._find_nodes([item.a, item.b])
        ends = [_end(nodes, id, label) for id, label in zip((item.a, item.b), labels, strict=True)]
        await self._check_vectors([item.embedding])
        [row] = await self._rows([item])
        row |= {"a": ends[0], "b": ends[1]}
        try:
            links = await self._run_again("exploration/create_links", rows=[row])
        except Conflict as error:
            raise Conflict(f"id={item.id!r}: there is a link of this id already") from error
        if not links:
            raise NotFound("node", f"{item.a} or {item.b}", "it was removed meanwhile")
        return Link(**item.model_dump(include=set(Link.model_fields)))

    async def load(
        self, nodes: Iterable[Any], links: Iterable[Any], on_progress: Progress | None
    ) -> Loaded:
        """Add nodes and links in batches. Those that exist already stay as they are."""
        report = on_progress or (lambda *progress: None)
        node_items = [_with_id(item) for item in _validated_items(NodeItem, nodes, "nodes")]
        link_items = [_with_id(item) for item in _validated_items(LinkItem, links, "links")]
        await self._check_vectors(item.embedding for item in (*node_items, *link_items))
        existing = await self._existing_ends(node_items, link_items)
        new_nodes = [node for node in node_items if node.label not in _labels(existing, node.id)]
        await self._add_nodes(new_nodes, existing, report)
        new_links = await self._without_existing(link_items)
        written = await self._add_links(new_links, existing, report)
        return Loaded(
            nodes=len(new_nodes),
            links=len(written),
            existing_nodes=len(node_items) - len(new_nodes),
            existing_links=len(link_items) - len(new_links),
            dropped_links=[str(link.id) for link in new_links if link.id not in written],
        )

    async def _existing_ends(
        self, nodes: Sequence[NodeItem], links: Sequence[LinkItem]
    ) -> dict[str, list[StoredNode]]:
        """Return the nodes of the graph with one of these ids, and refuse a link to nowhere."""
        ids = {str(node.id) for node in nodes}
        ends = {end for link in links for end in (link.a, link.b)}
        existing = await self._find_nodes(ids | ends)
        for end in sorted(ends - ids):
            _end(existing, end, None)
        return existing

    async def _add_nodes(
        self, nodes: Sequence[NodeItem], ends: dict[str, list[StoredNode]], report: Progress
    ) -> None:
        """Create nodes, and add them to `ends`."""
        for count, batch in self._batches(nodes):
            rows = await self._rows(batch)
            for row in await self._create(rows):
                ends.setdefault(row["id"], []).append(StoredNode(**row))
            report("nodes", count, len(nodes))

    async def _create(self, rows: list[Row]) -> list[Row]:
        """Create nodes, and join actors to what they said."""
        actors = [row["properties"]["id"] for row in rows if row["label"] == "Actor"]
        if not actors:
            return await self._database.rows("exploration/create_nodes", rows=rows)

        async def work(tx: Transaction) -> list[Row]:
            created = await tx.rows("exploration/create_nodes", rows=rows)
            await tx.rows("memories/join_speakers", actor_ids=actors)
            return created

        return await self._database.transaction(work, name="exploration/create_nodes")

    async def _add_links(
        self, links: Sequence[LinkItem], ends: dict[str, list[StoredNode]], report: Progress
    ) -> set[str]:
        """Create the links that still have both ends, and return their ids."""
        written: set[str] = set()
        for count, batch in self._batches(links):
            rows = await self._rows(batch)
            for row, link in zip(rows, batch, strict=True):
                row |= {"a": _end(ends, link.a, None), "b": _end(ends, link.b, None)}
            created = await self._run_again("exploration/create_links", rows=rows)
            written.update(row["id"] for row in created)
            report("links", count, len(links))
        return written

    async def _without_existing(self, links: Sequence[LinkItem]) -> list[LinkItem]:
        existing: set[str] = set()
        for _, batch in self._batches(links):
            ids = [link.id for link in batch]
            rows = await self._database.rows("exploration/existing_links", ids=ids)
            existing.update(row["id"] for row in rows)
        return [link for link in links if link.id not in existing]

    async def _find_nodes(self, ids: Iterable[str]) -> dict[str, list[StoredNode]]:
        nodes: dict[str, list[StoredNode]] = {}
        for _, batch in self._batches(sorted(set(ids))):
            for row in await self._run_again("exploration/find_nodes", ids=batch):
                nodes.setdefault(row["id"], []).append(StoredNode(**row))
        return nodes

    async def _run_again(self, name: str, **arguments: Any) -> list[Row]:
        """Run a statement, again if it met a node that was just being removed."""
        for _ in range(ATTEMPTS):
            try:
                return await self._database.rows(name, **arguments)
            except AsterismError as error:
                if getattr(error.__cause__, "code", None) != NODE_REMOVED:
                    raise
        raise Conflict(f"{name}: what it works on keeps being removed; repeat the call")

    async def _check_vectors(self, vectors: Iterable[Vector | None]) -> None:
        """Claim the realm's model, and refuse a vector that is not one of its own."""
        await self._embedding.calibration()
        dimensions = self._embedding.embedder.dimensions
        for _, batch in self._batches([vector for vector in vectors if vector is not None]):
            await asyncio.to_thread(require_vectors, batch, dimensions)

    async def _rows(self, items: Sequence[NodeItem | LinkItem]) -> list[Row]:
        """Return rows of items, with a vector made of their text where they bring none."""
        texts = [item.text for item in items if item.embedding is None and item.text.strip()]
        made = iter(await self._embedding.documents(texts))
        rows = []
        for item in items:
            embedding = item.embedding
            if embedding is None and item.text.strip():
                embedding = next(made)
            rows.append(
                node_row(item, embedding, self._embedding.embedder.name)
                if isinstance(item, NodeItem)
                else link_row(item, embedding)
            )
        return rows

    def _batches(self, items: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Return batches of items, each with the number of items up to its end."""
        for start in range(0, len(items), self._batch):
            batch = items[start : start + self._batch]
            yield start + len(batch), batch


def _validated_items(model: type[Any], items: Iterable[Any], argument: str) -> list[Any]:
    """Return items as instances of the model, and refuse a repeated id."""
    if isinstance(items, (str, Mapping)) or not isinstance(items, Iterable):
        raise InvalidInput(argument, items, f"give a list of {argument}")
    valid, ids = [], set()
    for place, value in enumerate(items):
        item = parse_model(model, value, f"{argument}[{place}].")
        if item.id is not None and item.id in ids:
            raise InvalidInput(f"{argument}[{place}].id", item.id, "it is given twice in this load")
        ids.add(item.id)
        valid.append(item)
    return valid


def _with_id(item: Item) -> Item:
    return item if item.id else item.model_copy(update={"id": str(uuid.uuid4())})


def _labels(nodes: dict[str, list[StoredNode]], id: str | None) -> set[str]:
    return {label_of(node.labels) for node in nodes.get(id or "", ())}


def _end(nodes: dict[str, list[StoredNode]], id: str, label: str | None) -> str:
    """Return the element id of a node, and refuse an id of two nodes without a label."""
    candidates = [node for node in nodes.get(id, ()) if label is None or label in node.labels]
    if not candidates:
        raise NotFound("node", id, "add it first")
    if len(candidates) > 1:
        labels = " and ".join(sorted(label_of(node.labels) for node in candidates))
        raise Conflict(f"{id!r} is a {labels} at once: say which by labels=(..., ...)")
    return candidates[0].element_id
