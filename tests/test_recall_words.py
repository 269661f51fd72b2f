"""Names, stems and questions: what is found in a text without a model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism import search_index
from asterism.errors import InvalidInput
from asterism.recall import query_terms
from asterism.text import names, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lyra keeps the lighthouse key.", ["lyra"]),
        ("The keeper met Lyra's aunt in New York.", ["lyra", "new york"]),
        ("Journal of Mathematical Physics", ["journal of mathematical physics"]),
        ("He flew with Apollo 11, then rested.", ["apollo 11"]),
        ("Apollo 11 and then some", ["apollo 11"]),
        ("We ate at Ben & Jerry's.", ["ben & jerry"]),
        ("Anna of the North sang. Anna left.", ["anna of the north", "anna"]),
        ("Count of all the fish", ["count"]),
        ("However, it rained. Then I left. I'm home.", []),
        ("The Beatles and the Stones", ["beatles and the stones"]),
        ("the U.S. Army", ["us army"]),
        ("John F. Kennedy saw J. K. Rowling.", ["john f kennedy", "j k rowling"]),
        ("Dr. Moor lives in St. Ives. He sails.", ["dr moor", "st ives"]),
        ("They chose plan B. Then he left.", ["b"]),
        ("Jean-Luc met O'Brien", ["jean-luc", "obrien"]),
        ("Mira, Tam; Oslo", ["mira", "tam", "oslo"]),
        ("Émile Zola\nÅsa", ["émile zola", "åsa"]),
        ("nothing here 42", []),
        ("Didn't see Ruth. Can’t find Theo's keys. She'd gone, they'll come.", ["ruth", "theo"]),
        ("Will's car. He’s with Dan.", ["will", "dan"]),
    ],
)
def test_names_are_runs_of_capitalised_words(text: str, expected: list[str]) -> None:
    assert names.names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Walked to Low Tide; said no to Gareth. Said it again", ["low tide", "gareth"]),
        ("Asked Marta. 'Rang Mum'\n- Took Sheila home\n* Got Dad's drums", "marta mum sheila dad"),
        ("Call Ruth, then ask Theo. Tell me about Ada.", ["ruth", "theo", "ada"]),
        ("Wow! Yay, Cool Runnings is on: Wants Tom to come", ["cool runnings", "tom"]),
        ("We met Said and heard Found Footage.", ["said", "found footage"]),
        ("Drew rang. Mark came. Rose Wood left.", ["drew", "mark", "rose wood"]),
    ],
)
def test_what_only_begins_a_sentence_is_no_name(text: str, expected: list[str] | str) -> None:
    assert names.names(text) == (expected.split() if isinstance(expected, str) else expected)
    assert "walked" in names.names("Walked mit Gareth nach Hause", "de")


def test_a_title_and_a_speaker_are_no_sentences() -> None:
    text = "Said: Said he came. Rang Mum."
    assert names.names(text, heading=len("Said: ")) == ["said", "mum"]
    row = {"id": "1", "about": "Lost Horizon", "speaker": "Said", "text": "Rang Mum"}
    keys = [each["key"] for each in search_index.index_rows([row])["names"]]
    assert keys == ["lost horizon", "mum", "said"]
    assert search_index.subject("Lost Horizon", None, "Rang Mum") == "lost horizon"
    assert search_index.subject(None, None, "Rang Mum") == "mum"


def test_stems_are_porters_without_stop_words() -> None:
    assert tokens.stems("The running dogs' houses and Lyra's ponies, 1960") == [
        "1960",
        "dog",
        "hous",
        "lyra",
        "poni",
        "run",
    ]


@given(st.text(max_size=200))
def test_any_text_has_keys_that_are_keys_of_themselves(text: str) -> None:
    for key in names.names(text):
        assert key
        assert key == key.lower().strip() or not key.isascii()
    assert tokens.stems(text) == sorted(set(tokens.stems(text)))
    query_terms.name_keys(text)
    for word in query_terms.search_words(text):
        assert not set(word["text"]) & set('+-&|!(){}[]^"~*?:\\/')


def test_a_passage_is_title_date_speaker_and_text() -> None:
    from datetime import UTC, datetime

    at = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert search_index.passage("The key", "Lyra", "I have it.", at) == (
        "The key\n[8 May 2023, 13:56] Lyra: I have it."
    )
    assert search_index.passage(None, None, "I have it.") == "I have it."
    assert search_index.subject(None, "Lyra", "Mira has it.") == "lyra"
    assert search_index.subject("Old Harbour, Mira", "Lyra", "Tam has it.") == "old harbour"
    assert search_index.subject("the key", None, "Tam has it.") == "tam"


def test_a_question_may_name_what_it_does_not_capitalise() -> None:
    grams = query_terms.name_keys("where is lyra's old harbour?")
    assert {"lyra", "old harbour", "harbour"} <= set(grams)
    assert "where" not in grams
    assert "us" in query_terms.name_keys("Who leads the US?")
    assert "us" not in query_terms.name_keys("Who leads us?")
    assert len(query_terms.name_keys("word " * 5000)) < 2000


def test_question_words_are_cut() -> None:
    queries = [word["text"] for word in query_terms.search_words("Who did keep the key AND where?")]
    assert queries == ["keep", "key"]
    assert len(query_terms.search_words("lots of words " * 1000)) == query_terms.MOST_WORDS


@pytest.mark.parametrize("query", ["", "  \n "])
def test_an_empty_question_is_refused(query: str) -> None:
    with pytest.raises(InvalidInput, match="query"):
        query_terms.parse_query(query, 10)


def test_words_too_long_for_an_index_are_left_out() -> None:
    assert tokens.stems("x" * 100_000) == []
    assert all(len(key) <= names.LONGEST_KEY for key in names.names("BIG NEWS TODAY " * 6000))
    assert sum(len(word["text"]) for word in query_terms.search_words("灯台の鍵、" * 2000)) <= 500


def test_accents_and_vowel_signs_belong_to_their_words() -> None:
    assert tokens.words("चाबी किसके re\u0301sume\u0301") == ["चाबी", "किसके", "résumé"]


def test_a_question_holds_names_however_they_are_written() -> None:
    grams = query_terms.name_keys("Is it Caroline's? “Lyra’s” or Moor/Grey")
    assert {"caroline", "lyra", "moor", "grey"} <= set(grams)


def test_half_a_character_is_refused() -> None:
    with pytest.raises(InvalidInput, match="half a character"):
        query_terms.parse_query("key \ud800", 10)
