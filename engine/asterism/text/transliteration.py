"""Names of other scripts in Latin letters, so that Юлия and ジュリア have the key of Julia."""

import re
from functools import lru_cache

# Letters in groups, each followed by its spellings. A dot stands for none.
_TABLE = """
абвгдежзийклмнопрст a b v g d e zh z i y k l m n o p r s t
уфхцчшщъыьэюя u f kh ts ch sh shch . y . e yu ya
ёіїєґўђјљњћџ e i i ye g u dj j lj nj c dz
αβγδεζηθικλμνξοπ a v g d e z i th i k l m n x o p
ρσςτυφχψωάέήίόύώϊϋΐΰ r s s t y f ch ps o a e i i o y o i y i y
アイウエオァィゥェォ a i u e o a i u e o
カキクケコガギグゲゴ ka ki ku ke ko ga gi gu ge go
サシスセソザジズゼゾ sa shi su se so za ji zu ze zo
タチツテトダヂヅデド ta chi tsu te to da ji zu de do
ナニヌネノハヒフヘホ na ni nu ne no ha hi fu he ho
バビブベボパピプペポ ba bi bu be bo pa pi pu pe po
マミムメモラリルレロ ma mi mu me mo ra ri ru re ro
ヤユヨワヲンヴッーャュョ ya yu yo wa o n vu . . ya yu yo
"""
_LETTERS = {
    letter: spelling.replace(".", "")
    for line in _TABLE.strip().splitlines()
    for letter, spelling in zip(line.split()[0], line.split()[1:], strict=True)
}
SURE = 5  # letters: shorter spellings are words of other languages
# A small vowel takes the place of the vowel before it: ジュ is ju and ティ is ti.
_SMALL = re.compile(r"[イキギシジチヂテデニヒビピフミリヴウ][ァィゥェォャュョ]")
_SECOND = {small: vowel for small, vowel in zip("ァィゥェォャュョ", "aiueoauo", strict=True)}
_FIRST = {
    **{"シ": "sh", "ジ": "j", "チ": "ch", "ヂ": "j", "テ": "t", "デ": "d", "フ": "f", "ヴ": "v"},
    **{"ウ": "w", "イ": "y", "キ": "ky", "ギ": "gy", "ニ": "ny", "ヒ": "hy", "ビ": "by"},
    **{"ピ": "py", "ミ": "my", "リ": "ry"},
}
# Names that are written otherwise in Latin letters than their letters say.
_USUAL = """
julia yulia yuliya iuliia julija juria juriya
alexander aleksandr arekusandaa arekusanda
alexandra aleksandra arekusandora
alexey aleksey alexei
andrew andryu andoryuu andoryu
andrey andrei
anna ana
berlin berurin
catherine ekaterina yekaterina kyasarin
charles chaaruzu charuzu
christine kurisutinu
daniel danieru
david devid deibiddo debiddo
dmitry dmitri
elena yelena erena
emily emirii emiri
emma ema
eugene evgeny yevgeny yujin
george georgiy joji
helen heren
ivan iwan
james jeimuzu jemuzu
john dzhon jon
karl karuru
kyiv kiev kyyiv
laura rora
lisa risa
london rondon
lucy rushi
maria mariya
martin matin
mary meari meri
michael mikhail maikeru
moscow moskva mosukuwa
munich myunkhen myunhen
natalia natalya nataliya
new_york nyuyoku
nicholas nikolay nikorasu
olga oruga
paris parizh pari
paul pavel poru
peter petr pita
robert robato
rome rim roma
sarah sara
sergey sergei sergej
simon shimon
sophia sofiya sofia sofya sofi
tatiana tatyana
thomas tomas tomasu
tokyo tokio
tom tomu
vienna vena win
vladimir uradimiru
yuri yury jury
"""
USUAL = {
    other: line.split()[0].replace("_", " ")
    for line in _USUAL.strip().splitlines()
    for other in line.split()
}


@lru_cache(maxsize=50_000)
def romanized(word: str) -> str:
    """Return a word in lower case in Latin letters, as English usually writes it, if it can."""
    if word.isascii():
        return word
    latin = "".join(map(_letter, _SMALL.sub(_combined, word)))
    if latin == word:
        return word
    latin = re.sub(r"iya$", "ia", latin.replace("・", " ").strip())
    latin = re.sub(r"[iy]y$", "y", latin)
    return USUAL.get(latin, latin)


def usual(key: str) -> str:
    """Return the key under which a name of another script may be stored: julia for yulia."""
    return " ".join(USUAL.get(word, word) if len(word) >= SURE else word for word in key.split())


def _letter(letter: str) -> str:
    return _LETTERS.get(letter, letter)


def _combined(match: re.Match[str]) -> str:
    pair = match.group()
    return _FIRST[pair[0]] + _SECOND[pair[1]]
