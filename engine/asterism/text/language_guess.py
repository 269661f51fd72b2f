"""Guess of the language in which most of some texts are written, by script and common words."""

from collections import Counter
from collections.abc import Iterable

from asterism.text.tokens import words

ENOUGH = 0.6  # of the texts have to be in one language
SCRIPTS = (
    ("ja", "\u3040", "\u30ff"),
    ("ko", "\uac00", "\ud7af"),
    ("zh", "\u3400", "\u9fff"),
    ("ru", "\u0400", "\u04ff"),
    ("ar", "\u0600", "\u06ff"),
    ("he", "\u0590", "\u05ff"),
    ("hi", "\u0900", "\u097f"),
    ("th", "\u0e00", "\u0e7f"),
    ("el", "\u0370", "\u03ff"),
)
COMMON_WORDS = {
    "en": "the of and to in is was for that it with on as at by he she i you my have not are be",
    "de": "der die das und ist nicht ich mit ein eine den dem von zu auf für sich auch im wir hat",
    "fr": "le la les des et est une dans que pour pas qui sur avec au je il elle nous du ce",
    "es": "el los las y es una que por con para no se en del al lo su mi yo como pero",
    "it": "il gli e che di una per non con del della sono si nel alla ho mi anche ma come",
    "pt": "o os as e que uma para com não do da em no na se por mais eu meu foi",
    "nl": "de het een en van is niet met op voor dat zijn ik die te aan er maar ook",
    "sv": "och att det som en på är av för med jag inte den till har om ett men var",
    "pl": "i w na z się nie to że do jest jak po o od ale przez za dla mi już",
    "tr": "ve bir bu da de için ile çok ama gibi daha ne var olarak ben sonra kadar mi o",
}
_LANGUAGES_OF: dict[str, set[str]] = {}
for _language, _words in COMMON_WORDS.items():
    for _word in _words.split():
        _LANGUAGES_OF.setdefault(_word, set()).add(_language)


def guess_language(texts: Iterable[str]) -> str | None:
    """Return the code of the language of most texts, None where they are few or mixed."""
    guesses = [guess for text in texts if (guess := _of_text(text))]
    if not guesses:
        return None
    language, count = Counter(guesses).most_common(1)[0]
    return language if count >= ENOUGH * len(guesses) else None


def _of_text(text: str) -> str | None:
    letters = Counter(_script(letter) for letter in text if letter.isalpha())
    if letters["ja"] and letters["ja"] + letters["zh"] > letters[""]:  # kana beside ideographs
        return "ja"
    script, count = letters.most_common(1)[0] if letters else ("", 0)
    if script and count:
        return script
    votes = Counter(language for word in words(text) for language in _LANGUAGES_OF.get(word, ()))
    return votes.most_common(1)[0][0] if votes else None


def _script(letter: str) -> str:
    if letter < SCRIPTS[-1][1]:  # Latin, the most common one
        return ""
    return next((name for name, first, last in SCRIPTS if first <= letter <= last), "")
