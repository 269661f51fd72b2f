"""Text memories: what one is made of, its id, and how fast it fades."""

import hashlib
import math
import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from engine.clock import aware
from engine.errors import InvalidInput
from engine.frozen import Frozen
from engine.memories.hours import HOUR as HOURS
from engine.memories.model import micros
from engine.memories.rule import Applied, Node, Passes, Place, Step
from engine.recall import notes, words
from engine.settings import MemoriesSettings
from engine.settings.memories import Lasts

HOUR = 3600
LONGEST_CAPTION = 40
LONGEST_ID = 1000
LONGEST_TEXT = 1 << 20

PERMANENT_TAGS = ("self/constitutional",)
DURABLE_TAGS = ("self/value", "self/constraint", "self/goal")


def _moment(at: Any) -> datetime | None:
    return None if at is None else aware(at)


class TextItem(BaseModel):
    """What a person wants remembered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    tags: tuple[str, ...] = ()
    category: str = ""
    actor: str | None = None
    session: str | None = None
    speaker: str | None = None
    about: str | None = None
    at: Annotated[datetime | None, BeforeValidator(_moment)] = None
    id: str | None = None
    lasts: Lasts | None = None


def parse(raw: Any, longest: int = LONGEST_TEXT) -> TextItem:
    """An item as the database takes it, or a refusal that names what is wrong.

    No field may have more bytes than `longest`.
    """
    item = raw if isinstance(raw, TextItem) else _validated(raw)
    if not item.text.strip():
        raise InvalidInput("text", item.text, "give the words to remember")
    for name in ("text", "category", "actor", "session", "speaker", "about", "id"):
        _check(name, getattr(item, name) or "", longest)
    if item.id is not None and not item.id.strip():
        raise InvalidInput("id", item.id, "give an id that is not empty, or none at all")
    tags = tuple(sorted({tag.strip().lower() for tag in item.tags if tag.strip()}))
    return item.model_copy(update={"tags": tags})


def _validated(raw: Any) -> TextItem:
    tags = raw.get("tags") if isinstance(raw, dict) else None
    if isinstance(tags, str):
        raise InvalidInput("tags", tags, f"give a list of tags, such as [{tags or 'home'!r}]")
    try:
        return TextItem.model_validate(raw)
    except ValidationError as error:
        [first, *_] = error.errors()
        name = ".".join(str(part) for part in first["loc"]) or "item"
        raise InvalidInput(name, first["input"], first["msg"]) from error


def _check(name: str, value: str, longest: int) -> None:
    """Refuse a value that is too long, or that holds half a character."""
    if len(value) > longest:  # a character is a byte at least
        raise _too_long(name, value, longest)
    if not words.encodable(value):
        raise InvalidInput(name, value, "it holds half a character: decode it anew")
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


def identity(item: TextItem) -> str:
    """The same words said by the same one in the same place and time are the same memory."""
    if item.id is not None:
        return item.id
    parts = (item.text.strip().lower(), item.about, item.speaker, item.session, item.at)
    told = "\x1f".join("" if part is None else str(part) for part in parts)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def digest(text: str) -> str:
    """Tells texts apart, but for the case and the space around them."""
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
    """The node of a text memory."""
    learned = item.at or now
    clock = settings.text_clock
    lasts = lifetime(item, settings)
    rate = math.log(2) / (settings.text_half_life_hours[lasts] * HOUR)
    anchor = active if clock == "active" else micros(learned)
    seconds = math.log(1 / settings.text_archive_below) / rate
    one_line = " ".join(item.text.split())
    shortened = one_line[: LONGEST_CAPTION - 1] + "…"
    properties = {
        "kind": "text",
        "text": item.text,
        "digest": digest(item.text),
        "tags": list(item.tags),
        "category": item.category,
        "actor": item.actor,
        "session": item.session,
        "speaker": item.speaker,
        "about": item.about,
        "tier": lasts,
        "state": "live",
        "waiting": True,
        "unembedded": True,
        "strength": 1.0,
        "confidence": 0.5,
        "anchor": anchor,
        "decay": "exp",
        "rate": rate,
        "clock": clock,
        "archive_below": settings.text_archive_below,
        "archive_at": anchor + math.ceil(seconds * 1e6),
        "first_seen": learned,
        "last_interaction": learned,
        "interaction_count": 0,
        "resurrection_count": 0,
        "realm_key": realm_key,
        "day": notes.day(learned),
        **notes.searched(item),
        "noted_words": notes.limit(item, settings.noted_words),
        "caption": one_line if len(one_line) <= LONGEST_CAPTION else shortened,
    }
    return {"id": identity(item), "token": uuid.uuid4().hex, "properties": properties}


class Use(Frozen):
    """A text memory was recalled, confirmed, contradicted, repeated, or had an outcome."""

    event_id: str
    ts: datetime
    memory: str
    kind: str
    quantity: float = 1.0
    sequence: None = None


USES = ("recall", "confirmation", "contradiction", "repetition", "outcome")


class TextRule:
    """How text memories take evidence: use brings one back to full strength."""

    label = "Text"

    def __init__(self, settings: MemoriesSettings, active: int) -> None:
        self._settings = settings
        self._active = active

    def parse(self, raw: Any) -> Use:
        use = raw if isinstance(raw, Use) else Use.model_validate(raw)
        if use.kind not in USES:
            raise ValueError(f"kind: one of {', '.join(USES)}, not {use.kind!r}")
        if not 0 <= use.quantity <= 1:
            raise ValueError(f"quantity: from 0 (bad) to 1 (good), not {use.quantity}")
        return use

    def order(self, item: Use) -> tuple[Any, ...]:
        return item.ts, item.event_id

    def place(self, item: Use) -> Place:
        return Place("", id=item.memory)

    def match(self, item: Use, nodes: list[Node]) -> Node | None:
        return nodes[0] if nodes else None

    def create(self, item: Use) -> Node:
        raise InvalidInput("id", item.memory, "there is no such text memory in this realm")

    def apply(self, node: Node, item: Use, passes: Passes) -> None:
        at = self._active if node.properties["clock"] == "active" else micros(item.ts)
        helps = item.kind != "contradiction"
        gain = (item.quantity if item.kind == "outcome" else 1.0) if helps else 0.0
        rest = 1.0 if self._settings.text_revive_full and helps else 0.0
        node.steps.append(Step(at, at, gain, rest=rest))
        node.add("interaction_count", 1)
        if item.kind in ("confirmation", "contradiction", "outcome"):
            good = gain if helps else 0.0
            node.add("confirmed", good)
            node.add("contradicted", 1 - good)
            told = node.get("confirmed", 0.0), node.get("contradicted", 0.0)
            node.put(confidence=(1 + told[0]) / (2 + sum(told)))
        node.put(last_interaction=item.ts)
        if helps:
            reading = max(self._active / HOURS, node.get("last_reinforced_hours", 0.0))
            node.put(last_reinforced_hours=reading)
        node.latest = max(at, node.latest)
        node.applied.append(Applied(item, "boosted" if helps else "weakened", has_step=True))
