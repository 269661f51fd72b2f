"""Words of a question: those that lead nowhere, those to search for, and symbols of markets."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from asterism.realm_names import quoted
from asterism.recall.query_terms import search_words
from asterism.text.english import ASKING_WORDS, FUNCTION_WORDS
from asterism.text.names import name_key, name_tokens
from asterism.text.tokens import stems

PLAIN = ASKING_WORDS | FUNCTION_WORDS
MOST_SYMBOLS = 5
MOST_TERMS = 50
_SYMBOL = re.compile(r"[A-Z][A-Z0-9./-]+")


@dataclass(frozen=True)
class Question:
    """A question as the statements of a guided walk take it."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    terms: tuple[str, ...]  # stems of the words that say what is asked for
    search: str  # a query of the fulltext index
    symbols: tuple[str, ...]


def parse(query: str, realm: str) -> Question:
    """Return the words of a question."""
    tokens = name_tokens(query)
    keys = {name_key(token) for token in tokens if token.lower() not in FUNCTION_WORDS}
    terms = [term for term in search_words(query) if term["text"] not in PLAIN][:MOST_TERMS]
    symbols = dict.fromkeys(token for token in query.split() if _SYMBOL.match(token))
    return Question(
        words=tuple(sorted(key for key in keys if key)),
        stems=tuple(stems(query)),
        terms=tuple(term["stem"] for term in terms),
        search=_search([term["text"] for term in terms], realm),
        symbols=tuple(symbol.rstrip("?!.,;:") for symbol in symbols)[:MOST_SYMBOLS],
    )


def _search(terms: Sequence[str], realm: str) -> str:
    """Return a query for nodes of the realm that have one of the words."""
    words = " ".join(terms) or "nothing_at_all"
    return f"+realm:{quoted(realm)} +(name:({words}) content:({words}) text:({words}))"
