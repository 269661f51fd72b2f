"""Confirmation: people say which memories answered a question, and recall lifts these for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict, cast

import numpy as np

from asterism.base_model import Frozen
from asterism.database import Database, Row, Transaction
from asterism.embedding import Embedding
from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.exploration.guided import narrative
from asterism.exploration.guided.embedding_cache import EmbeddingCache
from asterism.exploration.guided.narrative import Quote
from asterism.row_types import row_of
from asterism.validation import require_text


class Confirmed(Frozen):
    """Memories that are confirmed as the answer to a question, after a change of them."""

    run_id: str
    narrative: str | None
    question: str
    confirmed: list[str]
    changed: list[str]


class QuotedMemory(Frozen):
    """A memory that a narrative quotes. `confirmed` is when a person confirmed it."""

    id: str
    text: str
    rank: int | None
    value: float | None
    confirmed: datetime | None


@row_of("exploration/narratives")
class NarrativeSummary(Frozen):
    """An answer that an exploration gave, or that a person confirmed."""

    id: str
    question: str
    content: str
    at: datetime
    run_id: str
    joined_by: list[str]
    quotes: list[QuotedMemory]

    @property
    def is_confirmed(self) -> bool:
        """True if a person confirmed one of its quotes."""
        return any(quote.confirmed is not None for quote in self.quotes)


@row_of("exploration/quoted_texts")
class QuotedText(TypedDict):
    """Row of exploration/quoted_texts."""

    id: str
    text: str
    at: datetime


@row_of("exploration/confirm", "exploration/unconfirm")
class ConfirmedQuote(TypedDict):
    """Row of exploration/confirm and exploration/unconfirm."""

    id: str
    confirmed: bool
    changed: bool


@dataclass(frozen=True)
class Confirmations:
    """Confirms and withdraws answers, each in one transaction."""

    database: Database
    embedding: Embedding
    cache: EmbeddingCache

    async def confirm(self, run_id: str, ids: Sequence[str]) -> Confirmed:
        """Confirm memories as the answer to the question of a run."""
        require_text("run_id", run_id)
        valid = _valid_ids(ids)

        async def work(tx: Transaction) -> Confirmed:
            run = await _lock(tx, run_id)
            texts: dict[str, QuotedText] = {
                row["id"]: cast(QuotedText, row)
                for row in await tx.rows("exploration/quoted_texts", ids=valid)
            }
            missing = [id for id in valid if id not in texts]
            if missing:
                raise NotFound("memory", missing[0], "confirm ids of the exploration's findings")
            id = run["narrative"]
            if id is None or not await tx.rows("exploration/lock_narrative", id=id):
                id = await self._save(tx, run_id, run, [texts[id] for id in valid])
            rows = await tx.rows("exploration/confirm", run_id=run_id, id=id, ids=sorted(valid))
            return _result(run_id, run, id, cast(list[ConfirmedQuote], rows))

        return await self.database.transaction(work, name="exploration/confirm")

    async def unconfirm(self, run_id: str, ids: Sequence[str] | None) -> Confirmed:
        """Withdraw confirmations of the question of a run, all of them without ids."""
        require_text("run_id", run_id)
        valid = None if ids is None else _valid_ids(ids)

        async def work(tx: Transaction) -> Confirmed:
            run = await _lock(tx, run_id)
            id = run["narrative"]
            if id is None:
                return Confirmed(
                    run_id=run_id, narrative=None, question=run["query"], confirmed=[], changed=[]
                )
            rows = await tx.rows("exploration/unconfirm", id=id, ids=valid)
            return _result(run_id, run, id, cast(list[ConfirmedQuote], rows))

        return await self.database.transaction(work, name="exploration/unconfirm")

    async def narratives(self, limit: int) -> list[NarrativeSummary]:
        """Return the answers of explorations, newest first."""
        rows = await self.database.rows("exploration/narratives", limit=limit)
        return [NarrativeSummary(**row) for row in rows]

    async def _save(self, tx: Transaction, run_id: str, run: Row, texts: list[QuotedText]) -> str:
        """Store an answer that quotes these memories, for a run that has none."""
        quotes = [Quote(each["id"], each["text"], each["at"], None, None) for each in texts]
        intention = run["intention"] if run["intention"] != run["query"] else None
        answer = await narrative.compose(
            self.database.realm,
            run["query"],
            np.asarray(await self.embedding.query(run["query"]), dtype=np.float64),
            quotes,
            heading=narrative.asked_by(run["at"], run["actor"], intention),
            embed=self.cache.documents,
        )
        model = self.embedding.embedder.name
        parameters = answer.parameters(kind="question", model=model, source="confirmation")
        await tx.rows("exploration/save_narrative", run_id=run_id, **parameters)
        await tx.rows("exploration/name_narrative", run_id=run_id, id=answer.id)
        return answer.id


async def _lock(tx: Transaction, run_id: str) -> Row:
    """Lock a committed run and return its row, or refuse."""
    run = await tx.row("exploration/lock_run", run_id=run_id)
    if run is None:
        raise NotFound("run", run_id, "exploration.runs() lists them")
    if run["undone_at"] is not None:
        raise Conflict(f"run {run_id!r} was undone, at {run['undone_at']}: explore again")
    await tx.rows("exploration/lock_creation")
    return run


def _valid_ids(ids: Sequence[str]) -> list[str]:
    remedy = "give a list of ids of memories, such as those of the findings"
    if isinstance(ids, str) or not isinstance(ids, Sequence) or not ids:
        raise InvalidInput("ids", ids, remedy)
    if not all(isinstance(id, str) and id.strip() for id in ids):
        raise InvalidInput("ids", ids, remedy)
    return list(dict.fromkeys(ids))


def _result(run_id: str, run: Row, id: str, rows: list[ConfirmedQuote]) -> Confirmed:
    return Confirmed(
        run_id=run_id,
        narrative=id,
        question=run["query"],
        confirmed=[row["id"] for row in rows if row["confirmed"]],
        changed=[row["id"] for row in rows if row["changed"]],
    )
