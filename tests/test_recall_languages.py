"""Recall in every language: words, names, the renewal of older texts, and one realm for itself."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism import text_renewal
from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.recall import query_terms
from asterism.text import languages, names, tokens
from tests.conftest import OpenGraph
from tests.support.raw import run_cypher

SENTENCES = {
    "en": "The keeper has the key of the lighthouse.",
    "de": "Der Schlüssel liegt im Schrank.",
    "fr": "Julie habite à Lyon avec sa sœur.",
    "es": "¿Dónde vive Julia?",
    "it": "Abito a Roma con mio fratello.",
    "nl": "Ik woon in Utrecht.",
    "pl": "Mieszkam w Krakowie.",
    "sv": "Jag bor i Stockholm.",
    "fi": "Asun Helsingissä mieheni kanssa.",
    "tr": "Kardeşim bir köpek ve iki kedi ile yaşıyor.",
    "ru": "Юлия живёт в Казани.",
    "uk": "Юлія живе у Києві.",
    "el": "Η Μαρία μένει στην Αθήνα.",
    "ar": "أعيش في القاهرة",
    "fa": "من در تهران زندگی می‌کنم",
    "hi": "मैं दिल्ली में रहता हूँ",
    "zh": "我喜欢在北京吃烤鸭",
    "ja": "猫が好きです",
    "ko": "나는 서울에 산다",
    "th": "ฉันอาศัยอยู่ที่กรุงเทพ",
}


@pytest.mark.parametrize(("code", "text"), SENTENCES.items())
def test_the_language_of_a_sentence_is_detected(code: str, text: str) -> None:
    assert languages.detect(text) == code


@pytest.mark.parametrize(
    "text",
    [
        "Die Hard is a film",
        "war is over",
        "Los Angeles",
        "Mira, Tam; Oslo",
        "Tam owes four barrels of herring.",
        "Was?",
        "",
    ],
)
def test_few_words_are_in_the_language_that_is_expected(text: str) -> None:
    assert languages.detect(text) == "en"
    assert languages.detect("Pizza", "de") == "de"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Belediye kazıklı projeyi onayladı, ruhsat elimizde olacak.", "tr"),
        ("Mert matematikten kaldı, bütünleme 28 Ağustos.", "tr"),
        ("Mr Işık and Mrs Şahin met Doğan at the pier.", "en"),
        ("Mr Işık and Mrs Şahin met Doğan.", "en"),
    ],
)
def test_letters_in_words_tell_a_language_but_not_those_in_names(text: str, code: str) -> None:
    assert languages.detect(text) == code


@pytest.mark.parametrize(
    ("text", "evident"),
    [
        ("Wo ist der Schlüssel?", True),
        ("Where is the key?", True),
        ("Kedinin nesi var, ne yiyor?", False),
        ("Pizza?", False),
        ("猫はどこ？", True),
    ],
)
def test_a_text_may_not_tell_its_language(text: str, evident: bool) -> None:
    assert languages.is_evident(text, languages.detect(text)) is evident


def test_at_least_twenty_languages_have_stemmers_and_stop_words() -> None:
    inflected = {
        "de": ("schlüssel", "schlüsseln"),
        "ru": ("ключ", "ключа"),
        "es": ("casa", "casas"),
    }
    for code, forms in inflected.items():
        own = languages.language(code)
        assert len({own.stem(form) for form in forms}) == 1
    stopped = [code for code in languages.CODES if languages.language(code).stop_words]
    stemmed = [code for code in stopped if code == "en" or code in languages.STEMMERS]
    assert len(stemmed) >= 20


def test_scripts_without_spaces_have_pairs_of_letters() -> None:
    assert tokens.stems("烤鸭店") == sorted(["烤", "烤鸭", "鸭", "鸭店", "店"])
    assert "ジュ" in tokens.stems("ジュリアが好き")
    assert tokens.stems("I like 烤鸭") == sorted(["i", "like", "烤", "烤鸭", "鸭"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Юлия живёт в Казани.", ["julia"]),
        ("ジュリアは東京に住んでいます。", ["julia"]),
        ("Julia lives in Kazan.", ["julia", "kazan"]),
        ("田中さんはジョン・スミスに会った。", ["田中"]),
        ("小明: 我住在北京", ["小明"]),
        ("Mein Bruder hat den Schlüssel vom alten Leuchtturm in Kiel.", ["kiel"]),
        ("يوسف: أعيش في القاهرة", ["يوسف"]),
    ],
)
def test_names_of_every_script_have_keys(text: str, expected: list[str]) -> None:
    assert names.names(text)[: len(expected)] == expected


@given(st.text(max_size=100), st.sampled_from(languages.CODES))
def test_any_text_has_words_in_any_language(text: str, code: str) -> None:
    assert languages.detect(text) in languages.CODES
    for stem in tokens.stems(text, code):
        assert stem
        assert not set(stem) & set('"\\ \n')
    names.names(text, code)
    query_terms.name_keys(text)
    query_terms.search_words(text, [code, "en"])


@pytest.mark.slow
async def test_a_german_question_finds_an_english_memory_that_shares_its_names(
    graph: Graph,
) -> None:
    await graph.memories.remember("Lyra Vestergaard rents a boat in Ravensholm.", id="boat")
    for number in range(30):
        await graph.memories.remember(f"Note {number}: the tide was low, and the pier was wet.")
    answer = await graph.recall.find("Was mietet Lyra Vestergaard, wenn sie in Ravensholm ist?")
    assert answer.hits[0].id == "boat"
    assert answer.hits[0].parts.words > 0
    assert "lyra vestergaard" in answer.names


async def test_names_of_another_script_are_one_name(graph: Graph) -> None:
    await graph.memories.remember("Julia lives in a house by the sea.", id="house")
    await graph.memories.remember("ジュリアは犬が好きです。", id="dog")
    for question in ("Где живёт Юлия?", "ジュリアはどこですか", "Where is Julia?"):
        answer = await graph.recall.find(question)
        assert "julia" in answer.names
        assert {hit.id for hit in answer.hits if hit.parts.name > 0} == {"house", "dog"}


async def test_inflected_words_of_the_language_are_found(graph: Graph) -> None:
    german = await graph.memories.remember("Die Nachbarin hat drei Katzen und einen Hund.")
    await graph.memories.remember("The neighbour has a boat.")
    assert german.language == "de"
    [hit] = [
        hit for hit in (await graph.recall.find("Wer hat eine Katze?")).hits if hit.parts.words > 0
    ]
    assert hit.id == german.id


async def test_a_caller_says_the_language(graph: Graph, open_graph: OpenGraph) -> None:
    assert (await graph.memories.remember("Pizza Napoli", language="it")).language == "it"
    assert (await graph.memories.remember("Pizza Capri", language="de-AT")).language == "de"
    assert (await graph.memories.remember("Pizza Roma")).language == "en"
    with pytest.raises(InvalidInput, match="language"):
        await graph.memories.remember("Pizza", language="klingon")
    german = await open_graph(realm=graph.realm, settings={"memories": {"language": "de"}})
    assert (await german.memories.remember("Pizza Milano")).language == "de"


TOWN = [
    "The lighthouse keeper Lyra has the key of the tower.",
    "Mira sells herring and bread at the North Pier.",
    "The ferry to Oslo leaves the North Pier at nine.",
    "Tam repaired the lamp of the lighthouse.",
    "Der Schlüssel des Turms hängt bei Lyra in der Küche.",
    "Bread is cheaper at the market in Oslo.",
]


@pytest.mark.slow
async def test_an_answer_depends_on_its_realm_alone(graph: Graph, open_graph: OpenGraph) -> None:
    """The bytes are the same whatever other realms hold, or have held."""
    for number, text in enumerate(TOWN):
        await graph.memories.remember(text, id=f"t{number}")
    questions = ["Who has the key of the lighthouse?", "bread in Oslo", "Wo ist der Schlüssel?"]

    async def answers() -> list[str]:
        return [(await graph.recall.find(each)).model_dump_json() for each in questions]

    alone = await answers()
    other = await open_graph(realm=f"{graph.realm}-other")
    words = " ".join(TOWN).split()
    chance = random.Random(7)
    rows = [{"text": " ".join(chance.choices(words, k=chance.randint(1, 80)))} for _ in range(200)]
    await other.memories.remember_many(rows)
    assert await answers() == alone
    await other.realms.delete(other.realm)
    assert await answers() == alone


@pytest.mark.slow
async def test_what_the_index_cannot_propose_as_a_whole_is_left_to_the_meaning(
    graph: Graph, open_graph: OpenGraph
) -> None:
    """Leave out a common word, since chance decides which of its memories are proposed."""
    rows = [{"text": f"The herring of day {number}.", "id": f"h{number}"} for number in range(30)]
    await graph.memories.remember_many([*rows, {"text": "Herring and a kite.", "id": "kite"}])
    few = await open_graph(
        realm=graph.realm, settings={"recall": {"proposed": 10, "pool": 10, "common": 1.0}}
    )
    hits = (await few.recall.find("herring kite")).hits
    assert [hit.id for hit in hits if hit.parts.words > 0] == ["kite"]


async def _index(graph: Graph) -> list[Any]:
    return await run_cypher(
        graph,
        """MATCH (n {realm: $realm}) WHERE n:Term OR n:Name OR n:Memory OR n:Realm
        RETURN labels(n) AS labels, n.id AS id, coalesce(n.stem, n.key) AS key,
               n.memory_count AS count, n.words AS words, n.language AS language,
               n.word_count AS length, n.text_count AS texts, n.indexed AS indexed,
               n.languages AS languages,
               COLLECT { MATCH (n)--(m:Memory) RETURN m.id ORDER BY m.id } AS around
        ORDER BY labels, id, key""",
    )


@pytest.mark.slow
async def test_texts_of_an_older_version_are_renewed(graph: Graph) -> None:
    """They were indexed in English, and named after verbs. A second renewal changes nothing."""
    for number, text in enumerate(TOWN):
        await graph.memories.remember(text, id=f"t{number}", session="s")
    as_written = await _index(graph)
    await _as_before(graph)
    assert await _index(graph) != as_written
    assert await text_renewal.renew_realm(graph.database) == len(TOWN)
    assert await _index(graph) == as_written
    assert await text_renewal.renew_realm(graph.database) == 0
    assert await _index(graph) == as_written


async def _as_before(graph: Graph) -> None:
    """Index the texts of a realm as the version before did."""
    for number, text in enumerate(TOWN):
        await graph.memories.forget(f"t{number}")
        await graph.memories.remember(text, id=f"t{number}", session="s", language="en")
    await run_cypher(
        graph,
        """MATCH (n {realm: $realm}) WHERE n:Memory OR n:Realm
        REMOVE n.words, n.word_count, n.language, n.languages""",
    )
    await run_cypher(
        graph,
        """MATCH (m:Memory {realm: $realm, id: 't0'})
        CREATE (m)-[:MENTIONS]->(:Name {realm: $realm, key: 'rang ruth', memory_count: 1})""",
    )


async def test_words_count_more_where_the_model_knows_nothing(graph: Graph) -> None:
    await graph.memories.remember("Die Katze schläft im Korb.", id="cat")
    await graph.memories.remember("The cat sleeps in the basket.", id="english")
    settings = graph.settings.recall
    [german] = [
        hit for hit in (await graph.recall.find("Wo ist die Katze?")).hits if hit.id == "cat"
    ]
    assert german.parts.words == pytest.approx(settings.words_unlearned)
    english = (await graph.recall.find("Where is the cat?")).hits[0]
    assert english.parts.words == pytest.approx(settings.words)


@pytest.mark.slow
async def test_words_of_another_language_count_less(graph: Graph) -> None:
    """Let a bank of a river stay behind one that lends money, where a memory is German."""
    remember, share = graph.memories.remember, graph.settings.recall.words_across
    question = "Welche Bank hat mir das gegeben?"
    await remember("The bank is steep.", id="river")
    [river] = (await graph.recall.find(question)).hits
    await remember("Die Bank schickt mir nichts.", id="money")
    hits = {hit.id: hit for hit in (await graph.recall.find(question)).hits}
    full = graph.settings.recall.words_unlearned
    assert river.parts.words == pytest.approx(full)
    assert hits["money"].parts.words == pytest.approx(full)
    assert hits["river"].parts.words == pytest.approx(share * full)
    untold = {hit.id: hit for hit in (await graph.recall.find("Bank?")).hits}
    assert untold["river"].parts.words > share * graph.settings.recall.words
