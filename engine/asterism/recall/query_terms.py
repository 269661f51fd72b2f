"""Terms of a question: the words to search for, and the runs of words that may be names."""

import re
from typing import Any

from asterism.errors import InvalidInput
from asterism.text.english import FUNCTION_WORDS, QUESTION_WORDS, stem
from asterism.text.names import name_key, name_tokens
from asterism.text.tokens import LONGEST_WORD, words
from asterism.validation import encodable

LONGEST_NAME = 8
_NUMBER = re.compile(r"\d+")
MOST_WORDS = 200
MOST_CLAUSES = 500
MOST_HITS = 2**31
FIRST_IDEOGRAPH = "\u2e80"  # the index takes each of them for a word
LONGEST_QUERY = 10_000


def parse_query(query: str, k: int) -> str:
    """Return the question in single spaces, cut if it is long, or refuse it."""
    if not isinstance(query, str) or not query.strip():
        raise InvalidInput("query", query, "ask in a few words")
    if not encodable(query):
        raise InvalidInput("query", query, "it holds half a character: decode it anew")
    if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k <= MOST_HITS:
        raise InvalidInput("k", k, f"ask for 1 to {MOST_HITS:,} hits")
    return " ".join(query[:LONGEST_QUERY].split())


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
    return sorted(runs - (lower - capitalised))


def search_words(query: str) -> list[dict[str, str]]:
    """Return the words worth searching for, with their stems."""
    terms: list[dict[str, str]] = []
    clauses = 0
    for word in words(query):
        if word not in QUESTION_WORDS and len(word) <= LONGEST_WORD and len(terms) < MOST_WORDS:
            clauses += sum(letter >= FIRST_IDEOGRAPH for letter in word) or 1
            if clauses > MOST_CLAUSES:
                break
            terms.append({"text": word, "stem": stem(word)})
    return terms


def confirmation(query: str, row: dict[str, Any]) -> dict[str, Any]:
    """Return what is confirmed for a question, first for this one only with the same numbers.

    A vector hardly tells two numbers apart: "on 3 May" has a cosine of 0.88 with "on 5 May".
    """
    same_numbers = _NUMBER.findall(query) == _NUMBER.findall(row["question"])
    return row | {"leads": row["leads"] and same_numbers}
