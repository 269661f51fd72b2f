"""The MCP server over HTTP: clients, tokens, realms, hosts, origins, bodies and crowds."""

import asyncio
import json
import os
import subprocess
import uuid
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx2
import psutil
import pytest
from mcp.shared.exceptions import MCPError

from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.local import server as local_server
from asterism.local.home import Home
from asterism.mcp_server.access import VARIABLE, read_access
from asterism.mcp_server.web import MOST_BODY_BYTES
from tests.conftest import SMALL, OpenGraph, Server, server_variables
from tests.support.mcp_clients import (
    ASTERISM,
    by_node,
    call,
    node_client_is_there,
    over_http,
    read,
    refused,
    serving,
    token_file,
)
from tests.support.prepared_home import copied
from tests.test_mcp_stdio import CALLS, URIS, prepare, require_whole

OURS, THEIRS = "the-token-of-ours-0123", "the-token-of-theirs-01"
NEITHER = "a-token-of-nobody-0123"
MODERN, LEGACY = "auto", "legacy"


class Two:
    """One server with two tokens, each with a realm of its own."""

    def __init__(self, address: str, realms: dict[str, str]) -> None:
        self.address = address
        self.realms = realms


@pytest.fixture(scope="module")
def two(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    """A running server with two tokens."""
    realms = {token: f"test-{uuid.uuid4().hex[:12]}" for token in (OURS, THEIRS)}
    lines = [f"{token} {realm}" for token, realm in realms.items()]
    file = token_file(tmp_path_factory.mktemp("tokens"), "# of the tests", *lines)
    with serving(server_variables(server), "--token-file", str(file)) as address:
        yield Two(address, realms)


async def opened(two: Two, open_graph: OpenGraph, token: str) -> Graph:
    """Open the realm of a token, which ends with the test."""
    graph: Graph = await open_graph(realm=two.realms[token])
    return graph


@pytest.mark.slow
@pytest.mark.parametrize("mode", [MODERN, LEGACY])
async def test_the_client_of_the_sdk_uses_all_of_it(
    two: Two, open_graph: OpenGraph, mode: str
) -> None:
    await prepare(await opened(two, open_graph, OURS))
    async with over_http(two.address, OURS, mode=mode) as client:
        assert len((await client.list_tools()).tools) <= 7
        for tool, arguments in CALLS:
            await call(client, tool, **arguments)
        for uri in ("asterism://stats", *URIS):
            assert json.loads(await read(client, uri))
        assert "Unknown tool" in await refused(client, "nonsense")


@pytest.mark.slow
@pytest.mark.skipif(not node_client_is_there(), reason="the Node client is not installed")
async def test_the_published_node_client_uses_all_of_it(two: Two, open_graph: OpenGraph) -> None:
    await prepare(await opened(two, open_graph, OURS))
    headers = {"Authorization": f"Bearer {OURS}"}
    task = {"url": two.address, "headers": headers, "calls": CALLS, "uris": URIS}
    require_whole(await anyio.to_thread.run_sync(by_node, task))


HOSTILE = (
    "{id}",
    "{realm}",
    "../{realm}/{id}",
    "' OR 1=1 //",
    "`}}) MATCH (n) DETACH DELETE n //",
    '"}} RETURN n UNION MATCH (n) RETURN n //',
    "asterism://memory/{id}",
    "\x00",
    "*",
)


@pytest.mark.slow
@pytest.mark.parametrize("mode", [MODERN, LEGACY])
async def test_no_token_reaches_the_realm_of_another(
    two: Two, open_graph: OpenGraph, mode: str
) -> None:
    ours = await opened(two, open_graph, OURS)
    theirs = await opened(two, open_graph, THEIRS)
    await prepare(ours)
    secret = await theirs.memories.remember("The code of the vault is 4711.", session="vault")
    await theirs.stars.add("Vault", domain="wealth", id="vault")
    before = await theirs.realms.stats()
    async with over_http(two.address, OURS, mode=mode) as client:
        for template in HOSTILE:
            text = template.format(id=secret.id, realm=theirs.realm)
            for tool, arguments in _calls_with(text):
                result = await client.call_tool(tool, arguments)
                assert "4711" not in str(result), (tool, text)
                assert "Vault" not in str(result), (tool, text)
            for kind in ("memory", "star"):
                with pytest.raises((MCPError, ValueError)):
                    await read(client, f"asterism://{kind}/{text}")
        for prompt in ("review", "remembering"):
            assert "4711" not in str(await client.get_prompt(prompt))
        assert json.loads(await read(client, "asterism://stats"))["name"] == ours.realm
    assert await theirs.realms.stats() == before
    assert (await theirs.memories.get(secret.id)).interaction_count == 0
    async with over_http(two.address, THEIRS, mode=mode) as client:
        answer = await call(client, "recall", question="What is the code of the vault?")
        assert "4711" in answer["memories"][0]["text"]


def _calls_with(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a call of each tool with a hostile text wherever one fits."""
    yield "recall", {"question": f"What is the code of the vault? {text}", "session": text}
    yield "recall", {"question": text, "tags": [text]}
    yield "why", {"question": "What is the code of the vault?", "id": text}
    yield "correct", {"id": text, "text": "x"}
    yield "forget", {"ids": [text], "dry_run": False}
    yield "forget", {"session": text, "dry_run": False}
    yield "star", {"action": "engage", "id": text}
    yield "star", {"action": "why", "id": "vault", "other": text}


def post(two: Two, **changes: Any) -> httpx2.Response:
    """Send a request by hand, as a client of 2025 sends it, with other headers or another body."""
    headers = {
        "Authorization": f"Bearer {OURS}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
    }
    headers |= changes.pop("headers", {})
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    content = changes.pop("content", json.dumps(body))
    with httpx2.Client(timeout=1200) as client:
        return client.post(two.address, content=content, headers=headers)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Authorization": f"bearer {OURS}"}, 200),
        ({"Authorization": ""}, 401),
        ({"Authorization": f"Bearer {NEITHER}"}, 401),
        ({"Authorization": f"Bearer {OURS[:-1]}"}, 401),
        ({"Authorization": f"Basic {OURS}"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example:8765"}, 421),
        ({"Host": "localhost:1"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:5173"}, 200),
    ],
)
async def test_tokens_hosts_and_origins_are_checked(
    two: Two, headers: dict[str, str], status: int
) -> None:
    answer = await anyio.to_thread.run_sync(lambda: post(two, headers=headers))
    assert answer.status_code == status
    if status == 401:
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert "Authorization: Bearer" in answer.json()["error"]
    if status != 200:
        assert "tools" not in answer.text


@pytest.mark.slow
async def test_bodies_that_are_too_long_or_no_json_are_refused(two: Two) -> None:
    oversized = await anyio.to_thread.run_sync(
        lambda: post(two, content=b" " * (MOST_BODY_BYTES + 1))
    )
    assert oversized.status_code == 413
    for content in ("no JSON", "[]", '{"jsonrpc": "2.0"', "\x00", '{"method": 3}'):
        answer = await anyio.to_thread.run_sync(partial(post, two, content=content))
        assert answer.status_code == 400, content
    alive = await anyio.to_thread.run_sync(lambda: post(two))
    assert alive.status_code == 200


@pytest.mark.slow
async def test_sixteen_clients_at_once_each_get_their_own(two: Two, open_graph: OpenGraph) -> None:
    """The same crowd for a minute: python -m benchmarks.mcp_crowd."""
    for token in (OURS, THEIRS):
        graph = await opened(two, open_graph, token)
        await graph.memories.remember(f"The password of the day is {token}.")

    async def talk(number: int) -> None:
        token = (OURS, THEIRS)[number % 2]
        async with over_http(two.address, token, mode=(MODERN, LEGACY)[number // 2 % 2]) as client:
            for turn in range(3):
                await call(client, "remember", texts=[f"Note {number}-{turn} of {token}."])
                answer = await call(client, "recall", question="What is the password of the day?")
                assert token in answer["memories"][0]["text"]
                assert all(token in memory["text"] for memory in answer["memories"])

    await asyncio.gather(*(talk(number) for number in range(16)))


def test_another_address_needs_a_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(InvalidInput, match="others can reach this address"):
        read_access("default", None, "0.0.0.0")
    assert read_access("default", None, "127.0.0.1").realm_of(None) == "default"
    monkeypatch.setenv(VARIABLE, OURS)
    access = read_access("mine", None, "0.0.0.0")
    assert access.realm_of(f"Bearer {OURS}") == "mine"
    assert access.realm_of(None) is None
    file = token_file(tmp_path, THEIRS, f"{NEITHER} other")
    access = read_access("mine", file, "0.0.0.0")
    assert access.realm_of(f"Bearer {THEIRS}") == "mine"
    assert access.realm_of(f"Bearer {NEITHER}") == "other"
    assert access.realm_of(f"Bearer {OURS}") is None


@pytest.mark.parametrize(
    ("lines", "mode", "words"),
    [
        ([OURS], 0o644, "chmod 600"),
        (["short"], 0o600, "at least 16 letters"),
        ([f"{OURS} a b"], 0o600, "one line for each token"),
        ([OURS, f"{OURS} b"], 0o600, "the same token"),
        (["# none"], 0o600, "holds no token"),
    ],
)
def test_a_token_file_that_is_not_private_or_not_plain_is_refused(
    tmp_path: Path, lines: list[str], mode: int, words: str
) -> None:
    file = token_file(tmp_path, *lines, mode=mode)
    with pytest.raises(InvalidInput, match=words) as refusal:
        read_access("default", file, "127.0.0.1")
    assert OURS not in str(refusal.value)


@pytest.mark.slow
async def test_a_killed_neo4j_is_named_and_its_return_is_noticed(
    quick_folder: Path, pattern: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = copied(pattern, quick_folder / "own")
    for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_USER", "NEO4J_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    state = local_server.start(home, SMALL)
    named = {"NEO4J_URI": state.uri, "NEO4J_PASSWORD": local_server.password(home)}
    try:
        with serving(dict(os.environ) | named, "--realm", "killed") as address:
            async with over_http(address) as client:
                await call(client, "remember", texts=["Ana lives in Porto."])
                process = psutil.Process(state.pid)
                process.kill()
                process.wait()
                refusal = await refused(client, "recall", question="Where does Ana live?")
                assert state.uri.rpartition(":")[2] in refusal or "reach" in refusal
                assert "Traceback" not in refusal
                assert local_server.start(home, SMALL).uri == state.uri
                answer = await call(client, "recall", question="Where does Ana live?")
                assert answer["memories"][0]["text"] == "Ana lives in Porto."
    finally:
        local_server.stop(home)


@pytest.mark.slow
def test_the_address_is_printed_as_json_and_a_taken_port_is_refused(
    environment: dict[str, str],
) -> None:
    command = [*ASTERISM, "--http", "--port", "0", "--json"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = "".join(iter(process.stdout.readline, "}\n")) + "}"
        url = json.loads(lines)["url"]
        port = url.removesuffix("/mcp").rpartition(":")[2]
        second = [*ASTERISM, "--http", "--json", "--port", port]
        completed = subprocess.run(second, env=environment, capture_output=True, text=True)
        process.terminate()
    assert completed.returncode == 2
    assert port in json.loads(completed.stderr)["message"]
