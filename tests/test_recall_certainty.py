"""Certainty: what a realm can not answer is said to be so, and what it can is not lost."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.clock import FixedClock
from asterism.demo import seed
from asterism.embedding import DEFAULT_SPREAD
from asterism.embedding.foreign_questions import FOREIGN_QUESTIONS
from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.recall.certainty import Certainty, certainty_of, certainty_score
from asterism.recall.question_words import question_words, weigh, without_names
from benchmarks import certainty as benchmark
from tests.conftest import OpenGraph
from tests.support.raw import run_cypher

GIBBERISH = ["asdf qwer zxcv", "blorp fnid quux", "wug dax toma blicket", "fdsa rewq vcxz"]
FOREIGN = [
    "What is the capital of Mongolia?",
    "How do I rotate a Kubernetes secret?",
    "Which visa do I need for Nairobi?",
    "What was the closing price of the Apple share?",
]
ANSWERABLE = {
    "How much oil does the lamp burn?": "lamp-oil",
    "When must the wick be trimmed?": "lamp-wick",
    "How often is the clockwork of the lamp wound?": "lamp-clockwork",
}
LIKELY = Certainty.LIKELY
STATE = """
MATCH (n) WHERE n.realm = $realm
RETURN n.id AS id, labels(n) AS labels, properties(n) AS properties ORDER BY elementId(n)"""


@pytest.fixture
async def town(graph: Graph) -> Graph:
    """The texts of the demo."""
    await graph.memories.remember_many(benchmark.lines(seed("memories.jsonl")))
    return graph


@pytest.mark.slow
@pytest.mark.parametrize("query", [*GIBBERISH, *FOREIGN])
async def test_what_has_nothing_to_do_with_a_realm_finds_nothing_likely(
    town: Graph, query: str
) -> None:
    answer = await town.recall.find(query, minimum="likely")
    assert answer.hits == ()
    assert not answer.certainty.reaches(LIKELY)
    assert answer.missing
    labelled = (await town.recall.find(query)).hits
    assert len(labelled) == 10
    assert {hit.certainty for hit in labelled} <= {Certainty.NOTHING, Certainty.WEAK}
    assert "means the same" not in labelled[0].why


@pytest.mark.slow
@pytest.mark.parametrize("query", ANSWERABLE)
async def test_what_a_realm_can_answer_stays(town: Graph, query: str) -> None:
    answer = await town.recall.find(query, minimum="likely")
    assert answer.hits[0].id == ANSWERABLE[query]
    assert answer.hits[0].certainty == answer.certainty
    assert "means" in answer.hits[0].why
    assert "does not say" not in answer.hits[0].why


@pytest.mark.slow
async def test_a_hit_names_the_words_that_it_does_not_have(town: Graph) -> None:
    answer = await town.recall.find("Which visa do I need for Nairobi?")
    assert set(answer.missing) == {"visa", "nairobi"}
    assert all({"visa", "nairobi"} <= set(hit.lacks) for hit in answer.hits)
    assert "does not say visa" in answer.hits[0].why


@pytest.mark.slow
async def test_a_context_without_an_answer_says_so(town: Graph) -> None:
    prompt = await town.recall.prompt("asdf qwer zxcv")
    assert prompt.certainty is Certainty.NOTHING
    assert (prompt.ids, str(prompt)) == ((), "Nothing is remembered about this.")
    assert "oil" in await town.recall.context("How much oil does the lamp burn?")


@pytest.mark.slow
async def test_a_context_takes_what_a_setting_allows(open_graph: OpenGraph) -> None:
    query = "Which visa do I need for Nairobi?"
    for minimum, lines in (("nothing", True), ("certain", False)):
        graph = await open_graph(settings={"recall": {"context_minimum": minimum}})
        await graph.memories.remember_many(benchmark.lines(seed("memories.jsonl")))
        prompt = await graph.recall.prompt(query)
        assert bool(prompt.lines) is lines


async def test_an_impossible_minimum_is_refused(graph: Graph) -> None:
    with pytest.raises(InvalidInput, match="give one of certain, likely, weak, nothing"):
        await graph.recall.find("who?", minimum="perhaps")


async def test_an_empty_realm_remembers_nothing(graph: Graph) -> None:
    answer = await graph.recall.find("Who has the key?")
    assert (answer.certainty, answer.missing, answer.hits) == (Certainty.NOTHING, (), ())
    assert await graph.recall.context("Who has the key?") == "Nothing is remembered about this."


@pytest.mark.slow
async def test_a_realm_of_one_text_knows_what_it_knows(graph: Graph) -> None:
    await graph.memories.remember("Lyra keeps the lighthouse key under the third stair.", id="key")
    answer = await graph.recall.find("Where does Lyra keep the key of the lighthouse?")
    assert answer.certainty.reaches(LIKELY)
    assert answer.calibration == "model"
    assert (await graph.recall.find("asdf qwer zxcv", minimum=LIKELY)).hits == ()


@pytest.mark.slow
async def test_consolidation_measures_chance_and_again_after_growth(town: Graph) -> None:
    query = "Which visa do I need for Nairobi?"
    assert (await town.recall.find(query)).calibration == "model"
    await town.consolidation.consolidate()
    assert (await town.recall.find(query)).calibration == "realm"
    first = await _measured(town)
    assert first["texts"] == (await town.recall.find(query)).memories
    await town.memories.remember("A single text changes little.")
    await town.consolidation.consolidate()
    assert await _measured(town) == first
    more = [{"text": f"Barrel {n} holds herring of the year {1900 + n}."} for n in range(40)]
    await town.memories.remember_many(more)
    await town.consolidation.consolidate()
    again = await _measured(town)
    assert again["texts"] > first["texts"] + 30
    assert 0 < again["deviation"] < 0.2 < again["median"] < 0.8


@pytest.mark.slow
async def test_few_texts_are_not_measured(graph: Graph) -> None:
    await graph.memories.remember_many([{"text": f"Herring {n} is sold."} for n in range(5)])
    await graph.consolidation.consolidate()
    assert (await graph.recall.find("Who sells herring?")).calibration == "model"


class LetterEmbedder:
    """Counts pairs of letters: a crude model with a scale of its own, without calibration."""

    name = "letter-pairs"
    dimensions = 128

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        counts = [0.0] * self.dimensions
        letters = "".join(letter for letter in text.lower() if letter.isalnum()) or "x"
        for pair in zip(letters, letters[1:] + "-", strict=True):
            counts[(ord(pair[0]) * 31 + ord(pair[1])) % self.dimensions] += 1.0
        return counts


@pytest.mark.slow
async def test_another_model_gets_a_measure_of_its_own(open_graph: OpenGraph) -> None:
    graph = await open_graph(embedder=LetterEmbedder())
    await graph.memories.remember_many(benchmark.lines(seed("memories.jsonl")))
    await graph.consolidation.consolidate()
    measured = await _measured(graph)
    assert measured["median"] > 4 * DEFAULT_SPREAD
    text = (await graph.memories.get("lamp-oil")).text
    assert (await graph.recall.find(text)).certainty.reaches(LIKELY)
    assert (await graph.recall.find("asdf qwer zxcv", minimum="likely")).hits == ()


class BrokenForQuestions(LetterEmbedder):
    name = "broken-for-questions"

    def embed_query(self, text: str) -> list[float]:
        if text == FOREIGN_QUESTIONS[0]:
            raise RuntimeError("no such word")
        return super().embed_query(text)


@pytest.mark.slow
async def test_a_model_that_fails_for_foreign_questions_spoils_no_consolidation(
    open_graph: OpenGraph,
) -> None:
    graph = await open_graph(embedder=BrokenForQuestions())
    await graph.memories.remember_many(benchmark.lines(seed("memories.jsonl")))
    report = await graph.consolidation.consolidate()
    assert report.waiting_after == 0
    assert any("certainty of answers was not measured" in line for line in report.warnings)


@pytest.mark.slow
async def test_questions_write_nothing(town: Graph, clock: FixedClock) -> None:
    await town.consolidation.consolidate()
    before = await _state(town)
    for query in (*GIBBERISH, *FOREIGN, *ANSWERABLE):
        await town.recall.find(query, minimum="likely")
        await town.recall.context(query, touch=False)
    assert await _state(town) == before


async def test_names_are_told_from_the_rest_of_a_question() -> None:
    chosen = {word.text: word.is_name for word in question_words("What is Kasia's blood type?")}
    assert chosen == {"kasia": True, "blood": False, "type": False}
    assert without_names("What is Kasia's blood type?") == "What is blood type?"
    assert without_names("What do I drink?") is None
    assert without_names("Who is Kasia?") is None
    assert without_names("") is None


async def test_words_weigh_as_much_as_they_are_rare() -> None:
    words = question_words("What is Kasia's blood type?")
    weighed = weigh(words, {"kasia": 9, "blood": 1, "type": 0}, 10)
    assert weighed.missing == ("type",)
    assert 0.5 < weighed.unknown < 1
    assert not weighed.misses_name
    assert weighed.unnamed > 0.9
    assert weigh([], {}, 0).unnamed == 1.0
    assert weigh(words, {"kasia": 0}, 3).misses_name


shares = st.floats(0, 1)
deviations = st.floats(-10, 10)


@given(deviations, deviations, shares, shares, st.booleans(), st.floats(0, 5))
def test_what_is_closer_or_better_known_is_never_less_certain(
    closeness: float, rest: float, unnamed: float, unknown: float, misses_name: bool, more: float
) -> None:
    options: dict[str, Any] = {"unnamed": unnamed, "misses_name": misses_name}
    base = certainty_score(closeness, rest, unknown=unknown, **options)
    assert 0 <= base <= 1
    assert certainty_score(closeness + more, rest, unknown=unknown, **options) >= base
    assert certainty_score(closeness, rest + more, unknown=unknown, **options) >= base
    assert certainty_score(closeness, rest, unknown=unknown / (1 + more), **options) >= base
    options["misses_name"] = False
    assert certainty_score(closeness, rest, unknown=unknown, **options) >= base


@pytest.mark.slow
@given(shares, shares)
def test_a_higher_score_is_never_called_less_certain(a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert certainty_of(high).reaches(certainty_of(low))


async def _measured(graph: Graph) -> dict[str, Any]:
    [row] = await run_cypher(
        graph,
        "MATCH (m:EmbeddingModel {realm: $realm}) RETURN m.foreign_texts AS texts, "
        "m.foreign_median AS median, m.foreign_deviation AS deviation",
    )
    return dict(row)


async def _state(graph: Graph) -> list[dict[str, Any]]:
    return [dict(row) for row in await run_cypher(graph, STATE)]
