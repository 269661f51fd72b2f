"""The words of a text as they are compared: the same words in the same order say the same.

Case, white space and the punctuation of sentences do not count. Signs that change what is said do:
those within a number or before it, units and other symbols, an apostrophe within a word.
"""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

READ = 1000  # passages of one statement
_MINUS = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-")
_SIGNS = {
    **dict.fromkeys(map(ord, "\u00ad\u200b\u200e\u200f\u2060\ufeff")),  # invisible
    **dict.fromkeys(map(ord, "‘’‚‛ʼ`´′"), "'"),
    **dict.fromkeys(map(ord, "“”„‟«»″"), '"'),
    **_MINUS,
}
_SPOKEN = frozenset("#%&@*/\\§‰‱¶")  # punctuation by its category, but said as a word
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
    """What a text says, small enough to be kept for every text that is near another."""

    folded: str
    spelled: str
    capitals: bool  # it holds SS in capitals, which is also how ß is written in them

    def same(self, other: "Wording") -> bool:
        """Whether both are the same words: `Maße` and `Masse` are not, `STRASSE` is `Straße`."""
        if self.folded != other.folded:
            return False
        return self.spelled == other.spelled or self.capitals or other.capitals


def wording(text: str) -> Wording:
    """Return what a text says as digests of its words."""
    tokens = words(text)
    lower = [word.lower() for word in tokens]
    folded = [unicodedata.normalize("NFC", word.casefold()) for word in tokens]
    return Wording(_digest(folded), _digest(lower), any("SS" in word for word in tokens))


def words(text: str) -> list[str]:
    """Return the words, numbers and symbols of a text in their order, as they are written."""
    plain = _LATER_DIGIT.sub("-", _composed(text.translate(_SIGNS)))
    tokens = _TOKEN.finditer(plain)
    return [token.group() for token in tokens if token["mark"] is None or _counts(token["mark"])]


class Reader(Protocol):
    """A database, or a transaction of it."""

    async def rows(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]: ...


async def read_wordings(reader: Reader, ids: Sequence[str]) -> dict[str, Wording]:
    """Read what some memories say, by id."""
    wordings: dict[str, Wording] = {}
    for first in range(0, len(ids), READ):
        rows = await reader.rows("consolidation/passages", ids=list(ids[first : first + READ]))
        wordings |= {row["id"]: wording(row["passage"]) for row in rows}
    return wordings


def _composed(text: str) -> str:
    """NFKC, except for numbers that it would change: 10² is not 102, and 1½ is not 11/2."""
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


def _counts(mark: str) -> bool:
    return mark in _SPOKEN or unicodedata.category(mark)[0] != "P"


def _digest(tokens: list[str]) -> str:
    return hashlib.sha256("\x1f".join(tokens).encode()).hexdigest()[:32]
