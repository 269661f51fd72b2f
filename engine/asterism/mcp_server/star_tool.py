"""The tool about stars: what the user cares about, and how such things hang together."""

from typing import Annotated, Any, Literal

from pydantic import Field

from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.mcp_server.answers import Part, StarAnswer, StarLine, day
from asterism.mcp_server.service import Service
from asterism.mcp_server.token_budget import fitting, require_tokens
from asterism.mcp_server.tool import MemoryTool, memory_tool
from asterism.stars.models import Connection, Domain, EvidenceType, Star, StarSummary

SOURCE = "assistant"
Action = Literal["list", "add", "engage", "evidence", "why"]
Evidence = Literal["co_mention_session", "user_confirms", "user_creates"]


class StarTool:
    """The tool on the stars of the client's realm."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def tools(self) -> list[MemoryTool]:
        """Return the tool."""
        read_only = self._service.read_only
        tool = memory_tool(self.star, "What matters", read_only=read_only, idempotent=False)
        return [tool]

    async def star(
        self,
        action: Action,
        name: Annotated[str | None, Field(description="To add")] = None,
        domain: Annotated[Domain | None, Field(description="To add")] = None,
        id: str | None = None,
        other: Annotated[str | None, Field(description="Another star's id")] = None,
        evidence: Annotated[Evidence, Field(description="Why both belong together")] = (
            "co_mention_session"
        ),
        tokens: Annotated[int, Field(description="Budget of the answer")] = 300,
    ) -> StarAnswer:
        """Keep what the user cares about as stars: list them, add one, engage one that was dealt
        with, give evidence that two belong together, ask why they are connected."""
        require_tokens(tokens)
        if action == "list":
            return await self._list(await self._service.graph(), tokens)
        if action == "why":
            pair = (_needed("id", id), _needed("other", other))
            return await self._why(await self._service.graph(), *pair, tokens)
        graph = await self._service.writable_graph()
        if action == "add":
            return await self._add(graph, _needed("name", name), _needed("domain", domain), id)
        if action == "engage":
            star = await graph.stars.engage(_needed("id", id))
            return StarAnswer(stars=[_line(star)], note=star.note)
        ids = {"a": _needed("id", id), "b": _needed("other", other)}
        connection = await graph.stars.evidence(**ids, type=EvidenceType(evidence), source=SOURCE)
        return StarAnswer(connection=_described(connection), note=_outcome(connection))

    async def _list(self, graph: Graph, tokens: int) -> StarAnswer:
        lines = [_line(star) for star in await graph.stars.list()]
        fit, left_out = fitting(lines, tokens, Part.document)
        return StarAnswer(stars=fit, left_out=left_out or None)

    async def _add(self, graph: Graph, name: str, domain: str, id: str | None) -> StarAnswer:
        star = await graph.stars.add(name, domain=domain, id=id)
        return StarAnswer(stars=[_line(star)])

    async def _why(self, graph: Graph, a: str, b: str, tokens: int) -> StarAnswer:
        why = await graph.stars.why(a, b)
        reasons = [
            f"{day(each.observed_at)} {each.type.value} from {each.source}: "
            f"+{each.applied_gain:.3f}"
            for each in why.evidence
        ]
        reasons += [
            f"{day(each.at)} {each.field}: {each.before} to {each.after}, {each.rule}"
            for each in why.changes
        ]
        fit, left_out = fitting(reasons, tokens - 40, str)
        connection = _described(why.connection) if why.connection else "not connected any more"
        return StarAnswer(connection=connection, reasons=fit, left_out=left_out or None)


def _needed(name: str, value: Any) -> Any:
    if value is None:
        raise InvalidInput(name, value, "this action needs it")
    return value


def _line(star: Star | StarSummary) -> StarLine:
    return StarLine(
        id=star.id,
        name=star.name,
        domain=star.domain.value,
        state=star.state.value,
        brightness=round(star.brightness, 3),
    )


def _described(connection: Connection) -> str:
    return (
        f"{connection.a} and {connection.b}: {connection.type.value}, {connection.state.value}, "
        f"strength {connection.strength:.2f}"
    )


def _outcome(connection: Connection) -> str | None:
    return None if connection.outcome is None else f"the evidence was {connection.outcome.value}"
