"""Words, numbers and signs: what makes two texts say the same, and what does not."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.text.wording import spelled_words, wording
from benchmarks.duplicates import pairs

LETTERS = "abcdefghijklmnopqrstuvwxyzäöü"
WORD = st.text(LETTERS, min_size=1, max_size=8)
NUMBER = st.integers(0, 10**6).map(str)
TEXT = st.lists(WORD | NUMBER, min_size=1, max_size=12)
STOP = st.sampled_from([" ", "  ", "\n", ", ", "; ", ": ", ". ", "! ", "? ", " (", ") ", "… "])


def same(a: str, b: str) -> bool:
    assert wording(a).same(wording(b)) == wording(b).same(wording(a))
    return wording(a).same(wording(b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Lyra keeps the key.", "  lyra KEEPS the\tkey!! "),
        ("We don't go", "We don’t go."),
        ("He said “no”.", 'He said "no"'),
        ("well-known", "well known"),
        ("word—word", "word - word"),
        ("Caf\u00e9", "Cafe\u0301"),
        ("５ Äpfel", "5 äpfel"),
        ("STRASSE", "Straße"),
        ("−5 °C", "-5 °C"),
        ("at 5.", "at 5"),
        ("Wochen\u00adende", "Wochenende"),
        ("", " . "),
    ],
)
def test_the_same_words_say_the_same(a: str, b: str) -> None:
    assert same(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("20 mg", "40 mg"),
        ("40mg", "40 g"),
        ("1,000.5", "10005"),
        ("1,000.5", "1.000,5"),
        ("8:30", "8.30"),
        ("8:30", "830"),
        ("8, 13 and 19", "8,13 and 19"),
        ("-5", "5"),
        ("− 5", "5"),
        (".5", "5"),
        ("5%", "5"),
        ("5 €", "5 $"),
        ("6'", '6"'),
        ("5°", "5"),
        ("10²", "102"),
        ("1½", "11⁄2"),
        ("<5", ">5"),
        ("2+2", "22"),
        ("1-2", "12"),
        ("don't", "do"),
        ("can't", "can"),
        ("!ready", "ready"),
        ("-v", "--v"),
        ("--exclude-caches", "--exclude-caches-all"),
        ("both", "either"),
        ("Maße", "Masse"),
        ("C#", "C"),
        ("C++", "C"),
        ("-€5", "€5"),
        ("+-5", "+5"),
        ("👍", "👎"),
        ("the dog bites the man", "the man bites the dog"),
        ("Lyra", "Lyra Lyra"),
        ("v1.2", "v1.3"),
        ("PT50 0002", "PT50 0003"),
    ],
)
def test_any_other_detail_says_something_else(a: str, b: str) -> None:
    assert not same(a, b)


def test_spelled_words_are_those_of_the_text_in_order() -> None:
    sentence = "Don't take 1,000.5 mg at 8:30 (-5 °C), Mr. Straße!"
    words = ["Don't", "take", "1,000.5", "mg", "at", "8:30", "-", "5", "°", "C", "Mr", "Straße"]
    assert spelled_words(sentence) == words


@pytest.mark.slow
@given(TEXT, st.data())
@settings(max_examples=200, deadline=None)
def test_stops_space_and_case_make_no_difference(words: list[str], data: st.DataObject) -> None:
    turned = [data.draw(st.sampled_from([str.upper, str.lower, str.title]))(x) for x in words]
    stops = [data.draw(STOP) for _ in words]
    text = "".join(word + stop for word, stop in zip(turned, stops, strict=True))
    assert same(" ".join(words), text)


@pytest.mark.slow
@given(TEXT, st.data())
@settings(max_examples=200, deadline=None)
def test_another_word_or_number_always_makes_a_difference(
    words: list[str], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(words) - 1))
    other = data.draw((WORD | NUMBER).filter(lambda word: word != words[place]))
    changed = [*words[:place], other, *words[place + 1 :]]
    assert not same(" ".join(words), " ".join(changed))
    assert not same(" ".join(words), " ".join([*words, other]))


@pytest.mark.slow
@given(st.from_regex(r"[-+]?[0-9]{1,4}([.,:/][0-9]{1,3}){0,2}", fullmatch=True), st.data())
@settings(max_examples=300, deadline=None)
def test_numbers_are_the_same_only_as_they_are_written(number: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(number) - 1))
    without = number[:place] + number[place + 1 :]
    replaced = number[:place] + data.draw(st.sampled_from(string.digits)) + number[place + 1 :]
    for other in (without, replaced, "-" + number, number + "0"):
        sentence = same(f"take {number} mg", f"take {other} mg")
        assert sentence == (other.strip() == number), (number, other)


@given(st.text())
@settings(max_examples=300, deadline=None)
def test_any_text_says_the_same_as_itself(text: str) -> None:
    assert same(text, text)
    assert same(f"{text}", f" {text}\n")


def test_the_pairs_of_the_benchmark() -> None:
    for kind in ("changed", "repeated"):
        chosen = pairs(kind)
        assert [pair["language"] for pair in chosen] == ["en"] * 20 + ["de"] * 20
        outcome = [pair for pair in chosen if same(pair["first"], pair["second"])]
        assert outcome == (chosen if kind == "repeated" else [])
