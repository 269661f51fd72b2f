"""Explorations: SubEntities that walk the graph with a question, and change what they walk."""

import asyncio
import uuid
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any

from engine.database import Database
from engine.embedding import Embedding
from engine.errors import InvalidInput
from engine.exploration.asking import (
    Asking,
    looking_id,
    valid_settings,
    valid_text,
    valid_timeout,
)
from engine.exploration.events import OnEvent
from engine.exploration.model import (
    KINDS,
    Kind,
    Link,
    LinkItem,
    Loaded,
    Node,
    NodeItem,
    RunSummary,
    Undone,
    parsed,
)
from engine.exploration.outing import Outing
from engine.exploration.result import Exploration
from engine.exploration.store import Progress, Store
from engine.exploration.stream import BeforeCommit, Stream
from engine.exploration.undo import undo
from engine.settings import ExplorationSettings

MOST_RUNS = 100_000
Config = ExplorationSettings | Mapping[str, Any] | None


class Explorer:
    """Walks the graph of one realm."""

    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._embedding = embedding
        self._store = Store(database, embedding)
        self._turns = asyncio.Semaphore(database.settings.exploration.concurrent)

    async def add(
        self,
        kind: Kind | str,
        name: str,
        *,
        id: str | None = None,
        content: str = "",
        synthesis: str = "",
        embedding: Sequence[float] | None = None,
        permanence: float = 0.5,
        weight: float = 1.0,
        energy: float = 0.0,
        **more: Any,
    ) -> Node:
        """Add a node to walk on; `type` and `status` may be given too.

        Without an embedding one is made of the synthesis, the content or the name.
        """
        given: dict[str, Any] = {"kind": kind, "name": name, "id": id, "content": content}
        given |= {"synthesis": synthesis, "permanence": permanence, "weight": weight}
        given |= {"energy": energy, "embedding": _listed(embedding), **more}
        item: NodeItem = parsed(NodeItem, given)
        return await self._store.add(item)

    async def link(
        self,
        a: str,
        b: str,
        *,
        id: str | None = None,
        synthesis: str = "",
        embedding: Sequence[float] | None = None,
        polarity: tuple[float, float] = (0.5, 0.5),
        hierarchy: float = 0.0,
        permanence: float | None = 0.5,
        weight: float = 1.0,
        energy: float = 0.0,
        labels: tuple[str | None, str | None] = (None, None),
        **emotions: float,
    ) -> Link:
        """Link two nodes; joy_sadness, trust_disgust, fear_anger, surprise_anticipation are -1..1.

        Without an embedding one is made of the synthesis; without that either, the far node's
        stands in. `labels` tell a Star from a Thing of the same id.
        """
        given: dict[str, Any] = {"a": a, "b": b, "id": id, "synthesis": synthesis}
        given |= {"polarity": polarity, "hierarchy": hierarchy, "permanence": permanence}
        given |= {"weight": weight, "energy": energy, "embedding": _listed(embedding), **emotions}
        item: LinkItem = parsed(LinkItem, given)
        _refuse_labels(labels)
        return await self._store.link(item, labels)

    async def load(
        self,
        nodes: Iterable[NodeItem | Mapping[str, Any]] = (),
        links: Iterable[LinkItem | Mapping[str, Any]] = (),
        *,
        on_progress: Progress | None = None,
    ) -> Loaded:
        """Add thousands of nodes and links; `on_progress` is told ("nodes", done, all).

        What is there already stays as it is, so an interrupted load can be repeated.
        """
        return await self._store.load(nodes, links, on_progress)

    async def explore(
        self,
        actor: str,
        query: str,
        intention: str | None = None,
        *,
        query_embedding: Sequence[float] | None = None,
        intention_embedding: Sequence[float] | None = None,
        start: str | None = None,
        start_label: str | None = None,
        dry_run: bool = False,
        # It ends with what was found so far, which a caller's own timeout would throw away.
        timeout: float | None = None,  # noqa: ASYNC109
        settings: Config = None,
        on_event: OnEvent | None = None,
        run_id: str | None = None,
        cancel: asyncio.Event | None = None,
        before_commit: BeforeCommit | None = None,
    ) -> Exploration:
        """Walk with a question and the reason for it; find, and leave the graph changed.

        Starts at the actor, or at `start`. A dry run changes nothing. `timeout` is in seconds, 30
        unless the settings say otherwise. Setting `cancel` ends the walk within a tick, unwritten.
        `on_event` is told everything as it happens; if it is async, the walk waits for it.
        `before_commit` is awaited after the walk, within its time: an error of it discards all.
        """
        chosen = valid_settings(settings, self._database.settings.exploration)
        seconds = valid_timeout(timeout, chosen)
        valid_text("actor", actor)
        valid_text("query", query)
        optional = {"intention": intention, "start": start}
        optional |= {"start_label": start_label, "run_id": run_id}
        for name, text in optional.items():
            if text is not None:
                valid_text(name, text)
        asking = Asking(self._database, self._embedding, writes=not dry_run)
        vectors = (
            asking.given("query_embedding", query_embedding),
            asking.given("intention_embedding", intention_embedding),
        )
        looking = looking_id(self._database.realm, actor, query, intention, start, chosen)
        id = run_id or (looking if dry_run else str(uuid.uuid4()))
        async with AsyncExitStack() as turn:
            await turn.enter_async_context(self._turns)

            async def confirm() -> None:
                """Wait without keeping other explorations from their turn."""
                await turn.aclose()
                if before_commit is not None:
                    await before_commit()

            outing = Outing(
                self._database,
                asking,
                chosen,
                run_id=id,
                seconds=seconds,
                dry_run=dry_run,
                on_event=on_event,
                cancel=cancel,
                before_commit=confirm if before_commit else None,
            )
            return await outing.go(actor, query, intention, vectors, (start, start_label))

    def stream(
        self, actor: str, query: str, intention: str | None = None, **options: Any
    ) -> Stream:
        """The same, as an async iterator of events; its `result()` is the exploration.

        Nothing is written until the reader has read on to the commit, or calls `result()`.
        """
        listener = options.pop("on_event", None)
        before_commit = options.pop("before_commit", None)

        def begin(on_event: OnEvent, read_out: BeforeCommit) -> Any:
            def both(event: Any) -> Any:
                on_event(event)
                return listener(event) if listener is not None else None

            async def confirm() -> None:
                await read_out()
                if before_commit is not None:
                    await before_commit()

            return self.explore(
                actor, query, intention, on_event=both, before_commit=confirm, **options
            )

        return Stream(begin, self._database.settings.exploration.event_queue)

    async def runs(self, limit: int = 20) -> list[RunSummary]:
        """The latest explorations that were committed, newest first."""
        whole = isinstance(limit, int) and not isinstance(limit, bool)
        if not whole or not 1 <= limit <= MOST_RUNS:
            raise InvalidInput("limit", limit, f"a whole number from 1 to {MOST_RUNS}")
        rows = await self._database.rows("exploration/runs", limit=limit)
        return [RunSummary(**row) for row in rows]

    async def undo(self, run_id: str) -> Undone:
        """Restore what a run changed where nothing touched it since, and say what was left."""
        return await undo(self._database, valid_text("run_id", run_id))


def _refuse_labels(labels: Any) -> None:
    pair = isinstance(labels, (tuple, list)) and len(labels) == 2
    if not pair or not all(label is None or label in KINDS for label in labels):
        remedy = f"give a pair of None or one of {', '.join(KINDS)}"
        raise InvalidInput("labels", labels, remedy)


def _listed(vector: Sequence[float] | None) -> list[float] | None:
    try:
        return None if vector is None else [float(value) for value in vector]
    except (TypeError, ValueError) as error:
        raise InvalidInput("embedding", vector, "give a list of numbers") from error
