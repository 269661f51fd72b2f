"""What a text is about, found without a model: its names, and the stems of its words."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import snowballstemmer

_JOINING = """
of the de la van von der and & for in du di al bin ibn
"""
_STOP_WORDS = """
a an and are as at be but by for if in into is it no not of on or such that the their then there
these they this to was will with
"""
# Capitalised for where they stand, or by habit, and not because they name something.
_FUNCTION_WORDS = """
about above according after afterwards again against all also although always among another any
anybody anyone anything around because been before being below besides between both can could
did do does doing don't during each either even ever every everyone everything finally first
from further had has have having he hence her here hers him his how however i i'd i'll i'm i've
instead its it's itself just last later let's like many may maybe me meanwhile might mine more
moreover most much must my myself neither never nevertheless next nor nothing now off often oh
ok okay once one only other others otherwise our ours out over own perhaps please rather same
several shall she should similarly since so some somebody someone something sometimes soon still
than thanks that's them therefore those though through throughout thus today together tomorrow
too toward towards two under unless unlike until up upon us using usually very wait we well were
we're what what's when where whereas whether which while who whom whose why within without would
yeah yes yesterday yet you your yours you're
"""

JOINING = frozenset(_JOINING.split())
STOP_WORDS = frozenset(_STOP_WORDS.split())
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split()) | STOP_WORDS | JOINING
MOST_JOINING = 2
LONGEST_RUN = 16
LONGEST_KEY = 200
LONGEST_WORD = 100
# Vowel signs and accents that stand as characters of their own belong to their words.
_MARKS = "".join(c for c in map(chr, range(0x300, 0x3000)) if unicodedata.category(c)[0] == "M")
_LETTER = rf"[\w{_MARKS}]"
# Initials and short titles keep their full stop: it ends no name.
_TOKEN = re.compile(
    r"\b(?:[^\W\d_a-z]\.)+|\b(?:St|Mr|Mrs|Ms|Dr|Jr|Sr|Mt|Ft)\."
    rf"|{_LETTER}+(?:['’.-]{_LETTER}+)*|&"
)
_POSSESSIVE = re.compile(r"['’]s?$")
_INSIDE = re.compile(rf"[^\w\s&{_MARKS}-]|_")
_WORD = re.compile(rf"{_LETTER}+(?:['’]{_LETTER}+)*")
_SPACE_ONLY = re.compile(r"[ \t]+")
_PORTER = snowballstemmer.stemmer("porter")


def name_key(name: str) -> str:
    """How a name is known: lower case, without possessives and punctuation."""
    return " ".join(word for word in map(_plain, name.lower().split()) if word)


def _plain(word: str) -> str:
    return word if word.isalnum() else _INSIDE.sub("", _POSSESSIVE.sub("", word))


def tokens(text: str) -> list[str]:
    """The words of a text as names are made of them."""
    return _TOKEN.findall(_composed(text))


def names(text: str) -> list[str]:
    """The keys of the names in a text, in order, each once.

    A name is a run of capitalised words, joined over small words, with the numbers behind it.
    """
    found = (name_key(" ".join(run)) for run in _runs(text))
    return list(dict.fromkeys(key for key in found if 0 < len(key) <= LONGEST_KEY))


def _runs(text: str) -> Iterator[list[str]]:
    run: list[str] = []
    joining: list[str] = []
    end = 0
    text = _composed(text)
    for token in _TOKEN.finditer(text):
        word = token.group()
        if not run and not word[0].isupper():  # most words: no name begins or goes on
            end = token.end()
            continue
        if len(run) >= LONGEST_RUN or not _SPACE_ONLY.fullmatch(text, end, token.start()):
            yield from _done(run)
            run, joining = [], []
        end = token.end()
        stopped = not run or run[-1].endswith(".")
        if word[0].isupper() and not (stopped and word.lower() in FUNCTION_WORDS):
            run += [*joining, word]
            joining = []
        elif run and word.lower() in JOINING and len(joining) < MOST_JOINING:
            joining.append(word)
        elif run and not joining and word.isdigit():
            run.append(word)
        else:
            yield from _done(run)
            run, joining = [], []
    yield from _done(run)


def _done(run: list[str]) -> Iterator[list[str]]:
    while run and run[-1].lower() in FUNCTION_WORDS:
        run = run[:-1]
    if run:
        yield run


def words(text: str) -> list[str]:
    """The words of a text as the fulltext index takes them, lower case, in order."""
    return _WORD.findall(_composed(text).lower().replace("’", "'"))


def stems(text: str) -> list[str]:
    """Porter stems of the words that carry meaning, sorted, each once."""
    found = (word for word in words(text) if word not in STOP_WORDS)
    return sorted({stem(word) for word in found if len(word) <= LONGEST_WORD})


def first_words(text: str, count: int) -> str | None:
    """Return a text up to so many words, None if it has no more than these."""
    if len(text) <= count:
        return None
    text = _composed(text)
    matches = _WORD.finditer(text)
    end = next(islice(matches, count - 1, None), None)
    return text[: end.end()] if end is not None and next(matches, None) is not None else None


def encodable(text: str) -> bool:
    """Whether a text holds whole characters only."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The Porter stem of a lower-case word, possessive left off."""
    stemmed: str = _PORTER.stemWord(_POSSESSIVE.sub("", word) or word)
    return stemmed


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)
