"""Results of causality: links, weighed candidates, measures, chains, recorded sessions."""

from datetime import datetime
from enum import StrEnum
from typing import Literal

from asterism.base_model import Frozen
from asterism.causality.transcripts.models import ConsequenceType, IntentType, Strength
from asterism.html_tables import table
from asterism.row_types import row_of


class ClaimReason(StrEnum):
    """Reasons for which an intent has its consequence, or has none."""

    STRONG_PRECEDENCE = "strong_precedence"
    SCORE_THRESHOLD = "score_threshold"
    NO_CANDIDATE = "no_candidate"
    LOST_TO_EARLIER_STRONG = "lost_to_earlier_strong"
    ALL_CLAIMED = "all_claimed"
    BELOW_THRESHOLD = "below_threshold"


class PromptReason(StrEnum):
    """Reasons for which an intent is joined to an earlier consequence."""

    OWN = "own"  # an intent of the same actor caused it
    ADDRESS = "address"  # it names the actor
    WORDS = "words"  # the intent takes up its words


@row_of("causality/links")
class CausalLink(Frozen):
    """An intent with its consequence, whose fields are empty if the intent is unclaimed."""

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
    # Beside the fourteen fields of the original: the events that own the two lines, the id of the
    # consequence, and the throw that decided.
    intent_event_id: str | None = None
    consequence_event_id: str | None = None
    consequence_id: str | None = None
    throw_skill: str | None = None
    throw_number: int | None = None

    @property
    def line_gap(self) -> int | None:
        """Lines from intent to consequence: beyond 8, wrong more often than not."""
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
    """Decision about one intent, with the candidates that were weighed."""

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
    throw_skill: str | None = None
    throw_number: int | None = None


class Share(Frozen):
    """Share of claimed intents, None without intents."""

    intents: int
    claimed: int
    share: float | None


class Quantiles(Frozen):
    """Spread of the scores of claimed links."""

    minimum: float | None
    p10: float | None
    p50: float | None
    p90: float | None
    maximum: float | None


@row_of("causality/unclaimed_strong")
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
    """Measures of a session, or of all: coverage, histograms, scores, contention."""

    intents: int
    claimed: int
    unclaimed: int
    coverage: float | None
    by_strength: dict[Strength, Share]
    by_type: dict[IntentType, Share]
    by_actor: dict[str, Share]
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


class Replaced(Frozen):
    """An earlier recording of a session that a new one took the place of."""

    run_id: str
    lines: int
    links: int
    events: int  # events that went with it, since they belong to another transcript
    recorded_at: datetime

    def __str__(self) -> str:
        events = f", and its {self.events} events are gone" if self.events else ""
        at = f"{self.recorded_at:%Y-%m-%d %H:%M %Z}".strip()
        return f"replaced {self.lines} lines and {self.links} links recorded at {at}{events}"


@row_of("causality/sessions")
class SessionSummary(Frozen):
    """A recorded session."""

    id: str
    run_id: str
    lines: int
    intents: int
    claimed: int
    recorded_at: datetime


class ChainStep(Frozen):
    """One node on a chain, and the relationship that led to it."""

    id: str
    session_id: str
    kind: Literal["intent", "consequence"]
    by: Literal["causes", "prompts"] | None  # None: the intent the chain starts at
    anchor_index: int
    actor: str | None
    type: str
    strength: Strength | None
    text: str
    line_gap: int | None
    score: float | None
    reason: PromptReason | None = None  # why a consequence prompts an intent
    shared_words: list[str] | None = None
    throw_skill: str | None = None
    throw_number: int | None = None

    @property
    def evidence(self) -> str:
        """The reason to believe the step, for people: score and throw, or what ties the lines."""
        if self.by == "causes":
            throw = f", {self.throw_skill or 'throw'} {self.throw_number}"
            return f" (score {self.score:.2f}{'' if self.throw_number is None else throw})"
        words = ", ".join(self.shared_words or ())
        ties = {
            PromptReason.OWN: "own act before",
            PromptReason.ADDRESS: "addressed by name",
            PromptReason.WORDS: f"takes up {words}",
        }
        return f" ({ties[self.reason]})" if self.reason else ""


class Chain(Frozen):
    """One branch of what followed from an intent or consequence, or of what led to it."""

    steps: list[ChainStep]

    @property
    def length(self) -> int:
        """Number of causes and prompts on the way."""
        return len(self.steps) - 1

    @property
    def sentence(self) -> str:
        """The steps in one line, each with the line of its session."""
        texts = (f"L{step.anchor_index} {' '.join(step.text.split())}" for step in self.steps)
        return " > ".join(texts)

    def _repr_html_(self) -> str:
        columns = ("by", "kind", "line", "actor", "type", "score", "text")
        rows = [
            (step.by, step.kind, step.anchor_index, step.actor, step.type, step.score, step.text)
            for step in self.steps
        ]
        return table(f"chain of {self.length} links", columns, rows)


class CausalAnswer(Frozen):
    """Target of a question in words, with the chains that end there, longest first.

    `line_id` is the intent or consequence that fits best: `id` itself, or an intent that led to it.
    `closeness` is how far its meaning is above what chance brings, in standard deviations.
    `words` is its share of the best word score, 0 without a common word.
    """

    id: str
    session_id: str
    line_id: str
    score: float
    closeness: float
    words: float
    chains: list[Chain]

    @property
    def end(self) -> ChainStep:
        """The step at which every chain ends."""
        return self.chains[0].steps[-1]

    @property
    def why(self) -> str:
        """Reason for the answer in words."""
        shared = "; shares words with the question" if self.words else ""
        return f"{self.closeness:.1f} deviations above chance in meaning{shared}"

    def _repr_html_(self) -> str:
        return "".join(chain._repr_html_() for chain in self.chains)


class RememberedLines(Frozen):
    """Counts of the memories of a session's lines after a recording.

    `left_out` lines have no words, and `forgotten` memories are those of lines that are gone.
    `joined` ones describe an intent or a consequence.
    """

    new: int = 0
    unchanged: int = 0
    changed: int = 0
    forgotten: int = 0
    left_out: int = 0
    rejected: int = 0
    joined: int = 0


class Forgotten(Frozen):
    """Counts of the nodes that were deleted with a session."""

    session_id: str
    intents: int
    consequences: int
    utterances: int
    actors: int
    memories: int = 0  # of its lines, removed if that was asked for
    memories_stay: int = 0
