"""Words of a text in lower case, and their stems in the language of the text."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

from asterism.text import languages
from asterism.text.change_words import frames_of
from asterism.text.english import FUNCTION_WORDS, JOINING, STOP_WORDS, stem
from asterism.text.languages import ENGLISH, Language
from asterism.text.scripts import LETTER, is_spaceless, pieces, script

LONGEST_WORD = 100
_WORD = re.compile(rf"{LETTER}+(?:['’]{LETTER}+)*")


@cache
def common_words() -> frozenset[str]:
    """Return the English function words, but for those that frames are told by."""
    # "van" is a car too, and words of frames say what a change is about.
    others = {word for word in FUNCTION_WORDS - JOINING if stem(word) not in frames_of()}
    return STOP_WORDS | others


def words(text: str) -> list[str]:
    """Return the words of a text in order, in lower case."""
    return _WORD.findall(composed(text).lower().replace("’", "'"))


def stems(text: str, language: str | None = None) -> list[str]:
    """Return the stems of the words that carry meaning, sorted, each once.

    Without a language, that of the text is detected.
    """
    return sorted(set(stems_in_order(text, language)))


def stems_in_order(text: str, language: str | None = None) -> list[str]:
    """Return the stems of the words that carry meaning as often as they occur."""
    return _stems(words(text), languages.detect(text) if language is None else language)


def _stems(words: Iterable[str], code: str) -> list[str]:
    own = languages.language(code)
    result: list[str] = []
    for word in words:
        if code == ENGLISH and word.isascii():  # nearly every word: a generator takes longer
            if word not in own.stop_words and len(word) <= LONGEST_WORD:
                result.append(own.stem(word))
        else:
            result += stems_of(word, code)
    return result


def stems_of(word: str, code: str) -> Iterator[str]:
    """Yield the stem of a word, or the pairs of letters of a script without spaces.

    A stop word has none. A word in another script than the language's has that of its own.
    """
    for part, whole in pieces(word) if is_spaceless(word) else [(word, False)]:
        if whole:
            yield part
        elif len(part) <= LONGEST_WORD:
            own = word_language(part, code)
            if part not in own.stop_words:
                yield own.stem(part)


def word_language(word: str, *codes: str) -> Language:
    """Return the first of some languages that writes a word so, else the likeliest one."""
    name = next(filter(None, map(script, word)), "")
    if not name or (word.isascii() and codes[0] == ENGLISH):
        return languages.language(codes[0])
    return languages.language(languages.of_script(name, codes) or ENGLISH)


def rare_stems(text: str, language: str = ENGLISH) -> set[str]:
    """Return the stems that may tell texts apart: those of words that are no function words.

    In a small realm such a word is in few texts too, and joins what has nothing in common.
    """
    chosen = [word for word in words(text) if not languages.is_foreign_function_word(word)]
    if language == ENGLISH:
        chosen = [word for word in chosen if word not in common_words()]
    return set(_stems(chosen, language))


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
