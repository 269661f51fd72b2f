"""Terms of a question: the words to search for, and the runs of words that may be names."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from asterism.errors import InvalidInput
from asterism.text.english import FUNCTION_WORDS, QUESTION_WORDS
from asterism.text.languages import ENGLISH, detect
from asterism.text.names import caseless_keys, name_key, name_tokens
from asterism.text.scripts import is_spaceless
from asterism.text.tokens import LONGEST_WORD, stems_of, word_language, words
from asterism.text.transliteration import usual
from asterism.validation import parse_question

LONGEST_NAME = 8
_NUMBER = re.compile(r"\d+")
MOST_WORDS = 200
MOST_CLAUSES = 500
MOST_HITS = 2**31


def parse_query(query: str, k: int) -> str:
    """Return the question in single spaces, cut if it is long, or refuse it."""
    question = parse_question(query)
    if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k <= MOST_HITS:
        raise InvalidInput("k", k, f"ask for 1 to {MOST_HITS:,} hits")
    return question


def question_languages(query: str, spoken: Sequence[str], expected: str = ENGLISH) -> list[str]:
    """Return the languages that a question is read in: its own, then those of the memories."""
    own = detect(query, expected)
    return [own, *(code for code in spoken if code != own)]


def name_keys(query: str) -> list[str]:
    """Return the runs of words that may be names, sorted.

    A single function word in lower case names nothing.
    """
    tokens = name_tokens(query)
    keys = [key for key in map(name_key, tokens) if key][:MOST_WORDS]
    lower = {word for word in words(query) if word in FUNCTION_WORDS}
    capitalised = {name_key(token) for token in tokens if token[:1].isupper()}
    runs = {
        " ".join(keys[start:end])
        for start in range(len(keys))
        for end in range(start + 1, min(start + LONGEST_NAME, len(keys)) + 1)
    }
    runs |= set(caseless_keys(query)) | {usual(key) for key in capitalised}
    return sorted(runs - (lower - capitalised))


def search_words(query: str, languages: Sequence[str] = (ENGLISH,)) -> list[dict[str, str]]:
    """Return the words worth searching for, with their stems.

    A word has a row for each of its stems in the languages, which begin with the question's own.
    """
    terms: list[dict[str, str]] = []
    for word in words(query):
        if len(terms) < MOST_WORDS and not _says_nothing(word, languages[0]):
            terms += _rows(word, languages)
    return terms[:MOST_CLAUSES]


def _says_nothing(word: str, code: str) -> bool:
    """Return True for a function or question word of the question's language."""
    if len(word) > LONGEST_WORD and not is_spaceless(word):
        return True
    own = word_language(word, code)
    if own.code == ENGLISH:
        return word in QUESTION_WORDS
    return word in own.stop_words or word in own.question_words


def _rows(word: str, languages: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield the stems of a word, or its pairs of letters, each once."""
    stems = dict.fromkeys(
        (stem, is_spaceless(word)) for code in languages for stem in stems_of(word, code)
    )
    yield from ({"text": stem if pair else word, "stem": stem} for stem, pair in stems)


def confirmation(query: str, row: dict[str, Any]) -> dict[str, Any]:
    """Return what is confirmed for a question, first for this one only with the same numbers.

    A vector hardly tells two numbers apart: "on 3 May" has a cosine of 0.88 with "on 5 May".
    """
    same_numbers = _NUMBER.findall(query) == _NUMBER.findall(row["question"])
    return row | {"leads": row["leads"] and same_numbers}
