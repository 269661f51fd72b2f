"""The evidence rule of text memories: use brings one back to full strength."""

from datetime import datetime
from typing import Any

from asterism.active_hours import HOUR
from asterism.base_model import Frozen
from asterism.errors import InvalidInput
from asterism.memories.decay_passes import DecayPasses
from asterism.memories.evidence_rule import Applied, Location, MemoryUpdate, Step
from asterism.settings import MemoriesSettings
from asterism.timestamps import to_micros

JUDGEMENTS = ("confirmation", "contradiction", "outcome")
KINDS = ("recall", "confirmation", "contradiction", "repetition", "outcome")


class Use(Frozen):
    """A text memory was recalled, confirmed, contradicted, repeated, or had an outcome."""

    event_id: str
    ts: datetime
    memory: str
    kind: str
    quantity: float = 1.0
    sequence: None = None


class TextRule:
    """Evidence rule of texts, at a reading of the active hours in microseconds."""

    label = "Text"

    def __init__(self, settings: MemoriesSettings, active: int) -> None:
        self._settings = settings
        self._active = active

    def parse(self, raw: Any) -> Use:
        use = raw if isinstance(raw, Use) else Use.model_validate(raw)
        if use.kind not in KINDS:
            raise ValueError(f"kind: one of {', '.join(KINDS)}, not {use.kind!r}")
        if not 0 <= use.quantity <= 1:
            raise ValueError(f"quantity: from 0 (bad) to 1 (good), not {use.quantity}")
        return use

    def order(self, item: Use) -> tuple[Any, ...]:
        return item.ts, item.event_id

    def locate(self, item: Use) -> Location:
        return Location("", id=item.memory)

    def match(self, item: Use, memories: list[MemoryUpdate]) -> MemoryUpdate | None:
        return memories[0] if memories else None

    def create(self, item: Use) -> MemoryUpdate:
        raise InvalidInput("id", item.memory, "there is no such text memory in this realm")

    def apply(self, memory: MemoryUpdate, item: Use, passes: DecayPasses) -> None:
        """Add strength, and move confidence = (1 + confirmed) / (2 + confirmed + contradicted)."""
        at = self._active if memory.properties["clock"] == "active" else to_micros(item.ts)
        helps = item.kind != "contradiction"
        gain = (item.quantity if item.kind == "outcome" else 1.0) if helps else 0.0
        revival_gain = 1.0 if self._settings.text_revive_full and helps else 0.0
        memory.steps.append(Step(at, at, gain, revival_gain))
        memory.increment("interaction_count", 1)
        if item.kind in JUDGEMENTS:
            memory.increment("confirmed", gain)
            memory.increment("contradicted", 1 - gain)
            confirmed = memory.get("confirmed", 0.0)
            judged = confirmed + memory.get("contradicted", 0.0)
            memory.update(confidence=(1 + confirmed) / (2 + judged))
        memory.update(last_interaction=item.ts)
        if helps:
            reading = max(self._active / HOUR, memory.get("last_reinforced_hours", 0.0))
            memory.update(last_reinforced_hours=reading)
        memory.latest_at = max(at, memory.latest_at)
        memory.applied.append(Applied(item, "boosted" if helps else "weakened", has_step=True))
