"""Pinned questions: kept with the memories that must come back, asked again after every change."""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Protocol, TypedDict

from asterism.answer_changes import AnswerChange
from asterism.database import Database, Row, Transaction
from asterism.errors import InvalidInput, NotFound
from asterism.memory_filter import Conditions
from asterism.message_text import excerpt
from asterism.recall.expectation_models import Expectation, ExpectationCheck, ExpectedMemory
from asterism.recall.models import Hit, Recall, WhyNot
from asterism.recall.query_terms import parse_query
from asterism.row_types import row_of

MOST_MEMORIES = 100
AT_ONCE = 4  # questions that are asked beside each other
NO_RANK = 0  # a list in the graph holds no null


class Asker(Protocol):
    """Search of a realm, or of what a transaction sees of it."""

    @property
    def find(self) -> Callable[..., Awaitable[Recall]]: ...
    @property
    def why_not(self) -> Callable[..., Awaitable[WhyNot]]: ...


@row_of("recall/expectations")
class StoredExpectation(TypedDict):
    """Row of recall/expectations."""

    id: str
    question: str
    first_hits: int
    must: list[str]
    must_not: list[str]
    filter: str
    must_ranks: list[int]
    must_not_ranks: list[int]
    holds: bool
    forgotten: int
    created_at: datetime
    checked_at: datetime


class ExpectationRow(Expectation):
    """A pinned question with the ranks that were recorded."""

    must_ranks: tuple[int, ...] = ()
    must_not_ranks: tuple[int, ...] = ()

    def rank_before(self, id: str) -> int | None:
        ranks = (*self.must_ranks, *self.must_not_ranks)
        return dict(zip((*self.must, *self.must_not), ranks, strict=False)).get(id) or None


class _Undone(Exception):
    """Carries the changes out of a transaction, which is rolled back."""

    def __init__(self, changes: list[AnswerChange]) -> None:
        self.changes = changes


class Expectations:
    """Keeps pinned questions, and asks them."""

    def __init__(
        self, database: Database, search: Asker, inside: Callable[[Transaction], Asker]
    ) -> None:
        self._database = database
        self._search = search
        self._inside = inside

    async def expect(
        self,
        question: str,
        must: Sequence[str],
        must_not: Sequence[str],
        k: int,
        filter: Mapping[str, Any],
    ) -> Expectation:
        """Pin a question, as it is answered now."""
        words = parse_query(question, k)
        must_ids, must_not_ids = _ids("must", must), _ids("must_not", must_not)
        _require_memories(must_ids, must_not_ids)
        filter_text = _filter_text(filter)
        id = hashlib.sha256(f"{words.lower()}\x1f{filter_text}".encode()).hexdigest()[:12]
        now = self._database.clock.now()
        row = ExpectationRow(
            id=id,
            question=words,
            k=k,
            must=tuple(must_ids),
            must_not=tuple(must_not_ids),
            filter=json.loads(filter_text),
            holds=True,
            created_at=now,
            checked_at=now,
        )
        properties = _stored(row, filter_text) | _recorded(await self._ask(row, self._search))

        async def write(tx: Transaction) -> None:
            ids = [*must_ids, *must_not_ids]
            answer = await tx.one("recall/expect", id=id, ids=ids, properties=properties)
            if answer["missing"]:
                raise NotFound("memory", answer["missing"][0])

        await self._database.transaction(write, name="recall/expect")
        return next(each for each in await self.pinned() if each.id == id)

    async def pinned(self) -> list[Expectation]:
        """Return the pinned questions, oldest first."""
        return [Expectation(**dict(row)) for row in await self._rows()]

    async def remove(self, id: str) -> None:
        """Remove a pinned question."""
        row = await self._database.one("recall/unexpect", id=id)
        if not row["removed"]:
            remedy = "`asterism expect --list` shows the ids"
            raise NotFound("pinned question", id, remedy)

    async def check(self) -> list[ExpectationCheck]:
        """Ask every pinned question, and record nothing."""
        return await self._check_all(await self._rows())

    async def changes(self) -> list[AnswerChange]:
        """Ask them, record the answers, and return what changed since the latest recording."""
        rows = await self._rows()
        if not rows:
            return []
        checks = await self._check_all(rows)
        records = [
            {
                "id": row.id,
                "must": row.must,
                "must_not": row.must_not,
                "properties": _recorded(each),
            }
            for row, each in zip(rows, checks, strict=True)
        ]
        await self._database.rows("recall/record_answers", rows=records)
        return _changes(checks)

    async def peek(self) -> list[AnswerChange]:
        """Ask them, and return what changed since the latest recording, which stays."""
        return _changes(await self.check())

    async def preview(self, work: Callable[[Transaction], Awaitable[object]]) -> list[AnswerChange]:
        """Return what work in a transaction would change, and undo it."""
        rows = await self._rows()

        async def attempt(tx: Transaction) -> None:
            await work(tx)
            inside = self._inside(tx)
            raise _Undone(_changes([await self._check(row, inside) for row in rows]))

        try:
            if rows:
                await self._database.transaction(attempt, name="recall/preview")
        except _Undone as undone:
            return undone.changes
        return []

    async def _rows(self) -> list[ExpectationRow]:
        rows = await self._database.rows("recall/expectations")
        return [
            ExpectationRow(k=row.pop("first_hits"), **row | {"filter": json.loads(row["filter"])})
            for row in rows
        ]

    async def _check_all(self, rows: Sequence[ExpectationRow]) -> list[ExpectationCheck]:
        slots = asyncio.Semaphore(AT_ONCE)

        async def check(row: ExpectationRow) -> ExpectationCheck:
            async with slots:
                return await self._check(row, self._search)

        return list(await asyncio.gather(*map(check, rows)))

    async def _check(self, row: ExpectationRow, search: Asker) -> ExpectationCheck:
        try:
            return await self._ask(row, search)
        except (InvalidInput, TypeError) as error:  # a filter of another version
            return ExpectationCheck(
                expectation=Expectation(**dict(row)), holds=False, error=str(error)
            )

    async def _ask(self, row: ExpectationRow, search: Asker) -> ExpectationCheck:
        answer = await search.find(row.question, k=row.k, **row.filter)
        ranks = {hit.id: (rank, hit) for rank, hit in enumerate(answer.hits, 1)}
        memories = [await self._required(row, id, ranks, search) for id in row.must]
        memories += [_excluded(row, id, ranks) for id in row.must_not]
        return ExpectationCheck(
            expectation=Expectation(**dict(row)),
            holds=all(memory.holds for memory in memories),
            memories=tuple(memories),
        )

    async def _required(
        self, row: ExpectationRow, id: str, ranks: dict[str, tuple[int, Hit]], search: Asker
    ) -> ExpectedMemory:
        rank: int | None = ranks[id][0] if id in ranks else None
        reasons: tuple[str, ...] = ()
        if rank is None:
            try:
                why_not = await search.why_not(row.question, id, k=row.k, **row.filter)
                rank, reasons = why_not.rank, why_not.missing
            except NotFound:
                reasons = ("it is not there any more",)
        return ExpectedMemory(
            id=id,
            must=True,
            holds=id in ranks,
            rank=rank,
            rank_before=row.rank_before(id),
            reasons=reasons,
        )


def _excluded(row: ExpectationRow, id: str, ranks: dict[str, tuple[int, Hit]]) -> ExpectedMemory:
    rank, hit = ranks.get(id, (None, None))
    return ExpectedMemory(
        id=id,
        must=False,
        holds=hit is None,
        rank=rank,
        rank_before=row.rank_before(id),
        reasons=(f"it must not be among the first {row.k}", hit.why) if hit else (),
    )


def _changes(checks: Sequence[ExpectationCheck]) -> list[AnswerChange]:
    return [
        AnswerChange(
            expectation=check.expectation.id,
            question=check.expectation.question,
            holds=check.holds,
            reason=check.reason,
        )
        for check in checks
        if check.holds != check.held_before
    ]


def _stored(row: ExpectationRow, filter_text: str) -> Row:
    """Return the properties that a pinned question begins with."""
    return {
        "question": row.question,
        "caption": row.question,
        "first_hits": row.k,
        "must": list(row.must),
        "must_not": list(row.must_not),
        "filter": filter_text,
        "forgotten": 0,
    }


def _recorded(check: ExpectationCheck) -> Row:
    """Return the properties that keep an answer."""
    return {
        "holds": check.holds,
        "must_ranks": [each.rank or NO_RANK for each in check.memories if each.must],
        "must_not_ranks": [each.rank or NO_RANK for each in check.memories if not each.must],
    }


def _ids(argument: str, ids: Any) -> list[str]:
    if isinstance(ids, str) or not isinstance(ids, Sequence) or len(ids) > MOST_MEMORIES:
        remedy = f"give a list of at most {MOST_MEMORIES} ids of memories"
        raise InvalidInput(argument, ids, remedy)
    for id in ids:
        if not isinstance(id, str) or not id:
            raise InvalidInput(argument, id, "give ids of memories")
    return list(dict.fromkeys(ids))


def _require_memories(must: Sequence[str], must_not: Sequence[str]) -> None:
    if not must and not must_not:
        raise InvalidInput("must", list(must), "name a memory that must, or must not, come back")
    if both := set(must) & set(must_not):
        raise InvalidInput("must_not", sorted(both)[0], "it is in `must` as well: give it once")


def _filter_text(filter: Mapping[str, Any]) -> str:
    """Return a filter as JSON, or refuse what `find` does not take or JSON can't hold."""
    names = ("at", "archived", *Conditions.__annotations__)
    for name in filter:
        if name not in names:
            raise InvalidInput(name, filter[name], f"give some of {', '.join(names)}")
    conditions = {name: value for name, value in filter.items() if value is not None}
    try:
        return json.dumps(conditions, sort_keys=True, default=_plain)
    except (TypeError, ValueError) as error:
        remedy = "only texts, numbers, times and lists of them can be pinned"
        raise InvalidInput("filter", excerpt(conditions), remedy) from error


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (set, frozenset, tuple)):
        return sorted(value)
    raise TypeError
