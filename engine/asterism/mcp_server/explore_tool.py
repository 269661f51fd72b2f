"""The tool that explores: what is connected with the answers to a question."""

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from pydantic import Field

from asterism.errors import ExplorationTimeout
from asterism.exploration.result import Finding
from asterism.graph import Graph
from asterism.mcp_server.answers import ExploreAnswer, ExploredFinding, Part, shortened
from asterism.mcp_server.service import Service, progress
from asterism.mcp_server.token_budget import fitting, require_tokens
from asterism.mcp_server.tool import MemoryTool, memory_tool

ENVELOPE = 60  # tokens of an answer around its list


class ExploreTool:
    """The tool that explores the client's realm."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def tools(self) -> list[MemoryTool]:
        """Return the tool."""
        return [memory_tool(self.explore, "Explore connections", read_only=True)]

    async def explore(
        self,
        ctx: Context,
        question: Annotated[str, Field(description="A whole question, in plain words")],
        tokens: Annotated[int, Field(description="Budget of the answer")] = 400,
        seconds: Annotated[float, Field(description="Time for the walk")] = 10,
    ) -> ExploreAnswer:
        """Find what is connected with the answers to a question, for questions that no single
        memory answers. Slower than recall."""
        require_tokens(tokens)
        graph = await self._service.graph()
        notes: list[str] = []
        async with progress(ctx, "Steps") as step:
            walk = await _walk(graph, question, seconds, lambda event: step(1), notes)
        texts = [_finding(each, tokens // 3) for each in walk.narratives]
        fit, left_out = fitting(texts, tokens - ENVELOPE, Part.document)
        await self._service.report_use(graph, [each.id for each in fit])
        return ExploreAnswer(
            findings=fit,
            outcome=walk.outcome.value,
            left_out=left_out or None,
            notes=notes or None,
        )


async def _walk(
    graph: Graph, question: str, seconds: float, on_event: Any, notes: list[str]
) -> Any:
    """Return an exploration that writes nothing, or as much of it as there was time for."""
    try:
        return await graph.exploration.explore(
            None, question, dry_run=True, timeout=seconds, on_event=on_event
        )
    except ExplorationTimeout as error:
        if error.partial is None:
            raise
        notes.append(f"the {seconds:g} seconds were over: this is what was seen so far")
        return error.partial


def _finding(finding: Finding, most: int) -> ExploredFinding:
    return ExploredFinding(
        id=finding.id,
        text=shortened(finding.content or finding.name, most),
        why=shortened(finding.why, 30) or None,
    )
