"""Text memories as they come in: validation, identity, lifetime and the node that is stored."""

import hashlib
import math
import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo

from asterism import filter_marks, search_index
from asterism.clock import aware
from asterism.errors import InvalidInput
from asterism.memories.digests import digest_of
from asterism.metadata import Scalar, parse_metadata, to_json
from asterism.settings import MemoriesSettings
from asterism.settings.memories import Lasts
from asterism.timestamps import to_micros
from asterism.validation import parse_language, parse_model, require_encodable

HOUR_SECONDS = 3600
LONGEST_CAPTION = 40
LONGEST_ID = 1000
LONGEST_TEXT = 1 << 20

PERMANENT_TAGS = ("self/constitutional",)
MARKED = {"tags", "session", "speaker", "actor", "category", "about", "metadata"}
STORED = {"text", "category", "actor", "session", "speaker", "about", "valid_from", "valid_to"}
DURABLE_TAGS = ("self/value", "self/constraint", "self/goal")


def _time(value: Any, info: ValidationInfo) -> datetime | None:
    name = info.field_name or "at"
    return None if value is None else aware(value, name, end=name == "valid_to")


OptionalTime = Annotated[datetime | None, BeforeValidator(_time)]


Metadata = Annotated[dict[str, Scalar], BeforeValidator(parse_metadata)]


class TextItem(BaseModel):
    """A text to remember, with its tags and the conversation that it is from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    tags: tuple[str, ...] = ()
    category: str = ""
    actor: str | None = None
    session: str | None = None
    speaker: str | None = None
    about: str | None = None
    at: OptionalTime = None
    id: str | None = None
    lasts: Lasts | None = None
    metadata: Metadata = Field(default_factory=dict)
    valid_from: OptionalTime = None
    valid_to: OptionalTime = None
    language: Annotated[str | None, BeforeValidator(parse_language)] = None

    def learned_at(self, now: datetime) -> datetime:
        """Return the time at which it was said, which is now if it names none."""
        return self.at or now

    def own_properties(self) -> dict[str, Any]:
        """Return the properties that only items of this kind have."""
        return {}


def parse(raw: Any, longest: int = LONGEST_TEXT) -> TextItem:
    """Return an item as it is stored, or refuse it. No field may be longer than so many bytes."""
    tags = raw.get("tags") if isinstance(raw, dict) else None
    if isinstance(tags, str):
        raise InvalidInput("tags", tags, f"give a list of tags, such as [{tags or 'home'!r}]")
    item: TextItem = parse_model(TextItem, raw)
    if not item.text.strip():
        raise InvalidInput("text", item.text, "give the words to remember")
    for name in ("text", "category", "actor", "session", "speaker", "about", "id"):
        _check(name, getattr(item, name) or "", longest)
    if item.id is not None and not item.id.strip():
        raise InvalidInput("id", item.id, "give an id that is not empty, or none at all")
    if item.valid_from and item.valid_to and item.valid_from > item.valid_to:
        raise InvalidInput("valid_from", item.valid_from, "give a time before `valid_to`")
    plain_tags = tuple(sorted({tag.strip().lower() for tag in item.tags if tag.strip()}))
    return item.model_copy(update={"tags": plain_tags})


def identity(item: TextItem) -> str:
    """Return an item's id: its own, else a digest of text, title, speaker, session and time."""
    if item.id is not None:
        return item.id
    words = item.text.strip().lower()
    return digest_of(words, item.about, item.speaker, item.session, item.at)


def digest(text: str) -> str:
    """Return a digest that is the same for texts that differ in case and outer space alone."""
    return hashlib.sha256(text.strip().lower().encode()).hexdigest()[:32]


def lifetime(item: TextItem, settings: MemoriesSettings) -> Lasts:
    """Return how long a text lasts: as it says, else by the settings."""
    if item.lasts is not None:
        return item.lasts
    return tier(item.tags, item.category) if settings.tiers == "by_tags" else settings.lasts


def tier(tags: Sequence[str], category: str) -> Lasts:
    """Return how long a text lasts if its tags and its category decide."""
    if any(tag in PERMANENT_TAGS for tag in tags):
        return "permanent"
    if category == "mind" or any(tag in DURABLE_TAGS for tag in tags):
        return "durable"
    return "ephemeral" if category == "observation" else "standard"


def row(
    item: TextItem, settings: MemoriesSettings, now: datetime, active: int, realm_key: str
) -> dict[str, Any]:
    """Return the parameters of memories/remember for one text."""
    learned_at = item.learned_at(now)
    properties = {
        "kind": "text",
        **item.model_dump(include=STORED),
        "digest": digest(item.text),
        "tags": list(item.tags),
        "state": "live",
        "waiting": True,
        "unembedded": True,
        **_decay(item, settings, learned_at, active),
        "first_seen": learned_at,  # the statement sets last_interaction to the same
        "interaction_count": 0,
        "resurrection_count": 0,
        "realm_key": realm_key,
        "metadata": to_json(item.metadata),
        "marks": filter_marks.marks(**item.model_dump(include=MARKED)),
        "day": filter_marks.day_token(learned_at),
        **search_index.search_properties(
            item.text,
            about=item.about,
            speaker=item.speaker,
            at=item.at,
            most_words=settings.noted_words,
            language=item.language,
            expected=settings.language,
        ),
        "caption": _caption(item.text),
        **item.own_properties(),
    }
    return {"id": identity(item), "token": uuid.uuid4().hex, "properties": properties}


def _decay(
    item: TextItem, settings: MemoriesSettings, learned_at: datetime, active: int
) -> dict[str, Any]:
    """Return the properties by which a new text fades, and the time of its archiving."""
    lasts, clock = lifetime(item, settings), settings.text_clock
    rate = math.log(2) / (settings.text_half_life_hours[lasts] * HOUR_SECONDS)
    anchor = active if clock == "active" else to_micros(learned_at)
    seconds_left = math.log(1 / settings.text_archive_below) / rate
    return {
        "tier": lasts,
        "strength": 1.0,
        "confidence": 0.5,
        "anchor": anchor,
        "decay": "exp",
        "rate": rate,
        "clock": clock,
        "archive_below": settings.text_archive_below,
        "archive_at": anchor + math.ceil(seconds_left * 1e6),
    }


def _caption(text: str) -> str:
    one_line = " ".join(text.split())
    cut = len(one_line) > LONGEST_CAPTION
    return one_line[: LONGEST_CAPTION - 1] + "…" if cut else one_line


def _check(name: str, value: str, longest: int) -> None:
    """Refuse a value that is too long, or that holds half a character."""
    if len(value) > longest:  # a character is a byte at least
        raise _too_long(name, value, longest)
    require_encodable(name, value)
    if len(value.encode()) > longest:
        raise _too_long(name, value, longest)
    if name in ("id", "session") and len(value.encode()) > LONGEST_ID:
        raise InvalidInput(name, value[:40] + "...", f"give at most {LONGEST_ID} bytes")


def _too_long(name: str, value: str, longest: int) -> InvalidInput:
    remedy = (
        f"it has {len(value.encode('utf-8', 'replace')):,} bytes, and {longest:,} are allowed: "
        "split it, or raise ASTERISM_MEMORIES_TEXT_BYTES"
    )
    return InvalidInput(name, value[:40] + "...", remedy)
