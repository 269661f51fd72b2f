"""Public methods of explorations: add and link nodes, explore, stream, list and undo runs."""

import asyncio
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any

from asterism.database import Database
from asterism.embedding import Embedding
from asterism.errors import InvalidInput
from asterism.exploration.committer import undo
from asterism.exploration.confirmation import Confirmations, Confirmed, NarrativeSummary
from asterism.exploration.event_log import OnEvent
from asterism.exploration.guided.embedding_cache import EmbeddingCache
from asterism.exploration.guided.guided_task import GuidedTask
from asterism.exploration.models import (
    KINDS,
    Kind,
    Link,
    LinkItem,
    Loaded,
    Node,
    NodeItem,
    RunSummary,
    Undone,
)
from asterism.exploration.query import (
    Query,
    valid_numbers,
    valid_settings,
    valid_timeout,
    valid_vector,
    with_mode,
)
from asterism.exploration.result import Exploration
from asterism.exploration.run import BeforeCommit, Run
from asterism.exploration.stream import Stream
from asterism.exploration.task import LiteralTask, Request, Task
from asterism.exploration.writer import Progress, Writer
from asterism.recall.recall import Search
from asterism.settings import ExplorationSettings
from asterism.validation import parse_model, require_text, require_whole

MOST_RUNS = 100_000
SettingsChange = ExplorationSettings | Mapping[str, Any] | None


class Explorer:
    """Explorations of one realm."""

    def __init__(self, database: Database, embedding: Embedding, recall: Search) -> None:
        self._database = database
        self._embedding = embedding
        self._recall = recall
        self._cache = EmbeddingCache(embedding)
        self._confirmations = Confirmations(database, embedding, self._cache)
        self._writer = Writer(database, embedding)
        self._slots = asyncio.Semaphore(database.settings.exploration.concurrent)

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
        """Add a node to walk on. `type` and `status` are accepted too.

        Without an embedding one is made of the synthesis, the content or the name.
        """
        values: dict[str, Any] = {"kind": kind, "name": name, "id": id, "content": content, **more}
        values |= {"synthesis": synthesis, "embedding": _numbers(embedding)}
        values |= {"permanence": permanence, "weight": weight, "energy": energy}
        return await self._writer.add(parse_model(NodeItem, values))

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
        """Link two nodes. joy_sadness, trust_disgust, fear_anger, surprise_anticipation are -1..1.

        Without an embedding one is made of the synthesis. Without that too, the far node's is
        used. `labels` distinguish a Star from a Thing with the same id.
        """
        _refuse_labels(labels)
        values: dict[str, Any] = {"a": a, "b": b, "id": id, "synthesis": synthesis, **emotions}
        values |= {"embedding": _numbers(embedding), "polarity": polarity}
        values |= {"hierarchy": hierarchy, "permanence": permanence}
        values |= {"weight": weight, "energy": energy}
        return await self._writer.link(parse_model(LinkItem, values), labels)

    async def load(
        self,
        nodes: Iterable[NodeItem | Mapping[str, Any]] = (),
        links: Iterable[LinkItem | Mapping[str, Any]] = (),
        *,
        on_progress: Progress | None = None,
    ) -> Loaded:
        """Add thousands of nodes and links, calling `on_progress("nodes", count, total)`.

        Those that exist already stay as they are, so an interrupted load can be repeated.
        """
        return await self._writer.load(nodes, links, on_progress)

    async def explore(
        self,
        actor: str | None,
        query: str,
        intention: str | None = None,
        *,
        mode: str | None = None,
        keep: bool = False,
        query_embedding: Sequence[float] | None = None,
        intention_embedding: Sequence[float] | None = None,
        start: str | None = None,
        start_label: str | None = None,
        dry_run: bool = False,
        # It ends with what was found so far, which a caller's own timeout would throw away.
        timeout: float | None = None,  # noqa: ASYNC109
        settings: SettingsChange = None,
        on_event: OnEvent | None = None,
        run_id: str | None = None,
        cancel: asyncio.Event | None = None,
        before_commit: BeforeCommit | None = None,
    ) -> Exploration:
        """Find what answers a question, what joins the findings, and what lies around them.

        It starts where recall finds, at the best of the other parts, and at the actor, or else at
        `start`. With `mode="literal"` it walks from the actor by the rules of the source document.
        `actor` may be None, for nobody in particular. `keep=True` writes a narrative even where
        nothing joins two findings. A dry run changes nothing. `timeout` is in seconds, 30 unless
        the settings say otherwise. Setting `cancel` ends the walk within a tick, unwritten.
        `on_event` gets every event as it happens, and is awaited if it is async.
        `before_commit` is awaited after the walk, within its time: an error of it discards all.
        """
        run_settings = valid_settings(settings, self._database.settings.exploration)
        run_settings = with_mode(run_settings, mode, actor)
        seconds = valid_timeout(timeout, run_settings)
        request = Query(
            actor,
            query,
            intention,
            start,
            start_label,
            valid_vector("query_embedding", query_embedding, self._embedding),
            valid_vector("intention_embedding", intention_embedding, self._embedding),
        )
        dry_run_id = request.dry_run_id(self._database.realm, run_settings) if dry_run else None
        async with AsyncExitStack() as slot:
            await slot.enter_async_context(self._slots)

            async def confirm() -> None:
                """Free the slot for other explorations while this one waits."""
                await slot.aclose()
                if before_commit is not None:
                    await before_commit()

            run = Run(
                self._database,
                self._embedding,
                request,
                _run_id(run_id, dry_run_id),
                run_settings,
                seconds,
                self._tasks(run_settings, keep),
                dry_run,
                on_event,
                cancel if cancel is not None else asyncio.Event(),
                confirm if before_commit else None,
            )
            return await run.execute()

    def _tasks(self, settings: ExplorationSettings, keep: bool) -> Callable[[Request], Task]:
        """Return what makes the task of a run by its mode."""
        if settings.mode == "literal":
            return LiteralTask
        return lambda request: GuidedTask(request, self._recall, self._cache, keep=keep)

    async def confirm(self, run_id: str, ids: Sequence[str]) -> Confirmed:
        """Confirm memories as the answer to the question of a run, which lifts them in recall.

        Recall has them higher for the same question and for nearly the same. `unconfirm` and `undo`
        take it back.
        """
        return await self._confirmations.confirm(run_id, ids)

    async def unconfirm(self, run_id: str, ids: Sequence[str] | None = None) -> Confirmed:
        """Withdraw confirmations of the question of a run, all of them without ids."""
        return await self._confirmations.unconfirm(run_id, ids)

    async def narratives(self, limit: int = 20) -> list[NarrativeSummary]:
        """Return the answers that explorations wrote and people confirmed, newest first."""
        require_whole("limit", limit, 1, MOST_RUNS)
        return await self._confirmations.narratives(limit)

    def stream(
        self, actor: str | None, query: str, intention: str | None = None, **options: Any
    ) -> Stream:
        """Explore, as an async iterator of events. Its `result()` is the exploration.

        Nothing is written until the reader has read on to the commit, or calls `result()`.
        """
        listener = options.pop("on_event", None)
        before_commit = options.pop("before_commit", None)

        def begin(on_event: OnEvent, wait_until_read: BeforeCommit) -> Any:
            def both(event: Any) -> Any:
                on_event(event)
                return listener(event) if listener is not None else None

            async def confirm() -> None:
                await wait_until_read()
                if before_commit is not None:
                    await before_commit()

            return self.explore(
                actor, query, intention, on_event=both, before_commit=confirm, **options
            )

        return Stream(begin, self._database.settings.exploration.event_queue)

    async def runs(self, limit: int = 20) -> list[RunSummary]:
        """Return the latest explorations that were committed, newest first."""
        require_whole("limit", limit, 1, MOST_RUNS)
        rows = await self._database.rows("exploration/runs", limit=limit)
        return [RunSummary(**row) for row in rows]

    async def undo(self, run_id: str) -> Undone:
        """Restore what a run changed, except where something has changed it since."""
        return await undo(self._database, require_text("run_id", run_id))


def _refuse_labels(labels: Any) -> None:
    pair = isinstance(labels, (tuple, list)) and len(labels) == 2
    if not pair or not all(label is None or label in KINDS for label in labels):
        remedy = f"give a pair of None or one of {', '.join(KINDS)}"
        raise InvalidInput("labels", labels, remedy)


def _run_id(run_id: str | None, dry_run_id: str | None) -> str:
    return dry_run_id or str(uuid.uuid4()) if run_id is None else require_text("run_id", run_id)


def _numbers(vector: Sequence[float] | None) -> list[float] | None:
    return None if vector is None else valid_numbers("embedding", vector)
