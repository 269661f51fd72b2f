"""Finds memories for a question: one small embedding, three reads, no model beyond that."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from engine.clock import aware
from engine.database import Database, Row
from engine.embedding import DEFAULT_SPREAD, Embedding
from engine.errors import NotFound
from engine.memories import vectors
from engine.memories.hours import ActiveHours
from engine.memories.model import micros
from engine.recall import question
from engine.recall.model import Recall, WhyNot
from engine.recall.prompt import Prompt, prompt
from engine.recall.question import Narrowing
from engine.recall.ranking import Ranking
from engine.recall.reasons import why_not

EVERY_RANK = 100_000
OnProgress = Callable[[int], None]


class Search:
    """The right memories for a question, with the reason."""

    def __init__(self, database: Database, embedding: Embedding, hours: ActiveHours) -> None:
        self._database = database
        self._embedding = embedding
        self._hours = hours
        self._settings = database.settings.recall

    async def find(
        self,
        query: str,
        *,
        k: int = 10,
        at: datetime | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        tags: Sequence[str] | None = None,
        session: str | None = None,
        minimum_strength: float = 0.0,
        archived: bool = False,
        on_progress: OnProgress | None = None,
    ) -> Recall:
        """The memories that answer a question, best first, each with its reason.

        `at` asks as of a time: strengths are those of then, and what was learned later is left
        out. Faded memories are found only with `archived=True`. Texts that have no vector yet get
        one first; after a bulk load that takes a while, and `on_progress` hears of it.
        """
        text = question.asked(query, k)
        only = question.narrowed(
            at=at,
            since=since,
            until=until,
            tags=tags,
            session=session,
            minimum_strength=minimum_strength,
            archived=archived,
        )
        ranking = await self._rank(text, only, at, on_progress)
        rows = await self._database.rows("recall/find", **ranking.hop(k)) if ranking.ids else []
        return Recall(
            query=query,
            hits=tuple(ranking.hit(row) for row in rows),
            names=tuple(name["key"] for name in ranking.names),
            memories=ranking.memories,
            candidates=len(ranking.ids),
        )

    async def context(self, query: str, *, tokens: int = 1000, k: int = 30, **narrowed: Any) -> str:
        """The hits as text for a prompt, in time order, cut to a budget of tokens."""
        return str(await self.prompt(query, tokens=tokens, k=k, **narrowed))

    async def prompt(
        self, query: str, *, tokens: int = 1000, k: int = 30, **narrowed: Any
    ) -> Prompt:
        """The same with what was left out counted."""
        return prompt((await self.find(query, k=k, **narrowed)).hits, tokens)

    async def why_not(self, query: str, id: str, *, k: int = 10, **narrowed: Any) -> WhyNot:
        """Where a memory stands for a question: rank, parts, and what it lacks for the first k."""
        text = question.asked(query, k)
        at = narrowed.get("at")
        only = question.narrowed(**narrowed)
        ranking = await self._rank(text, only, at)
        told = await self._database.row("recall/standing", id=id)
        if told is None:
            raise NotFound("memory", id)
        every = ranking.hop(EVERY_RANK, also=id) if ranking.ids else None
        rows = await self._database.rows("recall/find", **every) if every else []
        return why_not(id, query, k, rows, ranking, told)

    async def _rank(
        self,
        query: str,
        only: Narrowing,
        at: datetime | None,
        on_progress: OnProgress | None = None,
    ) -> Ranking:
        spread = (await self._embedding.calibration()).spread
        asking = self._database.row(
            "recall/question",
            grams=question.grams(query),
            words=question.searched(query),
            must=only.must(),
        )
        vector, known = await asyncio.gather(self._embedding.query(query), asking)
        if known is None:
            return Ranking(self._settings, {"names": []}, 0.0, 0, {"ids": []})
        if known["unembedded"]:
            await vectors.embed(self._database, self._embedding, on_progress=on_progress)
        shared = {
            "vector": vector,
            "names": known["names"],
            "scale": DEFAULT_SPREAD / spread,
            "only": self._only(only, at, known["active"]),
        }
        total, settings = int(known["total"]), self._settings
        pool = settings.pool_filtered if only.narrows else settings.pool
        asked = shared | {"text": known["text"]}
        found = await self._database.row("recall/candidates", pool=pool, **asked)
        few = found is None or len(found["ids"]) < min(pool, total) // 2
        if few and not only.narrows:
            # Most of the nearest have faded: the living ones stand further back.
            wide = settings.pool_filtered
            found = await self._database.row("recall/candidates", pool=wide, **asked)
        return Ranking(settings, shared, known["cap"], total, found or {"ids": []})

    def _only(self, only: Narrowing, at: datetime | None, active: int) -> Row:
        """The narrowing as the statements read it, on both clocks."""
        now = self._database.clock.now()
        moment = micros(aware(at) if at else now)
        return {
            "since": only.since,
            "until": only.until,
            "marks": only.marks,
            "minimum": only.minimum,
            "archived": only.archived,
            "wall": moment,
            "active": self._hours.counted(active) + moment - micros(now),
        }
