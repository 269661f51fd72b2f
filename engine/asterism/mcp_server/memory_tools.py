"""Tools about memories: recall, remember, correct, why and forget."""

from collections.abc import Sequence
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from pydantic import Field

from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.mcp_server.answers import (
    CorrectAnswer,
    ForgetAnswer,
    Part,
    RecallAnswer,
    RememberAnswer,
    WhyAnswer,
    remembered,
    shortened,
)
from asterism.mcp_server.service import Service, progress
from asterism.mcp_server.token_budget import fitting, require_tokens
from asterism.mcp_server.tool import MemoryTool, memory_tool
from asterism.memories import text_items
from asterism.memories.models import Receipt
from asterism.memories.text_writer import OnProgress
from asterism.recall.models import Hit
from asterism.settings.memories import Lasts

ENVELOPE, ID = 15, 15  # tokens of an answer around its list, and of an id

Question = Annotated[str, Field(description="A whole question, in plain words")]
Tokens = Annotated[int, Field(description="Budget of the answer")]
Session = Annotated[str | None, Field(description="One conversation")]
Time = Annotated[str | None, Field(description="ISO date or time")]


class MemoryTools:
    """Tools on the memories of the client's realm."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def tools(self) -> list[MemoryTool]:
        """Return the tools, those that write unless the server is read-only."""
        reading = [
            memory_tool(self.recall, "Recall memories", read_only=True),
            memory_tool(self.why, "Explain an answer", read_only=True),
        ]
        writing = [
            memory_tool(self.remember, "Remember"),
            memory_tool(self.correct, "Correct a memory"),
            memory_tool(self.forget, "Forget", destructive=True),
        ]
        return reading if self._service.read_only else [*reading, *writing]

    async def recall(
        self,
        ctx: Context,
        question: Question,
        tokens: Tokens = 300,
        k: int = 10,
        at: Annotated[str | None, Field(description="As of this ISO date or time")] = None,
        session: Session = None,
        tags: list[str] | None = None,
    ) -> RecallAnswer:
        """Find what is remembered about a question, best first, with ids. Ask before you answer
        about the user or earlier work."""
        require_tokens(tokens)
        graph = await self._service.graph()
        async with progress(ctx, "Embedding new memories") as step:
            answer = await graph.recall.find(
                question, k=k, at=at, session=session, tags=tags, on_progress=step
            )
        enough = answer.certainty.reaches(graph.settings.recall.context_minimum)
        hits = answer.hits if enough else ()
        texts = [remembered(hit, tokens // 3) for hit in hits]
        fit, left_out = fitting(texts, tokens - ENVELOPE, Part.document)
        warning = await self._service.report_use(graph, [each.id for each in fit])
        return RecallAnswer(
            memories=fit,
            certainty=answer.certainty,
            left_out=left_out or None,
            warning=warning,
        )

    async def remember(
        self,
        ctx: Context,
        texts: Annotated[
            list[str] | None, Field(description="One fact each, understandable by itself")
        ] = None,
        messages: Annotated[
            list[dict[str, Any]] | None,
            Field(description="Or messages with role and content; they need a session"),
        ] = None,
        session: Session = None,
        about: Annotated[str | None, Field(description="Whom or what they are about")] = None,
        at: Time = None,
        tags: list[str] | None = None,
        lasts: Lasts | None = None,
    ) -> RememberAnswer:
        """Store facts, wishes, decisions and events for later conversations. The same again
        changes nothing. Use correct if something remembered has changed."""
        graph = await self._service.writable_graph()
        shared: dict[str, Any] = {"session": session, "at": at, "tags": tags or [], "lasts": lasts}
        async with progress(ctx, "Remembering") as step:
            if texts is not None and messages is None:
                return await _remember_texts(graph, texts, shared | {"about": about}, step)
            if messages is not None and texts is None and about is None and session is not None:
                return await _remember_messages(graph, messages, shared, step)
        raise InvalidInput("texts", texts, "give texts, or messages with a session; not both")

    async def correct(
        self,
        id: Annotated[str, Field(description="The old memory")],
        text: Annotated[str, Field(description="What is true instead")],
        since: Annotated[str | None, Field(description="ISO date of the change")] = None,
        never_true: Annotated[bool, Field(description="It was a mistake, no change")] = False,
    ) -> CorrectAnswer:
        """Replace a memory that is not true any more. The old one stays as history, unless it was
        never true."""
        graph = await self._service.writable_graph()
        if never_true:
            if since is not None:
                raise InvalidInput("since", since, "a mistake has no date: leave it out")
            memory = await graph.memories.update(id, text=text)
            return CorrectAnswer(id=memory.id, replaces=id, changed=not memory.unchanged)
        memory = await graph.memories.correct(id, text, valid_from=since)
        return CorrectAnswer(id=memory.id, replaces=id, changed=memory.id != id)

    async def why(
        self,
        question: Question,
        id: Annotated[str | None, Field(description="Why this memory is found, or is not")] = None,
        tokens: Tokens = 200,
    ) -> WhyAnswer:
        """Say why memories answer a question and what led to them, or why one does not."""
        require_tokens(tokens)
        graph = await self._service.graph()
        answer = await graph.recall.find(question, causes=True)
        if id is None:
            texts = [
                remembered(hit, tokens // 4, why="; ".join(_reasons(hit, tokens // 4)[:2]))
                for hit in answer.hits
            ]
            fit, left_out = fitting(texts, tokens - ENVELOPE, Part.document)
            return WhyAnswer(memories=fit, left_out=left_out or None)
        verdict = await graph.recall.why_not(question, id)
        reasons = [
            each for hit in answer.hits if hit.id == id for each in _reasons(hit, tokens // 3)
        ]
        reasons = reasons or list(verdict.missing)
        fit_reasons, left_out = fitting(reasons, tokens - ENVELOPE - ID, str)
        return WhyAnswer(id=id, rank=verdict.rank, reasons=fit_reasons, left_out=left_out or None)

    async def forget(
        self,
        ids: list[str] | None = None,
        session: Session = None,
        dry_run: Annotated[bool, Field(description="False removes for good")] = True,
    ) -> ForgetAnswer:
        """Remove memories for good, by id or a whole session. Show the user the dry run first."""
        if not ids and session is None:
            raise InvalidInput("ids", ids, "name the memories, or a session")
        graph = await self._service.writable_graph()
        conditions: dict[str, Any] = {"ids": ids} if ids else {}
        conditions |= {} if session is None else {"session": session}
        receipt = await graph.memories.forget_where(dry_run=dry_run, **conditions)
        examples = [remembered(memory, 20) for memory in receipt.examples[:3]] if dry_run else None
        return ForgetAnswer(
            matching=receipt.matching,
            forgotten=receipt.memories,
            dry_run=dry_run,
            examples=examples,
        )


def _reasons(hit: Hit, most: int) -> list[str]:
    """Return why a memory is found, and what led to it, each chain in at most so many tokens."""
    chains = (f"led to by {chain.sentence}" for chain in hit.causes)
    return [hit.why, *(shortened(chain, most) for chain in chains)]


async def _remember_texts(
    graph: Graph, texts: list[str], shared: dict[str, Any], step: OnProgress
) -> RememberAnswer:
    longest = graph.settings.memories.text_bytes
    items = [text_items.parse({"text": text, **shared}, longest) for text in texts]
    receipt = await graph.memories.remember_many(items, on_progress=step)
    refused = {each.index for each in receipt.rejected}
    ids = [None if at in refused else text_items.identity(item) for at, item in enumerate(items)]
    return _receipt(receipt, ids)


async def _remember_messages(
    graph: Graph, messages: list[dict[str, Any]], shared: dict[str, Any], step: OnProgress
) -> RememberAnswer:
    receipt = await graph.memories.remember_messages(messages, on_progress=step, **shared)
    return _receipt(receipt, receipt.ids, sum(receipt.left_out.values()))


def _receipt(receipt: Receipt, ids: Sequence[str | None], left_out: int = 0) -> RememberAnswer:
    return RememberAnswer(
        new=receipt.accepted,
        same=receipt.duplicate,
        ids=[id or "" for id in ids],
        rejected=[each.reason for each in receipt.rejected] or None,
        left_out=left_out or None,
    )
