"""Results of consolidation: reports of runs, findings about pairs, explanations, counts."""

from enum import StrEnum

from pydantic import Field, computed_field

from asterism.answer_changes import AnswerChange
from asterism.base_model import Frozen
from asterism.memories.edges import Components, Edge
from asterism.row_types import row_of
from asterism.settings import ConsolidationSettings


class Duplicate(Frozen):
    """A text in the same words as another one: archived, with a pointer to it."""

    id: str
    of: str
    cosine: float


class NearDuplicate(Frozen):
    """Two texts that nearly say the same: both stay."""

    id: str
    other: str
    cosine: float


class PossibleUpdate(Frozen):
    """A text that may say what holds now in the place of an earlier one, and what differs.

    `differs` is number, date, name, negation or word, `before` and `after` are the words of each.
    """

    id: str
    of: str
    cosine: float
    differs: str = "word"
    before: str = ""
    after: str = ""
    confidence: float = 0.5
    reason: str = ""
    own: bool = False  # both have the same speaker, and the later one says that something changed


class SetAside(Frozen):
    """A text for which there is no usable vector, with the reason."""

    id: str
    reason: str


class Spread(Frozen):
    """Percentiles of the calibrated cosines of random pairs of a realm."""

    pairs: int
    p50: float
    p90: float
    p99: float


class RunReport(Frozen):
    """One run: at most two thousand memories, committed at once."""

    run: str
    promoted: int = 0
    duplicates: int = 0
    edges_created: int = 0
    existing: int = 0
    displaced: int = 0
    active_before: int = 0
    hours: float = 0.0
    path: str = "exact"
    vectors: str = ""
    certified: float | None = None
    audit_recall: float | None = None
    hours_missing: int = 0
    spread: Spread | None = None
    attempts: int = 1
    seconds: dict[str, float] = Field(default_factory=dict)


class ConsolidationReport(Frozen):
    """Counts and decisions of a call, over all its runs.

    `answers_changed` are the pinned questions that held before and do not any more, or the
    reverse. Of a dry run, they are those that its batch would change.
    """

    runs: list[RunReport] = Field(default_factory=list)
    waiting_before: int = 0
    waiting_after: int = 0
    active_before: int = 0
    active_after: int = 0
    embedded: int = 0
    promoted: int = 0
    duplicates: list[Duplicate] = Field(default_factory=list)
    near_duplicates: list[NearDuplicate] = Field(default_factory=list)
    updates: list[PossibleUpdate] = Field(default_factory=list)
    accepted: list[PossibleUpdate] = Field(default_factory=list)  # by the setting accept_own
    restored: list[str] = Field(default_factory=list)
    set_aside: list[SetAside] = Field(default_factory=list)
    edges_created: int = 0
    existing: int = 0
    displaced: int = 0
    dropped: int = 0
    answers_changed: list[AnswerChange] = Field(default_factory=list)
    dry_run: bool = False
    model: str = ""
    calibration_mean: float = 0.0
    settings: ConsolidationSettings = ConsolidationSettings()
    spread: Spread | None = None
    warnings: list[str] = Field(default_factory=list)
    seconds: float = 0.0


class Verdict(StrEnum):
    """The rule that decided about a pair."""

    EDGE = "edge"
    GUARD = "guard"
    THRESHOLD = "threshold"
    CAP = "cap"
    DUPLICATE = "duplicate"
    WAITING = "waiting"
    SET_ASIDE = "set_aside"
    NO_TEXT = "no_text"


class EdgeExplanation(Frozen):
    """The reason why two memories are joined or not, with every part of their score.

    `kin` is how much both texts stand out, `words` the part of it that their rare words make, and
    `shared` are words and names of both.
    """

    a: str
    b: str
    verdict: Verdict
    reason: str
    edges: list[Edge] = Field(default_factory=list)
    cosine: float | None = None
    raw_cosine: float | None = None
    kin: float | None = None
    words: float | None = None
    shared: tuple[str, ...] = ()
    shared_tags: float | None = None
    same_category: bool | None = None
    hours_apart: float | None = None
    components: Components | None = None
    score: float | None = None
    needed_cosine: float | None = None
    needed_kin: float | None = None
    limit: float | None = None
    run: str | None = None

    @computed_field  # type: ignore[prop-decorator]  # mypy takes no decorated properties
    @property
    def corrected(self) -> tuple[str, ...]:
        """Return which corrected memories the edges stand on, each once."""
        return tuple(dict.fromkeys(mark for edge in self.edges for mark in edge.corrected))


@row_of("consolidation/seen_together", besides=["evicted"])
class CoOccurrence(Frozen):
    """Counts of pairs that came up together: edges used, pairs staged, joined and dropped."""

    reinforced: int = 0
    staged: int = 0
    joined: int = 0
    evicted: int = 0
