"""A question as the database takes it: its words, the names it may hold, what it is narrowed to."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.clock import Moment, aware
from engine.errors import InvalidInput
from engine.recall import notes, words

LONGEST_NAME = 8
MOST_WORDS = 200
MOST_CLAUSES = 500
MOST_TAGS = 100
MOST_HITS = 2**31
FIRST_IDEOGRAPH = "\u2e80"  # the index takes each of them for a word
LONGEST_QUERY = 10_000
_ASKING = """
what which who whom whose when where why how do did does has have had been were from its
"""
CUT = words.STOP_WORDS | frozenset(_ASKING.split())


@dataclass(frozen=True)
class Narrowing:
    """Which memories may answer at all."""

    since: datetime | None = None
    until: datetime | None = None
    tags: tuple[str, ...] = ()
    session: str | None = None
    minimum: float = 0.0
    archived: bool = False

    @property
    def marks(self) -> list[str]:
        tags = sorted({tag.strip().lower() for tag in self.tags if tag.strip()})
        return notes.marks(tags, self.session)

    @property
    def narrows(self) -> bool:
        return bool(self.marks or self.since or self.until or self.minimum > 0)

    def must(self) -> str:
        """What the fulltext index can narrow by itself: marks, and whole days."""
        parts = [f"+marks:{mark}^0 " for mark in self.marks]
        if self.since or self.until:
            first = notes.day(self.since) if self.since else "*"
            last = notes.day(self.until) if self.until else "*"
            parts.append(f"+day:[{first} TO {last}]^0 ")
        return "".join(parts)


def narrowed(
    *,
    at: Moment | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    tags: Sequence[str] | None = None,
    session: str | None = None,
    minimum_strength: float = 0.0,
    archived: bool = False,
) -> Narrowing:
    """What was asked for, or a refusal that names what is wrong."""
    if not isinstance(minimum_strength, (int, float)) or not 0 <= minimum_strength <= 1:
        raise InvalidInput("minimum_strength", minimum_strength, "give a number from 0 to 1")
    _require_marks(tags, session)
    first = aware(since, "since") if since is not None else None
    last = aware(until, "until", end=True) if until is not None else None
    then = aware(at) if at is not None else None
    if first and last and first > last:
        raise InvalidInput("since", since, "give a time before `until`")
    ends = [time for time in (last, then) if time]
    return Narrowing(
        first, min(ends) if ends else None, tuple(tags or ()), session, minimum_strength, archived
    )


def _require_marks(tags: Sequence[str] | None, session: str | None) -> None:
    if isinstance(tags, str):
        raise InvalidInput("tags", tags, f"give a list of tags, such as [{tags!r}]")
    if tags is not None and len(tags) > MOST_TAGS:
        raise InvalidInput("tags", f"{len(tags)} tags", f"give at most {MOST_TAGS}")
    for name, texts in (("tags", tags or ()), ("session", () if session is None else (session,))):
        for text in texts:
            if not isinstance(text, str) or not words.encodable(text):
                raise InvalidInput(name, text, "give text that can be encoded")


def asked(query: str, k: int) -> str:
    """The question itself, or a refusal."""
    if not isinstance(query, str) or not query.strip():
        raise InvalidInput("query", query, "ask in a few words")
    if not words.encodable(query):
        raise InvalidInput("query", query, "it holds half a character: decode it anew")
    if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k <= MOST_HITS:
        raise InvalidInput("k", k, f"ask for 1 to {MOST_HITS:,} hits")
    return " ".join(query[:LONGEST_QUERY].split())


def grams(query: str) -> list[str]:
    """Runs of words that may be names. A lone small word, written small, names nothing."""
    keys = (words.name_key(token) for token in words.tokens(query))
    known = [key for key in keys if key][:MOST_WORDS]
    small = {word for word in words.words(query) if word in words.FUNCTION_WORDS}
    loud = {words.name_key(word) for word in words.tokens(query) if word[:1].isupper()}
    found = {
        " ".join(known[start:end])
        for start in range(len(known))
        for end in range(start + 1, min(start + LONGEST_NAME, len(known)) + 1)
    }
    return sorted(found - (small - loud))


def searched(query: str) -> list[dict[str, str]]:
    """The words worth searching for, with their stems."""
    found: list[dict[str, str]] = []
    clauses = 0
    for word in words.words(query):
        if word not in CUT and len(word) <= words.LONGEST_WORD and len(found) < MOST_WORDS:
            clauses += sum(letter >= FIRST_IDEOGRAPH for letter in word) or 1
            if clauses > MOST_CLAUSES:
                break
            found.append({"text": word, "stem": words.stem(word)})
    return found
