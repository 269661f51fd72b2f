"""Text of a line: cues removed, letters folded, sentences and words split, tokens compared."""

import re
from collections.abc import Iterator

_CURLY = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'"})
_CUE = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")
_SENTENCE = re.compile(r"[^.?!\u2026]+[.?!\u2026]*")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_QUOTES = " \t\n\r\"'`\u201c\u201d\u00ab\u00bb"
_LEADING_MARKS = " \t\n\"'\u201c\u201d,;:-\u2013\u2014"
_ANSWER = re.compile(
    r"(?:yes|yeah|yep|yup|sure|okay|ok|no|nope|nah|not\s+(?:really|at\s+all|exactly))\b"
)
SHORTEST_TOKEN = 3
OPENING, CLOSING = tuple('"\u201c\u201e\u00ab\u00bb'), tuple('"\u201c\u201d\u00ab\u00bb')
FEWEST_SPOKEN = 3


def spoken(text: str) -> str:
    """Return a line without its bracketed cues, however deep they are nested."""
    while True:
        bare = _CUE.sub(" ", text)
        if bare == text:
            return bare
        text = bare


def folded(text: str) -> str:
    """Return a text in lower case, with straight apostrophes."""
    return text.translate(_CURLY).lower()


def has_no_words(text: str) -> bool:
    """Return whether there is no letter or digit outside brackets."""
    return not any(letter.isalnum() for letter in spoken(text))


def tokens(text: str, *, compat: bool = False) -> frozenset[str]:
    """Return the distinct words by which two lines are compared, those in cues included."""
    words = (text.lower() if compat else folded(text)).split()
    if not compat:
        words = [_bare(word) for word in words]
    return frozenset(word for word in words if len(word) >= SHORTEST_TOKEN)


def answers_yes_or_no(text: str) -> bool:
    """Return whether a line opens like an answer to a yes/no question."""
    return _ANSWER.match(folded(spoken(text)).lstrip(_QUOTES)) is not None


def sentences(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the sentences of a line, folded and without cues, and whether each is a question."""
    for match in _SENTENCE.finditer(folded(spoken(text))):
        sentence = match.group()
        body = sentence.rstrip(".?!\u2026")
        yield body.strip(), "?" in sentence[len(body) :]


def is_quotation(text: str) -> bool:
    """Return whether a line is direct speech from its first mark to its last, of some words."""
    bare = spoken(text).strip()
    return bare[:1] in OPENING and bare[-1:] in CLOSING and len(words(bare)) >= FEWEST_SPOKEN


def without_leading_marks(sentence: str) -> str:
    """Return a sentence without the spaces, quotes and dashes at its start."""
    return sentence.lstrip(_LEADING_MARKS)


def without_fillers(sentence: str, fillers: re.Pattern[str]) -> str:
    """Return a sentence without the words at its start that mean nothing."""
    filler = fillers.match(sentence)
    return without_leading_marks(sentence[filler.end() :] if filler else sentence)


def words(text: str) -> list[str]:
    """Return every word of a sentence, a contraction as one."""
    return _WORD.findall(text)


def alphanumerics(text: str) -> int:
    """Return the number of letters and digits."""
    return sum(letter.isalnum() for letter in text)


def _bare(word: str) -> str:
    """Return a word without the marks at its ends."""
    first, last = 0, len(word)
    while first < last and not word[first].isalnum():
        first += 1
    while last > first and not word[last - 1].isalnum():
        last -= 1
    return word[first:last]
