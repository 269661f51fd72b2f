"""Change of a realm's model: all its vectors, made anew beside the old ones and then replaced.

While new vectors are made, the old ones are searched. Once all are there, the change is announced,
readers wait for a moment, and the new vectors take the place of the old ones. Every step is stored
in the database, so that a run that was killed goes on where it stopped.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from pydantic import Field

from asterism.answer_changes import AnswerChange
from asterism.base_model import Frozen
from asterism.database import Database, Row
from asterism.embedding import Embedding, require_vectors
from asterism.embedding.embedding import STORED_SECONDS, measure
from asterism.embedding.protocol import Embedder, Vector
from asterism.errors import Conflict
from asterism.row_types import row_of

LABELS = (
    *("Memory", "Narrative", "Intent", "Consequence"),
    *("Actor", "Moment", "Space", "Thing"),
)
LINK = "LINK"
PAGE = 500
STORED_ROWS = 64  # so that a killed run loses little of a slow model's work
ANNOUNCED_SECONDS = STORED_SECONDS + 0.5  # every open graph has read the announcement by then

T = TypeVar("T")
OnProgress = Callable[[str, int, int], None]


@row_of("reembedding/read_nodes")
class _Node(Frozen):
    """Row of reembedding/read_nodes."""

    id: str
    text: str | None
    question: bool
    pending: bool


@row_of("reembedding/read_links")
class _Link(Frozen):
    """Row of reembedding/read_links."""

    id: str
    text: str | None
    start: list[float] | None
    end: list[float] | None
    pending: bool


class Reembedded(Frozen):
    """Result of a change of model: vectors made now, by kind, and those that could not follow."""

    realm: str
    before: str | None
    model: str
    dimensions: int
    vectors: dict[str, int] = Field(default_factory=dict)
    # vectors that went, since nothing says what they were of; memories are embedded once more
    without_text: dict[str, int] = Field(default_factory=dict)
    answers_changed: tuple[AnswerChange, ...] = ()


class Reembedding:
    """Replacement of all vectors of one realm by those of another model."""

    def __init__(self, database: Database, embedder: Embedder, on_progress: OnProgress) -> None:
        self._database = database
        self._embedder = embedder
        self._on_progress = on_progress
        self._total = self._count = 0
        self._made: dict[str, int] = {}
        self._without_text: dict[str, int] = {}

    async def run(self) -> Reembedded:
        """Make all vectors anew, or go on where an earlier run was interrupted."""
        name = self._embedder.name
        row = await self._database.row("reembedding/begin", model=name)
        if row is None:  # a realm without vectors: its model is named, that is all
            await Embedding(self._database, self._embedder).calibration()
            return self._result(None)
        if row["next_name"] != name:
            raise Conflict(
                f"the vectors of realm {self._database.realm!r} are being replaced by those of "
                f"{row['next_name']}: finish that first, with --model {row['next_name']}"
            )
        if row["name"] == name:
            await self._database.rows("reembedding/abandon")
            return self._result(name)
        await self._count_all()
        await self._make()
        await self._announce()
        await self._swap()
        await self._finish()
        return self._result(row["name"])

    async def _count_all(self) -> None:
        rows = await self._database.rows("reembedding/count")
        self._total = sum(row["count"] for row in rows)

    async def _make(self) -> None:
        """Embed what has no vector of the new model yet, nodes before the links between them."""
        for label in LABELS:
            async for page in self._nodes(label):
                await self._make_nodes(label, [row for row in page if row.pending])
        async for links in self._links():
            await self._make_links([row for row in links if row.pending])

    async def _make_nodes(self, label: str, nodes: list[_Node]) -> None:
        texts = [row for row in nodes if row.text and row.text.strip()]
        self._step("embedding", len(nodes) - len(texts))
        for part in _parts(texts, STORED_ROWS):
            vectors = await asyncio.to_thread(self._vectors, label, part)
            rows = [
                {"id": row.id, "label": label, "text": row.text, "vector": vector}
                for row, vector in zip(part, vectors, strict=True)
            ]
            await self._store("reembedding/store_next", label, rows)

    def _vectors(self, label: str, nodes: Sequence[_Node]) -> list[Vector]:
        """Embed texts as their part does: memories without case, answers as questions."""
        vectors = iter(
            self._embedder.embed_documents(
                [_document(label, row.text or "") for row in nodes if not row.question]
            )
        )
        made = [
            self._embedder.embed_query(row.text or "") if row.question else next(vectors)
            for row in nodes
        ]
        return require_vectors(made, self._embedder.dimensions)

    async def _make_links(self, links: list[_Link]) -> None:
        for part in _parts(links, STORED_ROWS):
            texts = [row.text for row in part if row.text and row.text.strip()]
            made = iter(await asyncio.to_thread(self._embedder.embed_documents, texts))
            rows = [
                {"id": row.id, "vector": vector}
                for row in part
                if (vector := next(made) if row.text and row.text.strip() else _middle(row))
            ]
            self._step("embedding", len(part) - len(rows))
            await self._store("reembedding/store_next_links", LINK, rows)

    async def _store(self, statement: str, kind: str, rows: list[Row]) -> None:
        stored = await self._database.rows(statement, model=self._embedder.name, rows=rows)
        self._made[kind] = self._made.get(kind, 0) + len(stored)
        self._step("embedding", len(rows))

    async def _announce(self) -> None:
        """Let readers wait, and wait ourselves until every open graph knows."""
        if not await self._database.rows("reembedding/announce", model=self._embedder.name):
            raise Conflict(
                f"another model was named for realm {self._database.realm!r} meanwhile: repeat this"
            )
        await asyncio.sleep(ANNOUNCED_SECONDS)

    async def _swap(self) -> None:
        self._count = 0
        for label in LABELS:
            async for page in self._nodes(label):
                rows = [{"id": row.id, "label": label} for row in page]
                await self._swap_rows("reembedding/swap_nodes", label, rows)
        async for links in self._links():
            rows = [{"id": row.id} for row in links]
            await self._swap_rows("reembedding/swap_links", LINK, rows)

    async def _swap_rows(self, statement: str, kind: str, rows: list[Row]) -> None:
        swapped = await self._database.rows(statement, model=self._embedder.name, rows=rows)
        count = sum(not row["followed"] for row in swapped)
        if count:
            self._without_text[kind] = self._without_text.get(kind, 0) + count
        self._step("replacing", len(swapped))

    async def _finish(self) -> None:
        calibration = await asyncio.to_thread(measure, self._embedder)
        await self._database.rows(
            "reembedding/finish",
            model=self._embedder.name,
            dimensions=self._embedder.dimensions,
            mean=calibration.mean,
            spread=calibration.spread,
        )

    async def _nodes(self, label: str) -> AsyncIterator[list[_Node]]:
        after = ""
        while rows := await self._database.rows(
            "reembedding/read_nodes",
            label=label,
            after=after,
            limit=PAGE,
            model=self._embedder.name,
        ):
            yield [_Node(**row) for row in rows]
            after = rows[-1]["id"]

    async def _links(self) -> AsyncIterator[list[_Link]]:
        after = ""
        while rows := await self._database.rows(
            "reembedding/read_links", after=after, limit=PAGE, model=self._embedder.name
        ):
            yield [_Link(**row) for row in rows]
            after = rows[-1]["id"]

    def _step(self, stage: str, count: int) -> None:
        self._count += count
        self._on_progress(stage, min(self._count, self._total), self._total)

    def _result(self, before: str | None) -> Reembedded:
        return Reembedded(
            realm=self._database.realm,
            before=before,
            model=self._embedder.name,
            dimensions=self._embedder.dimensions,
            vectors=self._made,
            without_text=self._without_text,
        )


def _document(label: str, text: str) -> str:
    return text.strip().lower() if label == "Memory" else text


def _middle(link: _Link) -> Vector | None:
    """Return the vector between the ends of a link that has no text, None where they have none."""
    ends = [np.asarray(vector, np.float64) for vector in (link.start, link.end) if vector]
    if not ends:
        return None
    total = np.sum(ends, axis=0)
    norm = float(np.linalg.norm(total))
    middle: Vector = (total / norm).tolist() if norm else []
    return middle or None


def _parts(rows: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (rows[first : first + size] for first in range(0, len(rows), size))
