"""Repetitions: each duplicate reinforces its original once."""

from collections.abc import Sequence

from asterism.consolidation.models import Duplicate
from asterism.database import Database, Transaction
from asterism.errors import InvalidInput
from asterism.memories.ingest import Ingest
from asterism.memories.text_rule import TextRule, Use

SOURCE = "consolidation"


class Repetitions:
    """Reinforces memories within a transaction of consolidation."""

    def __init__(self, database: Database, active: int) -> None:
        self._clock = database.clock
        self._ingest = Ingest(database, TextRule(database.settings.memories, active), SOURCE)

    async def count(self, tx: Transaction, duplicates: Sequence[Duplicate]) -> bool:
        """Reinforce the originals, or return False if one of them is not there any more.

        This locks the originals, so it comes before any other write to a memory.
        """
        try:
            await self.reinforce(tx, {f"duplicate:{pair.id}": pair.of for pair in duplicates})
        except InvalidInput:  # forgotten since the run was computed
            return False
        return True

    async def reinforce(self, tx: Transaction, memories: dict[str, str]) -> None:
        """Apply one repetition to each memory, by the ids of the events."""
        now = self._clock.now()
        uses = [
            Use(event_id=event_id, ts=now, memory=memory, kind="repetition")
            for event_id, memory in memories.items()
        ]
        if uses:
            await self._ingest.apply(tx, uses)
