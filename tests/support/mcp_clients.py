"""Clients of the MCP server: in this process, over stdio and over HTTP."""

import json
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent, TextResourceContents

from asterism.mcp_server.builder import Profile, build_server
from asterism.mcp_server.realm_graphs import RealmGraphs
from asterism.mcp_server.service import REALM, Service

ASTERISM = (sys.executable, "-m", "asterism", "mcp")


@asynccontextmanager
async def connected(
    realm: str,
    options: Mapping[str, Any],
    profile: Profile = "asterism",
    *,
    read_only: bool = False,
) -> AsyncIterator[Client]:
    """Connect a client to a server in this process."""
    REALM.set(realm)
    async with RealmGraphs(**options) as graphs:
        server = build_server(Service(graphs, read_only), profile)
        async with Client(server) as client:
            yield client


@asynccontextmanager
async def over_stdio(environment: Mapping[str, str], *words: str) -> AsyncIterator[Client]:
    """Start a server as a process, and connect a client to its stdin and stdout."""
    command, *arguments = [*ASTERISM, *words]
    process = StdioServerParameters(command=command, args=arguments, env=dict(environment))
    async with Client(stdio_client(process)) as client:
        yield client


@contextmanager
def serving(environment: Mapping[str, str], *words: str) -> Iterator[str]:
    """Start a server over HTTP as a process, and give its address."""
    command = [*ASTERISM, "--http", "--port", "0", *words]
    process = subprocess.Popen(command, env=dict(environment), stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    log = ""
    while not (address := re.search(r"http://[^;\s]+", log)):
        line = process.stderr.readline()
        assert line, log
        log += line
    reader = threading.Thread(target=process.stderr.read)  # or the server would wait for a reader
    reader.start()
    try:
        yield address[0]
    finally:
        process.terminate()
        process.wait()
        reader.join()
        process.stderr.close()


@asynccontextmanager
async def over_http(
    address: str, token: str | None = None, **options: Any
) -> AsyncIterator[Client]:
    """Connect a client to a server over HTTP."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(headers=headers, timeout=1200) as http:
        transport = streamable_http_client(address, http_client=http)
        async with Client(transport, **options) as client:
            yield client


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool that has to answer, and return its fields."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    fields: dict[str, Any] = result.structured_content
    return fields


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool that has to refuse, and return what it says."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.content
    return text_of(result)


def text_of(result: Any) -> str:
    """Return the text of a tool's answer."""
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


async def read(client: Client, uri: str) -> str:
    """Read a resource."""
    [content] = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return content.text


def token_file(folder: Path, *lines: str, mode: int = 0o600) -> Path:
    """Write a file of tokens."""
    file = folder / f"tokens-{time.monotonic_ns()}"
    file.write_text("\n".join(lines) + "\n")
    file.chmod(mode)
    return file


NODE_PACKAGES = Path(sys.prefix) / "node"  # where .ci/run installs the Node client
NODE_CLIENT = Path(__file__).parent / "mcp_node_client.cjs"


def node_client_is_there() -> bool:
    """Tell whether Node and its published client can be run here."""
    package = NODE_PACKAGES / "node_modules" / "@modelcontextprotocol" / "sdk"
    return shutil.which("node") is not None and package.is_dir()


def by_node(task: Mapping[str, Any]) -> Any:
    """Run the published Node client on a server: list all, call each tool, read each resource."""
    ran = subprocess.run(
        ["node", str(NODE_CLIENT), str(NODE_PACKAGES), json.dumps(task)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)
