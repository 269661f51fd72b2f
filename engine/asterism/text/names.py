"""Names in a text: runs of capitalised words, and the key under which each is stored.

A key is in Latin letters where a name of another script has such a spelling.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from asterism.text import languages
from asterism.text.caseless_names import caseless_names
from asterism.text.english import FUNCTION_WORDS, JOINING, POSSESSIVE
from asterism.text.languages import ENGLISH
from asterism.text.scripts import LETTER, MARKS, SPACELESS
from asterism.text.sentence_starts import only_begins
from asterism.text.tokens import composed
from asterism.text.transliteration import romanized

MOST_JOINING = 2
MOST_RUNS = 20
LONGEST_CASELESS = 8
SPACELESS_RUN = re.compile(f"[{SPACELESS}]{{2,60}}")
LONGEST_RUN = 16
LONGEST_KEY = 200
GERMAN = "de"
_GERMAN_JOINING = "von van zu de la &"
NOUN_ENDINGS = ("ung", "heit", "keit", "schaft", "tion", "tät", "nis", "ismus", "chen")
_ARTICLES = "der die das den dem des im am zum zur beim vom ins ans"
_DETERMINERS = "ein mein dein sein ihr unser eur kein dies jed jen welch"
_ENDINGS = ("", "e", "en", "em", "er", "es")
_CONTRACTED_VERBS = frozenset(("ll", "ve", "re", "d", "m"))
# Initials and short titles keep their full stop: it ends no name.
_TOKEN = re.compile(
    r"\b(?:[^\W\d_a-z]\.)+|\b(?:St|Mr|Mrs|Ms|Dr|Jr|Sr|Mt|Ft)\."
    rf"|{LETTER}+(?:['’.-]{LETTER}+)*|&"
)
_INSIDE = re.compile(rf"[^\w\s&{MARKS}-]|_")
_SPACE_ONLY = re.compile(r"[ \t]+")
GERMAN_JOINING = frozenset(_GERMAN_JOINING.split())
ARTICLES = frozenset(_ARTICLES.split()) | {
    word + ending for word in _DETERMINERS.split() for ending in _ENDINGS
}


def name_key(name: str) -> str:
    """Return the key of a name: lower case, without possessives and punctuation."""
    return " ".join(word for word in map(_plain, name.lower().replace("・", " ").split()) if word)


def name_tokens(text: str) -> list[str]:
    """Return the words of a text as names are made of them, with their capitals."""
    return _TOKEN.findall(composed(text))


def caseless_keys(text: str) -> Iterator[str]:
    """Yield the keys that a text's runs of letters without spaces may be names under."""
    if text.isascii():
        return
    for match in islice(SPACELESS_RUN.finditer(composed(text)), MOST_RUNS):
        run = match.group()
        for start in range(len(run)):
            yield from map(name_key, (run[start:end] for end in _ends(run, start)))


def _ends(run: str, start: int) -> range:
    return range(start + 2, min(start + LONGEST_CASELESS, len(run)) + 1)


def names(text: str, language: str | None = None, *, heading: int = 0) -> list[str]:
    """Return the keys of the names in a text, in order, each once.

    A name is a run of capitalised words, joined over small words, with the numbers behind it. In
    German, a single noun behind its article is none, in English a verb that begins a sentence.
    Scripts without capitals have other signs. The first `heading` letters are no sentence.
    """
    text = composed(text)
    code = languages.detect(text) if language is None else language
    runs = [*_runs(text, code, heading), *caseless_names(text)]
    keys = (name_key(run) for _, run in sorted(runs, key=_place))
    return list(dict.fromkeys(key for key in keys if 0 < len(key) <= LONGEST_KEY))


def _place(run: tuple[int, str]) -> int:
    return run[0]


def _plain(word: str) -> str:
    if word.isascii() and word.isalnum():
        return word
    return romanized(word if word.isalnum() else _INSIDE.sub("", POSSESSIVE.sub("", word)))


@cache
def function_words(code: str) -> frozenset[str]:
    """Return the words that a language capitalises for where they stand, or by habit."""
    if code == ENGLISH:
        return FUNCTION_WORDS
    own = languages.language(code)
    return FUNCTION_WORDS | own.stop_words | own.question_words


class _Run:
    """A run of capitalised words, as far as it was read."""

    def __init__(self, code: str) -> None:
        self._function_words = function_words(code)
        self._german = code == GERMAN
        self._joining = GERMAN_JOINING if self._german else JOINING
        self._before: list[str] = []
        self._start = 0
        self.words: list[str] = []
        self.joining: list[str] = []

    def take(self, word: str, start: int) -> bool:
        """Add a word, or return False if the run ends before it."""
        starts = not self.words or self.words[-1].endswith(".")
        if word[0].isupper() and not (starts and self._is_function_word(word)):
            self._start = self._start if self.words else start
            self.words += [*self.joining, word]
            self.joining = []
        elif self.words and word.lower() in self._joining and len(self.joining) < MOST_JOINING:
            self.joining.append(word)
        elif self.words and not self.joining and word.isdigit():
            self.words.append(word)
        else:
            return False
        return True

    def pass_by(self, word: str) -> None:
        """Take note of a word that no name begins with."""
        if self._german:
            self._before = [*self._before[-1:], word]

    def end(self) -> Iterator[tuple[int, str]]:
        """Yield the run, if a name is left of it, and begin another one."""
        words, self.words, self.joining = self.words, [], []
        while words and self._is_function_word(words[-1]):
            words = words[:-1]
        if words and not (self._german and len(words) == 1 and self._is_noun(words[0])):
            yield self._start, " ".join(words)
        self._before = []

    def _is_function_word(self, word: str) -> bool:
        lower = word.lower().replace("’", "'")
        base, _, rest = lower.partition("'")
        negated = rest == "t" and base.endswith("n")
        contracted = rest in _CONTRACTED_VERBS and base in self._function_words
        return lower in self._function_words or negated or contracted

    def _is_noun(self, word: str) -> bool:
        """Return True for a German noun behind an article, or with the ending of one."""
        before = [each.lower() for each in self._before]
        return word.endswith(NOUN_ENDINGS) or not ARTICLES.isdisjoint(before)


def _runs(text: str, code: str, heading: int) -> Iterator[tuple[int, str]]:
    run = _Run(code)
    end = 0
    sentences = heading if code == ENGLISH else len(text)
    for token in _TOKEN.finditer(text):
        word = token.group()
        if not run.words and not word[0].isupper():  # most words: no name begins or goes on
            end = token.end()
            run.pass_by(word)
            continue
        if len(run.words) >= LONGEST_RUN or not _SPACE_ONLY.fullmatch(text, end, token.start()):
            yield from run.end()
        end = token.end()
        start = token.start()
        begins = not run.words and start >= sentences and only_begins(word, text, start)
        if begins or not run.take(word, start):
            yield from run.end()
            run.pass_by(word)
    yield from run.end()
