"""The MCP server over stdio, as a process: by the SDK's client, by Node, and by hand."""

import json
import subprocess
from typing import Any

import anyio
import pytest

from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.mcp_clients import (
    ASTERISM,
    by_node,
    call,
    node_client_is_there,
    over_stdio,
    read,
    refused,
)
from tests.support.raw import run_cypher

pytestmark = pytest.mark.slow

# Every tool once, with what a first session may bring.
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("remember", {"texts": ["Ana lives in Porto.", "Leo mends nets."], "session": "monday"}),
    ("recall", {"question": "Where does Ana live?"}),
    ("correct", {"id": "home", "text": "Ana lives in Lisbon."}),
    ("why", {"question": "Where does Ana live?"}),
    ("explore", {"question": "Who lives where?"}),
    ("forget", {"session": "monday"}),
    ("star", {"action": "list"}),
]
URIS = ["asterism://memory/home", "asterism://star/sailing"]


async def prepare(graph: Graph) -> None:
    await graph.memories.remember("Ana lives in Braga.", id="home")
    await graph.stars.add("Sailing", domain="soul", id="sailing")


def require_whole(result: Any) -> None:
    """Check what the Node client was told."""
    assert {tool["name"] for tool in result["tools"]} >= {name for name, _ in CALLS}
    assert len(result["answers"]) == len(CALLS)
    for answer in result["answers"]:
        assert not answer.get("isError"), answer
        assert answer["structuredContent"]
        assert answer["content"][0]["text"]
    stats, memory, star = map(json.loads, result["contents"])
    assert (stats["nodes"]["Star"], memory["id"], star["id"]) == (1, "home", "sailing")
    assert (result["lessons"], result["templates"]) == ([1, 1], 2)


@pytest.mark.skipif(not node_client_is_there(), reason="the Node client is not installed")
async def test_the_published_node_client_uses_all_of_it(
    graph: Graph, environment: dict[str, str]
) -> None:
    await prepare(graph)
    command, *args = [*ASTERISM, "--realm", graph.realm]
    task = {"command": command, "args": args, "env": environment, "calls": CALLS, "uris": URIS}
    require_whole(await anyio.to_thread.run_sync(by_node, task))


async def test_two_servers_on_two_realms_tell_nothing_of_each_other(
    open_graph: OpenGraph, environment: dict[str, str]
) -> None:
    ours, theirs = await open_graph(), await open_graph()
    await prepare(ours)
    secret = await theirs.memories.remember("The code of the vault is 4711.", tags=["vault"])
    await theirs.stars.add("Vault", domain="wealth", id="vault")
    async with over_stdio(environment, "--realm", ours.realm) as client:
        for question in ("What is the code of the vault?", f"realm:{theirs.realm} vault"):
            answer = await call(client, "recall", question=question, tokens=2000)
            assert "4711" not in json.dumps(answer)
        refusal = await refused(client, "recall", question="vault", realm=theirs.realm)
        assert "no such argument" in refusal
        assert "no memory" in await refused(client, "correct", id=secret.id, text="x")
        assert "no memory" in await refused(client, "why", question="vault", id=secret.id)
        forgotten = await call(client, "forget", ids=[secret.id], dry_run=False)
        assert (forgotten["matching"], forgotten["forgotten"]) == (0, 0)
        assert "vault" in await refused(client, "star", action="engage", id="vault")
        for uri in (f"asterism://memory/{secret.id}", "asterism://star/vault"):
            with pytest.raises(Exception, match="no "):
                await read(client, uri)
        stats = json.loads(await read(client, "asterism://stats"))
        assert (stats["name"], stats["nodes"]["Star"]) == (ours.realm, 1)
    assert (await theirs.memories.get(secret.id)).interaction_count == 0


async def test_a_cancelled_call_stops_and_the_next_one_works(
    graph: Graph, environment: dict[str, str]
) -> None:
    """Embedding thousands of texts is what a first question may have to wait for."""
    texts = [f"Boat {number} is blue and belongs to Leonor of Braga." for number in range(3000)]
    await graph.memories.remember_many({"text": text} for text in texts)
    arguments = {"question": "Which boat is blue?"}

    async with over_stdio(environment, "--realm", graph.realm) as client:
        with anyio.CancelScope() as scope:

            async def stop(progress: float, total: float | None, message: str | None) -> None:
                scope.cancel()

            await client.call_tool("recall", arguments, progress_callback=stop)
        assert scope.cancelled_caught
        assert (await call(client, "star", action="list")) == {"stars": []}
        [row] = await run_cypher(
            graph, "MATCH (m:Memory {realm: $realm}) WHERE m.unembedded RETURN count(m) AS left"
        )
        assert row["left"] > 0


def test_nothing_but_the_protocol_is_on_stdout(environment: dict[str, str]) -> None:
    """Invalid JSON, unknown methods and refused calls are answered, not printed."""
    client = {"protocolVersion": "2025-11-25", "capabilities": {}}
    client |= {"clientInfo": {"name": "tests", "version": "1"}}
    calls: list[Any] = [
        {"id": 1, "method": "initialize", "params": client},
        {"method": "notifications/initialized"},
        "this is no JSON",
        {"id": 2, "method": "nonsense"},
        {"id": 3, "method": "tools/call", "params": {"name": "nonsense", "arguments": {}}},
        {"id": 4, "method": "tools/call", "params": {"name": "recall", "arguments": {"k": 1}}},
        {"id": 5, "method": "tools/list"},
    ]
    lines = [
        each if isinstance(each, str) else json.dumps({"jsonrpc": "2.0", **each}) for each in calls
    ]
    with subprocess.Popen(
        [*ASTERISM, "--realm", "test-stdout"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        answers: dict[int, Any] = {}
        while len(answers) < 5:
            answer = json.loads(process.stdout.readline())
            assert answer["jsonrpc"] == "2.0"
            if answer.get("id") is not None:
                answers[answer["id"]] = answer
        process.stdin.close()
        assert process.stdout.read() == ""
    assert process.returncode == 0
    assert answers[2]["error"]["code"] == -32601
    assert "nonsense" in json.dumps(answers[3])
    assert "question: it is needed" in answers[4]["result"]["content"][0]["text"]
    assert len(answers[5]["result"]["tools"]) <= 7
