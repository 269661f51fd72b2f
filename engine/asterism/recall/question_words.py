"""Words of a question that say what is asked for, and which of them are names."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from asterism.recall.query_terms import search_words
from asterism.text.english import ASKING_WORDS, FUNCTION_WORDS, POSSESSIVE, stem
from asterism.text.languages import ENGLISH
from asterism.text.names import function_words, name_tokens
from asterism.text.tokens import words

ASKING_STEMS = frozenset(map(stem, ASKING_WORDS))


@dataclass(frozen=True)
class QuestionWord:
    """A word of a question with its stems in the languages of the question and the realm."""

    text: str
    stems: tuple[str, ...]
    is_name: bool

    def count(self, counts: Mapping[str, int]) -> int | None:
        """Return how many memories have the word at least, None if that is not known."""
        return max((counts[stem] for stem in self.stems if stem in counts), default=None)


@dataclass(frozen=True)
class WeighedWords:
    """Words of a question, weighed by how rare they are in a realm.

    `unnamed` is the share of their weight that is in no name, `unknown` the share of words that
    no memory of the realm has.
    """

    words: tuple[QuestionWord, ...]
    unnamed: float
    unknown: float
    missing: tuple[str, ...]
    misses_name: bool


def question_words(query: str, languages: Sequence[str] = (ENGLISH,)) -> list[QuestionWord]:
    """Return the words of a question that say what is asked for, each stem once."""
    names = {word for token in _names(query, languages[0]) for word in words(token)}
    stems_of_words: dict[str, dict[str, None]] = {}
    for term in search_words(query, languages):
        stems_of_words.setdefault(term["text"], {})[term["stem"]] = None
    chosen: dict[tuple[str, ...], QuestionWord] = {}
    for text, stems in stems_of_words.items():
        is_name = text in names
        if is_name or ASKING_STEMS.isdisjoint(stems):
            word = QuestionWord(POSSESSIVE.sub("", text), tuple(stems), is_name)
            chosen[word.stems] = chosen.get(word.stems, word)
    return list(chosen.values())


def without_names(query: str, language: str = ENGLISH) -> str | None:
    """Return a question without its names, None if it has none or nothing else."""
    names = set(_names(query, language))
    if not names or all(word.is_name for word in question_words(query, (language,))):
        return None
    return " ".join(token for token in name_tokens(query) if token not in names) + "?"


def weigh(chosen: list[QuestionWord], counts: Mapping[str, int], texts: float) -> WeighedWords:
    """Weigh words by their counts of memories. A word without a count is in most of them."""
    weights = {
        word: math.log(1 + max(0.0, texts - count + 0.5) / (count + 0.5))
        for word in chosen
        if (count := word.count(counts)) is not None
    }
    missing = [word for word in weights if word.count(counts) == 0]
    return WeighedWords(
        words=tuple(weights),
        unnamed=_share(weights, [word for word in weights if not word.is_name]),
        unknown=_share(weights, missing) if missing else 0.0,
        missing=tuple(word.text for word in missing),
        misses_name=any(word.is_name for word in missing),
    )


def _share(weights: Mapping[QuestionWord, float], part: list[QuestionWord]) -> float:
    whole = sum(weights.values())
    return sum(weights[word] for word in part) / whole if whole > 0 else 1.0


def _names(query: str, language: str) -> list[str]:
    """Return the capitalised tokens of a question, but for its first word."""
    first, *rest = name_tokens(query) or [""]
    tokens = [token for token in rest if token[:1].isupper()]
    tokens += [first] if first[:1].isupper() and POSSESSIVE.search(first) else []
    nothing = FUNCTION_WORDS if language == ENGLISH else function_words(language)
    return [token for token in tokens if token.lower() not in nothing]
