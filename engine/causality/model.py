"""What comes out: links, the candidates that were weighed, and the measures of a session."""

from enum import StrEnum

from engine.causality.transcript import IntentType, Reason, Strength
from engine.frozen import Frozen


class ConsequenceType(StrEnum):
    """What kind of answer a DM line is; `none` if and only if nothing was claimed."""

    ROLL = "roll"
    DETERMINISTIC = "deterministic"
    INFORMATION = "information"
    COMMITMENT = "commitment"
    DM_STATEMENT = "dm_statement"
    OTHER = "other"
    NONE = "none"


class ClaimReason(StrEnum):
    """Why an intent has its consequence, or has none."""

    STRONG_PRECEDENCE = "strong_precedence"
    SCORE_THRESHOLD = "score_threshold"
    NO_CANDIDATE = "no_candidate"
    LOST_TO_EARLIER_STRONG = "lost_to_earlier_strong"
    ALL_CLAIMED = "all_claimed"
    BELOW_THRESHOLD = "below_threshold"


class CausalLink(Frozen):
    """An intent, and what came of it; nothing, where it is unclaimed."""

    id: str
    session_id: str
    actor: str
    intent_text: str
    intent_type: IntentType
    intent_strength: Strength
    intent_anchor_index: int
    consequence_text: str | None
    consequence_type: ConsequenceType
    consequence_anchor_index: int | None
    distance: int | None
    score: float | None
    claimed: bool
    created_at_ms: int
    # Beside the fourteen fields of the original: which events own the two lines.
    intent_event_id: str | None = None
    consequence_event_id: str | None = None

    @property
    def line_gap(self) -> int | None:
        """Lines from intent to consequence; beyond 8, expect it to be wrong more often than not."""
        if self.consequence_anchor_index is None:
            return None
        return self.consequence_anchor_index - self.intent_anchor_index


class Candidate(Frozen):
    """A DM line that could have answered an intent, with every part of its score."""

    intent_anchor_index: int
    consequence_anchor_index: int
    speaker: str
    eligible: bool
    distance: int
    line_gap: int
    distance_score: float
    lexical_score: float
    answer_boost: float
    final_score: float
    claimed_by: int | None  # line of the strong intent that holds it after the first pass


class IntentTrace(Frozen):
    """How one intent was decided."""

    anchor_index: int
    actor: str
    strength: Strength
    kind: IntentType
    eligible: bool
    candidates: list[Candidate]
    top_choice_index: int | None  # the best over the threshold, ignoring claims
    chosen_index: int | None
    chosen_score: float | None
    claim_reason: ClaimReason
    window_end: int | None = None  # the excluded line that ended the window before its time

    @property
    def chosen(self) -> Candidate | None:
        """The candidate that became the consequence."""
        for candidate in self.candidates:
            if candidate.consequence_anchor_index == self.chosen_index:
                return candidate
        return None


class Share(Frozen):
    """Claimed among all; the share of nothing is None."""

    intents: int
    claimed: int
    share: float | None


class Quantiles(Frozen):
    """The spread of the scores of claimed links."""

    minimum: float | None
    p10: float | None
    p50: float | None
    p90: float | None
    maximum: float | None


class Unclaimed(Frozen):
    """A strong intent that nothing answered."""

    session_id: str
    id: str
    anchor_index: int
    actor: str
    type: IntentType
    text: str
    reason: ClaimReason


class Metrics(Frozen):
    """How much of what was attempted found its consequence."""

    intents: int
    claimed: int
    unclaimed: int
    coverage: float | None
    by_strength: dict[Strength, Share]
    by_type: dict[IntentType, Share]
    distances: dict[int, int]
    line_gaps: dict[int, int]
    scores: Quantiles
    scores_by_distance: dict[int, Quantiles]
    consequences: int
    fanout: dict[int, int]
    contested: int
    most_bidders: int | None
    unclaimed_reasons: dict[ClaimReason, int]
    unclaimed_strong: list[Unclaimed]


class ExcludedLine(Frozen):
    """A line that was left out, and every reason for it."""

    line_index: int
    reasons: list[Reason]


class EventLink(Frozen):
    """A link with the events that own its ends; None where a line is in no event."""

    link: CausalLink
    intent_event: str | None
    consequence_event: str | None
