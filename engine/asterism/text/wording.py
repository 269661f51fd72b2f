"""Comparison of wordings: texts of the same words in the same order say the same.

Case, white space and the punctuation of sentences do not count. Signs that change what is said do:
those within a number or before it, units and other symbols, an apostrophe within a word.
"""

import hashlib
import re
import unicodedata
from dataclasses import dataclass

_MINUS = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-")
_SIGNS = {
    **dict.fromkeys(map(ord, "\u00ad\u200b\u200e\u200f\u2060\ufeff")),  # invisible
    **dict.fromkeys(map(ord, "‘’‚‛ʼ`´′"), "'"),
    **dict.fromkeys(map(ord, "“”„‟«»″"), '"'),
    **_MINUS,
}
_SYMBOLS = frozenset("#%&@*/\\§‰‱¶")  # punctuation by its category, but said as a word
_LATER_DIGIT = re.compile(r"-\s+(?=\d)")  # "- 5" may be a number below zero
# A word or number with what stands in it, a sign that turns what follows, a unit behind a number,
# any other mark. Between letters only an apostrophe joins, beside a digit everything does.
_TOKEN = re.compile(
    r"\w+(?:(?:'|(?<=\d)[^\w\s]+(?=\w)|[^\w\s]+(?=\d))\w+)*"
    r"|(?<!\w)(?:[-+]+(?=[^\w\s]?\w)|!+(?=[\w=(])|[.,]+(?=\d))"
    r"|(?<=\d)['\"]"
    r"|(?P<mark>[^\w\s])"
)


@dataclass(frozen=True)
class Wording:
    """Digests of a text's words, small enough to be held for every text near another."""

    folded: str
    spelled: str
    capitals: bool  # it holds SS in capitals, which is also how ß is written in them

    def same(self, other: "Wording") -> bool:
        """Return True for the same words: `Maße` and `Masse` differ, `STRASSE` is `Straße`."""
        if self.folded != other.folded:
            return False
        return self.spelled == other.spelled or self.capitals or other.capitals


def wording(text: str) -> Wording:
    """Return the digests of a text's words."""
    tokens = spelled_words(text)
    lower = [word.lower() for word in tokens]
    folded = [unicodedata.normalize("NFC", word.casefold()) for word in tokens]
    return Wording(_digest(folded), _digest(lower), any("SS" in word for word in tokens))


def spelled_words(text: str) -> list[str]:
    """Return the words, numbers and symbols of a text in order, as they are written."""
    plain = _LATER_DIGIT.sub("-", _normalized(text.translate(_SIGNS)))
    tokens = _TOKEN.finditer(plain)
    return [token.group() for token in tokens if token["mark"] is None or _is_symbol(token["mark"])]


def _normalized(text: str) -> str:
    """Apply NFKC, except to numbers that it would change: 10² is not 102, and 1½ is not 11/2."""
    if text.isascii():
        return text
    pieces: list[str] = []
    plain: list[str] = []
    for letter in text:
        if letter.isnumeric() and not letter.isdecimal():
            pieces += [unicodedata.normalize("NFKC", "".join(plain)), letter]
            plain = []
        else:
            plain.append(letter)
    return "".join([*pieces, unicodedata.normalize("NFKC", "".join(plain))]).translate(_MINUS)


def _is_symbol(mark: str) -> bool:
    return mark in _SYMBOLS or unicodedata.category(mark)[0] != "P"


def _digest(tokens: list[str]) -> str:
    return hashlib.sha256("\x1f".join(tokens).encode()).hexdigest()[:32]
