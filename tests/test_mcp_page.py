"""The page about MCP: its files for assistants start servers, and its figures are right."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer.main

from asterism.cli import app
from asterism.mcp_server.access import read_access
from asterism.mcp_server.builder import build_server
from asterism.mcp_server.realm_graphs import RealmGraphs
from asterism.mcp_server.service import Service
from asterism.mcp_server.token_budget import compact_json, count_tokens
from asterism.mcp_server.web import PATH, HttpAddress
from tests.support.mcp_clients import token_file

PAGE = Path("docs/mcp.md").read_text(encoding="utf-8")
FILES = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
LINES = re.findall(r"^asterism (mcp .*)$", PAGE, re.MULTILINE)


def parsed(words: list[str]) -> dict[str, Any]:
    """Return the arguments of a command as it would read them, without running it."""
    command: Any = typer.main.get_command(app)
    context = command.commands[words[0]].make_context("asterism", words[1:])
    return dict(context.params)


@pytest.mark.parametrize("file", FILES, ids=str)
def test_a_file_for_an_assistant_names_a_server_that_there_is(file: dict[str, Any]) -> None:
    [(key, servers)] = file.items()
    assert key in ("mcpServers", "servers")
    [server] = servers.values()
    if "url" in server:
        address = HttpAddress()
        assert server["url"] == f"http://{address.host}:{address.port}{PATH}"
        assert server["headers"]["Authorization"].startswith("Bearer ")
    else:
        assert server["command"] == "asterism"
        assert parsed(server["args"])["realm"] == "ana"


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_starts_the_server_is_understood(line: str) -> None:
    assert parsed(line.split())["http"] is True


def test_the_file_of_tokens_is_read(tmp_path: Path) -> None:
    [block] = re.findall(r"```text\n(# chmod 600.*?)```", PAGE, re.DOTALL)
    access = read_access("default", token_file(tmp_path, block), "0.0.0.0")
    assert sorted(access.tokens.values()) == ["ana", "leo"]


def test_what_the_descriptions_cost_is_what_the_page_says() -> None:
    tools = asyncio.run(build_server(Service(RealmGraphs())).list_tools())
    for tool in tools:
        document = tool.model_dump(mode="json", by_alias=True, exclude_none=True)
        [figure] = re.findall(rf"^\| `{tool.name}` \|[^|]*\| (\d+) \|", PAGE, re.MULTILINE)
        assert int(figure) == pytest.approx(count_tokens(compact_json(document)), rel=0.05)
