"""Edges, narratives and links that stand on corrected memories: lists and confirms them."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any

from pydantic import computed_field

from asterism.base_model import Frozen
from asterism.database import Database, Transaction
from asterism.errors import InvalidInput, NotFound
from asterism.memories.item_checks import require_key
from asterism.memories.writer_queue import change_memory, lock_to_change
from asterism.row_types import row_of
from asterism.timestamps import long_date
from asterism.validation import require_whole

MOST = 1_000_000


class GroundKind(StrEnum):
    """Kinds of what stands on a memory: edges, and links of explorations to the others."""

    EDGE = "edge"
    NARRATIVE = "narrative"
    CAUSAL = "causal"
    STAR = "star"
    LINK = "link"


@row_of("memories/rests_on_corrected")
class CorrectedGround(Frozen):
    """Something that stands on a superseded memory, `old`, and was not confirmed since.

    `id` is that of the edge, the narrative or the link, and `other` is at the far end. `new`
    holds in the place of `old` from `at` on.
    """

    kind: GroundKind
    id: str | None
    type: str
    other: str
    other_text: str
    old: str
    old_text: str
    new: str
    new_text: str
    at: datetime

    @computed_field  # type: ignore[prop-decorator]  # mypy takes no decorated properties
    @property
    def why(self) -> str:
        """Return the mark in words."""
        return on_corrected({"old": self.old, "new": self.new, "at": self.at})


class CorrectedGrounds:
    """Reads what stands on corrected memories, and confirms it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, old: str | None, limit: int) -> list[CorrectedGround]:
        """Return what stands on one superseded memory, or on any, the latest change first."""
        require_whole("limit", limit, 1, MOST)
        if old is not None:
            require_key("id", old)
        rows = await self._database.rows("memories/rests_on_corrected", old=old, limit=limit)
        return [CorrectedGround(**row) for row in rows]

    async def confirm(self, old: str) -> int:
        """Confirm everything that stands on a superseded memory, and return how much."""
        require_key("old", old)
        work = partial(_confirm, old=old)
        return int(await change_memory(self._database, old, work, "memories/confirm_correction"))


def on_corrected(correction: Mapping[str, Any]) -> str:
    """Return the mark of what stands on a superseded memory."""
    old, new, day = correction["old"], correction["new"], long_date(correction["at"])
    return f"stands on a corrected memory: {old} was superseded by {new} on {day}"


async def _confirm(tx: Transaction, old: str) -> int:
    """Run one transaction: read the memory under the lock, count what stands on it, confirm it."""
    turn = await lock_to_change(tx, [old])
    memory = next((memory for memory in turn["memories"] if memory["id"] == old), None)
    if memory is None:
        raise NotFound("memory", old)
    if (new := memory.get("superseded_by")) is None:
        remedy = "nothing supersedes it, so nothing stands on a correction of it"
        raise InvalidInput("old", old, remedy)
    await tx.rows("memories/lock_texts", ids=sorted([old, new]), leaving=[], arriving=[])
    open_ground = await tx.rows("memories/rests_on_corrected", old=old, limit=MOST)
    await tx.rows("memories/confirm_correction", old=old)
    return len(open_ground)
