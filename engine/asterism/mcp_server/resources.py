"""Resources of the server: the realm's figures, a memory and a star, each as JSON."""

from collections.abc import Iterator
from contextlib import contextmanager

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.server.mcpserver.resources import ResourceSecurity

from asterism.base_model import Frozen
from asterism.errors import AsterismError, InvalidInput, NotFound
from asterism.mcp_server.service import Service

JSON = "application/json"
# An id names a node, never a file: `notes/sea.md#keys` and `../x` are ids like any other.
ANY_ID = ResourceSecurity(reject_path_traversal=False, reject_absolute_paths=False)


def add_resources(server: MCPServer, service: Service) -> None:
    """Add the resources to a server."""

    @server.resource("asterism://stats", name="stats", title="Figures", mime_type=JSON)
    async def stats() -> str:
        """Nodes by label and relationships by type."""
        with _refusals():
            return _json(await (await service.graph()).realms.stats())

    @server.resource(
        "asterism://memory/{id}", name="memory", title="A memory", mime_type=JSON, security=ANY_ID
    )
    async def memory(id: str) -> str:
        """One memory with its text, strength, times and tags."""
        with _refusals():
            return _json(await (await service.graph()).memories.get(id))

    @server.resource(
        "asterism://star/{id}", name="star", title="A star", mime_type=JSON, security=ANY_ID
    )
    async def star(id: str) -> str:
        """One star with its brightness and state."""
        with _refusals():
            return _json(await (await service.graph()).stars.get(id))


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn errors of the engine into those of the protocol, with their words."""
    try:
        yield
    except (NotFound, InvalidInput) as error:
        raise ResourceNotFoundError(str(error)) from error
    except AsterismError as error:
        raise ResourceError(str(error)) from error


def _json(result: Frozen) -> str:
    return result.model_dump_json(exclude_none=True)
