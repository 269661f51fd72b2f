"""The tools, resources and prompts of the MCP server, by the SDK's own client."""

import json
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from asterism.embedding import OnnxEmbedder
from asterism.graph import Graph
from asterism.mcp_server.answers import shortened
from asterism.mcp_server.token_budget import compact_json, count_tokens
from tests.conftest import Server
from tests.support.mcp_clients import call, connected, read, refused, text_of

TOOLS = {"recall", "remember", "correct", "why", "explore", "forget", "star"}
READING = {"recall", "why", "explore", "star"}
FACTS = [
    "Ana lives in Porto.",
    "Ana is allergic to peanuts.",
    "Leo keeps the key of the lighthouse under the third stair.",
    "The harbour freezes in February.",
]


@pytest.fixture
def options(server: Server, embedder: OnnxEmbedder) -> dict[str, Any]:
    """Options by which the server in this process reaches the tests' Neo4j."""
    return {"uri": server.uri, "auth": server.auth, "embedder": embedder}


Connect = Any


@pytest.fixture
def connect(graph: Graph, options: dict[str, Any]) -> Connect:
    """Connects clients to the realm of the test, which ends with it."""

    def one(**more: Any) -> AbstractAsyncContextManager[Client]:
        return connected(graph.realm, options, **more)

    return one


async def test_few_tools_each_with_title_schemas_and_hints(connect: Connect) -> None:
    async with connect() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools.keys() == TOOLS
        for tool in tools.values():
            assert tool.title
            assert tool.description
            assert tool.output_schema
            assert tool.output_schema["type"] == "object"
            assert "realm" not in json.dumps(tool.input_schema)
            hints = tool.annotations
            assert hints is not None
            assert hints.open_world_hint is False
            assert hints.read_only_hint is (tool.name in READING - {"star"})
            assert hints.destructive_hint is (tool.name == "forget")
    async with connect(read_only=True) as client:
        reading = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert reading.keys() == READING
        assert all(tool.annotations.read_only_hint for tool in reading.values())


@pytest.mark.slow
async def test_what_is_remembered_is_recalled_and_counts_as_used(
    connect: Connect, graph: Graph
) -> None:
    async with connect() as client:
        first = await call(client, "remember", texts=FACTS[:2], about="Ana", tags=["people"])
        assert (first["new"], first["same"], len(first["ids"])) == (2, 0, 2)
        again = await call(client, "remember", texts=FACTS[:2], about="Ana", tags=["people"])
        assert again == {"new": 0, "same": 2, "ids": first["ids"]}
        answer = await call(client, "recall", question="Where does Ana live?")
        assert answer["memories"][0]["text"] == FACTS[0]
        assert answer["memories"][0]["id"] == first["ids"][0]
        assert (await graph.memories.get(first["ids"][0])).interaction_count == 1
        nothing = await client.call_tool("recall", {"question": "asdf qwer zxcv"})
        assert text_of(nothing) == "Nothing is remembered about this."
        tagged = await call(client, "recall", question="Where does Ana live?", tags=["other"])
        assert tagged["memories"] == []


@pytest.mark.slow
async def test_what_does_not_fit_the_budget_is_counted_and_not_used(
    connect: Connect, graph: Graph
) -> None:
    async with connect() as client:
        texts = [f"Ana's boat number {number} lies in the harbour." for number in range(10)]
        ids = (await call(client, "remember", texts=texts))["ids"]
        result = await client.call_tool(
            "recall", {"question": "Where does Ana's boat lie?", "tokens": 100}
        )
        answer = result.structured_content
        assert 0 < len(answer["memories"]) < 10
        assert answer["left_out"] == 10 - len(answer["memories"])
        assert "more left out: raise tokens" in text_of(result)
        for form in (text_of(result), compact_json(answer)):
            assert count_tokens(form) <= 100
        handed_out = {memory["id"] for memory in answer["memories"]}
        for id in ids:
            used = (await graph.memories.get(id)).interaction_count
            assert used == (1 if id in handed_out else 0)
        long = "The diary of Ana says much. " * 500
        await call(client, "remember", texts=[long])
        cut = await call(client, "recall", question="What does the diary of Ana say?", tokens=100)
        assert cut["memories"][0]["text"].endswith("…")


@pytest.mark.slow
async def test_messages_of_a_conversation_are_remembered_once(connect: Connect) -> None:
    messages = [
        {"role": "system", "content": "You help."},
        {"role": "user", "content": "My sister Leonor lives in Braga."},
    ]
    async with connect() as client:
        first = await call(client, "remember", messages=messages, session="monday")
        assert (first["new"], first["left_out"]) == (1, 1)
        again = await call(client, "remember", messages=messages, session="monday")
        assert (again["new"], again["same"]) == (0, 1)
        assert "session" in await refused(client, "remember", messages=messages)
        assert "texts" in await refused(client, "remember")
        assert "not both" in await refused(
            client, "remember", messages=messages, texts=["x"], session="monday"
        )


@pytest.mark.slow
async def test_what_has_changed_is_corrected_and_explained(connect: Connect, graph: Graph) -> None:
    async with connect() as client:
        ids = (await call(client, "remember", texts=FACTS))["ids"]
        new = await call(
            client, "correct", id=ids[0], text="Ana lives in Lisbon.", since="2026-02-01"
        )
        assert new["changed"]
        answer = (await call(client, "recall", question="Where does Ana live?"))["memories"]
        assert answer[0]["text"] == "Ana lives in Lisbon."
        assert [each["until"] for each in answer if each["id"] == ids[0]] == ["2026-02-01"]
        fixed = await call(client, "correct", id=ids[3], text="It freezes.", never_true=True)
        assert fixed["id"] == ids[3]
        assert (await graph.memories.get(ids[3])).text == "It freezes."
        same = await call(client, "correct", id=ids[3], text="It freezes.", never_true=True)
        assert not same["changed"]
        why = await call(client, "why", question="Where does Ana live?", id=new["id"])
        assert why["rank"] == 1
        assert "means the same" in why["reasons"][0]
        why_not = await call(client, "why", question="asdf", id=ids[2], tokens=100)
        assert why_not["reasons"]
        every = await client.call_tool("why", {"question": "Where does Ana live?", "tokens": 150})
        assert count_tokens(compact_json(every.structured_content)) <= 150


@pytest.mark.slow
async def test_why_tells_what_led_to_a_line_of_a_session(connect: Connect, graph: Graph) -> None:
    lines = [
        (0, "Ann", "I file through the iron ring."),
        (1, "DM", "The ring snaps and the ferryman comes free."),
    ]
    await graph.causality.record("ferry", lines, dm="DM", remember_session=True)
    question = "Why is the ferryman free?"
    async with connect() as client:
        why = await call(client, "why", question=question, id="ferry:line:1")
        chain = f"led to by L0 {lines[0][2]} > L1 {lines[1][2]}"
        assert why["reasons"][1:] == [chain]
        every = await call(client, "why", question=question, tokens=400)
        reasons = {each["id"]: each["why"] for each in every["memories"]}
        assert reasons["ferry:line:1"].endswith(chain)
        assert "led to by" not in reasons["ferry:line:0"]


@pytest.mark.slow
async def test_exploring_finds_and_writes_nothing_but_use(connect: Connect, graph: Graph) -> None:
    ids = [
        (await graph.memories.remember(text)).id
        for text in ("Rui repaired the mast of Vega.", "Vega belongs to Ana.", "Ana is 40.")
    ]
    async with connect() as client:
        question = "Who repaired the mast?"
        await graph.recall.find(question)  # which gives the texts their vectors
        before = await graph.realms.stats()
        result = await client.call_tool("explore", {"question": question, "tokens": 200})
        assert not result.is_error, result.content
        fields = result.structured_content
        assert count_tokens(compact_json(fields)) <= 200
        assert fields["findings"][0]["text"] == "Rui repaired the mast of Vega."
        assert (await graph.memories.get(ids[0])).interaction_count == 1
        assert (await graph.realms.stats()).nodes == before.nodes
        assert "timeout" in await refused(client, "explore", question=question, seconds=0)


@pytest.mark.slow
async def test_forgetting_shows_first_what_would_go(connect: Connect, graph: Graph) -> None:
    async with connect() as client:
        ids = (await call(client, "remember", texts=FACTS, session="monday"))["ids"]
        shown = await client.call_tool("forget", {"ids": ids[:1]})
        assert "nothing is done" in text_of(shown)
        assert shown.structured_content["examples"][0]["text"] == FACTS[0]
        assert await graph.memories.count() == 4
        assert (await call(client, "forget", ids=ids[:1], dry_run=False))["forgotten"] == 1
        assert (await call(client, "forget", session="monday", dry_run=False))["forgotten"] == 3
        assert await graph.memories.count() == 0
        assert "session" in await refused(client, "forget", dry_run=False)


@pytest.mark.slow
async def test_stars_are_added_engaged_connected_and_explained(connect: Connect) -> None:
    async with connect() as client:
        await call(client, "star", action="add", name="Sailing", domain="soul", id="sailing")
        await call(client, "star", action="add", name="Sleep", domain="health", id="sleep")
        engaged = await call(client, "star", action="engage", id="sailing")
        assert engaged["stars"][0]["name"] == "Sailing"
        pair = {"id": "sailing", "other": "sleep"}
        evidence = await call(client, "star", action="evidence", evidence="user_creates", **pair)
        assert "created" in evidence["note"]
        why = await call(client, "star", action="why", **pair)
        assert "user_creates from assistant" in why["reasons"][0]
        stars = await client.call_tool("star", {"action": "list"})
        assert {star["id"] for star in stars.structured_content["stars"]} == {"sailing", "sleep"}
        assert "name" in await refused(client, "star", action="add", domain="soul")
        assert "domain" in await refused(client, "star", action="add", name="x", domain="sea")
    async with connect(read_only=True) as client:
        assert "read-only" in await refused(client, "star", action="engage", id="sailing")
        assert (await call(client, "star", action="why", **pair))["connection"]


async def test_a_read_only_server_changes_nothing(connect: Connect, graph: Graph) -> None:
    memory = await graph.memories.remember(FACTS[0])
    async with connect(read_only=True) as client:
        answer = await call(client, "recall", question="Where does Ana live?")
        assert answer["memories"][0]["id"] == memory.id
        assert (await graph.memories.get(memory.id)).interaction_count == 0
        for tool in TOOLS - READING:
            assert "Unknown tool" in await refused(client, tool, texts=["x"], ids=["x"])
    assert await graph.memories.count() == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("recall", {}, "question: it is needed"),
        ("recall", {"question": "x", "realm": "y"}, "realm: there is no such argument"),
        ("recall", {"question": "  "}, "query="),
        ("recall", {"question": "x", "tokens": 5}, "tokens=5: give 100 to 20,000"),
        ("recall", {"question": "x", "at": "soon"}, "at='soon'"),
        ("recall", {"question": ["x"]}, "question: Input should be a valid string"),
        ("remember", {"texts": [""]}, "text="),
        ("correct", {"id": "nope", "text": "x"}, "no memory 'nope' in this realm"),
        ("why", {"question": "x", "id": "nope"}, "no memory 'nope' in this realm"),
        ("forget", {"ids": ["x"], "dry_run": "maybe"}, "dry_run"),
        ("star", {"action": "why", "id": "a", "other": "b"}, "no "),
        ("star", {"action": "burn"}, "action"),
    ],
)
async def test_a_refusal_names_the_argument_and_a_remedy(
    connect: Connect, tool: str, arguments: dict[str, Any], words: str
) -> None:
    async with connect() as client:
        refusal = await refused(client, tool, **arguments)
        assert words in refusal
        assert "pydantic" not in refusal
        assert count_tokens(refusal) < 80


async def test_resources_hold_figures_a_memory_and_a_star(connect: Connect, graph: Graph) -> None:
    odd = "notes/sea.md#keys & more"
    await graph.memories.remember(FACTS[0], id=odd)
    await graph.stars.add("Sailing", domain="soul", id="../../etc/passwd")
    async with connect() as client:
        [stats] = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
        assert {each.uri_template for each in templates} == {
            "asterism://memory/{id}",
            "asterism://star/{id}",
        }
        assert json.loads(await read(client, str(stats.uri)))["nodes"]["Text"] == 1
        memory = await read(client, "asterism://memory/notes%2Fsea.md%23keys%20%26%20more")
        assert json.loads(memory)["id"] == odd
        star = await read(client, "asterism://star/..%2F..%2Fetc%2Fpasswd")
        assert json.loads(star)["name"] == "Sailing"
        for uri in ("asterism://memory/nope", "asterism://star/nope", "asterism://nope"):
            with pytest.raises(MCPError, match="nope"):
                await read(client, uri)


@pytest.mark.slow
async def test_prompts_teach_and_review(connect: Connect) -> None:
    async with connect() as client:
        await call(client, "remember", texts=FACTS)
        names = {prompt.name for prompt in (await client.list_prompts()).prompts}
        assert names == {"remembering", "review"}
        [lesson] = (await client.get_prompt("remembering")).messages
        assert all(f"`{tool}`" in str(lesson.content) for tool in ("recall", "correct", "forget"))
        [review] = (await client.get_prompt("review")).messages
        assert FACTS[0] in str(review.content)


@pytest.mark.slow
async def test_a_long_call_reports_its_progress(connect: Connect, graph: Graph) -> None:
    reports: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        reports.append(progress)

    async with connect() as client:
        await graph.memories.remember_many({"text": f"Boat {n} is blue."} for n in range(150))
        arguments = {"question": "Which boat is blue?"}
        await client.call_tool("recall", arguments, progress_callback=note)
    assert reports[-1] == 150
    assert reports == sorted(reports)


def conversation(ids: dict[str, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield 30 calls as an assistant makes them in the weeks after somebody begins to use it."""
    facts = [
        ("Ana", "Ana lives in Porto with her sister Leonor."),
        ("Ana", "Ana is allergic to peanuts and carries an injector."),
        ("Leonor", "Leonor studies marine biology in Braga until June 2027."),
        ("Ana", "Ana wants short answers, without lists."),
        ("flat", "The lease of the flat in Porto ends on 30 April 2027."),
        ("Ana", "Ana sails on Saturdays, if the wind stays below 20 knots."),
        ("boat", "The boat is called Vega and lies at berth 14 in Leixões."),
        ("boat", "The mast of Vega was repaired by Rui in March 2026 for 850 euros."),
        ("Rui", "Rui works at the yard on Tuesdays and Thursdays alone."),
        ("work", "Ana leads the billing project and reports to Marta."),
        ("work", "The billing project moves from Stripe to Adyen because of fees in Brazil."),
        ("work", "The first release of billing is planned for 12 January 2027."),
    ]
    questions = [
        "Where does Ana live?",
        "What must Ana not eat?",
        "Who repaired the mast, and what did it cost?",
        "When does the lease end?",
        "Why does billing leave Stripe?",
        "How does Ana like her answers?",
        "When can Rui look at the boat?",
        "Whom does Ana report to?",
        "Which visa does Ana need for Nairobi?",
    ]
    for number, (about, text) in enumerate(facts):
        yield "remember", {"texts": [text], "about": about, "session": f"week-{number // 4}"}
        if number % 4 == 3:
            for question in questions[3 * (number // 4) : 3 * (number // 4) + 3]:
                yield "recall", {"question": question}
    yield "correct", {"id": ids[facts[0][1]], "text": "Ana lives in Lisbon.", "since": "2026-10-01"}
    yield "recall", {"question": "Where does Ana live now?"}
    yield "why", {"question": "Where does Ana live now?", "id": ids[facts[0][1]]}
    yield "explore", {"question": "What does Rui have to do with Ana?"}
    yield "forget", {"ids": [ids[facts[8][1]]]}
    yield "forget", {"ids": [ids[facts[8][1]]], "dry_run": False}
    yield "star", {"action": "add", "name": "Sailing", "domain": "soul", "id": "sailing"}
    yield "star", {"action": "engage", "id": "sailing"}
    yield "star", {"action": "list"}


@pytest.mark.slow
async def test_thirty_calls_cost_less_than_six_thousand_tokens(connect: Connect) -> None:
    """Count all that `tools/list` says, and of each answer the longer of its two forms."""
    async with connect() as client:
        tools = await client.list_tools()
        costs = {"tools": count_tokens(compact_json(tools.model_dump(by_alias=True)["tools"]))}
        costs["instructions"] = count_tokens(client.instructions or "")
        ids: dict[str, str] = {}
        calls = 0
        for tool, arguments in conversation(ids):
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result.content
            fields = result.structured_content
            if tool == "remember":
                ids[arguments["texts"][0]] = fields["ids"][0]
            cost = max(count_tokens(text_of(result)), count_tokens(compact_json(fields)))
            costs[tool] = costs.get(tool, 0) + cost
            calls += 1
    assert calls == 30
    assert sum(costs.values()) < 6000, costs


def test_the_count_of_tokens_is_rather_too_high() -> None:
    """The right-hand numbers are what o200k_base, a tokenizer of today's models, makes of it."""
    text = "Ana lives in Lisbon. Ask before you answer about the user or earlier work."
    assert 16 <= count_tokens(text) <= 20
    document = '{"id":"8261830b05ce5569","text":"Ana lives in Lisbon.","at":"2026-11-19"}'
    assert 27 <= count_tokens(document) <= 34
    assert count_tokens("今日は良い天気です") >= 6
    assert count_tokens(shortened("word " * 1000, 50)) <= 51
