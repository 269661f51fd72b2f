"""Narratives that a person can read: a question, sentences that answer it, what joins them."""

import re
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from asterism.database import Row
from asterism.exploration.formulas import Array, as_list, cosine
from asterism.exploration.models import caption
from asterism.text.tokens import stems
from asterism.timestamps import long_date

WHOLE_SENTENCES, WHOLE_LETTERS = 2, 280  # a text of no more is quoted in full
LONGEST_QUOTE = 1000
COMPARED_SENTENCES = 3  # embedding takes longer than all else of an exploration
_TITLES = re.compile(r"\b(?:[A-Z]|St|Mr|Mrs|Ms|Dr|Jr|Sr|Mt|Ft|Prof|No|vs|e\.g|i\.e)\.$")
_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-ZÀ-Þ0-9])")

Embed = Callable[[Sequence[str]], Awaitable[list[Any]]]


@dataclass(frozen=True)
class Quote:
    """A memory that a narrative quotes, with its rank among the findings and its value."""

    id: str
    text: str
    at: datetime | None
    rank: int | None
    value: float | None


@dataclass(frozen=True)
class Answer:
    """A narrative that is to be stored: a question and its quotes."""

    id: str
    question: str
    content: str
    joined_by: tuple[str, ...]
    quotes: tuple[Quote, ...]
    embedding: Array

    def parameters(self, *, kind: str, model: str, source: str = "") -> Row:
        """Return the narrative and its quotes as exploration/save_narrative takes them."""
        properties: Row = {
            "kind": kind,
            "name": self.question,
            "caption": caption(self.question),
            "content": self.content,
            "joined_by": list(self.joined_by),
            "created_by": "exploration",
            "embedding_model": model,
            "weight": 1.0,
            "energy": 0.0,
            "permanence": 0.5,
        }
        if source:
            properties["source"] = source
        rows = [{"id": q.id, "rank": q.rank, "value": q.value} for q in self.quotes]
        narrative = {
            "id": self.id,
            "properties": properties,
            "embedding": as_list(self.embedding),
        }
        return {"narrative": narrative, "quotes": rows}


def answer_id(realm: str, question: str, ids: Sequence[str]) -> str:
    """Return an id that is the same for the same question and the same quoted memories."""
    parts = [realm, " ".join(question.split()).casefold(), *sorted(ids)]
    return str(uuid.uuid5(uuid.NAMESPACE_OID, "\x1f".join(parts)))


async def compose(
    realm: str,
    question: str,
    vector: Array,
    quotes: Sequence[Quote],
    *,
    heading: str,
    joined_by: Sequence[str] = (),
    embed: Embed,
) -> Answer:
    """Return an answer that quotes these memories, of each the sentence nearest to the question."""
    lines = [f"Question: {question} ({heading})"]
    question_stems = set(stems(question))
    for quote in quotes:
        sentence = await _nearest_sentence(quote.text, question_stems, vector, embed)
        date = f"{long_date(quote.at)}, " if quote.at else ""
        lines.append(f"“{sentence}” ({date}{quote.id})")
    if joined_by:
        lines.append(f"Joined by: {', '.join(joined_by)}")
    id = answer_id(realm, question, [quote.id for quote in quotes])
    return Answer(id, question, "\n".join(lines), tuple(joined_by), tuple(quotes), vector)


def asked_by(at: datetime, actor: str | None, intention: str | None) -> str:
    """Return when a question was asked, by whom, and why."""
    parts = [long_date(at), *([actor] if actor else []), *([intention] if intention else [])]
    return ", ".join(parts)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text. Neither 3.1 nor Dr. ends one."""
    whole = " ".join(text.split())
    result, start = [], 0
    for end in _END.finditer(whole):
        if _TITLES.search(whole[start : end.start()]):
            continue
        result.append(whole[start : end.end()].strip())
        start = end.end()
    return [*result, whole[start:]] if whole[start:] else result


async def _nearest_sentence(
    text: str, question_stems: set[str], vector: Array, embed: Embed
) -> str:
    """Return the nearest of those few sentences that share most words with the question."""
    parts = sentences(text)
    if len(parts) <= WHOLE_SENTENCES or len(text) <= WHOLE_LETTERS:
        return " ".join(parts)[:LONGEST_QUOTE]
    shared = [len(question_stems.intersection(stems(part))) for part in parts]
    likely = sorted(range(len(parts)), key=lambda at: (-shared[at], at))[:COMPARED_SENTENCES]
    parts = [parts[at] for at in sorted(likely)]
    vectors = await embed(parts)
    values = [cosine(vector, np.asarray(each, dtype=np.float64)) for each in vectors]
    return parts[max(range(len(parts)), key=lambda at: (values[at], -at))][:LONGEST_QUOTE]
