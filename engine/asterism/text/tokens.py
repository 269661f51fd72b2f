"""Words of a text in lower case, as the fulltext index takes them, and their stems."""

import re
import unicodedata
from itertools import islice

from asterism.text.change_words import FRAMES
from asterism.text.english import FUNCTION_WORDS, JOINING, STOP_WORDS, stem

LONGEST_WORD = 100
# "van" is a car too, and words of frames say what a change is about.
COMMON_WORDS = STOP_WORDS | {
    word
    for word in FUNCTION_WORDS - JOINING
    if not any(stem(word) in frame for frame in FRAMES.values())
}
# Vowel signs and accents that stand as characters of their own belong to their words.
MARKS = "".join(c for c in map(chr, range(0x300, 0x3000)) if unicodedata.category(c)[0] == "M")
LETTER = rf"[\w{MARKS}]"
_WORD = re.compile(rf"{LETTER}+(?:['’]{LETTER}+)*")


def words(text: str) -> list[str]:
    """Return the words of a text in order, in lower case."""
    return _WORD.findall(composed(text).lower().replace("’", "'"))


def stems(text: str) -> list[str]:
    """Return the stems of the words that carry meaning, sorted, each once."""
    chosen = (word for word in words(text) if word not in STOP_WORDS)
    return sorted({stem(word) for word in chosen if len(word) <= LONGEST_WORD})


def rare_stems(text: str) -> set[str]:
    """Return the stems that may tell texts apart: those of words that are no function words.

    In a small realm such a word is in few texts too, and joins what has nothing in common.
    """
    chosen = (word for word in words(text) if word not in COMMON_WORDS)
    return {stem(word) for word in chosen if len(word) <= LONGEST_WORD}


def first_words(text: str, count: int) -> str | None:
    """Return a text up to so many words, None if it has no more than these."""
    if len(text) <= count:
        return None
    text = composed(text)
    matches = _WORD.finditer(text)
    end = next(islice(matches, count - 1, None), None)
    return text[: end.end()] if end is not None and next(matches, None) is not None else None


def composed(text: str) -> str:
    """Return a text with each accented letter as one character where there is one (NFC)."""
    return unicodedata.normalize("NFC", text)
