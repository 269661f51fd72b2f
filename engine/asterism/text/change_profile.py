"""Profile of a text for changed facts: its words by kind, its markers and subject frames. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from asterism.text import change_words as lists
from asterism.text.english import FUNCTION_WORDS, stem
from asterism.text.sentences import character_before
from asterism.text.tokens import composed

_TOKEN = re.compile(r"[\w@]+(?:[.,:'@/-]\w+)*")
_CONTRACTED = {"won't": "will", "can't": "can", "shan't": "shall"}
_SENTENCE_ENDS = ".!?\n:"
_OPENING = " \t\"'(„“"
_TITLES = frozenset(("Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Herr", "Frau"))
_BOTH = frozenset(("in", "was", "war", "die"))  # words of both languages
_ENGLISH = frozenset(("the", "is", "my", "i", "and", "of", "to"))


@dataclass(frozen=True)
class Word:
    """A word as written, its stem, and its kind.

    Kinds are number, date, negation, name, word, and what carries no subject: marker and small.
    """

    written: str
    stem: str
    kind: str


@dataclass(frozen=True)
class ChangeProfile:
    """Words of a text, and how strongly it says that something has changed: 0, 0.5 or 1."""

    words: tuple[Word, ...]
    marker: float

    @cached_property
    def stems(self) -> dict[str, frozenset[str]]:
        """Return the stems of each kind."""
        kinds = {word.kind for word in self.words}
        return {
            kind: frozenset(word.stem for word in self.words if word.kind == kind) for kind in kinds
        }

    def of_kind(self, kind: str) -> frozenset[str]:
        return self.stems.get(kind, frozenset())

    @cached_property
    def content(self) -> frozenset[str]:
        """Return the stems that carry the subject: words and names."""
        return self.of_kind("word") | self.of_kind("name")

    @cached_property
    def frames(self) -> frozenset[str]:
        """Return the subjects that the words name."""
        stems = {part for word in self.words for part in (word.stem, *word.stem.split("-"))}
        nothing: frozenset[str] = frozenset()
        return nothing.union(*(lists.frames_of().get(stem, nothing) for stem in stems))

    @cached_property
    def spelled(self) -> frozenset[str]:
        return frozenset(word.written.lower() for word in self.words)

    @property
    def first_person(self) -> bool:
        return not self.spelled.isdisjoint(lists.FIRST_PERSON)

    @property
    def relatives(self) -> bool:
        return not self.spelled.isdisjoint(lists.RELATIVES)


def change_profile(text: str) -> ChangeProfile:
    """Return the profile of a text."""
    text = composed(text).replace("’", "'")
    words = tuple(_words(text))
    lower = text.lower()
    spelled = {word.written.lower() for word in words}
    if spelled & lists.STRONG_MARKERS or lists.STRONG_PHRASES.search(lower):
        return ChangeProfile(words, 1.0)
    return ChangeProfile(words, 0.5 if spelled & lists.WEAK_MARKERS else 0.0)


def _words(text: str) -> Iterator[Word]:
    tokens = list(_TOKEN.finditer(text))
    german = _is_german([token.group().lower() for token in tokens])
    title = False
    for token in tokens:
        before = character_before(text, token.start(), _OPENING)
        may_be_name = title or (not german and before not in _SENTENCE_ENDS)
        yield from _classified(token.group(), may_be_name)
        title = token.group() in _TITLES


def _classified(written: str, may_be_name: bool) -> Iterator[Word]:
    lower = written.lower()
    if lower.endswith("n't"):
        base = _CONTRACTED.get(lower, lower[:-3])
        yield Word(written, stem(base), _kind(base, base, may_be_name))
        yield Word(written, "not", "negation")
        return
    lower = lower.removesuffix("'s")
    yield Word(written, stem(lower), _kind(written, lower, may_be_name))


def _kind(written: str, lower: str, may_be_name: bool) -> str:
    if lower in lists.NUMBERS or "@" in lower or any(map(str.isdigit, lower)):
        return "number"
    if lower in lists.NEGATIONS:
        return "negation"
    if lower in lists.DATES or written in lists.CAPITAL_DATES:
        return "date"
    if lower in lists.STRONG_MARKERS or lower in lists.WEAK_MARKERS:
        return "marker"
    if lower in FUNCTION_WORDS or lower in lists.GERMAN or len(lower) < 2 or written in _TITLES:
        return "small"
    return "name" if may_be_name and written[0].isupper() else "word"


def _is_german(words: list[str]) -> bool:
    """Return True for a text in which capitals say nothing about names."""
    german = sum(word in lists.GERMAN and word not in _BOTH for word in words)
    return german * 8 >= len(words) > 0 and sum(word in _ENGLISH for word in words) < 2
