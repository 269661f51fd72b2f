"""What goes in: lines, players, excluded ranges, events, and intents found by someone else."""

from collections.abc import Container, Iterable, Mapping
from enum import StrEnum
from typing import Any, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, model_validator

from engine.errors import InvalidInput

LARGEST_INDEX = 2**53


class Reason(StrEnum):
    """Why lines are left out."""

    OOC_HARD = "ooc_hard"
    OOC_SOFT = "ooc_soft"
    COMBAT = "combat"
    TRANSITION = "transition"
    NOISE = "noise"


class IntentType(StrEnum):
    """What kind of attempt a line is."""

    QUESTION = "question"
    DECLARE = "declare"
    PROPOSE = "propose"
    REQUEST = "request"


class Strength(StrEnum):
    """Strong intents claim first and alone; weak ones share."""

    STRONG = "strong"
    WEAK = "weak"


class Given(BaseModel):
    """An input: from keywords, positions, a mapping or a sequence; a refusal is InvalidInput."""

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
            raise _refusal(error, type(self).__name__) from error

    @model_validator(mode="before")
    @classmethod
    def from_sequence(cls, given: Any) -> Any:
        """A tuple or list is read in the order of the fields."""
        if isinstance(given, (tuple, list)):
            given = dict(zip(cls.model_fields, given, strict=False))
        return cls.prepared(given)

    @classmethod
    def prepared(cls, given: Any) -> Any:
        """What is taken in a looser form than the fields have."""
        return given

    @classmethod
    def of(cls, given: Any) -> Self:
        """One from whatever describes it."""
        if isinstance(given, cls):
            return given
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            raise _refusal(error, cls.__name__) from error


class Line(Given):
    """One line of a transcript."""

    line_index: int
    author_name: str
    content: str


class Player(Given):
    """A player character, and the names under which its player speaks."""

    id: str
    canonical_name: str = ""
    aliases: tuple[str, ...] = ()

    @classmethod
    def prepared(cls, given: Any) -> Any:
        """A bare name stands for a player of that name, a bare alias for a list of one."""
        if isinstance(given, str):
            return {"id": given.casefold(), "canonical_name": given}
        if isinstance(given, Mapping):
            known = {name: value for name, value in given.items() if value is not None}
            alias = known.get("aliases")
            return {**known, "aliases": (alias,)} if isinstance(alias, str) else known
        return given

    @property
    def name(self) -> str:
        """The canonical name, or the id where none is given."""
        return self.canonical_name or self.id


class Mask(Given):
    """Lines to leave out, both ends included."""

    start_index: int
    end_index: int
    reason: Reason


class Event(Given):
    """A stretch of lines that something calls one event, both ends included."""

    event_id: str
    start: int
    end: int


class GivenIntent(Given):
    """An intent that was found elsewhere; the rest is looked up on its line."""

    index: int = Field(
        validation_alias=AliasChoices("index", "intent_anchor_index", "anchor_index", "line_index")
    )
    type: IntentType = Field(validation_alias=AliasChoices("type", "intent_type"))
    strength: Strength | None = Field(
        default=None, validation_alias=AliasChoices("strength", "intent_strength")
    )
    actor: str | None = Field(default=None, validation_alias=AliasChoices("actor", "actor_id"))
    text: str | None = Field(default=None, validation_alias=AliasChoices("text", "intent_text"))


class Transcript(Given):
    """A session as it was spoken, and who is who in it."""

    session_id: str
    lines: tuple[Line, ...]
    dm: frozenset[str] = frozenset()
    players: tuple[Player, ...] = ()
    masks: tuple[Mask, ...] = ()

    @classmethod
    def prepared(cls, given: Any) -> Any:
        """One DM may be named without a set, and None stands for nothing given."""
        if not isinstance(given, Mapping):
            return given
        dm = given.get("dm") or ()
        dm = [dm] if isinstance(dm, str) else dm
        filled = {name: given.get(name) or () for name in ("lines", "players", "masks")}
        filled = {**filled, "dm": dm}
        return {**given, **{name: _listed(values) for name, values in filled.items()}}


def refuse_unusable(transcript: Transcript) -> None:
    """Everything that must hold before a transcript is worked on; names the line."""
    refuse_session_id(transcript.session_id)
    _refuse_lines(transcript.lines)
    _refuse_ranges(transcript)
    _refuse_roster(transcript.players)


def refuse_empty(transcript: Transcript) -> None:
    """Refuse a transcript without lines, which would wipe out a recorded session."""
    if not transcript.lines:
        remedy = "a transcript without lines can't be recorded; `forget` deletes a session"
        raise InvalidInput("lines", [], remedy)


def refuse_session_id(session_id: Any, argument: str = "session_id") -> None:
    """Refuse what can't be the id of a session."""
    fine = isinstance(session_id, str) and session_id.isprintable() and session_id
    if not fine or session_id.strip() != session_id or len(session_id) > 200:
        remedy = "a session's id is 1 to 200 printable characters without spaces around it"
        raise InvalidInput(argument, session_id, remedy)


def refuse_strangers(
    intents: Iterable[GivenIntent], lines: Iterable[Line], dm_lines: Container[int]
) -> None:
    """Given intents must stand on a line of a player, one each, in any order."""
    known = {line.line_index for line in lines}
    seen: set[int] = set()
    for intent in intents:
        if intent.index not in known:
            raise InvalidInput("intents", intent.index, "there is no line of this index")
        if intent.index in dm_lines:
            remedy = "this line is the DM's; an intent stands on the line of a player"
            raise InvalidInput("intents", intent.index, remedy)
        if intent.index in seen:
            raise InvalidInput("intents", intent.index, "a line holds at most one intent")
        seen.add(intent.index)


def refuse_text(argument: str, text: str) -> None:
    """Text that no database and no file can hold: half a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        remedy = "it is not valid Unicode; read the file in its own encoding"
        raise InvalidInput(argument, text, remedy) from error


def _listed(values: Any) -> Any:
    """Any iterable as a list; what is none is left for validation to refuse."""
    plain = isinstance(values, Iterable) and not isinstance(values, (str, Mapping))
    return list(values) if plain else values


def _refuse_lines(lines: tuple[Line, ...]) -> None:
    before = -1
    for line in lines:
        if not before < line.line_index < LARGEST_INDEX:
            remedy = f"it must be whole, from 0, and greater than the one before ({before})"
            remedy = "it must not be negative" if line.line_index < 0 else remedy
            raise InvalidInput("line_index", line.line_index, remedy)
        before = line.line_index
        refuse_text(f"author_name of line {line.line_index}", line.author_name)
        refuse_text(f"content of line {line.line_index}", line.content)


def _refuse_ranges(transcript: Transcript) -> None:
    lines = transcript.lines
    first, last = (lines[0].line_index, lines[-1].line_index) if lines else (0, -1)
    for mask in transcript.masks:
        shown = (mask.start_index, mask.end_index, mask.reason.value)
        if mask.start_index > mask.end_index:
            raise InvalidInput("masks", shown, "a range must not end before it starts")
        if mask.start_index < first or mask.end_index > last:
            remedy = f"outside the transcript, whose lines are {first} to {last}"
            raise InvalidInput("masks", shown, remedy if lines else "the transcript has no lines")


def _refuse_roster(players: tuple[Player, ...]) -> None:
    seen: set[str] = set()
    for player in players:
        if not player.id.strip() or player.id in seen:
            raise InvalidInput("players", player.id, "every player needs an id of its own")
        for name in (player.id, player.name, *player.aliases):
            refuse_text("players", name)
        seen.add(player.id)


def _refusal(error: ValidationError, kind: str) -> InvalidInput:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or kind
    return InvalidInput(place, first["input"], first["msg"])
