"""Commands of graph.recall: find, context, prompt, why_not, expect, check, and their search."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Unpack, cast

from asterism import filter_query, memory_vectors
from asterism.active_hours import ActiveHours
from asterism.clock import Moment, aware
from asterism.database import Database, Row, Transaction
from asterism.embedding import (
    DEFAULT_SPREAD,
    Calibration,
    Embedding,
    Vector,
    foreign_cosines,
    pack_vector,
)
from asterism.errors import AsterismError, InvalidInput, NotFound
from asterism.memory_filter import Conditions, MemoryFilter, build_filter
from asterism.recall.causes import Reader, with_causes
from asterism.recall.certainty import Certainty, Judge, parse_minimum
from asterism.recall.expectation_models import Expectation, ExpectationCheck
from asterism.recall.expectations import Expectations
from asterism.recall.models import Faded, Recall, WhyNot
from asterism.recall.prompt import Prompt, prompt
from asterism.recall.query_terms import (
    confirmation,
    name_keys,
    parse_query,
    question_languages,
    search_words,
)
from asterism.recall.question_words import question_words, weigh, without_names
from asterism.recall.results import (
    HOUR,
    NOTHING,
    QuestionFacts,
    RankedMemory,
    Ranking,
    SearchResult,
    faded,
)
from asterism.recall.why_not import MemoryFacts, why_not
from asterism.text.languages import is_evident
from asterism.timestamps import from_micros, to_micros
from asterism.validation import require_flag, require_text

EVERY_RANK = 100_000
EVERY_LANGUAGE = "*"
WIDER = 10
NO_MEMORY = ""  # no memory has this id
LOG = logging.getLogger(__name__)
OnProgress = Callable[[int], None]


@dataclass(frozen=True)
class Scope:
    """Memories that a question is put to: those that pass a filter, as of a time."""

    filter: MemoryFilter
    at: Moment | None
    archived: bool  # with memories that are archived, as far as the filter lets them pass
    clauses: str
    selective: bool

    @property
    def narrows(self) -> bool:
        return not self.filter.empty

    def is_complete(self, facts: QuestionFacts, pool: int) -> bool:
        """Tell whether the indexes have returned all that passes the filter."""
        complete = facts["all_proposed"] and len(facts["word_hit_ids"]) < pool
        return self.filter.ids is not None or (self.selective and complete)

    def count(self, result: SearchResult, facts: QuestionFacts, pool: int) -> int | None:
        """Return how many texts pass the filter, where the search has seen them all."""
        if not self.narrows:
            return result.text_count
        complete = pool > result.text_count or self.is_complete(facts, pool)
        return result.ranking["candidates"] if complete else None


class Search:
    """The right memories for a question, with the reason."""

    def __init__(self, database: Database, embedding: Embedding, hours: ActiveHours) -> None:
        self._database = database
        self._embedding = embedding
        self._hours = hours
        self._settings = database.settings.recall
        self._reader: Reader = database
        self._expected_language = database.settings.memories.language
        self._spoken = [self._expected_language]
        self.answers = Expectations(database, self, self._inside)

    def _inside(self, tx: Transaction) -> "Search":
        """Return a search of what a transaction sees, which writes nothing itself."""
        search = copy(self)
        search._reader = tx
        return search

    async def find(
        self,
        query: str,
        *,
        k: int = 10,
        at: Moment | None = None,
        archived: bool = False,
        minimum: Certainty | str | None = None,
        touch: bool = False,
        causes: bool = False,
        on_progress: OnProgress | None = None,
        filter: MemoryFilter | None = None,
        **conditions: Unpack[Conditions],
    ) -> Recall:
        """Return the memories that answer a question, best first, each with its reason.

        `at` asks as of a time: strengths are those of then, and what was learned later is left
        out. Faded memories are found only with `archived=True`. A filter, or its conditions as
        keywords, narrow before the best are chosen: `tags=["work"], where={"page": {"ge": 3}}`.
        Every hit says how certain it is, and `minimum="likely"` leaves out those that are less.
        Texts that have no vector yet get one first, which takes a while after a bulk load and is
        reported to `on_progress`. With `touch=True` the hits count as used, which keeps them, once
        an hour each. With `causes=True` hits that came from a recorded session have what led to
        them.
        """
        text, least = parse_query(query, k), parse_minimum(minimum)
        scope = _scope(filter, conditions, at, archived)
        result = await self._search(text, scope, k, on_progress=on_progress)
        answer = result.recall(query).at_least(least)
        if require_flag("causes", causes):
            answer = await with_causes(self._reader, answer)
        warnings = await self._touch([hit.id for hit in answer.hits]) if touch else ()
        return answer.model_copy(update={"warnings": warnings}) if warnings else answer

    async def ranked(self, query: str, k: int, vector: Sequence[float]) -> SearchResult:
        """Return the first k hits as rows, of a question whose vector is at hand."""
        text = parse_query(query, k)
        return await self._search(text, _scope(None, {}, None, False), k, vector=vector)

    async def context(
        self, query: str, *, tokens: int = 1000, k: int = 30, touch: bool = True, **options: Any
    ) -> str:
        """Return the hits as text for a prompt, in time order, cut to a budget of tokens.

        An answer that is less certain than the setting `recall.context_minimum` is left out: the
        text says that nothing is remembered. `minimum="likely"` leaves out single hits as well.
        What is handed out counts as used, unless `touch=False`.
        """
        return str(await self.prompt(query, tokens=tokens, k=k, touch=touch, **options))

    async def prompt(
        self, query: str, *, tokens: int = 1000, k: int = 30, touch: bool = True, **options: Any
    ) -> Prompt:
        """Return the same as `context`, with its lines, ids and the count of what did not fit."""
        answer = await self.find(query, k=k, **options)
        enough = answer.certainty.reaches(self._settings.context_minimum)
        text = prompt(answer.hits if enough else (), tokens)
        text = text.model_copy(update={"certainty": answer.certainty})
        warnings = await self._touch(text.ids) if touch else ()
        return text.model_copy(update={"warnings": warnings}) if warnings else text

    async def why_not(self, query: str, id: str, *, k: int = 10, **options: Any) -> WhyNot:
        """Return rank and parts of a memory for a question, and what it lacks for the first k."""
        text = parse_query(query, k)
        at, archived = options.pop("at", None), options.pop("archived", False)
        scope = _scope(options.pop("filter", None), options, at, archived)
        result = await self._search(text, scope, k, include_id=id)
        memory = await self._reader.row("recall/why_not", id=id)
        if memory is None:
            raise NotFound("memory", id)
        return why_not(id, query, k, result, scope.filter, cast(MemoryFacts, memory))

    async def touch(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Record that memories were used, once an hour each, and return warnings if that failed.

        For those who choose among the hits of `find` and hand out a part of them.
        """
        return await self._touch([require_text("ids", id) for id in dict.fromkeys(ids)])

    async def expect(
        self,
        question: str,
        must: Sequence[str] = (),
        must_not: Sequence[str] = (),
        *,
        k: int = 5,
        **filter: Any,
    ) -> Expectation:
        """Pin a question with the memories that must, and must not, be among its first `k` hits.

        Consolidation, imports and maintenance ask it again and report what changed. The same
        question with the same filter is pinned once: again, it has the new memories.
        """
        return await self.answers.expect(question, must, must_not, k, filter)

    async def expectations(self) -> list[Expectation]:
        """Return the pinned questions, oldest first, with what was recorded of them."""
        return await self.answers.pinned()

    async def unexpect(self, id: str) -> None:
        """Remove a pinned question."""
        await self.answers.remove(id)

    async def check(self) -> list[ExpectationCheck]:
        """Ask the pinned questions, and return which hold, with ranks now and before, and why.

        Nothing is recorded: that is done by consolidation, imports and maintenance.
        """
        return await self.answers.check()

    async def _touch(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Record memories as used, or return why that failed: no answer is lost for it."""
        if not ids:
            return ()
        try:
            await self._database.rows(
                "memories/mark_used",
                ids=sorted(ids),
                wall=to_micros(self._database.clock.now()),
                active=await self._hours.reading(),
            )
        except AsterismError as error:
            warning = f"what was found could not be noted as used, so it fades on: {error}"
            LOG.warning(warning)
            return (warning,)
        return ()

    async def _search(
        self,
        query: str,
        scope: Scope,
        k: int,
        *,
        include_id: str | None = None,
        vector: Sequence[float] | None = None,
        on_progress: OnProgress | None = None,
    ) -> SearchResult:
        """Rank the best k, or with `include_id` every memory, that one in any case."""
        pool = max(self._settings.pool_filtered if scope.narrows else self._settings.pool, k)
        await self._embedding.stored()  # not beside another read, which opens a second connection
        whole_vector, rest_vector, facts = await asyncio.gather(
            self._vector(query, vector),
            self._without_names(query, include_id),
            self._prepare(query, scope, pool),
        )
        if facts is None:
            return SearchResult()
        if facts["unembedded"] and self._reader is self._database:
            await memory_vectors.embed_missing(
                self._database, self._embedding, on_progress=on_progress
            )
        calibration = await self._embedding.peek()
        parameters = {
            **await self._confirmed(query, facts, whole_vector),
            "vector": pack_vector(whole_vector),
            "rest_vector": pack_vector(whole_vector if rest_vector is None else rest_vector),
            "rest_differs": rest_vector is not None,
            "cosine_scale": DEFAULT_SPREAD / calibration.spread,
            "word_weight": self._word_weight(query),
            "question_names": name_keys(query) if facts["has_speakers"] else [],
            "k": EVERY_RANK if include_id else k,
            "include_id": include_id,
            "filter": self._filter_parameter(scope, facts),
        }
        result = await self._rank(facts, parameters, pool)
        while self._needs_wider_pool(result, facts, scope, pool, k):
            pool = min(WIDER * pool, self._settings.pool_widest)
            facts = await self._prepare(query, scope, pool) or facts
            result = await self._rank(facts, parameters, pool)
        while orphans := result.orphans:  # as candidates they bring their successors
            facts["word_hit_ids"] += orphans
            facts["word_hit_scores"] += [0.0] * len(orphans)
            result = await self._rank(facts, parameters, pool)
        return replace(
            result,
            judge=_judge(query, facts, calibration, self._expected_language),
            searched=scope.count(result, facts, pool),
            filter_text=str(scope.filter),
        )

    async def _vector(self, query: str, vector: Sequence[float] | None) -> Sequence[float]:
        return await self._embedding.query(query) if vector is None else vector

    def _word_weight(self, query: str) -> float:
        """Return the weight of words: more where the model knows nothing of the language."""
        learned = getattr(self._embedding.embedder, "languages", (EVERY_LANGUAGE,))
        own = question_languages(query, (), self._expected_language)[0]
        knows = EVERY_LANGUAGE in learned or own in learned
        return self._settings.words if knows else self._settings.words_unlearned

    async def _confirmed(self, query: str, facts: QuestionFacts, vector: Sequence[float]) -> Row:
        """Return what people confirmed for questions as near as this one."""
        rows: list[Row] = []
        if facts["has_confirmed"]:
            row = await self._reader.row("recall/confirmed", vector=pack_vector(vector))
            rows = row["confirmed"] if row else []
        return {"confirmed": {row["id"]: confirmation(query, row) for row in rows}}

    async def _without_names(self, query: str, include_id: str | None) -> Vector | None:
        """Return the vector of a question without its names, None if nothing is to be judged."""
        embeds_rest = self._settings.without_names and include_id is None
        language = question_languages(query, (), self._expected_language)[0]
        rest = without_names(query, language) if embeds_rest else None
        return None if rest is None else await self._embedding.query(rest)

    def _needs_wider_pool(
        self, result: SearchResult, facts: QuestionFacts, scope: Scope, pool: int, k: int
    ) -> bool:
        """Return True if memories that may not answer, such as faded ones, left too little room."""
        if pool >= min(result.text_count, self._settings.pool_widest):
            return False
        if scope.is_complete(facts, pool):
            return False
        if scope.narrows:
            return len(result.hits) < k
        return result.ranking["candidates"] < max(k, self._settings.pool) // 2

    async def _prepare(self, query: str, scope: Scope, pool: int) -> QuestionFacts | None:
        """Read the facts of a question, again if the realm has other languages than it had."""
        while True:
            spoken = self._spoken
            facts = await self._facts(query, scope, pool, spoken)
            if facts is None or facts["languages"] == spoken:
                return facts
            self._spoken = facts["languages"]

    async def _facts(
        self, query: str, scope: Scope, pool: int, spoken: list[str]
    ) -> QuestionFacts | None:
        ids = scope.filter.ids
        languages = question_languages(query, spoken, self._expected_language)
        row = await self._reader.row(
            "recall/prepare",
            name_keys=name_keys(query),
            words=search_words(query, languages),
            language=languages[0] if is_evident(query, languages[0]) else "",
            filter_clauses=scope.clauses,
            selective=scope.selective,
            ids=ids,
            pool=pool if ids is None else max(pool, self._settings.pool_widest),
        )
        return cast(QuestionFacts | None, row)

    async def _rank(self, facts: QuestionFacts, parameters: Row, pool: int) -> SearchResult:
        """Rank the candidates, among them every memory that a filter names by its id."""
        others = sorted(set(parameters["filter"]["ids"] or ()) - set(facts["word_hit_ids"]))
        hits = dict(zip(facts["word_hit_ids"], facts["word_hit_scores"], strict=True))
        hits |= dict.fromkeys(others, 0.0)
        hits = hits or {NO_MEMORY: 0.0}  # an empty list is of another type: a plan of its own
        row = await self._reader.row(
            "recall/find",
            **parameters,
            name_weights={name["key"]: name["weight"] for name in facts["names"]},
            word_hit_ids=list(hits),
            word_hit_scores=list(hits.values()),
            best_word_score=facts["best_word_score"],
            hop_limit=facts["hop_limit"],
            pool=pool,
        )
        ranking = cast(Ranking | None, row) or NOTHING
        filter = parameters["filter"]
        return SearchResult(
            ranking,
            tuple(name["key"] for name in facts["names"]),
            int(facts["text_count"]),
            filter,
            tuple(self._faded(each, facts, filter) for each in ranking["faded"]),
        )

    def _faded(self, row: RankedMemory, facts: QuestionFacts, filter: Row) -> Faded:
        assert row["archived"] is not None
        clock, end = row["archived"]
        at = from_micros(end) if clock == "wall" else self._hours.moment_of(dict(facts), end)
        return faded(row, (filter[clock] - end) / HOUR, at)

    def _filter_parameter(self, scope: Scope, facts: QuestionFacts) -> Row:
        """Return the filter as recall/find reads it, with the time asked for on both clocks."""
        moment = self._database.clock.now() if scope.at is None else aware(scope.at)
        active = self._hours.counted(dict(facts), scope.at)
        extra = {"archived": scope.archived, "narrows": scope.narrows, "valid_at": moment}
        return filter_query.parameter(scope.filter, wall=to_micros(moment), active=active) | extra


def _judge(query: str, facts: QuestionFacts, calibration: Calibration, expected: str) -> Judge:
    """Return the judge of a question's hits, by what was measured here, else by the model."""
    counts = {word["stem"]: word["count"] for word in facts["word_counts"]}
    texts = facts["text_count"]
    languages = question_languages(query, facts["languages"], expected)
    measured = foreign_cosines.stored(facts["foreign_cosines"])
    return Judge(
        weigh(question_words(query, languages), counts, texts),
        measured or foreign_cosines.estimated(calibration, int(texts)),
    )


def _scope(
    filter: MemoryFilter | None, conditions: Mapping[str, Any], at: Moment | None, archived: bool
) -> Scope:
    """Return the memories that a question is put to, or refuse an argument by its name."""
    passing = build_filter(filter, conditions).up_to(None if at is None else aware(at))
    if passing.state and archived:
        raise InvalidInput("archived", archived, "give `state` alone, such as ['archived']")
    if tuple(passing.state) == ("active",):  # which is what a question without a word finds
        passing = replace(passing, state=())
    return Scope(
        passing,
        at,
        archived or bool(passing.state),
        filter_query.clauses(passing),
        filter_query.selective(passing),
    )
