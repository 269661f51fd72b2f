"""Finds memories for a question: one small embedding, two reads, no model beyond that."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any

from engine.clock import Moment, aware
from engine.database import Database, Row
from engine.embedding import DEFAULT_SPREAD, Embedding, packed
from engine.errors import AsterismError, NotFound
from engine.memories import vectors
from engine.memories.hours import ActiveHours
from engine.memories.model import micros, moment
from engine.recall import question
from engine.recall.found import Found, faded
from engine.recall.model import Faded, Recall, WhyNot
from engine.recall.prompt import Prompt, prompt
from engine.recall.question import Narrowing
from engine.recall.reasons import why_not

EVERY_RANK = 100_000
WIDER = 10
LOG = logging.getLogger(__name__)
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
        at: Moment | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
        tags: Sequence[str] | None = None,
        session: str | None = None,
        minimum_strength: float = 0.0,
        archived: bool = False,
        touch: bool = False,
        on_progress: OnProgress | None = None,
    ) -> Recall:
        """The memories that answer a question, best first, each with its reason.

        `at` asks as of a time: strengths are those of then, and what was learned later is left
        out. Faded memories are found only with `archived=True`. Texts that have no vector yet get
        one first; after a bulk load that takes a while, and `on_progress` hears of it. With
        `touch=True` the hits count as used, which keeps them, once an hour each.
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
        found = await self._look(text, only, at, k, on_progress=on_progress)
        answer = found.recall(query)
        warnings = await self._touch([hit.id for hit in answer.hits]) if touch else ()
        return answer.model_copy(update={"warnings": warnings}) if warnings else answer

    async def context(
        self, query: str, *, tokens: int = 1000, k: int = 30, touch: bool = True, **narrowed: Any
    ) -> str:
        """The hits as text for a prompt, in time order, cut to a budget of tokens.

        What is handed out counts as used, unless `touch=False`.
        """
        return str(await self.prompt(query, tokens=tokens, k=k, touch=touch, **narrowed))

    async def prompt(
        self, query: str, *, tokens: int = 1000, k: int = 30, touch: bool = True, **narrowed: Any
    ) -> Prompt:
        """The same with what was left out counted."""
        text = prompt((await self.find(query, k=k, **narrowed)).hits, tokens)
        warnings = await self._touch(text.ids) if touch else ()
        return text.model_copy(update={"warnings": warnings}) if warnings else text

    async def _touch(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Note memories as used; an answer is never lost for it, the reason is returned."""
        if not ids:
            return ()
        try:
            await self._database.rows(
                "memories/touch",
                ids=sorted(ids),
                wall=micros(self._database.clock.now()),
                active=await self._hours.reading(),
            )
        except AsterismError as error:
            warning = f"what was found could not be noted as used, so it fades on: {error}"
            LOG.warning(warning)
            return (warning,)
        return ()

    async def why_not(self, query: str, id: str, *, k: int = 10, **narrowed: Any) -> WhyNot:
        """Where a memory stands for a question: rank, parts, and what it lacks for the first k."""
        text = question.asked(query, k)
        at = narrowed.get("at")
        only = question.narrowed(**narrowed)
        every = await self._look(text, only, at, k, also=id)
        told = await self._database.row("recall/standing", id=id)
        if told is None:
            raise NotFound("memory", id)
        return why_not(id, query, k, every, told)

    async def _look(
        self,
        query: str,
        only: Narrowing,
        at: Moment | None,
        k: int,
        *,
        also: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> Found:
        """The best k; with `also`, every rank there is, and that memory in any case."""
        pool = max(self._settings.pool_filtered if only.narrows else self._settings.pool, k)
        await self._embedding.stored()  # not beside another read, which opens a second connection
        asking = self._known(query, only, pool)
        vector, known = await asyncio.gather(self._embedding.query(query), asking)
        if known is None:
            return Found()
        if known["unembedded"]:
            await vectors.embed(self._database, self._embedding, on_progress=on_progress)
        scale = DEFAULT_SPREAD / (await self._embedding.peek()).spread
        rank = EVERY_RANK if also else k
        given = {"vector": packed(vector), "scale": scale, "k": rank, "also": also}
        given["only"] = self._only(only, at, known)
        found = await self._found(known, given, pool)
        while self._crowded(found, known, only, pool, k):
            pool = min(WIDER * pool, self._settings.pool_widest)
            known = await self._known(query, only, pool) or known
            found = await self._found(known, given, pool)
        return found

    def _crowded(self, found: Found, known: Row, only: Narrowing, pool: int, k: int) -> bool:
        """Whether what may not answer, such as faded memories, left too little room."""
        if pool >= min(found.memories, self._settings.pool_widest):
            return False
        if only.must() and len(known["worded"]) < pool:
            return False  # the words have brought all that it is narrowed to
        if only.narrows:
            return len(found.rows) < k
        return found.candidates < max(k, self._settings.pool) // 2

    async def _known(self, query: str, only: Narrowing, pool: int) -> Row | None:
        return await self._database.row(
            "recall/question",
            grams=question.grams(query),
            words=question.searched(query),
            must=only.must(),
            pool=pool,
        )

    async def _found(self, known: Row, given: Row, pool: int) -> Found:
        told = {key: known[key] for key in ("worded", "matched", "cap")}
        told["names"] = {name["key"]: name["worth"] for name in known["names"]}
        answer = await self._database.row("recall/find", pool=pool, **told, **given)
        faded = (
            tuple(self._faded(row, known, given["only"]) for row in answer["faded"])
            if answer
            else ()
        )
        return Found(answer, known["names"], int(known["total"]), given["only"], faded)

    def _faded(self, row: Row, known: Row, now: Row) -> Faded:
        clock, end = row["archived"]
        ended = moment(end) if clock == "wall" else self._hours.moment_of(known, end)
        return faded(row, now, ended)

    def _only(self, only: Narrowing, at: Moment | None, stored: Row) -> Row:
        """The narrowing as the statements read it, on both clocks."""
        return {
            "since": only.since,
            "until": only.until,
            "marks": only.marks,
            "minimum": only.minimum,
            "archived": only.archived,
            "wall": micros(self._database.clock.now() if at is None else aware(at)),
            "active": self._hours.counted(stored, at),
        }
