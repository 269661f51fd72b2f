"""Types of a transcript: lines, players, masks, events, and intents detected elsewhere."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, model_validator

from asterism.base_model import Frozen
from asterism.row_types import row_of
from asterism.validation import refusal


class Reason(StrEnum):
    """Reasons to leave lines out."""

    OOC_HARD = "ooc_hard"
    OOC_SOFT = "ooc_soft"
    COMBAT = "combat"
    TRANSITION = "transition"
    NOISE = "noise"


class IntentType(StrEnum):
    """Types of attempts."""

    QUESTION = "question"
    DECLARE = "declare"
    PROPOSE = "propose"
    REQUEST = "request"


class Strength(StrEnum):
    """Strengths of intents: strong ones claim first and alone, weak ones share."""

    STRONG = "strong"
    WEAK = "weak"


class ConsequenceType(StrEnum):
    """Types of answers, where `none` stands for an intent that claims nothing."""

    ROLL = "roll"
    DETERMINISTIC = "deterministic"
    INFORMATION = "information"
    COMMITMENT = "commitment"
    DM_STATEMENT = "dm_statement"
    OTHER = "other"
    NONE = "none"


class ExcludedLine(Frozen):
    """A line that masks leave out, with every reason for it."""

    line_index: int
    reasons: list[Reason]


class InputModel(BaseModel):
    """A value from keywords, positions, a mapping or a sequence, refused as InvalidInput."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", populate_by_name=True, from_attributes=True
    )

    def __init__(self, *positions: Any, **named: Any) -> None:
        fields = list(type(self).model_fields)
        if len(positions) > len(fields):
            raise TypeError(f"{type(self).__name__} takes {', '.join(fields)}")
        try:
            super().__init__(**dict(zip(fields, positions, strict=False)), **named)
        except ValidationError as error:
            raise refusal(error, unnamed=type(self).__name__) from error

    @model_validator(mode="before")
    @classmethod
    def from_sequence(cls, value: Any) -> Any:
        """Read a tuple or list in the order of the fields."""
        if isinstance(value, (tuple, list)):
            value = dict(zip(cls.model_fields, value, strict=False))
        return cls.normalized(value)

    @classmethod
    def normalized(cls, value: Any) -> Any:
        """Return the fields of a value that has a looser form."""
        return value

    @classmethod
    def of(cls, value: Any) -> Self:
        """Return an instance from whatever describes it."""
        if isinstance(value, cls):
            return value
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            raise refusal(error, unnamed=cls.__name__) from error


@row_of("causality/utterances")
class Line(InputModel):
    """One line of a transcript."""

    line_index: int
    author_name: str
    content: str


class Player(InputModel):
    """A player character, and the names under which its player speaks."""

    id: str
    canonical_name: str = ""
    aliases: tuple[str, ...] = ()

    @classmethod
    def normalized(cls, value: Any) -> Any:
        """Read a bare name as a player of that name, and a bare alias as a list of one."""
        if isinstance(value, str):
            return {"id": value.casefold(), "canonical_name": value}
        if isinstance(value, Mapping):
            fields = {name: field for name, field in value.items() if field is not None}
            alias = fields.get("aliases")
            return {**fields, "aliases": (alias,)} if isinstance(alias, str) else fields
        return value

    @property
    def name(self) -> str:
        """The canonical name, or the id of a player without one."""
        return self.canonical_name or self.id


class Mask(InputModel):
    """Lines to leave out, both ends included."""

    start_index: int
    end_index: int
    reason: Reason


class Event(InputModel):
    """A stretch of lines that something calls one event, both ends included."""

    event_id: str
    start: int
    end: int


class GivenIntent(InputModel):
    """An intent that was detected elsewhere, completed from its line."""

    index: int = Field(
        validation_alias=AliasChoices("index", "intent_anchor_index", "anchor_index", "line_index")
    )
    type: IntentType = Field(validation_alias=AliasChoices("type", "intent_type"))
    strength: Strength | None = Field(
        default=None, validation_alias=AliasChoices("strength", "intent_strength")
    )
    actor: str | None = Field(default=None, validation_alias=AliasChoices("actor", "actor_id"))
    text: str | None = Field(default=None, validation_alias=AliasChoices("text", "intent_text"))


class Transcript(InputModel):
    """The lines of a session, with its DM, its players and its masks."""

    session_id: str
    lines: tuple[Line, ...]
    dm: frozenset[str] = frozenset()
    players: tuple[Player, ...] = ()
    masks: tuple[Mask, ...] = ()

    @classmethod
    def normalized(cls, value: Any) -> Any:
        """Read one name as the set of the DM's names, and None as an empty list."""
        if not isinstance(value, Mapping):
            return value
        dm = value.get("dm") or ()
        fields = {name: value.get(name) or () for name in ("lines", "players", "masks")}
        fields["dm"] = [dm] if isinstance(dm, str) else dm
        return {**value, **{name: _as_list(items) for name, items in fields.items()}}


def _as_list(values: Any) -> Any:
    """Return any iterable as a list, and anything else as it is, for validation to refuse."""
    plain = isinstance(values, Iterable) and not isinstance(values, (str, Mapping))
    return list(values) if plain else values
