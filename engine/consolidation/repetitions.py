"""Counts a duplicate as one repetition of its original."""

from collections.abc import Sequence

from engine.consolidation.model import Duplicate
from engine.database import Database, Transaction
from engine.errors import InvalidInput
from engine.memories.feed import Feed
from engine.memories.text import TextRule, Use

SOURCE = "consolidation"


class Repetitions:
    """Reinforces originals within a run's transaction, once for each duplicate."""

    def __init__(self, database: Database, active: int) -> None:
        self._clock = database.clock
        self._feed = Feed(database, TextRule(database.settings.memories, active), SOURCE)

    async def count(self, tx: Transaction, duplicates: Sequence[Duplicate]) -> bool:
        """Reinforce what was repeated; returns False if an original is not there any more.

        This takes the locks of the originals, so it comes before any other write to a memory.
        """
        now = self._clock.now()
        uses = [
            Use(event_id=f"duplicate:{pair.id}", ts=now, memory=pair.of, kind="repetition")
            for pair in duplicates
        ]
        if not uses:
            return True
        try:
            await self._feed.apply(tx, uses)
        except InvalidInput:  # forgotten since the run was computed
            return False
        return True
