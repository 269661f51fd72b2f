"""Words and names that two texts share, as they stand in one of them."""

from collections.abc import Sequence

from asterism.text.languages import detect
from asterism.text.scripts import is_spaceless
from asterism.text.tokens import stems_of, words

MOST = 5


def shared_words(passage: str, stems: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return names and rare words of both texts, each as it stands in this passage.

    The rarest come first, names before words, and no word that is part of a name.
    """
    lower = passage.lower()
    forms: dict[str, str] = {}
    code = detect(passage)
    for word in words(passage):
        for stem in stems_of(word, code):
            forms.setdefault(stem, stem if is_spaceless(word) else word)
    parts = {stem for name in names for word in words(name) for stem in stems_of(word, code)}
    chosen = [_as_written(passage, lower, name) for name in names]
    chosen += [forms.get(each, each) for each in stems if each not in parts]
    return tuple(dict.fromkeys(chosen[:MOST]))


def _as_written(passage: str, lower: str, name: str) -> str:
    place = lower.find(name)
    same_length = len(lower) == len(passage)
    return passage[place : place + len(name)] if place >= 0 and same_length else name
