"""What recording, reading and forgetting give back."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from engine.causality.extraction import Extraction
from engine.causality.model import CausalLink, Metrics
from engine.causality.transcript import Strength
from engine.frozen import Frozen


class CausalReport(Frozen):
    """What was recorded of a session, and what it measures."""

    session_id: str
    run_id: str
    changed: bool  # False: this very run was there already, and nothing was written
    lines: int
    dm_lines: int
    eligible_share: float | None
    intents: int
    claimed: int
    consequences: int
    prompts: int
    utterances: int
    embedded: int
    metrics: Metrics
    extraction: Extraction = Field(exclude=True, repr=False)

    @property
    def links(self) -> list[CausalLink]:
        """Every link that was found."""
        return self.extraction.links


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
