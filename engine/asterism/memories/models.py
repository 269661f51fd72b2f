"""Results of memories: a memory, its history, receipts of calls (levels: market/models)."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import Field, computed_field

from asterism.base_model import Frozen
from asterism.html_tables import fields_table, table
from asterism.metadata import Scalar


class State(StrEnum):
    """Pending below its minimum of evidence, archived once its strength has faded."""

    PENDING = "pending"
    ACTIVE = "active"
    ARCHIVED = "archived"


class Rejected(Frozen):
    """An item that was refused: its place in the call, and the reason."""

    index: int
    event_id: str
    reason: str


class Changed(Frozen):
    """An item whose id is recorded with other content: nothing was written for it."""

    event_id: str
    reason: str


class Receipt(Frozen):
    """Counts of the items of a call: received = accepted + duplicate + changed + rejected."""

    accepted: int = 0
    duplicate: int = 0
    tagged: int = 0  # memories that were there and have more tags now
    late: int = 0
    rejected: list[Rejected] = Field(default_factory=list)
    changed: list[Changed] = Field(default_factory=list)

    @property
    def received(self) -> int:
        return self.accepted + self.duplicate + len(self.changed) + len(self.rejected)

    def __add__(self, other: "Receipt") -> "Receipt":
        return Receipt.model_construct(
            **{name: getattr(self, name) + getattr(other, name) for name in Receipt.model_fields}
        )


class MessagesReceipt(Receipt):
    """Receipt of the messages of a conversation.

    `left_out` counts those that were not to be remembered, by their role, or as `no text`. `ids`
    has the memory of each message in order, None for what was left out or rejected.
    """

    left_out: dict[str, int] = Field(default_factory=dict)
    ids: tuple[str | None, ...] = ()

    @property
    def received(self) -> int:
        return super().received + sum(self.left_out.values())


class Memory(Frozen):
    """A memory as of a time: `strength` is what decay has left of it then.

    If it is not used again, it is archived after `archive_in_hours`. These are active hours for a
    text, unless it lives on the wall clock, and hours on the wall clock for a price level. A date,
    `archive_at`, exists on the wall clock only.
    """

    id: str
    kind: str
    state: State
    strength: float
    confidence: float
    importance: float
    interaction_count: int
    resurrection_count: int
    first_seen: datetime
    last_interaction: datetime
    archive_at: datetime | None = None
    archive_in_hours: float | None = None
    text: str | None = None
    tags: tuple[str, ...] = ()
    category: str | None = None
    actor: str | None = None
    session: str | None = None
    speaker: str | None = None
    about: str | None = None
    language: str | None = None
    metadata: dict[str, Scalar] = Field(default_factory=dict)
    tier: str | None = None
    lasts: str | None = None
    half_life_hours: float | None = None
    used_at: datetime | None = None
    waiting: bool = False
    set_aside: str | None = None
    duplicate_of: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_by: str | None = None
    supersedes: tuple[str, ...] = ()
    edited_at: datetime | None = None
    unchanged: bool = False  # what a call was to write was stored before
    near_duplicates: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()  # memories that this may be an update of
    updated_by: tuple[str, ...] = ()
    learned_at_hours: float | None = None
    last_reinforced_hours: float | None = None

    def _repr_html_(self) -> str:
        return fields_table(f"memory {self.id}", dict(self))


class Page(Frozen):
    """Some memories of a list, and where the next page begins: give `next` as `after`.

    `next` is None on the last page.
    """

    items: tuple[Memory, ...]
    next: str | None = None

    def _repr_html_(self) -> str:
        rows = [(each.id, each.first_seen, each.strength, each.text) for each in self.items]
        return table(f"{len(rows)} memories", ("id", "at", "strength", "text"), rows)


class HistoryEntry(Frozen):
    """One piece of evidence, and the strength of the memory right after it.

    An update has what the memory was `before`. That it superseded another one, or was superseded,
    names the `other` and the reason.
    """

    at: datetime
    kind: str
    quantity: float
    strength: float
    effect: str
    source: str
    before: dict[str, Any] | None = None
    other: str | None = None
    reason: str | None = None


class Removed(Frozen):
    """Counts of what was removed with memories, and of what a check afterwards still saw.

    `ties` joined them to names, words and their sessions. `narratives` are answers of explorations
    that quoted them: they lost those lines, or went with their last quote. `names` and `terms` are
    those that no other text has. `repeats` had the same words and stand for themselves again.
    `restored` were superseded by them and are valid on their own again.
    """

    memories: int = 0
    evidence: int = 0
    relationships: dict[str, int] = Field(default_factory=dict)
    ties: dict[str, int] = Field(default_factory=dict)
    narratives: int = 0
    names: int = 0
    terms: int = 0
    notes: int = 0
    expectations: int = 0  # pinned questions that they left
    cursors: int = 0
    vectors: int = 0
    repeats: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    checked: bool = False
    left: dict[str, int] = Field(default_factory=dict)

    @computed_field  # type: ignore[prop-decorator]  # mypy takes no decorated properties
    @property
    def star_evidence(self) -> int:
        """Pieces of evidence for connections of stars that count on, without what they are from."""
        return self.relationships.get("DRAWN_FROM", 0)


class Forgotten(Removed):
    """Counts of what was removed with a memory."""

    id: str


class ForgottenMany(Removed):
    """Counts of what was removed with the memories that passed a filter.

    `matching` memories passed, of which `examples` shows up to ten. After a dry run nothing was
    removed.
    """

    filter: str
    dry_run: bool
    matching: int
    examples: tuple[Memory, ...] = ()


class ProposalState(StrEnum):
    """Open until a person, or the setting `accept_own`, accepts or dismisses it."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DISMISSED = "dismissed"


class Proposal(Frozen):
    """A text, `new`, that may say what holds now in the place of an earlier one, `old`.

    `differs` is number, date, name, negation or word, with the words `before` and `after`.
    """

    id: str
    new: str
    old: str
    new_text: str
    old_text: str
    differs: str
    before: str
    after: str
    cosine: float
    confidence: float
    at: datetime
    reason: str
    state: ProposalState
    decided_at: datetime | None = None
