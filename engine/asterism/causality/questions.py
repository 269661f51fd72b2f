"""Questions in words, answered by the chains that end where they point."""

from typing import NamedTuple

from asterism.causality.line_vectors import LineVectors, OnProgress
from asterism.causality.models import CausalAnswer, Chain, ChainStep
from asterism.database import Database, Row
from asterism.embedding import (
    DEFAULT_SPREAD,
    Calibration,
    Embedding,
    foreign_cosines,
    pack_vector,
)
from asterism.realm_names import quoted
from asterism.row_types import row_of
from asterism.text.english import QUESTION_WORDS
from asterism.text.tokens import LONGEST_WORD, words
from asterism.validation import parse_question

MOST_WORDS = 50


@row_of("causality/find")
class AnswerRow(NamedTuple):
    """Row of causality/find."""

    score: float
    cosine: float
    words: float
    line_id: str
    lines: int
    unembedded: int
    branches: list[list[ChainStep]]


class Questions:
    """Finds the recorded lines that a question points at, with what led to them."""

    def __init__(self, database: Database, embedding: Embedding, vectors: LineVectors) -> None:
        self._database = database
        self._vectors = vectors
        self._embedding = embedding
        self._settings = database.settings.causality

    async def find(
        self,
        query: str,
        k: int,
        session_id: str | None,
        depth: int,
        limit: int,
        on_progress: OnProgress | None,
    ) -> list[CausalAnswer]:
        """Return the best k ends with their chains, in one statement after the embedding.

        Where lines have no vector yet, they get one, and the question is put again.
        """
        text = parse_question(query)
        vector = await self._embedding.query(text)
        calibration = await self._embedding.peek()
        arguments: Row = {
            "vector": pack_vector(vector),
            "cosine_scale": DEFAULT_SPREAD / calibration.spread,
            "words": _search(text, self._database.realm),
            "session_id": session_id,
            "pool": max(self._settings.find_pool, k),
            "k": k,
            "depth": depth,
            "limit": limit,
        }
        answers = await self._ask(arguments)
        waits = not answers or answers[0].unembedded
        if waits and await self._vectors.embed_missing(on_progress):
            answers = await self._ask(arguments)
        return [_answer(row, calibration) for row in answers]

    async def _ask(self, arguments: Row) -> list[AnswerRow]:
        return [
            AnswerRow(**row) for row in await self._database.rows("causality/find", **arguments)
        ]


def _search(text: str, realm: str) -> str:
    """Return a fulltext query for nodes of the realm that have one of the question's words."""
    terms = [word for word in words(text) if word not in QUESTION_WORDS]
    chosen = [word for word in dict.fromkeys(terms) if len(word) <= LONGEST_WORD][:MOST_WORDS]
    return f"+realm:{quoted(realm)}^0 +text:(nothing_at_all {' '.join(chosen)})"


def _answer(row: AnswerRow, calibration: Calibration) -> CausalAnswer:
    chains = [Chain(steps=steps) for steps in row.branches]
    end = chains[0].steps[-1]
    return CausalAnswer(
        id=end.id,
        session_id=end.session_id,
        line_id=row.line_id,
        score=row.score,
        closeness=foreign_cosines.estimated(calibration, row.lines).closeness(row.cosine),
        words=row.words,
        chains=chains,
    )
