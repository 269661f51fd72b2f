"""Reinforces texts: records a use of one as a piece of evidence."""

import uuid

from asterism.active_hours import ActiveHours
from asterism.clock import Moment, aware
from asterism.database import Database
from asterism.errors import InvalidInput, NotFound
from asterism.memories.ingest import Ingest
from asterism.memories.memory_reader import MemoryReader
from asterism.memories.text_rule import TextRule
from asterism.memories.writer_queue import writer_slots


class Reinforcement:
    """Records what happened with texts of one realm."""

    def __init__(self, database: Database, hours: ActiveHours, reader: MemoryReader) -> None:
        self._database = database
        self._settings = database.settings.memories
        self._hours = hours
        self._reader = reader

    async def reinforce(
        self, id: str, kind: str, quantity: float, at: Moment | None, event_id: str | None
    ) -> None:
        """Record one use of a text, or refuse what is none."""
        memory = await self._reader.get(id)
        if memory.kind != "text":
            raise InvalidInput(
                "id",
                id,
                f"it is no text but of kind {memory.kind}, which grows by evidence: report what "
                "happened with memories.observe (`asterism observe`)",
            )
        moment = self._database.clock.now() if at is None else aware(at)
        rule = TextRule(self._settings, await self._hours.reading())
        event = {"event_id": event_id or uuid.uuid4().hex, "ts": moment, "memory": id}
        use = event | {"kind": kind, "quantity": quantity}
        try:
            async with writer_slots(self._database):
                receipt = await Ingest(self._database, rule, "text").observe([use])
        except InvalidInput as error:  # forgotten since it was read
            if error.argument != "id":
                raise
            raise NotFound("memory", id) from error
        if receipt.rejected:
            raise InvalidInput("kind", kind, receipt.rejected[0].reason)
