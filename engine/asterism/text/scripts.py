"""Scripts of letters, and the pieces of words in scripts that have no spaces."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

# Vowel signs and accents that stand as characters of their own belong to their words.
MARKS = "".join(c for c in map(chr, range(0x300, 0x3000)) if unicodedata.category(c)[0] == "M")
LETTER = rf"[\w{MARKS}]"
# The first code point of each script's blocks. "" stands for what is no letter of a script here.
_BLOCKS = (
    (0x0, ""), (0x41, "latin"), (0x5B, ""), (0x61, "latin"), (0x7B, ""), (0xC0, "latin"),
    (0x250, ""), (0x370, "greek"), (0x400, "cyrillic"), (0x530, "armenian"), (0x590, "hebrew"),
    (0x600, "arabic"), (0x700, ""), (0x750, "arabic"), (0x780, ""), (0x8A0, "arabic"),
    (0x900, "devanagari"), (0x980, "bengali"), (0xA00, ""), (0xB80, "tamil"), (0xC00, ""),
    (0xE00, "thai"), (0xE80, "lao"), (0xF00, ""), (0x1000, "myanmar"), (0x10A0, "georgian"),
    (0x1100, "hangul"), (0x1200, ""), (0x1780, "khmer"), (0x1800, ""), (0x1E00, "latin"),
    (0x1F00, "greek"), (0x2000, ""), (0x2E80, "han"), (0x2FE0, ""), (0x3005, "han"),
    (0x3008, ""), (0x3041, "kana"), (0x3100, ""), (0x3131, "hangul"), (0x3190, ""),
    (0x31F0, "kana"), (0x3200, ""), (0x3400, "han"), (0x4DC0, ""), (0x4E00, "han"),
    (0xA000, ""), (0xAC00, "hangul"), (0xD7B0, ""), (0xF900, "han"), (0xFB00, ""),
    (0xFB50, "arabic"), (0xFE00, ""), (0xFE70, "arabic"), (0xFEFF, ""), (0xFF66, "kana"),
    (0xFFA0, ""), (0x20000, "han"), (0x323B0, ""),
)  # fmt: skip
_STARTS = [start for start, _ in _BLOCKS]
_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_HIRAGANA, _KATAKANA = "\u3041-\u309f", "\u30a1-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HANGUL = "\u1100-\u11ff\u3131-\u318f\uac00-\ud7af"
_MARKED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
SPACELESS = f"{_HAN}{_HIRAGANA}{_KATAKANA}{_HANGUL}{_MARKED}"
FIRST_SPACELESS = "\u0e00"
KATAKANA_RUN = re.compile(f"[{_KATAKANA}]+")
HAN_RUN = re.compile(f"[{_HAN}]+")
HAN_LETTER = re.compile(f"[{_HAN}]")
# A letter of these scripts with the vowel signs and marks that are written around it.
_MARKS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u17b6-\u17d3"
)
_LETTER = re.compile(f"[{_MARKED}][{_MARKS}]*|[^{_MARKED}]")
_PIECES = re.compile(
    f"(?P<han>[{_HAN}]+)|[{_HIRAGANA}]+|[{_KATAKANA}]+|[{_HANGUL}]+|[{_MARKED}]+"
    f"|(?P<other>[^{SPACELESS}]+)"
)


@lru_cache(maxsize=10_000)
def script(letter: str) -> str:
    """Return the script of a letter, an empty text for what has none."""
    return _BLOCKS[bisect_right(_STARTS, ord(letter)) - 1][1]


def is_spaceless(word: str) -> bool:
    """Return True if some of a word is in a script that sets no spaces between words."""
    return not word.isascii() and any(_in_spaceless(letter) for letter in word)


def pieces(word: str) -> Iterator[tuple[str, bool]]:
    """Yield the pairs of letters that stand for words in scripts without spaces, and the rest.

    True comes with what is such a pair. A Chinese letter is a word by itself as well.
    """
    for match in _PIECES.finditer(word):
        run = match.group()
        if match["other"]:
            yield run, False
            continue
        letters = _LETTER.findall(run)
        if match["han"] or len(letters) == 1:
            yield from ((letter, True) for letter in letters)
        yield from ((first + second, True) for first, second in pairwise(letters))


def _in_spaceless(letter: str) -> bool:
    return letter >= FIRST_SPACELESS and script(letter) in (
        *("han", "kana", "hangul", "thai", "lao", "khmer", "myanmar"),
    )
