"""Memories of a session's lines, each joined to the intent or consequence that it describes."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

from asterism.causality.models import RememberedLines
from asterism.causality.recording import Recording
from asterism.causality.rows import Row, batches
from asterism.causality.transcripts.models import Line
from asterism.database import Database

LINE_GAP = timedelta(milliseconds=1)  # between lines, so that lists by time keep their order


class Memories(Protocol):
    """Text memories, as far as lines need them."""

    async def remember_many(self, items: Iterable[Any]) -> Any: ...
    async def update(self, id: str, *, text: str, speaker: str) -> Any: ...
    async def forget_where(self, *, dry_run: bool, ids: Sequence[str]) -> Any: ...


class SessionMemories:
    """Remembers the lines of sessions as texts, in the realm of the recording."""

    def __init__(self, database: Database, memories: Memories) -> None:
        self._database = database
        self._memories = memories
        self._batch = database.settings.causality.write_batch

    async def remember(self, recording: Recording, at: datetime) -> RememberedLines:
        """Bring the memories of a session to its lines: the same again changes nothing."""
        session, lines = recording.session_id, recording.transcript.lines
        spoken = {memory_id(session, line.line_index): line for line in lines if _has_words(line)}
        stored = {row["id"]: row for row in await self._stored(session, list(spoken))}
        new = {id: line for id, line in spoken.items() if id not in stored}
        changed = {
            id: line
            for id, line in spoken.items()
            if id in stored and [line.author_name, line.content] != stored[id]["content"]
        }
        receipt = await self._memories.remember_many(_items(session, new, at))
        for id, line in changed.items():
            await self._memories.update(id, text=line.content, speaker=line.author_name)
        removed_ids = sorted(stored.keys() - spoken.keys())
        await self._forget(removed_ids)
        return RememberedLines(
            new=len(new) - len(receipt.rejected),
            unchanged=len(spoken) - len(new) - len(changed),
            changed=len(changed),
            forgotten=len(removed_ids),
            left_out=len(lines) - len(spoken),
            rejected=len(receipt.rejected),
            joined=await self.join(recording),
        )

    async def join(self, recording: Recording) -> int:
        """Join the memories that there are to intents and consequences, and count them."""
        session, joined = recording.session_id, 0
        rows = (
            {"id": id, "memory_id": memory_id(session, index)}
            for id, index in recording.node_lines.items()
        )
        for batch in batches(rows, self._batch):
            row = await self._database.one("causality/join_memories", rows=batch)
            joined += row["joined"]
        return joined

    async def forget(self, session: str, *, remove: bool) -> int:
        """Remove the memories of a session's lines, or only count them."""
        ids = [row["id"] for row in await self._stored(session, [])]
        if remove:
            await self._forget(ids)
        return len(ids)

    async def _forget(self, ids: Sequence[str]) -> None:
        if ids:
            await self._memories.forget_where(dry_run=False, ids=ids)

    async def _stored(self, session: str, ids: Sequence[str]) -> list[Row]:
        return await self._database.rows(
            "causality/remembered_lines",
            session_id=session,
            prefix=memory_id(session, ""),
            ids=ids,
        )


def memory_id(session: str, line: int | str) -> str:
    """Return the id of the memory of a line."""
    return f"{session}:line:{line}"


def _has_words(line: Line) -> bool:
    return bool(line.content.strip() and line.author_name.strip())


def _items(session: str, lines: dict[str, Line], at: datetime) -> Iterator[Row]:
    for place, (id, line) in enumerate(lines.items()):
        yield {
            "id": id,
            "text": line.content,
            "session": session,
            "speaker": line.author_name,
            "category": "line",
            "at": at + place * LINE_GAP,
            "metadata": {"source": "transcript", "line": line.line_index},
        }
