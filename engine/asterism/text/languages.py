"""Languages: their stemmers, function words and scripts, and which of them a text is in.

Function words decide, and the script where it has one language. No model is needed for that.
"""

import re
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import snowballstemmer

from asterism.text.english import STOP_WORDS as ENGLISH_STOP_WORDS
from asterism.text.english import stem as english_stem
from asterism.text.scripts import LETTER, script
from asterism.text.sentences import character_before

ENGLISH = "en"
JUDGED_WORDS = 100  # of a text, from its beginning
JUDGED_LETTERS = 1000
MOST_TEXTS = 0.6  # of some texts are in one language, else they are mixed
LEAST_EVIDENCE = 0.45  # of a function word that no other language has, or more that some have
LEAST_SHARE = 0.06  # of the words: a text of a language has more function words than a table
LEAD = 1.5  # times the evidence of the expected language, to leave it
_FILE = Path(__file__).with_name("stop_words.txt")
STEMMERS = {
    "ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "cs": "czech",
    "da": "danish", "nl": "dutch", "et": "estonian", "fi": "finnish", "fr": "french",
    "de": "german", "el": "greek", "hi": "hindi", "hu": "hungarian", "id": "indonesian",
    "ga": "irish", "it": "italian", "lt": "lithuanian", "ne": "nepali", "no": "norwegian",
    "fa": "persian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sr": "serbian", "es": "spanish", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip
# The languages of a script, the likeliest first.
_BY_SCRIPT: dict[str, tuple[str, ...]] = {
    "latin": (
        *("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "pl", "cs", "hu"),
        *("ro", "tr", "id", "ca", "eu", "et", "lt", "ga", "vi", "sr"),
    ),
    "cyrillic": ("ru", "uk", "bg", "sr"),
    "arabic": ("ar", "fa"),
    "devanagari": ("hi", "ne"),
    **{"greek": ("el",), "armenian": ("hy",), "hebrew": ("he",), "tamil": ("ta",)},
    **{"bengali": ("bn",), "georgian": ("ka",), "han": ("zh",), "kana": ("ja",)},
    **{"hangul": ("ko",), "thai": ("th",), "lao": ("lo",), "khmer": ("km",), "myanmar": ("my",)},
}
CODES = tuple(sorted({code for codes in _BY_SCRIPT.values() for code in codes}))
# Letters that hardly another language of the script has, or the likeliest of those that do.
_LETTERS = {
    **dict.fromkeys("ßä", "de"), **dict.fromkeys("ñ¿¡", "es"), **dict.fromkeys("łżśźćńą", "pl"),
    **dict.fromkeys("őű", "hu"), **dict.fromkeys("ğış", "tr"), **dict.fromkeys("ăț", "ro"),
    **dict.fromkeys("řěů", "cs"), **dict.fromkeys("ėųį", "lt"), **dict.fromkeys("іїєґ", "uk"),
    **dict.fromkeys("ыэё", "ru"), **dict.fromkeys("љњџћђј", "sr"), **dict.fromkeys("پچژگ", "fa"),
}  # fmt: skip
# Letters that make a second word evidence too: ä is in Swedish and Finnish as well.
_LETTERS_ALONE = {
    code: frozenset(letter for letter, each in _LETTERS.items() if each == code and letter != "ä")
    for code in _LETTERS.values()
}
_LETTERS_OF_TWO = {**dict.fromkeys("öü", ("de", "tr"))}
_LETTER_EVIDENCE = 0.5
_WORD = re.compile(rf"{LETTER}+(?:['’]{LETTER}+)*")
# English words that are function words elsewhere.
_ENGLISH_TOO = """
war die dies man men hat hats den dens son sons sin sea see ten per solo come sur pour pas mais nous
tout les est des plus dans bin sind van der more sans los las angeles
one end save parts min go also will just need door dog bare pool want tip met sees era comment us
mine kill care sit net till sub face sorts seal seas pot kit jam tar bat tale bus tan ant don ports
ada ben dan kim nora tom
"""
_MORE_STOP_WORDS = {
    "de": "ab beim bis dass ins ja schon seit vom",
    "fr": "chez où très",
    "hi": "में मैं हूँ हैं है",
    "it": "mio mia miei mie",
    "es": "mi mis vivo vive",
    "tr": "mi mı mü",
}
_SENTENCE_ENDS = ".!?:\n¿¡]"  # and the beginning
_OPENING = " \t\"'(„“«"
_QUESTION_WORDS = {
    "de": "was welche welcher welches wer wen wem wessen wann wo wohin woher warum wieso wie viele",
    "fr": "qui que quoi quel quelle quels quelles quand où pourquoi comment combien est-ce",
    "es": "qué quién quiénes cuál cuáles cuándo dónde cómo cuánto cuánta cuántos cuántas",
    "it": "che chi cosa quale quali quando dove perché come quanto quanta quanti quante",
    "pt": "que quem qual quais quando onde como quanto quanta quantos quantas porquê",
    "nl": "wat wie welk welke wanneer waar waarom hoe hoeveel",
    "sv": "vad vem vilken vilket vilka när var varför hur",
    "da": "hvad hvem hvilken hvilket hvilke hvornår hvor hvorfor hvordan",
    "no": "hva hvem hvilken hvilket hvilke når hvor hvorfor hvordan",
    "fi": "mikä mitä kuka ketä kenen milloin missä mistä mihin miksi miten",
    "pl": "co kto kogo komu jaki jaka jakie który która które kiedy gdzie dlaczego jak ile",
    "cs": "co kdo koho komu jaký jaká jaké který která které kdy kde proč jak kolik",
    "hu": "mi mit ki kit melyik mikor hol hová honnan miért hogyan mennyi hány",
    "ro": "ce cine care când unde cum cât câte câți",
    "tr": "ne kim kimin hangi nerede nereye nereden neden niçin nasıl kaç",
    "id": "apa siapa mana kapan dimana mengapa kenapa bagaimana berapa",
    "ru": "что кто кого кому чей какой какая какое какие когда где куда откуда почему как сколько",
    "uk": "що хто кого кому чий який яка яке які коли де куди звідки чому як скільки",
    "ar": "ما ماذا من متى أين كيف لماذا كم أي هل",
    "fa": "چه چی که کی کجا چرا چگونه چطور چند آیا کدام",
    "hi": "क्या कौन किस किसने किसका किसकी किसके कब कहाँ कहां क्यों कैसे कितना कितने कितनी कौन सा",
    "el": "τι ποιος ποια ποιο ποιοι πότε πού γιατί πώς πόσο πόσα",
}


@dataclass(frozen=True)
class Language:
    """A language with the words that say nothing by themselves."""

    code: str
    stop_words: frozenset[str]
    question_words: frozenset[str]

    def stem(self, word: str) -> str:
        """Return the stem of a word in lower case: the word itself without a stemmer."""
        stem = english_stem(word) if self.code == ENGLISH else _stem(self.code, word)
        return stem or word


@cache
def language(code: str) -> Language:
    """Return the language of a code. English has the stop words of its index alone."""
    if code == ENGLISH:
        return Language(code, ENGLISH_STOP_WORDS, frozenset())
    stop_words = _function_words().get(code, frozenset())
    return Language(code, stop_words, frozenset(_QUESTION_WORDS.get(code, "").split()))


def of_script(name: str, codes: Iterable[str]) -> str | None:
    """Return the first of some languages that a script writes, else its likeliest, if any."""
    candidates = _BY_SCRIPT.get(name, ())
    return next((code for code in codes if code in candidates), next(iter(candidates), None))


def detect(text: str, expected: str = ENGLISH) -> str:
    """Return the code of a text's language: the expected one unless its words say another."""
    text = text[:JUDGED_LETTERS]
    candidates = _of_main_script(text)
    if len(candidates) < 2:
        return candidates[0] if candidates else expected
    default = expected if expected in candidates else candidates[0]
    evidence, words_for, count = _evidence(text)
    best = max(candidates, key=lambda code: (evidence[code], code == default, words_for[code]))
    least = max(LEAST_EVIDENCE, LEAST_SHARE * count, LEAD * evidence[default])
    # One word may be a name, as Tam is, where others are of the expected language.
    enough = words_for[best] > words_for[default] and (words_for[best] > 1 or not evidence[default])
    return best if enough and evidence[best] > least else default


def is_evident(text: str, code: str) -> bool:
    """Return whether more of a text's words, or its script, speak for a language than any other."""
    candidates = _of_main_script(text)
    if len(candidates) < 2:
        return code in candidates
    evidence, _, _ = _evidence(text)
    return evidence[code] > max(evidence[other] for other in candidates if other != code)


def of_most(texts: Iterable[str]) -> str | None:
    """Return the language of most texts, None where they have no words or are mixed."""
    codes = [detect(text) for text in texts if any(letter.isalpha() for letter in text)]
    if not codes:
        return None
    code, count = Counter(codes).most_common(1)[0]
    return code if count >= MOST_TEXTS * len(codes) else None


def _of_main_script(text: str) -> tuple[str, ...]:
    """Return the languages that are written as most of a text is."""
    return _BY_SCRIPT.get("latin" if text.isascii() else _main_script(text), ())


def _main_script(text: str) -> str:
    """Return the script of most letters of a text's beginning, kana where some are among Han."""
    counts = Counter(filter(None, map(script, text)))
    if counts["kana"] * 20 > counts["han"]:
        counts["kana"] += counts.pop("han", 0)
    # A Chinese word is a letter or two, where a Latin one is five.
    counts.update({name: 2 * counts[name] for name in ("han", "kana", "hangul") if counts[name]})
    return max(counts, key=lambda name: counts[name], default="latin")


def _evidence(text: str) -> tuple[dict[str, float], Counter[str], int]:
    """Return how much a text's words speak for each language, how many do, and how many it has."""
    evidence: dict[str, float] = defaultdict(float)
    words_for: Counter[str] = Counter()
    languages_of = _languages_of_words()
    judged = list(islice(_WORD.finditer(text), JUDGED_WORDS))
    for match in judged:
        word = match.group()
        before = character_before(text, match.start(), _OPENING)
        if word[0].isupper() and before not in _SENTENCE_ENDS:
            continue  # Tam and Dan are names here, and function words elsewhere
        own = languages_of.get(word.lower().replace("’", "'"), ())
        for code in own:
            evidence[code] += 1 / len(own)
            words_for[code] += 1
    letters = set() if text.isascii() else set(text.lower())
    codes = [*{_LETTERS[letter] for letter in letters & _LETTERS.keys()}]
    codes += {code for code in codes if _in_two_words(judged, code)}
    codes += {code for each in letters & _LETTERS_OF_TWO.keys() for code in _LETTERS_OF_TWO[each]}
    for code in codes:
        evidence[code] += _LETTER_EVIDENCE
        words_for[code] += 1
    return evidence, words_for, len(judged)


def _in_two_words(words: list[re.Match[str]], code: str) -> bool:
    """Return whether two words in lower case have letters of a language alone: names have none."""
    own = _LETTERS_ALONE.get(code, frozenset())
    return sum(word.group()[0].islower() and not own.isdisjoint(word.group()) for word in words) > 1


def is_foreign_function_word(word: str) -> bool:
    """Return whether a word is a function word of some language and no English word."""
    codes = _languages_of_words().get(word, ())
    return bool(codes) and ENGLISH not in codes


@cache
def _languages_of_words() -> dict[str, list[str]]:
    """Return the languages that have a word as function or question word."""
    codes: dict[str, list[str]] = {}
    for code, members in _function_words().items():
        for word in members | set(_QUESTION_WORDS.get(code, "").split()):
            codes.setdefault(word, []).append(code)
    for word in codes.keys() & set(_ENGLISH_TOO.split()):
        codes[word].append(ENGLISH)
    return codes


@cache
def _function_words() -> dict[str, frozenset[str]]:
    """Read the function words of each language."""
    words: dict[str, set[str]] = {}
    own: set[str] = set()
    for token in _tokens():
        if token[-1] == ":":
            own = words.setdefault(token[:-1], set())
        else:
            own.add(token)
    return {
        code: frozenset(each | set(_MORE_STOP_WORDS.get(code, "").split()))
        for code, each in words.items()
    }


def _tokens() -> list[str]:
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    return [token for line in lines if not line.startswith("#") for token in line.split()]


class _Stemmers(threading.local):
    """Stemmers of one thread: each holds the word that it works on."""

    def __init__(self) -> None:
        self.by_code: dict[str, Any] = {}

    def of(self, code: str) -> Any:
        if code not in self.by_code:
            self.by_code[code] = snowballstemmer.stemmer(STEMMERS[code])
        return self.by_code[code]


_stemmers = _Stemmers()


@lru_cache(maxsize=200_000)
def _stem(code: str, word: str) -> str:
    stemmed: str = _stemmers.of(code).stemWord(word) if code in STEMMERS else word
    return stemmed
