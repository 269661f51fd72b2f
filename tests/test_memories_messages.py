"""Messages of chat APIs: each is remembered once, in order, whatever is sent again."""

import asyncio
import random
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.memories.messages import parse_message
from tests.support.raw import run_cypher

TALK = [
    {"role": "user", "content": "I moved to Lisbon.", "name": "Ana"},
    {"role": "assistant", "content": "Shall I note that?"},
    {"role": "user", "content": "yes", "name": "Ana"},
    {"role": "assistant", "content": "Noted. Anything else?"},
    {"role": "user", "content": "yes", "name": "Ana"},
]
MORE = [*TALK, {"role": "assistant", "content": "What is it?"}]


def words(*texts: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text} for text in texts]


async def chained_texts(graph: Graph, session: str) -> list[str]:
    """Return the texts of a session in the order of their chain."""
    rows = await run_cypher(
        graph,
        "MATCH (:Session {realm: $realm, id: $session})<-[:IN_SESSION]-(memory:Memory) "
        "OPTIONAL MATCH (memory)-[:NEXT]->(later:Memory) "
        "RETURN memory.id AS id, memory.text AS text, later.id AS later",
        session=session,
    )
    texts = {row["id"]: row["text"] for row in rows}
    later = {row["id"]: row["later"] for row in rows}
    assert len(texts) == len(rows)  # one follows each at most
    [id] = texts.keys() - set(later.values()) or [None]
    chain = []
    while id is not None:
        chain.append(texts[id])
        id = later[id]
    assert len(chain) == len(rows)
    return chain


@pytest.mark.slow
async def test_messages_become_memories_in_their_order(graph: Graph, clock: FixedClock) -> None:
    receipt = await graph.memories.remember_messages(TALK, session="s")
    assert (receipt.accepted, receipt.duplicate, receipt.received) == (5, 0, 5)
    assert len(set(receipt.ids)) == 5
    memories = [await graph.memories.get(str(id)) for id in receipt.ids]
    assert [memory.text for memory in memories] == [message["content"] for message in TALK]
    assert [memory.speaker for memory in memories][:2] == ["Ana", "assistant"]
    assert {(memory.session, memory.category) for memory in memories} == {("s", "message")}
    assert await chained_texts(graph, "s") == [message["content"] for message in TALK]
    times = [memory.first_seen for memory in memories]
    assert times == sorted(set(times))
    assert times[-1] == clock.now()


async def test_the_same_list_and_a_longer_one_add_only_what_is_new(graph: Graph) -> None:
    first = await graph.memories.remember_messages(TALK, session="s")
    again = await graph.memories.remember_messages(TALK, session="s")
    assert (again.accepted, again.duplicate, again.ids) == (0, 5, first.ids)
    longer = await graph.memories.remember_messages(MORE, session="s")
    assert (longer.accepted, longer.duplicate, longer.ids[:5]) == (1, 5, first.ids)
    assert await chained_texts(graph, "s") == [message["content"] for message in MORE]
    elsewhere = await graph.memories.remember_messages(TALK, session="t")
    assert (elsewhere.accepted, set(elsewhere.ids) & set(first.ids)) == (5, set())


async def test_the_end_of_a_conversation_is_recognised(graph: Graph) -> None:
    """The third `yes` is new, though the trimmed list holds only one before it."""
    await graph.memories.remember_messages(TALK, session="s")
    end = [*TALK[3:], {"role": "user", "content": "yes", "name": "Ana"}]
    receipt = await graph.memories.remember_messages(end, session="s")
    assert (receipt.accepted, receipt.duplicate) == (1, 2)
    again = await graph.memories.remember_messages(end, session="s")
    assert (again.accepted, again.ids) == (0, receipt.ids)
    whole = [*TALK, end[-1]]
    assert (await graph.memories.remember_messages(whole, session="s")).accepted == 0


async def test_single_turns_keep_what_is_said_again(graph: Graph) -> None:
    turns = (("Light on.", "Done."), ("Light off.", "Done."), ("And tea?", "Yes."))
    for question, answer in turns:
        turn = [*words(question), {"role": "assistant", "content": answer}]
        for expected in (2, 0):
            receipt = await graph.memories.remember_messages(turn, session="s")
            assert receipt.accepted == expected
    assert await chained_texts(graph, "s") == [
        "Light on.",
        "Done.",
        "Light off.",
        "Done.",
        "And tea?",
        "Yes.",
    ]


async def test_a_list_with_a_summary_instead_of_its_beginning_adds_the_summary(
    graph: Graph,
) -> None:
    texts = [f"line {number}" for number in range(8)]
    await graph.memories.remember_messages(words(*texts), session="s")
    summary = words("We spoke of lines.", *texts[4:], "line 8")
    receipt = await graph.memories.remember_messages(summary, session="s")
    assert (receipt.accepted, receipt.duplicate) == (2, 4)


async def test_a_list_of_which_the_middle_is_missing_adds_nothing(graph: Graph) -> None:
    texts = [f"line {number}" for number in range(8)]
    await graph.memories.remember_messages(words(*texts), session="s")
    receipt = await graph.memories.remember_messages(words(*texts[:3], *texts[5:]), session="s")
    assert (receipt.accepted, receipt.duplicate) == (0, 6)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
async def test_any_growing_window_ends_as_the_whole_list(graph: Graph, seed: int) -> None:
    random_source = random.Random(seed)
    texts = [f"{random_source.choice(['yes', 'no', 'why'])} {number // 3}" for number in range(60)]
    end = 0
    while end < len(texts):
        start = max(0, end - random_source.randint(6, 20)) if end else 0
        end = min(len(texts), end + random_source.randint(1, 5))
        await graph.memories.remember_messages(words(*texts[start:end]), session="s")
    assert await chained_texts(graph, "s") == texts


async def test_many_writers_of_one_conversation_store_it_once(graph: Graph) -> None:
    lists = [MORE[:end] for end in (3, 5, 6, 6, 6)]
    receipts = await asyncio.gather(
        *(
            graph.memories.remember_messages(messages, session="s", at=f"2026-03-01T10:0{place}Z")
            for place, messages in enumerate(lists)
        )
    )
    assert sum(receipt.accepted for receipt in receipts) == 6
    assert not any(receipt.rejected for receipt in receipts)


async def test_ids_and_times_tell_equal_words_apart(graph: Graph) -> None:
    one = {"role": "user", "content": "yes", "id": 7}
    receipt = await graph.memories.remember_messages([one, one | {"id": "8"}], session="s")
    assert receipt.ids == ("s:7", "s:8")
    again = await graph.memories.remember_messages([one | {"id": "9"}, one], session="s")
    assert (again.accepted, again.duplicate, again.ids) == (1, 1, ("s:9", "s:7"))
    other = await graph.memories.remember_messages([one | {"content": "no"}], session="s")
    assert "holds another text" in other.rejected[0].reason
    assert other.ids == (None,)
    timed = [{"role": "user", "content": "ok", "at": f"2026-03-0{day}"} for day in (1, 2)]
    for message in timed:
        receipt = await graph.memories.remember_messages([message], session="s")
        assert receipt.accepted == 1
    assert (await graph.memories.remember_messages(timed, session="s")).duplicate == 2
    long = await graph.memories.remember_messages([one | {"id": "9" * 999}], session="s")
    assert len(str(long.ids[0])) == 16


async def test_other_roles_and_messages_without_words_are_left_out_and_counted(
    graph: Graph,
) -> None:
    messages: list[Any] = [
        {"role": "system", "content": "You are kind."},
        *TALK[:2],
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]},
        {"role": "tool", "content": "42", "tool_call_id": "c1"},
    ]
    receipt = await graph.memories.remember_messages(messages, session="s")
    assert (receipt.accepted, receipt.received) == (2, 5)
    assert receipt.left_out == {"system": 1, "no text": 1, "tool": 1}
    assert [id is None for id in receipt.ids] == [True, False, False, True, True]
    more = await graph.memories.remember_messages(
        messages, session="s", roles=["user", "ai", "tool", "system"]
    )
    assert (more.accepted, more.duplicate, more.left_out) == (2, 2, {"no text": 1})


async def test_bad_messages_are_rejected_one_by_one(graph: Graph) -> None:
    messages: list[Any] = [
        {"role": "user", "content": "first"},
        {"role": "wizard", "content": "Abracadabra"},
        {"content": "nobody"},
        {"role": "user"},
        17,
        {"role": "user", "content": 17},
        {"role": "user", "content": [{"type": "text"}]},
        {"role": "user", "content": "half \ud800", "id": "half"},
        {"role": "user", "content": "late", "at": "yesterday"},
        {"role": "user", "content": "who", "name": 3},
        {"role": "user", "content": "id", "id": 1.5},
        {"role": "user", "content": "x" * 2_000_000},
        {"role": "user", "content": "last"},
    ]
    receipt = await graph.memories.remember_messages(messages, session="s")
    assert (receipt.accepted, len(receipt.rejected), receipt.received) == (2, 11, 13)
    assert [item.index for item in receipt.rejected] == list(range(1, 12))
    assert receipt.rejected[0].reason.startswith("role='wizard': one of user, assistant")
    assert receipt.rejected[6].event_id == "half"
    assert await chained_texts(graph, "s") == ["first", "last"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        ({"messages": "hello"}, "messages='hello'"),
        ({"messages": TALK[0]}, "messages="),
        ({"messages": None}, "messages=None"),
        ({"session": ""}, "session=''"),
        ({"session": 3}, "session=3"),
        ({"roles": "user"}, "roles='user'"),
        ({"roles": []}, "roles="),
        ({"roles": ["king"]}, "roles='king': one of user"),
        ({"at": 12}, "at=12"),
        ({"tags": "home"}, "tags='home'"),
        ({"lasts": "ever"}, "lasts='ever'"),
    ],
)
async def test_what_concerns_the_whole_call_is_refused_before_anything_is_written(
    graph: Graph, arguments: dict[str, Any], refusal: str
) -> None:
    fields: dict[str, Any] = {"messages": TALK, "session": "s"} | arguments
    with pytest.raises(InvalidInput) as error:
        await graph.memories.remember_messages(fields.pop("messages"), **fields)
    assert str(error.value).startswith(refusal)
    assert await graph.realms.list() == [
        realm for realm in await graph.realms.list() if realm.name != graph.realm
    ]


@pytest.mark.slow
async def test_what_is_shared_is_stored_with_each_message(graph: Graph) -> None:
    at = datetime(2026, 2, 1, 9, tzinfo=UTC)
    receipt = await graph.memories.remember_messages(
        TALK,
        session="s",
        at=at,
        tags=["Move"],
        actor="ana",
        category="chat",
        lasts="permanent",
        metadata={"channel": "mail"},
    )
    first, second = [await graph.memories.get(str(id)) for id in receipt.ids[:2]]
    assert (first.tags, first.actor, first.category) == (("move",), "ana", "chat")
    assert first.metadata == {"channel": "mail"}
    assert (first.first_seen, first.lasts) == (at, "permanent")
    assert second.first_seen == at + timedelta(microseconds=1)
    later = await graph.memories.remember_messages(MORE, session="s", at=at + timedelta(days=1))
    assert (later.accepted, later.duplicate, later.rejected) == (1, 5, [])
    text = await graph.recall.context("Where does Ana live?", touch=False)
    lines = [line.rpartition(": ")[2] for line in text.splitlines()]
    assert lines == [message["content"] for message in MORE]


async def test_nothing_to_remember_makes_no_realm(graph: Graph) -> None:
    receipt = await graph.memories.remember_messages([], session="s")
    assert (receipt.received, receipt.ids) == (0, ())
    await graph.memories.remember_messages([{"role": "system", "content": "x"}], session="s")
    assert graph.realm not in {realm.name for realm in await graph.realms.list()}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"role": "human", "content": "hi"}, ("user", "hi")),
        ({"type": "ai", "content": "hi"}, ("assistant", "hi")),
        (("human", "hi"), ("user", "hi")),
        ({"type": "human", "data": {"content": "hi"}}, ("user", "hi")),
        ({"role": "model", "parts": [{"text": "a"}, {"text": "b"}]}, ("assistant", "a\nb")),
        ({"role": "user", "content": ["a", {"type": "input_text", "text": "b"}]}, ("user", "a\nb")),
        (
            {
                "role": "user",
                "content": [
                    {"type": "image_url", "image_url": {"url": "x"}},
                    {"type": "text", "text": "See?"},
                ],
            },
            ("user", "See?"),
        ),
        (SimpleNamespace(type="human", content="hi", name=None, id=None), ("user", "hi")),
        (
            SimpleNamespace(role="assistant", content=[SimpleNamespace(type="text", text="hi")]),
            ("assistant", "hi"),
        ),
    ],
)
def test_messages_of_every_usual_shape_are_understood(raw: Any, expected: tuple[str, str]) -> None:
    message = parse_message(raw)
    assert (message.role, message.text) == expected
