"""Types of exploration: nodes, links, the states of a SubEntity, committed runs, their undo."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

from asterism.base_model import Frozen
from asterism.row_types import row_of
from asterism.validation import HALF_CHARACTER, encodable

CAPTION_LENGTH = 40


class Kind(StrEnum):
    """Role of a node for a SubEntity."""

    ACTOR = "actor"
    MOMENT = "moment"
    NARRATIVE = "narrative"
    SPACE = "space"
    THING = "thing"


class State(StrEnum):
    SEEKING = "seeking"
    BRANCHING = "branching"
    ABSORBING = "absorbing"
    RESONATING = "resonating"
    REFLECTING = "reflecting"
    CRYSTALLIZING = "crystallizing"
    MERGING = "merging"


class Reason(StrEnum):
    """Reason for which a SubEntity stopped seeking."""

    SATISFIED = "satisfied"
    NO_LINKS = "no_links"
    DEAD_END = "dead_end"
    FATIGUED = "fatigued"
    MAX_DEPTH = "max_depth"
    BUDGET = "budget"
    ABSORBED = "absorbed"
    JOINED = "joined"


class Outcome(StrEnum):
    SATISFIED = "satisfied"
    EXHAUSTED = "exhausted"
    FATIGUED = "fatigued"
    MAX_DEPTH = "max_depth"
    BUDGET = "budget"
    CANCELLED = "cancelled"
    FOUND = "found"
    NOTHING = "nothing"


KINDS = {
    "Narrative": Kind.NARRATIVE,
    "Text": Kind.NARRATIVE,
    "Moment": Kind.MOMENT,
    "Intent": Kind.MOMENT,
    "Consequence": Kind.MOMENT,
    "Actor": Kind.ACTOR,
    "Space": Kind.SPACE,
    "Thing": Kind.THING,
    "Star": Kind.THING,
    "Memory": Kind.THING,
}


def kind_of(labels: Sequence[str]) -> Kind:
    """Return a node's kind by its labels."""
    return next(kind for label, kind in KINDS.items() if label in labels)


def label_of(labels: Sequence[str]) -> str:
    """Return the label under which a node's id is unique."""
    return next(label for label in KINDS if label in labels and label != "Text")


def _storable(text: str) -> str:
    if not encodable(text):
        raise ValueError(HALF_CHARACTER)
    return text


Text = Annotated[str, AfterValidator(_storable)]
Name = Annotated[Text, Field(min_length=1)]
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]
Axis = Annotated[float, Field(ge=-1, le=1)]


class NodeProperties(Frozen):
    """Properties of a node that explorations walk on."""

    kind: Kind
    name: Name
    content: Text = ""
    synthesis: Text = ""
    permanence: Share = 0.5
    weight: NotNegative = 1.0
    energy: NotNegative = 0.0


class Node(NodeProperties):
    """A node that was added."""

    id: str


class NodeItem(NodeProperties):
    """A node to be added."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Name | None = None
    embedding: list[float] | None = None
    type: Text | None = None
    status: Text | None = None

    @property
    def label(self) -> str:
        """Label of the node in the graph."""
        return self.kind.value.capitalize()

    @property
    def text(self) -> str:
        """The text of which a vector is made."""
        return self.synthesis or self.content or self.name


class LinkProperties(Frozen):
    """Properties of a link between the nodes with the ids `a` and `b`."""

    a: Text
    b: Text
    synthesis: Text = ""
    polarity: tuple[Share, Share] = (0.5, 0.5)
    hierarchy: Axis = 0.0
    permanence: Share | None = 0.5
    weight: NotNegative = 1.0
    energy: NotNegative = 0.0


class Link(LinkProperties):
    """A link that was added."""

    id: str


class LinkItem(LinkProperties):
    """A link to be added."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Name | None = None
    embedding: list[float] | None = None
    joy_sadness: Axis = 0.0
    trust_disgust: Axis = 0.0
    fear_anger: Axis = 0.0
    surprise_anticipation: Axis = 0.0

    @property
    def text(self) -> str:
        """The text of which a vector is made."""
        return self.synthesis


class Loaded(Frozen):
    """Counts of added and of already existing nodes and links."""

    nodes: int
    links: int
    existing_nodes: int
    existing_links: int
    dropped_links: list[str]  # ids of links of which an end was removed during the load


@row_of("exploration/runs")
class RunSummary(Frozen):
    """One exploration that was committed."""

    id: str
    actor: str
    query: str
    intention: str
    outcome: str
    satisfaction: float
    subentities: int
    hops: int
    reads: int
    found: int
    created: int
    reused: int
    at: datetime
    undone_at: datetime | None

    @property
    def run_id(self) -> str:
        """The id that `undo` takes."""
        return self.id


class NotRestored(Frozen):
    """A change that undoing a run left as it is, and the reason."""

    what: str
    id: str
    reason: str


class Undone(Frozen):
    """Counts of what undoing a run restored, and the changes it left (`kept`)."""

    run_id: str
    nodes: int
    links: int
    narratives: int
    kept: list[NotRestored]


def caption(text: str, length: int = CAPTION_LENGTH) -> str:
    """Return a text as one short line."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"
