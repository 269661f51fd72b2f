"""What recording, reading and forgetting give back."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from engine.causality.events import linked
from engine.causality.extraction import Extraction
from engine.causality.model import CausalLink, Metrics
from engine.causality.transcript import Event, Strength
from engine.frozen import Frozen


class Replaced(Frozen):
    """An earlier recording of a session that a new one took the place of."""

    run_id: str
    lines: int
    links: int
    events: int  # events that went with it, since they belong to another transcript
    recorded_at: datetime

    def __str__(self) -> str:
        gone = f", and its {self.events} events are gone" if self.events else ""
        at = f"{self.recorded_at:%Y-%m-%d %H:%M %Z}".strip()
        return f"replaced {self.lines} lines and {self.links} links recorded at {at}{gone}"


class CausalReport(Frozen):
    """What was recorded of a session, and what it measures."""

    session_id: str
    run_id: str
    changed: bool  # False: this very run was there already, and nothing was written
    replaced: Replaced | None  # the recording that was there before, if it is another one
    players: list[str]
    players_named: bool  # False: none were named, so everybody but the DM plays
    lines: int
    dm_lines: int
    eligible_share: float | None
    intents: int
    claimed: int
    consequences: int
    prompts: int
    utterances: int
    embedded: int
    events: list[Event]
    metrics: Metrics
    extraction: Extraction = Field(exclude=True, repr=False)

    @property
    def links(self) -> list[CausalLink]:
        """Every link that was found, with its events."""
        return linked(self.extraction.links, self.events)


class SessionSummary(Frozen):
    """A recorded session."""

    id: str
    run_id: str
    lines: int
    intents: int
    claimed: int
    recorded_at: datetime


class ChainStep(Frozen):
    """One node on a chain, and how it was reached."""

    id: str
    kind: Literal["intent", "consequence"]
    by: Literal["causes", "prompts"] | None  # None: the intent the chain starts at
    anchor_index: int
    actor: str | None
    type: str
    strength: Strength | None
    text: str
    line_gap: int | None
    score: float | None


class Chain(Frozen):
    """One branch of what followed from an intent."""

    steps: list[ChainStep]

    @property
    def length(self) -> int:
        """Causes and prompts on the way."""
        return len(self.steps) - 1


class Forgotten(Frozen):
    """What went with a session."""

    session_id: str
    intents: int
    consequences: int
    utterances: int
    actors: int
