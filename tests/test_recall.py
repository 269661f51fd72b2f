"""Recall: what is found for a question, why, and what keeps a memory from being found."""

import random
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from asterism import statements
from asterism.clock import FixedClock
from asterism.errors import InvalidInput, NotFound
from asterism.graph import Graph
from asterism.recall import query_terms
from tests.conftest import OpenGraph
from tests.support.hours_world import BY_TAGS, spend
from tests.support.raw import run_cypher
from tests.support.recall_oracle import scores
from tests.support.unrelated_notes import unrelated_notes

KEY = "Lyra keeps the lighthouse key under the third stair."
PEOPLE = ["Lyra", "Mira", "Tam", "Old Piet", "Ansel Moor", "Sister Ode"]
PLACES = ["North Pier", "Haven", "Salt Market", "Grey Chapel", "Lighthouse"]
DEEDS = [
    "{a} met {b} at the {p} and spoke of the storm.",
    "{a} repairs nets near the {p}.",
    "The {p} belongs to {a}, whatever {b} says.",
    "{a} lost a silver compass; {b} found it by the {p}.",
    "Nobody but {a} opens the {p} in winter.",
    "{b} owes {a} four barrels of herring.",
]


def story(count: int, seed: int = 7) -> list[dict[str, Any]]:
    """Texts of a small town, some said in conversations, some with a title."""
    chance = random.Random(seed)
    items = []
    for number in range(count):
        a, b = chance.sample(PEOPLE, 2)
        place = chance.choice(PLACES)
        item: dict[str, Any] = {"id": f"m{number:03}", "tags": [place.lower().replace(" ", "-")]}
        item["text"] = f"{chance.choice(DEEDS).format(a=a, b=b, p=place)} Day {number}."
        if number % 3 == 0:
            item |= {"session": f"s{number // 9}", "speaker": a}
            item["at"] = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=number)
        elif number % 3 == 1:
            item["about"] = f"{place} and what became of it"
        items.append(item)
    return items


async def test_a_text_is_found_right_after_it_was_remembered(graph: Graph) -> None:
    texts = await graph.memories.remember(KEY)
    await graph.memories.remember("Herring costs four crowns a barrel this week.")
    answer = await graph.recall.find("Who can open the lighthouse?")
    assert answer.hits[0].id == texts.id
    assert (answer.memories, len(answer.hits)) == (2, 2)
    assert "lighthouse" in answer.hits[0].text
    assert "means the same" in answer.hits[0].why


@pytest.mark.slow
async def test_questions_are_answered_while_memories_are_forgotten(graph: Graph) -> None:
    items, left = story(24), set()
    for start in range(0, len(items), 4):
        batch = items[start : start + 4]
        await graph.memories.remember_many(batch)
        await graph.memories.forget(batch[1]["id"])
        left |= {item["id"] for item in batch} - {batch[1]["id"]}
        answer = await graph.recall.find("Who opens the North Pier in winter?", k=50)
        assert {hit.id for hit in answer.hits} == left


async def test_an_empty_realm_answers_with_nothing(graph: Graph) -> None:
    answer = await graph.recall.find("Who can open the lighthouse?")
    assert (answer.hits, answer.memories, answer.names) == ((), 0, ())


@pytest.mark.slow
async def test_a_name_leads_from_one_memory_to_the_next(graph: Graph) -> None:
    """The second memory shares no word with the question but the first one's name."""
    await graph.memories.remember_many(
        [
            {"id": "captain", "text": "The captain of the Marigold is Ansel Moor."},
            {"id": "born", "text": "Ansel Moor first saw daylight in a hut on Grey Island."},
            *unrelated_notes(30),
        ]
    )
    answer = await graph.recall.find("Where was the captain of the Marigold born?", k=2)
    assert [hit.id for hit in answer.hits] == ["captain", "born"]
    path = next(path for path in answer.hits[1].paths if path.over == "ansel moor")
    assert path.seed == "captain"
    assert answer.hits[1].parts.mention > 0.1
    assert "shares the name 'ansel moor' with captain" in answer.hits[1].why


@pytest.mark.slow
async def test_a_note_is_not_behind_the_lines_that_stand_beside_a_good_one(graph: Graph) -> None:
    lines = [
        "The ferry was late and I was cold.",
        "Somebody on the pier talked about owing money.",
        "The ferryman shouted at the gulls.",
        "At noon I ate a fish pie.",
        "Two boats came in before the storm.",
        "Nobody had seen the money box of the chapel.",
    ]
    await graph.memories.remember_many(
        [{"id": "debt", "text": "Lyra owes Piet eight crowns."}]
        + [{"text": text, "session": "evening", "speaker": "Ada"} for text in lines]
    )
    answer = await graph.recall.find("Who owes money to whom?")
    place = [hit.id for hit in answer.hits].index("debt")
    assert all("money" in hit.text for hit in answer.hits[:place])
    debt = answer.hits[place]
    assert debt.parts.session > 0
    assert "session" not in debt.why


async def test_the_name_of_its_speaker_leads_from_no_memory(graph: Graph) -> None:
    await graph.memories.remember_many(
        [
            {"text": "The key lies under the blue stone.", "session": "one", "speaker": "Ada"},
            {"text": "Pies need more pepper.", "session": "two", "speaker": "Ada"},
            *unrelated_notes(12),
        ]
    )
    answer = await graph.recall.find("Where does the key lie?", k=14)
    assert {path.over for hit in answer.hits for path in hit.paths}.isdisjoint({"ada"})


@pytest.mark.slow
async def test_a_path_spells_a_rare_word_as_the_memory_does(graph: Graph) -> None:
    texts = [
        {"id": "stolen", "text": "somebody stole the chronometer of the harbour office"},
        {"id": "rust", "text": "old chronometers rust in salt air"},
        *({"text": f"on day {i} the tide table was painted"} for i in range(30)),
    ]
    await graph.memories.remember_many(texts)
    answer = await graph.recall.find("What was stolen from the harbour office?", k=5)
    [rust] = [hit for hit in answer.hits if hit.id == "rust"]
    assert "shares the word 'chronometers' with stolen" in rust.why


@pytest.mark.slow
@pytest.mark.parametrize(
    "query", ["Who met Lyra at the North Pier?", "silver compass", "Whose is the Grey Chapel?"]
)
async def test_scores_are_those_of_a_plain_calculation(graph: Graph, query: str) -> None:
    await graph.memories.remember_many(story(60))
    answer = await graph.recall.find(query, k=60)
    facts = await graph.database.row(
        "recall/prepare",
        name_keys=query_terms.name_keys(query),
        words=query_terms.search_words(query),
        language="en",
        filter_clauses="",
        selective=False,
        ids=None,
        pool=100,
    )
    assert facts is not None
    names = {name["key"]: name["weight"] for name in facts["names"]}
    word_scores = dict(zip(facts["word_hit_ids"], facts["word_hit_scores"], strict=True))
    expected = await scores(graph, query, word_scores, names, facts["hop_limit"])
    assert len(answer.hits) == 60
    for hit in answer.hits:
        assert hit.score == pytest.approx(expected[hit.id], abs=2e-6)
        parts = hit.parts.model_dump()
        assert sum(parts.values()) - parts["cosine"] == pytest.approx(hit.score, abs=1e-6)
    order = sorted(expected, key=lambda id: (-round(expected[id], 5), id))
    assert [hit.id for hit in answer.hits[:10]] == order[:10] or len(set(expected.values())) < 60


@pytest.mark.slow
async def test_the_first_few_are_the_same_however_many_are_asked_for(graph: Graph) -> None:
    await graph.memories.remember_many(story(80))
    for query in ("Who met Mira?", "barrels of herring", "Who opens the Lighthouse?"):
        every = [hit.id for hit in (await graph.recall.find(query, k=80)).hits]
        for k in (1, 3, 10):
            assert [hit.id for hit in (await graph.recall.find(query, k=k)).hits] == every[:k]


@pytest.mark.slow
async def test_filters_narrow_a_question(graph: Graph) -> None:
    await graph.memories.remember_many(story(60))
    since, until = datetime(2025, 1, 10, tzinfo=UTC), datetime(2025, 2, 1, tzinfo=UTC)

    async def ids(**narrowed: Any) -> list[Any]:
        return list((await graph.recall.find("Who met Lyra?", k=60, **narrowed)).hits)

    assert {hit.session for hit in await ids(session="s2")} == {"s2"}
    assert len(await ids(session="s2")) == 3
    tagged = await ids(tags=["Haven"])
    assert tagged
    assert all("haven" in hit.tags for hit in tagged)
    assert {hit.id for hit in tagged} == {
        item["id"] for item in story(60) if item["tags"] == ["haven"]
    }
    within = await ids(since=since, until=until)
    assert within
    assert all(since <= hit.at <= until for hit in within)
    assert len(within) == sum(since <= item["at"] <= until for item in story(60) if "at" in item)
    assert await ids(tags=["nowhere"]) == []
    assert await ids(session="none") == []


@pytest.mark.slow
async def test_a_question_as_of_a_time_finds_nothing_learned_later(
    graph: Graph, clock: FixedClock
) -> None:
    early = await graph.memories.remember(KEY)
    then = clock.now()
    clock.advance(days=2)
    await graph.memories.remember("Since today Tam keeps the lighthouse key.")
    assert len((await graph.recall.find("lighthouse key")).hits) == 2
    [hit] = (await graph.recall.find("lighthouse key", at=then)).hits
    assert hit.id == early.id
    assert hit.strength == pytest.approx(1.0)


@pytest.mark.slow
async def test_of_two_equal_answers_the_living_one_wins(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    graph = await open_graph(settings={"memories": BY_TAGS})
    old = await graph.memories.remember("Lyra keeps the key.", category="observation")
    await spend(graph, clock, hours=20)
    new = await graph.memories.remember("Lyra keeps the key!", category="observation")
    first, second = (await graph.recall.find("Who keeps the key?")).hits
    assert (first.id, second.id) == (new.id, old.id)
    assert second.strength < 0.5 < first.strength
    strong = (await graph.recall.find("Who keeps the key?", minimum_strength=0.5)).hits
    assert [hit.id for hit in strong] == [new.id]
    await spend(graph, clock, days=30)
    assert (await graph.recall.find("Who keeps the key?")).hits == ()
    both = (await graph.recall.find("Who keeps the key?", archived=True)).hits
    assert {hit.id for hit in both} == {old.id, new.id}
    reason = await graph.recall.why_not("Who keeps the key?", new.id)
    assert reason.missing == ("it has faded: ask with archived=True",)


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        'key AND (lyra OR "x") NOT [a TO b] {c} ~2 ^3 * ? : \\ / + - && || !',
        "the of and to was",
        "why do we?",
        "word " * 2000,
        "??? !!! ...",
        "1234 5678",
        "灯台の鍵は誰が持っていますか",
        "Кто хранит ключ от маяка?",
        "من يحتفظ بمفتاح المنارة؟",
        "🗝️🗼",
        "'}) DETACH DELETE n // `$realm`",
        "x" * 10_000,
        "\x00\x01 key",
        "灯台の鍵、塔の扉、" * 1000,
    ],
)
async def test_any_question_has_an_answer(graph: Graph, query: str) -> None:
    texts = await graph.memories.remember(KEY)
    answer = await graph.recall.find(query)
    assert [hit.id for hit in answer.hits] == [texts.id]
    assert (await graph.recall.why_not(query, texts.id)).rank == 1


@pytest.mark.slow
async def test_other_scripts_are_found_by_their_words(graph: Graph) -> None:
    await graph.memories.remember("Лира хранит ключ от маяка под третьей ступенькой.", id="ru")
    await graph.memories.remember("灯台の鍵はリラが持っています。", id="ja")
    for query, id in (("ключ от маяка", "ru"), ("灯台の鍵", "ja")):
        first = (await graph.recall.find(query)).hits[0]
        assert first.id == id
        assert first.parts.words > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"query": " "}, "query"),
        ({"query": "key", "k": 0}, "k"),
        ({"query": "key", "minimum_strength": 2.0}, "minimum_strength"),
        ({"query": "key", "tags": "lyra"}, "tags"),
        ({"query": "key", "at": datetime(2026, 1, 1)}, "at"),
        (
            {
                "query": "key",
                "since": datetime(2026, 2, 1, tzinfo=UTC),
                "until": datetime(2026, 1, 1, tzinfo=UTC),
            },
            "since",
        ),
    ],
)
async def test_a_bad_question_is_refused(
    graph: Graph, arguments: dict[str, Any], named: str
) -> None:
    with pytest.raises(InvalidInput, match=named):
        await graph.recall.find(**arguments)


@pytest.mark.slow
async def test_why_not_says_what_was_missing(graph: Graph) -> None:
    await graph.memories.remember_many(story(40))
    await graph.memories.remember("The bakery sells rye on Fridays.", id="rye")
    reason = await graph.recall.why_not("Who met Lyra at the North Pier?", "rye", k=3)
    assert reason.rank is not None
    assert reason.rank > 3
    assert reason.score is not None
    assert reason.needed is not None
    assert reason.score < reason.needed
    assert "no word in common" in reason.missing
    with pytest.raises(NotFound, match="nobody"):
        await graph.recall.why_not("Who?", "nobody")
    later = await graph.recall.why_not("Who met Lyra?", "rye", at=datetime(2020, 1, 1, tzinfo=UTC))
    assert later.missing == ("it was learned later than asked for",)


@pytest.mark.slow
async def test_context_is_in_time_order_and_counts_what_it_drops(graph: Graph) -> None:
    at = datetime(2025, 5, 8, 13, 56, tzinfo=UTC)
    for day, text in enumerate(["I have the key.", "I lost the key.", "Mira found the key."]):
        await graph.memories.remember(
            text, session="s", speaker="Lyra", at=at + timedelta(days=day)
        )
    whole = await graph.recall.context("Where is the key?")
    assert whole.splitlines() == [
        "[8 May 2025] Lyra: I have the key.",
        "[9 May 2025] Lyra: I lost the key.",
        "[10 May 2025] Lyra: Mira found the key.",
    ]
    short = await graph.recall.prompt("Where is the key?", tokens=10)
    assert (len(short.lines), short.dropped) == (1, 2)
    assert str(short).endswith("(2 more left out)")
    with pytest.raises(InvalidInput, match="tokens"):
        await graph.recall.context("Where is the key?", tokens=0)


@pytest.mark.slow
async def test_two_realms_with_the_same_texts_know_nothing_of_each_other(
    open_graph: OpenGraph,
) -> None:
    alone: Graph = await open_graph()
    await alone.memories.remember_many(story(30))
    before = await alone.recall.find("Who met Lyra?", k=30)
    other: Graph = await open_graph()
    twice = [item | {"id": f"{item['id']}-{copy}"} for item in story(30) for copy in range(3)]
    await other.memories.remember_many(twice)
    after = await alone.recall.find("Who met Lyra?", k=30)
    assert after.memories == 30
    assert (await other.recall.find("Who met Lyra?")).memories == 90
    assert {hit.id for hit in after.hits} == {item["id"] for item in story(30)}
    for one, two in zip(before.hits, after.hits, strict=True):
        assert one.score == pytest.approx(two.score, abs=0.01)
    rows = await run_cypher(
        alone,
        "MATCH (n:Name {realm: $a, key: 'lyra'}), (o:Name {realm: $b, key: 'lyra'}) "
        "RETURN n.memory_count AS mine, o.memory_count AS theirs",
        a=alone.realm,
        b=other.realm,
    )
    [record] = rows
    assert record["theirs"] == 3 * record["mine"]
    with pytest.raises(NotFound):
        await alone.recall.why_not("Who met Lyra?", "m000-0")


@pytest.mark.slow
async def test_texts_that_no_index_can_hold_are_remembered_all_the_same(graph: Graph) -> None:
    odd = ["x" * 100_000, "BIG NEWS TODAY " * 6000, "half \ud800", KEY]
    receipt = await graph.memories.remember_many([{"text": text} for text in odd])
    assert (receipt.accepted, [bad.index for bad in receipt.rejected]) == (3, [2])
    assert (await graph.recall.find("Who keeps the key?", k=1)).hits[0].text == KEY


@pytest.mark.slow
async def test_living_memories_are_found_behind_a_crowd_of_faded_ones(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    graph = await open_graph(settings={"memories": BY_TAGS})
    faded = [{"text": f"Lyra keeps the key, {i}.", "category": "observation"} for i in range(150)]
    await graph.memories.remember_many(faded)
    await spend(graph, clock, days=10)
    texts = await graph.memories.remember("Somebody sells rye in the market.")
    for archive in (False, True):
        if archive:
            await graph.memories.archive()
        answer = await graph.recall.find("Who keeps the key, Lyra?")
        assert [hit.id for hit in answer.hits] == [texts.id]
        then = await graph.recall.find("Lyra's key", at=clock.now() - timedelta(days=10), k=3)
        assert all(hit.text.startswith("Lyra keeps") for hit in then.hits)
        assert len(then.hits) == 3


@pytest.mark.slow
async def test_a_question_for_strong_memories_looks_behind_the_weak_ones(
    open_graph: OpenGraph, clock: FixedClock
) -> None:
    narrow = {"recall": {"pool": 5, "pool_filtered": 10}, "memories": BY_TAGS}
    graph: Graph = await open_graph(settings=narrow)
    weak = [{"text": f"Lyra keeps the key, {i}.", "category": "observation"} for i in range(40)]
    await graph.memories.remember_many(weak)
    await spend(graph, clock, hours=14)
    texts = await graph.memories.remember("Somebody sells rye in the market.")
    answer = await graph.recall.find("Who keeps the key, Lyra?", k=3, minimum_strength=0.9)
    assert [hit.id for hit in answer.hits] == [texts.id]
    assert len((await graph.recall.find("Who keeps the key, Lyra?", k=30)).hits) == 30


@pytest.mark.slow
async def test_a_session_that_causality_recorded_outlives_its_memories(graph: Graph) -> None:
    lines = [{"line_index": 0, "author_name": "DM", "content": "You see a door."}]
    await graph.causality.record("s1", lines, dm="DM", players=[])
    texts = await graph.memories.remember(KEY, session="s1")
    await graph.memories.forget(texts.id)
    assert await graph.causality.metrics("s1")


FILTERED = ("recall/find", "memories/list", "memories/count")


def test_every_statement_tests_a_filter_by_the_same_conditions() -> None:
    """Cypher has no functions, so they stand in two stages of a question, in lists and counts."""
    block = re.compile(r"NOT \$filter\.narrows\n(?: .*\n)+?.*memory\.clock\]\) END\)\) END")
    texts = [statements.load(name).text for name in FILTERED]
    conditions = [" ".join(part.split()) for text in texts for part in block.findall(text)]
    assert len(conditions) == 4
    assert len(set(conditions)) == 1
    archived = "$filter.archived OR facts.end > $filter[facts.clock]"
    assert texts[0].count(archived) == 2
