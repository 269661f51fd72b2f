"""The server: its tools, resources and prompts, over stdio or HTTP."""

from importlib.metadata import version
from typing import Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.tools import Tool

from asterism.mcp_server.explore_tool import ExploreTool
from asterism.mcp_server.memory_tools import MemoryTools
from asterism.mcp_server.prompts import INSTRUCTIONS, add_prompts
from asterism.mcp_server.realm_graphs import RealmGraphs
from asterism.mcp_server.reference_tools import ReferenceTools
from asterism.mcp_server.resources import add_resources
from asterism.mcp_server.service import REALM, Service
from asterism.mcp_server.star_tool import StarTool
from asterism.realm_names import valid_name

Profile = Literal["asterism", "reference"]


def build_server(service: Service, profile: Profile = "asterism") -> MCPServer:
    """Return a server of a profile, ready to run."""
    tools: list[Tool] = []
    if profile == "reference":
        tools += ReferenceTools(service).tools()
    else:
        tools += MemoryTools(service).tools()
        tools += [*ExploreTool(service).tools(), *StarTool(service).tools()]
    server: MCPServer = MCPServer(
        "asterism",
        title="Asterism",
        instructions=INSTRUCTIONS if profile == "asterism" else None,
        version=version("asterism"),
        tools=tools,
        subscriptions=False,
        log_level="WARNING",
    )
    add_resources(server, service)
    if profile == "asterism":
        add_prompts(server, service)
    return server


async def serve_stdio(
    realm: str,
    *,
    profile: Profile = "asterism",
    read_only: bool = False,
) -> None:
    """Serve one client over stdin and stdout, until it closes them."""
    REALM.set(valid_name(realm))
    async with RealmGraphs() as graphs:
        await build_server(Service(graphs, read_only), profile).run_stdio_async()
