"""Names in a text: runs of capitalised words, and the key under which each is stored."""

import re
from collections.abc import Iterator

from asterism.text.english import FUNCTION_WORDS, JOINING, POSSESSIVE
from asterism.text.tokens import LETTER, MARKS, composed

MOST_JOINING = 2
LONGEST_RUN = 16
LONGEST_KEY = 200
# Initials and short titles keep their full stop: it ends no name.
_TOKEN = re.compile(
    r"\b(?:[^\W\d_a-z]\.)+|\b(?:St|Mr|Mrs|Ms|Dr|Jr|Sr|Mt|Ft)\."
    rf"|{LETTER}+(?:['’.-]{LETTER}+)*|&"
)
_INSIDE = re.compile(rf"[^\w\s&{MARKS}-]|_")
_SPACE_ONLY = re.compile(r"[ \t]+")


def name_key(name: str) -> str:
    """Return the key of a name: lower case, without possessives and punctuation."""
    return " ".join(word for word in map(_plain, name.lower().split()) if word)


def name_tokens(text: str) -> list[str]:
    """Return the words of a text as names are made of them, with their capitals."""
    return _TOKEN.findall(composed(text))


def names(text: str) -> list[str]:
    """Return the keys of the names in a text, in order, each once.

    A name is a run of capitalised words, joined over small words, with the numbers behind it.
    """
    keys = (name_key(" ".join(run)) for run in _runs(text))
    return list(dict.fromkeys(key for key in keys if 0 < len(key) <= LONGEST_KEY))


def _plain(word: str) -> str:
    return word if word.isalnum() else _INSIDE.sub("", POSSESSIVE.sub("", word))


def _runs(text: str) -> Iterator[list[str]]:
    run: list[str] = []
    joining: list[str] = []
    end = 0
    text = composed(text)
    for token in _TOKEN.finditer(text):
        word = token.group()
        if not run and not word[0].isupper():  # most words: no name begins or goes on
            end = token.end()
            continue
        if len(run) >= LONGEST_RUN or not _SPACE_ONLY.fullmatch(text, end, token.start()):
            yield from _without_function_words(run)
            run, joining = [], []
        end = token.end()
        starts_sentence = not run or run[-1].endswith(".")
        if word[0].isupper() and not (starts_sentence and word.lower() in FUNCTION_WORDS):
            run += [*joining, word]
            joining = []
        elif run and word.lower() in JOINING and len(joining) < MOST_JOINING:
            joining.append(word)
        elif run and not joining and word.isdigit():
            run.append(word)
        else:
            yield from _without_function_words(run)
            run, joining = [], []
    yield from _without_function_words(run)


def _without_function_words(run: list[str]) -> Iterator[list[str]]:
    while run and run[-1].lower() in FUNCTION_WORDS:
        run = run[:-1]
    if run:
        yield run
