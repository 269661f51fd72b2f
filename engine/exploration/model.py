"""What is walked on: nodes of five kinds, and the links between them."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import ConfigDict, Field, ValidationError

from engine.errors import InvalidInput
from engine.frozen import Frozen

LONGEST_CAPTION = 40


class Kind(StrEnum):
    """What a node is to a SubEntity."""

    ACTOR = "actor"
    MOMENT = "moment"
    NARRATIVE = "narrative"
    SPACE = "space"
    THING = "thing"


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
    """A node's kind, by its labels."""
    return next(kind for label, kind in KINDS.items() if label in labels)


def label_of(labels: Sequence[str]) -> str:
    """The label that a node's id is unique under."""
    return next(label for label in KINDS if label in labels and label != "Text")


NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]
Axis = Annotated[float, Field(ge=-1, le=1)]


class NodeItem(Frozen):
    """A node to be added."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Kind
    name: Annotated[str, Field(min_length=1)]
    id: Annotated[str, Field(min_length=1)] | None = None
    content: str = ""
    synthesis: str = ""
    embedding: list[float] | None = None
    permanence: Share = 0.5
    weight: NotNegative = 1.0
    energy: NotNegative = 0.0
    type: str | None = None
    status: str | None = None


class LinkItem(Frozen):
    """A link to be added, between nodes named by their ids."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    a: str
    b: str
    id: Annotated[str, Field(min_length=1)] | None = None
    synthesis: str = ""
    embedding: list[float] | None = None
    polarity: tuple[Share, Share] = (0.5, 0.5)
    hierarchy: Axis = 0.0
    permanence: Share | None = 0.5
    weight: NotNegative = 1.0
    energy: NotNegative = 0.0
    joy_sadness: Axis = 0.0
    trust_disgust: Axis = 0.0
    fear_anger: Axis = 0.0
    surprise_anticipation: Axis = 0.0


class Node(Frozen):
    """A node that was added."""

    id: str
    kind: Kind
    name: str
    content: str
    synthesis: str
    permanence: float
    weight: float
    energy: float


class Link(Frozen):
    """A link that was added."""

    id: str
    a: str
    b: str
    synthesis: str
    polarity: tuple[float, float]
    hierarchy: float
    permanence: float | None
    weight: float
    energy: float


class Loaded(Frozen):
    """What a load added; what was there already stays as it is."""

    nodes: int
    links: int
    existing_nodes: int
    existing_links: int
    dropped_links: list[str]  # ids of links whose end somebody removed meanwhile


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
        """What `undo` takes."""
        return self.id


class Kept(Frozen):
    """Something that undoing a run could not restore, and why."""

    what: str
    id: str
    reason: str


class Undone(Frozen):
    """What undoing a run restored, and what it could not."""

    run_id: str
    nodes: int
    links: int
    narratives: int
    kept: list[Kept]


def parsed(model: type[Any], given: Any, place: str = "") -> Any:
    """An item as the model has it, or a refusal that names what is wrong, and where."""
    try:
        item = given if isinstance(given, model) else model.model_validate(given)
    except ValidationError as error:
        [first, *_] = error.errors()
        name = ".".join(str(part) for part in first["loc"]) or "item"
        raise InvalidInput(place + name, first["input"], first["msg"]) from error
    for name, value in item:
        if isinstance(value, str):
            refuse_surrogates(place + name, value)
    return item


def refuse_surrogates(argument: str, text: str) -> None:
    """Refuse text that no database can hold: half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        remedy = "it is not valid Unicode: half of a surrogate pair stands alone"
        raise InvalidInput(argument, text, remedy) from error


def short(text: str, longest: int = LONGEST_CAPTION) -> str:
    """A text in one short line."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
